"""A game as the page plays it: a set-up, finished rounds and the one that is played, all of it checked by the engine.

Owns the step from what a client says to positions. Invariant: a `Match` that exists has legal moves only, and every
round but the last is over. Guarded by tests/web/test_games.py.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from halma_fast.errors import HalmaError
from halma_fast.game_record import changed_rules
from halma_fast.move import Move
from halma_fast.notation import parse_move_text, square_name
from halma_fast.position import Position
from halma_fast.pulce import DEFAULT_ROUNDS, round_starts
from halma_fast.types import Outcome, Side
from halma_fast.variants import Rules, Variant
from halma_fast.web.faults import Fault, fault_of
from halma_fast.web.limits import MAX_MOVES
from halma_fast.web.messages import RulesGiven, Setup

__all__ = ["Made", "Match", "Round", "position_of", "setup_of"]


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made: its side, its number as in a record, the squares it visited, and how it was written."""

    move: Move
    side: Side
    number: int
    path: tuple[int, ...]

    @property
    def text(self) -> str:
        """The move with its landings, as it may be sent again: "h1-f3-f5"."""
        return "-".join(map(square_name, self.path)) if self.path else self.move.text


class Round:
    """One game from its start to its last move: Round(start)."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.position = start.copy()
        self.made: list[Made] = []

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended it."""
        return self.position.outcome()

    def read(self, text: str) -> Made:
        """Return the legal move that a text names, not yet made; the landings it names are kept. Raises `Fault`."""
        index = len(self.made)
        try:
            move = self.position.parse_move(text)
            squares = parse_move_text(text)
            path = squares if len(squares) > 2 else self.position.path(move)
        except HalmaError as error:
            raise fault_of(error, field="moves", index=index) from None
        if index >= MAX_MOVES:
            raise Fault("limit", f"moves: more than {MAX_MOVES}, expected a shorter game", field="moves", index=index)
        return Made(move, self.position.turn, self.position.move_number, path)

    def push(self, made: Made) -> None:
        """Make a move that `read` returned."""
        self.position.push(made.move)
        self.made.append(made)

    def play(self, texts: Sequence[str]) -> None:
        """Make moves; raises `Fault` with the index of the one that is refused."""
        for text in texts:
            self.push(self.read(text))

    def texts(self) -> list[str]:
        """The moves as they may be sent again."""
        return [made.text for made in self.made]


class Match:
    """The rounds of a match, of which Halma has one: Match(setup), at its beginning; raises `Fault`."""

    def __init__(self, setup: Setup) -> None:
        self.variant = _variant(setup)
        rounds: int = DEFAULT_ROUNDS if self.variant.scored and setup.fen is None else 1
        if isinstance(setup.rounds, int):
            rounds = setup.rounds
        if rounds > 1 and (not self.variant.scored or setup.fen is not None):
            raise Fault(
                "variant", f"rounds: {rounds}, expected 1 but in Pulce from its usual start", field="setup.rounds"
            )
        self.rounds = rounds
        try:
            start = Position(self.variant, fen=setup.fen)
            self._starts = round_starts(self.variant, rounds=rounds) if rounds > 1 else [start]
        except HalmaError as error:
            raise fault_of(error, field="setup.fen") from None
        fen = self._starts[0].fen()
        self.fen = None if fen == self.variant.start_fen else fen
        self.finished: list[Round] = []
        self.current = Round(self._starts[0])

    @staticmethod
    def build(setup: Setup, earlier: Sequence[Sequence[str]] = (), moves: Sequence[str] = ()) -> Match:
        """Return the match that has come to these moves; raises `Fault`."""
        match = Match(setup)
        if len(earlier) >= match.rounds:
            raise Fault(
                "schema", f"earlier: {len(earlier)} rounds, expected at most {match.rounds - 1}", field="earlier"
            )
        for number, texts in enumerate(earlier):
            try:
                match.current.play(texts)
            except Fault as fault:
                raise Fault(fault.code, fault.message, field=f"earlier[{number}]", index=fault.index) from None
            if not match.next_round():
                raise Fault("move", f"earlier: round {number + 1} is not over, expected all its moves", field="earlier")
        match.current.play(moves)
        return match

    def next_round(self) -> bool:
        """Begin the next round if this one is over and there is one; returns whether it did."""
        if self.current.outcome is None or len(self.finished) + 1 >= self.rounds:
            return False
        self.finished.append(self.current)
        self.current = Round(self._starts[len(self.finished)])
        return True

    @property
    def results(self) -> list[tuple[Side, Outcome]]:
        """Of each round that is over, who began it and how it ended."""
        rounds = [(round_.start.turn, round_.outcome) for round_ in (*self.finished, self.current)]
        return [(first, outcome) for first, outcome in rounds if outcome is not None]

    @property
    def points(self) -> tuple[int, int]:
        """The points of x and of o in the rounds that are over."""
        points = [outcome.points for _, outcome in self.results if outcome.points is not None]
        return sum(x for x, _ in points), sum(o for _, o in points)

    @property
    def over(self) -> bool:
        """Whether the last round is over."""
        return len(self.results) == self.rounds

    @property
    def winner(self) -> Side | None:
        """Who has won, if it is over: in Pulce the side with more points; `None` for a draw."""
        outcome = self.current.outcome
        if not self.variant.scored:
            return None if outcome is None else outcome.winner
        x, o = self.points
        return None if x == o else Side.X if x > o else Side.O


def position_of(setup: Setup, moves: Sequence[str]) -> Position:
    """Return the position after the moves of one round; raises `Fault`."""
    match = Match.build(setup, (), moves)
    return match.current.position


def setup_of(variant: Variant, fen: str | None, rounds: int) -> Setup:
    """Return the set-up that names what differs from the variant of that name."""
    rules = RulesGiven(**dict(changed_rules(variant)))  # type: ignore[arg-type]
    return Setup(variant=variant.name, rules=rules, fen=fen, rounds=rounds)


def _variant(setup: Setup) -> Variant:
    given = tuple(
        (name, value) for name in RulesGiven.__struct_fields__ if _is_given(value := getattr(setup.rules, name))
    )
    try:
        return _made(setup.variant, given)
    except HalmaError as error:
        raise fault_of(error, field="setup") from None


def _is_given(value: object) -> bool:
    return value is None or isinstance(value, str | bool | int)


@functools.lru_cache(256)
def _made(name: str, rules: tuple[tuple[str, object], ...]) -> Variant:
    return Variant.named(name, **cast(Rules, dict(rules)))
