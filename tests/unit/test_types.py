"""Sides, limits, scores and outcomes hold only values in their ranges, and compare as documented."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from halma_fast.checks import shorten
from halma_fast.errors import LimitError, OptionError
from halma_fast.move import PASS, Move
from halma_fast.types import Info, Limit, Outcome, Played, Reason, Score, SearchResult, Side

HUGE = 10**5000  # Python refuses to print it


def test_each_side_is_the_other_of_its_other() -> None:
    assert Side.X.other is Side.O
    assert Side.O.other is Side.X


def test_a_side_and_its_letter_name_each_other() -> None:
    for side in Side:
        assert Side.from_letter(side.letter) is side


def test_a_side_is_an_integer_and_reads_as_its_letter() -> None:
    assert [str(side) for side in Side] == ["x", "o"]
    assert f"{Side.X} {Side.O:>3}|{Side.O!s:<3}|" == "x   o|o  |"
    assert f"{Side.O:d} {Side.X:02d} %d" % Side.O == "1 00 1"
    assert [("a", "b")[side] for side in Side] == ["a", "b"]
    assert (repr(Side.X), json.dumps(list(Side)), Side.O + 1) == ("<Side.X: 0>", "[0, 1]", 2)


@pytest.mark.parametrize("letter", ["X", "", "xo", "0", 0, None, b"x", ["x"], "x" * 10**6], ids=shorten)
def test_other_letters_are_refused(letter: Any) -> None:
    with pytest.raises(OptionError, match=r"^side: .*expected 'x' or 'o'"):
        Side.from_letter(letter)


def test_a_limit_without_arguments_limits_nothing() -> None:
    assert Limit() == Limit(depth=None, nodes=None, time=None, mate=None, x_clock=None, o_clock=None, moves_to_go=None)
    assert [Limit().clock(side) for side in Side] == [None, None]
    assert [Limit().increment(side) for side in Side] == [0.0, 0.0]


def test_limits_become_plain_numbers() -> None:
    limit = Limit(depth=np.int16(5), nodes=np.int64(2**62), time=np.float32(0.5))  # type: ignore[arg-type]
    assert (limit.depth, limit.nodes, limit.time) == (5, 2**62, 0.5)
    assert [type(value) for value in dataclasses.astuple(limit)[:3]] == [int, int, float]
    clocks = Limit(x_clock=np.float64(60), o_clock=0, x_inc=1, o_inc=2, moves_to_go=np.int8(40), mate=np.uint8(3))
    assert dataclasses.astuple(clocks) == (None, None, None, 3, 60.0, 0.0, 1.0, 2.0, 40)
    assert [type(value) for value in dataclasses.astuple(clocks)[3:]] == [int, *[float] * 4, int]
    assert Limit(time=2).time == 2.0
    assert Limit(time=Fraction(1, 4)).time == 0.25  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [0, -1, 101, True, 1.0, "3", HUGE, [], b"3"], ids=shorten)
def test_a_depth_out_of_range_is_refused(depth: Any) -> None:
    with pytest.raises(LimitError, match=r"^depth: .*from 1 to 100"):
        Limit(depth=depth)


@pytest.mark.parametrize("nodes", [0, -1, 2**62 + 1, False, 1e3, "3"])
def test_a_node_count_out_of_range_is_refused(nodes: Any) -> None:
    with pytest.raises(LimitError, match=r"^nodes: "):
        Limit(nodes=nodes)


@pytest.mark.parametrize(
    "time",
    [0, 0.0, -0.0, -1, math.nan, math.inf, -math.inf, True, "1", HUGE, 1j, Decimal(1), np.True_, [1.0]],
    ids=shorten,
)
def test_a_time_that_is_no_positive_finite_number_is_refused(time: Any) -> None:
    with pytest.raises(LimitError, match=r"^time: .*finite number of seconds above 0"):
        Limit(time=time)


@pytest.mark.parametrize("field", ["mate", "moves_to_go"])
@pytest.mark.parametrize("moves", [0, -1, 1_000_001, True, 1.0, "3", HUGE], ids=shorten)
def test_a_number_of_moves_out_of_range_is_refused(field: str, moves: Any) -> None:
    with pytest.raises(LimitError, match=rf"^{field}: .*from 1 to 1000000"):
        Limit(**{field: moves})


@pytest.mark.parametrize("field", ["x_clock", "o_clock", "x_inc", "o_inc"])
@pytest.mark.parametrize("seconds", [-0.001, math.nan, math.inf, -math.inf, True, "1", HUGE, 1j, [1.0]], ids=shorten)
def test_a_clock_that_is_no_finite_number_from_0_on_is_refused(field: str, seconds: Any) -> None:
    with pytest.raises(LimitError, match=rf"^{field}: .*finite number of seconds from 0 on"):
        Limit(**{field: seconds})


def test_increments_are_numbers_and_never_missing() -> None:
    with pytest.raises(LimitError, match=r"^x_inc: None"):
        Limit(x_inc=None)  # type: ignore[arg-type]


def test_clock_and_increment_are_those_of_the_side() -> None:
    limit = Limit(x_clock=1, o_clock=2, x_inc=3, o_inc=4)
    assert [(limit.clock(side), limit.increment(side)) for side in Side] == [(1.0, 3.0), (2.0, 4.0)]


@pytest.mark.parametrize(
    ("limit", "ends"),
    [
        (Limit(), (False, False)),
        (Limit(x_inc=1, o_inc=1, moves_to_go=3), (False, False)),
        (Limit(x_clock=0), (True, False)),
        (Limit(o_clock=5, x_inc=1), (False, True)),
        (Limit(depth=1), (True, True)),
        (Limit(nodes=1), (True, True)),
        (Limit(time=1), (True, True)),
        (Limit(mate=1, o_clock=1), (True, True)),
    ],
)
def test_the_clock_of_the_other_side_ends_no_search(limit: Limit, ends: tuple[bool, bool]) -> None:
    assert (limit.ends(Side.X), limit.ends(Side.O)) == ends


def test_a_limit_within_another_has_the_smaller_of_each_and_keeps_its_clocks() -> None:
    clocks = Limit(x_clock=1, o_clock=2, x_inc=3, o_inc=4, moves_to_go=5, mate=6)
    assert clocks.within(Limit(depth=2, nodes=3, time=4)) == dataclasses.replace(clocks, depth=2, nodes=3, time=4)
    assert clocks.within(Limit(x_clock=9, mate=1)) == clocks
    small, large = Limit(depth=2, nodes=30, time=0.5), Limit(depth=4, nodes=20, time=0.75)
    assert small.within(large) == large.within(small) == Limit(depth=2, nodes=20, time=0.5)
    assert small.within(Limit()) == Limit().within(small) == small


def test_scores_are_ordered_from_the_worst_to_the_best() -> None:
    ordered = [
        Score("loss", 0),
        Score("loss", 2),
        Score("loss", 40),
        Score("points", -9000),
        Score("points", 0),
        Score("points", 9000),
        Score("win", 41),
        Score("win", 1),
    ]
    for (low, worse), (high, better) in itertools.product(enumerate(ordered), repeat=2):
        assert (worse < better) is (low < high)
        assert (worse <= better) is (low <= high)
        assert (worse > better) is (low > high)
        assert (worse >= better) is (low >= high)
        assert (worse == better) is (low == high)


def test_a_score_does_not_compare_with_other_things() -> None:
    with pytest.raises(TypeError):
        Score("points", 1) < 1  # type: ignore[operator] # noqa: B015
    assert Score("points", 1) != 1


@pytest.mark.parametrize("kind", ["", "mate", None, 1, ["win"]])
def test_a_score_of_another_kind_is_refused(kind: Any) -> None:
    with pytest.raises(OptionError, match=r"^score kind: "):
        Score(kind, 1)


@pytest.mark.parametrize(("kind", "value"), [("win", -1), ("loss", -1), ("points", 1.5), ("points", True)])
def test_a_score_value_out_of_range_is_refused(kind: Any, value: Any) -> None:
    with pytest.raises(OptionError, match=r"^score value: "):
        Score(kind, value)


def test_scores_and_outcomes_are_readable() -> None:
    assert str(Score("points", 12)) == "+12"
    assert str(Score("points", -3)) == "-3"
    assert str(Score("win", 13)) == "win in 13"
    assert str(Outcome(Side.X, Reason.CAMP_FULL, None)) == "x wins (camp full)"
    assert str(Outcome(None, Reason.REPETITION)) == "draw (repetition)"
    assert str(Outcome(Side.O, Reason.ROUND_OVER, (1, 3))) == "o wins (round over, points 1 : 3)"


def test_scores_and_outcomes_are_aligned_like_texts() -> None:
    assert f"{Score('points', 12):>10}|{Score('win', 3):<10}|" == "       +12|win in 3  |"
    assert f"{Outcome(None, Reason.BLOCKED):^20}|" == "   draw (blocked)   |"
    assert f"{Score('loss', 2)} {Outcome(Side.X, Reason.CAMP_FULL)}" == "loss in 2 x wins (camp full)"


LINE = Info(3, 4, 1, Score("points", 7), "lower", 100, 0.5, 200, 12, (Move.from_text("h1-f3"),))


@pytest.mark.parametrize(
    "value",
    [
        Limit(depth=3, time=1.5, x_clock=60, o_inc=1),
        Score("win", 3),
        Outcome(Side.X, Reason.BLOCKED, (0, 1)),
        LINE,
        Played(PASS, LINE),
        SearchResult(PASS, Score("points", 7), 3, 4, 100, 0.5, 200, (PASS,), (LINE,), 12),
    ],
)
def test_values_are_frozen_slotted_hashable_and_survive_copies(value: Any) -> None:
    assert not hasattr(value, "__dict__")
    name = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, None)
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert hash(twin) == hash(value)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (SearchResult, "best_move score depth seldepth nodes seconds nps pv lines hashfull"),
        (Info, "depth seldepth multipv score bound nodes seconds nps hashfull pv"),
    ],
)
def test_results_have_all_their_fields_and_no_defaults(kind: Any, fields: str) -> None:
    assert [field.name for field in dataclasses.fields(kind)] == fields.split()
    assert all(field.default is dataclasses.MISSING for field in dataclasses.fields(kind))


def test_reasons_are_the_documented_words() -> None:
    assert [reason.value for reason in Reason] == [
        "camp full",
        "repetition",
        "max turns",
        "home deadline",
        "blocked",
        "round over",
    ]
