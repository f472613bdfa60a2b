"""`halma-fast match`: what it reports, an end at any time and going on from there, and one line for what is wrong."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from match.scripted import real_program
from perft.cluster_process import START_SECONDS, Cluster

from cli.process import TIMEOUT_SECONDS, Finished, Terminal, start
from halma_fast.cli import main

BOARD = ("--board", "5", "--win", "occupied")
ENGINE = "engine:depth=2,hash=1"


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Callable[..., Finished]:
    """Run the command in this process: most of its tests need no other, and processes take their time."""

    def run_here(*arguments: str) -> Finished:
        status = main(["match", *arguments])
        out, err = capfd.readouterr()
        return Finished(status, out, err)

    return run_here


@pytest.fixture
def result_of(here: Callable[..., Finished]) -> Callable[..., dict[str, Any]]:
    """The object that the command prints."""

    def run_json_here(*arguments: str) -> dict[str, Any]:
        done = here(*arguments, "--json")
        assert (done.status, done.err) == (0, "")
        value: dict[str, Any] = json.loads(done.out)
        return value

    return run_json_here


def test_a_match_is_reported(here: Callable[..., Finished]) -> None:
    done = here(ENGINE, "random", *BOARD, "--games", "4")
    assert (done.status, done.err) == (0, "")
    assert "result       4 wins, 0 draws, 0 losses of A\n" in done.out
    assert "pairs 0-2    0 0 0 0 2\n" in done.out
    for words in (
        "Elo          +inf (95 %: ",
        "LOS          87.50 %",
        "turns a game",
        "search of A  depth 2.00, ",
        "camp full",
    ):
        assert words in done.out


def test_json_has_all_of_it(result_of: Callable[..., dict[str, Any]]) -> None:
    result = result_of(ENGINE, "greedy", *BOARD, "--games", "8", "--seed", "3")
    assert result["wins"] + result["draws"] + result["losses"] == result["games"] == 8
    assert result["complete"] is True
    assert sum(result["pentanomial"]) == 4
    assert {"value", "low", "high", "error"} == set(result["elo"])
    assert 0 < result["los"] < 1
    assert (result["sprt"], result["points"], result["seed"]) == (None, None, 3)
    assert [effort["depth"] for effort in result["efforts"]] == [2.0, None]
    assert result["efforts"][0]["nps"] > 0
    assert sum(ending["count"] for ending in result["endings"]) == 8
    assert result["rules"]["max_turns"] == 200
    assert result == {
        **result_of(ENGINE, "greedy", *BOARD, "--games", "8", "--seed", "3", "--concurrency", "3"),
        "efforts": result["efforts"],
    }


def test_a_test_stops_when_decided(result_of: Callable[..., dict[str, Any]]) -> None:
    result = result_of("random", ENGINE, *BOARD, "--sprt", "0", "200")
    assert result["sprt"]["accepted"] == "H0"
    assert result["sprt"]["llr"] <= result["sprt"]["lower"] == pytest.approx(-2.944, abs=0.001)
    assert (result["complete"], result["wanted"]) == (True, None)


def test_pulce_reports_points_rounds_and_matches(
    here: Callable[..., Finished], result_of: Callable[..., dict[str, Any]]
) -> None:
    result = result_of("greedy", "random", "--variant", "pulce", "--games", "4", "--max-turns", "150")
    assert (result["games"], result["rounds_played"]) == (4, 12)
    assert sum(ending["count"] for ending in result["endings"]) == 12
    assert result["points"][0] > result["points"][1]
    done = here("greedy", "greedy", "--variant", "pulce", "--games", "2", "--rounds", "1", "--same-beginner")
    assert " in 2 rounds\n" in done.out
    assert "turns a round\n" in done.out


def test_a_program_plays_with_a_clock(result_of: Callable[..., dict[str, Any]]) -> None:
    result = result_of(real_program(), "greedy", *BOARD, "--games", "2", "--clock", "5+0.05", "--nodes", "500")
    assert result["games"] == 2
    assert {ending["reason"] for ending in result["endings"]} <= {"camp full", "repetition", "max turns"}
    assert result["efforts"][0]["moves"] > 0


def file_with(path: Path, games: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a match has written so many games."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if path.exists() and path.read_bytes().count(b"[Event ") >= games:
            return
        time.sleep(0.002)
    raise AssertionError("no such games")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_an_ended_match_goes_on_where_it_was(
    result_of: Callable[..., dict[str, Any]], tmp_path: Path, end: signal.Signals
) -> None:
    out = tmp_path / "games"
    command = ("engine:depth=3,hash=1", "greedy", *BOARD, "--games", "40", "--out", str(out))
    with start("match", *command, "--concurrency", "2", stdout=subprocess.PIPE) as process:
        file_with(out, 5, process)
        process.send_signal(end)
        told, err = process.communicate(timeout=TIMEOUT_SECONDS)
    if end is signal.SIGINT:
        assert process.returncode == 130
        assert err == b"halma-fast: interrupted\n"
        assert b", not complete\n" in told  # the table so far
        assert f"games        {out.read_bytes().count(b'[Event ')}, ".encode() in told
    before = out.read_bytes()
    whole = result_of(*command, "--resume")
    assert out.read_bytes().startswith(before[: before.rindex(b"[Event ")])
    assert whole["games"] == 40
    again = result_of(*command, "--resume")
    assert again == whole
    fresh = result_of(*command[:-2])
    assert {**fresh, "efforts": None} == {**whole, "efforts": None}


def test_an_end_does_not_wait_for_a_program_that_starts(tmp_path: Path) -> None:
    mute = tmp_path / "mute"
    mute.write_text(f'#!/bin/sh\ntouch "{tmp_path}/started"\nexec sleep 600\n')
    mute.chmod(0o755)
    with start("match", "greedy", f"ugi:{mute}", *BOARD, "--games", "2", stdout=subprocess.PIPE) as process:
        end = time.monotonic() + TIMEOUT_SECONDS
        while not (tmp_path / "started").exists() and time.monotonic() < end:
            time.sleep(0.01)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT_SECONDS)
        assert time.monotonic() - begin < 8  # a start is given 10 seconds
    assert (process.returncode, err) == (130, b"halma-fast: interrupted\n")


def test_the_progress_line_tells_the_result_so_far(on_terminal: Callable[..., Terminal]) -> None:
    terminal = on_terminal("match", "engine:time=0.02", "random", *BOARD, "--games", "1000", output="stderr")
    assert terminal.read_until(", Elo ")
    assert " of 1,000 games, +" in terminal.text
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.finish() == 130


def test_a_cluster_plays_the_same_games(
    here: Callable[..., Finished], result_of: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    command = (ENGINE, "greedy", *BOARD, "--games", "6", "--out")
    with contextlib.closing(Cluster(tmp_path / "dask", 1)) as cluster:
        end = time.monotonic() + START_SECONDS
        result: dict[str, Any] = {}
        while not result and time.monotonic() < end:  # a worker may need longer to start than the command waits
            done = here(*command, str(tmp_path / "there"), "--resume", "--scheduler", cluster.address, "--json")
            result = json.loads(done.out) if done.status == 0 else {}
    alone = result_of(*command, str(tmp_path / "here"))
    assert {**result, "efforts": None} == {**alone, "efforts": None}

    def moves(name: str) -> list[str]:
        blocks = (tmp_path / name).read_text().split("\n\n")
        return sorted(blocks[index].split("[XEffort")[0] for index in range(0, len(blocks) - 1, 2))

    assert moves("there") == moves("here")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nobody", "random"), "player: 'nobody', expected random, greedy"),
        (("random",), "Missing argument 'B'"),
        (("random", "random", "--games", "3"), "--games: 3, expected an even number"),
        (("random", "random", "--games", "x"), "'x', expected an integer"),
        (("engine", "random", "--clock", "60:1"), "--clock: '60:1', expected seconds and increment like 60+0.6"),
        (("engine", "random", "--depth", "0"), "--depth: 0"),
        (("random", "random", "--sprt", "5", "0"), "--sprt: 0.0, expected more than elo0"),
        (("random", "random", "--sprt", "a", "5"), "--sprt: 'a', expected a number"),
        (("random", "random", "--plies", "-1"), "--plies: -1"),
        (("random", "random", "--concurrency", "0"), "--concurrency: 0"),
        (("random", "random", "--resume"), "--resume needs --out"),
        (("random", "random", "--variant", "pulce", "--rounds", "0"), "--rounds: 0"),
        (
            ("random", "random", "--out", "/no/such/folder/x"),
            "--out: '/no/such/folder/x' cannot be opened, No such file or directory",
        ),
        (("ugi:/no/such/program", "random"), "/no/such/program"),
        (("random", "random", "--scheduler", "nowhere"), "--scheduler: 'nowhere'"),
    ],
)
def test_what_is_wrong_is_one_line(here: Callable[..., Finished], arguments: tuple[str, ...], words: str) -> None:
    done = here(*arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert done.err.startswith("halma-fast: error: ")
    assert done.err.count("\n") == 1


def test_a_file_of_another_match_is_one_line(here: Callable[..., Finished], tmp_path: Path) -> None:
    out = str(tmp_path / "games")
    assert here("random", "random", *BOARD, "--games", "2", "--out", out).status == 0
    for arguments, words in (((), "--out: "), (("--resume", "--seed", "2"), "seed is 1, expected 2")):
        done = here("random", "random", *BOARD, "--games", "2", "--out", out, *arguments)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert words in done.err
