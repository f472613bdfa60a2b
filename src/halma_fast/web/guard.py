"""What every request passes on its way in and out: who may ask, and the headers of every answer.

Owns the content security policy. Invariant: no page of another site can use this server, whether it names it directly
(origin) or by a name that leads here (host). Guarded by tests/web/test_guard.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from halma_fast.web.faults import Fault

__all__ = ["POLICY", "Guard", "header"]

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS: Final = tuple(
    (name.encode("ascii"), value.encode("ascii"))
    for name, value in (
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    )
)
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header of a request, `None` if there is none; several are none that can be believed."""
    values = [value for key, value in scope["headers"] if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else "" if values else None


class Guard:
    """An ASGI application around another: Guard(app, hosts), hosts: the names it answers to, `None` for any.

    A request with an `Origin` is answered only if that is the host it was sent to. Those without are not from a page.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(name.lower() for name in hosts)

    @staticmethod
    def loopback_hosts(more: Iterable[str]) -> frozenset[str]:
        """Return the names of the machine itself, and more of them."""
        return _LOOPBACK | frozenset(more)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = self._refusal(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        if fault is None:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "http":
            await _refuse(fault, send_with_headers, "http.response")
        else:
            await receive()  # the handshake
            await _refuse(fault, send_with_headers, "websocket.http.response")

    def _refusal(self, scope: Scope) -> Fault | None:
        host = header(scope, b"host")
        name = _name_of(host or "")
        if not name or (self._hosts is not None and name not in self._hosts):
            return Fault("host", "host: not a name of this server; --allow-host adds one", field="host")
        origin = header(scope, b"origin")
        # Compared as text: a browser writes both the same way.
        if origin is not None and origin.lower() not in {f"{scheme}://{host}".lower() for scheme in ("http", "https")}:
            return Fault("origin", "origin: another site's page, expected one of this server", field="origin")
        return None


def _name_of(host: str) -> str:
    """Return the name in a Host header, without the port, "" for something else."""
    try:
        parts = urlsplit(f"//{host}")
        plain = parts.path == parts.query == parts.fragment == "" and parts.username is None and parts.port != 0
    except ValueError:
        return ""
    if not plain or not parts.hostname:
        return ""
    return f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname


async def _refuse(fault: Fault, send: Send, kind: str) -> None:
    body = msgspec.json.encode({"error": fault.as_object()})
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": f"{kind}.start", "status": fault.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
