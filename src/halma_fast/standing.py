"""How a match stands: results, faults, lengths and efforts, added up game by game.

Invariant: the pair statistics know a pair only when both of its games are there, and no game is counted twice.
Guarded by tests/match/test_standing.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from halma_fast.elo import Pentanomial
from halma_fast.errors import MatchError
from halma_fast.game import Effort, Round
from halma_fast.pulce import PulceMatch
from halma_fast.types import Side

__all__ = ["Game", "Standing"]


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game of a match: the `leg` of a `pair` (both from 0), in Pulce a whole match of rounds.

    The first player is x in leg 0 and o in leg 1; both legs have the same openings.
    """

    pair: int
    leg: int
    rounds: tuple[Round, ...]

    @property
    def first_side(self) -> Side:
        """The side of the first player."""
        return Side(self.leg)

    @property
    def winner(self) -> Side | None:
        """The side that won, or `None` for a draw."""
        if self.rounds[0].variant.scored:
            return PulceMatch(self.rounds).winner
        return self.rounds[0].winner

    @property
    def half_points(self) -> int:
        """What the first player made of it: 2 for a win, 1 for a draw, 0."""
        winner = self.winner
        return 1 if winner is None else 2 * (winner is self.first_side)

    @property
    def turns(self) -> int:
        """The length in turns of both sides, openings included."""
        return sum(len(round_.thoughts) for round_ in self.rounds)


class Standing:
    """The sums of a match, from the first player's point of view.

    wins, draws, losses: of games; as_x, as_o: the same by the first player's side; turns: of all games together;
    points: (first, second), of Pulce; rounds: how many; endings: how often rounds ended as ("win", "draw" or "loss",
    reason); efforts: of the first and the second player.
    """

    def __init__(self, games: Iterable[Game] = ()) -> None:
        self.as_x = [0, 0, 0]
        self.as_o = [0, 0, 0]
        self.turns = 0
        self.rounds = 0
        self.points = (0, 0)
        self.endings: Counter[tuple[str, str]] = Counter()
        self.efforts = (Effort(), Effort())
        self._counts = [0] * 5
        self._seen: set[tuple[int, int]] = set()
        self._half: dict[int, int] = {}
        for game in games:
            self.add(game)

    def add(self, game: Game) -> None:
        """Count a game; raises `MatchError` if it was counted before."""
        key = game.pair, game.leg
        if key in self._seen:
            raise MatchError(f"game: {game.pair + 1}.{game.leg + 1} twice, expected it once")
        self._seen.add(key)
        side = game.first_side
        result = game.half_points
        (self.as_o if side else self.as_x)[2 - result] += 1
        other = self._half.pop(game.pair, None)
        if other is None:
            self._half[game.pair] = result
        else:
            self._counts[other + result] += 1
        self.turns += game.turns
        self.rounds += len(game.rounds)
        for round_ in game.rounds:
            word = "draw" if round_.winner is None else "win" if round_.winner is side else "loss"
            self.endings[word, round_.reason] += 1
            points = round_.points or (0, 0)
            self.points = self.points[0] + points[side], self.points[1] + points[side.other]
            first, second = self.efforts
            self.efforts = first + round_.efforts[side], second + round_.efforts[side.other]

    @property
    def games(self) -> int:
        """How many games were counted."""
        return len(self._seen)

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return self.as_x[0] + self.as_o[0]

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self.as_x[1] + self.as_o[1]

    @property
    def losses(self) -> int:
        """Games that the second player won."""
        return self.as_x[2] + self.as_o[2]

    @property
    def score(self) -> float | None:
        """The first player's share of the points of all games, those without their other half included."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def pentanomial(self) -> Pentanomial:
        """The statistics of the pairs that are complete."""
        a, b, c, d, e = self._counts
        return Pentanomial((a, b, c, d, e))
