"""A checkpoint keeps what it was given, belongs to one job and one process, and leaves other files alone."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from halma_fast import CheckpointError, Position, perft
from halma_fast.checkpoint import APPLICATION_ID, FORMAT, Checkpoint
from halma_fast.perft import Progress

JOB: dict[str, str | int | bool | None] = {"variant": "halma8", "depth": 5, "divide": False, "lock": None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a job.checkpoint"


def made(path: Path, parts: dict[int, int] | None = None) -> Path:
    with Checkpoint(path, JOB) as checkpoint:
        for index, leaves in (parts or {0: 10, 1: 20}).items():
            checkpoint.add(index, leaves, 0.5)
    return path


@contextlib.contextmanager
def refused(path: Path, words: str) -> Iterator[None]:
    """What is done in here is refused with `words`, and everything in the folder stays as it is, byte for byte."""

    def contents() -> list[tuple[str, int, bytes]]:
        files = [(file, file.lstat().st_mode) for file in sorted(path.parent.iterdir())]
        return [(file.name, mode, read(file) if stat.S_ISREG(mode) else b"") for file, mode in files]

    def read(file: Path) -> bytes:
        # Not in this process, which would lose its locks on the file by closing it.
        return subprocess.run(["cat", file], capture_output=True, check=True).stdout

    before = contents()
    with pytest.raises(CheckpointError, match=words) as caught:
        yield
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("checkpoint: ")
    assert contents() == before


def test_a_new_checkpoint_has_nothing_done(path: Path) -> None:
    with Checkpoint(path, JOB) as checkpoint:
        assert (checkpoint.done, checkpoint.seconds) == ({}, 0.0)


def test_parts_come_back_with_their_leaves_and_seconds(path: Path) -> None:
    parts = {0: 0, 7: 1, 3: 2**63, 4: 2**64 - 1, 5: 2**64, 6: 10**300, 2**40: 5}
    made(path, parts)
    with Checkpoint(path, JOB) as checkpoint:
        assert checkpoint.done == parts
        assert checkpoint.seconds == 0.5 * len(parts)


def test_a_closed_checkpoint_is_one_file(path: Path) -> None:
    made(path)
    assert os.listdir(path.parent) == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) & 0o111 == 0


def test_any_program_of_sqlite_can_read_it(path: Path) -> None:
    made(path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert database.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        assert database.execute("SELECT * FROM part").fetchall() == [(0, "10", 0.5), (1, "20", 0.5)]


def test_an_empty_file_becomes_a_checkpoint(path: Path) -> None:
    path.touch()
    made(path)
    with Checkpoint(path, JOB) as checkpoint:
        assert checkpoint.done == {0: 10, 1: 20}


def test_names_that_mean_something_to_sqlite_are_names_of_files(tmp_path: Path) -> None:
    for name in (":memory:", "file:x?mode=memory", "a?b#c%20d.sqlite", "\udcff\u00e9"):
        made(tmp_path / name)
        with Checkpoint(tmp_path / name, JOB) as checkpoint:
            assert len(checkpoint.done) == 2
    assert len(os.listdir(tmp_path)) == 4


def test_a_relative_path_means_the_same_file_wherever_the_process_goes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    with Checkpoint(path.name, JOB) as checkpoint:
        monkeypatch.chdir("/")
        checkpoint.add(0, 1, 0.0)
    with Checkpoint(path, JOB) as checkpoint:
        assert checkpoint.done == {0: 1}


def test_a_part_kept_twice_counts_once(path: Path) -> None:
    with Checkpoint(path, JOB) as checkpoint:
        checkpoint.add(0, 10, 0.5)
        checkpoint.add(0, 10, 0.7)
    with Checkpoint(path, JOB) as checkpoint:
        assert (checkpoint.done, checkpoint.seconds) == ({0: 10}, 0.5)
        checkpoint.add(0, 10, 0.5)


def test_two_different_counts_of_one_part_are_refused(path: Path) -> None:
    made(path)
    with Checkpoint(path, JOB) as checkpoint, pytest.raises(CheckpointError, match="has 10 leaves for part 0, not 11"):
        checkpoint.add(0, 11, 0.5)
    with Checkpoint(path, JOB) as checkpoint:
        assert checkpoint.done == {0: 10, 1: 20}


def test_threads_may_add_at_the_same_time(path: Path) -> None:
    with Checkpoint(path, JOB) as checkpoint:

        def add(first: int) -> None:
            for index in range(first, 200, 4):
                checkpoint.add(index, index, 0.0)

        threads = [threading.Thread(target=add, args=(first,)) for first in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with Checkpoint(path, JOB) as checkpoint:
        assert checkpoint.done == {index: index for index in range(200)}


def test_after_close_nothing_can_be_added_and_another_close_is_harmless(path: Path) -> None:
    checkpoint = Checkpoint(path, JOB)
    checkpoint.close()
    checkpoint.close()
    with pytest.raises(CheckpointError, match="is closed"):
        checkpoint.add(0, 1, 0.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"depth": 6}, r"of another job: depth is 5 there, 6 here"),
        ({"variant": "halma10"}, r'variant is "halma8" there, "halma10" here'),
        ({"depth": "5"}, r'depth is 5 there, "5" here'),
        ({"divide": 0}, r"divide is false there, 0 here"),
        ({"lock": False}, r"lock is null there, false here"),
        ({"new": None}, r"new is missing there, null here"),
        ({"variant": "x" * 1000}, r'variant is "halma8" there, "x{119}\.\.\. here'),
    ],
)
def test_a_checkpoint_of_another_job_is_refused(
    path: Path, change: dict[str, str | int | bool | None], words: str
) -> None:
    made(path)
    with refused(path, words):
        Checkpoint(path, JOB | change)


def test_a_job_that_lacks_a_field_is_another_job(path: Path) -> None:
    made(path)
    with refused(path, r"divide is false there, missing here"):
        Checkpoint(path, {name: value for name, value in JOB.items() if name != "divide"})


def sqlite_of_something_else(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE identity (field TEXT PRIMARY KEY, value TEXT)")


def sqlite_with_a_log(path: Path) -> None:
    """Somebody's database whose process was killed: opening it would write its log into it."""
    code = (
        "import os, sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('PRAGMA journal_mode = WAL')\n"
        "database.execute('CREATE TABLE precious (value)')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, path], check=False).returncode == -signal.SIGKILL
    assert path.with_name(f"{path.name}-wal").stat().st_size


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.write_bytes(b"my thesis"), "no checkpoint, nor any SQLite file"),
        (lambda path: path.write_bytes(b"\0" * 5000), "no checkpoint, nor any SQLite file"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), "SQLite file of something else"),
        (sqlite_of_something_else, "SQLite file of something else"),
        (sqlite_with_a_log, "SQLite file of something else"),
        (Path.mkdir, "not a regular file"),
        (os.mkfifo, "not a regular file"),
        (lambda path: path.symlink_to("/dev/null"), "not a regular file"),
        (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    ],
)
def test_what_is_no_checkpoint_is_refused(path: Path, make: Callable[[Path], object], words: str) -> None:
    make(path)
    with refused(path, words):
        Checkpoint(path, JOB)


def change_header(at: int, value: int) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        data = bytearray(made(path).read_bytes())
        data[at : at + 4] = value.to_bytes(4, "big")
        path.write_bytes(data)

    return change


def change_rows(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(made(path), isolation_level=None)) as database:
            database.execute(statement)
            database.execute("PRAGMA journal_mode = DELETE")

    return change


def cut(path: Path) -> None:
    os.truncate(made(path), 4096 + 100)


def overwrite_a_page(path: Path) -> None:
    data = bytearray(made(path).read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (change_header(60, FORMAT + 1), f"has format {FORMAT + 1}, expected {FORMAT}"),
        (change_header(68, APPLICATION_ID + 1), "SQLite file of something else"),
        (change_header(16, 0x01010101), "is damaged"),
        (cut, "is damaged"),
        (overwrite_a_page, "is damaged"),
        (change_rows("DROP TABLE part"), "no such table: part"),
        (change_rows("DROP TABLE identity"), "no such table: identity"),
        (change_rows("DELETE FROM identity"), 'variant is missing there, "halma8" here'),
        (change_rows("UPDATE identity SET value = x'ff00'"), r"variant is b'\\xff\\x00' there"),
        (change_rows("INSERT INTO identity VALUES (NULL, '1')"), "None is 1 there, missing here"),
        (change_rows("UPDATE part SET leaves = '-10'"), "part 0 has no count"),
        (change_rows("UPDATE part SET leaves = '1e3' WHERE number = 1"), "part 1 has no count"),
        (change_rows("UPDATE part SET leaves = x'31'"), "part 0 has no count"),
        (change_rows("UPDATE part SET leaves = printf('%05000d', 1)"), "part 0 has no count"),
        (change_rows("UPDATE part SET number = -1 WHERE number = 1"), "part -1 has no count"),
        (change_rows("UPDATE part SET seconds = 'long'"), "part 0 has no count"),
        (change_rows("UPDATE part SET seconds = 9e999"), "part 0 has no count"),
    ],
)
def test_a_damaged_checkpoint_is_refused(path: Path, damage: Callable[[Path], None], words: str) -> None:
    damage(path)
    with refused(path, words):
        Checkpoint(path, JOB)


@pytest.mark.parametrize("value", [None, 7, True, b"x", "", "a\0b", ["x"], 2**70, Path("a\0b")])
def test_what_is_no_path_is_refused(value: object) -> None:
    with pytest.raises(CheckpointError, match="expected the path of a file"):
        Checkpoint(value, JOB)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("/nowhere/x", "No such file or directory"),
        ("/dev/null/x", "Not a directory"),
        ("/proc/x", "cannot be read and written"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(where: str, words: str) -> None:
    with pytest.raises(CheckpointError, match=words):
        Checkpoint(where, JOB)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_or_folder_without_permission_is_refused(path: Path) -> None:
    made(path).chmod(0o444)
    with refused(path, "Permission denied"):
        Checkpoint(path, JOB)
    path.parent.chmod(0o555)
    with refused(path, "Permission denied"):
        Checkpoint(path.with_name("new"), JOB)
    path.parent.chmod(0o755)


def test_two_in_one_process_are_refused_and_the_first_goes_on(path: Path) -> None:
    link = path.with_name("a link")
    with Checkpoint(path, JOB) as checkpoint:
        link.symlink_to(path)
        for name in (path, link):
            with refused(path, "in use by this process already"):
                Checkpoint(name, JOB)
        checkpoint.add(0, 10, 0.5)
        assert not run_other(path).stdout  # the lock has not been lost with the refusals
    with Checkpoint(link, JOB) as checkpoint:
        assert checkpoint.done == {0: 10}


# Opens the checkpoint of its first argument, keeps part 7, says so and waits, with a child if there is a second one.
HOLD = f"""
import os, sys, time
from halma_fast.checkpoint import Checkpoint
with Checkpoint(sys.argv[1], {JOB}) as checkpoint:
    checkpoint.add(7, 70, 0.5)
    if len(sys.argv) > 2 and os.fork() == 0:
        os.close(1)
        time.sleep(60)
    print("kept", os.getpid(), flush=True)
    sys.stdin.read()
"""


def run_other(path: Path) -> subprocess.CompletedProcess[str]:
    """Try to open it in another process, which ends at once."""
    command = [sys.executable, "-c", HOLD, str(path)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


@contextlib.contextmanager
def held(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLD, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("kept")
        yield process
        process.kill()


def test_a_checkpoint_that_another_process_has_open_is_refused(path: Path) -> None:
    with held(path) as process:
        with refused(path, "in use by another running process"):
            Checkpoint(path, JOB)
        with refused(path, "in use by another running process"):
            Checkpoint(path, JOB | {"depth": 6})
        process.kill()
        process.wait()
        with refused(path, "depth is 5 there, 6 here"):  # with the log of the killed process beside it
            Checkpoint(path, JOB | {"depth": 6})
        with Checkpoint(path, JOB) as checkpoint:
            assert checkpoint.done == {7: 70}
    assert os.listdir(path.parent) == [path.name]


def test_a_child_that_outlives_its_killed_parent_does_not_keep_the_checkpoint(path: Path) -> None:
    with held(path, "with a child") as process:
        process.kill()
        process.wait()
        with Checkpoint(path, JOB) as checkpoint:
            assert checkpoint.done == {7: 70}


# Kills itself at each line of checkpoint.py in turn, and each time looks at what is left.
KILL_AT_EACH_LINE = f"""
import os, signal, sys
from pathlib import Path
import halma_fast.checkpoint as module
from halma_fast import CheckpointError

JOB, PARTS = {JOB}, {{0: 10, 1: 2**64, 2: 30}}

def work(path, killed_at, out):
    lines = 0
    def trace(frame, event, argument):
        nonlocal lines
        if frame.f_code.co_filename != module.__file__:
            return None
        lines += event == "line"
        if lines == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace
    sys.settrace(trace)
    with module.Checkpoint(path, JOB) as checkpoint:
        for index, leaves in PARTS.items():
            checkpoint.add(index, leaves, 0.5)
            os.write(out, b"x")
    os._exit(0)

folder, kinds = Path(sys.argv[1]), set()
for killed_at in range(1, 10000):
    (folder / str(killed_at)).mkdir()
    path = folder / str(killed_at) / "checkpoint"
    reader, out = os.pipe()
    pid = os.fork()
    if pid == 0:
        work(path, killed_at, out)
    os.close(out)
    status = os.waitpid(pid, 0)[1]
    kept = len(os.read(reader, 100))
    os.close(reader)
    if path.exists() and path.stat().st_size:
        before = [(file.name, file.read_bytes()) for file in sorted(path.parent.iterdir())]
        try:
            module.Checkpoint(path, {{**JOB, "depth": 6}})
        except CheckpointError as error:
            assert "of another job" in str(error)
        else:
            raise AssertionError("another job's checkpoint was accepted")
        assert [(file.name, file.read_bytes()) for file in sorted(path.parent.iterdir())] == before
    with module.Checkpoint(path, JOB) as checkpoint:
        done = checkpoint.done
    assert done == dict(list(PARTS.items())[: len(done)]), (killed_at, done)
    assert kept <= len(done) <= kept + 1, (killed_at, kept, done)
    assert os.listdir(path.parent) == ["checkpoint"], killed_at
    kinds.add((kept, len(done)))
    if status == 0:
        break
assert killed_at > 50 and len(kinds) >= 7, (killed_at, kinds)
print("killed", killed_at)
"""


def test_killed_at_any_line_nothing_is_lost_that_was_kept(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILL_AT_EACH_LINE, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("killed ")


def test_a_log_cut_anywhere_loses_only_what_it_held(path: Path) -> None:
    """As the machine may leave it when its power goes: whole parts from the first on, and then none."""
    with held(path) as process:
        process.kill()
        process.wait()
    log = path.with_name(f"{path.name}-wal")
    whole, main = log.read_bytes(), path.read_bytes()
    for size in range(0, len(whole), 509):
        path.write_bytes(main)
        log.write_bytes(whole[:size])
        with Checkpoint(path, JOB) as checkpoint:
            assert checkpoint.done in ({}, {7: 70})


@pytest.mark.parametrize("action", ["remove", "replace"])
def test_a_checkpoint_that_goes_away_while_in_use_is_noticed(path: Path, action: str) -> None:
    with Checkpoint(path, JOB) as checkpoint:
        if action == "remove":
            path.unlink()
        else:
            path.with_name("new").write_bytes(b"new")
            path.with_name("new").rename(path)
        with pytest.raises(CheckpointError, match="removed or replaced while in use"):
            checkpoint.add(0, 1, 0.0)


def test_a_full_disk_is_told_and_loses_nothing(path: Path) -> None:
    code = (
        "import resource, signal, sys\n"
        "from halma_fast import CheckpointError\n"
        "from halma_fast.checkpoint import Checkpoint\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"with Checkpoint(sys.argv[1], {JOB}) as checkpoint:\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))\n"
        "    try:\n"
        "        for index in range(10_000):\n"
        "            checkpoint.add(index, index, 0.5)\n"
        "    except CheckpointError as error:\n"
        "        print(index, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    kept, message = done.stdout.split(" ", 1)
    assert "cannot be read and written" in message
    with Checkpoint(path, JOB) as checkpoint:
        assert checkpoint.done == {index: index for index in range(int(kept))}


def test_perft_goes_on_from_what_is_kept(path: Path) -> None:
    position = Position("halma8")
    assert perft(position, 4, checkpoint=path) == 699628
    reports: list[Progress] = []
    assert perft(position, 4, checkpoint=path, on_progress=reports.append) == 699628
    assert [(report.done, report.done_before) for report in reports] == [(576, 576)]
    with refused(path, "depth is 4 there, 5 here"):
        perft(position, 5, checkpoint=path)
