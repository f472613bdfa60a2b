"""What a man is worth on each square, and the few terms beside: the numbers of the linear evaluation.

Owns all of them: learned ones (data/values.json, made by benchmarks/learn_values.py) for the named boards, a formula
for the rest. Invariant: any square of the goal is worth more than any other. Guarded by tests/search/test_values.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from halma_fast.variants import Variant

__all__ = ["Terms", "formula_values", "man_values", "terms"]

# Points. A step straight ahead is about LINEAR; the square of the distance makes a straggler's step worth more than a
# leader's, so that nobody is left behind; DEPTH draws men in the goal camp inward, which makes room for the rest.
LINEAR: Final = 10
SQUARED: Final = 1
GOAL_BONUS: Final = 20
DEPTH: Final = 2


@dataclass(frozen=True, slots=True)
class Terms:
    """What counts beside the squares, in points.

    tempo: of being the side to move. class_step: of each man that stands in a class of squares (a hop never leaves it)
    for which the goal has no square left: at least one of the moves to come must be a step for each of them.
    """

    tempo: int
    class_step: int


# For boards without learned numbers: about what is learned on the others; none for the small ones, which are searched
# full width and to the end, where the tempo would only make the score of one depth jump against that of the next.
_FORMULA_TERMS: Final = Terms(tempo=40, class_step=18)
_SMALL_TERMS: Final = Terms(tempo=0, class_step=0)
_SMALL_MEN: Final = 6


@cache
def _learned() -> dict[str, dict[str, object]]:
    text = (files("halma_fast") / "data" / "values.json").read_text("ascii")
    sets: dict[str, dict[str, object]] = json.loads(text)["sets"]
    return sets


def _set_of(variant: Variant) -> dict[str, object] | None:
    """Return the learned numbers of a board, or None. They are one board's under all its rules."""
    return _learned().get(variant.name)


def terms(variant: Variant) -> Terms:
    """Return the terms of a variant that do not depend on a man's square."""
    learned = _set_of(variant)
    if learned is None:
        return _SMALL_TERMS if variant.men <= _SMALL_MEN else _FORMULA_TERMS
    tempo, class_step = learned["tempo"], learned["class_step"]
    assert isinstance(tempo, int)
    assert isinstance(class_step, int)
    return Terms(tempo, class_step)


def man_values(variant: Variant, side: int) -> dict[int, int]:
    """Return square -> points of a man of `side` there, for every square of the board."""
    learned = _set_of(variant)
    if learned is None:
        return formula_values(variant, side)
    rows = learned["table"]  # of x, from the top rank down; o has the board turned by 180 degrees
    assert isinstance(rows, list)
    last = variant.size - 1
    values = {}
    for rank in range(variant.size):
        for file in range(variant.size):
            square = 16 * rank + file
            if square not in variant.holes:
                values[square] = int(rows[last - rank][file] if side == 0 else rows[rank][last - file])
    return values


def formula_values(variant: Variant, side: int) -> dict[int, int]:
    """Return the same by distance from the goal, as the formula above has it."""
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
