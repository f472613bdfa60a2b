"""Malformed input: for every documented argument and every kind of wrong value, the documented error and no change.

The classes are part of the interface; of the messages only that they name the field and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from properties.state import state_of

from api.garbage import BAD_TEXT, NO_TEXT, NOT_A_SMALL_INTEGER, check_message
from halma_fast import (
    FenError,
    HalmaError,
    IllegalMoveError,
    LimitError,
    Move,
    MoveError,
    OptionError,
    Position,
    SquareError,
    Variant,
    VariantError,
    divide,
    parse_square,
    perft,
    square_name,
)

START8 = "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1"


def cases(*sources: dict[str, Any], leave_out: tuple[str, ...] = ()) -> pytest.MarkDecorator:
    values = {name: value for source in sources for name, value in source.items() if name not in leave_out}
    return pytest.mark.parametrize("value", values.values(), ids=values.keys())


def refused(error: type[HalmaError], call: Callable[[], object], *words: str) -> None:
    with pytest.raises(HalmaError) as caught:
        call()
    assert type(caught.value) is error, repr(caught.value)
    assert isinstance(caught.value, ValueError)
    check_message(caught.value, *words)


@cases(NO_TEXT, BAD_TEXT, leave_out=("None",))
def test_a_variant_is_a_variant_or_the_name_of_one(value: Any) -> None:
    refused(VariantError, lambda: Position(value), "variant", "expected")
    refused(VariantError, lambda: Position.from_fen(START8, value), "variant", "expected")
    refused(VariantError, lambda: Variant.named(value), "variant", "expected")


@cases(NO_TEXT, BAD_TEXT)
def test_a_position_string_is_text_in_the_right_form(value: Any) -> None:
    refused(FenError, lambda: Position.from_fen(value), "expected")
    refused(FenError, lambda: Position.from_fen(value, "halma8"), "expected")
    if value is not None:  # which is the start position
        refused(FenError, lambda: Position("halma8", fen=value), "expected")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx x 1", ("7 ranks", "8")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx/8 x 1", ("9 ranks", "8")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx", ("has 1 field,",)),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1 1", ("fields",)),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx w 1", ("side", "'w'", "'x'", "'o'")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 0", ("move number", "'0'", "1000000")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x -1", ("move number", "'-1'")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1000001", ("move number", "'1000001'")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x one", ("move number", "'one'")),
        ("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/5xxx x 1", ("9 men of x", "10")),
        ("oooo4/ooo5/oo6/oo6/7x/6xx/5xxx/4xxxx x 1", ("11 men of o", "10")),
        ("oooo4/ooo5/oo6/o8/7x/6xx/5xxx/4xxxx x 1", ("rank 5", "8")),
        ("oooo4/ooo5/oo6/o6/7x/6xx/5xxx/4xxxx x 1", ("rank 5",)),
        ("oooo4/ooo5/oo6/o6z/7x/6xx/5xxx/4xxxx x 1", ("rank 5", "'z'")),
        ("oooo4/ooo5/oo6/o6-/7x/6xx/5xxx/4xxxx x 1", ("rank 5", "-")),
    ],
)
def test_a_faulty_position_string_is_refused_with_the_place_and_the_expectation(
    text: str, words: tuple[str, ...]
) -> None:
    refused(FenError, lambda: Position("halma8", fen=text), *words)


@pytest.mark.parametrize(
    "text", ["7/3xxx1/3xxx1/1oo1xx1/1ooo3/1ooo3/-5- x 1", "-5-/3xxx1/3xxx1/1oo1xx1/1ooo3/-ooo3/-5- x"]
)
def test_holes_must_be_where_the_board_has_none(text: str) -> None:
    refused(FenError, lambda: Position("pulce", fen=text), "rank", "-")


INTEGER_RULES = ["home_deadline", "max_turns", "repetition"]


@pytest.mark.parametrize("rule", INTEGER_RULES)
@cases(NOT_A_SMALL_INTEGER, leave_out=("None",))
def test_numbers_of_rules_are_integers(rule: str, value: Any) -> None:
    rules: dict[str, Any] = {rule: value}
    refused(VariantError, lambda: Position("halma8", **rules), rule, "expected")
    refused(VariantError, lambda: Variant.square(5, (2, 1), **rules), rule, "expected")


@pytest.mark.parametrize("rule", ["goal_lock", "win"])
@cases(NO_TEXT, BAD_TEXT)
def test_choices_of_rules_are_the_documented_words(rule: str, value: Any) -> None:
    rules: dict[str, Any] = {rule: value}
    refused(VariantError, lambda: Position("halma8", **rules), rule, "expected")


@cases(NO_TEXT, BAD_TEXT, leave_out=("True", "False"))
def test_home_reentry_is_a_boolean(value: Any) -> None:
    refused(VariantError, lambda: Position("halma8", home_reentry=value), "home_reentry", "expected")


@pytest.mark.parametrize("rule", ["goal_lock", "home_reentry", "home_duty", "win", "home_deadline"])
def test_pulce_has_no_rules_of_halma(rule: str) -> None:
    values: dict[str, Any] = {"goal_lock": "hop", "home_reentry": True, "home_duty": False}
    values |= {"win": "full", "home_deadline": 30}
    refused(VariantError, lambda: Position("pulce", **{rule: values[rule]}), rule, "pulce")


def test_halma_has_no_beginner_to_choose_and_nothing_has_unknown_rules() -> None:
    refused(VariantError, lambda: Position("halma8", first="o"), "first")
    refused(VariantError, lambda: Position("halma8", colour="red"), "colour")  # type: ignore[call-arg]


@cases(NOT_A_SMALL_INTEGER)
def test_a_board_size_is_an_integer(value: Any) -> None:
    refused(VariantError, lambda: Variant.square(value, (1,)), "size", "expected")


@cases(NO_TEXT, BAD_TEXT)
def test_a_camp_is_a_sequence_of_row_lengths(value: Any) -> None:
    refused(VariantError, lambda: Variant.square(5, value), "camp", "expected")


@pytest.mark.parametrize(
    ("size", "camp", "words"),
    [
        (2, (1,), ("2", "3")),
        (17, (1,), ("17", "16")),
        (4, (1, 2), ("camp",)),
        (4, (5,), ("camp",)),
        (4, (0,), ("camp",)),
        (4, (2, -1), ("camp",)),
        (4, (1, 1, 1, 1, 1), ("camp",)),
        (3, (2, 2), ("overlap", "b2")),
        (5, (3, 3, 3), ("overlap", "c3")),
    ],
)
def test_camps_are_staircases_that_do_not_overlap(size: int, camp: tuple[int, ...], words: tuple[str, ...]) -> None:
    refused(VariantError, lambda: Variant.square(size, camp), *words)


@cases(NO_TEXT, BAD_TEXT, leave_out=("small integer",))
def test_a_square_is_a_number_or_a_name(value: Any) -> None:
    position = Position("halma8")
    refused(SquareError, lambda: position.piece_at(value), "square", "expected")


@pytest.mark.parametrize("value", ["i1", "a9", 8, 128, 255, "p16"])
def test_a_square_is_on_the_board(value: Any) -> None:
    refused(SquareError, lambda: Position("halma8").piece_at(value), "square")


@pytest.mark.parametrize("value", ["a1", "a7", "g1", "g7", 0, 102])
def test_a_missing_corner_is_no_square(value: Any) -> None:
    refused(SquareError, lambda: Position("pulce").piece_at(value), "square", "pulce")


@cases(NOT_A_SMALL_INTEGER)
def test_a_move_is_made_of_square_numbers(value: Any) -> None:
    refused(SquareError, lambda: Move(value, 1), "from_square", "expected")
    refused(SquareError, lambda: Move(1, value), "to_square", "expected")
    refused(SquareError, lambda: square_name(value), "square", "expected")


@cases(NO_TEXT, BAD_TEXT)
def test_a_square_name_is_a_file_and_a_rank(value: Any) -> None:
    refused(SquareError, lambda: parse_square(value), "square", "expected")


@cases(NO_TEXT, BAD_TEXT)
def test_a_side_is_zero_or_one(value: Any) -> None:
    if not isinstance(value, bool):
        refused(OptionError, lambda: Position("halma8").pieces(value), "side", "expected")


@cases(NO_TEXT, BAD_TEXT)
def test_a_malformed_move_is_refused_and_changes_nothing(value: Any) -> None:
    position = Position("halma8")
    position.push("h4-h5")
    before = state_of(position)
    refused(MoveError, lambda: position.push(value), "move", "expected")
    refused(MoveError, lambda: position.parse_move(value), "move", "expected")
    refused(MoveError, lambda: position.path(value), "move", "expected")
    refused(MoveError, lambda: Move.from_text(value), "move", "expected")
    assert not position.is_legal(value)
    assert value not in position.legal_moves
    assert state_of(position) == before


@pytest.mark.parametrize(
    "text",
    [
        "h1",
        "h1-",
        "-h1",
        "h1--h5",
        "h1-h17",
        "q1-h1",
        "h0-h1",
        "H1-H5",
        "h1 h5",
        "h1-h5-",
        "h1h",
        "pass-h1",
        "PASS",
        "h01-h5",
    ],
)
def test_a_text_that_names_no_move_is_malformed(text: str) -> None:
    refused(MoveError, lambda: Position("halma8").push(text), "move")
    refused(MoveError, lambda: Move.from_text(text), "move")


@pytest.mark.parametrize("text", ["h1-h1", "h1-f1-h1", "h1h1"])
def test_a_move_to_where_it_began_is_no_move(text: str) -> None:
    refused(MoveError, lambda: Position("halma8").push(text), "h1")


def test_a_move_between_equal_squares_is_refused_except_the_pass() -> None:
    refused(MoveError, lambda: Move(5, 5), "f1")
    assert not Move(0, 0)


@pytest.mark.parametrize("text", ["h1-i1", "a9-h1", "h1-p16", "i9-j9"])
def test_squares_beyond_the_board_are_illegal(text: str) -> None:
    refused(IllegalMoveError, lambda: Position("halma8").push(text), "not on the board")
    refused(IllegalMoveError, lambda: Position("halma8").push(Move.from_text(text)), "not on the board")


@cases(NOT_A_SMALL_INTEGER)
def test_a_depth_is_an_integer(value: Any) -> None:
    position = Position("halma8")
    refused(LimitError, lambda: perft(position, value), "depth", "expected")
    refused(LimitError, lambda: divide(position, value), "depth", "expected")


@pytest.mark.parametrize("depth", [-1, 101, 2**31, 2**63, 2**64])
def test_a_depth_is_in_range(depth: int) -> None:
    refused(LimitError, lambda: perft(Position("halma8"), depth), "depth", "100")
    refused(LimitError, lambda: divide(Position("halma8"), depth), "depth", "100")


@cases(NO_TEXT, BAD_TEXT)
def test_perft_takes_a_position(value: Any) -> None:
    for depth in (0, 1):
        refused(OptionError, lambda depth=depth: perft(value, depth), "position", "expected")  # type: ignore[misc]
    refused(OptionError, lambda: divide(value, 1), "position", "expected")


@cases(NO_TEXT, BAD_TEXT, leave_out=("True", "False"))
def test_switches_are_booleans(value: Any) -> None:
    position = Position("halma8")
    refused(OptionError, lambda: perft(position, 1, bulk=value), "bulk", "expected")
    refused(OptionError, lambda: perft(position, 0, bulk=value), "bulk", "expected")
    refused(OptionError, lambda: divide(position, 1, bulk=value), "bulk", "expected")
    refused(OptionError, lambda: position.copy(stack=value), "stack", "expected")


@cases(NO_TEXT, BAD_TEXT, leave_out=("None", "class", "function"))
def test_a_callback_is_callable(value: Any) -> None:
    position = Position("halma8")
    refused(OptionError, lambda: perft(position, 1, on_progress=value), "on_progress", "expected")
    refused(OptionError, lambda: divide(position, 1, on_progress=value), "on_progress", "expected")
