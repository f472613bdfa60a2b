"""`halma-fast record` checks, converts and counts files of games."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.process import COMMAND, Finished, Terminal, environment
from halma_fast import Move, Position, Variant
from halma_fast.cli import main
from halma_fast.records import GameRecord, RecordedMove, read_json, read_records


def played(variant: str, plies: int, result: str | None = None, **tags: str) -> GameRecord:
    position = Position(variant, max_turns=plies if result is None else None)
    for _ in range(plies):
        position.push(max(position.legal_moves))
    return GameRecord.from_position(position, tags, result=result, reason=None if result is None else "time")


GAMES = [
    played("halma8", 4, "1-0", X="ann", O="bob"),
    played("halma8", 6, "0-1", X="bob", O="ann"),
    played("pulce", 3, X="ann", O="cy"),
    played("5x5:3,2,1", 5, X="ann"),
]
ILLEGAL = GameRecord({}, Variant.named("halma8"), None, (RecordedMove(Move(0, 1)),))


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games"
    path.write_text("\n".join(map(str, GAMES)))
    return str(path)


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    path = tmp_path / "faulty"
    path.write_text("\n".join(map(str, [GAMES[0], ILLEGAL, GAMES[1], ILLEGAL])))
    return str(path)


Call = Callable[..., Finished]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run a subcommand in this process, which is many times as quick as starting one."""

    def call(*arguments: str, text: str = "") -> Finished:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode()))))  # type: ignore[arg-type]
        status = main(["record", *arguments])
        return Finished(status, *capfd.readouterr())

    return call


def test_a_good_file_passes(call: Call, games: str) -> None:
    done = call("check", games)
    assert (done.status, done.out, done.err) == (0, "4 good games, 0 with a fault\n", "")
    assert json.loads(call("check", games, "--json").out) == {"ok": True, "games": 4, "faults": 0, "messages": []}


def test_every_fault_is_told_with_its_line_and_move(call: Call, faulty: str) -> None:
    done = call("check", faulty)
    assert done.status == 1
    first, second, summary = done.out.splitlines()
    assert first.startswith("line 12, move 1 of x: a1-b1 is not legal, no man stands on a1")
    assert second.startswith("line 25, move 1 of x: ")
    assert summary == "2 good games, 2 with a fault"
    assert done.err == "halma-fast: 2 of 4 games have a fault\n"
    assert call("check", faulty, "--check", "none").status == 0
    value = json.loads(call("check", faulty, "--json").out)
    assert (value["ok"], value["games"], value["faults"], value["messages"]) == (False, 2, 2, [first, second])


def test_converting_there_and_back_is_the_same_file(call: Call, games: str, tmp_path: Path) -> None:
    out = str(tmp_path / "json")
    done = call("convert", games, "--out", out)
    assert (done.status, done.out, done.err) == (0, "", "")
    assert list(read_json(out)) == GAMES
    back = call("convert", text=Path(out).read_text())
    assert (back.status, back.err) == (0, "")
    text = back.out
    assert text.rstrip("\n") == Path(games).read_text().rstrip("\n")
    assert call("convert", "-", "--to", "json", text=Path(out).read_text()).out == Path(out).read_text()
    assert call("convert", games, "--to", "text").out == text


def test_a_file_is_written_whole_or_not_at_all(call: Call, faulty: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("before")
    done = call("convert", faulty, "--out", str(out))
    assert (done.status, done.out) == (2, "")
    assert done.err == (f"halma-fast: error: {faulty}, line 12, move 1 of x: a1-b1 is not legal, no man stands on a1\n")
    assert out.read_text() == "before"
    done = call("convert", faulty, "--out", str(out), "--skip")
    assert (done.status, done.err) == (1, "halma-fast: left out 2 games with a fault\n")
    assert list(read_json(out)) == GAMES[:2]
    assert sorted(os.listdir(tmp_path)) == ["faulty", "out"]


def test_a_file_may_be_converted_onto_itself(call: Call, games: str) -> None:
    assert call("convert", games, "--to", "text", "--out", games).status == 0
    assert list(read_records(games)) == GAMES


def test_games_are_counted(call: Call, games: str) -> None:
    value = json.loads(call("stats", games, "--json").out)
    assert (value["games"], value["results"]) == (4, {"1-0": 1, "0-1": 1, "1/2-1/2": 2, "*": 0})
    assert value["reasons"] == {"time": 2, "max turns": 2}
    assert value["turns"] == {"least": 3, "median": 4, "mean": 4.5, "greatest": 6}
    assert value["points"] == {"rounds": 1, "x": 0, "o": 0}
    assert [(each["variant"], each["games"], each["mean_turns"]) for each in value["variants"]] == [
        ("halma8", 2, 5.0),
        ("5x5:3,2,1 max_turns=5", 1, 5.0),
        ("pulce max_turns=3 first=x", 1, 3.0),
    ]
    players = {each.pop("name"): tuple(each.values()) for each in value["players"]}
    assert players == {"ann": (4, 2, 2, 0, 0.75, 0), "bob": (2, 0, 0, 2, 0.0, 0), "cy": (1, 0, 1, 0, 0.5, 0)}


def test_the_counts_as_tables(call: Call, games: str) -> None:
    out = call("stats", games).out
    assert out.startswith("games       4\nx wins      1 (25.0 %)\n")
    assert "\nturns       least 3, median 4, mean 4.5, greatest 6\n" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["halma8", "2", "1", "1", "0", "5.0"] in lines
    assert ["ann", "4", "2", "2", "0", "75.0", "%"] in lines


def test_nothing_is_no_game(call: Call) -> None:
    assert call("check") == Finished(0, "0 good games, 0 with a fault\n", "")
    assert call("stats", text="\n").status == 0
    assert json.loads(call("stats", "--json").out)["turns"]["mean"] is None


@pytest.mark.parametrize("command", ["check", "convert", "stats"])
@pytest.mark.parametrize("name", ["none", ".", "a\udcffb"])
def test_a_file_that_cannot_be_read_is_one_line(call: Call, command: str, name: str, tmp_path: Path) -> None:
    done = call(command, str(tmp_path / name))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "cannot be read: " in done.err


@pytest.mark.parametrize("command", ["check", "stats", "convert"])
def test_an_input_that_was_never_open_is_one_line(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["record", command]) == 2
    assert capsys.readouterr() == ("", "halma-fast: error: standard input cannot be read: it is closed\n")


def test_an_input_that_cannot_be_read_is_named() -> None:
    only_written = os.open(os.devnull, os.O_WRONLY)
    done = subprocess.run([*COMMAND, "record", "check"], stdin=only_written, capture_output=True, check=False)
    os.close(only_written)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"halma-fast: error: standard input cannot be read: Bad file descriptor\n"


def test_the_command_alone_shows_its_help(call: Call) -> None:
    done = call()
    assert done.status == 0
    assert all(name in done.out for name in ("check", "convert", "stats"))


def test_an_interrupted_conversion_leaves_nothing(on_terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    source = tmp_path / "pipe"
    os.mkfifo(source)
    terminal = on_terminal("record", "convert", str(source), "--out", str(tmp_path / "out"), output="stderr")
    with source.open("w") as pipe:
        pipe.write("\n".join(map(str, GAMES * 100)))
        pipe.flush()
        assert terminal.read_until("games")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.finish() == 130
    assert "halma-fast: interrupted" in terminal.text
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_reader_that_went_away_is_no_error(games: str) -> None:
    command = f"{shlex.join([*COMMAND, 'record', 'convert', games])} | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment(), check=False)
    assert (done.stdout, done.stderr) == ("{", "")


def test_the_process_reads_its_standard_input_and_writes_its_standard_output() -> None:
    text = "\n".join(map(str, GAMES))
    done = subprocess.run(
        [*COMMAND, "record", "convert"], input=text, capture_output=True, text=True, env=environment(), check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(read_json(io.StringIO(done.stdout))) == GAMES
