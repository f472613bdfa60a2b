"""A client of the Universal Game Interface, in the manner of python-chess's `chess.engine`.

Owns what was asked of an engine and what it answered. Invariant: every call ends within its time limit, with an answer
that the rules of the game allow or with an exception, whatever the engine does. Guarded by tests/ugi/test_client.py.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Final, Self

from halma_fast.checks import check_int, check_seconds, shorten
from halma_fast.errors import (
    EngineBusyError,
    EngineDiedError,
    EngineTimeoutError,
    GameOverError,
    LimitError,
    MoveError,
    OptionError,
    UgiError,
)
from halma_fast.move import Move
from halma_fast.position import Position
from halma_fast.types import Info, Limit, Played
from halma_fast.ugi.process import LineProcess, split_command
from halma_fast.ugi.reading import (
    UgiOption,
    go_command,
    option_value,
    position_command,
    read_info,
    read_option,
    variant_options,
)
from halma_fast.variants import Variant

__all__ = ["Analysis", "Client"]

_MAX_TIMEOUT: Final = 1e7  # seconds; what a lock can wait for is bounded
_MAX_OPTIONS: Final = 1000
_MAX_LINES: Final = 256  # of a search, ranked
_MAX_INFOS: Final = 10_000
_QUIT_SECONDS: Final = 2.0

Options = Mapping[str, str | int | bool | None]


class _Question:
    """What the engine was asked last: over with a line that begins with `answer`; all under the client's lock."""

    def __init__(self, answer: str, take: Callable[[list[str]], None] | None = None) -> None:
        self.answer = answer
        self.take = take
        self.line: str | None = None
        self.heard = time.monotonic()


class _Search(_Question):
    """A search: its position and what is known of it so far."""

    def __init__(self, position: Position) -> None:
        super().__init__("bestmove", self._read)
        self.position = position.copy()
        self.infos: deque[Info] = deque(maxlen=_MAX_INFOS)
        self.ranked: dict[int, Info] = {}
        self.stopped = False

    def _read(self, words: list[str]) -> None:
        if words[0] != "info":
            return
        info = read_info(words, self.position)
        if info is None:
            return
        self.infos.append(info)
        # An upper bound only tells that the line of an earlier depth is worse than was thought.
        if info.multipv <= _MAX_LINES and (info.bound != "upper" or info.multipv not in self.ranked):
            self.ranked[info.multipv] = info


class Client:
    """An engine that is a process and speaks the Universal Game Interface. Use as a context, or call `close`.

    One question at a time, from any thread: a second one meanwhile raises `EngineBusyError`. An engine that ended,
    wrote a line without end or did not answer in time is killed, and every later call raises the error of then. After
    an answer that is wrong (a move that is not legal, say) it can be asked again. Errors: `UgiError`, or its subclasses
    `EngineDiedError` and `EngineTimeoutError`.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        search_timeout: float = 600.0,
        options: Options | None = None,
        on_start: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        self._timeout = _check_seconds(timeout, "timeout")
        self._search_timeout = _check_seconds(search_timeout, "search_timeout")
        words = split_command(command)
        if options is not None and not isinstance(options, Mapping):
            raise OptionError(f"options: {shorten(options)}, expected a mapping from names to values, or None")
        self._condition = threading.Condition()
        self._question: _Question | None = None
        self._failure: UgiError | None = None
        self._closed = False
        self._id: dict[str, str] = {}
        self._options: dict[str, UgiOption] = {}
        self._sent: dict[str, str] = {}
        self._variant: Variant | None = None
        self._process = LineProcess(words, self)
        self._process.listen()
        try:
            if on_start is not None:
                on_start(self._process.kill)
            self._ask(_Question("ugiok", self._introduce), ["ugi"], self._timeout)
            self._set(self._checked(options or {}))
        except BaseException:
            self.close()
            raise

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        search_timeout: float = 600.0,
        options: Options | None = None,
        on_start: Callable[[Callable[[], None]], None] | None = None,
    ) -> Self:
        """Start an engine and set options.

        command: a command line, read as a shell reads quotes but without a shell, or its words.
        timeout: seconds for every answer but a search's, and what a search may take beyond its time limit or clock.
        search_timeout: seconds for a search that has no limit of time, and for the silence of an analysis.
        on_start: called before the engine is asked anything, with a function that ends the process at once, from any
        thread: for whoever cannot wait until a start has failed.
        Raises `OptionError` for a bad argument or an option that the engine does not take, `UgiError`.
        """
        return cls(command, timeout=timeout, search_timeout=search_timeout, options=options, on_start=on_start)

    # What the engine is.

    @property
    def id(self) -> Mapping[str, str]:
        """What the engine says of itself: "name", "author"."""
        return MappingProxyType(self._id)

    @property
    def options(self) -> Mapping[str, UgiOption]:
        """The options that the engine offers, by name."""
        return {option.name: option for option in self._options.values()}

    @property
    def name(self) -> str:
        """The engine's name, or "engine" if it has none."""
        return self._id.get("name") or "engine"

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    # What can be asked of it.

    def configure(self, options: Options) -> None:
        """Set options by name, in any case; all or none: raises `OptionError` for one the engine does not take.

        Variant, rules and MultiPV follow the position and the call at each search.
        """
        self._set(self._checked(options))

    def new_game(self) -> None:
        """Tell the engine that the next search is of another game."""
        self._ask(_Question("readyok"), ["uginewgame", "isready"], self._timeout)

    def ping(self) -> float:
        """Return after how many seconds the engine answered that it is ready."""
        begin = time.monotonic()
        self._ask(_Question("readyok"), ["isready"], self._timeout)
        return time.monotonic() - begin

    def query(self, name: str, position: Position | None = None) -> str:
        """Return the engine's response to "p1turn", "gameover" or "result", of `position` or the one it has."""
        if name not in ("p1turn", "gameover", "result"):
            raise OptionError(f"query: {shorten(name)}, expected 'p1turn', 'gameover' or 'result'")
        lines = [f"query {name}"]
        if position is not None:
            self._prepare(position, 1)
            lines.insert(0, position_command(position))
        line = self._ask(_Question("response"), lines, self._timeout)
        words = line.split()
        if len(words) != 2:
            raise UgiError(f"{self.name}: {shorten(line)}, expected 'response' and one word")
        return words[1]

    def play(self, position: Position, limit: Limit, *, timeout: float | None = None) -> Played:
        """Return the move that the engine plays, and the last that it said of it.

        limit: at least one limit, of any kind but `mate`. timeout: seconds after which the engine is given up; by
        default the time limit or what the clock has left, whichever is less, and `timeout` of the client more.
        Raises `GameOverError`, `LimitError`, and `UgiError` naming the line for a move that is not legal.
        """
        allowed = self._allowed(position, limit, timeout)
        search = self._search(position, limit, 1)
        return self._result(search, time.monotonic() + allowed)

    def analyse(
        self, position: Position, limit: Limit, *, multipv: int = 1, timeout: float | None = None
    ) -> list[Info]:
        """Search like `play` and return the ranked lines, the best one first; `multipv` of them if the engine can."""
        allowed = self._allowed(position, limit, timeout)
        search = self._search(position, limit, multipv)
        self._result(search, time.monotonic() + allowed)
        return _ranked(search)

    def analysis(self, position: Position, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Begin a search, without a limit until `stop`, and return it: a context, and an iterator of `Info`."""
        if limit is None or limit == Limit():
            return Analysis(self, self._search(position, None, multipv), None)
        allowed = self._allowed(position, limit, None)
        return Analysis(self, self._search(position, limit, multipv), allowed)

    # Its end.

    def quit(self) -> int | None:
        """Ask the engine to quit, wait for it, kill it if it does not, and return its exit status."""
        with self._condition:
            ask = not self._closed and self._failure is None
            self._closed = True
            self._condition.notify_all()
        patience = min(self._timeout, _QUIT_SECONDS)
        if ask:
            with contextlib.suppress(UgiError):
                self._process.send("quit", patience)
        return self._process.close(patience if ask else 0.0)

    def close(self) -> None:
        """End the process like `quit`; may be called again, from any thread, and in the middle of a search."""
        self.quit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._closed else "failed" if self._failure else f"process {self.pid}"
        return f"<Client {shorten(self.name)}, {state}>"

    # What the reading thread tells.

    def line(self, text: str) -> None:
        """Take a line of the engine: not for callers."""
        with self._condition:
            question = self._question
            if question is None:
                return
            words = text.split()
            question.heard = time.monotonic()
            if words[0] == question.answer:
                question.line = text
                self._question = None
                self._condition.notify_all()
            elif question.take is not None:
                question.take(words)
                self._condition.notify_all()

    def end(self, reason: str | None) -> None:
        """Take the end of what the engine says: not for callers."""
        if reason is None:
            self._fail(EngineDiedError(f"{self.name}: {self._process.describe_end()}"))
        else:
            self._fail(UgiError(f"{self.name}: {reason}"))

    def _introduce(self, words: list[str]) -> None:
        """Take the lines between "ugi" and "ugiok"."""
        if words[0] == "id" and len(words) > 2 and len(self._id) < _MAX_OPTIONS:
            self._id[words[1]] = " ".join(words[2:])
        elif words[0] == "option" and len(self._options) < _MAX_OPTIONS:
            option = read_option(words)
            if option is not None:
                self._options[option.name.lower()] = option

    # How it is done.

    def _ask(self, question: _Question, lines: Sequence[str], timeout: float) -> str:
        """Send lines and return the answer."""
        self._begin(question, lines)
        return self._answer(question, time.monotonic() + timeout)

    def _begin(self, question: _Question, lines: Sequence[str]) -> None:
        with self._condition:
            self._check_usable()
            if self._question is not None:
                raise EngineBusyError(f"{self.name}: is at work, expected one question at a time")
            self._question = question
        try:
            for line in lines:
                self._process.send(line, self._timeout)
        except UgiError as error:
            self._fail(error)
            self._check_usable()
        except BaseException:  # Ctrl-C in the middle of a line
            self._fail(UgiError(f"{self.name}: was interrupted while it was asked"))
            raise

    def _answer(self, question: _Question, end: float) -> str:
        """Wait for the answer until the time `end`; leaves an engine that can be asked again, or that has failed."""
        try:
            with self._condition:
                if self._wait(question, end):
                    assert question.line is not None
                    return question.line
        except UgiError:
            raise
        except BaseException:  # Ctrl-C: what is under way is ended, so that its answer is not taken for the next one
            self._abandon(question)
            raise
        self._fail(EngineTimeoutError(f"{self.name}: no {question.answer!r} in time"))
        self._check_usable()
        raise AssertionError

    def _wait(self, question: _Question, end: float) -> bool:
        """Wait under the lock for the answer; `False` if it has not come at `end`."""
        while question.line is None:
            self._check_usable()
            left = end - time.monotonic()
            if left <= 0:
                return False
            self._condition.wait(left)
        return True

    def _abandon(self, question: _Question) -> None:
        try:
            if isinstance(question, _Search):
                self._stop(question)
            with self._condition:
                answered = self._wait(question, time.monotonic() + min(self._timeout, _QUIT_SECONDS))
        except BaseException:
            answered = False
        if not answered:
            self._fail(UgiError(f"{self.name}: did not stop when interrupted"))

    def _check_usable(self) -> None:
        if self._failure is not None:
            raise type(self._failure)(*self._failure.args)
        if self._closed:
            raise UgiError(f"{self.name}: was closed, expected an open engine")

    def _fail(self, error: UgiError) -> None:
        """Give the engine up: the first error stays."""
        with self._condition:
            self._question = None
            self._condition.notify_all()
            if self._closed:
                return
            if self._failure is None:
                self._failure = error
        self._process.kill()

    def _set(self, settings: Mapping[str, str]) -> None:
        """Set options, checked before, and read away what belongs to an earlier question."""
        lines = []
        for name, text in settings.items():
            button = self._options[name.lower()].type == "button"
            lines.append(f"setoption name {name}" if button else f"setoption name {name} value {text}")
        self._ask(_Question("readyok"), [*lines, "isready"], self._timeout)
        self._sent |= settings

    def _checked(self, options: Options) -> dict[str, str]:
        """Return options by their own names with their values as text; raises `OptionError`."""
        settings = {}
        for name, value in dict(options).items():
            option = self._options.get(name.lower()) if isinstance(name, str) else None
            if option is None:
                known = ", ".join(option.name for option in self._options.values()) or "none: the engine has no options"
                raise OptionError(f"option: {shorten(name)}, expected {known}")
            settings[option.name] = option_value(option, value)
        return settings

    def _prepare(self, position: Position, multipv: int) -> None:
        """Set what the position and the number of lines ask for."""
        if not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position")
        number = check_int(multipv, "multipv", 1, _MAX_LINES, OptionError)
        variant = position.variant
        wanted = variant_options(variant, self._options)
        many = self._options.get("multipv")
        if many is not None:
            wanted[many.name] = option_value(many, number)
        elif number > 1:
            raise UgiError(f"multipv: {number}, expected 1: the engine has no option MultiPV")
        # Another variant may bring other rules with it, so all of them are told anew.
        anew = self._variant is None or self._variant.name != variant.name
        self._set({name: text for name, text in wanted.items() if anew or self._sent.get(name) != text})
        self._variant = variant

    def _search(self, position: Position, limit: Limit | None, multipv: int) -> _Search:
        """Begin a search."""
        if not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position")
        go = go_command(limit)
        outcome = position.outcome()
        if outcome is not None:
            raise GameOverError(f"position: the game is over, {outcome}")
        self._prepare(position, multipv)
        search = _Search(position)
        self._begin(search, [position_command(position), go])
        return search

    def _stop(self, search: _Search) -> None:
        with self._condition:
            if search.line is not None or search.stopped or self._question is not search:
                return
            search.stopped = True
        try:
            self._process.send("stop", self._timeout)
        except UgiError as error:
            self._fail(error)

    def _allowed(self, position: Position, limit: Limit, timeout: float | None) -> float:
        """Return after how many seconds an engine that was asked to search is given up."""
        if not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position")
        if not isinstance(limit, Limit) or limit == Limit():
            raise LimitError(f"limit: {shorten(limit)}, expected a Limit with at least one limit")
        turn = position.turn
        if not limit.ends(turn):
            raise LimitError(f"limit: no clock for the side to move, {turn}, expected one or another limit")
        if timeout is not None:
            return _check_seconds(timeout, "timeout")
        times = [seconds for seconds in (limit.time, limit.clock(turn)) if seconds is not None]
        return min(min(times) + self._timeout if times else self._search_timeout, _MAX_TIMEOUT)

    def _result(self, search: _Search, end: float) -> Played:
        line = self._answer(search, end)
        words = line.split()
        try:
            move = search.position.parse_move(words[1] if len(words) > 1 else "")
        except MoveError as error:
            reason = str(error).removeprefix("move: ")
            raise UgiError(f"{self.name}: {shorten(line)} in {search.position.fen()!r}: {reason}") from None
        return Played(move, _info_of(search, move))


class Analysis:
    """A search that goes on: iterate over its `Info` objects as they come, `stop` it from any thread.

    As a context it is stopped, and waited for, at the end. Infos that nobody takes are kept, the last 10,000 of them.
    """

    def __init__(self, client: Client, search: _Search, allowed: float | None) -> None:
        self._client = client
        self._found = search
        self._end = None if allowed is None else time.monotonic() + allowed
        self._stop_end: float | None = None

    @property
    def multipv(self) -> list[Info]:
        """The ranked lines as they are now, the best one first."""
        with self._client._condition:
            return _ranked(self._found)

    def stop(self) -> None:
        """End the search soon; as often as one likes. Without a search, nothing happens."""
        if self._stop_end is None:
            self._stop_end = time.monotonic() + self._client._timeout
        self._client._stop(self._found)

    def wait(self, timeout: float | None = None) -> Played:
        """Wait for the end of the search, at most `timeout` seconds, and return the move and what was said of it.

        Without `timeout`, as long as the client's times allow; a search without a limit must be stopped first, or by
        another thread. Raises `EngineTimeoutError`: after `timeout` the search goes on, otherwise the engine is killed.
        """
        if timeout is not None:
            end = time.monotonic() + _check_seconds(timeout, "timeout")
            with self._client._condition:
                if not self._client._wait(self._found, end):
                    raise EngineTimeoutError(f"{self._client.name}: the search goes on after {timeout:g} s")
        self._step(self._is_over)
        return self._client._result(self._found, 0.0)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        self._step(lambda: bool(self._found.infos) or self._is_over())
        with self._client._condition:
            if self._found.infos:
                return self._found.infos.popleft()
        raise StopIteration

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if error is None:
            with self._client._condition:
                usable = self._client._failure is None and not self._client._closed
            if usable:
                self._step(self._is_over)
        else:
            self._client._abandon(self._found)

    def _is_over(self) -> bool:
        return self._found.line is not None

    def _next_end(self) -> float:
        """Until when the next word of the engine must come."""
        ends = [self._found.heard + self._client._search_timeout]
        ends += [end for end in (self._end, self._stop_end) if end is not None]
        return min(ends)

    def _step(self, ready: Callable[[], bool]) -> None:
        """Wait until `ready`; gives the engine up if it is silent for too long."""
        client = self._client
        with client._condition:
            while not ready():
                client._check_usable()
                left = self._next_end() - time.monotonic()
                if left <= 0:
                    break
                client._condition.wait(min(left, _MAX_TIMEOUT))
            else:
                return
        client._fail(EngineTimeoutError(f"{client.name}: no word of its search in time"))
        client._check_usable()


def _ranked(search: _Search) -> list[Info]:
    return [search.ranked[rank] for rank in sorted(search.ranked)]


def _info_of(search: _Search, move: Move) -> Info | None:
    """The last that was said of the move, or else of the best line."""
    ranked = _ranked(search)
    return next((info for info in ranked if info.pv[:1] == (move,)), ranked[0] if ranked else None)


def _check_seconds(value: object, field: str) -> float:
    return check_seconds(value, field, OptionError, high=_MAX_TIMEOUT, above=True)
