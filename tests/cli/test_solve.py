"""`halma-fast solve` tells the value of every position of a small board, and writes what Python can probe."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.process import Terminal, run, run_json
from halma_fast import Position, Score
from halma_fast.solve import Solution

BOARD = ("--board", "4", "--camp", "2,1", "--win", "occupied")


def test_it_tells_the_known_numbers_and_writes_a_solution(tmp_path: Path) -> None:
    file = tmp_path / "solution"
    result = run_json("solve", *BOARD, "--threads", "2", "--out", str(file))
    assert result.pop("seconds") > 0
    assert result.pop("rules")["win"] == "occupied"
    assert result == {
        "variant": "4x4:2,1",
        "positions": 160160,
        "won": 108352,
        "lost": 51730,
        "drawn": 78,
        "longest": 18,
        "fen": "oo2/o3/3x/2xx x 1",
        "value": {"kind": "win", "plies": 13},
        "memory": 320320,
        "out": str(file),
    }
    assert Solution.open(file).probe(Position("4x4:2,1", win="occupied")) == Score("win", 13)


def test_a_person_reads_the_value_of_the_position_given() -> None:
    out = run("solve", "--board", "3", "--camp", "1", "--win", "occupied", "--moves", "c1-b2").out
    assert re.search(r"^value +(win|loss) in [0-9]+ plies$", out, re.M)
    assert re.search(r"^positions +72, for the side to move:$", out, re.M)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--variant", "halma8"), "variant: halma8 has .* GB of memory, expected at most .* GB of this machine"),
        (("--variant", "pulce"), "variant: pulce ends with points, expected a game of Halma"),
        ((*BOARD, "--max-turns", "9"), "--max-turns: 9, expected None: .*"),
        ((*BOARD, "--home-duty"), "home_duty: True, expected False: .*"),
        ((*BOARD, "--threads", "0"), "--threads: 0, expected an integer from 1 to 1024"),
        ((*BOARD, "--out", "/no/such/folder/file"), "--out: .* cannot be written, expected a folder .*"),
        ((*BOARD, "--checkpoint", "/"), "--checkpoint: '/' is not a regular file"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = run("solve", *arguments)
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(f"halma-fast: error: {message}\n", done.err)


def test_ctrl_c_keeps_what_is_done(on_terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    board = ("--board", "5", "--camp", "2,1", "--win", "occupied")
    job = on_terminal("solve", *board, "--checkpoint", str(file), output="stderr")
    assert job.read_until("positions decided")  # the progress line: by now it is at work
    job.process.send_signal(signal.SIGINT)
    assert job.finish() == 130
    assert re.search(r"halma-fast: interrupted: [0-9]+ of 3542000 positions decided, .*, kept in .*\r\n\Z", job.text)
    assert file.stat().st_size > 2 * 3542000
