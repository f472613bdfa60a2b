"""What nobody may do in a game by link: it is told, and nothing changes."""

from __future__ import annotations

import pytest

from .host import KEYS, SMALL, Server

OTHER_KEY = "key-of-another-browser"


@pytest.fixture
def game(server: Server):
    tokens = server.room(SMALL)
    sockets = {name: server.join(tokens[name], KEYS[name]) for name in ("x", "o", "watch")}
    yield tokens, sockets
    for socket in sockets.values():
        socket.close()


def refused(socket, message, code):
    """The peer is told of its fault, and its state is as before."""
    before = socket.ask({"type": "sync"}, "state")
    error = socket.ask(message, "error")
    assert (error["code"], error["id"]) == (code, message.get("id"))
    after = socket.ask({"type": "sync"}, "state")
    while after["players"] != before["players"] or after["watchers"] != before["watchers"]:
        before = before | {name: after[name] for name in ("players", "watchers")}
    assert after == before


def test_the_other_side_and_a_watcher_are_refused(game):
    _, sockets = game
    move = sockets["x"].state["view"]["legal"][0]["move"]
    message = {"type": "move", "id": 5, "game": 0, "ply": 0, "move": move}
    refused(sockets["o"], message, "turn")
    refused(sockets["watch"], message, "role")
    for kind in ("resign", "draw"):
        refused(sockets["watch"], {"type": kind, "id": 1, "game": 0}, "role")
    assert sockets["watch"].state["view"]["legal"] == sockets["o"].state["view"]["legal"] == []
    assert sockets["watch"].state["role"] == "watch"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ply": 1}, "stale"),
        ({"game": 1}, "stale"),
        ({"move": "a1-a2"}, "illegal"),
        ({"move": "z1-a2"}, "move"),
        ({"move": ""}, "move"),
        ({"move": "pass"}, "illegal"),
        ({"type": "rematch"}, "stale"),
    ],
)
def test_moves_that_do_not_fit_are_refused(game, change, code):
    _, sockets = game
    message = {"type": "move", "id": 2, "game": 0, "ply": 0, "move": "d1-c1"} | change
    if message["type"] == "rematch":
        message = {"type": "rematch", "id": 2, "game": 0}
    error = sockets["x"].ask(message, "error")
    assert (error["code"], error["id"]) == (code, 2)
    if code == "stale":
        assert sockets["x"].get("state")["version"] == 0
    assert sockets["o"].ask({"type": "sync"}, "state")["version"] == 0


def test_a_game_that_is_over_stays_over(game):
    _, sockets = game
    move = sockets["x"].state["view"]["legal"][0]["move"]
    sockets["o"].ask({"type": "resign", "id": 1, "game": 0}, "ack")
    sockets["x"].get("state")
    refused(sockets["x"], {"type": "move", "id": 1, "game": 0, "ply": 0, "move": move}, "over")
    refused(sockets["x"], {"type": "resign", "id": 1, "game": 0}, "over")


def test_who_opens_a_link_that_somebody_has_watches(server: Server, game):
    tokens, _ = game
    late = server.join(tokens["x"], OTHER_KEY)
    assert (late.welcome["taken"], late.welcome["seat"], late.state["role"]) == (True, None, "watch")
    refused(late, {"type": "resign", "id": 1, "game": 0}, "role")
    again = server.join(tokens["x"], KEYS["x"])
    assert (again.welcome["taken"], again.welcome["seat"], again.state["role"]) == (False, "a", "x")


def test_nothing_can_be_done_before_coming_in_or_with_a_token_of_no_room(server: Server):
    socket = server.socket("/ws/room")
    for message in ({"type": "sync"}, {"type": "move", "id": 1, "game": 0, "ply": 0, "move": "d1-c1"}):
        assert socket.ask(message, "error")["code"] == "schema"
    assert socket.ask({"type": "ping"}, "pong") == {"type": "pong"}
    assert socket.ask({"type": "join", "token": "no-such-token-0123", "key": KEYS["x"]}, "error")["code"] == "not-found"
    assert socket.closed() == 4404


def test_one_socket_is_in_one_room(server: Server, game):
    tokens, sockets = game
    other = server.room(SMALL)
    message = {"type": "join", "token": other["o"], "key": KEYS["o"]}
    assert sockets["x"].ask(message, "error")["code"] == "schema"
    assert sockets["x"].ask({"type": "sync"}, "state")["role"] == "x"
    assert server.join(other["o"], OTHER_KEY).welcome["seat"] == "b"  # not taken by the refused one
    assert tokens["x"] != other["x"]


def test_a_game_that_cannot_be_set_up_opens_no_room(server: Server):
    for setup, code in (({"variant": "halma9"}, "variant"), ({"variant": "halma8", "fen": "8 x"}, "fen")):
        status, answer, _ = server.ask("/api/rooms", {"setup": setup})
        assert (status, answer["error"]["code"]) == (400, code)
