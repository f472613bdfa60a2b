"""`halma-fast play` on a terminal of 80 columns: colours, prompts, completion, Ctrl-C and the end of input."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping

import pytest
from cli.process import COMMAND, TIMEOUT_SECONDS, environment

CTRL_C, CTRL_D = "\x03", "\x04"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07")


class Person:
    """Sits at a terminal of 80 columns, types, and reads."""

    def __init__(self, arguments: tuple[str, ...], env: Mapping[str, str]) -> None:
        self._side, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*COMMAND, "play", *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment(env),
            start_new_session=True,
            # The terminal is the controlling one, so that Ctrl-C is a signal.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(other)
        self.text = ""
        self._read = 0

    def types(self, text: str) -> None:
        os.write(self._side, text.encode())

    def interrupts(self, pattern: str) -> str:
        """Press Ctrl-C until the text matches: one just before a line is waited for is seen with the next."""
        for _ in range(100):
            self.types(CTRL_C)
            end = time.monotonic() + 3
            while time.monotonic() < end:
                if re.search(pattern, self._new_text(), re.M):
                    return self.reads(pattern)
                if select.select([self._side], [], [], 0.1)[0] and not self._collect():
                    break
        return self.reads(pattern)

    def _new_text(self) -> str:
        return ESCAPES.sub("", self.text[self._read :]).replace("\r\n", "\n")

    def reads(self, pattern: str) -> str:
        """Read until the text since the last call, without colours, matches; returns that text."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            new = self._new_text()
            if re.search(pattern, new, re.M):
                self._read = len(self.text)
                return new
            if select.select([self._side], [], [], 0.1)[0] and not self._collect():
                break
        pytest.fail(f"no {pattern!r} in {self.text[self._read :]!r}")

    def _collect(self) -> bool:
        try:
            data = os.read(self._side, 65536)
        except OSError:  # how Linux tells that the other side was closed
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

    def leaves(self) -> int:
        """Read to the end and return the exit status."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            if select.select([self._side], [], [], 0.1)[0] and not self._collect():
                return self.process.wait(TIMEOUT_SECONDS)
        pytest.fail(f"it goes on after {self.text[self._read :]!r}")

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self._side)


@contextlib.contextmanager
def person(*arguments: str, **env: str) -> Iterator[Person]:
    sitting = Person(arguments, env)
    try:
        yield sitting
    finally:
        sitting.close()


def test_a_game_on_a_terminal() -> None:
    with person("--variant", "halma8", "--level", "10") as one:
        shown = one.reads(r"^x> $")
        assert "   a b c d e f g h" in shown
        assert "\x1b[" in one.text
        one.types("g1\t")  # the only move of g1: Tab writes it
        one.reads("g1-e3")
        one.types("\n")
        one.reads("^x plays g1-e3$")
        time.sleep(0.3)
        one.types(CTRL_C)  # while the engine thinks
        one.reads(r"The engine waits(.|\n)*^o> $")
        one.types("level 1\n")
        one.reads(r"^level 1 of 10\n(.|\n)*^o> $")
        one.types("go\n")
        one.reads(r"^o plays .*(.|\n)*^x> $")
        one.types("h4-")
        one.reads("h4-")
        one.interrupts(r"Ctrl-C again quits\.(.|\n)*^x> $")  # the line that was begun
        one.types("h1-f3\n")
        one.reads(r"^x plays h1-f3(.|\n)*^x> $")
        one.interrupts(r"Ctrl-C again quits\.(.|\n)*^x> $")
        one.interrupts(r"halma-fast: interrupted")
        assert one.leaves() == 130
        assert re.search(r"--level 1 --moves 'g1-e3 \S+ h1-f3 \S+'", one.text)
        assert one.text.rstrip().endswith("halma-fast: interrupted")
        assert "Traceback" not in one.text


def test_without_colour_and_with_a_clock_on_the_largest_board() -> None:
    with person("--side", "both", "--clock", "300+2", NO_COLOR="1") as one:
        shown = one.reads(r"^x 4:59> $|^x 5:00> $")
        assert max(map(len, shown.splitlines())) <= 80
        one.types("m1\n")
        listed = one.reads(r"^which (.|\n)*^x \d:\d\d> $|refused|no man")
        assert max(map(len, listed.splitlines())) <= 80
        assert "\x1b[3" not in one.text  # no colour: readline itself may write other sequences
        one.types(CTRL_D)
        assert one.leaves() == 0
