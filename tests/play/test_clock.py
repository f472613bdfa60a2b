"""The clock runs for one side at a time, adds the increment after a move, and never goes below zero."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from halma_fast import Limit, OptionError, Side
from halma_fast.clock import Clock, TimeControl


class Time:
    """A time that goes on when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_time_runs_for_the_side_to_move_only() -> None:
    time = Time()
    clock = Clock(TimeControl(60, 2), now=time)
    time.now += 5
    assert clock.times() == (60, 60)
    clock.start(Side.X)
    time.now += 10
    assert clock.times() == (50, 60)
    clock.press()
    assert (clock.times(), clock.running) == ((52, 60), Side.O)
    time.now += 7
    assert clock.times() == (52, 53)
    clock.stop()
    time.now += 100
    assert (clock.times(), clock.running) == ((52, 53), None)
    assert clock.limit() == Limit(x_clock=52, o_clock=53, x_inc=2, o_inc=2)


def test_a_flag_falls_at_zero_and_stays() -> None:
    time = Time()
    clock = Clock(TimeControl(1), now=time)
    clock.start(Side.O)
    time.now += 0.5
    assert clock.flag is None
    time.now += 9
    assert (clock.flag, clock.times()) == (Side.O, (1, 0))
    clock.stop()
    assert clock.flag is Side.O


def test_a_fallen_flag_is_not_raised_by_a_move() -> None:
    time = Time()
    clock = Clock(TimeControl(1, 5), now=time)
    clock.start(Side.X)
    time.now += 2
    clock.press()
    assert (clock.flag, clock.times(), clock.running) == (Side.X, (0, 1), Side.O)


def test_a_time_that_goes_back_gives_nobody_more() -> None:
    time = Time()
    clock = Clock(TimeControl(10, 1), now=time)
    clock.start(Side.X)
    time.now -= 100
    assert clock.times() == (10, 10)
    clock.press()
    assert clock.times() == (11, 10)


def test_increments_never_come_to_more_than_can_be_set() -> None:
    clock = Clock(TimeControl(1e6, 1e6), now=Time())
    clock.start(Side.X)
    for _ in range(8):
        clock.press()
    assert clock.times() == (2e6, 2e6)
    clock.set_times(clock.times())


def test_times_can_be_set_while_it_runs() -> None:
    time = Time()
    clock = Clock(TimeControl(10), now=time)
    clock.start(Side.X)
    time.now += 3
    clock.set_times((8, 4))
    time.now += 1
    assert clock.times() == (7, 4)
    with pytest.raises(OptionError):
        clock.set_times((float("nan"), 1))
    assert clock.times() == (7, 4)


@pytest.mark.parametrize(
    ("text", "control"),
    [("300+2", TimeControl(300, 2)), ("0.5", TimeControl(0.5)), (" 60+0.25 ", TimeControl(60, 0.25))],
)
def test_a_control_is_read_and_written(text: str, control: TimeControl) -> None:
    assert TimeControl.from_text(text) == control
    assert TimeControl.from_text(str(control)) == control


@pytest.mark.parametrize(
    ("seconds", "increment", "text"),
    [
        (1e6, 1e6, "1000000+1000000"),
        (999_999.123456, 0.000001, "999999.123456+0.000001"),
        (0.001, 0, "0.001"),
        (100, 0.0000001, "100"),
        (1 / 3, 2 / 3, "0.333333+0.666667"),
        (123456.5, 1e-6, "123456.5+0.000001"),
        (Fraction(5, 2), np.float32(0.5), "2.5+0.5"),
    ],
)
def test_every_control_reads_back_as_itself(seconds: Any, increment: Any, text: str) -> None:
    control = TimeControl(seconds, increment)
    assert str(control) == text
    assert TimeControl.from_text(text) == control


@pytest.mark.parametrize(
    "text",
    ["", "0", "0+1", "-1", "5+", "+2", "1e3", "5+2+1", "5 + 2", "nan", "9999999999", "2000000", "\u0663", 5, None],
)
def test_a_control_that_is_none_is_refused(text: Any) -> None:
    with pytest.raises(OptionError, match="clock"):
        TimeControl.from_text(text)
