"""The engine over a socket: the numbers of the command line, one job at a time, and none that outlives its client."""

from __future__ import annotations

import time

import pytest

from halma_fast import Engine, Position

from .host import Server, serving

SETUP = {"variant": "halma10", "rules": {"win": "occupied"}}


def numbers(info: dict) -> tuple:
    names, of_score = ("depth", "seldepth", "multipv", "bound", "nodes", "hashfull", "pv"), ("kind", "value", "text")
    return (*(info[name] for name in names), *(info["score"][name] for name in of_score))


def expected(info) -> tuple:
    return (
        *(info.depth, info.seldepth, info.multipv, info.bound, info.nodes, info.hashfull),
        [move.text for move in info.pv],
        *(info.score.kind, info.score.value, str(info.score)),
    )


@pytest.mark.parametrize("multipv", [1, 3])
def test_an_analysis_has_the_numbers_of_the_engine(server: Server, multipv):
    position = Position("halma10", win="occupied")
    moves = [move.text for move in sorted(position.legal_moves)][:1]
    position.push(moves[0])
    with Engine().analysis(position) as analysis:
        lines = []
        for info in analysis:
            if info.depth > 5:
                break
            lines.append(info)
    found = []
    result = Engine().search(position, depth=5, multipv=multipv, on_info=found.append)
    assert multipv > 1 or [expected(info) for info in lines] == [expected(info) for info in found]
    socket = server.socket("/ws/engine")
    message = {"type": "analyse", "id": 7, "setup": SETUP, "moves": moves, "depth": 5, "multipv": multipv}
    done = socket.ask(message, "done")
    assert [numbers(told) for told in socket.seen if told["type"] == "info"] == [expected(info) for info in found]
    assert [numbers(line) for line in done["lines"]] == [expected(info) for info in result.lines]
    assert (done["id"], done["kind"], done["ended"], done["move"]) == (7, "analyse", "finished", result.best_move.text)
    assert done["path"][0] == done["move"].split("-")[0]
    assert next(told for told in socket.seen if told["type"] == "started")["hash_mb"] == 16


def test_a_stop_brings_what_was_found(server: Server):
    socket = server.socket("/ws/engine")
    socket.ask({"type": "analyse", "id": 1, "setup": SETUP}, "info")
    socket.send({"type": "stop", "id": 99})
    assert socket.ask({"type": "ping"}, "pong")
    done = socket.ask({"type": "stop", "id": 1}, "done")
    assert (done["id"], done["ended"]) == (1, "stopped")
    assert done["move"] == done["lines"][0]["pv"][0]


def test_a_new_job_ends_the_one_before(server: Server):
    socket = server.socket("/ws/engine")
    socket.ask({"type": "analyse", "id": 1, "setup": SETUP}, "info")
    socket.send({"type": "hint", "id": 2, "setup": SETUP, "seconds": 0.1})
    ended = [socket.get("done") for _ in range(2)]
    assert [(done["id"], done["kind"], done["ended"]) for done in ended] == [
        (1, "analyse", "stopped"),
        (2, "hint", "finished"),
    ]


@pytest.mark.parametrize(
    "more", [{"level": 1}, {"level": 6}, {"level": 10, "seconds": 0.1}, {"clock": {"x": 1, "o": 1}}]
)
def test_the_engine_plays_a_legal_move(server: Server, more):
    socket = server.socket("/ws/engine")
    done = socket.ask({"type": "play", "id": 1, "setup": SETUP} | more, "done")
    view = server.game(SETUP)
    assert {"move": done["move"], "path": done["path"]} in view["legal"]


def test_two_engines_play_a_game_to_its_end(server: Server):
    setup = {"variant": "6x6:3,2,1", "rules": {"win": "occupied", "max_turns": 200}}
    sockets = [server.socket("/ws/engine") for _ in range(2)]
    moves: list[str] = []
    while (view := server.game(setup, *moves))["outcome"] is None:
        message = {"type": "play", "id": len(moves), "setup": setup, "moves": moves, "level": 4 + len(moves) % 2}
        moves.append(sockets[len(moves) % 2].ask(message, "done")["move"])
    assert view["outcome"]["reason"] == "camp full"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"moves": ["h1-h2"]}, "illegal"),
        ({"setup": {"variant": "x"}}, "variant"),
        ({"setup": {"variant": "halma8", "rules": {"max_turns": 1}}, "moves": ["h1-f3"]}, "over"),
        ({"depth": 0}, "schema"),
        ({"multipv": 100}, "schema"),
        ({"id": -1}, "schema"),
    ],
)
def test_jobs_that_cannot_begin_are_refused(server: Server, change, code):
    socket = server.socket("/ws/engine")
    error = socket.ask({"type": "analyse", "id": 4, "setup": SETUP, "depth": 1} | change, "error")
    assert (error["code"], error["id"]) == (code, None if code == "schema" else 4)
    assert socket.ask({"type": "analyse", "id": 5, "setup": SETUP, "depth": 1}, "done")["id"] == 5


def test_a_job_ends_when_its_client_leaves_and_others_wait_in_a_queue():
    with serving(threads=1, seconds=50.0, share=50.0) as server:
        first, second, third = (server.socket("/ws/engine") for _ in range(3))
        first.ask({"type": "analyse", "id": 1, "setup": SETUP}, "info")
        assert second.ask({"type": "analyse", "id": 1, "setup": SETUP}, "queued")["ahead"] == 0
        assert third.ask({"type": "analyse", "id": 1, "setup": SETUP, "depth": 2}, "queued")["ahead"] == 1
        began = time.monotonic()
        second.close()
        first.connection.socket.close()  # without a word
        assert third.get("done")["ended"] == "finished"
        assert time.monotonic() - began < 20


def test_the_longest_time_is_kept():
    with serving(threads=1, seconds=0.3) as server:
        socket = server.socket("/ws/engine")
        done = socket.ask({"type": "analyse", "id": 1, "setup": SETUP, "seconds": 100}, "done")
        assert done["ended"] == "budget"
        assert done["move"]
