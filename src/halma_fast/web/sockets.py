"""A WebSocket from the server's side: reading that is checked and slowed, writing that never waits.

Owns the queue of what is still to be sent. Invariant: a peer that does not read is dropped before it costs more than
the bounds below, and one that writes too fast is only read more slowly. Guarded by tests/web/test_sockets.py.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.frames import Frame, Opcode

from halma_fast.web.faults import Fault
from halma_fast.web.limits import BYTES_A_TOKEN, Bucket
from halma_fast.web.messages import decode

__all__ = ["Peer", "Text", "encode"]

# Text that may wait for a peer: some states of a long game, or a second of an analysis.
_MOST_BYTES: Final = 2 * 1024 * 1024
_MOST_MESSAGES: Final = 256
_RATE: Final = 20.0
_BURST: Final = 60.0
_MOST_FAULTS: Final = 20
_CLOSE_SECONDS: Final = 2.0

BAD_MESSAGES: Final = 4400
SILENT: Final = 4408
TOO_SLOW: Final = 4413


class Text:
    """A message ready to be sent, to one peer or to many."""

    __slots__ = ("frame", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # A server's frames are not masked: the same bytes suit everybody.
        self.frame = Frame(Opcode.TEXT, text.encode("utf-8")).serialize(mask=False)


def encode(message: dict[str, Any]) -> Text:
    """Return a message ready to be sent."""
    return Text(msgspec.json.encode(message).decode("utf-8"))


class Peer:
    """An accepted socket: Peer(socket, client, quiet). `client` names who it is counted for; `quiet`: seconds."""

    def __init__(self, socket: WebSocket, client: str, quiet: float) -> None:
        self.client = client
        self._socket = socket
        self._quiet = quiet
        self._waiting: deque[list[Any]] = deque()  # pairs of key and text, which may be replaced while it waits
        self._keyed: dict[object, list[Any]] = {}
        self._bytes = 0
        # What the server's protocol adds: a way to write at once, and one to end the connection at once.
        self._write_now: Callable[[bytes], bool] = socket.scope.get("halma_fast.write", lambda frame: False)
        self._abort: Callable[[], None] = socket.scope.get("halma_fast.abort", lambda: None)
        self._writing = False
        self._something = asyncio.Event()
        self._close_code: int | None = None
        self._reader: asyncio.Task[None] | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message soon."""
        self.send_text(encode(message))

    def send_latest(self, key: object, message: dict[str, Any]) -> None:
        """Send a message soon, in place of the one with this key if that still waits."""
        text = encode(message)
        entry = self._keyed.get(key)
        if entry is None:
            self.send_text(text, key)
        else:
            self._bytes += len(text.frame) - len(entry[1].frame)
            entry[1] = text

    def send_text(self, text: Text, key: object = None) -> None:
        """Send a message soon, at once if nothing waits; a peer that has left too much unread is dropped."""
        if self._close_code is not None:
            return
        if not self._waiting and not self._writing and self._write_now(text.frame):
            return
        entry = [key, text]
        if key is not None:
            self._keyed[key] = entry
        self._waiting.append(entry)
        self._bytes += len(text.frame)
        if self._bytes > _MOST_BYTES or len(self._waiting) > _MOST_MESSAGES:
            self._drop()
        self._something.set()

    def send_fault(self, fault: Fault, id_: int | None = None) -> None:
        """Tell of a refusal."""
        self.send({"type": "error", "id": id_, **fault.as_object()})

    def close(self, code: int) -> None:
        """Close the socket after what still waits to be sent."""
        if self._close_code is None:
            self._close_code = code
        self._something.set()

    def _drop(self) -> None:
        """End the connection without a word: nobody reads."""
        self._waiting.clear()
        self._keyed.clear()
        self._bytes = 0
        self._close_code = TOO_SLOW
        self._abort()
        if self._reader is not None:
            self._reader.cancel()

    async def run(self, kind: object, handle: Callable[[Any], Awaitable[None]], *, first: float | None = None) -> None:
        """Read messages of a kind and handle one after the other, until either side has had enough.

        first: seconds in which the first one must come. A `Fault` that `handle` raises is told to the peer.
        """
        self._reader = asyncio.ensure_future(self._read(kind, handle, first))
        writer = asyncio.ensure_future(self._write())
        try:
            await asyncio.wait({self._reader, writer}, return_when=asyncio.FIRST_COMPLETED)
            if self._reader.done() and not writer.done():
                # What was said last, such as why the socket is closed, still goes out.
                await asyncio.wait({writer}, timeout=_CLOSE_SECONDS)
        finally:
            for task in (self._reader, writer):
                task.cancel()
            results = await asyncio.gather(self._reader, writer, return_exceptions=True)
            self._waiting.clear()
            self._keyed.clear()
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError):
                raise result

    async def _read(self, kind: object, handle: Callable[[Any], Awaitable[None]], first: float | None) -> None:
        bucket = Bucket(_RATE, _BURST)
        faults = 0
        patience = self._quiet if first is None else first
        while self._close_code is None:
            try:
                received = await asyncio.wait_for(self._socket.receive(), patience)
            except TimeoutError:
                self.close(SILENT)
                return
            patience = self._quiet
            if received["type"] != "websocket.receive":
                self._close_code = 1005  # it is closed
                self._something.set()
                return
            # Whoever writes faster waits: until this is read, nothing more of it is taken from the network.
            text = received.get("text")
            await asyncio.sleep(bucket.take(1.0 + len(text or "") // BYTES_A_TOKEN))
            try:
                if text is None:
                    raise Fault("schema", "a binary message, expected JSON as text")
                message: Any = decode(kind, text)
            except Fault as fault:
                faults += 1
                self.send_fault(fault)
                if faults >= _MOST_FAULTS:
                    self.close(BAD_MESSAGES)
                continue
            faults = 0
            try:
                await handle(message)
            except Fault as fault:
                self.send_fault(fault, getattr(message, "id", None))

    async def _write(self) -> None:
        while True:
            while self._waiting:
                entry = self._waiting.popleft()
                key, text = entry
                if key is not None and self._keyed.get(key) is entry:
                    del self._keyed[key]
                self._bytes -= len(text.frame)
                self._writing = True
                await self._socket.send({"type": "websocket.send", "text": text.text})
                self._writing = False
            if self._close_code is not None:
                break
            self._something.clear()
            await self._something.wait()
        if self._close_code != 1005:
            with contextlib.suppress(RuntimeError):
                await self._socket.close(self._close_code)
