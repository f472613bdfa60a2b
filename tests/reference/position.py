"""Where the men stand, who is to move and the number of the move. Never changed: a move makes a new position.

Guarded by test_reference_rules.py.
"""

from dataclasses import dataclass
from functools import cached_property

from reference.board import Side, Square, other_side
from reference.variant import Variant


@dataclass(frozen=True)
class Position:
    x: frozenset[Square]
    o: frozenset[Square]
    turn: Side = "x"
    number: int = 1

    def men(self, side: Side) -> frozenset[Square]:
        return self.x if side == "x" else self.o

    @cached_property
    def occupied(self) -> frozenset[Square]:
        return self.x | self.o

    @property
    def ply(self) -> int:
        """Moves of both sides before this one, had the game begun with `x` at move 1."""
        return 2 * (self.number - 1) + (self.turn == "o")

    def same_for_repetition(self, other: "Position") -> bool:
        """Men and side to move; the number of the move does not count (rule 10)."""
        return (self.x, self.o, self.turn) == (other.x, other.o, other.turn)

    def after(self, move: tuple[Square, Square] | None) -> "Position":
        """The position after a move of the side to move (None is a pass). Nothing is captured (rule 3)."""
        x, o = self.x, self.o
        if move is not None:
            source, target = move
            mine = self.men(self.turn) - {source} | {target}
            x, o = (mine, o) if self.turn == "x" else (x, mine)
        number = self.number + 1 if self.turn == "o" else self.number
        return Position(x, o, other_side(self.turn), number)

    def with_turn(self, side: Side) -> "Position":
        return Position(self.x, self.o, side, self.number)


def start_position(variant: Variant) -> Position:
    return Position(variant.start["x"], variant.start["o"], variant.first, 1)
