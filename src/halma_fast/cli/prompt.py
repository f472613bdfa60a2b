"""Lines that a person types, one by one, with completion on a terminal; and when Ctrl-C or the clock may strike.

Invariant: signals raise only inside `allowed`, that is while waiting for a line or for the engine, never in the middle
of a change. Guarded by tests/play/test_terminal.py.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, TracebackType
from typing import Any, Final, Self

from halma_fast.cli.output import print_text

__all__ = ["Prompt", "say"]

_MAX_LINE: Final = 4096

Complete = Callable[[str], Sequence[str]]


class Prompt:
    """Use as a context: `Prompt(complete)`; `complete` returns what a line that was begun could be."""

    def __init__(self, complete: Complete) -> None:
        self.interactive = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self._complete = complete
        self._found: Sequence[str] = ()
        self._allowed = False
        self._pending = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number, handler in ((signal.SIGINT, self._interrupted), (signal.SIGALRM, self._time_up)):
            self._before[number] = signal.signal(number, handler)
        if self.interactive:
            self._set_up_readline()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self._allowed:
            self._allowed = False  # once: a second one must not strike where the first one is dealt with
            raise KeyboardInterrupt
        self._pending = True

    def _time_up(self, number: int, frame: FrameType | None) -> None:
        if self._allowed:
            self._allowed = False
            raise TimeoutError

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """Let Ctrl-C interrupt what is done inside; one that came before does so at once."""
        try:
            self._allowed = True
            if self._pending:
                self._pending = False
                raise KeyboardInterrupt
            yield
        finally:
            self._allowed = False

    def read(self, text: str, seconds: float | None = None) -> str | None:
        """Return the next line, without blanks at its ends; `None` at the end of input.

        text: the prompt, shown on a terminal only; seconds: raise `TimeoutError` if the line takes longer.
        """
        sys.stdout.flush()
        try:
            with self.allowed():
                if seconds is not None:
                    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
                return input(text).strip() if self.interactive else self._read_piped()
        except EOFError:
            sys.stdout.write("\n")
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _read_piped(self) -> str | None:
        if sys.stdin is None:
            return None
        line = sys.stdin.readline(_MAX_LINE)
        if not line:
            return None
        rest = line
        while len(rest) == _MAX_LINE and not rest.endswith("\n"):  # what no person types is one line still
            rest = sys.stdin.readline(_MAX_LINE)
        return line.strip()

    def _set_up_readline(self) -> None:
        try:
            import readline
        except ImportError:  # Python can be built without it; typing works all the same
            return
        readline.set_completer(self._completion)
        readline.set_completer_delims("")  # the whole line is completed, since moves may be written with blanks
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        with contextlib.suppress(AttributeError):
            readline.set_auto_history(True)

    def _completion(self, text: str, number: int) -> str | None:
        if number == 0:
            try:
                self._found = self._complete(text)
            except Exception:  # readline would swallow it anyway, and leave the terminal in disorder
                self._found = ()
        return self._found[number] if number < len(self._found) else None


def say(*lines: str) -> None:
    """Print lines for a person at once."""
    print_text(*lines)
    sys.stdout.flush()
