"""Ten strengths of play, from a beginner's to all that the engine has, each one stronger than the one before.

Owns the table of levels and the player that keeps to one. Invariant: equal seed, level and positions give equal moves,
except at the last level, which is limited by time. Guarded by tests/play/test_levels.py; measured by
`benchmarks/levels.py`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import check_int, shorten
from halma_fast.engine import Engine
from halma_fast.errors import GameOverError, LimitError, OptionError
from halma_fast.move import Move
from halma_fast.position import Position
from halma_fast.types import Limit, Played, Side

__all__ = ["LEVELS", "MAX_LEVEL", "Level", "LevelPlayer"]

# At the last level, unless there is a clock or a limit.
_FULL_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Level:
    """A strength: how far a move is thought about, and how often a move is made without a thought.

    number: 1..10; depth: plies, nodes: of a search, `None` for no limit; careless: the probability of a move that is
    drawn at random from those that take a man no farther from its goal.
    """

    number: int
    depth: int | None
    nodes: int | None
    careless: float


LEVELS: Final = (
    Level(1, 1, None, 0.7),
    Level(2, 1, None, 0.45),
    Level(3, 1, None, 0.15),
    Level(4, 2, None, 0.0),
    Level(5, None, 500, 0.0),
    Level(6, None, 1_250, 0.0),
    Level(7, None, 6_000, 0.0),
    Level(8, None, 36_000, 0.0),
    Level(9, None, 200_000, 0.0),
    Level(10, None, None, 0.0),
)
MAX_LEVEL: Final = len(LEVELS)


class LevelPlayer:
    """Plays at a level: LevelPlayer(level=10, *, seed=0, hash_mb=16).

    level: 1..10, may be changed between moves; seed: of the careless moves, an integer; hash_mb: the engine's table.
    Raises `OptionError`. One move at a time; `stop` may be called from any thread.
    """

    def __init__(self, level: int = MAX_LEVEL, *, seed: int = 0, hash_mb: int = 16) -> None:
        self._level = _level(level)
        self._seed = check_int(seed, "seed", -(2**63), 2**63, OptionError)
        self._random = random.Random(self._seed)
        self._engine = Engine(hash_mb=hash_mb)

    @property
    def name(self) -> str:
        """What it is called in records."""
        return f"level {self.level}"

    @property
    def level(self) -> int:
        """The level, 1..10; raises `OptionError` for another one."""
        return self._level.number

    @level.setter
    def level(self, number: int) -> None:
        self._level = _level(number)

    def new_game(self, variant: object = None, seed: int | str | None = None) -> None:
        """Forget earlier games: careless moves are drawn from `seed`, by default from the first game's once more."""
        self._random.seed(self._seed if seed is None else seed)
        self._engine.clear()

    def play(self, position: Position, limit: Limit | None = None) -> Played:
        """Return the move of this level, within `limit` too if one is given; `info` is `None` for a careless one.

        Raises `GameOverError`, `LimitError`, also at the last level for a limit that ends no search of the side to
        move, and `KeyboardInterrupt` at Ctrl-C.
        """
        if not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position")
        if limit is not None and not isinstance(limit, Limit):
            raise LimitError(f"limit: {shorten(limit)}, expected a Limit or None")
        outcome = position.outcome()
        if outcome is not None:
            raise GameOverError(f"position: the game is over, {outcome}")
        bounded = self._limit(limit or Limit(), position.turn)
        moves = list(position.legal_moves)
        if len(moves) == 1:
            return Played(moves[0])
        if self._random.random() < self._level.careless:
            return Played(self._random.choice(_onward(position, moves)))
        result = self._engine.search(position, bounded)
        return Played(result.best_move, result.info)

    def stop(self) -> None:
        """End the search under way soon, from any thread: `play` returns what it has."""
        self._engine.stop()

    def close(self) -> None:
        """End the search under way, as `stop` does: there for whoever closes all players."""
        self.stop()

    def _limit(self, given: Limit, side: Side) -> Limit:
        if self.level == MAX_LEVEL and given == Limit():
            return Limit(time=_FULL_SECONDS)
        limit = given.within(Limit(depth=self._level.depth, nodes=self._level.nodes))
        if not limit.ends(side):
            raise LimitError(f"limit: no clock for the side to move, {side}, expected one or another limit")
        return limit

    def __repr__(self) -> str:
        return f"LevelPlayer({self.level}, seed={self._seed})"


def _level(number: object) -> Level:
    return LEVELS[check_int(number, "level", 1, MAX_LEVEL, OptionError) - 1]


def _onward(position: Position, moves: list[Move]) -> list[Move]:
    """Return the moves that take a man no farther from the middle of its goal, or all if there is none."""
    goal = position.variant.goal[position.turn]
    file = sum(square & 15 for square in goal) / len(goal)
    rank = sum(square >> 4 for square in goal) / len(goal)

    def distance(square: int) -> float:
        return abs((square & 15) - file) + abs((square >> 4) - rank)

    onward = [move for move in moves if move and distance(move.to_square) <= distance(move.from_square)]
    return onward or moves
