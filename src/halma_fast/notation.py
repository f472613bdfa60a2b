"""Text of squares, moves and positions, read strictly and written in one form.

Invariant: `parse_fen(variant, format_fen(variant, *setup)) == setup`, and any fault of a text is a `HalmaError` that
says where it is, what stands there and what was expected. Guarded by tests/unit/test_notation.py.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from halma_fast.checks import check_int, check_text, counted, shorten
from halma_fast.errors import FenError, MoveError, SquareError
from halma_fast.types import Side

if TYPE_CHECKING:
    from halma_fast.variants import Variant

__all__ = [
    "MAX_MOVE_NUMBER",
    "Setup",
    "format_fen",
    "parse_fen",
    "parse_move_text",
    "parse_placement",
    "parse_square",
    "split_fen",
    "square_name",
]

MAX_MOVE_NUMBER: Final = 1_000_000

# The longest position string has 16 ranks of 16 characters, 15 slashes, a side and a number; the rest is blanks.
_MAX_FEN_LENGTH: Final = 1024
# Longer than any chain that visits each square once, and short enough to be read at once.
_MAX_MOVE_LENGTH: Final = 1024

_SQUARE: Final = re.compile(r"[a-p](?:1[0-6]|[1-9])", re.ASCII)
_CHAIN: Final = re.compile(r"[a-p](?:1[0-6]|[1-9])(?:-[a-p](?:1[0-6]|[1-9]))+", re.ASCII)
_COMPACT_CHAIN: Final = re.compile(r"(?:[a-p](?:1[0-6]|[1-9])){2,}", re.ASCII)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)
_BLANKS: Final = re.compile(r"[ \t]+")
_FEN_FIELDS: Final = "'placement side' or 'placement side number'"
_SIDE_OF: Final = {"x": Side.X, "o": Side.O}


class Setup(NamedTuple):
    """A position as data: the squares of both sides' men (indexed by `Side`), who moves, the move number from 1."""

    men: tuple[frozenset[int], frozenset[int]]
    turn: Side
    number: int


def square_name(square: int) -> str:
    """Return the name of a square number (`16 * rank + file`): 52 is "e4"; raises `SquareError`."""
    number = check_int(square, "square", 0, 255, SquareError)
    return f"{'abcdefghijklmnop'[number & 15]}{(number >> 4) + 1}"


def parse_square(name: str) -> int:
    """Return the number of a named square: "e4" is 52; raises `SquareError`."""
    if not isinstance(name, str) or len(name) > 3 or not _SQUARE.fullmatch(name):
        raise SquareError(f"square: {shorten(name)}, expected a file letter a to p and a rank 1 to 16, like 'e4'")
    return _square(name)


def _square(name: str) -> int:
    return 16 * (int(name[1:]) - 1) + ord(name[0]) - ord("a")


def parse_move_text(text: str) -> tuple[int, ...]:
    """Return the squares a move text names, at least two, or `()` for "pass"; raises `MoveError`.

    Accepts "h1-f3", "h1f3" and chains with their landings, "h1-f3-f5". Knows no board: what is legal is not its matter.
    """
    if not isinstance(text, str):  # whoever takes a text takes a `Move` too, and asks for the text of everything else
        raise MoveError(f"move: {shorten(text)}, expected a Move or a text like 'h1-f3'")
    move = check_text(text, "move", _MAX_MOVE_LENGTH, MoveError)
    if move == "pass":
        return ()
    if not (_CHAIN.fullmatch(move) or _COMPACT_CHAIN.fullmatch(move)):
        lower = move.lower()
        if lower == "pass" or _CHAIN.fullmatch(lower) or _COMPACT_CHAIN.fullmatch(lower):
            raise MoveError(f"move: {shorten(text)}, expected lower case, {shorten(lower)}")
        raise MoveError(f"move: {shorten(text)}, expected squares like 'h1-f3', 'h1f3' or 'h1-f3-f5', or 'pass'")
    names = _SQUARE.findall(move)
    for before, after in itertools.pairwise(names):
        if before == after:
            raise MoveError(f"move: {shorten(text)} stays on {before}, expected another square after {before}")
    if names[0] == names[-1]:
        raise MoveError(f"move: {shorten(text)} ends where it began, {names[0]}, which is no move")
    return tuple(_square(name) for name in names)


def split_fen(text: str) -> list[str]:
    """Return the fields of a position string, at least one: the first is the placement. Raises `FenError`."""
    fen = check_text(text, "position string", _MAX_FEN_LENGTH, FenError)
    if not fen:
        raise FenError(f"position string: {shorten(text)} is empty, expected {_FEN_FIELDS}")
    return _BLANKS.split(fen)


def parse_fen(variant: Variant, text: str) -> Setup:
    """Read a position string of the variant: `placement side [number]`, blanks or tabs between; raises `FenError`."""
    fields = split_fen(text)
    if len(fields) not in (2, 3):
        raise FenError(f"position string: {shorten(text)} has {counted(len(fields), 'field')}, expected {_FEN_FIELDS}")
    men = parse_placement(variant, fields[0])
    turn = _SIDE_OF.get(fields[1])
    if turn is None:
        raise FenError(f"side to move: {shorten(fields[1])}, expected 'x' or 'o'")
    number = 1
    if len(fields) == 3:
        number = int(fields[2]) if _NUMBER.fullmatch(fields[2]) else 0
        if not 1 <= number <= MAX_MOVE_NUMBER:
            raise FenError(f"move number: {shorten(fields[2])}, expected a decimal number from 1 to {MAX_MOVE_NUMBER}")
    return Setup(men, turn, number)


def parse_placement(variant: Variant, placement: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the squares of the men of `x` and of `o` that the first field of a position string names."""
    ranks = placement.split("/")
    if len(ranks) != variant.size:
        raise FenError(f"placement: {counted(len(ranks), 'rank')}, expected {variant.size} ranks for {variant.name}")
    men: tuple[list[int], list[int]] = ([], [])
    for index, text in enumerate(ranks):
        _parse_rank(variant, variant.size - 1 - index, text, men)
    for side in Side:
        if len(men[side]) != variant.men:
            count = counted(len(men[side]), "man", "men")
            raise FenError(f"placement: {count} of {side.letter}, expected {variant.men}")
    return frozenset(men[Side.X]), frozenset(men[Side.O])


def _parse_rank(variant: Variant, rank: int, text: str, men: tuple[list[int], list[int]]) -> None:
    """Append the men of one rank to `men`; `rank` counts from 0 at the bottom."""
    file = position = 0
    while position < len(text):
        letter = text[position]
        if letter.isascii() and letter.isdigit():
            end = position + 1
            while end < len(text) and text[end].isascii() and text[end].isdigit():
                end += 1
            run = text[position:end]
            left = variant.size - file
            if len(run) > 2 or run[0] == "0" or int(run) > left:
                room = f"a number of empty squares from 1 to {left}" if left else "the end of the rank"
                raise _rank_error(rank, file, run, room)
            for square in range(16 * rank + file, 16 * rank + file + int(run)):
                if square in variant.holes:
                    raise _rank_error(rank, square & 15, run, f"'-' for the missing square {square_name(square)}")
            file += int(run)
            position = end
            continue
        square = 16 * rank + file
        if file >= variant.size:
            raise _rank_error(rank, file, letter, f"the end of the rank after {variant.size} squares")
        if square in variant.holes:
            if letter != "-":
                raise _rank_error(rank, file, letter, f"'-' for the missing square {square_name(square)}")
        elif letter in _SIDE_OF:
            men[_SIDE_OF[letter]].append(square)
        else:
            raise _rank_error(rank, file, letter, "'x', 'o' or a number of empty squares")
        file += 1
        position += 1
    if file != variant.size:
        raise _rank_error(rank, file, "end of the rank", f"{variant.size} squares, {variant.size - file} more")


def _rank_error(rank: int, file: int, value: str, expected: str) -> FenError:
    quoted = value if value == "end of the rank" else shorten(value)
    return FenError(f"placement, rank {rank + 1}, column {file + 1}: {quoted}, expected {expected}")


def format_fen(variant: Variant, men: Sequence[Iterable[int]], turn: Side, number: int) -> str:
    """Write a position string; `men` holds the squares of `x` and of `o`. Raises `FenError`."""
    letters: dict[int, str] = dict.fromkeys(variant.holes, "-")
    for side, squares in zip(Side, men, strict=True):
        for square in squares:
            if square in letters or not (0 <= square <= 255 and square >> 4 < variant.size > square & 15):
                raise FenError(
                    f"men of {side.letter}: {shorten(square)}, expected a free square of the board of {variant.name}"
                )
            letters[square] = side.letter
    ranks = []
    for rank in range(variant.size - 1, -1, -1):
        text, empty = "", 0
        for square in range(16 * rank, 16 * rank + variant.size):
            letter = letters.get(square)
            if letter is None:
                empty += 1
                continue
            text += f"{empty}{letter}" if empty else letter
            empty = 0
        ranks.append(f"{text}{empty}" if empty else text)
    return f"{'/'.join(ranks)} {Side(turn).letter} {number}"
