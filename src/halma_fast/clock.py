"""The clock of a game: the time each side has left, and who is using it up.

Invariant: at most one side's time runs, and only a move, an undo or whoever set it changes what is left otherwise.
Guarded by tests/play/test_clock.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import check_seconds, shorten
from halma_fast.errors import OptionError
from halma_fast.types import Limit, Side

__all__ = ["Clock", "TimeControl"]

_MAX_SECONDS: Final = 1_000_000.0
# What a clock may come to by increments.
_MOST_LEFT: Final = 2 * _MAX_SECONDS
_DECIMALS: Final = 6
_CONTROL: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(?:\+([0-9]{1,9}(?:\.[0-9]{1,6})?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for all of a side's moves, from 0.001, and how many are added after each; at most a million each.

    Kept to the microsecond. As text "300+2", or "300" without an increment. Raises `OptionError`.
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        for field, low in (("seconds", 1e-3), ("increment", 0.0)):
            value = check_seconds(getattr(self, field), f"clock: {field}", OptionError, low=low, high=_MAX_SECONDS)
            object.__setattr__(self, field, round(value, _DECIMALS))

    @staticmethod
    def from_text(text: str) -> TimeControl:
        """Read seconds and increment like "60+0.6", or "60" alone; raises `OptionError`."""
        match = _CONTROL.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            raise OptionError(f"clock: {shorten(text)}, expected seconds and increment like 60+0.6")
        return TimeControl(float(match[1]), float(match[2] or 0))

    def __str__(self) -> str:
        return f"{_text(self.seconds)}+{_text(self.increment)}" if self.increment else _text(self.seconds)


def _text(seconds: float) -> str:
    return f"{seconds:.{_DECIMALS}f}".rstrip("0").rstrip(".")


class Clock:
    """Two times that run down in turn: Clock(control, *, now=time.monotonic), stopped at first.

    now: a clock that never goes back, in seconds. Not for use by two threads at once.
    """

    def __init__(self, control: TimeControl, *, now: Callable[[], float] = time.monotonic) -> None:
        self.control = control
        self._now = now
        self._left = [control.seconds, control.seconds]
        self._side: Side | None = None
        self._since = 0.0

    @property
    def running(self) -> Side | None:
        """The side whose time runs."""
        return self._side

    def left(self, side: Side) -> float:
        """Return the seconds that a side has left, at least 0."""
        used = self._now() - self._since if side is self._side else 0.0
        return max(0.0, self._left[side] - max(0.0, used))

    @property
    def flag(self) -> Side | None:
        """The side whose time is up, or `None`."""
        return next((side for side in Side if self.left(side) <= 0.0), None)

    def start(self, side: Side) -> None:
        """Let the time of a side run, and only that."""
        self.stop()
        self._side, self._since = side, self._now()

    def stop(self) -> None:
        """Let no time run."""
        if self._side is not None:
            self._left[self._side] = self.left(self._side)
            self._side = None

    def press(self) -> None:
        """End the turn of the side whose time runs: it gets its increment, and the other's time runs.

        A side whose time is up gets none, so that its flag stays down; and nobody gets beyond two million seconds.
        """
        side = self._side
        if side is None:
            return
        self.stop()
        if self._left[side] > 0.0:
            self._left[side] = min(self._left[side] + self.control.increment, _MOST_LEFT)
        self.start(side.other)

    def times(self) -> tuple[float, float]:
        """Return the seconds left of x and of o."""
        return self.left(Side.X), self.left(Side.O)

    def set_times(self, times: tuple[float, float]) -> None:
        """Set the seconds left of x and of o, 0 to two million; who is running goes on. Raises `OptionError`."""
        x, o = (check_seconds(value, "clock", OptionError, high=_MOST_LEFT) for value in times)
        self._left = [x, o]
        self._since = self._now()

    def limit(self) -> Limit:
        """Return the clock as a limit of a search."""
        x, o = self.times()
        return Limit(x_clock=x, o_clock=o, x_inc=self.control.increment, o_inc=self.control.increment)
