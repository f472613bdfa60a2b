"""A line on standard error that says how far a long job is.

Invariant: nothing is printed unless standard error is a terminal and the job takes longer than a second, and the line
is gone afterwards. Guarded by tests/cli/test_progress.py.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final

from halma_fast.cli.output import console

if TYPE_CHECKING:
    from rich.status import Status

__all__ = ["ProgressLine"]

_DELAY_SECONDS: Final = 1.0


class ProgressLine:
    """Use as a context; `wanted` tells if updates are worth making, `update` sets the line's text."""

    def __init__(self, text: str) -> None:
        self.wanted: bool = sys.stderr.isatty()
        self._text = text
        self._begin = time.monotonic()
        self._status: Status | None = None
        self._lock = threading.Lock()
        # A timer and not a look at the clock in `update`: nobody may call that while the job is in its longest part.
        self._timer = threading.Timer(_DELAY_SECONDS, self._show)
        self._timer.daemon = True

    @property
    def seconds(self) -> float:
        """Seconds since the job began."""
        return time.monotonic() - self._begin

    def update(self, text: str) -> None:
        """Replace the text, which is shown once the job is old enough to need it."""
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(text)

    def _show(self) -> None:
        with self._lock:
            self._status = console(stderr=True).status(self._text, spinner="line")
            self._status.start()

    def __enter__(self) -> ProgressLine:
        if self.wanted:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._timer.ident is not None:
            self._timer.join()  # it may be showing the line at this moment
        if self._status is not None:
            self._status.stop()
