"""Pulce as it is played: a match of three rounds, whose points are added up.

Invariant: the sides keep their seats, the beginner alternates unless told otherwise, and a fault ends the whole match.
Guarded by tests/match/test_pulce.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import check_bool, check_int, shorten
from halma_fast.errors import MatchError
from halma_fast.game import DEFAULT_MARGIN, Control, Round, play_round
from halma_fast.move import Move
from halma_fast.players import Player
from halma_fast.position import Position
from halma_fast.types import Side
from halma_fast.variants import Variant, resolve

__all__ = ["DEFAULT_ROUNDS", "PulceMatch", "play_match", "round_starts"]

DEFAULT_ROUNDS: Final = 3
_MOST_ROUNDS: Final = 99


@dataclass(frozen=True, slots=True)
class PulceMatch:
    """A finished match: its rounds, the points of x and o together, and the winner, `None` for a draw.

    A side with a fault, such as an illegal move, has lost the match whatever the points.
    """

    rounds: tuple[Round, ...]

    @property
    def points(self) -> tuple[int, int]:
        """The points of x and of o in all rounds."""
        scored = [round_.points for round_ in self.rounds if round_.points is not None]
        return sum(x for x, _ in scored), sum(o for _, o in scored)

    @property
    def winner(self) -> Side | None:
        """The side with more points, or the one whose opponent was at fault; `None` for a draw."""
        if self.rounds and self.rounds[-1].fault is not None:
            return self.rounds[-1].winner
        x, o = self.points
        return None if x == o else Side.X if x > o else Side.O


def round_starts(
    variant: Variant | str = "pulce", *, rounds: int = DEFAULT_ROUNDS, alternate: bool = True
) -> list[Position]:
    """Return where the rounds of a match begin.

    variant: Pulce under any rules; its `first` begins the first round, and, with `alternate`, the other side the
    second, and so on; otherwise the same side begins all. rounds: 1 to 99. Raises `MatchError`, `VariantError`.
    """
    game = resolve(variant)
    if not game.scored:
        raise MatchError(f"variant: {shorten(game.name)}, expected Pulce, which has points")
    check_int(rounds, "rounds", 1, _MOST_ROUNDS, MatchError)
    check_bool(alternate, "alternate", MatchError)
    beginners = [Side(game.first ^ (number % 2)) if alternate else game.first for number in range(rounds)]
    return [Position(game.with_rules(first=beginner)) for beginner in beginners]


def play_match(
    players: Sequence[Player],
    variant: Variant | str = "pulce",
    *,
    rounds: int = DEFAULT_ROUNDS,
    alternate: bool = True,
    openings: Sequence[Sequence[Move]] | None = None,
    control: Control | None = None,
    margin: float = DEFAULT_MARGIN,
    seed: int | str = 0,
    stopped: Callable[[], bool] = lambda: False,
    on_round: Callable[[Round], None] | None = None,
) -> PulceMatch:
    """Play a match of Pulce between two players, x's and o's.

    openings: for each round the moves made before the players are asked; on_round: called with every round as it ends.
    The other arguments are those of `round_starts` and `play_round`.
    """
    starts = round_starts(variant, rounds=rounds, alternate=alternate)
    return play_rounds(players, starts, openings, control, margin, seed, stopped, on_round)


def play_rounds(
    players: Sequence[Player],
    starts: Sequence[Position],
    openings: Sequence[Sequence[Move]] | None,
    control: Control | None,
    margin: float,
    seed: int | str,
    stopped: Callable[[], bool],
    on_round: Callable[[Round], None] | None = None,
) -> PulceMatch:
    """Play rounds from given starts, which `round_starts` makes."""
    if openings is not None and len(openings) != len(starts):
        raise MatchError(f"openings: {len(openings)}, expected one for each of {len(starts)} rounds")
    played: list[Round] = []
    for number, start in enumerate(starts):
        opening = openings[number] if openings is not None else ()
        round_ = play_round(players, start, opening, control, margin=margin, seed=f"{seed}/{number}", stopped=stopped)
        played.append(round_)
        if on_round is not None:
            on_round(round_)
        if round_.fault is not None:
            break
    return PulceMatch(tuple(played))
