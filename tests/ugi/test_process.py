"""A child process as lines: writing does not block for ever, lines are bounded, nothing is left behind."""

from __future__ import annotations

import os
import sys
import threading
import time

import pytest

from halma_fast.errors import EngineDiedError, EngineTimeoutError
from halma_fast.ugi.process import MAX_LINE, LineProcess

SOON = 30.0  # seconds


class Collector:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.reasons: list[str | None] = []
        self.ended = threading.Event()

    def line(self, text: str) -> None:
        self.lines.append(text)

    def end(self, reason: str | None) -> None:
        self.reasons.append(reason)
        self.ended.set()


def python(program: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", program]


def run(program: str) -> Collector:
    """Run a program to its end."""
    collector = Collector()
    process = LineProcess(python(program), collector)
    process.listen()
    assert collector.ended.wait(SOON)
    process.close(0.0)
    return collector


def test_lines_come_whole_in_order_and_without_their_ends() -> None:
    heard = run("import sys; sys.stdout.write('a b\\r\\n\\n  c\\n' + 'd' * 60000 + '\\nlast')")
    assert heard.lines == ["a b", "c", "d" * 60000, "last"]
    assert heard.reasons == [None]


def test_a_line_may_be_as_long_as_the_bound_and_no_longer() -> None:
    assert run(f"print('x' * {MAX_LINE})").lines == ["x" * MAX_LINE]
    for program in (f"print('x' * {MAX_LINE + 1}); print('later')", "import sys\nwhile 1: sys.stdout.write('x' * 999)"):
        heard = run(program)
        assert heard.lines == []
        assert heard.reasons == [f"wrote a line of more than {MAX_LINE} bytes"]


def test_writing_to_one_that_does_not_read_ends_in_time() -> None:
    collector = Collector()
    process = LineProcess(python("import time; time.sleep(600)"), collector)
    process.listen()
    begin = time.monotonic()
    with pytest.raises(EngineTimeoutError, match="did not read"):
        process.send("x" * 1_000_000, 0.2)
    process.close(0.0)
    assert time.monotonic() - begin < SOON
    with pytest.raises(EngineDiedError, match="was closed"):
        process.send("x", 0.2)


def test_writing_to_one_that_has_ended_tells_its_end() -> None:
    collector = Collector()
    process = LineProcess(python("import sys; sys.exit('no such net')"), collector)
    process.listen()
    assert collector.ended.wait(SOON)
    with pytest.raises(EngineDiedError, match="ended with status 1, its last words 'no such net'"):
        process.send("x" * 1_000_000, SOON)
    assert process.close(0.0) == 1


def test_what_it_has_started_ends_with_it() -> None:
    collector = Collector()
    child = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); sys.stdin.read()"
    process = LineProcess(python(child), collector)
    process.listen()
    end = time.monotonic() + SOON
    while not collector.lines and time.monotonic() < end:
        time.sleep(0.01)
    grandchild = int(collector.lines[0])
    assert process.close(SOON) == 0
    assert not process._reader.is_alive()
    while time.monotonic() < end:
        # Killed, it is a zombie until whoever inherits it has reaped it.
        try:
            with open(f"/proc/{grandchild}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    break
        except (FileNotFoundError, ProcessLookupError):
            break
        time.sleep(0.01)
    else:
        pytest.fail("the child of the process goes on")


def test_no_file_is_left_open() -> None:
    def opened() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = opened()
    collector = Collector()
    for _ in range(5):
        process = LineProcess(python("input()"), collector)
        process.listen()
        process.close(SOON)
    assert opened() == before


def test_a_listener_that_is_forgotten_takes_the_process_along() -> None:
    process = LineProcess(python("input()"), Collector())
    process.listen()
    process._reader.join(SOON)
    assert process.close(SOON) is not None
    assert not process._reader.is_alive()
