"""A game in progress: all its positions, and how and for whom it ended.

Kept as a list of positions, so that taking back is dropping the last. Guarded by test_reference_endings.py and
test_reference_rounds.py.
"""

from dataclasses import dataclass, field

from reference.board import SIDES, Side, other_side
from reference.ending import is_completed, is_home, points
from reference.moves import Move, is_blocked, legal_moves
from reference.position import Position, start_position
from reference.variant import Variant


@dataclass(frozen=True)
class Outcome:
    winner: Side | None
    reason: str
    points: tuple[int, int] | None  # of x and o; Pulce only


@dataclass
class Game:
    variant: Variant
    positions: list[Position] = field(default_factory=list)
    moves: list[Move | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.positions:
            self.positions.append(start_position(self.variant))

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def turns_made(self) -> int:
        """Moves of both sides together, counted from the number of the move."""
        return self.position.ply - (1 if self.variant.first == "o" else 0)

    def legal_moves(self) -> set[Move | None]:
        return set() if self.outcome() else legal_moves(self.variant, self.position)  # rule 13

    def push(self, move: Move | None) -> None:
        self.positions.append(self.position.after(move))
        self.moves.append(move)

    def pop(self) -> Move | None:
        self.positions.pop()
        return self.moves.pop()

    def outcome(self) -> Outcome | None:
        """How the game ended, or None; the order of the tests is rule 13."""
        variant, position = self.variant, self.position
        if is_completed(variant, position):
            return self._decided()
        if self._broke_deadline():
            return Outcome(position.turn, "home deadline", None)
        if self._repeated():
            return self._as_it_stands("repetition")
        if variant.max_turns is not None and self.turns_made >= variant.max_turns:
            return self._as_it_stands("max turns")  # rule 11
        if is_blocked(variant, position):
            if variant.is_pulce and any(is_home(variant, position, side) for side in SIDES):
                return self._decided()
            return self._as_it_stands("blocked")  # rules 12 and 17
        return None

    def _decided(self) -> Outcome:
        if self.variant.is_pulce:
            return self._as_it_stands("round over")
        return Outcome(other_side(self.position.turn), "camp full", None)

    def _as_it_stands(self, reason: str) -> Outcome:
        """A draw in Halma, the points as they stand in Pulce (rules 10, 11, 17, 20)."""
        if not self.variant.is_pulce:
            return Outcome(None, reason, None)
        x, o = (points(self.variant, self.position, side) for side in SIDES)
        winner: Side | None = None if x == o else "x" if x > o else "o"  # rule 19
        return Outcome(winner, reason, (x, o))

    def _broke_deadline(self) -> bool:
        """Has the side that has just moved a man at home after its N-th move (rule 9)?"""
        deadline = self.variant.home_deadline
        if deadline is None:
            return False
        mover = other_side(self.position.turn)
        made = (self.turns_made + 1) // 2 if mover == "x" else self.turns_made // 2  # x begins every Halma game
        return made >= deadline and bool(self.position.men(mover) & self.variant.home[mover])

    def _repeated(self) -> bool:
        """Has the position been here often enough (rule 10)?"""
        times = sum(self.position.same_for_repetition(earlier) for earlier in self.positions)
        return self.variant.repetition is not None and times >= self.variant.repetition
