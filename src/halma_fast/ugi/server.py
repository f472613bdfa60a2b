"""The engine as a program that speaks the Universal Game Interface: commands in, answers out, a line each.

Invariant: no command waits for a search and no search for a command; only lines of the protocol are written, each
whole; whichever way the input or the output ends, so does the process. Guarded by tests/ugi/.
"""

from __future__ import annotations

import errno
import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import IO, Any, Final

from halma_fast.analysis import Analysis
from halma_fast.checks import check_int, one_line, shorten
from halma_fast.count import Stopper, count_leaves
from halma_fast.errors import EngineBusyError, HalmaError, LimitError, MoveError, OptionError
from halma_fast.position import Position
from halma_fast.types import MAX_DEPTH, Outcome, Side
from halma_fast.ugi.settings import Settings
from halma_fast.ugi.words import info_line, read_go, read_position

__all__ = ["NO_MOVE", "serve"]

# What stands for a move where there is none, in a finished game.
NO_MOVE: Final = "0000"
_MAX_LINE: Final = 1 << 20
_CHUNK: Final = 1 << 16
# Seconds for last words after the end of the input, or of a job that was stopped: nobody may empty a full pipe.
_PATIENCE: Final = 2.0
_POLL_MILLISECONDS: Final = 100


def serve(stdin: IO[Any], stdout: IO[Any], name: str = "halma_fast", author: str = "the halma_fast founders") -> None:
    """Obey the commands from a file until `quit` or its end; both files have descriptors, which are used directly.

    name, author: what `ugi` is answered with. Answers that nobody reads within seconds of the end are lost. Raises
    `BrokenPipeError` if nobody reads the answers any more.
    """
    _Server(stdin.fileno(), stdout.fileno(), name, author).run()


class _UnreadError(Exception):
    """The input has ended, and the output is open but nobody reads it."""


class _Job:
    """Work that goes on beside the commands: a search or a count. It ends by itself or by `stop`."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.stop_work = stop
        self.stopped = threading.Event()

    def stop(self) -> None:
        self.stopped.set()
        self.stop_work()


class _Server:
    def __init__(self, source: int, sink: int, name: str, author: str) -> None:
        self._source = source
        self._sink = sink
        self._identity = [f"id name {name}", f"id author {author}"]
        self._settings = Settings()
        self._position = Position(self._settings.variant)
        self._job: _Job | None = None
        self._worker: threading.Thread | None = None
        self._writing = threading.Lock()
        self._writable = select.poll()
        self._writable.register(sink, select.POLLOUT)
        self._input_end: float | None = None
        # Lines; None: no more of them; an error: that of a job, as a rule that nobody reads what it has to say.
        self._inbox: SimpleQueue[str | BaseException | None] = SimpleQueue()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "uginewgame": self._uginewgame,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "query": self._query,
            "perft": self._perft,
            "d": self._display,
        }

    def run(self) -> None:
        for descriptor in (self._source, self._sink):
            os.set_blocking(descriptor, True)
        # A daemon that reads the descriptor itself: no lock of a file object is left behind when the process ends.
        threading.Thread(target=self._read, name="halma_fast ugi input", daemon=True).start()
        try:
            while (item := self._inbox.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                words = item.split()
                if words[:1] == ["quit"]:
                    break
                if words:
                    self._obey(words)
        except _UnreadError:
            pass
        finally:
            job, worker = self._job, self._worker
            if job is not None:
                job.stop()
            if worker is not None:
                worker.join(_PATIENCE)

    def _read(self) -> None:
        for line in _lines(self._source):
            self._inbox.put(line)
            if line.split()[:1] == ["quit"]:
                break
        self._input_end = time.monotonic()
        self._inbox.put(None)

    def _obey(self, words: list[str]) -> None:
        try:
            command = self._commands.get(words[0])
            if command is None:
                raise OptionError(f"command: {shorten(words[0])}, expected one of {', '.join(self._commands)}, quit")
            command(words[1:])
        except HalmaError as error:
            self._remark(str(error))
        except MemoryError as error:
            self._remark(f"not enough memory: {error}")

    def _write(self, *lines: str, ends_job: bool = False) -> None:
        """Write lines at once, with nobody else's between them, and a job's last before the next job's first."""
        data = "".join(f"{line}\n" for line in lines).encode("ascii", "backslashreplace")
        with self._writing:
            if ends_job:  # before they are read, since the next command may come at once
                self._job = None
            while data:
                self._await_reader()
                data = data[os.write(self._sink, data[: select.PIPE_BUF]) :]  # no more, since more could block

    def _await_reader(self) -> None:
        """Wait until the output takes something; raises `_UnreadError` if it does not once the input has ended."""
        begin = time.monotonic()
        while not self._writable.poll(_POLL_MILLISECONDS):
            end = self._input_end
            if end is not None and time.monotonic() - max(begin, end) > _PATIENCE:
                raise _UnreadError

    def _remark(self, text: str) -> None:
        self._write(_remark_line(text))

    # Commands; each is given the words after its name.

    def _ugi(self, words: list[str]) -> None:
        _expect_nothing("ugi", words)
        self._write(*self._identity, *self._settings.lines(), "ugiok")

    def _isready(self, words: list[str]) -> None:
        _expect_nothing("isready", words)
        try:
            if self._job is None:
                self._settings.engine()  # it is made before the clock runs
        except MemoryError as error:
            self._remark(f"not enough memory: {error}")
        self._write("readyok")

    def _setoption(self, words: list[str]) -> None:
        split = words.index("value") if "value" in words else len(words)
        if words[:1] != ["name"] or split != 2 or len(words) < 4:
            raise OptionError(f"setoption: {shorten(' '.join(words))}, expected name NAME value VALUE")
        self._refuse_during_work("setoption")
        changed, remark = self._settings.set(words[1], " ".join(words[3:]))
        if changed:
            self._position = Position(self._settings.variant)
        if remark is not None:
            self._remark(remark)

    def _uginewgame(self, words: list[str]) -> None:
        _expect_nothing("uginewgame", words)
        self._refuse_during_work("uginewgame")
        self._settings.forget()
        self._position = Position(self._settings.variant)

    def _set_position(self, words: list[str]) -> None:
        # Also during a search, which has a copy of its own.
        self._position = read_position(words, self._settings.variant)

    def _go(self, words: list[str]) -> None:
        go = read_go(words)
        self._refuse_during_work("go")
        outcome = self._position.outcome()
        if outcome is not None:
            self._write(f"info string the game is over, {outcome}", f"bestmove {NO_MOVE}")
            return
        turn = self._position.turn
        endless = not go.limit.ends(turn)
        if endless and not go.infinite:
            raise LimitError(f"go: no clock for the side to move, {turn}, expected one, another limit or infinite")
        try:
            analysis = self._settings.engine().analysis(
                self._position, go.limit, multipv=self._settings.multipv, root_moves=go.root_moves
            )
        except MemoryError as error:
            self._write(_remark_line(f"not enough memory: {error}"), f"bestmove {NO_MOVE}")
            return
        self._begin(analysis.stop, lambda job: self._report(job, analysis, endless))

    def _stop(self, words: list[str]) -> None:
        _expect_nothing("stop", words)
        job = self._job
        if job is not None:
            job.stop()

    def _query(self, words: list[str]) -> None:
        position = self._position
        match words:
            case ["p1turn"]:
                answer = _truth(position.turn is Side.X)
            case ["gameover"]:
                answer = _truth(position.is_game_over())
            case ["result"]:
                answer = _result(position.outcome())
            case ["fen"]:
                answer = position.fen()
            case ["islegal", move]:
                answer = _truth(_is_legal(position, move))
            case _:
                expected = "p1turn, gameover, result, fen or islegal MOVE"
                raise OptionError(f"query: {shorten(' '.join(words))}, expected {expected}")
        self._write(f"response {answer}")

    def _perft(self, words: list[str]) -> None:
        if len(words) != 1 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) <= 3):
            raise LimitError(f"perft: {shorten(' '.join(words))}, expected a depth from 1 to {MAX_DEPTH}")
        depth = check_int(int(words[0]), "perft", 1, MAX_DEPTH, LimitError)
        self._refuse_during_work("perft")
        stopper = Stopper()
        position = self._position.copy(stack=False)
        self._begin(stopper.stop, lambda job: self._count(job, position, depth, stopper))

    def _display(self, words: list[str]) -> None:
        _expect_nothing("d", words)
        lines = [*str(self._position).splitlines(), f"fen {self._position.fen()}"]
        self._write(*(f"info string {line}".rstrip() for line in lines))

    # Work beside the commands.

    def _refuse_during_work(self, command: str) -> None:
        job, worker = self._job, self._worker
        if job is not None and worker is not None and job.stopped.is_set():
            worker.join(_PATIENCE)  # whoever has sent `stop` need not wait for the answer
        if self._job is not None:
            raise EngineBusyError(f"{command}: not during a search, expected stop before it")

    def _begin(self, stop: Callable[[], None], work: Callable[[_Job], None]) -> None:
        job = _Job(stop)

        def run() -> None:
            try:
                work(job)
            except BaseException as error:
                job.stop()
                self._inbox.put(error)

        self._job = job
        self._worker = threading.Thread(target=run, name="halma_fast ugi work", daemon=True)
        try:
            self._worker.start()
        except BaseException:
            job.stop()
            self._job = self._worker = None
            raise

    def _report(self, job: _Job, analysis: Analysis, endless: bool) -> None:
        """Tell what a search finds and, when it has ended, its move."""
        try:
            for info in analysis:
                self._write(info_line(info))
            result = analysis.wait()
        except (HalmaError, MemoryError) as error:
            self._write(_remark_line(str(error)), f"bestmove {NO_MOVE}", ends_job=True)
            return
        if endless:
            job.stopped.wait()  # it may have got to the end of its depths; the answer is still not wanted
        self._write(*map(info_line, result.lines), f"bestmove {result.best_move}", ends_job=True)

    def _count(self, job: _Job, position: Position, depth: int, stopper: Stopper) -> None:
        """Count leaves depth by depth."""
        begin = time.perf_counter()
        for plies in range(1, depth + 1):
            leaves, _ = count_leaves(position, plies, True, None, stopper)
            seconds = time.perf_counter() - begin
            if job.stopped.is_set():
                break
            line = (
                f"info depth {plies} nodes {leaves} nps {int(leaves / max(seconds, 1e-9))} time {int(1000 * seconds)}"
            )
            self._write(line, ends_job=plies == depth)
        else:
            return  # the last line has ended the job: another may have begun
        self._write(ends_job=True)


def _lines(source: int) -> Iterator[str]:
    """The lines of a descriptor up to its end; of one that is too long, a beginning that no command has."""
    buffer = bytearray()
    too_long = False
    while True:
        try:
            data = os.read(source, _CHUNK)
        except OSError as error:
            if error.errno == errno.EINTR:
                continue
            data = b""  # what cannot be read has ended
        if not data:
            break
        buffer += data
        *whole, rest = buffer.split(b"\n")
        for line in whole:
            yield _TOO_LONG if too_long or len(line) > _MAX_LINE else line.decode("utf-8", "replace")
            too_long = False
        buffer = rest
        if len(buffer) > _MAX_LINE:
            buffer, too_long = bytearray(), True
    if buffer:
        yield buffer.decode("utf-8", "replace")


_TOO_LONG: Final = f"<line of more than {_MAX_LINE} bytes>".replace(" ", "_")


def _expect_nothing(command: str, words: list[str]) -> None:
    if words:
        raise OptionError(f"{command}: {shorten(' '.join(words))}, expected nothing after it")


def _remark_line(text: str) -> str:
    return f"info string {one_line(text)}"


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "none"
    return "draw" if outcome.winner is None else "p1win" if outcome.winner is Side.X else "p2win"


def _is_legal(position: Position, move: str) -> bool:
    try:
        return position.is_legal(move)
    except MoveError:
        return False
