"""How the server is driven: as the process that a user starts, over real sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

TIMEOUT = 60.0
KEYS = {"x": "key-of-x-0123456789", "o": "key-of-o-0123456789", "watch": "key-of-w-0123456789"}
SMALL = {"variant": "4x4:2,1", "rules": {"win": "occupied", "max_turns": 60}}


# A server whose settings the command does not offer.
_SCRIPT = """
import sys, json
from halma_fast.web.limits import Settings
from halma_fast.web.server import bind, serve
listening, address = bind("127.0.0.1", 0)
exec(sys.argv[2])
settings = Settings(**json.loads(sys.argv[1]))
serve(listening, ":memory:", settings, on_start=lambda: print(address, flush=True))
"""


class Server:
    """`halma-fast serve` on a free port: Server(*options), or with settings of its own and games in memory.

    first: what the process does with its socket, `listening`, before it serves; only with settings.
    """

    def __init__(self, *options: str, first: str = "", **settings: float) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        command = ["-m", "halma_fast", "serve", "--port", "0", *options]
        self.process = subprocess.Popen(
            [sys.executable, *(["-c", _SCRIPT, json.dumps(settings), first] if settings else command)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            _, errors = self.process.communicate(timeout=TIMEOUT)
            raise AssertionError(errors)
        self.place = urlsplit(self.address).netloc

    def ask(
        self, path: str, body: object = None, *, headers: dict[str, str] | None = None, raw: bytes | None = None
    ) -> tuple[int, Any, http.client.HTTPMessage]:
        """Return status, JSON (or text) and headers of an answer; a POST if there is a body."""
        connection = http.client.HTTPConnection(self.place, timeout=TIMEOUT)
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        given = {"content-type": "application/json"} if data is not None else {}
        with contextlib.closing(connection):
            connection.request("GET" if data is None else "POST", path, data, given | (headers or {}))
            answer = connection.getresponse()
            text = answer.read().decode()
        with contextlib.suppress(ValueError):
            return answer.status, json.loads(text), answer.headers
        return answer.status, text, answer.headers

    def game(self, setup: dict[str, Any], *moves: str, earlier: list[list[str]] | None = None) -> dict[str, Any]:
        """Return the view of a game."""
        body: dict[str, Any] = {"setup": setup, "moves": list(moves)}
        status, view, _ = self.ask("/api/game", body | ({"earlier": earlier} if earlier else {}))
        assert status == 200, view
        return view

    def room(self, setup: dict[str, Any]) -> dict[str, str]:
        """Open a game by link and return its tokens."""
        status, tokens, _ = self.ask("/api/rooms", {"setup": setup})
        assert status == 200, tokens
        return tokens

    def socket(self, path: str, **options: Any) -> Socket:
        """Return a new socket."""
        # Not as a context: tests close some of them, and the server's end the rest. Without a bound for what is not
        # read yet, for closing would wait until it has been.
        options = {"open_timeout": TIMEOUT, "max_queue": None} | options
        return Socket(connect(f"ws://{self.place}{path}", **options).__enter__())

    def join(self, token: str, key: str) -> Socket:
        """Return a socket in a room, with what it was told at first in `welcome` and `state`."""
        socket = self.socket("/ws/room")
        socket.send({"type": "join", "token": token, "key": key})
        socket.welcome, socket.state = socket.get("welcome"), socket.get("state")
        return socket

    def kill(self) -> None:
        """End the process without a word."""
        self.process.kill()
        self.process.wait(TIMEOUT)
        self._close()

    def stop(self) -> int:
        """End it as a user does and return the exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(TIMEOUT)
        self._close()
        return status

    def _close(self) -> None:
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


class Socket:
    """A WebSocket that reads messages of the type that is waited for."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.welcome: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []

    def send(self, message: object) -> None:
        """Send an object, or a text as it is."""
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def get(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types; others are kept in `seen`."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            message = json.loads(self.connection.recv(timeout=TIMEOUT))
            self.seen.append(message)
            if message["type"] in types:
                return message
        raise AssertionError(f"no {types} came")

    def ask(self, message: dict[str, Any], *types: str) -> dict[str, Any]:
        """Send a message and return the next one of these types."""
        self.send(message)
        return self.get(*types)

    def closed(self) -> int:
        """Wait for the server to close, and return the code."""
        try:
            while True:
                self.seen.append(json.loads(self.connection.recv(timeout=TIMEOUT)))
        except ConnectionClosed as error:
            return 1006 if error.rcvd is None else error.rcvd.code

    def close(self) -> None:
        """Go."""
        self.connection.close()


@contextlib.contextmanager
def serving(*options: str, first: str = "", **settings: float) -> Iterator[Server]:
    """Give a server that ends with the context."""
    server = Server(*options, first=first, **settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
