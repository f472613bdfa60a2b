"""Random openings for matches: some plies of legal moves, drawn from a seed.

Invariant: the openings depend on nothing but variant, start, plies and seed; each leaves a game that goes on and that
the next move does not end, and none leads to a position of an earlier one, while such can be found. Guarded by
tests/match/test_openings.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Final

from halma_fast.checks import check_int, shorten
from halma_fast.errors import MatchError
from halma_fast.move import Move
from halma_fast.position import Position

__all__ = ["DEFAULT_PLIES", "Opening", "openings"]

DEFAULT_PLIES: Final = 8
_MOST_PLIES: Final = 1000
# Draws for one opening before a repeated one is taken, as on small boards and with few plies it must be.
_TRIES: Final = 100

Opening = tuple[tuple[Move, ...], ...]


def openings(starts: Sequence[Position], plies: int = DEFAULT_PLIES, seed: int = 1) -> Iterator[Opening]:
    """Yield openings without end: the moves from each of `starts`; a Halma game has one, a Pulce match one a round.

    plies: 0 to 1000 moves, each drawn from all legal ones alike. On a board where games end sooner there are fewer of
    them. Raises `MatchError` for a bad number of plies or a start where the game is over.
    """
    check_int(plies, "opening plies", 0, _MOST_PLIES, MatchError)
    for start in starts:
        if start.is_game_over():
            raise MatchError(f"opening: the game is over at {shorten(start.fen())}, expected a position to play from")
    return _draw(starts, plies, seed)


def _draw(starts: Sequence[Position], plies: int, seed: int) -> Iterator[Opening]:
    seen: set[tuple[bytes, ...]] = set()
    for index in count():
        random = Random(f"{seed}/{index}")
        for _ in range(_TRIES):
            ends = [_walk(start, plies, random) for start in starts]
            key = tuple(end.key() for end in ends)
            if key not in seen:
                break
        seen.add(key)
        yield tuple(tuple(end.move_stack[len(start.move_stack) :]) for start, end in zip(starts, ends, strict=True))


def _walk(start: Position, plies: int, random: Random) -> Position:
    """A position so many random moves from the start, or fewer where every try ran into the end of the game."""
    for length in range(plies, -1, -1):
        for _ in range(_TRIES):
            position = start.copy()
            for _ in range(length):
                position.push(random.choice(list(position.legal_moves)))
                if position.is_game_over():
                    break
            else:
                # With `win="occupied"` a gap in the camp can be filled from afar: a game of one move proves nothing.
                if not _ends_at_once(position):
                    return position
    return start.copy()


def _ends_at_once(position: Position) -> bool:
    """Whether a move of the side to move ends the game."""
    for move in list(position.legal_moves):
        position.push(move)
        over = position.is_game_over()
        position.pop()
        if over:
            return True
    return False
