"""The client of the protocol: every engine, the worst included, gives an answer or an exception in time."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from halma_fast import EngineBusyError, GameOverError, Limit, LimitError, Move, OptionError, Position, Score
from halma_fast.errors import EngineDiedError, EngineTimeoutError, UgiError
from halma_fast.types import Info
from halma_fast.ugi import Client

FAKE = [sys.executable, "-I", "-S", str(Path(__file__).with_name("fake_engine.py"))]
MOVE = "h4-h5"
QUICK = 0.3  # seconds; a timeout that is waited for
SOON = 30.0  # seconds; far above what anything here takes


def fake(mode: str, *arguments: str, **keywords: Any) -> Client:
    return Client.popen([*FAKE, mode, *arguments], **keywords)


def impatient(mode: str) -> Client:
    """A client with a short timeout from now on: a machine under load may need longer for the start."""
    engine = fake(mode)
    engine._timeout = QUICK
    return engine


@pytest.fixture
def client() -> Iterator[Client]:
    with fake("normal") as engine:
        yield engine


@pytest.fixture
def position() -> Position:
    return Position("halma8", win="occupied")


def is_gone(pid: int) -> bool:
    """Whether no process has this number, not even a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def has_ended(pid: int) -> bool:
    """Whether a process has ended, or does so soon; it may be a zombie."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def sent(log: Path) -> list[str]:
    return log.read_text().splitlines()


def test_an_engine_introduces_itself(client: Client) -> None:
    assert dict(client.id) == {"name": "Fake Engine", "author": "Nobody"}
    assert list(client.options) == ["Variant", "Win", "HomeDeadline", "HomeReentry", "MultiPV"]
    assert client.options["HomeDeadline"].high == 1_000_000
    assert 0 <= client.ping() < SOON


def test_play_returns_the_move_and_the_last_word_of_it(client: Client, position: Position) -> None:
    played = client.play(position, Limit(depth=2))
    first, second = Move.from_text(MOVE), Move.from_text("a7-c5")
    assert played.move == first
    assert played.info == Info(2, 4, 1, Score("win", 5), "exact", 500, 0.1, 5000, 1000, (first, second))
    assert position == Position("halma8", win="occupied")


def test_analyse_ranks_the_lines(client: Client, position: Position) -> None:
    lines = client.analyse(position, Limit(nodes=100), multipv=2)
    assert [(line.multipv, line.score, line.bound) for line in lines] == [
        (1, Score("win", 5), "exact"),
        (2, Score("loss", 4), "upper"),
    ]


def test_analysis_yields_infos_and_stops_from_another_thread(client: Client, position: Position) -> None:
    with client.analysis(position) as analysis:
        assert [next(analysis).depth for _ in range(3)] == [1, 2, 2]
        assert [line.multipv for line in analysis.multipv] == [1, 2]
        with pytest.raises(EngineTimeoutError, match="goes on"):
            analysis.wait(0.01)
        with pytest.raises(EngineBusyError):
            client.ping()
        threading.Timer(0.05, analysis.stop).start()
        assert list(analysis) == []
        analysis.stop()
        assert analysis.wait().move == Move.from_text(MOVE)
    assert client.play(position, Limit(depth=1)).move == Move.from_text(MOVE)


def test_leaving_an_analysis_ends_it_also_by_an_exception(client: Client, position: Position) -> None:
    with client.analysis(position):
        pass
    with pytest.raises(ZeroDivisionError), client.analysis(position):
        raise ZeroDivisionError
    assert client.play(position, Limit(depth=1)).move == Move.from_text(MOVE)


def test_the_engine_is_told_the_game_from_its_oldest_position(tmp_path: Path, position: Position) -> None:
    start = position.fen()
    for move in ("e1-d2", "a7-c5"):
        position.push(move)
    log = tmp_path / "log"
    with fake("normal", MOVE, str(log)) as engine:
        engine.play(position, Limit(time=0.25, depth=3, nodes=1000))
        engine.play(position, Limit(x_clock=60, o_clock=59.5, x_inc=1, moves_to_go=20))
    lines = sent(log)
    assert lines.count(f"position fen {start} moves e1-d2 a7-c5") == 2
    assert "go movetime 250 depth 3 nodes 1000" in lines
    assert "go p1time 60000 p2time 59500 p1inc 1000 movestogo 20" in lines
    assert lines[-1] == "quit"


def test_variant_and_rules_go_out_once_and_again_when_they_change(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with fake("normal", MOVE, str(log)) as engine:
        engine.query("result", Position("halma8", win="occupied", home_deadline=30))
        first = sent(log)
        engine.query("result", Position("halma8", win="occupied", home_deadline=30))
        engine.query("result", Position("halma8", home_reentry=False))
        engine.query("result", Position("5x5:3,2,1"))
    settings = [line for line in sent(log) if line.startswith("setoption")]
    assert [line for line in first if line.startswith("setoption")] == settings[:5]
    names = [line.removeprefix("setoption name ") for line in settings]
    assert names[:5] == [
        "Variant value halma8",
        "HomeReentry value true",
        "Win value occupied",
        "HomeDeadline value 30",
        "MultiPV value 1",
    ]
    assert names[5:8] == ["HomeReentry value false", "Win value full", "HomeDeadline value 0"]
    assert names[8] == "Variant value 5x5:3,2,1"
    assert {"HomeReentry value true", "Win value full"} <= set(names[9:])  # the latter as before, and told anew


@pytest.mark.parametrize("rule", [{"goal_lock": "move"}, {"max_turns": 100}, {"repetition": None}])
def test_a_rule_the_engine_cannot_be_told_is_refused(client: Client, rule: dict[str, Any]) -> None:
    with pytest.raises(UgiError, match=next(iter(rule))):
        client.play(Position("halma8", **rule), Limit(depth=1))
    assert client.play(Position("halma8"), Limit(depth=1)).move == Move.from_text(MOVE)


def test_an_engine_without_variants_gets_boards_that_the_position_tells() -> None:
    with fake("plain") as engine:
        assert engine.play(Position("halma8"), Limit(depth=1)).move == Move.from_text(MOVE)
        with pytest.raises(UgiError, match="variant: 5x5"):
            engine.play(Position("5x5:3,2,1"), Limit(depth=1))
        with pytest.raises(UgiError, match="win: occupied"):
            engine.play(Position("halma8", win="occupied"), Limit(depth=1))
        with pytest.raises(UgiError, match="multipv: 2"):
            engine.analyse(Position("halma8"), Limit(depth=1), multipv=2)


def test_an_engine_of_a_related_game_is_understood() -> None:
    with fake("ataxx", options={"ataxx rules": "new style", "Level": 7, "Clear": None, "Ponder": True}) as engine:
        assert list(engine.options) == ["Ataxx Rules", "Ponder", "Level", "Clear", "Book"]
        assert engine.options["Ataxx Rules"].choices == ("Classic", "New Style")
        played = engine.play(Position("halma8"), Limit(time=0.1))
        assert played.move == Move.from_text(MOVE)
        assert played.info is not None
        assert (played.info.depth, played.info.score, played.info.bound) == (7, Score("points", -15), "lower")
        for name, value in {
            "Level": 11,
            "level": "x",
            "Ponder": 1,
            "Ataxx Rules": "Old",
            "Book": "a\nquit",
            "No": 1,
        }.items():
            with pytest.raises(OptionError, match=r"(?i)option"):
                engine.configure({"Level": 2, name: value})
        engine.ping()


@pytest.mark.parametrize("mode", ["garbage", "slow", "answers twice", "noise", "leaves a child"])
def test_an_engine_that_talks_nonsense_but_plays_can_be_played_with(mode: str, position: Position) -> None:
    with fake(mode) as engine:
        for _ in range(3):
            assert engine.play(position, Limit(depth=2)).move == Move.from_text(MOVE)


@pytest.mark.parametrize("answer", ["a1-a2", "0000", "(none)", "", "pass", "h4-h9", "\u00e9"])
def test_a_move_that_is_not_legal_is_an_error_that_names_the_line(answer: str, position: Position) -> None:
    with fake("normal", answer) as engine:
        for _ in range(2):
            with pytest.raises(UgiError, match="'bestmove") as caught:
                engine.play(position, Limit(depth=1))
            assert position.fen() in str(caught.value)
            assert type(caught.value) is UgiError


def test_an_engine_that_dies_at_the_start_is_quoted() -> None:
    with pytest.raises(EngineDiedError, match=r"status 3.*cannot find my network"):
        fake("dies at start")


def test_an_engine_that_dies_in_a_search_stays_dead(position: Position) -> None:
    with fake("dies in search") as engine:
        for _ in range(2):
            with pytest.raises(EngineDiedError, match=r"signal 9.*Segmentation fault"):
                engine.play(position, Limit(depth=1))
        with pytest.raises(EngineDiedError):
            engine.ping()
    assert is_gone(engine.pid)


def test_an_engine_that_closes_its_output_counts_as_dead(position: Position) -> None:
    with fake("closes stdout") as engine, pytest.raises(EngineDiedError, match="closed its"):
        engine.play(position, Limit(depth=1))
    assert is_gone(engine.pid)


@pytest.mark.parametrize("mode", ["hangs in search", "floods"])
def test_an_engine_that_finds_no_end_is_given_up(mode: str, position: Position) -> None:
    begin = time.monotonic()
    with fake(mode) as engine:
        with pytest.raises(EngineTimeoutError):
            engine.play(position, Limit(depth=1), timeout=0.1)
        with pytest.raises(EngineTimeoutError):
            engine.play(position, Limit(depth=1))
        assert has_ended(engine.pid)  # not only when it is closed
    with impatient(mode) as engine, pytest.raises(EngineTimeoutError):
        engine.play(position, Limit(time=0.01))
    with fake(mode, search_timeout=QUICK) as engine, pytest.raises(EngineTimeoutError):
        engine.analyse(position, Limit(depth=1))
    assert is_gone(engine.pid)
    assert time.monotonic() - begin < SOON


def test_an_analysis_of_an_engine_that_hangs_ends(position: Position) -> None:
    with (
        fake("hangs in search", search_timeout=QUICK) as engine,
        engine.analysis(position) as analysis,
        pytest.raises(EngineTimeoutError),
    ):
        next(analysis)
    with (
        impatient("floods") as engine,
        pytest.raises(EngineTimeoutError),
        engine.analysis(position) as analysis,
    ):
        assert next(analysis).depth == 3
    assert is_gone(engine.pid)


def test_hanging_at_the_start_and_when_asked_is_a_timeout(position: Position) -> None:
    with pytest.raises(EngineTimeoutError, match="ugiok"):
        fake("hangs at start", timeout=QUICK)
    with impatient("hangs when ready") as engine, pytest.raises(EngineTimeoutError, match="readyok"):
        engine.ping()


def test_a_line_without_end_is_an_error(position: Position) -> None:
    with fake("endless line") as engine, pytest.raises(UgiError, match="line of more than 65536 bytes"):
        engine.play(position, Limit(depth=1))
    assert is_gone(engine.pid)


def test_closing_leaves_no_process(position: Position) -> None:
    engine = fake("normal")
    assert engine.quit() == 0
    assert is_gone(engine.pid)
    engine.close()
    with pytest.raises(UgiError, match="closed"):
        engine.ping()
    with impatient("does not quit") as engine:
        pass
    assert is_gone(engine.pid)
    engine = fake("normal")
    analysis = engine.analysis(position)
    engine.close()
    with contextlib.suppress(UgiError):
        list(analysis)
    assert is_gone(engine.pid)


def test_a_client_that_is_forgotten_takes_its_process_along() -> None:
    engine = fake("normal")
    pid = engine.pid
    del engine
    gc.collect()
    assert is_gone(pid)


def test_ctrl_c_in_a_search_leaves_the_engine_usable(
    client: Client, position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = client._wait
    calls: list[int] = []

    def interrupted(question: Any, end: float) -> bool:
        calls.append(1)
        if len(calls) == 2:  # the first one waits for "readyok"
            raise KeyboardInterrupt
        return wait(question, end)

    monkeypatch.setattr(client, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        client.play(position, Limit(depth=2))
    assert client.play(position, Limit(depth=2)).move == Move.from_text(MOVE)


@pytest.mark.parametrize(
    "command", ["", [], ["", "x"], 'unclosed "quote', ["a\0b"], 5, b"engine", ["engine", 5]], ids=repr
)
def test_a_command_that_is_none_is_refused(command: Any) -> None:
    with pytest.raises(OptionError, match="command"):
        Client.popen(command)


@pytest.mark.parametrize("command", ["/nowhere/engine --x", "/", str(Path(__file__))])
def test_a_command_that_cannot_be_started_is_named(command: str) -> None:
    with pytest.raises(UgiError, match="cannot be started"):
        Client.popen(command)


def test_bad_arguments_are_refused_and_change_nothing(client: Client, position: Position) -> None:
    over = Position.from_fen("xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60", "halma8")
    bad: list[tuple[type[Exception], Any]] = [
        (LimitError, lambda: client.play(position, None)),  # type: ignore[arg-type]
        (LimitError, lambda: client.play(position, Limit())),
        (LimitError, lambda: client.play(position, 5)),  # type: ignore[arg-type]
        (LimitError, lambda: client.play(position, Limit(mate=3))),
        (LimitError, lambda: client.analysis(position, 5)),  # type: ignore[arg-type]
        (OptionError, lambda: client.play("start", Limit(depth=1))),  # type: ignore[arg-type]
        (OptionError, lambda: client.play(position, Limit(depth=1), timeout=0)),
        (OptionError, lambda: client.analyse(position, Limit(depth=1), multipv=0)),
        (OptionError, lambda: client.analyse(position, Limit(depth=1), multipv=1000)),
        (OptionError, lambda: client.query("result\nquit")),
        (GameOverError, lambda: client.play(over, Limit(depth=1))),
    ]
    for error, call in bad:
        with pytest.raises(error):
            call()
    client.new_game()
    assert client.play(position, Limit(depth=1)).move == Move.from_text(MOVE)
    for keyword in ("timeout", "search_timeout"):
        with pytest.raises(OptionError, match=keyword):
            fake("normal", **{keyword: -1})


def test_a_response_of_several_words_is_an_error() -> None:
    with fake("garbage") as engine, pytest.raises(UgiError, match="response nothing at all"):
        engine.query("result")


def test_a_program_that_ends_at_once_is_an_error_and_nothing_else(capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(10):
        with pytest.raises(EngineDiedError):
            Client.popen("true")
    assert capfd.readouterr().err == ""


def test_wrong_arguments_ask_the_engine_nothing(client: Client) -> None:
    with pytest.raises(OptionError, match="query: 'nope', expected 'p1turn', 'gameover' or 'result'"):
        client.query("nope")
    with pytest.raises(OptionError, match="options: 5, expected a mapping"):
        Client.popen("true", options=5)  # type: ignore[arg-type]
    client.ping()


def test_a_clock_of_the_other_side_alone_is_no_limit(client: Client) -> None:
    position = Position("halma8")
    for call in (client.play, client.analyse, client.analysis):
        with pytest.raises(LimitError, match="limit: no clock for the side to move, x, expected"):
            call(position, Limit(o_clock=0.5, x_inc=1.0))
    position.push("e1-d2")
    with pytest.raises(LimitError, match="limit: no clock for the side to move, o, expected"):
        client.play(position, Limit(x_clock=0.5))
    position.pop()
    assert client.play(position, Limit(x_clock=0.5)).move in position.legal_moves
