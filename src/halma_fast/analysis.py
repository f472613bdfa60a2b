"""Analysis: a search that goes on in a thread of its own while its findings are read.

Owns the thread and the findings on their way. Invariant: whoever waits is woken when the search ends, however it ends,
and its error is raised there. Guarded by tests/search/test_analysis.py.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final

from halma_fast.checks import check_seconds
from halma_fast.errors import OptionError
from halma_fast.types import Info, SearchResult

__all__ = ["Analysis"]

_MAX_TIMEOUT: Final = 1e7  # seconds; what a lock can wait for is bounded


class _State:
    """What the thread and the handle share; the thread holds no handle, so that a forgotten one is noticed."""

    def __init__(self, run: Callable[[Callable[[Info], None]], SearchResult], stop: Callable[[], None]) -> None:
        self._run = run
        self._stop = stop
        self.changed = threading.Condition()
        self.infos: deque[Info] = deque()
        self.lines: list[Info] = []
        self._depth_lines: list[Info] = []
        self.result: SearchResult | None = None
        self.error: BaseException | None = None
        self.ended = False
        # A daemon, since a search without a limit that nobody stops must not keep the process alive.
        self.thread = threading.Thread(target=self._work, name="halma_fast analysis", daemon=True)
        self.thread.start()

    def _work(self) -> None:
        result: SearchResult | None = None
        error: BaseException | None = None
        try:
            result = self._run(self._add)
        except BaseException as raised:  # a signal handler's too: it is raised in whoever waits
            error = raised
        with self.changed:
            self.result, self.error, self.ended = result, error, True
            if result is not None:
                self.lines = list(result.lines)
            self.changed.notify_all()

    def _add(self, info: Info) -> None:
        with self.changed:
            self.infos.append(info)
            if info.bound == "exact":
                self._depth_lines = [*([] if info.multipv == 1 else self._depth_lines), info]
                # The lines of a depth come one by one: shown are those of one depth.
                if len(self._depth_lines) >= len(self.lines):
                    self.lines = self._depth_lines
            self.changed.notify_all()

    def stop(self) -> None:
        with self.changed:
            if not self.ended:
                self._stop()


class Analysis:
    """A running search, made by `Engine.analysis`: a context that stops it, and an iterator of its `Info` objects.

    Iteration gives each info once, in the order in which they were found, and ends with the search; several iterators
    share the infos. All methods may be called from any thread. One that is forgotten is stopped when it is collected as
    garbage: better use it in a `with` statement, or call `stop`.
    """

    def __init__(self, run: Callable[[Callable[[Info], None]], SearchResult], stop: Callable[[], None]) -> None:
        self._state = _State(run, stop)
        # Not at the end of the process, which needs no stop: the thread is a daemon.
        weakref.finalize(self, self._state.stop).atexit = False

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._state.thread.join()

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        with self._state.changed:
            while not self._state.infos and not self._state.ended:
                self._state.changed.wait()
            if self._state.infos:
                return self._state.infos.popleft()
            if self._state.error is not None:
                raise self._state.error
            raise StopIteration

    def stop(self) -> None:
        """End the search soon; what was found is kept. After its end nothing happens."""
        self._state.stop()

    def wait(self, timeout: float | None = None) -> SearchResult:
        """Wait for the end and return the result; raises its error, `TimeoutError` after `timeout` seconds.

        Without a limit the search ends only with `stop`.
        """
        if timeout is not None:
            timeout = check_seconds(timeout, "timeout", OptionError, high=_MAX_TIMEOUT)
        with self._state.changed:
            if not self._state.changed.wait_for(lambda: self._state.ended, timeout):
                raise TimeoutError(f"analysis: still searching after {timeout} s")
            if self._state.error is not None:
                raise self._state.error
            assert self._state.result is not None
            return self._state.result

    @property
    def multipv(self) -> list[Info]:
        """The ranked lines of the last depth that was completed, the best first; empty before depth 1.

        After the end, those of the result.
        """
        with self._state.changed:
            return list(self._state.lines)

    @property
    def running(self) -> bool:
        """Whether the search goes on."""
        with self._state.changed:
            return not self._state.ended

    def __reduce__(self) -> Any:
        raise TypeError("an Analysis cannot be pickled: it is a running search")
