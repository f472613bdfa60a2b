"""Players by name: who chooses the moves of a game, from `random` to any program that speaks UGI.

Owns what a name means. Invariant: a name is checked before anything is started, and a player without a clock plays the
same game again from the same seed. Guarded by tests/match/test_players.py.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

from halma_fast.checks import check_int, check_memory, shorten
from halma_fast.engine import MAX_THREADS, Engine
from halma_fast.errors import HalmaError, IllegalMoveError, MatchError, MoveError, UgiError
from halma_fast.levels import MAX_LEVEL, LevelPlayer
from halma_fast.move import PASS, Move
from halma_fast.position import Position
from halma_fast.types import Limit, Played, Side
from halma_fast.variants import Variant

if TYPE_CHECKING:
    from halma_fast.ugi.client import Client

OnStart = Callable[[Callable[[], None]], None]

__all__ = ["EnginePlayer", "GreedyPlayer", "Player", "PlayerSpec", "RandomPlayer", "UgiPlayer", "make_player"]

_KINDS: Final = "random, greedy, engine, engine:depth=4,hash=64, level:3 or ugi:COMMAND;Name=Value"
_ENGINE_KEYS: Final = ("depth", "nodes", "time", "hash", "threads")
_NUMBER: Final = re.compile(r"[0-9]{1,19}", re.ASCII)
_SECONDS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}", re.ASCII)

# A UGI program gets this long beyond its time before it counts as hanging, or so long a move if it has no time.
GRACE_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 300.0


class Player(Protocol):
    """Whoever chooses moves. Used by one thread at a time; `close` may come from another and ends what is running."""

    @property
    def name(self) -> str:
        """What messages and records call it."""

    def new_game(self, variant: Variant, seed: int | str = 0) -> None:
        """Forget the last game; random choices of the next one are drawn from the seed."""

    def play(self, position: Position, limit: Limit) -> Played:
        """Choose a move of a position where the game goes on; the position may not be changed."""

    def close(self) -> None:
        """Give back what the player holds, a process for instance. It plays no more."""


class RandomPlayer:
    """Draws one of all legal moves."""

    def __init__(self, seed: int | str = 0, name: str = "random") -> None:
        self.name = name
        self._random = Random(seed)

    def new_game(self, variant: Variant, seed: int | str = 0) -> None:
        """See `Player`."""
        self._random = Random(seed)

    def play(self, position: Position, limit: Limit) -> Played:
        """See `Player`."""
        return Played(self._random.choice(list(position.legal_moves)))

    def close(self) -> None:
        """See `Player`."""


class GreedyPlayer(RandomPlayer):
    """Takes a move that brings a man nearest to home, drawing among equal ones.

    Near is the file distance plus the rank distance to the corner of the goal; into the goal comes before anything
    else.
    """

    def __init__(self, seed: int | str = 0, name: str = "greedy") -> None:
        super().__init__(seed, name)

    def play(self, position: Position, limit: Limit) -> Played:
        """See `Player`."""
        side = position.turn
        goal = position.variant.goal[side]
        corner = _corner(position.variant, side)

        def progress(move: Move) -> int:
            if move == PASS:
                return 0
            enters = move.to_square in goal and move.from_square not in goal
            return 100 * enters + _distance(move.from_square, corner) - _distance(move.to_square, corner)

        moves = list(position.legal_moves)
        most = max(map(progress, moves))
        return Played(self._random.choice([move for move in moves if progress(move) == most]))


def _corner(variant: Variant, side: int) -> int:
    last = variant.size - 1
    return min(
        (0, last, 16 * last, 17 * last), key=lambda corner: sum(_distance(goal, corner) for goal in variant.goal[side])
    )


def _distance(a: int, b: int) -> int:
    return abs((a & 15) - (b & 15)) + abs((a >> 4) - (b >> 4))


class EnginePlayer:
    """This package's engine. `own` limits combine with those of the game; of two of a kind the smaller counts."""

    def __init__(self, own: Limit | None = None, hash_mb: int = 16, threads: int = 1, name: str = "engine") -> None:
        self.name = name
        self._own = own or Limit()
        self._engine = Engine(hash_mb=hash_mb, threads=threads)
        self._closed = False

    def new_game(self, variant: Variant, seed: int | str = 0) -> None:
        """See `Player`."""
        self._engine.clear()

    def play(self, position: Position, limit: Limit) -> Played:
        """See `Player`."""
        if self._closed:
            raise MatchError(f"player: {shorten(self.name)} was closed, expected no more moves of it")
        result = self._engine.search(position, limit.within(self._own))
        return Played(result.best_move, result.info)

    def close(self) -> None:
        """See `Player`."""
        self._closed = True
        self._engine.stop()


class UgiPlayer:
    """A program that speaks UGI, started at once.

    A program that goes 2 seconds beyond its time, or 300 a move without one, counts as hanging: `EngineTimeoutError`,
    and it is ended. Raises `UgiError` for a program that cannot be started, `OptionError` for an option it does not
    take.
    """

    def __init__(
        self,
        command: str,
        options: Mapping[str, str] | None = None,
        name: str | None = None,
        on_start: OnStart | None = None,
    ) -> None:
        from halma_fast.ugi.client import Client

        self.name = name or f"ugi:{command}"
        self._told: Variant | None = None
        self._client: Client = Client.popen(command, options=dict(options or {}), on_start=on_start)

    def new_game(self, variant: Variant, seed: int | str = 0) -> None:
        """See `Player`. Raises `UgiError` for a rule that the program does not play."""
        from halma_fast.ugi.reading import variant_options

        offered = {name.lower(): option for name, option in self._client.options.items()}
        # The cap on turns is the match's own affair: a program need not know it, as long as it is told where it can be.
        self._told = variant if "maxturns" in offered else variant.with_rules(max_turns=None)
        variant_options(self._told, offered)
        self._client.new_game()

    def play(self, position: Position, limit: Limit) -> Played:
        """See `Player`."""
        patience = _patience(position, limit)
        try:
            return self._client.play(_under(self._told or position.variant, position), limit, timeout=patience)
        except UgiError as error:
            # The client says all that is wrong with an answer in one way; a match tells a bad move from a bad program.
            if isinstance(error.__context__, MoveError):
                raise IllegalMoveError(str(error)) from None
            raise

    def close(self) -> None:
        """See `Player`."""
        self._client.close()


def _under(variant: Variant, position: Position) -> Position:
    """The same game under other rules."""
    if position.variant == variant:
        return position
    moves = position.move_stack
    for _ in moves:
        position.pop()
    same = Position(variant, fen=position.fen())
    for move in moves:
        position.push(move)
        same.push(move)
    return same


def _patience(position: Position, limit: Limit) -> float:
    """Seconds after which a program counts as hanging."""
    times = [time for time in (limit.time, limit.clock(position.turn)) if time is not None]
    return min(times) + GRACE_SECONDS if times else PATIENCE_SECONDS


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player's name, understood: its kind, its own level, limits and options."""

    text: str
    kind: str
    limit: Limit = field(default_factory=Limit)
    hash_mb: int = 16
    threads: int = 1
    command: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    level: int = MAX_LEVEL

    @property
    def needs_limit(self) -> bool:
        """Whether it would think for ever without a limit from outside."""
        return self.kind in ("engine", "ugi") and not self.limit.ends(Side.X)

    @staticmethod
    def parse(text: str) -> PlayerSpec:
        """Understand a name like "greedy", "engine:depth=4,hash=64" or "ugi:./program;Hash=64"; raises `MatchError`.

        engine: depth, nodes, time (seconds), hash (MB), threads. level: one of `halma_fast.levels`, 1 to 10. ugi: a
        command line, then options behind semicolons.
        """
        if not isinstance(text, str):
            raise MatchError(f"player: {shorten(text)}, expected {_KINDS}")
        kind, colon, rest = text.strip().partition(":")
        if kind in ("random", "greedy"):
            if colon:
                raise MatchError(f"player: {shorten(text)}, expected {kind} without options")
            return PlayerSpec(kind, kind)
        if kind == "level":
            number = int(rest) if _NUMBER.fullmatch(rest) else None
            level = check_int(number, f"player: {shorten(text)}, level", 1, MAX_LEVEL, MatchError)
            return PlayerSpec(f"level:{level}", kind, level=level)
        if kind == "engine":
            return _parse_engine(text.strip(), rest, bool(colon))
        if kind == "ugi":
            return _parse_ugi(text.strip(), rest)
        raise MatchError(f"player: {shorten(text)}, expected {_KINDS}")

    def make(self, seed: int | str = 0, on_start: OnStart | None = None) -> Player:
        """Start the player. Raises `UgiError` if it is a program that cannot be started.

        on_start: called, if it is a program, with a function that ends its process at once, also while it starts.
        """
        makers: dict[str, Callable[[], Player]] = {
            "random": lambda: RandomPlayer(seed),
            "greedy": lambda: GreedyPlayer(seed),
            "level": lambda: LevelPlayer(self.level),
            "engine": lambda: EnginePlayer(self.limit, self.hash_mb, self.threads, self.text),
            "ugi": lambda: UgiPlayer(self.command, self.options, self.text, on_start),
        }
        return makers[self.kind]()


def make_player(spec: str, seed: int | str = 0) -> Player:
    """Start the player of a name; raises `MatchError` for a name that is none, `UgiError` for a program that fails."""
    return PlayerSpec.parse(spec).make(seed)


def _parse_engine(text: str, rest: str, given: bool) -> PlayerSpec:
    values: dict[str, float] = {}
    for item in rest.split(",") if given else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        pattern = _SECONDS if key == "time" else _NUMBER
        if key not in _ENGINE_KEYS or not equals:
            raise MatchError(f"player: {shorten(text)} has {shorten(item)}, expected {'=, '.join(_ENGINE_KEYS)}=")
        if key in values:
            raise MatchError(f"player: {shorten(text)} has {key} twice, expected it once")
        if not pattern.fullmatch(value):
            raise MatchError(f"player: {shorten(text)} has {key}={shorten(value)}, expected a number")
        values[key] = float(value) if key == "time" else int(value)
    try:
        limit = Limit(depth=_whole(values, "depth"), nodes=_whole(values, "nodes"), time=values.get("time"))
        hash_mb = check_memory(_whole(values, "hash") if "hash" in values else 16)
        threads = _whole(values, "threads")
        threads = check_int(1 if threads is None else threads, "threads", 1, MAX_THREADS, MatchError)
    except HalmaError as error:
        raise MatchError(f"player: {shorten(text)}: {error}") from None
    return PlayerSpec(text, "engine", limit, hash_mb, threads)


def _whole(values: Mapping[str, float], key: str) -> int | None:
    return int(values[key]) if key in values else None


def _parse_ugi(text: str, rest: str) -> PlayerSpec:
    command, *settings = rest.split(";")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise MatchError(f"player: {shorten(text)}: {error}") from None
    if not words:
        raise MatchError(f"player: {shorten(text)}, expected a command line after ugi:")
    options = {}
    for setting in settings:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not name or not equals:
            raise MatchError(f"player: {shorten(text)} has {shorten(setting)}, expected Name=Value after a semicolon")
        options[name] = value
    return PlayerSpec(text, "ugi", command=command.strip(), options=options)
