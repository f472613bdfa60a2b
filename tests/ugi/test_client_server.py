"""The client against the package's own server: a real process, whole games, every variant."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest

from halma_fast import Engine, Limit, OptionError, Position
from halma_fast.errors import EngineTimeoutError
from halma_fast.ugi import Client

SERVER = [sys.executable, "-m", "halma_fast", "ugi"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client.popen(SERVER, timeout=60, options={"hash": 8}) as engine:
        yield engine


def test_it_introduces_itself_and_takes_its_options(client: Client) -> None:
    assert client.id["name"].startswith("halma")
    assert {"Hash", "Variant", "Win", "GoalLock", "HomeReentry", "HomeDeadline", "MaxTurns"} <= set(client.options)
    client.configure({"Hash": 4, "OwnBook": False})
    with pytest.raises(OptionError, match="Hash"):
        client.configure({"Hash": 0})


@pytest.mark.parametrize(
    "position",
    [
        Position("halma8", win="occupied"),
        Position("halma8", goal_lock="move", home_reentry=False, home_deadline=30, max_turns=300, repetition=None),
        Position("halma10"),
        Position("pulce", first="o"),
        Position("5x5:3,2,1"),
    ],
    ids=lambda position: position.variant.name,
)
def test_the_server_plays_what_the_engine_plays(client: Client, position: Position) -> None:
    here = position.copy()
    for _ in range(6):
        played = client.play(here, Limit(nodes=3000))
        result = Engine(hash_mb=4).search(here, nodes=3000)
        assert played.move == result.best_move
        assert played.info is not None
        assert played.info.pv == result.pv
        assert played.info.depth - result.depth in (0, 1)  # the last one may not be finished
        if result.score.margin is None:
            assert played.info.score == result.score
        here.push(played.move)


def test_it_sees_the_end_and_repetitions_as_the_position_does(client: Client) -> None:
    position = Position("halma8")
    for _ in range(2):
        assert client.query("gameover", position) == "false"
        for move in ("h4-h5", "a5-a4", "h5-h4", "a4-a5"):
            position.push(move)
    assert (client.query("gameover", position), client.query("result", position)) == ("true", "draw")
    position.pop()
    assert (client.query("gameover", position), client.query("p1turn", position)) == ("false", "false")


def test_ranked_lines_and_a_search_without_a_limit(client: Client) -> None:
    position = Position("halma8")
    lines = client.analyse(position, Limit(depth=3), multipv=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert len({line.pv[0] for line in lines}) == 3
    assert lines[0].score >= lines[1].score >= lines[2].score
    with client.analysis(position) as analysis:
        assert next(analysis).depth >= 1
        with pytest.raises(EngineTimeoutError):
            analysis.wait(0.05)
        begin = time.monotonic()
        analysis.stop()
        assert position.is_legal(analysis.wait().move)
        assert time.monotonic() - begin < 30
    assert client.play(position, Limit(time=0.05)).info is not None


def test_a_clock_is_kept(client: Client) -> None:
    position = Position("halma8")
    begin = time.monotonic()
    played = client.play(position, Limit(x_clock=1.0, o_clock=1.0))
    assert position.is_legal(played.move)
    assert time.monotonic() - begin < 30
