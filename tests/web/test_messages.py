"""Schemas: what a client may say, and nothing else."""

import json

import pytest

from halma_fast.web.faults import Fault
from halma_fast.web.limits import MAX_MOVES
from halma_fast.web.messages import EngineMessage, GameRequest, RoomMessage, RoomRequest, WriteRecords, decode

SETUP = {"variant": "halma8"}
TOKEN = "0123456789abcdef"
GOOD = [
    (GameRequest, {"setup": SETUP, "moves": ["h1-f3"], "earlier": [["h1-f3"]]}),
    (
        RoomRequest,
        {"setup": {"variant": "pulce", "rules": {"first": "o", "max_turns": None}, "rounds": 3, "fen": None}},
    ),
    (WriteRecords, {"games": [{"setup": SETUP, "tags": {"X": "ann"}, "result": "*", "reason": None}]}),
    (EngineMessage, {"type": "analyse", "id": 1, "setup": SETUP, "depth": 3, "nodes": 5, "seconds": 1, "multipv": 2}),
    (EngineMessage, {"type": "hint", "id": 0, "setup": SETUP, "moves": []}),
    (EngineMessage, {"type": "play", "id": 1, "setup": SETUP, "level": 10, "clock": {"x": 0, "o": 1.5}}),
    (EngineMessage, {"type": "stop", "id": 1}),
    (EngineMessage, {"type": "ping"}),
    (RoomMessage, {"type": "join", "token": TOKEN, "key": TOKEN}),
    (RoomMessage, {"type": "move", "id": 1, "game": 0, "ply": 0, "move": "pass"}),
    (RoomMessage, {"type": "resign", "id": 1, "game": 0}),
    (RoomMessage, {"type": "draw", "id": 1, "game": 0}),
    (RoomMessage, {"type": "rematch", "id": 1, "game": 0}),
    (RoomMessage, {"type": "sync"}),
]


def inner_objects(value):
    if isinstance(value, dict):
        yield value
        for key, inner in value.items():
            if key != "tags":  # whose names are free
                yield from inner_objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from inner_objects(inner)


@pytest.mark.parametrize(("kind", "message"), GOOD)
def test_an_unknown_field_is_refused_wherever_it_stands(kind, message):
    decode(kind, json.dumps(message))
    for number, _ in enumerate(inner_objects(message)):
        changed = json.loads(json.dumps(message))
        list(inner_objects(changed))[number]["extra"] = 1
        with pytest.raises(Fault, match="extra") as caught:
            decode(kind, json.dumps(changed))
        assert caught.value.code == "schema"


@pytest.mark.parametrize(("kind", "message"), GOOD)
@pytest.mark.parametrize("value", [None, True, -1, 1.5, 10**30, "\x00", [], {}, [[]], "x" * 1000])
def test_a_field_of_another_type_is_refused_or_within_its_bounds(kind, message, value):
    for field in message:
        try:
            read = decode(kind, json.dumps(message | {field: value}))
        except Fault as fault:
            told = fault
            assert told.code == "schema" and len(told.message) <= 300, told  # noqa: PT018 - or it is read
        else:
            assert getattr(read, field) == value


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (EngineMessage, {"type": "ping", "id": 1}),
        (EngineMessage, {"type": "join", "token": TOKEN, "key": TOKEN}),
        (EngineMessage, {"id": 1}),
        (EngineMessage, {"type": "play", "id": 1, "setup": SETUP, "level": 11}),
        (EngineMessage, {"type": "analyse", "id": 1, "setup": SETUP, "multipv": 11}),
        (EngineMessage, {"type": "analyse", "id": 1, "setup": SETUP, "seconds": 0}),
        (RoomMessage, {"type": "join", "token": TOKEN + "\n", "key": TOKEN}),
        (RoomMessage, {"type": "join", "token": "0123", "key": TOKEN}),
        (RoomMessage, {"type": "move", "id": True, "game": 0, "ply": 0, "move": "pass"}),
        (GameRequest, {"setup": SETUP, "moves": ["a1-a2"] * (MAX_MOVES + 1)}),
        (GameRequest, {"setup": SETUP | {"rounds": 10}}),
        (GameRequest, {"setup": SETUP | {"rules": {"first": "X"}}}),
        (WriteRecords, {"games": []}),
    ],
)
def test_what_is_out_of_bounds_is_refused(kind, message):
    with pytest.raises(Fault):
        decode(kind, json.dumps(message))


@pytest.mark.parametrize(
    "text", ["", "nul", "[" * 100_000, '{"setup":', '{"setup":NaN}', b"\xff\xfe", "1e999", '"\\ud800"']
)
def test_what_is_no_json_is_refused(text):
    for kind in (GameRequest, EngineMessage, RoomMessage):
        with pytest.raises(Fault) as caught:
            decode(kind, text)
        assert caught.value.code == "schema"
