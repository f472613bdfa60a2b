"""The API: answers as documented, and every refusal as JSON with a code, a message and the field."""

from __future__ import annotations

import inspect
import json

import pytest

from halma_fast import VARIANTS, Position, errors
from halma_fast.web.faults import STATUS, Fault, fault_of
from halma_fast.web.limits import MAX_BODY
from halma_fast.web.view import full_view

from .host import Server
from .play import SETUPS, random_match


def test_the_variants_are_told_with_their_rules(server: Server):
    status, info, _ = server.ask("/api/info")
    assert status == 200
    assert [variant["name"] for variant in info["variants"]] == list(VARIANTS)
    for told in info["variants"]:
        variant = VARIANTS[told["name"]]
        assert told["rules"] == variant.rules
        assert {"variant": told["name"], "rules": told["rules"]} == {
            name: server.game({"variant": told["name"], "rules": told["rules"]})["setup"][name]
            for name in ("variant", "rules")
        }
    assert info["limits"]["body_bytes"] == MAX_BODY


@pytest.mark.parametrize("name", ["halma8", "pulce", "fen"])
def test_a_game_is_answered_with_its_view(server: Server, name):
    match = random_match(SETUPS[name], 60, 9)
    view = json.loads(json.dumps(full_view(match)))
    told = view["setup"]
    assert server.game(told, *match.current.texts(), earlier=view["earlier"]) == view
    status, shared, _ = server.ask("/api/share", {"fragment": view["fragment"]})
    assert status == 200
    assert shared["fen"] == view["fen"]
    assert shared["fragment"] == view["fragment"]


def test_a_game_as_long_as_allowed_is_answered(server: Server):
    setup = {"variant": "halma8", "rules": {"repetition": None}}
    there_and_back = ["e1-d2", "d8-e7", "d2-e1", "e7-d8"]
    view = server.game(setup, *there_and_back * 500)
    assert view["ply"] == 2000
    assert view["fen"].split()[0] == Position("halma8").fen().split()[0]
    status, answer, _ = server.ask("/api/game", {"setup": setup, "moves": there_and_back * 501})
    assert (status, answer["error"]["code"], answer["error"]["field"]) == (400, "schema", "moves")


def test_records_go_there_and_back(server: Server):
    games = [{"setup": {"variant": "halma8"}, "moves": ["h1-f3"], "tags": {"X": "ann"}}]
    status, written, _ = server.ask("/api/record/write", {"games": games})
    assert status == 200
    status, read, _ = server.ask("/api/record/read", {"text": written["text"]})
    assert (status, read["games"][0]["moves"], read["games"][0]["tags"]) == (200, ["h1-f3"], {"X": "ann"})


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/game", {"setup": {"variant": "halma9"}}, 400, "variant"),
        ("/api/game", {"setup": {"variant": "halma8", "fen": "x"}}, 400, "fen"),
        ("/api/game", {"setup": {"variant": "halma8"}, "moves": ["h1"]}, 400, "move"),
        ("/api/game", {"setup": {"variant": "halma8"}, "moves": ["h1-h2"]}, 400, "illegal"),
        ("/api/game", {"setup": {"variant": "halma8"}, "ply": 1}, 400, "schema"),
        ("/api/game", [], 400, "schema"),
        ("/api/share", {"fragment": "AAAA"}, 400, "link"),
        ("/api/record/read", {"text": "x"}, 400, "record"),
        ("/api/record/write", {"games": []}, 400, "schema"),
        ("/api/rooms", {}, 400, "schema"),
        ("/api/none", {}, 404, "not-found"),
        ("/api/info", {}, 405, "method"),
    ],
)
def test_refusals_have_a_code_and_a_message(server: Server, path, body, status, code):
    told, answer, headers = server.ask(path, body)
    assert (told, answer["error"]["code"]) == (status, code)
    assert set(answer["error"]) == {"code", "message", "field", "index"}
    assert answer["error"]["message"]
    assert headers["content-type"] == "application/json"


def test_bodies_that_are_too_large_or_of_another_type_are_refused(server: Server):
    large = json.dumps({"setup": {"variant": "halma8"}, "moves": ["x" * MAX_BODY]}).encode()
    assert server.ask("/api/game", raw=large)[:1] == (413,)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "application/json5"):
        status, answer, _ = server.ask("/api/game", raw=b'{"setup":{}}', headers={"content-type": kind})
        assert (status, answer["error"]["code"]) == (415, "type")
    assert server.ask("/api/game", raw=b"")[0] == 400
    assert server.ask("/api/game")[0] == 405


def test_every_error_of_the_package_has_a_code():
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.HalmaError)]
    assert len(kinds) > 15
    for kind in kinds:
        fault = fault_of(kind("depth: 0, expected more"))
        assert fault.code in STATUS
        assert fault.field == "depth"
        assert fault.status >= 400
    assert {fault_of(kind("")).code for kind in (errors.IllegalMoveError, errors.GameOverError, errors.MoveError)} == {
        "illegal",
        "over",
        "move",
    }


def test_a_fault_tells_no_more_than_its_message():
    assert Fault("schema", "text", field="a", index=1).as_object() == {
        "code": "schema",
        "message": "text",
        "field": "a",
        "index": 1,
    }
