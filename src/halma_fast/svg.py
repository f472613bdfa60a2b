"""Boards as pictures: one SVG that scales, stands alone, and can be read without telling its colours apart.

Invariant: valid XML without ids, scripts or references, so that any number of pictures can stand in one page; a bad
argument raises `OptionError`. Guarded by tests/unit/test_svg.py.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from halma_fast.checks import check_bool, check_int, shorten
from halma_fast.errors import MoveError, OptionError
from halma_fast.move import Move
from halma_fast.notation import parse_move_text, square_name
from halma_fast.types import Side

if TYPE_CHECKING:
    from halma_fast.position import Position
    from halma_fast.variants import Variant

__all__ = ["ARROW_COLOURS", "COLOURS", "board_svg"]

# The colours of Okabe and Ito, which people with any colour vision can tell apart.
COLOURS: Final[Mapping[str, str]] = {
    "x": "#d55e00",
    "o": "#0072b2",
    "square": "#f3ecdf",
    "frame": "#fbf8f2",
    "line": "#8a7f70",
    "text": "#5b5146",
    "last_move": "#f0e442",
}
ARROW_COLOURS: Final[Mapping[str, str]] = {
    "green": "#009e73",
    "red": "#d55e00",
    "blue": "#0072b2",
    "yellow": "#e69f00",
    "purple": "#cc79a7",
    "black": "#333333",
}

_CELL: Final = 40
_MARGIN: Final = 22  # with coordinates
_BORDER: Final = 6  # without
_MAX_SIZE: Final = 10_000
_MAX_ARROWS: Final = 1000
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
_NO_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Arrow = tuple[Sequence[int], str]


def board_svg(
    position: Position,
    *,
    size: object = 480,
    last_move: object = True,
    arrows: object = (),
    coordinates: object = True,
    flip: object = False,
    colours: object = None,
) -> str:
    """Return the picture; see `Position.to_svg`."""
    pixels = None if size is None else check_int(size, "size", 16, _MAX_SIZE, OptionError)
    palette = _check_colours(colours)
    variant = position.variant
    path = _last_path(position, last_move)
    drawing = _Drawing(
        variant, check_bool(coordinates, "coordinates", OptionError), check_bool(flip, "flip", OptionError), palette
    )
    pointed = _check_arrows(variant, arrows)
    lines = [
        *drawing.begin(pixels, _title(position), _description(position)),
        *drawing.squares(path),
        *drawing.camps(),
        *drawing.labels(position.turn),
        *drawing.path(path),
        *(drawing.man(side, square) for side in Side for square in position.pieces(side)),
        *(drawing.arrow(squares, colour) for squares, colour in pointed),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


# What is given.


def _check_colours(colours: object) -> dict[str, str]:
    if colours is None:
        return dict(COLOURS)
    try:
        given = dict(colours) if isinstance(colours, Mapping) else None
    except Exception:  # a foreign mapping may raise anything
        given = None
    if given is None:
        raise OptionError(f"colours: {shorten(colours)}, expected a mapping of {', '.join(COLOURS)} to '#rrggbb'")
    for name, value in given.items():
        if not isinstance(name, str) or name not in COLOURS:
            raise OptionError(f"colours: {shorten(name)}, expected only {', '.join(COLOURS)}")
        if not isinstance(value, str) or not _COLOUR.fullmatch(value):
            raise OptionError(f"colours, {name}: {shorten(value)}, expected '#rrggbb'")
    return {**COLOURS, **given}


def _check_arrows(variant: Variant, arrows: object) -> list[Arrow]:
    expected = f"at most {_MAX_ARROWS} moves or pairs of a move and a colour"
    if not isinstance(arrows, Iterable) or isinstance(arrows, str | bytes | Mapping):
        raise OptionError(f"arrows: {shorten(arrows)}, expected {expected}")
    try:
        given = list(itertools.islice(arrows, _MAX_ARROWS + 1))
    except Exception:  # a foreign iterator may raise anything
        raise OptionError(f"arrows: {shorten(arrows)}, expected {expected}") from None
    if len(given) > _MAX_ARROWS:
        raise OptionError(f"arrows: {shorten(arrows)}, expected {expected}")
    checked: list[Arrow] = []
    for number, arrow in enumerate(given, 1):
        field = f"arrows, entry {number}"
        move, colour = arrow if isinstance(arrow, tuple) and len(arrow) == 2 else (arrow, "green")
        if not isinstance(colour, str) or not (colour in ARROW_COLOURS or _COLOUR.fullmatch(colour)):
            raise OptionError(f"{field}: {shorten(colour)}, expected {', '.join(ARROW_COLOURS)} or '#rrggbb'")
        squares = _squares_of(variant, move, field)
        if not squares:
            raise OptionError(f"{field}: a pass, expected a move from one square to another")
        checked.append((squares, ARROW_COLOURS.get(colour, colour)))
    return checked


def _squares_of(variant: Variant, move: object, field: str) -> tuple[int, ...]:
    """Return the squares of a move, or of the text of a chain, all of them on the board; none for a pass."""
    if type(move) is Move:
        squares: tuple[int, ...] = (move.from_square, move.to_square) if move else ()
    elif isinstance(move, str):
        try:
            squares = parse_move_text(move)
        except MoveError as error:
            raise OptionError(f"{field}: {str(error).removeprefix('move: ')}") from None
    else:
        raise OptionError(f"{field}: {shorten(move)}, expected a Move or a text like 'h1-f3'")
    for square in squares:
        if square in variant.holes or not square >> 4 < variant.size > square & 15:
            raise OptionError(f"{field}: {square_name(square)} is not on the board of {variant.name}")
    return squares


def _last_path(position: Position, last_move: object) -> tuple[int, ...]:
    """Return the squares of the move to mark: with its landings if it was made in this position's game."""
    if last_move is None or last_move is False:
        return ()
    if last_move is not True:
        return _squares_of(position.variant, last_move, "last_move")
    before = position.copy()
    if not before.move_stack:
        return ()
    return before.path(move) if (move := before.pop()) else ()


# What is said for those who do not see it.


def _title(position: Position) -> str:
    return f"{position.variant.name}, {position.turn.letter} to move, move {position.move_number}"


def _description(position: Position) -> str:
    variant = position.variant
    men = [f"{side.letter} on {_names(position.pieces(side))}" for side in Side]
    goals = [f"goal of {side.letter} {_names(sorted(variant.goal[side]))}" for side in Side]
    return f"Board of {variant.size} by {variant.size} squares; {'; '.join([*men, *goals])}."


def _names(squares: Iterable[int]) -> str:
    return " ".join(map(square_name, squares))


# What is drawn.


def _mix(colour: str, other: str, share: float) -> str:
    """Return `colour` with a share of another one."""
    parts = []
    for at in (1, 3, 5):
        a, b = int(colour[at : at + 2], 16), int(other[at : at + 2], 16)
        parts.append(round(a + share * (b - a)))
    return "#{:02x}{:02x}{:02x}".format(*parts)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class _Drawing:
    """Where everything is: a board of cells within a margin, seen from one of two ends."""

    def __init__(self, variant: Variant, coordinates: bool, flip: bool, palette: Mapping[str, str]) -> None:
        self.variant = variant
        self.coordinates = coordinates
        self.flip = flip
        self.palette = palette
        self.left = _MARGIN if coordinates else _BORDER
        self.width = self.left + variant.size * _CELL + _BORDER
        self.height = _BORDER + variant.size * _CELL + self.left
        self.board = [
            square
            for rank in range(variant.size)
            for square in range(16 * rank, 16 * rank + variant.size)
            if square not in variant.holes
        ]

    def corner(self, square: int) -> tuple[int, int]:
        """The top-left corner of a square's cell."""
        file, rank, last = square & 15, square >> 4, self.variant.size - 1
        column, row = (last - file, rank) if self.flip else (file, last - rank)
        return self.left + column * _CELL, _BORDER + row * _CELL

    def centre(self, square: int) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + _CELL / 2, y + _CELL / 2

    def begin(self, pixels: int | None, title: str, description: str) -> Iterator[str]:
        extent = ""
        if pixels is not None:
            across = pixels / max(self.width, self.height)
            extent = f' width="{_n(self.width * across)}" height="{_n(self.height * across)}"'
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"{extent}'
            f' role="img" aria-label="{escape(_NO_XML.sub("?", title))}">'
        )
        yield f"<title>{escape(_NO_XML.sub('?', title))}</title>"
        yield f"<desc>{escape(_NO_XML.sub('?', description))}</desc>"
        yield (
            f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" rx="5"'
            f' fill="{self.palette["frame"]}" stroke="{_mix(self.palette["line"], self.palette["frame"], 0.5)}"/>'
        )

    def squares(self, last: Sequence[int]) -> Iterator[str]:
        """The cells, tinted where they are camps; the ends of the last move are marked."""
        line = _mix(self.palette["line"], self.palette["square"], 0.5)
        yield f'<g stroke="{line}" stroke-width="0.8">'
        ends = {*last[:1], *last[-1:]}
        for square in self.board:
            fill = self.palette["square"]
            for side in Side:
                if square in self.variant.goal[side]:
                    fill = _mix(fill, self.palette[side.letter], 0.28)
            if ((square & 15) + (square >> 4)) % 2 == 0:
                fill = _mix(fill, self.palette["line"], 0.13)
            if square in ends:
                fill = _mix(fill, self.palette["last_move"], 0.8)
            x, y = self.corner(square)
            yield f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{fill}"/>'
        if self.variant.family == "pulce":
            hole = _mix(self.palette["line"], self.palette["square"], 0.25)
            for square in self.board:
                cx, cy = self.centre(square)
                yield f'<circle cx="{_n(cx)}" cy="{_n(cy)}" r="6" fill="{hole}" stroke="none"/>'
        yield "</g>"

    def camps(self) -> Iterator[str]:
        """The outlines of the goals and of the board, drawn along the sides of cells whose neighbour is not part."""
        edge = self._outline(frozenset(self.board))
        yield f'<path d="{edge}" fill="none" stroke="{self.palette["line"]}" stroke-width="1.6"/>'
        for side in Side:
            dashes = "" if side is Side.X else ' stroke-dasharray="7 4"'
            yield (
                f'<path d="{self._outline(self.variant.goal[side], 1.5)}" fill="none"'
                f' stroke="{self.palette[side.letter]}" stroke-width="2.6" stroke-linecap="round"{dashes}/>'
            )

    def _outline(self, squares: frozenset[int], inset: float = 0.0) -> str:
        """The border of a set of squares, moved inwards, so that two sets that touch keep borders of their own."""
        edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
        cells = {self.corner(square) for square in squares}
        for x, y in sorted(cells):
            a, b, c, d = (x, y), (x + _CELL, y), (x + _CELL, y + _CELL), (x, y + _CELL)
            # Clockwise, so that the inside is on the right.
            for begin, end, beside in (
                (a, b, (x, y - _CELL)),
                (b, c, (x + _CELL, y)),
                (c, d, (x, y + _CELL)),
                (d, a, (x - _CELL, y)),
            ):
                if beside not in cells:
                    edges.setdefault(begin, []).append(end)
        parts = []
        while edges:
            start = min(edges)
            corner, loop = start, [start]
            while True:
                ends = edges[corner]
                after = ends.pop(self._right_turn(loop, ends))
                if not ends:
                    del edges[corner]
                if after == start:
                    break
                loop.append(after)
                corner = after
            parts.append(self._inset(loop, inset))
        return " ".join(parts)

    @staticmethod
    def _right_turn(loop: Sequence[tuple[int, int]], ends: Sequence[tuple[int, int]]) -> int:
        """Which of the ways on stays with the same cell where two cells meet at a corner only."""
        if len(ends) == 1 or len(loop) < 2:
            return 0
        (ax, ay), (bx, by) = loop[-2], loop[-1]
        turns = [(bx - ax) * (y - by) - (by - ay) * (x - bx) for x, y in ends]
        return turns.index(max(turns))

    @staticmethod
    def _inset(loop: Sequence[tuple[int, int]], inset: float) -> str:
        points = []
        for index, (x, y) in enumerate(loop):
            px, py = loop[index - 1]
            nx, ny = loop[(index + 1) % len(loop)]
            before = (math.copysign(1, x - px) if x != px else 0, math.copysign(1, y - py) if y != py else 0)
            after = (math.copysign(1, nx - x) if nx != x else 0, math.copysign(1, ny - y) if ny != y else 0)
            if before == after:
                continue
            # The right-hand normals of both edges point inwards.
            points.append((x + inset * (-before[1] - after[1]), y + inset * (before[0] + after[0])))
        return "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in points) + " Z"

    def labels(self, turn: Side) -> Iterator[str]:
        """Files below, ranks on the left, and in the corner a man of the side to move."""
        if not self.coordinates:
            return
        size = self.variant.size
        font = 'font-family="Helvetica, Arial, sans-serif" font-size="13" text-anchor="middle"'
        yield f'<g {font} fill="{self.palette["text"]}">'
        bottom = _BORDER + size * _CELL + 15.5
        for index in range(size):
            x, _ = self.centre(index)
            _, y = self.centre(16 * index)
            yield f'<text x="{_n(x)}" y="{_n(bottom)}">{"abcdefghijklmnop"[index]}</text>'
            yield f'<text x="{_n(self.left / 2)}" y="{_n(y + 4.5)}">{index + 1}</text>'
        yield "</g>"
        yield self._disc(turn, self.left / 2, self.height - self.left / 2, 7.5)

    def path(self, squares: Sequence[int]) -> Iterator[str]:
        """The way of the last move, under the men, with a dot where it began and at each landing between."""
        if not squares:
            return
        points = [self.centre(square) for square in squares]
        colour = _mix(self.palette["last_move"], "#000000", 0.45)
        way = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        yield (
            f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="3"'
            ' stroke-linejoin="round" stroke-linecap="round"/>'
        )
        for x, y in points[:-1]:
            yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="5" fill="{colour}"/>'

    def man(self, side: Side, square: int) -> str:
        """A man with its letter's mark, for those to whom the colours are alike."""
        return self._disc(side, *self.centre(square), 14.5)

    def _disc(self, side: Side, x: float, y: float, radius: float) -> str:
        fill = self.palette[side.letter]
        rim, mark = _mix(fill, "#000000", 0.4), _mix(fill, "#ffffff", 0.9)
        if side is Side.X:
            arm = 0.33 * radius
            shape = (
                f'<path d="M{_n(x - arm)} {_n(y - arm)} L{_n(x + arm)} {_n(y + arm)}'
                f' M{_n(x + arm)} {_n(y - arm)} L{_n(x - arm)} {_n(y + arm)}"'
            )
        else:
            shape = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.4 * radius)}" fill="none"'
        return (
            f'<g class="{side.letter}"><circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}"'
            f' stroke="{rim}" stroke-width="{_n(0.1 * radius)}"/>'
            f'{shape} stroke="{mark}" stroke-width="{_n(0.19 * radius)}" stroke-linecap="round"/></g>'
        )

    def arrow(self, squares: Sequence[int], colour: str) -> str:
        """An arrow along these squares, above the men, that lets them shine through."""
        points = [self.centre(square) for square in squares]
        (ax, ay), (bx, by) = points[-2], points[-1]
        length = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        head, half = 15.0, 9.5
        neck = bx - ux * head, by - uy * head
        way = " ".join(f"{_n(x)},{_n(y)}" for x, y in [*points[:-1], neck])
        tip = f"{_n(bx)},{_n(by)}"
        wings = [f"{_n(neck[0] + turn * half * uy)},{_n(neck[1] - turn * half * ux)}" for turn in (1, -1)]
        return (
            f'<g class="arrow" opacity="0.8"><polyline points="{way}" fill="none" stroke="{colour}" stroke-width="6.5"'
            f' stroke-linejoin="round"/><polygon points="{wings[0]} {tip} {wings[1]}" fill="{colour}"/></g>'
        )
