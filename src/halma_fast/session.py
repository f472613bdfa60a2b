"""A game as it is played at a board: moves, undo, clock, resigning and agreeing, saving and loading.

Knows no terminal and no engine, so that any face can use it. Invariant: a call that is refused changes nothing, and a
file is written whole or not at all. Guarded by tests/play/test_session.py.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import check_int, check_path, shorten
from halma_fast.clock import Clock, TimeControl
from halma_fast.errors import EmptyStackError, GameOverError, OptionError, RecordError
from halma_fast.files import replaced_file
from halma_fast.game_record import RESULT_OF, UNFINISHED, WINNER_OF, GameRecord
from halma_fast.move import Move
from halma_fast.position import Position
from halma_fast.recorded_move import RecordedMove
from halma_fast.records import read_records, write_record
from halma_fast.types import Info, Outcome, Side

__all__ = ["AGREED", "RESIGNED", "TIME_UP", "Ending", "Session"]

AGREED: Final = "draw agreed"
RESIGNED: Final = "resignation"
TIME_UP: Final = "time"

_CONTROL_TAG: Final = "TimeControl"
_CLOCK_TAGS: Final = ("XClock", "OClock")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: `winner` is `None` for a draw; `outcome` is there if the rules ended it."""

    winner: Side | None
    reason: str
    outcome: Outcome | None = None

    def __str__(self) -> str:
        if self.outcome is not None:
            return str(self.outcome)
        return f"{'draw' if self.winner is None else f'{self.winner} wins'} ({self.reason})"


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is known of a move beside the position: what was thought, and the clock before it."""

    recorded: RecordedMove
    times: tuple[float, float] | None


class Session:
    """A game between two sides: Session(position=None, *, names=("x", "o"), control=None).

    position: where it begins, with its moves if it remembers any, by default the start of the default variant; it is
    copied. names: of x and of o. control: a `TimeControl` for a game with a clock, which stands still until `resume`.
    Not for use by two threads at once.
    """

    def __init__(
        self,
        position: Position | None = None,
        *,
        names: tuple[str, str] = ("x", "o"),
        control: TimeControl | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if position is not None and not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position or None")
        self._position = Position() if position is None else position.copy()
        self._now = now
        self._turns = [_Turn(RecordedMove(move), None) for move in self._position.move_stack]
        self._ending: Ending | None = None
        self.names = names
        self.tags: dict[str, str] = {}
        self.clock = None if control is None else Clock(control, now=now)
        self._turn_began = now()
        self.changed = False

    # How it stands.

    @property
    def position(self) -> Position:
        """The position now: a copy, with all moves from the beginning of the game."""
        return self._position.copy()

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._position.turn

    @property
    def moves(self) -> tuple[RecordedMove, ...]:
        """The moves so far, with what was told of them."""
        return tuple(turn.recorded for turn in self._turns)

    @property
    def ending(self) -> Ending | None:
        """How the game ended, or `None` while it goes on. A side whose time is up has lost."""
        if self._ending is None and self.clock is not None and self.clock.running is not None:
            flag = self.clock.flag
            if flag is not None:
                self._end(Ending(flag.other, TIME_UP))
        if self._ending is not None:
            return self._ending
        outcome = self._position.outcome()
        return None if outcome is None else Ending(outcome.winner, outcome.reason.value, outcome)

    # What can be done.

    def resume(self) -> None:
        """Let the time of the side to move run, if there is a clock and the game goes on."""
        if self.clock is not None and self.clock.running is None and self.ending is None:
            self._turn_began = self._now()
            self.clock.start(self.turn)

    def pause(self) -> None:
        """Stop the clock."""
        if self.clock is not None:
            self.clock.stop()

    def push(self, move: Move | str, *, info: Info | None = None, seconds: float | None = None) -> Move:
        """Make a move of the side to move, a `Move` or its text, and return it.

        info: what was thought of it; seconds: how long it took, by default the time since the last move. Raises
        `MoveError` or `IllegalMoveError` for one that is not legal, `GameOverError` after the end of the game.
        """
        self._check_goes_on("move")
        now = self._now()
        checked = move if isinstance(move, Move) else self._position.parse_move(move)
        taken = now - self._turn_began if seconds is None else seconds
        recorded = RecordedMove.of(checked, info, taken)
        times = None if self.clock is None else self.clock.times()
        self._position.push(checked)
        self._turns.append(_Turn(recorded, times))
        self._turn_began = now
        self.changed = True
        if self.clock is not None:
            self.clock.press()
            if self._position.is_game_over():
                self.clock.stop()
        return checked

    def undo(self, plies: int = 1) -> list[Move]:
        """Take back the last moves, and any ending of the game, and return them, the last one first.

        The clock goes back to where it stood before them. Raises `EmptyStackError` if there are fewer, `OptionError`.
        """
        count = check_int(plies, "plies", 1, 1 << 30, OptionError)
        if count > len(self._turns):
            raise EmptyStackError(f"undo: {count} moves, expected at most the {len(self._turns)} that were made")
        running = self.clock is not None and self.clock.running is not None
        self.pause()
        self._ending = None
        undone = []
        for _ in range(count):
            turn = self._turns.pop()
            undone.append(self._position.pop())
            if self.clock is not None and turn.times is not None:
                self.clock.set_times(turn.times)
        self._turn_began = self._now()
        self.changed = True
        if running:
            self.resume()
        return undone

    def reopen(self) -> None:
        """Take back that a side resigned or both agreed on a draw. Raises `EmptyStackError` if neither was so."""
        if self._ending is None or self._ending.reason not in (RESIGNED, AGREED):
            raise EmptyStackError("undo: nobody has resigned or agreed on a draw, expected one of them")
        self._ending = None
        self._turn_began = self._now()
        self.changed = True

    def resign(self, side: Side | None = None) -> Ending:
        """Give the game up, by default the side to move. Raises `GameOverError`."""
        self._check_goes_on("resign")
        return self._end(Ending((self.turn if side is None else side).other, RESIGNED))

    def agree_draw(self) -> Ending:
        """End the game as a draw that both sides agreed on. Raises `GameOverError`."""
        self._check_goes_on("draw")
        return self._end(Ending(None, AGREED))

    def _end(self, ending: Ending) -> Ending:
        self.pause()
        self._ending = ending
        self.changed = True
        return ending

    def _check_goes_on(self, what: str) -> None:
        ending = self.ending
        if ending is not None:
            raise GameOverError(f"{what}: the game is over, {ending}")

    # Records.

    def record(self) -> GameRecord:
        """Return the game so far as a record."""
        ending = self.ending
        tags = {"X": self.names[0], "O": self.names[1], **self.tags}
        if self.clock is not None:
            tags[_CONTROL_TAG] = str(self.clock.control)
            tags |= {tag: f"{left:.3f}" for tag, left in zip(_CLOCK_TAGS, self.clock.times(), strict=True)}
        return GameRecord.from_position(
            self._position,
            tags,
            moves=self.moves,
            result=UNFINISHED if ending is None else RESULT_OF[ending.winner],
            reason=None if ending is None else ending.reason,
        )

    @classmethod
    def from_record(cls, record: GameRecord, *, now: Callable[[], float] = time.monotonic) -> Session:
        """Return a session that goes on where a record ends; raises `RecordError`."""
        position = record.check()
        tags = dict(record.tags)
        names = tags.pop("X", "x"), tags.pop("O", "o")
        control, times = tags.pop(_CONTROL_TAG, None), [tags.pop(tag, None) for tag in _CLOCK_TAGS]
        session = cls(position, names=names, now=now)
        session.tags = tags
        session._turns = [_Turn(move, None) for move in record.moves]
        try:
            if control is not None:
                session.clock = Clock(TimeControl.from_text(control), now=now)
                if times[0] is not None and times[1] is not None:
                    session.clock.set_times((float(times[0]), float(times[1])))
        except ValueError as error:  # OptionError is one
            raise RecordError(f"tag {_CONTROL_TAG} or {_CLOCK_TAGS[0]}: {error}") from None
        if record.result != UNFINISHED and position.outcome() is None:
            session._ending = Ending(WINNER_OF[record.result], record.reason or "unknown")
        return session

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, whole or not at all; what was there is replaced.

        Raises `OSError`, and `OptionError` for what is no file but a device or the like.
        """
        with replaced_file(_checked_path(path)) as file:
            write_record(file, self.record())
        self.changed = False

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, now: Callable[[], float] = time.monotonic) -> Session:
        """Read the game of a file; raises `OSError`, `OptionError`, `RecordError` naming the line.

        A file with more games than one is refused: saving would put this one in their place.
        """
        records = read_records(_checked_path(path))
        record = next(records, None)
        if record is None:
            raise RecordError(f"file: {shorten(os.fspath(path))} holds no game, expected a record")
        if next(records, None) is not None:
            raise RecordError(f"file: {shorten(os.fspath(path))} holds more than one game, expected one")
        return cls.from_record(record, now=now)


def _checked_path(path: str | os.PathLike[str]) -> str:
    """Return a path that is a file or nothing: one can neither replace a device nor read it to its end."""
    name = check_path(path, "file", OptionError)
    if os.path.exists(name) and not os.path.isfile(name):
        raise OptionError(f"file: {shorten(name)} is no file, expected one or a new name")
    return name
