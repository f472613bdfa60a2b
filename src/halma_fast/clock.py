"""The clock of a game: the time each side has left, and who is using it up.

Invariant: at most one side's time runs, and only a move, an undo or whoever set it changes what is left otherwise.
Guarded by tests/play/test_clock.py.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import shorten
from halma_fast.errors import OptionError
from halma_fast.types import Limit, Side

__all__ = ["Clock", "TimeControl"]

_MAX_SECONDS: Final = 1_000_000.0
_CONTROL: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(?:\+([0-9]{1,9}(?:\.[0-9]{1,6})?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for all of a side's moves, above 0, and how many are added after each; at most a million. `OptionError`.

    As text "300+2", or "300" without an addition.
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        for field, low in (("seconds", 1e-3), ("increment", 0.0)):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= _MAX_SECONDS:
                raise OptionError(
                    f"clock: {field} {shorten(value)}, expected a number from {low:g} to {_MAX_SECONDS:g}"
                )

    @staticmethod
    def from_text(text: str) -> TimeControl:
        """Read "300+2"; raises `OptionError`."""
        match = _CONTROL.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            raise OptionError(f"clock: {shorten(text)}, expected seconds and what a move adds, like 300+2")
        return TimeControl(float(match[1]), float(match[2] or 0))

    def __str__(self) -> str:
        return f"{self.seconds:.10g}+{self.increment:.10g}" if self.increment else f"{self.seconds:.10g}"


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
        return max(0.0, self._left[side] - used)

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
        """End the turn of the side whose time runs: it gets its increment, and the other's time runs."""
        side = self._side
        if side is None:
            return
        self.stop()
        self._left[side] += self.control.increment
        self.start(side.other)

    def times(self) -> tuple[float, float]:
        """Return the seconds left of x and of o."""
        return self.left(Side.X), self.left(Side.O)

    def set_times(self, times: tuple[float, float]) -> None:
        """Set the seconds left of x and of o, 0 to a million; who is running goes on. Raises `OptionError`."""
        for value in times:
            if not (isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 2 * _MAX_SECONDS):
                raise OptionError(f"clock: {shorten(value)}, expected seconds from 0 to {2 * _MAX_SECONDS:g}")
        self._left = [float(times[0]), float(times[1])]
        self._since = self._now()

    def limit(self) -> Limit:
        """Return the clock as a limit of a search."""
        x, o = self.times()
        return Limit(x_clock=x, o_clock=o, x_inc=self.control.increment, o_inc=self.control.increment)
