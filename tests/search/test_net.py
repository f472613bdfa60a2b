"""The net: the kernel's sums follow every move, mirrored positions are worth the same, and a bad file is refused."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random

import numpy as np
import pytest

from halma_fast import VARIANTS, Engine, Position, Side, Variant, VariantError
from halma_fast._kernel.nets import ONE, UNITS, checked, encoded, net_of
from halma_fast.evaluation import evaluate

WITH_NET = [name for name in VARIANTS if net_of(Variant.named(name)) is not None]


def rows_of(men: tuple[set[int], set[int]], size: int) -> str:
    rows = []
    for rank in reversed(range(size)):
        row = "".join("x" if 16 * rank + f in men[0] else "o" if 16 * rank + f in men[1] else "." for f in range(size))
        for run in range(size, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    return "/".join(rows)


def scattered(variant: Variant, random: Random, away: int) -> Position:
    """Both goals full but for `away` men a side, which stand anywhere; either side to move."""
    board = [s for s in range(256) if s >> 4 < variant.size > s & 15]
    men = tuple(set(random.sample(sorted(goal), len(goal) - away)) for goal in variant.goal)
    for own in men:
        while len(own) < variant.men:
            square = random.choice(board)
            if square not in men[0] | men[1]:
                own.add(square)
    return Position(variant, fen=f"{rows_of(men, variant.size)} {random.choice('xo')} 40")


def best_by_brute_force(position: Position, depth: int) -> int | None:
    """The value by search without any cut; `None` if some line ends the game."""
    if position.is_game_over():
        return None
    if depth == 0:
        return evaluate(position).total
    best = None
    for move in list(position.legal_moves):
        position.push(move)
        value = best_by_brute_force(position, depth - 1)
        position.pop()
        if value is None:
            return None
        best = -value if best is None else max(best, -value)
    return best


def test_some_board_has_a_net() -> None:
    assert "halma8" in WITH_NET


@pytest.mark.parametrize("name", WITH_NET)
def test_what_a_search_sees_after_moves_is_the_value_of_the_position_reached(name: str) -> None:
    # With two squares left to fill nothing is left out on the word of the evaluation; below depth 3 nothing is reduced.
    random, engine = Random(name), Engine(1)
    wanted = {1: 6, 2: 2 if name == "halma8" else 0}
    for depth, count in wanted.items():
        checked_positions = 0
        while checked_positions < count:
            position = scattered(Variant.named(name, win="occupied"), random, 2)
            expected = best_by_brute_force(position, depth)
            if expected is not None:
                assert engine.search(position, depth=depth).score.value == expected, position.fen()
                checked_positions += 1


@pytest.mark.parametrize("name", WITH_NET)
def test_mirrored_positions_are_worth_the_same_and_turned_ones_too(name: str) -> None:
    variant, random, seen = Variant.named(name), Random(3), set()
    last = variant.size - 1
    for _ in range(50):
        position = scattered(variant, random, variant.men - 1)
        men = tuple(set(position.pieces(side)) for side in Side)
        turn = position.turn.letter
        mirrored = tuple({16 * (last - (s & 15)) + last - (s >> 4) for s in own} for own in men)
        turned = tuple({17 * last - s for s in own} for own in reversed(men))
        found = evaluate(position)
        for other, to_move in ((mirrored, turn), (turned, "xo"["ox".index(turn)])):
            image = Position(variant, fen=f"{rows_of(other, variant.size)} {to_move} 9")
            assert evaluate(image).total == found.total
        net = {term.name: term for term in found.terms}["net"]
        seen.add(net.of(found.turn))
        assert net.of(found.turn.other) == 0
    assert len(seen) > 10


@pytest.mark.parametrize("name", WITH_NET)
def test_the_correction_stays_within_its_bound(name: str) -> None:
    variant, random = Variant.named(name), Random(5)
    net = net_of(variant)
    assert net is not None
    for _ in range(50):
        found = evaluate(scattered(variant, random, variant.men))
        assert abs({term.name: term for term in found.terms}["net"].of(found.turn)) <= net.bound


@pytest.mark.parametrize("name", WITH_NET)
def test_a_file_says_where_its_net_comes_from(name: str) -> None:
    stored = json.loads((files("halma_fast") / "data" / f"net_{name}.json").read_text("ascii"))
    assert {"date", "generation", "games", "nodes", "positions", "loss", "linear_loss", "match"} <= set(stored)
    assert stored["variant"] == name
    assert stored["loss"] < stored["linear_loss"]


def empty_net(size: int) -> dict[str, object]:
    half = UNITS // 2
    return {
        "rows": encoded(np.zeros(2 * size * size * half, np.int16)),
        "bias": encoded(np.zeros(half, np.int16)),
        "output": encoded(np.zeros(half, np.int16)),
        "output_bias": 0,
        "bound": 100,
    }


def test_a_net_that_could_leave_the_kernels_types_is_refused() -> None:
    variant, half = Variant.named("halma8"), UNITS // 2
    good = empty_net(8)
    assert checked(good, variant).rows.shape == (2, 64, UNITS)
    # 20 men and one more during a move, in 16 bits; and 32 units of ONE * ONE in 32.
    rows, output = 32767 // 21, (2**31 - 1) // (ONE * ONE) // UNITS
    checked(good | {"rows": encoded(np.full(128 * half, rows, np.int16))}, variant)
    checked(good | {"output": encoded(np.full(half, -output, np.int16))}, variant)
    bad: list[dict[str, object]] = [
        {"rows": encoded(np.full(128 * half, -rows - 1, np.int16))},
        {"rows": encoded(np.full(128 * half, rows, np.int16)), "bias": encoded(np.full(half, 8, np.int16))},
        {"output": encoded(np.full(half, output + 1, np.int16))},
        {"output_bias": 2**31},
        {"rows": good["bias"]},
        {"bias": "no base64"},
        {"output": 3},
        {"bound": 0},
        {"bound": 1e3},
        {"output_bias": None},
    ]
    for change in bad:
        with pytest.raises(VariantError, match=r"^net.*expected"):
            checked(good | change, variant)
    for field in good:
        with pytest.raises(VariantError, match=r"^net.*expected"):
            checked({name: value for name, value in good.items() if name != field}, variant)
