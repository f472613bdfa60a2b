"""A line on standard error that says how far a long job is, and for how long it has been at work.

Invariant: nothing is printed unless standard error is a terminal and the job takes longer than a second, and the line
is gone afterwards. Guarded by tests/cli/test_progress.py.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from types import TracebackType
from typing import Final

from halma_fast.cli.output import console

__all__ = ["ProgressLine"]

_DELAY_SECONDS: Final = 1.0
_TICK_SECONDS: Final = 0.1


class ProgressLine:
    """Use as a context; `wanted` tells if updates are worth making, `update` sets the line's text.

    The time before the text goes on by itself.
    """

    def __init__(self, text: str) -> None:
        self.wanted: bool = sys.stderr.isatty()
        self._text = text
        self._begin = time.monotonic()
        self._ended = threading.Event()
        # A thread and not a look at the clock in `update`: nobody may call that while the job is in its longest part.
        self._thread = threading.Thread(target=self._show, daemon=True)

    @property
    def seconds(self) -> float:
        """Seconds since the job began."""
        return time.monotonic() - self._begin

    def update(self, text: str) -> None:
        """Replace the text, which is shown once the job is old enough to need it."""
        self._text = text

    def _line(self) -> str:
        minutes, seconds = divmod(int(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{f'{hours}:{minutes:02}' if hours else minutes}:{seconds:02} {self._text}"

    def _show(self) -> None:
        """Show the line until the job has ended: what the thread does, the only one to touch the terminal."""
        if self._ended.wait(_DELAY_SECONDS):
            return
        with contextlib.suppress(OSError), console(stderr=True).status(self._line(), spinner="line") as status:
            while not self._ended.wait(_TICK_SECONDS):
                status.update(self._line())

    def __enter__(self) -> ProgressLine:
        if self.wanted:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()  # the line must be gone before anything else is printed
