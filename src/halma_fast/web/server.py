"""The server's life: a socket that is bound before anything else, the loop, and its end.

Invariant: an address that cannot be bound or a file that cannot be used is an error before anything runs, and Ctrl-C
ends it at once. Guarded by tests/web/test_command.py.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable, Iterable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from halma_fast.errors import OptionError
from halma_fast.web.app import make_app
from halma_fast.web.guard import Guard
from halma_fast.web.limits import MAX_MESSAGE, Settings
from halma_fast.web.store import Store

__all__ = ["bind", "serve"]

_MOST_HEADER_BYTES: Final = 16 * 1024
_END_SECONDS: Final = 1


class _Protocol(WebSocketsSansIOProtocol):
    """The protocol with two things more: a frame for many peers is made once and written at once, and a connection can
    be ended whose peer reads nothing, for closing it would wait for that peer."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["halma_fast.write"] = self._write_now
            scope["halma_fast.abort"] = self.transport.abort

    def _write_now(self, frame: bytes) -> bool:
        """Write a whole frame if the peer has read what was written before; returns whether it was."""
        if self.conn.state is not State.OPEN or self.close_sent or self.transport.is_closing():
            return False
        if not self.writable.is_set():
            return False
        self.transport.write(frame)
        return True


class _Server(uvicorn.Server):
    """Uvicorn's server, which tells when it is there."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()


def bind(host: str, port: int) -> tuple[socket.socket, str]:
    """Return a listening socket and the address of the page there; port 0 for any. Raises `OptionError`."""
    if not host or not host.isascii() or any(character.isspace() for character in host):
        raise OptionError(f"host: {host!r}, expected the name or the number of an address")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise OptionError(f"host: {host!r} cannot be used: {getattr(error, 'strerror', None) or error}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise OptionError(f"port: {port} is in use, expected a free one, or 0 for any") from None
        if error.errno == errno.EACCES:
            raise OptionError(f"port: {port} is not allowed, expected one from 1024 on, or 0 for any") from None
        raise OptionError(f"host: {host!r} cannot be used: {error.strerror or error}") from None
    shown = f"[{host}]" if ":" in host else host
    return listening, f"http://{shown}:{listening.getsockname()[1]}/"


def serve(
    listening: socket.socket,
    database: str,
    settings: Settings,
    *,
    hosts: Iterable[str] = (),
    behind_proxy: bool = False,
    on_start: Callable[[], None] = lambda: None,
) -> None:
    """Serve until a signal comes; `KeyboardInterrupt` at Ctrl-C.

    listening: from `bind`; database: the file of games by link, or ":memory:"; hosts: further names of this server;
    behind_proxy: the client's address is what a proxy on this machine says. Raises `OptionError`.
    """
    names = list(hosts)
    local = _is_loopback(listening)
    with contextlib.closing(listening):
        store = Store(database)
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        config = uvicorn.Config(
            make_app(store, settings, Guard.loopback_hosts(names) if local else names or None),
            ws=_Protocol,
            http="h11",
            loop="asyncio",
            lifespan="on",
            interface="asgi3",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=behind_proxy,
            forwarded_allow_ips=["127.0.0.1", "::1"],
            ws_max_size=MAX_MESSAGE,
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=_MOST_HEADER_BYTES,
            limit_concurrency=settings.sockets + 1000,
            timeout_graceful_shutdown=_END_SECONDS,
        )
        try:
            _Server(config, on_start).run(sockets=[listening])
        finally:
            store.close()


def _is_loopback(listening: socket.socket) -> bool:
    with contextlib.suppress(ValueError, IndexError):
        return ipaddress.ip_address(str(listening.getsockname()[0])).is_loopback
    return False
