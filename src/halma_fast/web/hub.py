"""The games by link that somebody looks at: sockets come and go, and all of a room see every event in the same order.

Invariant: an event is kept before anybody is told of it, one at a time in each room, and one that was kept is
applied even if its sender has gone. Guarded by tests/web/test_link_game.py and tests/web/test_link_faults.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec

from halma_fast.web.faults import Fault
from halma_fast.web.games import Match
from halma_fast.web.limits import Settings
from halma_fast.web.messages import Draw, Join, MakeMove, Rematch, Resign, RoomRequest, Setup, Sync
from halma_fast.web.rooms import Room
from halma_fast.web.sockets import Peer, Text, encode
from halma_fast.web.store import Event, Store
from halma_fast.web.view import current_view

__all__ = ["REMOVED", "Hub", "Visit"]

REMOVED: Final = 4404
_PRESENCE_SECONDS: Final = 1.0
_MOST_IN_A_ROOM: Final = 500
_LOG: Final = logging.getLogger("halma_fast.web")

Action = MakeMove | Resign | Draw | Rematch


class _Live:
    """A room in memory with its visits."""

    def __init__(self, id_: str, watch: str, room: Room, claimed: dict[str, bool]) -> None:
        self.id, self.watch, self.room, self.claimed = id_, watch, room, claimed
        self.visits: list[Visit] = []
        self.lock = asyncio.Lock()
        self.users = 0  # visits, and whatever else needs the room to stay in memory
        self.presence: asyncio.TimerHandle | None = None

    def players(self) -> dict[str, Any]:
        online = {visit.seat for visit in self.visits}
        seats = {self.room.role(seat): seat for seat in self.claimed}
        return {
            "players": {
                letter: {"joined": self.claimed[seats[letter]], "online": seats[letter] in online} for letter in "xo"
            },
            "watchers": sum(visit.seat is None for visit in self.visits),
        }


class Visit:
    """A socket in a room, with the seat that it has there."""

    def __init__(self, peer: Peer, live: _Live, seat: str | None) -> None:
        self.peer, self.live, self.seat = peer, live, seat


class Hub:
    """All rooms: Hub(store, settings)."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._live: dict[str, _Live] = {}
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def create(self, request: RoomRequest) -> dict[str, Any]:
        """Open a room and return its tokens; raises `Fault`."""
        Match(request.setup)
        room, x, o, watch = secrets.token_urlsafe(9), *(secrets.token_urlsafe(18) for _ in range(3))
        setup = msgspec.json.encode(request.setup).decode("utf-8")
        if not await self._kept(self._store.create(room, setup, watch, {"a": x, "b": o}, self._settings.rooms)):
            raise Fault("full", f"rooms: {self._settings.rooms} games are kept, expected fewer; old ones are removed")
        return {"room": room, "x": x, "o": o, "watch": watch, "keep_days": self._settings.keep_days}

    async def join(self, peer: Peer, join: Join) -> Visit:
        """Let a peer into the room of its token; raises `Fault`."""
        found = await self._kept(self._store.find(join.token))
        if found is None:
            raise Fault("not-found", "token: no such game, or it was removed", field="token")
        id_, seat = found
        live = await self._enter(id_)
        try:
            if len(live.visits) >= _MOST_IN_A_ROOM:
                raise Fault("full", f"room: {_MOST_IN_A_ROOM} are there, expected fewer")
            mine = seat is not None and await self._kept(self._store.claim(id_, seat, join.key))
            if self._live.get(id_) is not live:
                raise Fault("not-found", "token: the game was removed", field="token")
        except BaseException:
            self._release(live)
            raise
        if seat is not None:
            live.claimed[seat] = True
        visit = Visit(peer, live, seat if mine else None)
        # Players first: they are told first.
        live.visits.insert(0 if mine else len(live.visits), visit)
        peer.send(
            {
                "type": "welcome",
                "room": id_,
                "seat": visit.seat,
                "watch": live.watch,
                "keep_days": self._settings.keep_days,
                "taken": seat is not None and not mine,
            }
        )
        self._send_state(live, [visit])
        self._tell_presence(live)
        return visit

    def leave(self, visit: Visit) -> None:
        """Forget a peer that has gone."""
        live = visit.live
        if visit in live.visits:
            live.visits.remove(visit)
            self._tell_presence(live)
            self._release(live)

    def sync(self, visit: Visit, _message: Sync) -> None:
        """Tell a peer the whole state once more."""
        self._send_state(visit.live, [visit])

    async def act(self, visit: Visit, action: Action) -> None:
        """Do what a peer asks for: keep it, apply it, tell everybody, and tell the peer that it is done."""
        # Shielded: what has been kept must come to be known here, whether its sender stays or not.
        task = asyncio.ensure_future(self._act(visit, action))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.shield(task)

    async def _act(self, visit: Visit, action: Action) -> None:
        live = visit.live
        live.users += 1
        try:
            async with live.lock:
                await self._act_alone(live, visit, action)
        finally:
            self._release(live)

    async def _act_alone(self, live: _Live, visit: Visit, action: Action) -> None:
        room = live.room
        try:
            event = _CHECKS[type(action)](room, visit.seat, action)
        except Fault as fault:
            visit.peer.send_fault(fault, action.id)
            if fault.code == "stale":
                self._send_state(live, [visit])
            return
        if event is not None:
            if self._live.get(live.id) is not live:
                raise Fault("not-found", "the game was removed")
            await self._kept(self._store.append(live.id, room.version, event))
            room.apply(event)
        done = {"type": "ack", "id": action.id, "game": action.game}
        if isinstance(action, MakeMove):
            done |= {"ply": action.ply, "duplicate": event is None}
        if event is None:
            visit.peer.send(done)
        elif event.kind == "move":
            self._tell_move(live, lambda: visit.peer.send(done))
            if room.next_round():
                self._send_state(live, live.visits)
        else:
            self._send_state(live, live.visits)
            visit.peer.send(done)

    async def sweep(self) -> None:
        """Remove rooms in which nothing has happened for too long, now and again, for ever."""
        seconds = self._settings.keep_days * 86_400.0
        while True:
            with contextlib.suppress(Fault):
                for id_ in await self._kept(self._store.remove_older(seconds)):
                    live = self._live.pop(id_, None)
                    for visit in [] if live is None else live.visits:
                        visit.peer.send_fault(Fault("not-found", "the game was removed"))
                        visit.peer.close(REMOVED)
            await asyncio.sleep(min(3600.0, max(0.1, seconds / 4)))

    async def finish(self) -> None:
        """Wait for what is being kept."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # The rooms in memory.

    async def _enter(self, id_: str) -> _Live:
        """Return a room for one more user, from the disk if it is not in memory."""
        async with self._loading:
            live = self._live.get(id_)
            if live is None:
                stored = await self._kept(self._store.load(id_))
                if stored is None:
                    raise Fault("not-found", "token: no such game, or it was removed", field="token")
                setup = msgspec.json.decode(stored.setup, type=Setup)
                room = await asyncio.to_thread(Room, setup, stored.events)
                room.next_round()
                claimed = {seat: key is not None for seat, key in stored.keys.items()}
                live = self._live[id_] = _Live(id_, stored.watch, room, claimed)
            live.users += 1
            return live

    def _release(self, live: _Live) -> None:
        """Forget a user of a room, and the room with the last one."""
        live.users -= 1
        if live.users == 0 and self._live.get(live.id) is live:
            del self._live[live.id]
            if live.presence is not None:
                live.presence.cancel()

    async def _kept(self, answer: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await answer
        except sqlite3.Error as error:
            _LOG.error("the file of games: %s", error)
            raise Fault("internal", "the game could not be kept; nothing has changed") from None

    # What is told.

    def _send_state(self, live: _Live, visits: list[Visit]) -> None:
        room, players = live.room, live.players()
        turn = None if room.over else room.seat_of(room.match.current.position.turn)
        texts: dict[str | None, Text] = {}
        states: dict[bool, dict[str, Any]] = {}
        for visit in visits:
            if visit.seat not in texts:
                legal = visit.seat is not None and visit.seat == turn
                state = states.get(legal)
                if state is None:
                    state = states[legal] = room.state(legal=legal)
                texts[visit.seat] = encode({"type": "state", "role": room.role(visit.seat), **players, **state})
            visit.peer.send_text(texts[visit.seat])

    def _tell_move(self, live: _Live, acknowledge: Callable[[], None]) -> None:
        """Tell everybody of the last move: the players first, and its sender that it is done before the watchers."""
        room = live.room
        turn = None if room.over else room.seat_of(room.match.current.position.turn)
        view = current_view(room.match, legal=turn is not None)
        message = {
            "type": "moved",
            "version": room.version,
            "game": room.game,
            "ply": view["ply"],
            "move": room.last_move(),
            "ending": room.ending(),
            "view": view,
        }
        texts = {True: encode(message), False: encode(message | {"view": view | {"legal": [], "chains": {}}})}
        players = [visit for visit in live.visits if visit.seat is not None]
        for visit in players:
            visit.peer.send_text(texts[visit.seat == turn])
        acknowledge()
        for visit in live.visits[len(players) :]:
            visit.peer.send_text(texts[False])

    def _tell_presence(self, live: _Live) -> None:
        """Tell everybody who is there, once in a while only: many may come and go."""

        def tell() -> None:
            live.presence = None
            text = encode({"type": "players", **live.players()})
            for visit in live.visits:
                visit.peer.send_text(text)

        if live.presence is None:
            live.presence = asyncio.get_running_loop().call_later(_PRESENCE_SECONDS, tell)


_CHECKS: Final[dict[type, Callable[[Room, str | None, Any], Event | None]]] = {
    MakeMove: lambda room, seat, message: room.check_move(seat, message.game, message.ply, message.move),
    Resign: lambda room, seat, message: room.check_resign(seat, message.game),
    Draw: lambda room, seat, message: room.check_draw(seat, message.game),
    Rematch: lambda room, seat, message: room.check_rematch(seat, message.game),
}
