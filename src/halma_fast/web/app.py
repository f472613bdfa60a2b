"""The application: paths, what each of them does, and what they share.

Invariant: every answer of the API is JSON, an error too, and no request can end in anything else; long games are
replayed beside the event loop. Guarded by tests/web/test_api.py and tests/web/test_fuzz.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from starlette.websockets import WebSocket

from halma_fast import __version__
from halma_fast.levels import MAX_LEVEL
from halma_fast.web.engine_socket import EngineSocket
from halma_fast.web.engines import Pool
from halma_fast.web.faults import Fault
from halma_fast.web.fragment import read_fragment
from halma_fast.web.games import Match
from halma_fast.web.guard import Guard
from halma_fast.web.hub import Hub
from halma_fast.web.limits import (
    BYTES_A_TOKEN,
    MAX_BODY,
    MAX_MESSAGE,
    MAX_MOVES,
    MAX_MULTIPV,
    MAX_NAME,
    Buckets,
    Settings,
)
from halma_fast.web.messages import GameRequest, ReadRecords, RoomRequest, ShareRequest, WriteRecords, decode
from halma_fast.web.recordings import read_text, write_text
from halma_fast.web.room_socket import RoomSocket
from halma_fast.web.sockets import Peer
from halma_fast.web.store import Store
from halma_fast.web.view import full_view, variant_objects

__all__ = ["STATIC", "make_app"]

STATIC: Final = Path(__file__).parent / "static"
_LOG: Final = logging.getLogger("halma_fast.web")
_DEFAULT_LEVEL: Final = 5
# A body of this many bytes is a game that takes more than some milliseconds.
_LONG_BODY: Final = 3000
TOO_MANY_SOCKETS: Final = 4503

_T = TypeVar("_T")


class _App:
    """What the paths share."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.store = store
        self.pool = Pool(settings)
        self.hub = Hub(store, settings)
        self._asked = Buckets(rate=100.0, burst=300.0)
        self._opened = Buckets(rate=0.5, burst=30.0)
        self._sockets: dict[str, int] = {}
        self._open = 0
        self._info = msgspec.json.encode(self._about())

    def _about(self) -> dict[str, Any]:
        settings = self.settings
        return {
            "version": __version__,
            "levels": MAX_LEVEL,
            "level": _DEFAULT_LEVEL,
            "variants": variant_objects(),
            "limits": {
                "seconds": settings.seconds,
                "threads": settings.threads,
                "hash_mb": settings.hash_mb,
                "multipv": MAX_MULTIPV,
                "moves": MAX_MOVES,
                "message_bytes": MAX_MESSAGE,
                "body_bytes": MAX_BODY,
                "name_chars": MAX_NAME,
            },
            "keep_days": settings.keep_days,
        }

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        sweeper = asyncio.ensure_future(self.hub.sweep())
        try:
            yield
        finally:
            sweeper.cancel()
            await self.pool.close()
            await self.hub.finish()
            self.store.close()

    # HTTP.

    async def index(self, _request: Request) -> Response:
        page = STATIC / "index.html"
        if not page.is_file():
            raise HTTPException(404)
        return FileResponse(page, headers={"cache-control": "no-cache"})

    async def info(self, _request: Request) -> Response:
        return _json(self._info)

    async def game(self, request: Request) -> Response:
        def answer(asked: GameRequest) -> dict[str, Any]:
            return full_view(Match.build(asked.setup, asked.earlier, asked.moves))

        return await self._answer(request, GameRequest, answer)

    async def share(self, request: Request) -> Response:
        return await self._answer(request, ShareRequest, lambda asked: full_view(read_fragment(asked.fragment)))

    async def read_record(self, request: Request) -> Response:
        return await self._answer(request, ReadRecords, read_text)

    async def write_record(self, request: Request) -> Response:
        return await self._answer(request, WriteRecords, write_text)

    async def rooms(self, request: Request) -> Response:
        asked = decode_body(RoomRequest, await self._body(request))
        client = _known_client(request.scope)
        if client is not None and not self._opened.allows(client):
            raise Fault("too-many", "rooms: too many were opened from here, expected a moment's pause")
        return _json(await self.hub.create(asked))

    async def _answer(self, request: Request, kind: type[_T], answer: Callable[[_T], dict[str, Any]]) -> Response:
        body = await self._body(request)

        def work() -> bytes:
            return msgspec.json.encode(answer(decode_body(kind, body)))

        return _json(await asyncio.to_thread(work) if len(body) > _LONG_BODY else work())

    async def _body(self, request: Request) -> bytes:
        client = _known_client(request.scope)
        if client is not None and not self._asked.allows(client):
            raise Fault("too-many", "requests: too many from here, expected a moment's pause")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Fault("type", "content-type: expected application/json", field="content-type")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                raise Fault("too-large", f"body: more than {MAX_BODY} bytes, expected fewer")
        if client is not None:
            self._asked.charge(client, len(body) // BYTES_A_TOKEN)
        return bytes(body)

    # Sockets.

    async def engine_socket(self, socket: WebSocket) -> None:
        async with self._accepted(socket) as peer:
            if peer is not None:
                await EngineSocket(peer, self.pool, self.settings).run()

    async def room_socket(self, socket: WebSocket) -> None:
        async with self._accepted(socket) as peer:
            if peer is not None:
                await RoomSocket(peer, self.hub).run()

    @contextlib.asynccontextmanager
    async def _accepted(self, socket: WebSocket) -> AsyncIterator[Peer | None]:
        """Accept a socket as a peer; `None`, and closed again, if there are too many."""
        await socket.accept()
        # Where the address says nothing, every socket is a client.
        client = _known_client(socket.scope) or f"socket {id(socket)}"
        of_client = self._sockets.get(client, 0)
        if self._open >= self.settings.sockets or of_client >= self.settings.a_client:
            await socket.close(TOO_MANY_SOCKETS)
            yield None
            return
        self._open += 1
        self._sockets[client] = of_client + 1
        try:
            yield Peer(socket, client, self.settings.quiet)
        finally:
            self._open -= 1
            self._sockets[client] -= 1
            if not self._sockets[client]:
                del self._sockets[client]


def decode_body(kind: type[_T], body: bytes) -> _T:
    """Read a body; raises `Fault`."""
    message: _T = decode(kind, body)
    return message


def make_app(store: Store, settings: Settings, hosts: Iterable[str] | None) -> ASGIApp:
    """Return the application. hosts: the names that requests may ask for, `None` for any. It closes the store."""
    app = _App(store, settings)
    routes = [
        Route("/", app.index),
        Route("/api/info", app.info),
        *(
            Route(path, function, methods=["POST"])
            for path, function in (
                ("/api/game", app.game),
                ("/api/share", app.share),
                ("/api/record/read", app.read_record),
                ("/api/record/write", app.write_record),
                ("/api/rooms", app.rooms),
            )
        ),
        WebSocketRoute("/ws/engine", app.engine_socket),
        WebSocketRoute("/ws/room", app.room_socket),
        Mount("/static", _Static(directory=STATIC, check_dir=False)),
    ]
    handlers: dict[Any, Callable[[Request, Any], Awaitable[Response]]] = {
        Fault: _on_fault,
        HTTPException: _on_http_error,
        ClientDisconnect: _on_http_error,
        Exception: _on_error,
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers, lifespan=app.lifespan), hosts)


class _Static(StaticFiles):
    """Files that are asked for each time whether they have changed."""

    def file_response(self, *arguments: Any, **keywords: Any) -> Response:
        response = super().file_response(*arguments, **keywords)
        response.headers["cache-control"] = "no-cache"
        return response


def _json(body: bytes | dict[str, Any], status: int = 200) -> Response:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Response(data, status, {"cache-control": "no-store"}, "application/json")


async def _on_fault(_request: Request, fault: Fault) -> Response:
    return _json({"error": fault.as_object()}, fault.status)


async def _on_http_error(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    fault = {
        404: Fault("not-found", "no such path"),
        405: Fault("method", "method: not one of this path"),
    }.get(status, Fault("schema", "a request that cannot be read"))
    return _json({"error": fault.as_object()}, fault.status)


async def _on_error(request: Request, error: Exception) -> Response:
    _LOG.error("%s failed", request.url.path, exc_info=error)
    return _json({"error": Fault("internal", "something went wrong here").as_object()}, 500)


def _known_client(scope: Scope) -> str | None:
    """Return the address of a client; `None` for the machine's own, which is its user's, or a proxy's for everybody."""
    client = scope.get("client")
    if not client:
        return None  # a local socket
    address = str(client[0])
    try:
        return None if ipaddress.ip_address(address).is_loopback else address
    except ValueError:
        return address
