"""The value of every position by value iteration over the rules of tests/reference: slow, plain, and no code shared.

A position is a `reference.position.Position` with move number 1. Guarded by comparison with the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from reference.board import SIDES
from reference.ending import is_completed
from reference.moves import legal_moves
from reference.position import Position
from reference.variant import Variant

Value = tuple[str, int]
DRAW: Value = ("draw", 0)


def all_positions(variant: Variant) -> Iterator[Position]:
    """Every placement of the men, with each side to move."""
    squares = sorted(variant.squares)
    for x in combinations(squares, variant.men):
        for o in combinations([square for square in squares if square not in x], variant.men):
            for side in SIDES:
                yield Position(frozenset(x), frozenset(o), side)


def solved(variant: Variant) -> dict[Position, Value]:
    """Value of every position: ("win" or "loss", plies) for the side to move, or a draw.

    Round n gives a value to what is decided in n plies, by looking at all moves of all positions that have none yet.
    """
    children: dict[Position, list[Position]] = {}
    values: dict[Position, Value] = {}
    for position in all_positions(variant):
        if is_completed(variant, position):
            values[position] = ("loss", 0)
        else:
            moved = (position.after(move) for move in legal_moves(variant, position))
            children[position] = [Position(after.x, after.o, after.turn) for after in moved]
    plies, before = 0, -1
    while len(values) != before:
        before, plies = len(values), plies + 1
        found: dict[Position, Value] = {}
        for position, after in children.items():
            if position in values:
                continue
            worth = [values.get(child, DRAW)[0] for child in after]
            if "loss" in worth:
                found[position] = ("win", plies)
            elif worth and all(kind == "win" for kind in worth):
                found[position] = ("loss", plies)
        values |= found
    return {position: values.get(position, DRAW) for position in [*values, *children]}
