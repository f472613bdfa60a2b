"""What an arrangement is worth in Pulce: frozen men on two edges, and the way of the others to sockets that are free.

Owns the numbers of Pulce's evaluation. Invariant: a man at home is worth more than one on its way, and a socket that is
taken brings nobody nearer. Guarded by tests/search/test_pulce_values.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halma_fast.variants import Variant

__all__ = ["arrangement_values", "entry_values", "socket_order"]

# Points, chosen by matches (benchmarks/pulce.md). A man on its way costs START, LINEAR for each step of the shortest
# way to a free socket, and SQUARED for its square, so that nobody is left behind; the last step is straight, so the way
# leads through the square before the socket. With a small START nobody freezes before the others can do without the
# bridge. CORNER draws men towards the corner between both edges.
START = 20
LINEAR = 20
SQUARED = 1
CORNER = 2
# What it costs when the frozen men leave only two points, or one, to be had.
LOST_MIRROR = 10
LOST_BALANCE = 30


def socket_order(variant: Variant, side: int) -> tuple[list[int], list[int]]:
    """Return the sockets of both edges of a side's goal, those at the same place each other's mirror image."""
    edges = variant.goal_edges
    assert edges is not None
    first = sorted(edges[side][0])
    return first, [16 * (square & 15) + (square >> 4) for square in first]


def arrangement_values(variant: Variant, side: int) -> list[list[int]]:
    """Return, for each set of frozen men on the first edge and on the second (bit k is the k-th socket), its points."""
    sockets = len(socket_order(variant, side)[0])
    half = variant.men // 2
    table = []
    for first in range(1 << sockets):
        row = []
        for second in range(1 << sockets):
            lost = 0
            if max(first.bit_count(), second.bit_count()) > half:
                lost = LOST_BALANCE
            elif (first | second).bit_count() > half:
                lost = LOST_MIRROR
            row.append(-lost)
        table.append(row)
    return table


def entry_values(variant: Variant, side: int) -> list[dict[int, list[int]]]:
    """Return for each edge: square -> for each set of its sockets that are taken, the points of a man on its way there.

    A set with all sockets taken has the value of a man that is as far as can be.
    """
    goal = variant.goal[side]
    first, second = socket_order(variant, side)
    board = [s for s in range(256) if s >> 4 < variant.size > s & 15 and s not in variant.holes]
    last = variant.size - 1
    corner = min((0, last, 16 * last, 17 * last), key=lambda c: sum(_steps(c, s) for s in goal))
    inward = [16 if (square >> 4) == (corner >> 4) else 1 for square in (first[2], second[2])]
    if corner:
        inward = [-step for step in inward]
    values = []
    for sockets, step in zip((first, second), inward, strict=True):
        table = {}
        for square in board:
            if square in goal:
                continue
            away = abs((square & 15) - (corner & 15)) + abs((square >> 4) - (corner >> 4))
            row = []
            for taken in range(1 << len(sockets)):
                free = [socket for k, socket in enumerate(sockets) if not taken >> k & 1]
                steps = min((1 + _steps(square, socket + step) for socket in free), default=2 * variant.size)
                row.append(-START - LINEAR * steps - SQUARED * steps * steps - CORNER * away)
            table[square] = row
        values.append(table)
    return values


def _steps(a: int, b: int) -> int:
    """A king's steps between two squares."""
    return max(abs((a & 15) - (b & 15)), abs((a >> 4) - (b >> 4)))
