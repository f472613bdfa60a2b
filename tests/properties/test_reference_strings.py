"""The reference, rule by rule: position strings (rule 21 of reference/RULES.md)."""

import pytest
from reference import (
    FenError,
    Game,
    Variant,
    halma8,
    halma10,
    halma16,
    pulce,
    read_fen,
    square_board,
    start_position,
    write_fen,
)

from properties.drawn import move_named


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (
            halma16(),
            "16/1x14/5oo9/1x14/x3ox10/5ox9/6x9/2o3o9/3o4xx6/2o3oo8/1xx4o1ox5/2o2ox1x5xx/16/4xo3x3x2/5oo4xo1o1/16 x 36",
        ),
        (halma10(), "xxxxx5/xxxx6/xx8/xx8/x9/9o/8oo/6ooxo/6oooo/5ooooo x 177"),
        (pulce(), "-1oooo-/5oo/x5o/x5o/x6/xx5/-xxx2- o 191"),
    ],
)
def test_rule_21_strings_are_read_and_written_back(variant: Variant, text: str) -> None:
    assert write_fen(variant, read_fen(variant, text)) == text


def test_rule_21_the_number_may_be_left_out_and_goes_up_after_each_move_of_o() -> None:
    a_game = Game(halma8(), [read_fen(halma8(), "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x")])
    assert a_game.position == start_position(halma8())
    a_game.push(move_named("h4-h5"))
    assert write_fen(a_game.variant, a_game.position) == "oooo4/ooo5/oo6/o6x/8/6xx/5xxx/4xxxx o 1"
    a_game.push(move_named("a5-a4"))
    assert (a_game.position.turn, a_game.position.number) == ("x", 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "oo2/o3/3x/2xx",
        "oo2/o3/3x/2xx z 1",
        "oo2/o3/3x/2xx x 0",
        "oo2/o3/3x/2xx x 1 1",
        "oo2/o3/3x x 1",
        "oo2/o3/3x/2xx/4 x 1",
        "oo3/o3/3x/2xx x 1",
        "oo1/o3/3x/2xx x 1",
        "oo2/o3/4/2xx x 1",
        "oo2/oo2/3x/2xx x 1",
        "oo1-/o3/3x/2xx x 1",
        "oo2/o3/3x/2xx\nx 1",
        "oo2/o3/3y/2xx x 1",
    ],
)
def test_rule_21_other_strings_are_refused(text: str) -> None:
    with pytest.raises(FenError):
        read_fen(square_board(4, (2, 1)), text)


def test_rule_21_any_blanks_and_tabs_are_between() -> None:
    variant = square_board(4, (2, 1))
    assert read_fen(variant, "oo2/o3/3x/2xx  \t x\t1") == read_fen(variant, "oo2/o3/3x/2xx x 1")


def test_rule_21_digits_side_by_side_are_one_number_of_one_or_two_digits() -> None:
    fen = write_fen(halma16(), start_position(halma16()))
    assert read_fen(halma16(), fen.replace("ooooo11", "11ooooo", 1)).o != start_position(halma16()).o
    for same_width in ("ooooo65", "ooooo011", "ooooo101", "ooooo92"):
        with pytest.raises(FenError):
            read_fen(halma16(), fen.replace("ooooo11", same_width, 1))
