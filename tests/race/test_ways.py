"""A shortest way is as long as breadth-first search over the reference's moves says, and can be played."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from properties.effort import FUZZ
from reference.moves import moves_of_side
from reference.position import Position as Placement
from reference.variant import Variant as Rules
from reference.variant import square_board

from halma_fast import OptionError, Position, RaceError, Side, Variant, VariantError
from halma_fast.move import Move
from halma_fast.notation import format_fen
from halma_fast.race import Layer, moves_needed, shortest_transfer, shortest_way

# Shortest transfers of one army from its camp to the opposite corner of an empty board, no lock, by board size.
KNOWN = {
    (2, 1): {4: 5, 5: 7, 6: 8, 7: 10, 8: 11},
    (3, 2, 1): {4: 6, 5: 9, 6: 10, 7: 12, 8: 14},
}
CASES = [(size, camp, moves) for camp, table in KNOWN.items() for size, moves in table.items()]
TEN_MEN = [(6, 14)]
NOBODY: frozenset[tuple[int, int]] = frozenset()


def play(men: frozenset[tuple[int, int]], way: tuple[Move, ...], rules: Rules, side: str) -> frozenset[tuple[int, int]]:
    """Make the moves one by one, each of them a move of the reference."""
    for move in way:
        here, there = ((square & 15, square >> 4) for square in (move.from_square, move.to_square))
        placed = Placement(men, NOBODY) if side == "x" else Placement(NOBODY, men)
        assert (here, there) in moves_of_side(rules, placed, side)  # type: ignore[arg-type]
        men = men - {here} | {there}
    return men


@pytest.mark.parametrize(("size", "camp", "moves"), [case for case in CASES if case[:2] != (8, (3, 2, 1)) or FUZZ > 1])
def test_known_transfers_of_small_armies(size: int, camp: tuple[int, ...], moves: int) -> None:
    way = shortest_transfer(size, camp)
    assert len(way) == moves
    rules = square_board(size, camp, goal_lock="none")
    assert play(rules.start["x"], way, rules, "x") == rules.goal["x"]


@pytest.mark.skipif(FUZZ == 1, reason="takes minutes: HALMA_FAST_FUZZ=2 or more runs it")
@pytest.mark.parametrize(("size", "moves"), TEN_MEN)
def test_known_transfers_of_ten_men(size: int, moves: int) -> None:
    assert len(shortest_transfer(size, (4, 3, 2, 1), memory_mb=4096)) == moves


def distances(rules: Rules, side: str) -> dict[frozenset[tuple[int, int]], int]:
    """Moves needed from every placement, by relaxing all of them until nothing changes."""
    after = {}
    for men in map(frozenset, combinations(sorted(rules.squares), rules.men)):
        placed = Placement(men, NOBODY) if side == "x" else Placement(NOBODY, men)
        moves = moves_of_side(rules, placed, side)  # type: ignore[arg-type]
        after[men] = [men - {here} | {there} for here, there in moves]
    found = {rules.goal[side]: 0}  # type: ignore[index]
    for distance in range(1, 100):
        new = {men for men, nexts in after.items() if men not in found and any(n in found for n in nexts)}
        found |= dict.fromkeys(new, distance)
        if not new:
            return found
    raise AssertionError


@pytest.mark.parametrize(
    ("size", "camp", "rules"),
    [
        (4, (2, 1), {}),
        (4, (2, 1), {"goal_lock": "none"}),
        (5, (2,), {"goal_lock": "move", "home_reentry": False}),
        (5, (1, 1), {"home_reentry": False}),
    ],
)
@pytest.mark.parametrize("side", "xo")
def test_every_placement_needs_what_exhaustive_search_says(
    size: int, camp: tuple[int, ...], rules: dict[str, Any], side: str
) -> None:
    variant = Variant.square(size, camp, **rules)
    board = square_board(size, camp, **rules)
    known = distances(board, side)
    which = Side.from_letter(side)
    placements = list(map(frozenset, combinations(sorted(board.squares), board.men)))
    for men in random.Random(3).sample(placements, min(150, len(placements))):
        squares = [16 * rank + file for file, rank in men]
        others = [16 * r + f for f, r in sorted(board.squares - men)[: board.men]]
        sides = (squares, others) if which is Side.X else (others, squares)
        position = Position.from_fen(format_fen(variant, sides, Side.X, 1), variant)
        way = shortest_way(position, side)
        assert (None if way is None else len(way)) == known.get(men)
        if way is not None:
            assert play(men, way, board, side) == board.goal[side]  # type: ignore[index]
            assert moves_needed(position, side, most=len(way)) == len(way)
            assert not way or moves_needed(position, side, most=len(way) - 1) is None


def test_larger_boards_are_searched_too() -> None:
    position = Position.from_fen("xxxxx5/xxxx6/xxx7/2x7/1x7o/x9/8oo/6o1oo/6oooo/5ooooo x", "halma10")
    assert [moves_needed(position, side) for side in Side] == [3, 2]


def test_layers_are_told_and_memory_is_bounded() -> None:
    seen: list[Layer] = []
    assert len(shortest_transfer(6, (3, 2, 1), on_layer=seen.append)) == 10
    assert [layer.limit for layer in seen] == sorted(layer.limit for layer in seen)
    assert seen[-1].limit == 10
    with pytest.raises(RaceError, match=r"memory_mb: too few for [0-9]+ placements"):
        shortest_transfer(8, (4, 3, 2, 1), memory_mb=1)


def test_bad_arguments_are_refused() -> None:
    position = Position("4x4:2,1")
    for bad in (2, "z", None, -1):
        with pytest.raises(OptionError):
            shortest_way(position, bad)  # type: ignore[arg-type]
    for options in ({"most": -1}, {"most": 1001}, {"memory_mb": 0}, {"on_layer": 7}):
        with pytest.raises(OptionError):
            shortest_way(position, "x", **options)  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        shortest_way("4x4", "x")  # type: ignore[arg-type]
    for game in (Position("csci561"), Position("8x8:1", home_duty=True)):
        with pytest.raises(RaceError, match=r"^home_duty: True, expected False: "):
            shortest_way(game, Side.X)
    with pytest.raises(RaceError, match="expected one of Halma"):
        shortest_way(Position("pulce"), "x")
    with pytest.raises(VariantError):
        shortest_transfer(2, (1,))
