"""Squares as (file, rank) pairs counted from 0, their names, the eight directions and the two sides.

A square off the board is not special here: it is merely in no set of squares. Guarded by test_reference_rules.py.
"""

from typing import Literal

Square = tuple[int, int]
Side = Literal["x", "o"]

SIDES: tuple[Side, Side] = ("x", "o")
DIRECTIONS: tuple[Square, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def other_side(side: Side) -> Side:
    return "o" if side == "x" else "x"


def name_of(square: Square) -> str:
    file, rank = square
    return "abcdefghijklmnop"[file] + str(rank + 1)


def square_named(name: str) -> Square:
    return "abcdefghijklmnop".index(name[0]), int(name[1:]) - 1


def squares_named(names: str) -> frozenset[Square]:
    """The set of the squares in a text such as "a1 b2 c3"."""
    return frozenset(square_named(name) for name in names.split())
