"""What a man is worth on each square: the distance evaluation as a table.

Owns the only numbers of the evaluation. Invariant: a whole army in its goal is worth more than any other arrangement,
and a step towards the goal never lowers the sum. Guarded by tests/search/test_soundness.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halma_fast.variants import Variant

__all__ = ["man_values"]

# Points. A step straight ahead is about LINEAR; the square of the distance makes a straggler's step worth more than a
# leader's, so that nobody is left behind; DEPTH draws men in the goal camp inward, which makes room for the rest.
LINEAR = 10
SQUARED = 1
GOAL_BONUS = 20
DEPTH = 2


def man_values(variant: Variant, side: int) -> dict[int, int]:
    """Return square -> points of a man of `side` there, for every square of the board."""
    goal = variant.goal[side]
    corner = _far_corner(variant, side)
    values = {}
    for rank in range(variant.size):
        for file in range(variant.size):
            square = 16 * rank + file
            if square in variant.holes:
                continue
            to_corner = _distance(square, corner)
            if square in goal:
                values[square] = GOAL_BONUS - DEPTH * to_corner
            else:
                away = min(_distance(square, target) for target in goal)
                values[square] = -LINEAR * away - SQUARED * away * away - DEPTH * to_corner
    return values


def _far_corner(variant: Variant, side: int) -> int:
    """Return the corner that the goal surrounds: the one nearest to the goal's squares."""
    last = variant.size - 1
    corners = (0, last, 16 * last, 17 * last)
    return min(corners, key=lambda corner: sum(_distance(square, corner) for square in variant.goal[side]))


def _distance(a: int, b: int) -> int:
    """Half-steps between two squares: a diagonal step makes 2, a straight one 1, as a race to a corner counts them."""
    return abs((a & 15) - (b & 15)) + abs((a >> 4) - (b >> 4))
