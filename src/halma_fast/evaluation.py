"""The evaluation of a position term by term: what the kernel sums up at the leaves of a search.

Owns the named terms for people; the numbers are those of `_kernel/values.py` and `_kernel/values_pulce.py`. Invariant:
the total is the kernel's, to the point. Guarded by tests/search/test_evaluation.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from halma_fast._kernel.nets import FRACTION, ONE, NetWeights, net_of
from halma_fast._kernel.values import man_values, terms
from halma_fast._kernel.values_pulce import arrangement_values, entry_values, socket_order
from halma_fast.checks import shorten
from halma_fast.errors import OptionError
from halma_fast.position import Position
from halma_fast.types import Side
from halma_fast.variants import Variant

__all__ = ["Evaluation", "Term", "evaluate", "square_values"]


@dataclass(frozen=True, slots=True)
class Term:
    """One term: its name, and the points of both sides' men by it; 0 for a side that it says nothing of."""

    name: str
    x: int
    o: int

    def of(self, side: Side) -> int:
        return self.x if side == Side.X else self.o


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A position's worth in points, without any search.

    turn: the side to move. terms: those of the variant, in a fixed order. total: the sum over all terms of the mover's
    points less the other side's; the kernel's value of the position, which says nothing of a game that is over.
    """

    turn: Side
    terms: tuple[Term, ...]

    @property
    def total(self) -> int:
        return self.sum(self.turn) - self.sum(self.turn.other)

    def sum(self, side: Side) -> int:
        """Return the points of a side over all terms."""
        return sum(term.of(side) for term in self.terms)


def evaluate(position: Position) -> Evaluation:
    """Return the terms of a position's evaluation.

    Halma: `squares` (what each man's square is worth), `class steps` (men in a class of squares for which the goal has
    no square left: each needs a step, as a hop never leaves its class), `tempo` (of being to move). Pulce:
    `arrangement` (points that the men in the goal still allow) and `entries` (the way of the others to free sockets).
    Boards that have a net: `net`, its word for the side to move. Raises `OptionError` if `position` is none.
    """
    _check(position)
    by_side = [_terms_of(position, side) for side in Side]
    return Evaluation(position.turn, tuple(Term(name, by_side[0][name], by_side[1][name]) for name in by_side[0]))


def square_values(position: Position, side: Side) -> dict[int, int]:
    """Return square (16 * rank + file) -> points of a man of `side` there, for all squares of the board.

    Pulce: with the sockets taken that the side's men hold now; squares of the goal have no points of their own, as
    their men count by their arrangement, and are left out. Raises `OptionError` if `position` is none.
    """
    _check(position)
    variant = position.variant
    if not _has_entries(variant):
        return dict(_values(variant, side))
    taken = _taken(position, side)
    first, second = (
        {square: row[held] for square, row in table.items()}
        for table, held in zip(_entries(variant, side), taken, strict=True)
    )
    return {square: max(points, second[square]) for square, points in first.items()}


def _check(position: object) -> None:
    if not isinstance(position, Position):
        raise OptionError(f"position: {shorten(position)}, expected a Position")


def _terms_of(position: Position, side: Side) -> dict[str, int]:
    variant = position.variant
    values = square_values(position, side)
    if _has_entries(variant):
        first, second = _taken(position, side)
        return {
            "arrangement": arrangement_values(variant, side)[first][second],
            "entries": sum(values[man] for man in position.pieces(side) if man not in variant.goal[side]),
        }
    beside = terms(variant)
    men, room = _classes(position.pieces(side)), _classes(variant.goal[side])
    over = sum(max(0, count - free) for count, free in zip(men, room, strict=True))
    found = {
        "squares": sum(values[man] for man in position.pieces(side)),
        "class steps": -beside.class_step * over,
        "tempo": beside.tempo if side == position.turn else 0,
    }
    net = _net(variant)
    if net is not None:
        found["net"] = _correction(net, position) if side == position.turn else 0
    return found


def _correction(net: NetWeights, position: Position) -> int:
    """Return a net's points for the side to move, as net.h has them."""
    size, mover = position.variant.size, position.turn
    sums = net.bias.astype(np.int64)
    for whose, side in enumerate((mover, mover.other)):
        for man in position.pieces(side):
            rank, file = man >> 4, man & 15
            if mover == Side.O:  # sees the board turned by 180 degrees
                rank, file = size - 1 - rank, size - 1 - file
            sums = sums + net.rows[whose, rank * size + file]
    total = int((np.clip(sums, 0, ONE) ** 2) @ net.output.astype(np.int64)) + net.output_bias
    whole = abs(total) // (ONE * ONE * FRACTION)  # C rounds towards zero
    return max(-net.bound, min(net.bound, whole if total > 0 else -whole))


def _has_entries(variant: Variant) -> bool:
    """Tell whether the men are valued by their ways to the sockets of a goal of two edges, as in Pulce."""
    edges = variant.goal_edges
    return edges is not None and variant.size <= 8 and all(len(edge) == 5 for pair in edges for edge in pair)


def _taken(position: Position, side: Side) -> list[int]:
    """Return the sockets of both edges that a side's men hold, as bits."""
    men = set(position.pieces(side))
    return [sum(1 << k for k, s in enumerate(edge) if s in men) for edge in socket_order(position.variant, side)]


@lru_cache(maxsize=16)
def _values(variant: Variant, side: Side) -> dict[int, int]:
    return man_values(variant, side)


@lru_cache(maxsize=16)
def _net(variant: Variant) -> NetWeights | None:
    return net_of(variant)


@lru_cache(maxsize=16)
def _entries(variant: Variant, side: Side) -> list[dict[int, list[int]]]:
    return entry_values(variant, side)


def _classes(squares: tuple[int, ...] | frozenset[int]) -> list[int]:
    counts = [0] * 4
    for square in squares:
        counts[(square & 1) + 2 * (square >> 4 & 1)] += 1
    return counts
