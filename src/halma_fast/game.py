"""One game between two players: the clock, the faults, and the result by the rules.

Invariant: whatever a player does, the game ends with a result and a reason; a player's move is checked before it is
made. Guarded by tests/match/test_game.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Final

from halma_fast.checks import check_seconds, shorten
from halma_fast.errors import EngineDiedError, EngineTimeoutError, IllegalMoveError, LimitError, MatchError, MoveError
from halma_fast.move import Move
from halma_fast.players import Player
from halma_fast.position import Position
from halma_fast.recorded_move import RecordedMove
from halma_fast.types import Info, Limit, Played, Side
from halma_fast.variants import Variant

__all__ = ["DEFAULT_MARGIN", "Control", "Effort", "Fault", "Round", "Stopped", "Thought", "play_round"]

# Seconds that a player may be late, for what the runner, the pipe and a busy machine take of its time.
DEFAULT_MARGIN: Final = 0.2
_MAX_SECONDS: Final = 1e6


class Fault(StrEnum):
    """Why a player lost that did not lose by the rules."""

    ILLEGAL_MOVE = "illegal move"
    CRASH = "crash"
    HANG = "hang"
    FLAG = "time forfeit"


class Stopped(Exception):  # noqa: N818 - not a fault: somebody wanted it
    """The game was given up from outside, and has no result."""


@dataclass(frozen=True, slots=True)
class Control:
    """What limits the moves of a game, all that is given together.

    depth (plies), nodes, time (seconds) a move; clock and increment (seconds): for all moves of a side, and added after
    each. Raises `LimitError`.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    clock: float | None = None
    increment: float = 0.0

    def __post_init__(self) -> None:
        Limit(depth=self.depth, nodes=self.nodes, time=self.time)
        for field, least in (("clock", 0.001), ("increment", 0.0)):
            value = getattr(self, field)
            if value is not None or field == "increment":
                seconds = check_seconds(value, field, LimitError, low=least, high=_MAX_SECONDS)
                object.__setattr__(self, field, seconds)
        if self.clock is None and self.increment:
            raise LimitError(f"increment: {shorten(self.increment)} without a clock, expected both or none")

    @property
    def is_empty(self) -> bool:
        """Whether nothing ends a search."""
        return self.depth is None and self.nodes is None and self.time is None and self.clock is None

    def __str__(self) -> str:
        words = []
        if self.clock is not None:
            words.append(f"{self.clock:g}+{self.increment:g} s")
        if self.time is not None:
            words.append(f"{self.time:g} s a move")
        words += [f"{name} {value}" for name in ("depth", "nodes") if (value := getattr(self, name)) is not None]
        return ", ".join(words) or "none"


class _Clock:
    """The runner's own clock of both sides: what a player says of its time counts nothing."""

    def __init__(self, control: Control, margin: float) -> None:
        self._control = control
        self._margin = margin
        self._left = [control.clock, control.clock]

    def limit(self) -> Limit:
        control = self._control
        if control.clock is None:
            return Limit(depth=control.depth, nodes=control.nodes, time=control.time)
        x, o = (max(left, 0.001) if left is not None else None for left in self._left)
        return Limit(
            depth=control.depth,
            nodes=control.nodes,
            time=control.time,
            x_clock=x,
            o_clock=o,
            x_inc=control.increment,
            o_inc=control.increment,
        )

    def charge(self, side: Side, seconds: float) -> bool:
        """Take the time of a move; returns whether it was there."""
        if self._control.time is not None and seconds > self._control.time + self._margin:
            return False
        left = self._left[side]
        if left is None:
            return True
        left -= seconds
        if left < -self._margin:
            return False
        self._left[side] = max(left, 0.0) + self._control.increment
        return True


@dataclass(frozen=True, slots=True)
class Thought:
    """A move of a round: what its player said, and the seconds it took by the runner's clock; 0.0 in the opening."""

    played: Played
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Effort:
    """What a player said of its searches, added up.

    moves: those it said something of; searches, depths: those that did not end early with a decided game, and their
    depths (plies) together; nodes, microseconds: of all of them.
    """

    moves: int = 0
    searches: int = 0
    depths: int = 0
    nodes: int = 0
    microseconds: int = 0

    def __add__(self, other: Effort) -> Effort:
        return Effort(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @staticmethod
    def of(infos: Iterable[Info]) -> Effort:
        """Add up what was said."""
        total = Effort()
        for info in infos:
            counts = info.score.kind == "points"
            total += Effort(1, int(counts), int(info.depth) * counts, int(info.nodes), round(1e6 * info.seconds))
        return total

    @property
    def depth(self) -> float | None:
        """The mean depth, or `None` without searches."""
        return self.depths / self.searches if self.searches else None

    @property
    def nps(self) -> int | None:
        """Nodes per second, or `None` if no time was told."""
        return self.nodes * 1_000_000 // self.microseconds if self.microseconds > 0 else None


@dataclass(frozen=True, slots=True)
class Round:
    """A finished game of Halma or round of Pulce.

    start: the position string it began with; thoughts: all moves, the first `opening` of them drawn and not chosen;
    winner: a side, or `None` for a draw; reason: a `Reason` or a `Fault`, in words; detail: what a fault was, else
    empty; points: (x, o) of a Pulce round that ended by the rules; efforts: x's and o's.
    """

    variant: Variant
    start: str
    thoughts: tuple[Thought, ...]
    opening: int
    winner: Side | None
    reason: str
    detail: str = ""
    points: tuple[int, int] | None = None
    efforts: tuple[Effort, Effort] = (Effort(), Effort())

    @property
    def fault(self) -> Fault | None:
        """The loser's fault, or `None` if the rules ended the round."""
        return Fault(self.reason) if self.reason in set(Fault) else None


def play_round(
    players: Sequence[Player],
    start: Position,
    opening: Sequence[Move] = (),
    control: Control | None = None,
    *,
    margin: float = DEFAULT_MARGIN,
    seed: int | str = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> Round:
    """Play one game from a position to its end.

    players: x's and o's; opening: moves made before the players are asked; margin: seconds a player may be late. An
    illegal move, or what is no move at all, an error or the end of a program, no answer, and a flag that fell lose the
    game, each with its `Fault`; but an error of `new_game` is raised, since nothing has been played yet. stopped: asked
    before each move; `Stopped` is raised when it says True, and when a player failed after it did.
    """
    if len(players) != 2:
        raise MatchError(f"players: {len(players)} of them, expected two")
    position = start.copy()
    thoughts = [Thought(Played(move)) for move in opening]
    for drawn in opening:
        position.push(drawn)
    clock = _Clock(control or Control(), margin)
    efforts = [Effort(), Effort()]

    def end(winner: Side | None, reason: str, detail: str = "", points: tuple[int, int] | None = None) -> Round:
        moves = tuple(thoughts)
        both = efforts[Side.X], efforts[Side.O]
        return Round(start.variant, start.fen(), moves, len(opening), winner, str(reason), detail, points, both)

    for side, player in zip(Side, players, strict=True):
        try:
            player.new_game(start.variant, f"{seed}/{side.letter}")
        except (EngineDiedError, EngineTimeoutError) as error:
            if stopped():
                raise Stopped from error
            return end(side.other, *_fault_of(error))
    while (outcome := position.outcome()) is None:
        if stopped():
            raise Stopped
        side = position.turn
        limit = clock.limit()
        asked = time.monotonic()
        try:
            # A copy: what a player does to its own is its own affair.
            played = players[side].play(position.copy(), limit)
            seconds = time.monotonic() - asked
        except Exception as error:  # a player is foreign code, and whatever it raises loses
            if stopped():
                raise Stopped from error
            return end(side.other, *_fault_of(error))
        if stopped():  # the player may have been cut short
            raise Stopped
        if not clock.charge(side, seconds):
            return end(side.other, Fault.FLAG, f"{seconds:.3f} s for a move")
        try:
            thought, effort = _taken(played, seconds)
        except Exception as error:  # an object that only looks like an answer
            return end(side.other, *_fault_of(error))
        if not position.is_legal(thought.played.move):
            return end(side.other, Fault.ILLEGAL_MOVE, shorten(thought.played.move.text))
        position.push(thought.played.move)
        thoughts.append(thought)
        efforts[side] += effort
    return end(outcome.winner, outcome.reason.value, "", outcome.points)


def _taken(played: object, seconds: float) -> tuple[Thought, Effort]:
    """Take what a player answered, whatever object it is: a move with a report that can be added up and recorded.

    Raises `IllegalMoveError` for what is no move, and any error for a report that is none.
    """
    if not isinstance(played, Played):
        raise IllegalMoveError(f"{shorten(played)}, expected a Played")
    move, info = played.move, played.info
    if type(move) is not Move:
        raise IllegalMoveError(f"{shorten(move)}, expected a Move")
    if info is None:
        return Thought(Played(move), seconds), Effort()
    if not isinstance(info, Info):
        raise MatchError(f"info: {shorten(info)}, expected an Info or None")
    RecordedMove.of(move, info, seconds)
    return Thought(Played(move, info), seconds), Effort.of((info,))


def _fault_of(error: Exception) -> tuple[Fault, str]:
    """The fault that an error of a player is, and what it says."""
    fault = Fault.CRASH
    if isinstance(error, EngineTimeoutError):
        fault = Fault.HANG
    elif isinstance(error, MoveError):
        fault = Fault.ILLEGAL_MOVE
    try:
        words = str(error)
    except Exception:  # a foreign __str__ may raise anything
        words = shorten(error)
    return fault, f"{type(error).__name__}: {words}"
