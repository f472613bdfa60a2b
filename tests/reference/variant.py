"""A game as data: which squares exist, where the men begin, where they must go, and which rules hold.

The named games and any square board are built here, from the tables of the rules. Guarded by
test_reference_rules.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from reference.board import SIDES, Side, Square, name_of, squares_named


class VariantError(Exception):
    """These numbers or rules describe no game."""


@dataclass(frozen=True)
class Variant:
    """One game. The camps are mappings from side to set of squares."""

    name: str
    size: int
    squares: frozenset[Square]
    start: dict[Side, frozenset[Square]]
    home: dict[Side, frozenset[Square]]
    goal: dict[Side, frozenset[Square]]
    corner: dict[Side, Square] | None = None  # of the home camp; none in Pulce
    is_pulce: bool = False
    first: Side = "x"
    goal_lock: str = "hop"
    home_reentry: bool = True
    home_duty: bool = False
    win: str = "full"
    home_deadline: int | None = None
    max_turns: int | None = None
    repetition: int | None = 3

    def __post_init__(self) -> None:
        if self.goal_lock not in ("hop", "move", "none") or self.win not in ("full", "occupied"):
            raise VariantError(f"unknown rule: {self.goal_lock}, {self.win}")

    @property
    def men(self) -> int:
        return len(self.start["x"])


def staircase(size: int, camp: Iterable[int], at_top_left: bool) -> frozenset[Square]:
    """The camp at top left or at bottom right; `camp` is the squares a row, from the corner outward."""
    squares = set()
    for row, length in enumerate(camp):
        for column in range(length):
            squares.add((column, size - 1 - row) if at_top_left else (size - 1 - column, row))
    return frozenset(squares)


def square_board(size: int, camp: tuple[int, ...], **rules: Any) -> Variant:
    """Halma on a square board; the name says the board and the camp, as "5x5:3,2,1"."""
    name = f"{size}x{size}:" + ",".join(str(length) for length in camp)
    return _halma(name, size, camp, rules)


def halma16(**rules: Any) -> Variant:
    return _halma("halma16", 16, (5, 5, 4, 3, 2), rules)


def halma10(**rules: Any) -> Variant:
    return _halma("halma10", 10, (5, 4, 3, 2, 1), rules)


def halma8(**rules: Any) -> Variant:
    return _halma("halma8", 8, (4, 3, 2, 1), rules)


def csci561(**rules: Any) -> Variant:
    """The homework (rule 24): `x`, black there, starts top left; other rules, if given, are instead of its own."""
    own = {"goal_lock": "move", "home_reentry": False, "home_duty": True, "win": "occupied"}
    return _halma("csci561", 16, (5, 5, 4, 3, 2), own | rules, top_left="x")


def _halma(name: str, size: int, camp: tuple[int, ...], rules: dict[str, Any], top_left: Side = "o") -> Variant:
    if not 3 <= size <= 16 or not 1 <= len(camp) <= size or not all(1 <= length <= size for length in camp):
        raise VariantError(f"no such board: {size} with camp {camp}")
    if list(camp) != sorted(camp, reverse=True):
        raise VariantError(f"not a staircase: {camp}")
    home = {side: staircase(size, camp, side == top_left) for side in SIDES}
    common = home["x"] & home["o"]
    if common:
        raise VariantError(f"the camps overlap on {name_of(min(common))}")
    return Variant(
        name=name,
        size=size,
        squares=frozenset((file, rank) for file in range(size) for rank in range(size)),
        start=home,
        home=home,
        goal={"x": home["o"], "o": home["x"]},
        corner={side: (0, size - 1) if side == top_left else (size - 1, 0) for side in SIDES},
        **rules,
    )


def pulce(**rules: Any) -> Variant:
    """One round of Pulce; `first` is the side that begins it."""
    if not set(rules) <= {"first", "max_turns", "repetition"}:
        raise VariantError(f"not rules of Pulce: {rules}")
    board = frozenset((file, rank) for file in range(7) for rank in range(7))
    nothing: frozenset[Square] = frozenset()
    return Variant(
        name="pulce",
        size=7,
        squares=board - squares_named("a1 a7 g1 g7"),
        start={"x": squares_named("e4 f4 d5 e5 f5 d6 e6 f6"), "o": squares_named("b2 c2 d2 b3 c3 d3 b4 c4")},
        home={"x": nothing, "o": nothing},
        goal={
            "x": squares_named("b1 c1 d1 e1 f1 a2 a3 a4 a5 a6"),
            "o": squares_named("b7 c7 d7 e7 f7 g2 g3 g4 g5 g6"),
        },
        is_pulce=True,
        **rules,
    )
