"""The clock runs for one side at a time, adds the increment after a move, and never goes below zero."""

from __future__ import annotations

from typing import Any

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
    "text", ["", "0", "0+1", "-1", "5+", "+2", "1e3", "5+2+1", "nan", "9999999999", "2000000", "\u0663", 5]
)
def test_a_control_that_is_none_is_refused(text: Any) -> None:
    with pytest.raises(OptionError, match="clock"):
        TimeControl.from_text(text)
