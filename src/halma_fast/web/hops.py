"""Chains hop by hop: for a man, from which square of its chains which squares can be reached by the next hop.

Invariant: a walk along these hops that ends on the target of a legal move is a chain that the rules accept when it is
written out, and every chain that they accept is such a walk. Guarded by tests/web/test_hops.py.
"""

from __future__ import annotations

from typing import Final

from halma_fast.position import Position
from halma_fast.types import Side

__all__ = ["Men", "hop_graph", "men_of"]

_DIRECTIONS: Final = (-17, -16, -15, -1, 1, 15, 16, 17)

Men = tuple[frozenset[int], frozenset[int]]


def men_of(position: Position) -> Men:
    """Return the squares of x's men and of o's."""
    return frozenset(position.pieces(Side.X)), frozenset(position.pieces(Side.O))


def hop_graph(position: Position, origin: int, men: Men) -> dict[int, tuple[int, ...]]:
    """Return, of the man on `origin` of the side to move, the next landings from each square that its chains visit.

    Squares without a next landing are left out. `men` are those of the position. Nothing is said of where a chain may
    stop: that is what the legal moves say.
    """
    variant, side = position.variant, position.turn
    size, goal, enemy_goal = variant.size, variant.goal[side], variant.goal[side.other]
    occupied = men[0] | men[1]
    graph: dict[int, tuple[int, ...]] = {}
    found, waiting = {origin}, [origin]
    while waiting:
        square = waiting.pop()
        # A man that has come to the goal in this chain stays there; one that begins there never moves.
        if variant.frozen_goal and square in goal:
            continue
        landings = []
        for step in _DIRECTIONS:
            over, target = square + step, square + 2 * step
            # On a board of 16 a step over the edge changes the file by 14: the squares 16 * rank + file wrap around.
            if target < 0 or target >> 4 >= size or target & 15 >= size or abs((target & 15) - (square & 15)) > 2:
                continue
            if over not in occupied or over == origin or target in variant.holes:
                continue
            if target in occupied and target != origin:
                continue
            if variant.goal_lock == "hop" and square in goal and target not in goal:
                continue
            if target in goal and variant.orthogonal_entry and step in (-17, -15, 15, 17):
                continue
            if target in enemy_goal and not variant.enemy_goal_hops:
                continue
            landings.append(target)
            if target not in found:
                found.add(target)
                waiting.append(target)
        if landings:
            graph[square] = tuple(landings)
    return graph
