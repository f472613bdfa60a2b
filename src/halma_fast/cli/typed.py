"""What a person types at the board: moves in several forms, and what a text could still become.

Invariant: a text is a move only if it names exactly one legal move; any other gives the candidates or a reason. Guarded
by tests/play/test_typed.py.
"""

from __future__ import annotations

import re
from typing import Final

from halma_fast import Move, MoveError, Position, parse_square, square_name
from halma_fast.checks import shorten

__all__ = ["AmbiguousMove", "candidates", "read_move"]

_SEPARATORS: Final = re.compile(r"[\s,>:-]+")
_RUN_TOGETHER: Final = re.compile(r"(?<=[0-9])(?=[a-p])")
_SQUARE: Final = re.compile(r"[a-p](?:1[0-6]|[1-9])", re.ASCII)
_MAX_TEXT: Final = 200


class AmbiguousMove(MoveError):  # noqa: N818 - a question back rather than a fault
    """A text that several legal moves begin with."""

    def __init__(self, text: str, moves: list[Move]) -> None:
        super().__init__(f"{shorten(text)} is the beginning of {len(moves)} moves")
        self.moves = moves


def read_move(position: Position, text: str) -> Move:
    """Return the legal move that a text names: "h1-f3", "h1 f3", "h1f3", a chain, or the only one that begins so.

    Raises `AmbiguousMove`, or another `MoveError` that says why it is no move here.
    """
    if len(text) > _MAX_TEXT:
        raise MoveError(f"move: {shorten(text)}, expected squares like h1-f3")
    squares = _squares(text)
    if len(squares) > 1 and all(map(_SQUARE.fullmatch, squares)):
        return position.parse_move("-".join(squares))
    if squares == ["pass"]:
        return position.parse_move("pass")
    moves = candidates(position, text)
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise AmbiguousMove(text, moves)
    if len(squares) == 1 and _SQUARE.fullmatch(squares[0]):
        raise MoveError(f"{squares[0]}: {_why_none(position, squares[0])}")
    # Either no square at all, or the beginning of a move that does not exist.
    if squares and _SQUARE.fullmatch(squares[0]) and len(squares) == 2:
        raise MoveError(f"move: no move of {squares[0]} goes to {shorten(squares[1])}")
    raise MoveError(f"move: {shorten(text)}, expected squares like h1-f3, or 'help'")


def candidates(position: Position, text: str) -> list[Move]:
    """Return the legal moves that a text is the beginning of, in the order of the board's squares."""
    squares = _squares(text)
    if not squares or len(squares) > 2:
        return []
    begun = "-".join(squares)
    moves = sorted(position.legal_moves)
    # "h1" is a square of its own wherever a man can move from it, and only else the beginning of "h12".
    whole = [move for move in moves if f"{move.text}-".startswith(f"{begun}-")]
    if whole:
        return whole
    if len(squares) == 1 and text != text.rstrip(" -"):
        return []
    return [move for move in moves if move.text.startswith(begun)]


def _squares(text: str) -> list[str]:
    parts = _SEPARATORS.split(text.strip().lower())
    return [square for part in parts for square in _RUN_TOGETHER.split(part) if square]


def _why_none(position: Position, name: str) -> str:
    """Why nothing moves from a square."""
    square = parse_square(name)
    size, holes = position.variant.size, position.variant.holes
    if square & 15 >= size or square >> 4 >= size or square in holes:
        return "no square of this board"
    side = position.piece_at(square)
    if side is None:
        return "no man stands there"
    if side is not position.turn:
        return f"the man there is {side.letter}'s, and {position.turn.letter} is to move"
    return f"the man on {square_name(square)} has no move"
