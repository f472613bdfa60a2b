"""A match: games in pairs between two players, several at a time, until their number or a test says enough.

Owns which game is played with which opening and seed. Invariant: without a clock or time limit the games, and what a
test decides, depend on the settings only, not on how many are played at a time. Guarded by tests/match/test_match.py.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Callable, Container, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal

from halma_fast.checks import check_int, check_seconds, shorten
from halma_fast.elo import Sprt
from halma_fast.errors import EngineDiedError, EngineTimeoutError, HalmaError, MatchError
from halma_fast.game import DEFAULT_MARGIN, Control, Stopped, play_round
from halma_fast.openings import DEFAULT_PLIES, Opening, openings
from halma_fast.players import OnStart, Player, PlayerSpec
from halma_fast.position import Position
from halma_fast.pulce import DEFAULT_ROUNDS, play_rounds, round_starts
from halma_fast.standing import Game, Standing
from halma_fast.types import Limit, Played
from halma_fast.variants import Variant

__all__ = ["DEFAULT_GAMES", "Match", "MatchSettings", "default_max_turns"]

DEFAULT_GAMES: Final = 100
_MOST_GAMES: Final = 100_000_000
_MOST_AT_ONCE: Final = 1024
_TURNS_A_FILE: Final = 40
_TICK_SECONDS: Final = 0.05

_Pair = tuple[Player, Player]


def default_max_turns(variant: Variant) -> int:
    """Return the cap on turns of a match whose variant has none: 40 a file of the board, 640 on 16x16.

    Games between equal engines last a fourth of that; without a cap a game that both sides refuse to end never ends.
    """
    return _TURNS_A_FILE * variant.size


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What a match is: all that its games depend on. Raises `MatchError`.

    first, second: players' names as `make_player` takes them; variant: with its rules, and a cap on turns if it has
    none; fen: where openings begin, `None` for the start, and always that in Pulce; control: of both; plies: moves of
    an opening; margin: seconds a player may be late; rounds, alternate: of a Pulce match, which is one game of this
    match.
    """

    first: str
    second: str
    variant: Variant
    control: Control
    fen: str | None = None
    seed: int = 1
    plies: int = DEFAULT_PLIES
    margin: float = DEFAULT_MARGIN
    rounds: int = DEFAULT_ROUNDS
    alternate: bool = True

    def __post_init__(self) -> None:
        for spec in (self.first, self.second):
            if PlayerSpec.parse(spec).needs_limit and self.control.is_empty:
                raise MatchError(f"player: {shorten(spec)} has no limit, expected depth, nodes, time or clock")
        check_int(self.seed, "seed", -(2**63), 2**63, MatchError)
        object.__setattr__(self, "margin", check_seconds(self.margin, "margin", MatchError, high=1e6))
        if self.variant.max_turns is None:
            capped = self.variant.with_rules(max_turns=default_max_turns(self.variant))
            object.__setattr__(self, "variant", capped)
        if self.variant.scored and self.fen is not None:
            raise MatchError(f"fen: {shorten(self.fen)}, expected none: the rounds of Pulce begin at the start")
        next(self.openings())

    def starts(self) -> list[Position]:
        """Where the rounds of a game begin; Halma has one."""
        if self.variant.scored:
            return round_starts(self.variant, rounds=self.rounds, alternate=self.alternate)
        return [Position(self.variant, fen=self.fen)]

    def openings(self) -> Iterator[Opening]:
        """The openings of the pairs, without end."""
        return openings(self.starts(), self.plies, self.seed)

    @property
    def identity(self) -> dict[str, Any]:
        """All of it as plain values: equal for equal matches, and made to be written down."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {
            "variant": self.variant.name,
            "rules": self.variant.rules,
            "control": asdict(self.control),
        }

    def describe(self) -> str:
        """The identity as one line of JSON."""
        return json.dumps(self.identity, ensure_ascii=True, sort_keys=True)


@dataclass(frozen=True, slots=True)
class _Task:
    """A game to be played."""

    pair: int
    leg: int
    opening: Opening


def _play(settings: MatchSettings, task: _Task, players: _Pair, stopped: Callable[[], bool] = lambda: False) -> Game:
    """Play a game; `players` are the first and the second one of the match."""
    seated = players if task.leg == 0 else players[::-1]
    seed = f"{settings.seed}/{task.pair}/{task.leg}"
    starts = settings.starts()
    if settings.variant.scored:
        rounds = play_rounds(seated, starts, task.opening, settings.control, settings.margin, seed, stopped).rounds
    else:
        (start,), (opening,) = starts, task.opening
        control = settings.control
        rounds = (play_round(seated, start, opening, control, margin=settings.margin, seed=seed, stopped=stopped),)
    return Game(task.pair, task.leg, rounds)


class _Unstarted:
    """A player that did not start: it loses its game."""

    def __init__(self, name: str, error: HalmaError) -> None:
        self.name = name
        # What `play_round` takes for a player's fault at the beginning of a game.
        self._error = error if isinstance(error, EngineDiedError | EngineTimeoutError) else EngineDiedError(str(error))

    def new_game(self, variant: Variant, seed: int | str = 0) -> None:
        raise self._error

    def play(self, position: Position, limit: Limit) -> Played:
        raise self._error

    def close(self) -> None:
        pass


def _start(settings: MatchSettings, may_fail: Container[str] = (), on_start: OnStart | None = None) -> _Pair:
    """Start both players; one of `may_fail`, "A" and "B", that cannot be started loses its game.

    Raises `MatchError`, which names the player, if another cannot be started.
    """
    players: list[Player] = []
    try:
        for letter, text in zip("AB", (settings.first, settings.second), strict=True):
            try:
                players.append(PlayerSpec.parse(text).make(on_start=on_start))
            except HalmaError as error:
                if letter not in may_fail:
                    raise MatchError(f"player {letter}: {shorten(text)} does not start, {error}") from error
                players.append(_Unstarted(text, error))
        first, second = players
        return first, second
    except BaseException:
        for player in players:
            player.close()
        raise


def _play_anywhere(settings: MatchSettings, task: _Task, may_fail: str) -> Game:
    """Play a game on a machine that knows nothing of the match: what a cluster's worker does."""
    players = _start(settings, may_fail)
    try:
        return _play(settings, task, players)
    finally:
        for player in players:
            player.close()


class _Tables:
    """Pairs of players of this process, one for each game at a time; started when needed, and anew after a fault."""

    def __init__(self, settings: MatchSettings) -> None:
        self._settings = settings
        self._free: queue.SimpleQueue[_Pair] = queue.SimpleQueue()
        self._all: set[_Pair] = set()
        self._starting: dict[int, list[Callable[[], None]]] = {}  # by thread, what ends the processes it starts
        self._may_fail = ""  # those that did start once: a later failure is theirs alone
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def play(self, task: _Task) -> Game:
        """Play a game at a free table; raises `Stopped` after `close`."""
        try:
            players = self._free.get_nowait()
        except queue.Empty:
            players = self._start()
        sound = False
        try:
            game = _play(self._settings, task, players, self._stopped.is_set)
            sound = not any(round_.fault for round_ in game.rounds)
            return game
        finally:
            if sound:
                self._free.put(players)
            else:
                with self._lock:
                    self._all.discard(players)
                for player in players:
                    player.close()

    def _start(self) -> _Pair:
        ends: list[Callable[[], None]] = []
        thread = threading.get_ident()
        with self._lock:
            self._starting[thread] = ends
        try:
            if self._stopped.is_set():
                raise Stopped
            players = _start(self._settings, self._may_fail, ends.append)
            with self._lock:
                self._all.add(players)
                if not any(isinstance(player, _Unstarted) for player in players):
                    self._may_fail = "AB"
        except HalmaError as error:
            if self._stopped.is_set():
                raise Stopped from error
            raise
        finally:
            with self._lock:
                del self._starting[thread]
        return players

    def close(self) -> None:
        """End what is being played, and all players; called again as long as something is."""
        self._stopped.set()
        with self._lock:
            tables = list(self._all)
            starting = [end for ends in self._starting.values() for end in ends]
        for end in starting:
            end()
        for table in tables:
            for player in table:
                with contextlib.suppress(Exception):  # a program may be broken in any way
                    player.close()


class Match:
    """A match as it goes on.

    games: how many, an even number, or `None` with a test: until that decides; sprt: a test that ends the match when it
    is decided; done: games that were played before, of the same settings. Raises `MatchError`.
    """

    def __init__(
        self,
        settings: MatchSettings,
        games: int | None = DEFAULT_GAMES,
        *,
        sprt: Sprt | None = None,
        done: Iterable[Game] = (),
    ) -> None:
        if games is not None and check_int(games, "games", 2, _MOST_GAMES, MatchError) % 2:
            raise MatchError(f"games: {games}, expected an even number, since openings are played from both sides")
        if games is None and sprt is None:
            raise MatchError("games: None without a test, expected a number or a test that ends the match")
        self.settings = settings
        self.sprt = sprt
        self._pairs = None if games is None else games // 2
        self._games: dict[tuple[int, int], Game] = {}
        self._all = Standing()
        # The pairs in their order without a gap, which is what the test sees: so that its decision is that of a match
        # with one game at a time.
        self._in_order = Standing()
        self._next_pair = 0
        self._decision: Literal["H0", "H1"] | None = None
        for game in done:
            self._take(game)

    @property
    def games(self) -> int | None:
        """How many games there are to be, or `None`."""
        return None if self._pairs is None else 2 * self._pairs

    @property
    def decision(self) -> Literal["H0", "H1"] | None:
        """The hypothesis that the test accepted, or `None`."""
        return self._decision

    @property
    def standing(self) -> Standing:
        """The sums of the games that count: all finished ones, or those up to the pair at which the test decided."""
        return self._all if self._decision is None else self._in_order

    @property
    def is_over(self) -> bool:
        """Whether no game is missing."""
        return self._decision is not None or (self._pairs is not None and self._next_pair >= self._pairs)

    def run(
        self,
        *,
        concurrency: int = 1,
        executor: Executor | None = None,
        on_game: Callable[[Game], None] | None = None,
    ) -> Standing:
        """Play what is missing and return the standing.

        concurrency: games at a time, 1 to 1024, each in a thread of this process (a search runs without Python's lock,
        and a UGI program is a process); with an executor, such as a cluster's, how many are handed to it at a time.
        on_game: called in this thread with every game as it is finished, before anything else happens to it. Whatever
        is raised meanwhile, `KeyboardInterrupt` included, ends the games that are being played; the match has those
        finished so far and can go on. Raises `MatchError` for a player that cannot be started at first; one that could
        be loses each game for which it cannot be started again.
        """
        check_int(concurrency, "concurrency", 1, _MOST_AT_ONCE, MatchError)
        if self.is_over:
            return self.standing
        if executor is not None:
            before = len(self._games)

            def call(task: _Task) -> tuple[Any, ...]:
                # Only a player that has played in this run may fail to start.
                return _play_anywhere, self.settings, task, "AB" if len(self._games) > before else ""

            self._work(executor, call, concurrency, on_game, None)
            return self.standing
        tables = _Tables(self.settings)
        pool = ThreadPoolExecutor(concurrency, thread_name_prefix="match")
        try:
            self._work(pool, lambda task: (tables.play, task), concurrency, on_game, tables)
        finally:
            tables.close()
            pool.shutdown(wait=True, cancel_futures=True)
            tables.close()
        return self.standing

    def _work(
        self,
        executor: Executor,
        call: Callable[[_Task], tuple[Any, ...]],
        concurrency: int,
        on_game: Callable[[Game], None] | None,
        tables: _Tables | None,
    ) -> None:
        tasks = self._missing()
        running: set[Future[Game]] = set()
        try:
            while not self.is_over:
                while len(running) < concurrency and (task := next(tasks, None)) is not None:
                    running.add(executor.submit(*call(task)))
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    game = future.result()
                    if on_game is not None:
                        on_game(game)
                    self._take(game)
        finally:
            for future in running:
                future.cancel()
            while tables is not None and running:
                tables.close()  # again and again: a search that was just beginning does not hear it the first time
                _, running = wait(running, timeout=_TICK_SECONDS)

    def _missing(self) -> Iterator[_Task]:
        for pair, opening in enumerate(self.settings.openings()):
            if pair == self._pairs:
                return
            for leg in (0, 1):
                if (pair, leg) not in self._games:
                    yield _Task(pair, leg, opening)

    def _take(self, game: Game) -> None:
        """Count a game, and let the test see the pairs that are complete up to now."""
        if self._pairs is not None and game.pair >= self._pairs:
            return  # of a longer match
        self._all.add(game)
        self._games[game.pair, game.leg] = game
        while self._decision is None and (self._pairs is None or self._next_pair < self._pairs):
            pair = [self._games.get((self._next_pair, leg)) for leg in (0, 1)]
            if pair[0] is None or pair[1] is None:
                return
            self._in_order.add(pair[0])
            self._in_order.add(pair[1])
            self._next_pair += 1
            if self.sprt is not None:
                self._decision = self.sprt.decision(self._in_order.pentanomial)
