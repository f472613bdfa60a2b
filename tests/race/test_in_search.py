"""The engine announces a decided race and plays it out without a wasted move."""

import random

import pytest

from halma_fast import Engine, Limit, Position, Score
from halma_fast.race import decided

PASSED = "xxxx4/xx6/x1x5/xx5o/6o1/7o/5ooo/4oooo x"


def test_a_decided_race_is_announced_at_once_and_to_both_sides():
    position = Position.from_fen(PASSED, "halma8")
    race = decided(position)
    assert race is not None
    infos = []
    result = Engine(1).search(position, depth=1, on_info=infos.append)
    assert result.score == race.score
    assert [info.score for info in infos] == [race.score]
    assert len(result.pv) == race.score.value
    after = Position.from_fen(PASSED, "halma8")
    for move in result.pv:
        after.push(move)
    assert after.outcome().winner == position.turn
    position.push(result.best_move)
    lost = Engine(1).search(position, depth=1)
    assert lost.score == Score("loss", race.score.value - 1)
    assert lost.best_move in position.legal_moves


@pytest.mark.parametrize("seed", range(10))
def test_the_winner_wastes_no_move_whatever_the_other_does(seed):
    chance, engine = random.Random(seed), Engine(1)
    position = Position.from_fen(PASSED, "halma8")
    left = engine.search(position, depth=1).score.value
    while not position.is_game_over():
        result = engine.search(position, depth=1)
        assert result.score == Score("win", left)
        position.push(result.best_move)
        if not position.is_game_over():
            position.push(chance.choice(list(position.legal_moves)))
        left -= 2
    assert left == -1
    assert position.outcome().winner == 0


def test_ranked_lines_chosen_moves_and_short_times_are_searched_as_ever():
    position = Position.from_fen(PASSED, "halma8")
    engine = Engine(1)
    assert len(engine.search(position, depth=2, multipv=3).lines) == 3
    last = list(position.legal_moves)[-1]
    assert engine.search(position, depth=1, root_moves=[last]).best_move == last
    assert engine.search(position, Limit(time=0.001)).best_move in position.legal_moves
    assert engine.search(position, Limit(time=5)).score.kind == "win"
