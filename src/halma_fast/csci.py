"""The files of the CSCI 561 homework, which most public Halma programs speak: input.txt and output.txt, both ways.

Invariant: a text is understood as a whole or refused with its line and column, and what one function writes its double
reads back as the same position or move. Guarded by tests/csci/.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from halma_fast.checks import check_seconds, counted, shorten
from halma_fast.errors import CsciError, IllegalMoveError, LimitError
from halma_fast.move import Move
from halma_fast.notation import square_name
from halma_fast.position import Position
from halma_fast.refusal import check_chain
from halma_fast.types import Side
from halma_fast.variants import VARIANTS, Variant

__all__ = ["Request", "moves_to_go", "read_input", "read_output", "think_seconds", "write_input", "write_output"]

HOMEWORK: Final = VARIANTS["csci561"]

# Black is the first player, at home top-left.
_SIDES: Final = {"BLACK": Side.X, "WHITE": Side.O}
_COLOURS: Final = {side: colour for colour, side in _SIDES.items()}
_CELLS: Final = {".": ".", "B": "x", "W": "o"}
_LETTERS: Final = {None: ".", Side.X: "B", Side.O: "W"}
_BOARD_LINE: Final = 4  # the first of the 16, counted from 1
_SECONDS: Final = re.compile(r"\+?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_MOVE_LINE: Final = re.compile(r"([EJ])[ \t]+([0-9]{1,2}),([0-9]{1,2})[ \t]+([0-9]{1,2}),([0-9]{1,2})", re.ASCII)
_MAX_LINES: Final = 1000

# Seconds; the clock of a host runs while the process starts. A game of the engine with itself has some 80 moves a side:
# a man advances by two or three squares a move, less when the last ones come home.
START_SECONDS: Final = 0.3
LEAST_SECONDS: Final = 0.01
SINGLE_SHARE: Final = 0.6
SINGLE_MOST: Final = 60.0
SQUARES_A_MOVE: Final = 2.5
LAST_MOVES: Final = 5
LEAST_MOVES: Final = 12


@dataclass(frozen=True, slots=True)
class Request:
    """What an input file asks for: a move of `position`, whose side to move is the file's colour (black is x).

    mode "SINGLE": one move, `seconds` are for it; "GAME": `seconds` are what is left for the rest of the game.
    """

    mode: Literal["SINGLE", "GAME"]
    seconds: float
    position: Position


def read_input(text: str) -> Request:
    """Return what the text of an input file asks for; raises `CsciError`, which names line and column.

    Lines may end in CR LF and blanks; blank lines at the end are let through. The move number of the position is 1, and
    it has no history: the file has neither.
    """
    lines = _lines(text)
    if len(lines) < _BOARD_LINE + HOMEWORK.size - 1:
        missing = ("SINGLE or GAME", "BLACK or WHITE", "seconds", *["16 of '.', 'B', 'W'"] * 16)[len(lines)]
        raise CsciError(f"line {len(lines) + 1}: the text ends before it, expected {missing}")
    mode = _choice(lines[0], 1, ("SINGLE", "GAME"))
    side = _SIDES[_choice(lines[1], 2, tuple(_SIDES))]
    seconds = float(lines[2]) if _SECONDS.fullmatch(lines[2]) else math.nan
    if not 0 < seconds < math.inf:
        raise CsciError(f"line 3: {shorten(lines[2])}, expected a number of seconds above 0")
    board = lines[_BOARD_LINE - 1 : _BOARD_LINE - 1 + HOMEWORK.size]
    for number, line in enumerate(board, _BOARD_LINE):
        _check_row(line, number)
    after = _BOARD_LINE + HOMEWORK.size
    if len(lines) >= after:
        raise CsciError(f"line {after}: {shorten(lines[after - 1])}, expected the end after 16 lines of the board")
    for cell in "BW":
        men = sum(line.count(cell) for line in board)
        if men != HOMEWORK.men:
            raise CsciError(f"lines 4 to 19: {counted(men, 'man', 'men')} '{cell}', expected {HOMEWORK.men}")
    rows = ("".join(_CELLS[cell] for cell in line) for line in board)
    placement = "/".join(re.sub(r"\.+", lambda run: str(len(run.group())), row) for row in rows)
    position = Position(HOMEWORK, fen=f"{placement} {side.letter} 1")
    return Request("SINGLE" if mode == "SINGLE" else "GAME", seconds, position)


def write_input(position: Position, mode: Literal["SINGLE", "GAME"] = "GAME", seconds: float = 100.0) -> str:
    """Return the text of an input file that asks for a move of a position.

    position: of csci561, whatever its rules. Raises `CsciError` for another board or mode, `LimitError` for `seconds`
    that are no finite number above 0.
    """
    _check_variant(position.variant)
    if mode not in ("SINGLE", "GAME"):
        raise CsciError(f"mode: {shorten(mode)}, expected 'SINGLE' or 'GAME'")
    left = check_seconds(seconds, "seconds", LimitError, above=True)
    size = HOMEWORK.size
    board = [
        "".join(_LETTERS[position.piece_at(16 * rank + file)] for file in range(size)) for rank in reversed(range(size))
    ]
    return "\n".join([mode, _COLOURS[position.turn], f"{left!r}", *board, ""])


def write_output(position: Position, move: Move | str) -> str:
    """Return the text of an output file for a legal move: a line `E x,y x,y` for a step, `J x,y x,y` for each hop.

    A chain has as few hops as possible. Raises `IllegalMoveError`, and `CsciError` for a pass, which the format cannot
    say, or another board.
    """
    _check_variant(position.variant)
    path = position.path(move)
    if not path:
        raise CsciError("move: pass, which the format has no line for")
    kind = "E" if _distance(path[0], path[1]) == 1 else "J"
    return "".join(f"{kind} {_place(origin)} {_place(target)}\n" for origin, target in pairwise(path))


def read_output(text: str, position: Position) -> Move:
    """Return the move that the text of an output file makes in a position, checked hop by hop.

    Raises `CsciError`, which names the line, for a text that is no move of one man, and `IllegalMoveError` for a move
    that the rules forbid.
    """
    _check_variant(position.variant)
    lines = _lines(text)
    squares: list[int] = []
    for number, line in enumerate(lines, 1):
        found = _MOVE_LINE.fullmatch(line)
        places = [int(place) for place in found.groups()[1:]] if found is not None else [HOMEWORK.size]
        if found is None or max(places) >= HOMEWORK.size:
            raise CsciError(f"line {number}: {shorten(line)}, expected 'E x,y x,y' or 'J x,y x,y' with x and y 0 to 15")
        origin, target = _square(places[0], places[1]), _square(places[2], places[3])
        if found[1] == "E" and (len(lines) > 1 or _distance(origin, target) != 1):
            raise CsciError(f"line {number}: {shorten(line)}, expected a step to a neighbour and no other line")
        if squares and squares[-1] != origin:
            raise CsciError(f"line {number}: {shorten(line)}, expected to go on from {_place(squares[-1])}")
        squares += [target] if squares else [origin, target]
    if not squares:
        raise CsciError("line 1: the text ends before it, expected 'E x,y x,y' or 'J x,y x,y'")
    if squares[0] == squares[-1]:
        raise IllegalMoveError(f"move: a chain from {square_name(squares[0])} ends where it began")
    move = position.parse_move(f"{square_name(squares[0])}-{square_name(squares[-1])}")
    if lines[0].startswith("J"):
        check_chain(position, squares)
    return move


def think_seconds(request: Request, most: float | None = None) -> float:
    """Return for how many seconds to search.

    A single move has 60 % of its time, one minute at most. In a game what is left is shared by the moves that are
    likely to come, less the start of a process for each; never more than a twelfth of it. `most`: a bound, in seconds.
    """
    if request.mode == "SINGLE":
        seconds = min(SINGLE_SHARE * request.seconds, SINGLE_MOST)
    else:
        seconds = request.seconds / moves_to_go(request.position) - START_SECONDS
    least = min(LEAST_SECONDS, request.seconds / (2 * LEAST_MOVES))
    seconds = max(seconds, least)
    if most is not None:
        seconds = min(seconds, check_seconds(most, "time", LimitError, above=True))
    return seconds


def moves_to_go(position: Position) -> int:
    """Return about how many own moves the side to move still needs, 12 at least, from how far its men are away."""
    goal = position.variant.goal[position.turn]
    away = sum(min(_distance(square, target) for target in goal) for square in position.pieces(position.turn))
    return max(LEAST_MOVES, math.ceil(away / SQUARES_A_MOVE) + LAST_MOVES)


def _lines(text: str) -> list[str]:
    if not isinstance(text, str):
        raise CsciError(f"text: {shorten(text)}, expected a string")
    lines = [line.rstrip(" \t\r") for line in text.rstrip(" \t\r\n").split("\n", _MAX_LINES)]
    return lines if lines != [""] else []


def _choice(line: str, number: int, words: tuple[str, ...]) -> str:
    if line not in words:
        raise CsciError(f"line {number}: {shorten(line)}, expected {' or '.join(words)}")
    return line


def _check_row(line: str, number: int) -> None:
    for column, cell in enumerate(line[: HOMEWORK.size], 1):
        if cell not in _CELLS:
            raise CsciError(f"line {number}, column {column}: {shorten(cell)}, expected '.', 'B' or 'W'")
    if len(line) != HOMEWORK.size:
        raise CsciError(f"line {number}: {counted(len(line), 'character')}, expected {HOMEWORK.size} of '.', 'B', 'W'")


def _check_variant(variant: Variant) -> None:
    if (variant.size, variant.holes, variant.start) != (HOMEWORK.size, HOMEWORK.holes, HOMEWORK.start):
        raise CsciError(f"variant: {shorten(variant.name)}, expected csci561")


def _distance(a: int, b: int) -> int:
    """Steps between two squares of an empty board."""
    return max(abs((a & 15) - (b & 15)), abs((a >> 4) - (b >> 4)))


def _place(square: int) -> str:
    return f"{square & 15},{HOMEWORK.size - 1 - (square >> 4)}"


def _square(x: int, y: int) -> int:
    return 16 * (HOMEWORK.size - 1 - y) + x
