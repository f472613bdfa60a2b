"""Legal moves of the package and of the reference, position by position, and what is refused."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halma_fast import PASS, GameOverError, IllegalMoveError, Move
from properties.effort import effort
from properties.state import state_of
from properties.strategies import HALMA_RULES, Script, custom_worlds, pulce_worlds, scripts, worlds
from properties.worlds import Twins, World, men_of, to_moves, to_number

ENDING_RULES = {name: HALMA_RULES[name] for name in ("home_deadline", "max_turns", "repetition")}


def assert_same_moves(both: Twins) -> None:
    expected = to_moves(both.game.legal_moves())
    view = both.position.legal_moves
    listed = list(view)
    assert set(listed) == expected, both.position.fen()
    assert len(listed) == len(view) == len(expected)  # no move twice
    assert bool(view) == bool(expected)
    assert all(move in view for move in expected)
    rows = both.position.legal_moves_array().tolist()
    assert [Move(source, target) for source, target in rows] == listed


def assert_same_position(both: Twins) -> None:
    reference = both.game.position
    assert men_of(both.position) == (reference.x, reference.o)
    assert both.position.turn.letter == reference.turn
    assert both.position.ply == reference.ply
    assert both.position.move_number == reference.number


@effort(400)
@given(worlds(), scripts())
def test_legal_moves_are_those_of_the_reference_throughout_a_game(world: World, script: Script) -> None:
    for both in script.play(world):
        assert_same_position(both)
        assert_same_moves(both)


@pytest.mark.parametrize("goal_lock", ["hop", "move", "none"])
@pytest.mark.parametrize("home_reentry", [True, False])
@pytest.mark.parametrize("home_duty", [True, False])
@pytest.mark.parametrize("win", ["full", "occupied"])
@effort(8)
@given(world=custom_worlds(8, ENDING_RULES), script=scripts(40))
def test_legal_moves_are_those_of_the_reference_under_every_combination_of_rules(
    goal_lock: str, home_reentry: bool, home_duty: bool, win: str, world: World, script: Script
) -> None:
    rules = {"goal_lock": goal_lock, "home_reentry": home_reentry, "home_duty": home_duty, "win": win}
    for both in script.play(world.with_rules(**rules)):
        assert_same_moves(both)


@effort(40)
@given(st.one_of(custom_worlds(5), pulce_worlds()), scripts(10))
def test_is_legal_agrees_with_the_list_on_every_pair_of_squares(world: World, script: Script) -> None:
    both = script.end(world)
    legal = to_moves(both.game.legal_moves())
    width = both.game.variant.size + 2  # one column and row beyond the board, missing squares too
    squares = [to_number((file, rank)) for file in range(min(16, width)) for rank in range(min(16, width))]
    for source in squares:
        for target in squares:
            move = PASS if source == target else Move(source, target)
            assert both.position.is_legal(move) == (move in legal)
            assert (move in both.position.legal_moves) == (move in legal)


@effort(150)
@given(worlds(), scripts(), st.integers(0, 2**32 - 1))
def test_a_refused_move_changes_nothing(world: World, script: Script, seed: int) -> None:
    position = script.end(world).position
    before = state_of(position)
    legal = set(position.legal_moves)
    random = Random(seed)
    error = IllegalMoveError if before["outcome"] is None else GameOverError
    for _ in range(10):
        # Men of the side to move often, else anything, also beyond the board.
        source = random.choice([*position.pieces(position.turn), random.randrange(256)])
        target = random.randrange(256)
        move = PASS if source == target else Move(source, target)
        if move in legal:
            continue
        with pytest.raises(error):
            position.push(move)
        with pytest.raises(error):
            position.push(move.text)
        assert not position.is_legal(move)
    assert state_of(position) == before


@effort(60)
@given(worlds(8), scripts())
def test_every_legal_move_is_accepted_and_read_from_its_text(world: World, script: Script) -> None:
    both = script.end(world)
    for move in list(both.position.legal_moves):
        assert both.position.is_legal(move)
        assert both.position.parse_move(move.text) == move
        both.position.push(move)
        assert both.position.peek() == move
        assert both.position.pop() == move
