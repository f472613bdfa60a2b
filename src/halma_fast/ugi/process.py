"""A child process as lines of text: what is written to it, what it writes, and its end.

Owns the process, its three pipes and the thread that reads them. Invariant: no call takes longer than it was told, a
line and what is kept of standard error are bounded, and nothing of the process is left after `close`. Guarded by
tests/ugi/test_process.py.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from typing import Final, Protocol

from halma_fast.checks import shorten
from halma_fast.errors import EngineDiedError, EngineTimeoutError, OptionError, UgiError

__all__ = ["MAX_LINE", "LineProcess", "Listener", "split_command"]

MAX_LINE: Final = 1 << 16  # bytes; the longest that an engine has to say, a line of 100 moves, has some 1,500
_CHUNK: Final = 1 << 16
_MAX_LAST_WORDS: Final = 400
_MAX_QUOTED: Final = 60
_REAP_SECONDS: Final = 2.0
_STATUS_SECONDS: Final = 0.5


class Listener(Protocol):
    """What the reading thread tells; neither call may block."""

    def line(self, text: str) -> None:
        """A line came, without its end."""

    def end(self, reason: str | None) -> None:
        """Nothing more will come: the process closed its output, or `reason` says what is wrong with that output."""


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return a command line as its words, read like a shell reads quotes; raises `OptionError`."""
    words: list[str] = []
    if isinstance(command, str):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"command: {shorten(command)}, expected closed quotes ({error})") from None
    elif isinstance(command, Sequence) and all(isinstance(word, str) for word in command):
        words = list(command)
    if not words or not words[0] or any("\0" in word for word in words):
        raise OptionError(f"command: {shorten(command)}, expected a program and its arguments")
    return words


class LineProcess:
    """Starts `command` in a session of its own, so that Ctrl-C is not for it, and tells `listener` what it writes.

    The listener is held weakly: one that is forgotten takes the process with it. Raises `UgiError` if the command
    cannot be started.
    """

    def __init__(self, command: Sequence[str], listener: Listener) -> None:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UgiError(f"command: {shorten(command[0])} cannot be started: {reason}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        self._errors = process.stderr
        self._listener = weakref.ref(listener)
        self._last_words = b""
        self._writing = threading.Lock()
        self._ending = threading.Lock()
        self._closed = False
        os.set_blocking(self._input.fileno(), False)
        self._wake_read, self._wake_write = os.pipe()
        self._reader = threading.Thread(target=self._read, name="ugi reader", daemon=True)
        self._forgotten = weakref.finalize(listener, _forget, process, self._wake_write)

    def listen(self) -> None:
        """Begin to tell the listener what is written: once, when it is ready to hear."""
        self._reader.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, line: str, timeout: float) -> None:
        """Write a line; raises `EngineDiedError` if nobody reads it, `EngineTimeoutError` if not within `timeout`."""
        data = memoryview(f"{line}\n".encode())
        end = time.monotonic() + timeout
        with self._writing:
            if self._closed:
                raise EngineDiedError(f"engine: was closed, expected it open for {shorten(line)}")
            poll = select.poll()
            poll.register(self._input.fileno(), select.POLLOUT)
            while data:
                if not poll.poll(max(0.0, 1000.0 * (end - time.monotonic()))):
                    raise EngineTimeoutError(f"engine: did not read {shorten(line)} within {timeout:g} s")
                try:
                    data = data[os.write(self._input.fileno(), data) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise EngineDiedError(
                        f"engine: {self.describe_end()}, expected it to read {shorten(line)}"
                    ) from None

    def describe_end(self) -> str:
        """Say how the process ended, and the last that it wrote to standard error."""
        status = _status(self._process, _STATUS_SECONDS)  # its pipes close a moment before it has a status
        if status is None:
            text = "closed its input or output but goes on"
        elif status < 0:
            text = f"was killed by signal {-status}"
        else:
            text = f"ended with status {status}"
        words = " ".join(self._last_words.decode("utf-8", "replace").split())
        return f"{text}, its last words {shorten(words[-_MAX_QUOTED:])}" if words else text

    def close(self, grace: float) -> int | None:
        """End the process and return its status: its input is closed, and after `grace` seconds it is killed."""
        with self._writing:
            if self._closed:
                return self._process.returncode
            self._closed = True
            forgotten = self._forgotten.detach() is None  # then the reader has been woken, and its files are closed
            with contextlib.suppress(OSError):
                self._input.close()
        _status(self._process, grace)
        with self._ending:
            _kill(self._process)  # whether or not it has ended: what it has started may not have
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_REAP_SECONDS)
        if not forgotten:
            os.write(self._wake_write, b"\0")
        self._reader.join(_REAP_SECONDS)
        return self._process.returncode

    def kill(self) -> None:
        """End the process at once; `close` is still to be called."""
        with self._ending:
            _kill(self._process)

    def _read(self) -> None:
        """Read both outputs until `close`: what the thread does.

        Also what nobody wants to know any more, so that a process that still writes does not block but can end.
        """
        output, errors = self._output.fileno(), self._errors.fileno()
        poll = select.poll()
        for file in (output, errors, self._wake_read):
            poll.register(file, select.POLLIN)
        partial, listening, open_ = b"", True, True
        while open_:
            for file, _ in poll.poll():
                if file == self._wake_read:
                    open_ = False
                    break
                data = os.read(file, _CHUNK)
                if not data:
                    poll.unregister(file)
                if file == errors:
                    self._last_words = (self._last_words + data)[-_MAX_LAST_WORDS:]
                elif listening:
                    *lines, partial = (partial + data).split(b"\n")
                    if not data:
                        lines.append(partial)
                    listening = self._tell(lines, partial) and bool(data)
                    if not listening and data:
                        self._end(f"wrote a line of more than {MAX_LINE} bytes")
                    elif not listening:
                        if select.select([errors], [], [], 0)[0]:  # what it said at its end may stand there still
                            self._last_words = (self._last_words + os.read(errors, _CHUNK))[-_MAX_LAST_WORDS:]
                        self._end(None)
        if listening:
            self._end(None)
        for pipe in (self._output, self._errors):
            pipe.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _tell(self, lines: list[bytes], partial: bytes) -> bool:
        """Hand lines over; returns whether all, the unfinished one included, are short enough."""
        for line in lines:
            listener = self._listener()
            if listener is None or len(line) > MAX_LINE:
                return False
            text = line.decode("utf-8", "replace").strip()
            if text:
                listener.line(text)
        return len(partial) <= MAX_LINE

    def _end(self, reason: str | None) -> None:
        listener = self._listener()
        if listener is not None:
            listener.end(reason)


def _status(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Return the exit status, negative for a signal, waiting for it at most `seconds`; `None` if there is none yet.

    The process is not reaped, so that its number, which is its group's too, cannot be another's meanwhile.
    """
    end = time.monotonic() + seconds
    delay = 0.0005
    while process.returncode is None:
        try:
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            break
        if ended is not None:
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        left = end - time.monotonic()
        if left <= 0:
            return None
        time.sleep(min(left, delay))
        delay = min(2 * delay, 0.05)
    return process.returncode


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the session that the process leads; the process must not have been reaped unless `returncode` is set."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _forget(process: subprocess.Popen[bytes], wake: int) -> None:
    """What is left to do for a listener that nobody closed."""
    _kill(process)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_REAP_SECONDS)
    os.write(wake, b"\0")
