"""`halma-fast csci` as a process: files in, files out, and what is left alone when something is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cli.process import COMMAND, TIMEOUT_SECONDS, environment

from halma_fast import Position
from halma_fast.csci import read_output, write_input

START = write_input(Position("csci561"), "SINGLE", 1)
OLD = "E 0,0 1,1\n"


def answer(folder: Path, *arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, "csci", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        env=environment(),
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_files_of_the_current_directory_are_read_and_written(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_bytes(START.replace("\n", "\r\n").encode())
    (tmp_path / "output.txt").write_text(OLD * 9)
    done = answer(tmp_path, "--nodes", "2000")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text = (tmp_path / "output.txt").read_bytes().decode("ascii")
    assert read_output(text, Position("csci561")) in Position("csci561").legal_moves
    assert names(tmp_path) == {"input.txt", "output.txt"}


def test_files_can_be_named_and_streams_used(tmp_path: Path) -> None:
    (tmp_path / "here.txt").write_text(START)
    assert answer(tmp_path, "--in", "here.txt", "--out", "there.txt", "--depth", "2").returncode == 0
    done = answer(tmp_path, "--in", "-", "--out", "-", "--depth", "2", given=START.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (tmp_path / "there.txt").read_bytes()
    assert names(tmp_path) == {"here.txt", "there.txt"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "'input.txt': cannot be read: No such file or directory"),
        (b"", "'input.txt', line 1: "),
        (START.replace("SINGLE", "DOUBLE").encode(), "'input.txt', line 1: 'DOUBLE', expected SINGLE or GAME"),
        (START.replace("BB.", "BQ.", 1).encode(), "'input.txt', line 4, column 5: 'Q', expected '.', 'B' or 'W'"),
        (b"\xff\xfe\x00" + START.encode(), "'input.txt', line 1: "),
        (b"." * 100_000, "'input.txt': more than 64 KB"),
        (
            START.replace("B", "?").replace("W", "B").replace("?", "W").replace("WLACK", "BLACK").encode(),
            "position: the game is over, o wins (camp full)",
        ),
    ],
    ids=["no file", "empty", "mode", "cell", "binary", "large", "over"],
)
def test_bad_input_is_one_line_and_status_2_and_the_output_untouched(
    tmp_path: Path, given: bytes | None, words: str
) -> None:
    if given is not None:
        (tmp_path / "input.txt").write_bytes(given)
    (tmp_path / "output.txt").write_text(OLD)
    before = names(tmp_path)
    done = answer(tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"halma-fast: error: {words}")
    assert done.stderr.count(b"\n") == 1
    assert (tmp_path / "output.txt").read_text() == OLD
    assert names(tmp_path) == before


def test_an_output_that_cannot_be_written_is_known_before_the_search(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text(START.replace("\n1.0\n", "\n1000.0\n"))
    begin = time.monotonic()
    done = answer(tmp_path, "--out", "missing/output.txt")
    assert time.monotonic() - begin < 30  # the search would take a minute
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
    assert names(tmp_path) == {"input.txt"}


def test_a_device_is_written_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text(START)
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)  # there already, so that nobody waits for another
    try:
        command = [*COMMAND, "csci", "--out", "pipe", "--depth", "1"]
        assert subprocess.run(command, cwd=tmp_path, env=environment(), timeout=TIMEOUT_SECONDS).returncode == 0
        text = os.read(reader, 1 << 16).decode()
    finally:
        os.close(reader)
    read_output(text, Position("csci561"))
    assert (tmp_path / "pipe").is_fifo()


def test_ctrl_c_leaves_the_output_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text(START.replace("\n1.0\n", "\n1000.0\n"))
    (tmp_path / "output.txt").write_text(OLD)
    with subprocess.Popen([*COMMAND, "csci"], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE) as process:
        for _ in range(1000):  # its new file says that the search has begun, or is about to
            if len(names(tmp_path)) == 3:
                break
            time.sleep(0.05)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 130
    assert said.decode() == "halma-fast: interrupted\n"
    assert (tmp_path / "output.txt").read_text() == OLD
    assert names(tmp_path) == {"input.txt", "output.txt"}
