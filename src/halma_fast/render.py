"""Boards as text: one grid of marks, printed plainly or in colour with the same characters.

Invariant: ASCII only, so that it prints in any encoding, and at most 40 columns wide. Guarded by
tests/unit/test_render.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from halma_fast.types import Side

if TYPE_CHECKING:
    from rich.text import Text

    from halma_fast.variants import Variant

__all__ = ["board_text", "coloured_board"]

_EMPTY: Final = "."
_GOAL_MARKS: Final = ("+", "*")  # of an empty square of the goal of x, of o
_HOLE: Final = " "

_MAN_STYLES: Final = ("bold red", "bold cyan")
_GOAL_STYLES: Final = ("red", "cyan")
_GOAL_BACKGROUND: Final = " on grey19"
_MARKED_STYLE: Final = " reverse"


class _Board(Protocol):
    """What is drawn of a position."""

    @property
    def variant(self) -> Variant: ...
    @property
    def turn(self) -> Side: ...
    @property
    def move_number(self) -> int: ...
    def pieces(self, side: Side, /) -> tuple[int, ...]: ...


class _Cell(NamedTuple):
    square: int
    mark: str
    style: str


def board_text(position: _Board, flipped: bool = False) -> str:
    """Return the board with coordinates, whose turn it is, and what the marks mean; no newline at the end.

    flipped: seen from the other side, with a1 at the top right.
    """
    ranks = _ranks(position, flipped)
    lines = [f"{rank + 1:2} {' '.join(cell.mark for cell in cells)}".rstrip() for rank, cells in ranks]
    return "\n".join([*lines, _files(position, flipped), "", _status(position), _legend(position)])


def coloured_board(position: _Board, marked: Collection[int] = (), flipped: bool = False) -> Text:
    """Return the same text for a `rich` console, with colours, and the squares of `marked` highlighted."""
    from rich.text import Text  # here, because only the command line needs it

    text = Text(no_wrap=True)
    for rank, cells in _ranks(position, flipped):
        line = Text.assemble((f"{rank + 1:2}", "dim"))
        for cell in cells:
            line.append(" ")
            line.append(cell.mark, style=cell.style + _MARKED_STYLE * (cell.square in marked))
        line.rstrip()
        text.append_text(line).append("\n")
    text.append(f"{_files(position, flipped)}\n\n", style="dim")
    text.append(f"{_status(position)}\n", style=_MAN_STYLES[position.turn])
    text.append(_legend(position), style="dim")
    return text


def _ranks(position: _Board, flipped: bool) -> Iterator[tuple[int, list[_Cell]]]:
    """Yield each rank's number, from 0, and its cells; the upper one first."""
    variant = position.variant
    camps = variant.goal[Side.X] | variant.goal[Side.O]
    marks = dict.fromkeys(variant.holes, (_HOLE, ""))
    for side in Side:
        marks |= dict.fromkeys(variant.goal[side], (_GOAL_MARKS[side], _GOAL_STYLES[side] + _GOAL_BACKGROUND))
    for side in Side:
        for square in position.pieces(side):
            # In capitals and on a ground of its own: the camps show at the start too, when all men stand on them.
            mark, background = (side.letter.upper(), _GOAL_BACKGROUND) if square in camps else (side.letter, "")
            marks[square] = (mark, _MAN_STYLES[side] + background)
    order = 1 if flipped else -1
    for rank in range(variant.size)[::order]:
        squares = range(16 * rank, 16 * rank + variant.size)[::-order]
        yield rank, [_Cell(square, *marks.get(square, (_EMPTY, "dim"))) for square in squares]


def _files(position: _Board, flipped: bool) -> str:
    letters = "abcdefghijklmnop"[: position.variant.size]
    return "   " + " ".join(letters[::-1] if flipped else letters)


def _status(position: _Board) -> str:
    return f"{position.turn.letter} to move, move {position.move_number}, {position.variant.name}"


def _legend(position: _Board) -> str:
    goals = f"{_EMPTY} empty  {_GOAL_MARKS[Side.X]} goal of x  {_GOAL_MARKS[Side.O]} goal of o"
    return f"{goals}\nx o man  X O man on a goal square"
