"""A game described once for both programs, and the translation between their words.

A `World` is plain data; it builds the variant of the package and that of the reference. Guarded by all tests beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import reference
from reference import Game

from halma_fast import PASS, Move, Outcome, Position, Side, Variant


@dataclass(frozen=True)
class World:
    """A named game, or a square board of `size` with `camp` if the name is empty; `rules` other than the defaults."""

    name: str = ""
    size: int = 0
    camp: tuple[int, ...] = ()
    rules: dict[str, Any] = field(default_factory=dict)

    def variant(self) -> Variant:
        if self.name:
            return Variant.named(self.name, **self.rules)
        return Variant.square(self.size, self.camp, **self.rules)

    def reference(self) -> reference.Variant:
        if self.name:
            named = {
                "halma16": reference.halma16,
                "halma10": reference.halma10,
                "halma8": reference.halma8,
                "csci561": reference.csci561,
                "pulce": reference.pulce,
            }
            return named[self.name](**self.rules)
        return reference.square_board(self.size, self.camp, **self.rules)

    def with_rules(self, **rules: Any) -> World:
        return World(self.name, self.size, self.camp, {**self.rules, **rules})


@dataclass
class Twins:
    """The same game in both programs; every move is made in both."""

    world: World
    position: Position
    game: Game

    def push(self, move: reference.Move | None) -> None:
        self.position.push(to_move(move))
        self.game.push(move)

    def pop(self) -> None:
        self.position.pop()
        self.game.pop()


def twins(world: World, start: reference.Position | None = None) -> Twins:
    """Begin a game in both programs; from the start, or from a position that goes through its position string."""
    game = Game(world.reference())
    if start is None:
        return Twins(world, Position(world.variant()), game)
    game.positions = [start]
    return Twins(world, Position(world.variant(), fen=reference.write_fen(game.variant, start)), game)


def to_number(square: reference.Square) -> int:
    file, rank = square
    return 16 * rank + file


def to_square(number: int) -> reference.Square:
    return number % 16, number // 16


def to_move(move: reference.Move | None) -> Move:
    return PASS if move is None else Move(to_number(move[0]), to_number(move[1]))


def to_pair(move: Move) -> reference.Move | None:
    return None if move == PASS else (to_square(move.from_square), to_square(move.to_square))


def to_moves(moves: set[reference.Move | None]) -> set[Move]:
    return {to_move(move) for move in moves}


def to_outcome(outcome: reference.Outcome | None) -> tuple[str | None, str, tuple[int, int] | None] | None:
    return None if outcome is None else (outcome.winner, outcome.reason, outcome.points)


def outcome_of(outcome: Outcome | None) -> tuple[str | None, str, tuple[int, int] | None] | None:
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner.letter
    return winner, str(outcome.reason), outcome.points


def men_of(position: Position) -> tuple[frozenset[reference.Square], frozenset[reference.Square]]:
    x, o = (frozenset(to_square(number) for number in position.pieces(side)) for side in Side)
    return x, o
