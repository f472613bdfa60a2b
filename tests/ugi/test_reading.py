"""What the client reads and writes: any text is read, and what is written says what was meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halma_fast import VARIANTS, Limit, LimitError, OptionError, Position, Score
from halma_fast.recorded_move import RecordedMove
from halma_fast.ugi.reading import UgiOption, go_command, option_value, position_command, read_info, read_option
from halma_fast.ugi.settings import Settings
from halma_fast.ugi.words import RULE_OPTIONS

START = Position("halma8")
HUGE = "9" * 18
WORDS = ["depth", "seldepth", "multipv", "score", "cp", "mate", "lowerbound", "nodes", "nps", "hashfull", "time", "pv"]
WORDS += ["string", "h4-h5", "a7-c5", "3", "-1", "x"]
OPTION_WORDS = [
    "name",
    "type",
    "default",
    "min",
    "max",
    "var",
    "spin",
    "check",
    "combo",
    "string",
    "button",
    "1",
    "Hash",
]


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=30))
def test_any_info_is_read_within_its_ranges(words: list[str]) -> None:
    info = read_info(["info", *words], START)
    if info is None:
        return
    assert 0 <= info.depth <= info.seldepth
    assert info.multipv >= 1
    assert min(info.nodes, info.nps, info.seconds) >= 0
    assert 0 <= info.hashfull <= 1000
    after = START.copy()
    for move in info.pv:
        after.push(move)


def test_numbers_beyond_any_search_can_be_recorded() -> None:
    said = f"info depth {HUGE} seldepth {HUGE} nodes {HUGE} nps {HUGE} hashfull {HUGE} time {HUGE} score cp {HUGE}"
    info = read_info([*said.split(), "pv", "e1-d2"], START)
    assert info is not None
    assert (info.depth, info.seldepth) == (10_000, 10_000)
    recorded = RecordedMove.of(info.pv[0], info)
    assert (recorded.depth, recorded.seconds) == (10_000, 999_999_999.999)
    shallow = read_info(["info", "seldepth", "3", "depth", "10001", "score", "mate", HUGE], START)
    assert shallow is not None
    assert (shallow.depth, shallow.seldepth) == (10_000, 10_000)


def test_every_rule_of_every_variant_has_an_option() -> None:
    assert RULE_OPTIONS.keys() == {rule for variant in VARIANTS.values() for rule in variant.rules}
    offered = {line.split()[2] for line in Settings().lines()}
    assert set(RULE_OPTIONS.values()) <= offered


@given(st.lists(st.sampled_from(OPTION_WORDS) | st.text(max_size=5), max_size=20))
def test_any_option_is_read_or_passed_over(words: list[str]) -> None:
    option = read_option(["option", *words])
    assert option is None or option.name


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("cp -7", Score("points", -7)),
        ("mate 1", Score("win", 1)),
        ("mate 4", Score("win", 7)),
        ("mate -1", Score("loss", 2)),
        ("mate 0", Score("loss", 0)),
    ],
)
def test_scores_are_in_plies(text: str, score: Score) -> None:
    info = read_info(f"info depth 1 score {text}".split(), START)
    assert info is not None
    assert info.score == score


def test_an_info_without_a_score_or_within_a_string_is_none() -> None:
    assert read_info(["info", "depth", "3", "nodes", "100"], START) is None
    assert read_info(["info", "string", "score", "cp", "3"], START) is None


def test_options_have_names_and_choices_of_several_words() -> None:
    text = "option name Clear the Hash type combo default no way var no way var do it var var"
    assert read_option(text.split()) == UgiOption(
        "Clear the Hash", "combo", "no way", None, None, ("no way", "do it", "", "")
    )
    assert read_option(["option", "name", "type", "type", "spin", "default", "3", "min", "1", "max", "9"]) == UgiOption(
        "type", "spin", "3", 1, 9
    )


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (None, "go infinite"),
        (Limit(depth=3), "go depth 3"),
        (Limit(time=0.0001), "go movetime 1"),
        (Limit(nodes=5, time=1.5), "go movetime 1500 nodes 5"),
        (Limit(x_clock=0, o_clock=1), "go p1time 0 p2time 1000"),
        (Limit(o_clock=1, o_inc=0.5, x_inc=2, moves_to_go=3), "go p2time 1000 p2inc 500 movestogo 3"),
    ],
)
def test_limits_are_written_in_milliseconds(limit: Limit | None, text: str) -> None:
    assert go_command(limit) == text


def test_a_limit_without_a_word_is_refused() -> None:
    with pytest.raises(LimitError, match="mate"):
        go_command(Limit(mate=3, depth=5))


def test_positions_are_written_from_the_oldest() -> None:
    position = Position("halma8")
    assert position_command(position) == f"position fen {position.fen()}"
    start = position.fen()
    position.push("e1-d2")
    assert position_command(position) == f"position fen {start} moves e1-d2"
    assert position.move_stack


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        (UgiOption("A", "check"), True, "true"),
        (UgiOption("A", "check"), "False", "false"),
        (UgiOption("A", "spin", low=1, high=3), "3", "3"),
        (UgiOption("A", "combo", choices=("One", "Two")), "two", "Two"),
        (UgiOption("A", "string"), "some text", "some text"),
        (UgiOption("A", "button"), None, ""),
    ],
)
def test_values_are_written_as_the_option_has_them(option: UgiOption, value: Any, text: str) -> None:
    assert option_value(option, value) == text


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (UgiOption("A", "check"), 1),
        (UgiOption("A", "check"), "yes"),
        (UgiOption("A", "spin", low=1, high=3), 4),
        (UgiOption("A", "spin", low=3, high=1), 2),
        (UgiOption("A", "spin"), True),
        (UgiOption("A", "spin"), 1.5),
        (UgiOption("A", "combo"), "x"),
        (UgiOption("A", "string"), "a\nquit"),
        (UgiOption("A", "string"), "a" * 5000),
    ],
)
def test_values_an_option_does_not_take_are_refused(option: UgiOption, value: Any) -> None:
    with pytest.raises(OptionError, match=r"option A: .*expected"):
        option_value(option, value)
