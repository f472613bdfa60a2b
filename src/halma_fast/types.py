"""The vocabulary of results and requests: sides, limits, scores, outcomes.

Invariant: frozen, slotted, all fields always there, and no object holds a value outside its documented range.
Guarded by tests/unit/test_types.py.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final, Literal

from halma_fast.checks import check_int, shorten
from halma_fast.errors import LimitError, OptionError

if TYPE_CHECKING:
    from halma_fast.move import Move

__all__ = ["MAX_DEPTH", "MAX_NODES", "Limit", "Outcome", "Reason", "Score", "ScoreKind", "SearchResult", "Side"]

MAX_DEPTH: Final = 100
MAX_NODES: Final = 2**62

ScoreKind = Literal["points", "win", "loss"]


class Side(IntEnum):
    """One of the two sides; `x` begins unless a variant says otherwise.

    An integer, and so an index of pairs: `Side.X` is 0, which is false. As text it is its letter.
    """

    X = 0
    O = 1  # noqa: E741 - the letter is the side's name

    def __str__(self) -> str:
        return self.letter

    def __format__(self, spec: str) -> str:
        try:
            return format(self.letter, spec)
        except ValueError:  # a format of numbers, such as "d"
            return format(int(self), spec)

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.O if self is Side.X else Side.X

    @property
    def letter(self) -> Literal["x", "o"]:
        """The side's letter in position strings."""
        return "x" if self is Side.X else "o"

    @staticmethod
    def from_letter(letter: str) -> Side:
        """Return the side with this letter; raises `OptionError` for anything but "x" and "o"."""
        if isinstance(letter, str):
            if letter == "x":
                return Side.X
            if letter == "o":
                return Side.O
        raise OptionError(f"side: {shorten(letter)}, expected 'x' or 'o'")


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search stops: at the first limit reached. `None` is no limit; raises `LimitError`.

    depth: plies, 1..100; nodes: 1..2**62; time: seconds, a finite number above 0.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        if self.depth is not None:
            object.__setattr__(self, "depth", check_int(self.depth, "depth", 1, MAX_DEPTH, LimitError))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", check_int(self.nodes, "nodes", 1, MAX_NODES, LimitError))
        if self.time is not None:
            object.__setattr__(self, "time", _seconds(self.time))


def _seconds(value: object) -> float:
    seconds = math.nan
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            seconds = float(value)
        except (OverflowError, ValueError):  # an integer too large for a float
            seconds = math.nan
    if not (0.0 < seconds < math.inf):
        raise LimitError(f"time: {shorten(value)}, expected a finite number of seconds above 0")
    return seconds


@dataclass(frozen=True, slots=True)
class Score:
    """The worth of a position for the side to move.

    kind "points": `value` in the evaluation's units, positive is good; "win" and "loss": forced, in `value` plies.
    `margin`: by how many points a Pulce round is won or lost, 1 to 3; `None` in Halma and for "points".
    Ordered from the worst to the best: a win by more is better, then an early win is above a late one, and a late loss
    above an early one.
    """

    kind: ScoreKind
    value: int
    margin: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in ("points", "win", "loss"):
            raise OptionError(f"score kind: {shorten(self.kind)}, expected 'points', 'win' or 'loss'")
        low = -(2**62) if self.kind == "points" else 0
        object.__setattr__(self, "value", check_int(self.value, "score value", low, 2**62, OptionError))
        if self.margin is not None:
            high = 0 if self.kind == "points" else 3
            object.__setattr__(self, "margin", check_int(self.margin, "score margin", 1, high, OptionError))

    def _rank(self) -> tuple[int, int]:
        if self.kind == "win":
            return self.margin or 1, -self.value
        return (0, self.value) if self.kind == "points" else (-(self.margin or 1), self.value)

    def __lt__(self, other: Score) -> bool:
        return self._rank() < other._rank() if isinstance(other, Score) else NotImplemented

    def __le__(self, other: Score) -> bool:
        return self._rank() <= other._rank() if isinstance(other, Score) else NotImplemented

    def __gt__(self, other: Score) -> bool:
        return self._rank() > other._rank() if isinstance(other, Score) else NotImplemented

    def __ge__(self, other: Score) -> bool:
        return self._rank() >= other._rank() if isinstance(other, Score) else NotImplemented

    def __str__(self) -> str:
        return f"{self.value:+d}" if self.kind == "points" else f"{self.kind} in {self.value}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found: `depth` is the last depth that was completed, `seldepth` the deepest line looked at (plies).

    `seconds` is a float, `nps` nodes per second; `pv` begins with `best_move`.
    """

    best_move: Move
    score: Score
    depth: int
    seldepth: int
    nodes: int
    seconds: float
    nps: int
    pv: tuple[Move, ...]


class Reason(StrEnum):
    """Why a game is over."""

    CAMP_FULL = "camp full"
    REPETITION = "repetition"
    MAX_TURNS = "max turns"
    HOME_DEADLINE = "home deadline"
    BLOCKED = "blocked"
    ROUND_OVER = "round over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` is `None` for a draw; `points` are (x, o) in Pulce and `None` in Halma.

    Test for a draw with `winner is None`: `Side.X` is 0 and so as false as `None`.
    """

    winner: Side | None
    reason: Reason
    points: tuple[int, int] | None = None

    def __str__(self) -> str:
        result = "draw" if self.winner is None else f"{self.winner.letter} wins"
        points = "" if self.points is None else f", points {self.points[0]} : {self.points[1]}"
        return f"{result} ({self.reason.value}{points})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)
