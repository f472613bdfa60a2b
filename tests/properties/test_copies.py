"""Copies: equal to the original, with the same history, and on their own from then on."""

import copy
import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from halma_fast import Position
from properties.effort import effort
from properties.players import choose
from properties.state import state_of
from properties.strategies import Script, scripts, worlds
from properties.worlds import World, outcome_of, to_move, to_outcome


def pickled(position: Position) -> Position:
    again = pickle.loads(pickle.dumps(position))
    assert isinstance(again, Position)
    return again


WAYS: list[Callable[[Position], Position]] = [Position.copy, copy.copy, copy.deepcopy, pickled]


@pytest.mark.parametrize("duplicate", WAYS, ids=["method", "copy", "deepcopy", "pickle"])
@effort(50)
@given(world=worlds(10), script=scripts(30))
def test_a_copy_is_equal_and_independent(
    duplicate: Callable[[Position], Position], world: World, script: Script
) -> None:
    both = script.end(world)
    original, before = both.position, state_of(both.position)
    twin = duplicate(original)
    assert twin is not original
    assert twin == original
    assert twin.variant == original.variant
    assert state_of(twin) == before
    # The copy goes on with the same history: outcomes by repetition and undoing are those of the original's game.
    random = Random(script.seed)
    for _ in range(8):
        moves = both.game.legal_moves()
        if not moves:
            break
        move = choose(both.game, moves, "shuffling", random)
        twin.push(to_move(move))
        both.game.push(move)
        assert outcome_of(twin.outcome()) == to_outcome(both.game.outcome())
    assert state_of(original) == before
    while twin.move_stack:
        twin.pop()
    assert twin == script.begin(world).position
    assert state_of(original) == before
    del twin
    assert state_of(original) == before


@effort(50)
@given(worlds(10), scripts(30))
def test_changing_the_original_does_not_change_the_copy(world: World, script: Script) -> None:
    original = script.end(world).position
    twin = original.copy()
    before = state_of(twin)
    while original.move_stack:
        original.pop()
    for move in list(original.legal_moves)[:3]:
        original.push(move)
        original.pop()
    assert state_of(twin) == before


@effort(50)
@given(worlds(10), scripts(30))
def test_equality_is_about_variant_men_side_and_ply_not_history(world: World, script: Script) -> None:
    position = script.end(world).position
    fresh = Position(world.variant(), fen=position.fen())
    assert fresh == position
    assert not (fresh != position)  # noqa: SIM202 - the other operator
    other_rules = world.with_rules(max_turns=9999)
    assert Position(other_rules.variant(), fen=position.fen()) != position
