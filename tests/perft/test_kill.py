"""A `halma-fast perft --checkpoint` that is killed goes on with what it had, and counts nothing of that again."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.process import TIMEOUT_SECONDS, run, run_json, start

from halma_fast import Position, perft
from halma_fast.parts import plies_to_split, split

# Leaf by leaf and in parts of a millisecond: a job of seconds, on a build with assertions too.
LARGE = float(os.environ.get("HALMA_FAST_LEAVES", "3e8")) >= 110139534
VARIANT, DEPTH, LEAVES = ("halma10", 5, 110139534) if LARGE else ("halma8", 5, 28572441)
JOB = ("perft", "--variant", VARIANT, "--depth", str(DEPTH), "--no-bulk")
PARTS = {part.index: part for part in split(Position(VARIANT), DEPTH, plies_to_split(DEPTH), by_move=False)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "job.checkpoint"


@contextlib.contextmanager
def counting(path: Path, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """The job while it is under way: some parts are kept, others are not yet."""
    log = path.with_name(f"{path.name}-wal")
    with start(*JOB, "--checkpoint", str(path), *more, stdout=subprocess.PIPE) as process:
        changes: set[tuple[int, int]] = set()
        end = time.monotonic() + TIMEOUT_SECONDS
        while len(changes) < 5 and process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(FileNotFoundError):
                status = log.stat()
                changes.add((status.st_size, status.st_mtime_ns))
            time.sleep(0.001)
        try:
            yield process
        finally:
            process.kill()


def kill_in_the_middle(path: Path) -> None:
    """Kill the job before it has ended, which it may have done just then on a busy machine: once more, in that case."""
    before = path.read_bytes() if path.exists() else None
    for _ in range(10):
        with counting(path) as process:
            process.send_signal(signal.SIGKILL)
            if process.wait() == -signal.SIGKILL:
                return
        path.unlink()
        if before is not None:
            path.write_bytes(before)
    pytest.fail("the job was never under way")


def kept(path: Path) -> dict[int, int]:
    """The parts of a checkpoint, read in a copy of it and its log."""
    copy = path.with_name("copy")
    for suffix in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    with contextlib.closing(sqlite3.connect(copy)) as database:
        found = dict(database.execute("SELECT number, leaves FROM part"))
    for file in path.parent.glob("copy*"):
        file.unlink()
    return {number: int(leaves) for number, leaves in found.items()}


def test_a_job_that_is_killed_again_and_again_ends_with_the_number(path: Path) -> None:
    done: dict[int, int] = {}
    for _ in range(3):
        kill_in_the_middle(path)
        now = kept(path)
        assert now.items() >= done.items()  # nothing is lost, nothing is counted anew
        assert len(now) < len(PARTS)
        done = now
    assert done
    assert run_json(*JOB, "--checkpoint", str(path))["nodes"] == LEAVES
    assert os.listdir(path.parent) == [path.name]
    final = kept(path)
    assert final.items() >= done.items()
    assert final.keys() == PARTS.keys()
    assert sum(PARTS[number].weight * leaves for number, leaves in final.items()) == LEAVES


def test_what_is_finished_is_not_counted_again(path: Path) -> None:
    kill_in_the_middle(path)
    done = kept(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("UPDATE part SET leaves = '0'")
    finished = sum(PARTS[number].weight * leaves for number, leaves in done.items())
    assert 0 < finished < LEAVES
    assert run_json(*JOB, "--checkpoint", str(path))["nodes"] == LEAVES - finished


def test_threads_a_table_and_python_go_on_from_the_same_file(path: Path) -> None:
    kill_in_the_middle(path)
    position = Position(VARIANT)
    assert perft(position, DEPTH, checkpoint=path, threads=2, hash_mb=1) == LEAVES
    assert run_json(*JOB, "--threads", "2", "--checkpoint", str(path))["nodes"] == LEAVES


def test_a_checkpoint_of_another_job_is_refused_and_left_alone(path: Path) -> None:
    kill_in_the_middle(path)
    files = [path, path.with_name(f"{path.name}-wal")]  # what the kill has left
    before = [file.read_bytes() for file in files]
    for change, words in [
        (("--depth", str(DEPTH + 1)), "depth is"),
        (("--divide",), "divide is false there, true here"),
        (("--goal-lock", "none"), "goal_lock is"),
        (("--variant", "halma16"), "name is"),
    ]:
        done = run(*JOB, *change, "--checkpoint", str(path))
        assert (done.status, done.out) == (2, "")
        assert "is of another job: " in done.err
        assert words in done.err
        assert done.err.count("\n") == 1
        assert sorted(path.parent.iterdir()) == files
        assert [file.read_bytes() for file in files] == before


def test_a_second_run_beside_the_first_is_refused_and_the_first_goes_on(path: Path) -> None:
    for _ in range(10):
        with counting(path, "--json") as first:
            second = run(*JOB, "--checkpoint", str(path))
            out, err = first.communicate(timeout=TIMEOUT_SECONDS)
        assert (first.returncode, err) == (0, b"")
        assert json.loads(out)["nodes"] == LEAVES
        if second.status == 2:
            break
        path.unlink()  # the first had ended already
    assert "in use by another running process" in second.err
    assert second.err.count("\n") == 1


def test_ctrl_c_keeps_what_was_counted(path: Path) -> None:
    for _ in range(10):
        with counting(path) as process:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=TIMEOUT_SECONDS)
        if process.returncode == 130:
            break
        path.unlink()
    assert process.returncode == 130
    assert err.startswith(b"halma-fast: interrupted: ")
    assert err.count(b"\n") == 1
    assert os.listdir(path.parent) == [path.name]
    assert 0 < len(kept(path)) < len(PARTS)
    assert run_json(*JOB, "--checkpoint", str(path))["nodes"] == LEAVES


@pytest.mark.parametrize("where", ["/", "/dev/null", "/nowhere/x", "/proc/x", ""])
def test_a_checkpoint_that_cannot_be_written_is_one_line(where: str) -> None:
    done = run("perft", "--variant", "halma8", "--depth", "3", "--checkpoint", where)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("halma-fast: error: --checkpoint: ")
    assert done.err.count("\n") == 1
