"""A game by link as a state that only events change: who may do what, and what it leads to.

Knows neither sockets nor the disk. Invariant: `check_*` changes nothing and returns the event to be kept; `apply` takes
only such events, so that a room made from the same events is the same. Guarded by tests/web/test_rooms.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from halma_fast.errors import HalmaError
from halma_fast.move import Move
from halma_fast.notation import parse_move_text
from halma_fast.session import AGREED, RESIGNED
from halma_fast.types import Side
from halma_fast.web.faults import Fault, fault_of
from halma_fast.web.games import Match
from halma_fast.web.messages import Setup
from halma_fast.web.store import Event
from halma_fast.web.view import full_view, made_object

__all__ = ["SEATS", "Room"]

SEATS = ("a", "b")


@dataclass(frozen=True, slots=True)
class _Given:
    """An end that the rules did not bring: who won, `None` for a draw, and why."""

    winner: Side | None
    reason: str


class Room:
    """Matches between two seats, one after the other: Room(setup). Seat "a" is x in the first match, then o, and so on.

    `game` counts rounds and matches, `version` everything that happened.
    """

    def __init__(self, setup: Setup, events: Iterable[Event] = ()) -> None:
        self._setup = setup
        self.match = Match(setup)
        self.version = 0
        self.game = 0
        self._series = 0
        self._given: _Given | None = None
        self._draws: set[str] = set()
        self._rematches: set[str] = set()
        self.score = {"a": 0.0, "b": 0.0}
        # Of each game, who made which move: a move that comes again is known by it.
        self._log: list[list[tuple[str, Move]]] = [[]]
        for event in events:
            self.apply(event)

    # Who is who.

    def side_of(self, seat: str) -> Side:
        """The side that a seat has in the present match."""
        return Side((seat == "b") ^ self._series % 2)

    def seat_of(self, side: Side) -> str:
        """The seat that has a side in the present match."""
        return SEATS[int(side) ^ self._series % 2]

    def role(self, seat: str | None) -> str:
        """The letter of a seat's side, "watch" for none."""
        return "watch" if seat is None else self.side_of(seat).letter

    # What may be done.

    def check_move(self, seat: str | None, game: int, ply: int, text: str) -> Event | None:
        """Return the event of a move, `None` if just this one was made there already; raises `Fault`."""
        player = _player(seat)
        try:
            squares = parse_move_text(text)
            move = Move(squares[0], squares[-1]) if squares else Move.from_text(text)
        except HalmaError as error:
            raise fault_of(error, field="move") from None
        if game < len(self._log) and ply < len(self._log[game]) and self._log[game][ply] == (player, move):
            return None
        self._check_game(game)
        if self.over:
            raise Fault("over", "move: the game is over")
        current = self.match.current
        if ply != len(current.made):
            raise Fault("stale", f"ply: {ply}, expected {len(current.made)}, the moves made so far", field="ply")
        if self.side_of(player) is not current.position.turn:
            raise Fault("turn", f"move: it is {current.position.turn.letter}'s turn, not yours", field="move")
        return Event("move", player, current.read(text).text)

    def check_resign(self, seat: str | None, game: int) -> Event:
        """Return the event of giving up; raises `Fault`."""
        player = _player(seat)
        self._check_game(game)
        if self.over:
            raise Fault("over", "resign: the game is over")
        return Event("resign", player)

    def check_draw(self, seat: str | None, game: int) -> Event | None:
        """Return the event of offering or accepting a draw, `None` if it is offered already; raises `Fault`."""
        player = _player(seat)
        self._check_game(game)
        if self.over:
            raise Fault("over", "draw: the game is over")
        return None if player in self._draws else Event("draw", player)

    def check_rematch(self, seat: str | None, game: int) -> Event | None:
        """Return the event of asking for another match, `None` if it is asked for already; raises `Fault`."""
        player = _player(seat)
        self._check_game(game)
        if not self.over:
            raise Fault("stale", "rematch: the game goes on, expected its end first", field="game")
        return None if player in self._rematches else Event("rematch", player)

    def _check_game(self, game: int) -> None:
        if game != self.game:
            raise Fault("stale", f"game: {game}, expected {self.game}, the one that is played", field="game")

    # What has been done.

    def apply(self, event: Event) -> None:
        """Let an event that was checked happen. A round that is over stays the present one until `next_round`."""
        self.next_round()
        self.version += 1
        if event.kind == "move":
            current = self.match.current
            made = current.read(event.value)
            current.push(made)
            self._log[self.game].append((event.seat, made.move))
            self._draws.clear()
            if self.match.over:
                self._end()
        elif event.kind == "resign":
            self._given = _Given(self.side_of(event.seat).other, RESIGNED)
            self._end()
        elif event.kind == "draw":
            self._draws.add(event.seat)
            if len(self._draws) == len(SEATS):
                self._given = _Given(None, AGREED)
                self._end()
        else:
            self._rematches.add(event.seat)
            if len(self._rematches) == len(SEATS):
                self._begin_again()

    def next_round(self) -> bool:
        """Go on with the next round if this one is over and the match is not; returns whether it did."""
        if self._given is not None or not self.match.next_round():
            return False
        self._new_game()
        return True

    def _end(self) -> None:
        self._draws.clear()
        winner = self.winner
        for seat in SEATS:
            self.score[seat] += 0.5 if winner is None else float(self.side_of(seat) is winner)

    def _begin_again(self) -> None:
        self._series += 1
        self._given = None
        self._rematches.clear()
        self.match = Match(self._setup)
        self._new_game()

    def _new_game(self) -> None:
        self.game += 1
        self._log.append([])

    # How it stands.

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._given is not None or self.match.over

    @property
    def winner(self) -> Side | None:
        """Who won the match, if it is over; `None` for a draw."""
        return self.match.winner if self._given is None else self._given.winner

    def ending(self) -> dict[str, Any] | None:
        """Return how the match ended, `None` while it goes on."""
        if not self.over:
            return None
        winner = self.winner
        outcome = self.match.current.outcome
        reason = self._given.reason if self._given is not None else "" if outcome is None else outcome.reason.value
        points = self.match.points if self.match.variant.scored else None
        return {"winner": None if winner is None else winner.letter, "reason": reason, "points": points}

    def state(self, *, legal: bool) -> dict[str, Any]:
        """Return all that the page shows but for who is there; `legal`: with the moves that can be made."""
        return {
            "version": self.version,
            "game": self.game,
            "view": full_view(self.match, legal=legal and not self.over),
            "ending": self.ending(),
            "offers": {"draw": self._letters(self._draws), "rematch": self._letters(self._rematches)},
            "score": dict(self.score),
        }

    def last_move(self) -> dict[str, Any]:
        """Return the move that was made last in this game."""
        return made_object(self.match.current.made[-1])

    def _letters(self, seats: set[str]) -> list[str]:
        return sorted((self.side_of(seat).letter for seat in seats), reverse=True)


def _player(seat: str | None) -> str:
    if seat is None:
        raise Fault("role", "you watch this game, expected a player's link")
    return seat
