"""Searches for clients: so many at once, for so long, with so much memory each, and everybody in turn.

Owns the threads in which the engine works; all else here happens in the event loop. Invariant: a job that is cancelled
or whose time is over ends within moments, and each job's table is its own, so that its numbers depend on nobody else.
Guarded by tests/web/test_engines.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal

from halma_fast.engine import Engine
from halma_fast.levels import LevelPlayer
from halma_fast.move import Move
from halma_fast.position import Position
from halma_fast.types import Info, Limit
from halma_fast.web.fair_queue import FairQueue
from halma_fast.web.limits import Settings

__all__ = ["Ended", "Found", "Job", "Pool"]

Ended = Literal["finished", "stopped", "budget", "share"]

# How much nicer than the event loop the searches are: a move of a game by link must not wait for them.
_NICER: Final = 10
_AGAIN_SECONDS: Final = 0.05
# An analysis has at least so long before it makes room for somebody who waits for a move.
_LEAST_SHARE: Final = 2.0
_LOOK_SECONDS: Final = 0.25


class Found:
    """What a job found: the move, `None` if it never began, its line, and the ranked lines."""

    def __init__(self, move: Move | None = None, info: Info | None = None, lines: tuple[Info, ...] = ()) -> None:
        self.move, self.info, self.lines = move, info, lines


class Job:
    """A search that somebody wants: Job(client, position, limit, multipv=1, level=None, seed=0).

    level: a `LevelPlayer` of this level chooses the move, else the engine searches. The callbacks are called in the
    event loop: `on_start()`, `on_info(info)`, `on_end(found, ended)` or `on_error(error)`, and `on_queue(ahead)`.
    """

    def __init__(
        self,
        client: str,
        position: Position,
        limit: Limit | None,
        *,
        multipv: int = 1,
        level: int | None = None,
        seed: int = 0,
    ) -> None:
        self.client, self.position, self.limit = client, position, limit
        self.multipv, self.level, self.seed = multipv, level, seed
        # Somebody waits for a move: this comes before analyses.
        self.quick = False
        self.on_queue: Callable[[int], object] = lambda ahead: None
        self.on_start: Callable[[], object] = lambda: None
        self.on_info: Callable[[Info], object] = lambda info: None
        self.on_end: Callable[[Found, Ended], object] = lambda found, ended: None
        self.on_error: Callable[[BaseException], object] = lambda error: None
        self.ended: Ended | None = None  # why it was told to stop
        self.done = False
        self.began = 0.0
        self.timers: list[asyncio.TimerHandle] = []
        self._stop: Callable[[], None] = lambda: None

    def run(self, hash_mb: int, on_info: Callable[[Info], None]) -> Found:
        """Search, in a thread of the pool."""
        if self.level is not None:
            player = LevelPlayer(self.level, seed=self.seed, hash_mb=hash_mb)
            self._stop = player.stop
            played = player.play(self.position, self.limit)
            return Found(played.move, played.info, () if played.info is None else (played.info,))
        engine = Engine(hash_mb=hash_mb)
        self._stop = engine.stop
        result = engine.search(self.position, self.limit, multipv=self.multipv, on_info=on_info)
        return Found(result.best_move, result.lines[0], result.lines)

    def halt(self) -> None:
        """End the search soon, if it has begun."""
        self._stop()


class Pool:
    """Runs jobs: Pool(settings), to be used in one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._executor = ThreadPoolExecutor(settings.threads, "halma_fast engine", initializer=_be_nice)
        self._quick: FairQueue[Job] = FairQueue()
        self._long: FairQueue[Job] = FairQueue()
        self._running: set[Job] = set()
        self._quick_in_a_row = 0
        self._look: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def running(self) -> int:
        """How many searches there are at present."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._quick) + len(self._long)

    def submit(self, job: Job) -> None:
        """Begin a job when its turn comes."""
        self._queue_of(job).put(job.client, job)
        self._fill()
        if job in (order := self._queue_of(job).order()):
            job.on_queue(order.index(job) + (0 if job.quick else len(self._quick)))
            self._watch()

    def stop(self, job: Job, ended: Ended = "stopped") -> None:
        """End a job soon, with what it has found; one that has not begun ends at once."""
        if job.done or job.ended is not None:
            return
        job.ended = ended
        if self._queue_of(job).remove(job.client, job):
            self._finish(job, Found())
        else:
            self._halt(job)

    async def close(self) -> None:
        """End all jobs, of which nobody is told any more, and wait for them."""
        self._closed = True
        for job in [*self._running, *self._quick.order(), *self._long.order()]:
            job.on_info = lambda info: None
            job.on_end = lambda found, ended: None
            job.on_error = lambda error: None
            self.stop(job)
        if self._look is not None:
            self._look.cancel()
        while self._running:
            await asyncio.sleep(_AGAIN_SECONDS / 5)
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _queue_of(self, job: Job) -> FairQueue[Job]:
        return self._quick if job.quick else self._long

    def _fill(self) -> None:
        while len(self._running) < self._settings.threads and not self._closed:
            job = self._next()
            if job is None:
                return
            self._start(job)

    def _next(self) -> Job | None:
        """The next job: moves first, but for each three of them one analysis."""
        queues = [self._quick, self._long] if self._quick_in_a_row < 3 else [self._long, self._quick]
        for queue in queues:
            job = queue.take(self._may_begin)
            if job is not None:
                self._quick_in_a_row = self._quick_in_a_row + 1 if job.quick else 0
                return job
        return None

    def _may_begin(self, client: Hashable) -> bool:
        """Whether a client has less than half of all searches, or none."""
        return sum(job.client == client for job in self._running) < max(1, self._settings.threads // 2)

    def _start(self, job: Job) -> None:
        loop = asyncio.get_running_loop()
        self._running.add(job)
        job.began = loop.time()
        job.timers.append(loop.call_later(self._settings.seconds, self.stop, job, "budget"))

        def report(info: Info) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(self._report, job, info)

        future = loop.run_in_executor(self._executor, job.run, self._settings.hash_mb, report)
        future.add_done_callback(lambda done: self._ended(job, done))
        job.on_start()

    def _report(self, job: Job, info: Info) -> None:
        if not job.done:
            job.on_info(info)

    def _ended(self, job: Job, done: asyncio.Future[Found]) -> None:
        self._running.discard(job)
        if done.cancelled():
            self._finish(job, Found())
        elif (error := done.exception()) is not None:
            job.done = True
            self._forget_timers(job)
            job.on_error(error)
        else:
            self._finish(job, done.result())
        if not self._closed:
            self._fill()

    def _finish(self, job: Job, found: Found) -> None:
        job.done = True
        self._forget_timers(job)
        job.on_end(found, job.ended or "finished")

    def _forget_timers(self, job: Job) -> None:
        for timer in job.timers:
            timer.cancel()
        job.timers.clear()

    def _halt(self, job: Job) -> None:
        """Tell a running job to stop until it does: a stop before the search has begun is forgotten by it."""
        if job.done:
            return
        job.halt()
        job.timers.append(asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._halt, job))

    def _watch(self) -> None:
        """While jobs wait, look now and again whether an analysis has had its share."""
        if self._look is None:
            self._look = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._make_room)

    def _make_room(self) -> None:
        self._look = None
        if not self.waiting:
            return
        now = asyncio.get_running_loop().time()
        urgent, others = (
            sum(self._may_begin(job.client) for job in queue.order()) for queue in (self._quick, self._long)
        )
        # Those that are ending already make room for some.
        wanted = urgent + others - sum(job.ended is not None for job in self._running)
        for job in sorted(self._running, key=lambda job: job.began):
            share = min(_LEAST_SHARE, self._settings.share) if urgent > 0 else self._settings.share
            if wanted > 0 and not job.quick and job.ended is None and now - job.began >= share:
                self.stop(job, "share")
                wanted -= 1
                urgent -= 1
        self._watch()


def _be_nice() -> None:
    """Let a thread of searches have only the time that the event loop leaves."""
    if sys.platform == "linux":  # elsewhere a thread has no number of its own
        with contextlib.suppress(OSError):
            own = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, own, min(19, os.getpriority(os.PRIO_PROCESS, 0) + _NICER))
