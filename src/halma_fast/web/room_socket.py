"""What a page says in a game by link: it comes in with a token, and then acts for the seat that it has.

Invariant: before the first message has let it in, a socket can do nothing. Guarded by tests/web/test_link_faults.py.
"""

from __future__ import annotations

from typing import Any, Final

from halma_fast.web.faults import Fault
from halma_fast.web.hub import REMOVED, Hub, Visit
from halma_fast.web.messages import Join, Ping, RoomMessage, Sync
from halma_fast.web.sockets import Peer

__all__ = ["RoomSocket"]

_JOIN_SECONDS: Final = 10.0


class RoomSocket:
    """Handles the messages of a peer: RoomSocket(peer, hub)."""

    def __init__(self, peer: Peer, hub: Hub) -> None:
        self._peer, self._hub = peer, hub
        self._visit: Visit | None = None

    async def run(self) -> None:
        """Serve the peer until it goes."""
        try:
            await self._peer.run(RoomMessage, self._handle, first=_JOIN_SECONDS)
        finally:
            if self._visit is not None:
                self._hub.leave(self._visit)

    async def _handle(self, message: Any) -> None:
        visit = self._visit
        if isinstance(message, Ping):
            self._peer.send({"type": "pong"})
        elif isinstance(message, Join):
            await self._join(message)
        elif visit is None:
            raise Fault("schema", "type: expected join first", field="type")
        elif isinstance(message, Sync):
            self._hub.sync(visit, message)
        else:
            await self._hub.act(visit, message)

    async def _join(self, message: Join) -> None:
        if self._visit is not None:
            raise Fault("schema", "type: joined already, expected another message", field="type")
        try:
            self._visit = await self._hub.join(self._peer, message)
        except Fault as fault:
            self._peer.send_fault(fault)
            if fault.code == "not-found":
                self._peer.close(REMOVED)
