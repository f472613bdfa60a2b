"""The board as text: coordinates, men, goal camps and missing corners where they belong, the same with colours."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from rich.console import Console

from halma_fast.notation import parse_fen, parse_square
from halma_fast.render import board_text, coloured_board
from halma_fast.types import Side
from halma_fast.variants import VARIANTS, Variant


@dataclass
class Board:
    """The part of a position that is drawn."""

    variant: Variant
    men: tuple[frozenset[int], frozenset[int]]
    turn: Side
    move_number: int

    def pieces(self, side: Side) -> tuple[int, ...]:
        return tuple(sorted(self.men[side]))


def board(variant: Variant, fen: str | None = None) -> Board:
    setup = parse_fen(variant, fen or variant.start_fen)
    return Board(variant, setup.men, setup.turn, setup.number)


def test_halma_is_drawn_with_its_coordinates_and_its_camps_also_under_men() -> None:
    text = board_text(board(VARIANTS["halma8"], "ooo5/ooo5/oo1o4/o7/7x/6x1/4xxxx/4xxxx o 7"))
    assert text.splitlines() == [
        " 8 O O O + . . . .",
        " 7 O O O . . . . .",
        " 6 O O . o . . . .",
        " 5 O . . . . . . .",
        " 4 . . . . . . . X",
        " 3 . . . . . . X *",
        " 2 . . . . x X X X",
        " 1 . . . . X X X X",
        "   a b c d e f g h",
        "",
        "o to move, move 7, halma8",
        ". empty  + goal of x  * goal of o",
        "x o man  X O man on a goal square",
    ]


def test_pulce_is_drawn_with_its_goals_and_without_its_corners() -> None:
    assert board_text(board(VARIANTS["pulce"])).splitlines()[:8] == [
        " 7   * * * * *",
        " 6 + . . x x x *",
        " 5 + . . x x x *",
        " 4 + o o . x x *",
        " 3 + o o o . . *",
        " 2 + o o o . . *",
        " 1   + + + + +",
        "   a b c d e f g",
    ]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_every_board_fits_forty_columns_of_ascii(variant: Variant) -> None:
    text = board_text(board(variant))
    assert text.isascii()
    assert all(len(line) <= 40 and line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_colours_change_no_character(variant: Variant) -> None:
    plain = coloured_board(board(variant)).plain
    assert [line.rstrip() for line in plain.splitlines()] == board_text(board(variant)).splitlines()


def test_the_two_sides_and_marked_squares_differ_in_colour() -> None:
    def styles(marked: tuple[int, ...] = ()) -> dict[str, set[str]]:
        text = coloured_board(board(VARIANTS["halma8"]), marked)
        found: dict[str, set[str]] = {}
        for span in text.spans:
            found.setdefault(text.plain[span.start : span.end], set()).add(str(span.style))
        return found

    assert styles()["X"].isdisjoint(styles()["O"])
    assert not any("dim" in style for style in styles()["X"] | styles()["O"])
    assert all(" on " in style for style in styles()["X"] | styles()["O"])  # the ground of a camp
    assert styles((parse_square("h1"),))["X"] > styles()["X"]


def test_a_console_without_colours_prints_the_plain_text() -> None:
    console = Console(color_system=None, soft_wrap=True)
    with console.capture() as capture:
        console.print(coloured_board(board(VARIANTS["halma16"])))
    assert "\x1b" not in capture.get()
