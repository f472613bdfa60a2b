"""Garbage over every way in: the server answers with an error or closes the socket, still works, and nothing changes.

Seeded; HALMA_FAST_FUZZ=N tries N times as much.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from properties.effort import FUZZ
from websockets.exceptions import ConnectionClosed

from .host import KEYS, SMALL, Server

VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        7,
        2**31,
        2**63,
        1e308,
        0.5,
        "",
        "x",
        "o",
        "h1-f3",
        "pass",
        "a1-a2",
        "\x00",
        "\ud83d",
    ),
    *("💥" * 50, "a" * 500, [], {}, [[]], [None], {"x": 1}, ["h1-f3"] * 30, [["h1-f3"]], {"variant": "halma8"}),
]
SEEDS: dict[str, list[dict[str, Any]]] = {
    "/ws/engine": [
        {"type": "analyse", "id": 1, "setup": SMALL, "moves": [], "depth": 1, "multipv": 2},
        {"type": "hint", "id": 1, "setup": {"variant": "halma8", "rules": {"goal_lock": "hop"}}, "seconds": 0.01},
        {"type": "play", "id": 1, "setup": {"variant": "pulce", "rounds": 1}, "level": 1, "clock": {"x": 1, "o": 1}},
        {"type": "stop", "id": 1},
    ],
    "/ws/room": [
        {"type": "join", "token": "0123456789abcdef", "key": KEYS["x"]},
        {"type": "move", "id": 1, "game": 0, "ply": 0, "move": "d1-c1"},
        {"type": "resign", "id": 1, "game": 5},
        {"type": "rematch", "id": 1, "game": 0},
        {"type": "sync"},
    ],
}
BODIES: dict[str, dict[str, Any]] = {
    "/api/game": {
        "setup": {"variant": "halma8", "rules": {"win": "full"}, "fen": None, "rounds": 1},
        "moves": ["h1-f3"],
    },
    "/api/share": {"fragment": "AQA"},
    "/api/record/read": {"text": '[Variant "halma8"]\n\n1. h1-f3 *\n'},
    "/api/record/write": {"games": [{"setup": SMALL, "moves": [], "tags": {"X": "a"}, "result": "*"}]},
    "/api/rooms": {"setup": {"variant": "nothing"}},
}


def spoiled(value: Any, numbers: Random) -> Any:
    """Return the value with something else somewhere in it."""
    if numbers.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return numbers.choice(VALUES)
    if isinstance(value, list):
        at = numbers.randrange(len(value))
        return [*value[:at], spoiled(value[at], numbers), *value[at + 1 :]]
    name = numbers.choice(list(value))
    kind = numbers.random()
    if kind < 0.1:
        return {key: inner for key, inner in value.items() if key != name}
    if kind < 0.2:
        return value | {numbers.choice(["extra", "__class__", "id", "type", ""]): numbers.choice(VALUES)}
    return value | {name: spoiled(value[name], numbers)}


def as_text(value: Any, numbers: Random) -> str | bytes:
    """Return JSON, sometimes with a part missing or changed."""
    text = json.dumps(value)
    kind = numbers.random()
    if kind < 0.1:
        return text[: numbers.randrange(len(text) + 1)]
    if kind < 0.2:
        at = numbers.randrange(len(text))
        return text[:at] + chr(numbers.randrange(1, 300)) + text[at + 1 :]
    return text.encode() if kind < 0.25 else text


@pytest.mark.parametrize("path", BODIES)
def test_bodies(server: Server, path):
    numbers = Random(path)
    for _ in range(60 * FUZZ):
        text = as_text(spoiled(BODIES[path], numbers), numbers)
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        status, answer, _ = server.ask(path, raw=raw)
        assert status in (200, 400), (raw, answer)
        assert status == 200 or answer["error"]["code"] in {
            *("schema", "variant", "fen", "move", "illegal", "over", "record", "link", "limit"),
        }
    assert server.game(SMALL)["ply"] == 0


@pytest.mark.parametrize("path", SEEDS)
@pytest.mark.parametrize("seed", range(2 * FUZZ))
def test_messages(server: Server, path, seed):
    numbers = Random(f"{path} {seed}")
    tokens = server.room(SMALL)
    player = server.join(tokens["x"], KEYS["x"])
    before = player.ask({"type": "sync"}, "state")
    socket = server.socket(path)
    for _ in range(50):
        text = as_text(spoiled(numbers.choice(SEEDS[path]), numbers), numbers)
        try:
            socket.send(text)
        except ConnectionClosed:
            assert socket.closed() in (1007, 4400, 4404), text
            socket = server.socket(path)
    socket.close()
    after = player.ask({"type": "sync"}, "state")
    assert (after["version"], after["view"]) == (before["version"], before["view"])
    assert server.socket("/ws/engine").ask({"type": "play", "id": 1, "setup": SMALL, "level": 1}, "done")["move"]


def test_messages_of_a_player_whose_turn_it_is_not_change_nothing(server: Server):
    numbers = Random(5)
    tokens = server.room(SMALL)
    x, o = (server.join(tokens[side], KEYS[side]) for side in "xo")
    for number in range(50 * FUZZ):
        if number % 10 == 0:
            o.ask({"type": "ping"}, "pong")  # too many faults in a row would end the socket
        # It is x's turn: nothing that o says is a move. Resigning would be its right.
        text = as_text(spoiled(numbers.choice(SEEDS["/ws/room"][1:]), numbers), numbers)
        if isinstance(text, str) and ('"resign"' in text or '"draw"' in text):
            continue
        o.send(text)
        told = o.get("error", "state", "pong", "ack")
        assert told["type"] != "ack", text
    o.close()
    assert x.ask({"type": "sync"}, "state")["version"] == 0


def test_links(server: Server):
    numbers = Random(6)
    fragment = server.game({"variant": "halma8"}, "h1-f3", "a7-c5")["fragment"]
    letters = "ABCDEFabcdef0123456789-_=+/ %\x00é"
    for _ in range(150 * FUZZ):
        at = numbers.randrange(len(fragment))
        changed = fragment[:at] + "".join(numbers.choices(letters, k=numbers.randrange(3))) + fragment[at + 1 :]
        status, answer, _ = server.ask("/api/share", {"fragment": changed})
        if status == 200:
            assert answer["fragment"] == fragment
        else:
            assert (status, answer["error"]["code"]) == (400, "link")
