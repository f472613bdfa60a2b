"""Shares of the clock: within what is left, enough for the whole game, longer for a choice that is not settled."""

import random

import pytest

from halma_fast.timing import allot, patience

CASES = [
    (clock, increment, moves, overhead)
    for clock in (0.0, 0.005, 0.1, 1.0, 60.0, 3600.0)
    for increment in (0.0, 0.01, 1.0, 100.0)
    for moves in (None, 1, 2, 40, 1000)
    for overhead in (0.0, 0.02, 1.0)
]


@pytest.mark.parametrize(("clock", "increment", "moves", "overhead"), CASES)
def test_no_move_is_given_more_than_is_left(clock, increment, moves, overhead):
    soft, hard = allot(clock, increment, moves, overhead)
    assert 0.001 <= soft <= hard <= max(clock - overhead, 0.001)


@pytest.mark.parametrize("increment", [0.0, 0.1, 2.0])
@pytest.mark.parametrize("moves_to_go", [None, 40, 5])
@pytest.mark.parametrize("seed", range(3))
def test_a_long_game_never_runs_out_of_time(increment, moves_to_go, seed):
    chance = random.Random(seed)
    clock, left = 30.0, moves_to_go
    for _ in range(400):
        soft, hard = allot(clock, increment, left, overhead=0.02)
        # Any time up to the hard limit, often all of it, and what is lost on the way.
        clock -= hard if chance.random() < 0.3 else chance.uniform(soft, hard)
        clock -= chance.uniform(0.0, 0.015)
        # The last thousandth of a second is given even if it is not there.
        assert clock > -0.4 if increment == 0.0 and moves_to_go is None else clock > 0.0
        clock = max(clock, 0.0) + increment
        if left is not None:
            left -= 1
            if left == 0:
                clock, left = clock + 30.0, moves_to_go


def test_more_time_fewer_moves_and_increments_give_more():
    assert allot(60.0).hard > allot(30.0).hard
    assert allot(60.0, 1.0).soft > allot(60.0).soft
    assert allot(60.0, moves_to_go=5).soft > allot(60.0, moves_to_go=10).soft
    assert allot(60.0, overhead=1.0).hard < allot(60.0).hard


def test_the_last_move_before_the_clock_is_refilled_may_take_all_of_it():
    assert allot(10.0, moves_to_go=1, overhead=0.5).hard == 9.5
    assert allot(10.0, moves_to_go=2, overhead=0.5).hard < 9.5


def test_an_even_share_of_the_game_is_used_by_settled_moves():
    # 40 shares of 60 seconds: a settled move takes about half of one, an unsettled one about one.
    soft = allot(60.0).soft
    assert 0.5 < soft * patience(6, 0) < soft * patience(0, 0) < 1.5


def test_patience_falls_with_settled_depths_and_rises_with_a_falling_score():
    settled = [patience(depths, 0) for depths in range(10)]
    assert settled == sorted(settled, reverse=True)
    assert settled[0] > 1.0 > settled[9] > 0.3
    drops = [patience(3, drop) for drop in (-1000, 0, 10, 30, 60, 10**6)]
    assert drops == sorted(drops)
    assert drops[0] == drops[1] < drops[2] < drops[4] == drops[5]
    assert patience(0, 10**6) * 0.6 < 4.0  # the hard limit stays the larger one
