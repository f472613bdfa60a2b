"""The vocabulary of results and requests: sides, limits, scores, outcomes.

Invariant: frozen, slotted, all fields always there, and no object holds a value outside its documented range.
Guarded by tests/unit/test_types.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from halma_fast.checks import check_int, check_seconds, shorten
from halma_fast.errors import LimitError, OptionError

if TYPE_CHECKING:
    from halma_fast.move import Move

__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "Bound",
    "Info",
    "Limit",
    "Outcome",
    "Played",
    "Reason",
    "Score",
    "ScoreKind",
    "SearchResult",
    "Side",
]

MAX_DEPTH: Final = 100
MAX_NODES: Final = 2**62
_MAX_MOVES: Final = 1_000_000

Number = TypeVar("Number", int, float)

ScoreKind = Literal["points", "win", "loss"]
Bound = Literal["exact", "lower", "upper"]


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

    depth: plies, 1..100; nodes: 1..2**62; time: seconds for this search, a finite number above 0.
    mate: stop as soon as a win in at most this many own moves is proven, 1..1000000.
    x_clock, o_clock: seconds left to each side for the game, 0 or more; x_inc, o_inc: seconds added after each of its
    moves; moves_to_go: moves to the next time control, `None` if the clock is for the whole game. The engine shares out
    the clock of the side to move and leaves the other's aside.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    mate: int | None = None
    x_clock: float | None = None
    o_clock: float | None = None
    x_inc: float = 0.0
    o_inc: float = 0.0
    moves_to_go: int | None = None

    def __post_init__(self) -> None:
        for field, high in (
            ("depth", MAX_DEPTH),
            ("nodes", MAX_NODES),
            ("mate", _MAX_MOVES),
            ("moves_to_go", _MAX_MOVES),
        ):
            value = getattr(self, field)
            if value is not None:
                object.__setattr__(self, field, check_int(value, field, 1, high, LimitError))
        for field in ("time", "x_clock", "o_clock", "x_inc", "o_inc"):
            value = getattr(self, field)
            if value is not None or field.endswith("_inc"):
                # No time at all is no search; an empty clock is one to be quick with.
                seconds = check_seconds(value, field, LimitError, above=field == "time")
                object.__setattr__(self, field, seconds)

    def clock(self, side: Side) -> float | None:
        """Seconds left to a side, or `None`."""
        return self.o_clock if side else self.x_clock

    def increment(self, side: Side) -> float:
        """Seconds that a side gets after each of its moves."""
        return self.o_inc if side else self.x_inc

    def ends(self, side: Side) -> bool:
        """Whether this ever ends a search of a side: it has a limit, and not just the other side's clock."""
        return any(end is not None for end in (self.depth, self.nodes, self.time, self.mate, self.clock(side)))

    def within(self, other: Limit) -> Limit:
        """Return this limit with depth, nodes and time no more than those of another; its clocks and `mate` stay."""
        return replace(
            self,
            depth=_least(self.depth, other.depth),
            nodes=_least(self.nodes, other.nodes),
            time=_least(self.time, other.time),
        )


def _least(a: Number | None, b: Number | None) -> Number | None:
    return b if a is None else a if b is None else min(a, b)


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
class Info:
    """A line of a search: what it found for one of the ranked root moves at one depth.

    depth, seldepth: plies searched, and of the deepest line looked at; multipv: rank of the line, 1 the best;
    score: for the side to move at the root; bound: "exact", or "lower" or "upper" if the score is only known to be at
    least or at most this; nodes, seconds, nps: of the search so far, nodes per second; hashfull: permille of the table
    in use by this search, 0..1000; pv: the moves, the first is a move of the root.
    """

    depth: int
    seldepth: int
    multipv: int
    score: Score
    bound: Bound
    nodes: int
    seconds: float
    nps: int
    hashfull: int
    pv: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found: `depth` is the last depth that was completed, `seldepth` the deepest line looked at (plies).

    `seconds` is a float, `nps` nodes per second; `pv` begins with `best_move`. `lines` are the ranked lines, the first
    one that of `best_move`, as many as were asked for or there are moves; `hashfull` is the permille of the table in
    use by this search.
    """

    best_move: Move
    score: Score
    depth: int
    seldepth: int
    nodes: int
    seconds: float
    nps: int
    pv: tuple[Move, ...]
    lines: tuple[Info, ...]
    hashfull: int

    @property
    def info(self) -> Info:
        """The line of `best_move`, with the depth, nodes and time of the whole search."""
        return replace(
            self.lines[0],
            depth=self.depth,
            seldepth=self.seldepth,
            nodes=self.nodes,
            seconds=self.seconds,
            nps=self.nps,
        )


@dataclass(frozen=True, slots=True)
class Played:
    """A move that a player chose, and what it said of it: `None` if it says nothing."""

    move: Move
    info: Info | None = None


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
