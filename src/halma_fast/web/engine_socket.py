"""What a page says to the engine and hears from it: one job at a time for each socket.

Invariant: every job that was taken on ends with one "done" or one "error", and no job outlives its socket.
Guarded by tests/web/test_engine_socket.py.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Any, Final

from halma_fast.errors import HalmaError
from halma_fast.position import Position
from halma_fast.types import Info, Limit, Side
from halma_fast.web.engines import Ended, Found, Job, Pool
from halma_fast.web.faults import Fault, fault_of
from halma_fast.web.games import position_of
from halma_fast.web.limits import Settings
from halma_fast.web.messages import Analyse, EngineMessage, Hint, Ping, Play, Stop
from halma_fast.web.sockets import Peer
from halma_fast.web.view import info_object, names

__all__ = ["EngineSocket"]

_LOG: Final = logging.getLogger("halma_fast.web")
# A game of more moves is replayed in a thread, so that nobody waits for it.
_LONG: Final = 200


class EngineSocket:
    """Handles the messages of a peer: EngineSocket(peer, pool, settings)."""

    def __init__(self, peer: Peer, pool: Pool, settings: Settings) -> None:
        self._peer, self._pool, self._settings = peer, pool, settings
        self._job: Job | None = None
        self._id: int | None = None

    async def run(self) -> None:
        """Serve the peer until it goes; then its job ends."""
        try:
            await self._peer.run(EngineMessage, self._handle)
        finally:
            self._end_job()

    async def _handle(self, message: Any) -> None:
        if isinstance(message, Ping):
            self._peer.send({"type": "pong"})
        elif isinstance(message, Stop):
            if message.id == self._id:
                self._end_job()
        else:
            self._end_job()
            await self._begin(message)

    def _end_job(self) -> None:
        if self._job is not None:
            self._pool.stop(self._job)
        self._job = self._id = None

    async def _begin(self, message: Analyse | Hint | Play) -> None:
        if len(message.moves) > _LONG:
            position = await asyncio.to_thread(position_of, message.setup, message.moves)
        else:
            position = position_of(message.setup, message.moves)
        outcome = position.outcome()
        if outcome is not None:
            raise Fault("over", f"moves: the game is over, {outcome}", field="moves")
        try:
            job = self._job_of(message, position)
        except HalmaError as error:
            raise fault_of(error) from None
        self._listen(job, message)
        self._job, self._id = job, message.id
        self._pool.submit(job)

    def _job_of(self, message: Analyse | Hint | Play, position: Position) -> Job:
        client = self._peer.client
        if isinstance(message, Analyse):
            limit = Limit(depth=message.depth, nodes=message.nodes, time=message.seconds)
            return Job(client, position, limit, multipv=message.multipv)
        if isinstance(message, Hint):
            job = Job(client, position, Limit(time=min(message.seconds, self._settings.seconds)))
        else:
            job = Job(
                client, position, _limit(message, position.turn), level=message.level, seed=secrets.randbelow(1 << 31)
            )
        job.quick = True
        return job

    def _listen(self, job: Job, message: Analyse | Hint | Play) -> None:
        """Tell the peer what becomes of a job."""
        peer, id_ = self._peer, message.id
        kind = type(message).__name__.lower()
        path_of = job.position.path

        def on_queue(ahead: int) -> None:
            peer.send({"type": "queued", "id": id_, "ahead": ahead})

        def on_start() -> None:
            settings = self._settings
            peer.send(
                {"type": "started", "id": id_, "seconds": settings.seconds, "threads": 1, "hash_mb": settings.hash_mb}
            )

        def on_info(info: Info) -> None:
            peer.send_latest((id_, info.multipv), {"type": "info", "id": id_, **info_object(info)})

        def on_end(found: Found, ended: Ended) -> None:
            peer.send(
                {
                    "type": "done",
                    "id": id_,
                    "kind": kind,
                    "ended": ended,
                    "move": None if found.move is None else found.move.text,
                    "path": [] if found.move is None else names(path_of(found.move)),
                    "info": None if found.info is None else info_object(found.info),
                    "lines": [info_object(info) for info in found.lines],
                }
            )

        def on_error(error: BaseException) -> None:
            if isinstance(error, HalmaError):
                peer.send_fault(fault_of(error), id_)
            elif isinstance(error, MemoryError):
                peer.send_fault(Fault("full", "no memory for the search, expected it when others have ended"), id_)
            else:
                _LOG.error("a search failed", exc_info=error)
                peer.send_fault(Fault("internal", "the search failed"), id_)

        job.on_queue, job.on_start, job.on_info, job.on_end, job.on_error = (
            on_queue,
            on_start,
            on_info,
            on_end,
            on_error,
        )


def _limit(message: Play, side: Side) -> Limit | None:
    """What the clock allows, as `halma-fast play` does: never more than a tenth of what is left."""
    clock, seconds = message.clock, message.seconds
    if clock is None:
        return None if seconds is None else Limit(time=seconds)
    left = clock.o if side else clock.x
    most = max(0.005, left / 10 + 0.9 * min(clock.increment, left))
    return Limit(
        time=most if seconds is None else min(most, seconds),
        x_clock=clock.x,
        o_clock=clock.o,
        x_inc=clock.increment,
        o_inc=clock.increment,
    )
