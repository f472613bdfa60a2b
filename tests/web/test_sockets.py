"""Sockets: silent, slow, loud and faulty peers cost a bounded amount, and the others notice nothing."""

from __future__ import annotations

import json
import socket as sockets
import time

import pytest
from websockets.exceptions import InvalidStatus

from .host import KEYS, SMALL, TIMEOUT, Server, serving


def test_a_silent_peer_is_closed_and_one_that_pings_is_not():
    with serving(threads=1, quiet=1.0) as server:
        silent, alive = server.socket("/ws/engine"), server.socket("/ws/engine")
        for _ in range(4):
            time.sleep(0.4)
            assert alive.ask({"type": "ping"}, "pong") == {"type": "pong"}
        assert silent.closed() == 4408


def test_too_many_faults_in_a_row_close_the_socket(server: Server):
    socket = server.socket("/ws/engine")
    for _ in range(3):
        for _ in range(19):
            assert socket.ask("nonsense", "error")["code"] == "schema"
        assert socket.ask({"type": "ping"}, "pong")
    for _ in range(20):
        socket.send(b"\x00")
    assert socket.closed() == 4400
    assert [message["code"] for message in socket.seen[-20:]] == ["schema"] * 20


def test_a_message_that_is_too_long_closes_the_socket(server: Server):
    socket = server.socket("/ws/engine")
    socket.send(json.dumps({"type": "ping", "x": "x" * 70_000}))
    assert socket.closed() == 1009


def test_a_loud_peer_is_heard_more_slowly_and_loses_nothing(server: Server):
    socket = server.socket("/ws/engine")
    began = time.monotonic()
    for _ in range(75):
        socket.send({"type": "ping"})
    for _ in range(75):
        socket.get("pong")
    assert time.monotonic() - began > 0.5


# What waits is bounded by less here, so that the test need not fill megabytes.
SMALL_BUFFERS = """
import socket
from halma_fast.web import sockets
sockets._MOST_BYTES = 50_000
listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
"""


def deaf_tab(server: Server, token: str) -> sockets.socket:
    """A second tab of x that joins a room, asks for the state again and again, and reads nothing."""
    host, _, port = server.place.partition(":")
    deaf = sockets.socket()
    deaf.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    deaf.connect((host, int(port)))
    deaf.sendall(
        f"GET /ws/room HTTP/1.1\r\nHost: {server.place}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    deaf.recv(1000)
    for message in ({"type": "join", "token": token, "key": KEYS["x"]}, *[{"type": "sync"}] * 55):
        data = json.dumps(message).encode()
        deaf.sendall(bytes((0x81, 0x80 | len(data), 0, 0, 0, 0)) + data)
    return deaf


def test_a_peer_that_reads_nothing_is_dropped_and_the_others_play_on():
    with serving(threads=1, first=SMALL_BUFFERS) as server:
        tokens = server.room({"variant": "halma16"})
        x = server.join(tokens["x"], KEYS["x"])
        deaf = deaf_tab(server, tokens["x"])
        time.sleep(1.0)
        # The connection is ended too, not only forgotten, and most of what was asked for was never sent.
        deaf.settimeout(TIMEOUT)
        read = 0
        while data := deaf.recv(65536):
            read += len(data)
        assert read < len(json.dumps(x.state)) * 30
        move = x.state["view"]["legal"][0]["move"]
        x.send({"type": "move", "id": 1, "game": 0, "ply": 0, "move": move})
        assert x.get("ack")["duplicate"] is False
        deaf.close()


def test_there_are_never_more_sockets_than_allowed():
    with serving(threads=1, sockets=3) as server:
        open_ones = [server.socket("/ws/engine") for _ in range(3)]
        assert server.socket("/ws/room").closed() == 4503
        open_ones[0].close()
        for _ in range(100):  # until the server has noticed
            socket = server.socket("/ws/engine")
            socket.send({"type": "ping"})
            try:
                if socket.get("pong"):
                    break
            except Exception:
                time.sleep(0.02)
        else:
            raise AssertionError("the place was not given back")


def test_other_paths_have_no_socket(server: Server):
    for path in ("/", "/ws", "/api/game", "/static/x"):
        with pytest.raises(InvalidStatus):
            server.socket(path)
    assert server.room(SMALL)
