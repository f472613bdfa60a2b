"""Headers of every answer, and who is not answered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

import halma_fast.web

from .host import Server, serving

STATIC = Path(halma_fast.web.__file__).parent / "static"
BODY = {"setup": {"variant": "halma8"}}
ANSWERS = [
    ("/", None),
    ("/api/info", None),
    ("/api/game", BODY),
    ("/api/game", {"x": 1}),
    ("/api/rooms", BODY),
    ("/static/none.js", None),
    ("/none", None),
    ("/static/../app.py", None),
]


@pytest.mark.parametrize(("path", "body"), ANSWERS)
def test_every_answer_has_the_headers_and_no_cookie(server: Server, path, body):
    _, _, headers = server.ask(path, body)
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert set(" ".join(policy.values()).split()) == {"'none'", "'self'", "data:"}
    assert "data:" not in policy["script-src"] + policy["style-src"] + policy["connect-src"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["set-cookie"] is None
    assert headers["server"] is None
    if path.startswith("/api"):
        assert headers["cache-control"] == "no-store"
        assert headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "evil.example#@127.0.0.1"},
        {"Host": "user@127.0.0.1"},
        {"Host": "127.0.0.1/x"},
        {"Host": "127.0.0.1:99999"},
        {"Host": "[::1"},
        {"Host": ""},
    ],
)
def test_a_name_that_only_leads_here_is_refused(server: Server, headers):
    for path, body in (("/api/game", BODY), ("/api/info", None), ("/", None)):
        assert server.ask(path, body, headers=headers)[0] in (400, 421)
    with pytest.raises((InvalidStatus, ConnectionError)):
        server.socket("/ws/engine", additional_headers=headers)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "[::1]:8000", "127.0.0.1"])
def test_the_machine_itself_is_answered_by_its_names(server: Server, host):
    assert server.ask("/api/info", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://127.0.0.1", "https://127.0.0.1:1", "file://", "http://[", "x y"],
)
def test_a_page_of_another_site_is_refused(server: Server, origin):
    status, answer, _ = server.ask("/api/game", BODY, headers={"Origin": origin})
    assert (status, answer["error"]["code"]) == (403, "origin")
    with pytest.raises(InvalidStatus) as caught:
        server.socket("/ws/room", additional_headers={"Origin": origin})
    assert caught.value.response.status_code == 403
    assert "content-security-policy" in caught.value.response.headers


def test_the_own_page_is_answered(server: Server):
    own = {"Origin": f"http://{server.place}"}
    assert server.ask("/api/game", BODY, headers=own)[0] == 200
    server.socket("/ws/engine", additional_headers=own).close()


def open_rooms(server: Server, address: str) -> list[int]:
    headers = {"X-Forwarded-For": address}
    return [server.ask("/api/rooms", BODY, headers=headers)[0] for _ in range(31)]


def test_clients_are_told_apart_behind_a_proxy_and_only_there():
    with serving("--db", ":memory:", "--behind-proxy", "--allow-host", "halma.example") as behind:
        assert open_rooms(behind, "192.0.2.1")[28:] == [200, 200, 429]
        assert open_rooms(behind, "192.0.2.2")[28:] == [200, 200, 429]
        # What the proxy calls itself by is a name of the server; a page of it is its own.
        headers = {"Host": "halma.example", "Origin": "https://halma.example"}
        assert behind.ask("/api/game", BODY, headers=headers)[0] == 200


def test_names_can_be_added():
    with serving("--db", ":memory:", "--allow-host", "halma.example") as server:
        assert server.ask("/api/info", headers={"Host": "halma.example"})[0] == 200
        assert server.ask("/api/info", headers={"Host": "other.example"})[0] == 421
        assert server.ask("/api/info", headers={"Host": "localhost"})[0] == 200
        # Nobody asked to believe what a client says of its address, and the own machine is not held back.
        assert set(open_rooms(server, "192.0.2.1")) == {200}


def test_the_page_is_small_and_asks_nobody_else():
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 150_000
    for path in files:
        text = path.read_text(encoding="utf-8")
        # The names of XML's spaces are no addresses.
        outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+", text)) - {"http://www.w3.org", "//www.w3.org"}
        assert not outside, f"{path.name} names {outside}"
