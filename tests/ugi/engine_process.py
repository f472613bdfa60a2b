"""The protocol server driven as a match runner drives it: lines to a process and lines from it, never a hang."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType

COMMAND = [sys.executable, "-m", "halma_fast", "ugi"]
PATIENCE = 120.0  # a sanitizer makes everything many times slower


class EngineProcess:
    """A running `halma-fast ugi`; a context that ends it. All lines it has written are in `seen`."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdin is not None
        self._stdin = self.process.stdin
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.seen: list[str] = []
        self.errors = b""
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            assert line.endswith(b"\n")
            self._lines.put(line.decode("ascii")[:-1])
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(OSError):
            self._stdin.close()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def send(self, *lines: str | bytes) -> None:
        """Send lines at once."""
        data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
        self._stdin.write(data)
        self._stdin.flush()

    def close_input(self) -> None:
        self._stdin.close()

    def line(self) -> str | None:
        """The next line, or `None` at the end of the output."""
        line = self._lines.get(timeout=PATIENCE)
        if line is not None:
            self.seen.append(line)
        return line

    def until(self, first: str) -> list[str]:
        """The lines up to one whose first word is `first`, that one included."""
        lines = []
        while True:
            line = self.line()
            assert line is not None, f"the engine has ended before {first}: {lines[-3:]} {self.errors!r}"
            lines.append(line)
            if line.split()[:1] == [first]:
                return lines

    def ask(self, *lines: str) -> list[str]:
        """Send lines and return what is said before the answer to an `isready` behind them."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def end(self) -> tuple[int, list[str]]:
        """Wait for the end; returns the exit status and the last lines. Nothing was said on standard error."""
        lines = []
        while (line := self.line()) is not None:
            lines.append(line)
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join()
        assert self.errors == b""
        return status, lines


def exit_of(data: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the server on an input that ends."""
    return subprocess.run(COMMAND, input=data, capture_output=True, timeout=PATIENCE, check=False)


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait until a callable is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False
