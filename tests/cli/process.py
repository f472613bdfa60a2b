"""How the command line is driven: as the process that a user starts."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

COMMAND = [sys.executable, "-m", "halma_fast"]
TIMEOUT_SECONDS = 300  # a sanitizer makes everything many times slower

# Whoever runs the tests may have set these for themselves.
_PRIVATE = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "HALMA_FAST_KERNEL")


@dataclass(frozen=True)
class Finished:
    """A command that has ended: exit status and what it printed."""

    status: int
    out: str
    err: str


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a command, with `changes`."""
    kept = {name: value for name, value in os.environ.items() if name not in _PRIVATE}
    return kept | {"TERM": "xterm-256color"} | dict(changes or {})


def run(*arguments: str | bytes, env: Mapping[str, str] | None = None) -> Finished:
    """Run `halma-fast` with arguments, both outputs captured."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, env=environment(env), timeout=TIMEOUT_SECONDS, check=False
    )
    return Finished(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def run_json(*arguments: str) -> dict[str, Any]:
    """Run `halma-fast` with `--json` and return the object it printed, the only thing it printed."""
    done = run(*arguments, "--json")
    assert (done.status, done.err) == (0, "")
    value = json.loads(done.out)
    assert isinstance(value, dict)
    assert done.out.isascii()
    return value


def start(*arguments: str, stdout: int) -> subprocess.Popen[bytes]:
    """Start `halma-fast` with its output going to a file descriptor."""
    return subprocess.Popen([*COMMAND, *arguments], stdout=stdout, stderr=subprocess.PIPE, env=environment())


class Terminal:
    """A command with one of its outputs on a pseudo-terminal, whose text is collected."""

    def __init__(self, arguments: tuple[str, ...], output: str, env: Mapping[str, str] | None) -> None:
        self._side, other = pty.openpty()
        streams: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, output: other}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.DEVNULL, env=environment(env), start_new_session=True, **streams
        )
        os.close(other)
        self.text = ""

    def read_until(self, text: str | None) -> bool:
        """Collect output until it contains `text`, or until its end for `None`; returns whether that came."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            if text is not None and text in self.text:
                return True
            if not select.select([self._side], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self._side, 65536)
            except OSError:  # how Linux tells that the other side was closed
                data = b""
            if not data:
                return text is None
            self.text += data.decode("utf-8", "replace")
        return False

    def finish(self) -> int:
        """Collect the rest and return the exit status."""
        assert self.read_until(None)
        return self.process.wait(TIMEOUT_SECONDS)

    def close(self) -> None:
        """End it if it still runs."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self._side)
