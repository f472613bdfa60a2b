"""Games that teach: the same wherever they are played, seen by the side to move, with the result that they had."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np

from halma_fast import Position, Variant
from halma_fast.selfplay import PlayedPositions, joined, play_games, spread_games

VARIANT = Variant.named("5x5:3,2,1", win="occupied")


def same(a: PlayedPositions, b: PlayedPositions) -> bool:
    return all(np.array_equal(getattr(a, f.name), getattr(b, f.name)) for f in fields(PlayedPositions))


def test_a_game_depends_on_its_number_and_not_on_those_before() -> None:
    together = play_games(VARIANT, range(6), seed=3, nodes=100, margin=300)
    apart = [play_games(VARIANT, [number], seed=3, nodes=100, margin=300) for number in (0, 1, 2, 3, 4, 5)]
    assert same(together, joined(apart))
    assert not same(together, play_games(VARIANT, range(6), seed=4, nodes=100, margin=300))


def test_spread_games_are_those_played_here_in_their_order() -> None:
    with ThreadPoolExecutor(1) as executor:
        parts = list(spread_games(executor, VARIANT, range(2, 45), seed=1, nodes=50, margin=300))
    assert len(parts) == 3
    assert same(joined(parts), play_games(VARIANT, range(2, 45), seed=1, nodes=50, margin=300))


def test_positions_are_the_movers_and_results_are_told_from_its_side() -> None:
    found = play_games(VARIANT, range(30), seed=1, nodes=100, margin=300)
    assert found.own.shape == found.other.shape == (len(found.score), VARIANT.men)
    assert found.own.dtype == found.other.dtype == np.uint8
    assert found.score.dtype == np.int16
    assert (np.diff(found.own.astype(int), axis=1) > 0).all()
    for row in range(len(found.score)):
        assert not set(found.own[row]) & set(found.other[row])
    # Whoever is to move comes from the corner where x starts: early in a game its men are still near.
    early = found.ply <= 5
    start = set(Position(VARIANT).pieces(0))
    at_home = [len(start & set(map(int, men))) for men in found.own[early]]
    assert np.mean(at_home) > VARIANT.men / 2
    # In one game the side that wins is one: the results alternate with the parity of the ply.
    for game in np.unique(found.game):
        rows = found.game == game
        as_x = np.where(found.ply[rows] % 2 == 0, found.result[rows], 1 - found.result[rows])
        assert len(set(as_x.tolist())) == 1
    assert {0.0, 1.0} <= set(found.result.tolist())
    # Who is ahead by the search wins more often than not.
    ahead = np.abs(found.score) > 30
    assert np.mean((found.score[ahead] > 0) == (found.result[ahead] > 0.5)) > 0.6
