"""Taking back restores a position exactly, whatever was played, and so does refusing to take back too much."""

import pytest
from hypothesis import given

from halma_fast import EmptyStackError, Position
from properties.effort import effort
from properties.state import state_of
from properties.strategies import Script, scripts, worlds
from properties.worlds import World, to_move


@effort(150)
@given(worlds(), scripts(25))
def test_pop_restores_every_position_of_a_game_exactly(world: World, script: Script) -> None:
    states = []
    copies = []
    for both in script.play(world):
        states.append(state_of(both.position))
        copies.append(both.position.copy())
    position = both.position
    for ply in reversed(range(len(states))):
        assert state_of(position) == states[ply]
        assert position == copies[ply]
        if ply:
            assert position.peek() == to_move(both.game.moves[ply - 1])
            assert position.pop() == to_move(both.game.moves[ply - 1])
    assert position.move_stack == []
    with pytest.raises(EmptyStackError):
        position.pop()
    with pytest.raises(EmptyStackError):
        position.peek()
    assert state_of(position) == states[0]


@effort(80)
@given(worlds(10), scripts(20))
def test_every_legal_move_can_be_made_and_taken_back(world: World, script: Script) -> None:
    position = script.end(world).position
    before = state_of(position)
    for move in list(position.legal_moves):
        position.push(move)
        assert position.key() != before["key"]
        assert position.pop() == move
        assert position.key() == before["key"]
        assert position.zobrist == before["zobrist"]
    assert state_of(position) == before


@effort(80)
@given(worlds(10), scripts(40))
def test_the_move_stack_replays_the_game(world: World, script: Script) -> None:
    both = script.end(world)
    assert both.position.move_stack == [to_move(move) for move in both.game.moves]
    replayed = script.begin(world).position
    for move in both.position.move_stack:
        replayed.push(move)
    assert replayed == both.position
    assert state_of(replayed) == state_of(both.position)
    assert isinstance(replayed, Position)
