"""Texts are read strictly, written in one form, and a fault is told with its place, value and expectation."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halma_fast.checks import shorten
from halma_fast.errors import FenError, MoveError, SquareError
from halma_fast.notation import (
    MAX_MOVE_NUMBER,
    Setup,
    format_fen,
    parse_fen,
    parse_move_text,
    parse_square,
    split_fen,
    square_name,
)
from halma_fast.types import Side
from halma_fast.variants import VARIANTS, Variant

HALMA8 = VARIANTS["halma8"]
PULCE = VARIANTS["pulce"]
START8 = "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx"


def test_every_square_and_its_name_name_each_other() -> None:
    names = [square_name(square) for square in range(256)]
    assert len(set(names)) == 256
    assert [parse_square(name) for name in names] == list(range(256))


def test_square_numbers_are_sixteen_times_the_rank_plus_the_file() -> None:
    assert [parse_square(name) for name in ("a1", "b1", "a2", "e4", "p16")] == [0, 1, 16, 52, 255]
    assert square_name(np.uint8(52)) == "e4"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "a0",
        "a17",
        "q1",
        "A1",
        "a01",
        "a1 ",
        " a1",
        "a1\n",
        "1a",
        "a\u0661",
        "\uff411",
        "a1" * 10**6,
        0,
        None,
        b"a1",
    ],
)
def test_what_names_no_square_is_refused(name: Any) -> None:
    with pytest.raises(SquareError, match=r"^square: "):
        parse_square(name)


@pytest.mark.parametrize("square", [-1, 256, True, 1.0, "a1", None, 10**5000], ids=shorten)
def test_what_numbers_no_square_is_refused(square: Any) -> None:
    with pytest.raises(SquareError, match=r"^square: .*from 0 to 255"):
        square_name(square)


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("h1-f3", ("h1", "f3")),
        ("h1f3", ("h1", "f3")),
        ("h1-f3-f5", ("h1", "f3", "f5")),
        ("h1f3f5", ("h1", "f3", "f5")),
        ("a11-b1", ("a11", "b1")),
        ("a1b16", ("a1", "b16")),
        ("\th1-f3\r\n", ("h1", "f3")),
        ("a1-c1-c3-a1-a3", ("a1", "c1", "c3", "a1", "a3")),
    ],
)
def test_a_move_text_is_its_squares(text: str, squares: tuple[str, ...]) -> None:
    assert parse_move_text(text) == tuple(map(parse_square, squares))


def test_a_pass_has_no_squares() -> None:
    assert parse_move_text("pass") == ()


@pytest.mark.parametrize(
    "text",
    [
        *("", "h1", "h1-", "-h1", "h1--f3", "h1-f3f5", "h1 f3", "h1-f17", "H1-F3", "h1-f3x", "PASS", "passh1", "0000"),
        *("h1\u2013f3", "h\u0661-f3", "h1-f3\n-f5", "h1f3" * 10**6, 5, None, b"h1-f3", ("h1", "f3")),
    ],
    ids=shorten,
)
def test_what_is_no_move_text_is_refused(text: Any) -> None:
    with pytest.raises(MoveError, match=r"^move: "):
        parse_move_text(text)


@pytest.mark.parametrize(
    ("text", "lower"), [("H1-F3", "h1-f3"), ("H1f3", "h1f3"), ("h1-F3-f5", "h1-f3-f5"), ("Pass", "pass")]
)
def test_a_move_in_upper_case_is_told_how_it_is_written(text: str, lower: str) -> None:
    with pytest.raises(MoveError, match=f"^move: '{text}', expected lower case, '{lower}'$"):
        parse_move_text(text)


@pytest.mark.parametrize("text", [None, 5, b"h1-f3", ("h1", "f3")], ids=shorten)
def test_what_is_neither_move_nor_text_is_told_both(text: Any) -> None:
    with pytest.raises(MoveError, match=r"^move: .*, expected a Move or a text like 'h1-f3'$"):
        parse_move_text(text)


@pytest.mark.parametrize("text", ["h1-h1", "h1h1", "h1-f3-h1", "h1-f3-f3-h5"])
def test_a_move_that_goes_nowhere_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match=r"ends where it began|stays on"):
        parse_move_text(text)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_a_start_position_reads_as_its_camps(variant: Variant) -> None:
    assert parse_fen(variant, variant.start_fen) == Setup(variant.start, Side.X, 1)


@st.composite
def setups(draw: st.DrawFn) -> tuple[Variant, Setup]:
    variant = draw(st.sampled_from([*VARIANTS.values(), Variant.square(3, (1,)), Variant.square(4, (4, 4))]))
    board = [16 * r + f for r in range(variant.size) for f in range(variant.size) if 16 * r + f not in variant.holes]
    order = draw(st.permutations(board))
    men = (frozenset(order[: variant.men]), frozenset(order[variant.men : 2 * variant.men]))
    return variant, Setup(men, draw(st.sampled_from(Side)), draw(st.integers(1, MAX_MOVE_NUMBER)))


@given(setups())
def test_what_is_written_reads_back_the_same(case: tuple[Variant, Setup]) -> None:
    variant, setup = case
    text = format_fen(variant, *setup)
    assert parse_fen(variant, text) == setup
    assert split_fen(text)[0].count("/") + 1 == variant.size
    assert len(text) < 300


@given(st.sampled_from(list(VARIANTS.values())), st.text(alphabet="xo-/0123456789 \t\u0661pP", max_size=200))
def test_any_text_is_read_or_refused_with_an_error_of_the_package(variant: Variant, text: str) -> None:
    with contextlib.suppress(FenError):
        setup = parse_fen(variant, text)
        assert parse_fen(variant, format_fen(variant, *setup)) == setup


@given(st.data())
def test_a_position_string_with_one_character_changed_is_read_or_refused(data: st.DataObject) -> None:
    variant = data.draw(st.sampled_from(list(VARIANTS.values())))
    fen = variant.start_fen
    at = data.draw(st.integers(0, len(fen) - 1))
    text = fen[:at] + data.draw(st.sampled_from(["", "x", "o", "-", "/", "1", "9", " ", "#"])) + fen[at + 1 :]
    with contextlib.suppress(FenError):
        setup = parse_fen(variant, text)
        # One form for every position: what was accepted is what is written, but for the number, which may be missing,
        # and the blanks between, which may be more.
        read = " ".join(text.split())
        assert format_fen(variant, *setup) in (read, f"{read} 1")


def test_the_move_number_may_be_left_out() -> None:
    assert parse_fen(HALMA8, f"{START8} o") == Setup(HALMA8.start, Side.O, 1)


def test_blanks_at_the_ends_are_trimmed() -> None:
    assert parse_fen(HALMA8, f"\n\t {START8} x 12 \r\n").number == 12


@pytest.mark.parametrize("blanks", ["  ", "\t", " \t ", " " * 50])
def test_any_blanks_and_tabs_are_between_the_fields(blanks: str) -> None:
    assert parse_fen(HALMA8, blanks.join((START8, "x", "12"))) == Setup(HALMA8.start, Side.X, 12)
    assert Variant.for_fen(f"{START8}{blanks}o") is HALMA8


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_an_empty_string_is_called_empty(text: str) -> None:
    for read in (lambda: parse_fen(HALMA8, text), lambda: Variant.for_fen(text)):
        with pytest.raises(FenError) as caught:
            read()
        assert str(caught.value) == (
            f"position string: {text!r} is empty, expected 'placement side' or 'placement side number'"
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (START8, f"'{START8}' has 1 field, expected 'placement side' or 'placement side number'"),
        (f"{START8}  x  1  1", f"'{START8}  x  1  1' has 4 fields"),
        (f"{START8}\nx", "has 1 field, "),
        (f"{START8}\u00a0x", "has 1 field, "),
        ("8 x", "placement: 1 rank, expected 8 ranks for halma8"),
        (f"{START8} X", "side to move: 'X', expected 'x' or 'o'"),
        (f"{START8} xo", "side to move: 'xo'"),
        (f"{START8} x 0", "move number: '0', expected"),
        (f"{START8} x 01", "move number: '01'"),
        (f"{START8} x -1", "move number: '-1'"),
        (f"{START8} x +1", "move number: '+1'"),
        (f"{START8} x 1.0", "move number: '1.0'"),
        (f"{START8} x 1000001", "move number: '1000001', expected a decimal number from 1 to 1000000"),
        (f"{START8} x \u0661", "move number: "),
        (f"{START8} x 1_0", "move number: '1_0'"),
        (f"{START8[:-6]} x", "placement: 7 ranks, expected 8"),
        (f"{START8}/8 x", "placement: 9 ranks, expected 8"),
        (START8.replace("ooo5", "oxo5") + " x", "placement: 11 men of x, expected 10"),
        (START8.replace("ooo5", "1oo5") + " x", "placement: 9 men of o, expected 10"),
        (START8.replace("ooo5", "ooo4") + " x", "rank 7, column 8: end of the rank, expected 8 squares, 1 more"),
        (
            START8.replace("ooo5", "ooo6") + " x",
            "rank 7, column 4: '6', expected a number of empty squares from 1 to 5",
        ),
        (START8.replace("ooo5", "ooo5o") + " x", "rank 7, column 9: 'o', expected the end of the rank"),
        (START8.replace("ooo5", "ooo51") + " x", "rank 7, column 4: '51'"),
        (START8.replace("ooo5", "ooo05") + " x", "rank 7, column 4: '05'"),
        (START8.replace("ooo5", "ooo0") + " x", "rank 7, column 4: '0'"),
        (START8.replace("ooo5", "ooo") + " x", "rank 7, column 4: end of the rank, expected 8 squares, 5 more"),
        (START8.replace("ooo5", "Ooo5") + " x", "rank 7, column 1: 'O', expected 'x', 'o' or a number"),
        (START8.replace("ooo5", "ooo-4") + " x", "rank 7, column 4: '-', expected 'x', 'o' or a number"),
        (START8.replace("ooo5", "ooo\u0665") + " x", "rank 7, column 4: "),
        (START8.replace("ooo5", "ooo\u00b2") + " x", "rank 7, column 4: "),
        (START8.replace("ooo5", "") + " x", "rank 7, column 1: end of the rank"),
    ],
)
def test_a_fault_is_told_with_its_place_value_and_expectation(text: str, message: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_fen(HALMA8, text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("top", "message"),
    [
        ("7", "rank 7, column 1: '7', expected '-' for the missing square a7"),
        ("-6", "rank 7, column 7: '6', expected '-' for the missing square g7"),
        ("x5-", "rank 7, column 1: 'x', expected '-' for the missing square a7"),
        ("--4-", "rank 7, column 2: '-', expected 'x', 'o' or a number"),
        ("-5", "rank 7, column 7: end of the rank"),
    ],
)
def test_missing_corners_are_written_exactly(top: str, message: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_fen(PULCE, PULCE.start_fen.replace("-5-", top, 1))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", [None, 5, b"8/8 x", ["8"], True])
def test_a_position_that_is_no_string_is_refused(text: Any) -> None:
    with pytest.raises(FenError, match="expected a string"):
        parse_fen(HALMA8, text)


@pytest.mark.parametrize(
    "text", ["x" * 10**7, "/" * 10**7, "9" * 10**7, " " * 10**7, f"{START8} x {'1' * 10**7}"], ids=shorten
)
def test_huge_strings_are_refused_at_once_with_a_short_message(text: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(FenError) as caught:
        parse_fen(HALMA8, text)
    assert time.perf_counter() - begin < 0.1
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("men", [([256], []), ([-1], []), ([8], []), ([0], [0])])
def test_men_off_the_board_or_on_one_another_are_not_written(men: Any) -> None:
    with pytest.raises(FenError, match=r"^men of "):
        format_fen(HALMA8, men, Side.X, 1)


def test_men_on_missing_squares_are_not_written() -> None:
    with pytest.raises(FenError, match=r"^men of x: 0, "):
        format_fen(PULCE, ([0], []), Side.X, 1)
