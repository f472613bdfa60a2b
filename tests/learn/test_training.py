"""Training: seeded, better than the linear evaluation on unseen positions, rounded to what the kernel counts."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from halma_fast import Engine, Position, Variant
from halma_fast._kernel.nets import checked
from halma_fast.selfplay import PlayedPositions

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "learn"))
import store
import training

VARIANT = Variant.named("halma8", win="occupied")


@pytest.fixture(scope="module")
def positions() -> PlayedPositions:
    """Men anywhere, of which those below the diagonal between the other corners decide by their majority."""
    chance = np.random.default_rng(1)
    squares = np.array([16 * rank + file for rank in range(8) for file in range(8)])
    count, men = 6000, VARIANT.men
    drawn = np.array([chance.permutation(squares)[: 2 * men] for _ in range(count)], np.uint8)
    own, other = np.sort(drawn[:, :men]), np.sort(drawn[:, men:])
    most = ((own & 15) > (own >> 4)).sum(axis=1) >= VARIANT.men // 2
    return PlayedPositions(
        own,
        other,
        np.zeros(count, np.int16),
        most.astype(np.float32),
        np.full(count, 9, np.int16),
        np.arange(count, dtype=np.int32),
    )


def test_a_net_learns_what_the_linear_part_has_wrong_and_the_same_again(positions: PlayedPositions) -> None:
    settings = training.Settings(epochs=6, rate=2e-2, result_share=1.0, bound=8.0)
    told: list[str] = []
    first = training.train(VARIANT, positions, settings, told.append)
    assert len(told) == 6
    assert first.loss < first.linear_loss - 0.05
    assert (first.positions, first.games) == (6000, 6000)
    assert training.train(VARIANT, positions, settings, told.append).stored == first.stored
    # The integers are those of the kernel, at the start position too.
    board = training.Board(VARIANT)
    net = checked(first.stored, VARIANT)
    found = training.correction(net, board.features(positions))
    assert np.abs(found).max() <= net.bound
    assert len(np.unique(found)) > 50


def test_the_linear_part_is_the_evaluations(positions: PlayedPositions) -> None:
    # The named board has a net; the same board by its size has the formula, and nothing beside it.
    variant = Variant.named("8x8:4,3,2,1")
    position, rows = Position(variant), []
    for _ in range(12):
        position.push(sorted(position.legal_moves)[len(rows)])
        turn = 119 if position.turn == 1 else 0
        men = [[abs(turn - s) for s in position.pieces(side)] for side in (position.turn, position.turn.other)]
        rows.append((*map(sorted, men), Engine(1).search(position, nodes=1).score.value))
    own, other, values = (np.array(column) for column in zip(*rows, strict=True))
    empty = np.zeros(len(rows))
    data = PlayedPositions(own.astype(np.uint8), other.astype(np.uint8), empty, empty, empty, empty)
    assert training.Board(variant).linear(data).tolist() == values.tolist()


def test_games_that_are_stored_are_not_played_again(tmp_path: Path) -> None:
    variant = Variant.named("5x5:3,2,1", win="occupied")
    games = store.Games(30, 1, 50, 300)
    with ThreadPoolExecutor(1) as executor:
        first = store.played(tmp_path, "abc", variant, games, executor, lambda done: None)
    done: list[int] = []
    # An executor that is closed plays nothing.
    again = store.played(tmp_path, "abc", variant, games, executor, done.append)
    assert done == [30]
    assert np.array_equal(first.own, again.own)
    assert np.array_equal(first.score, again.score)
    with pytest.raises(RuntimeError):
        store.played(tmp_path, "abd", variant, games, executor, done.append)
    assert not list(tmp_path.glob("*.tmp"))
