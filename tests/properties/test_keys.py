"""Keys: exact ones are equal for the same men and side to move only; Zobrist keys follow them."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from halma_fast import Position
from properties.effort import effort
from properties.strategies import Script, scripts, worlds
from properties.worlds import World


@effort(250)
@given(worlds(), scripts(30))
def test_the_zobrist_key_kept_through_a_game_is_that_of_a_fresh_position(world: World, script: Script) -> None:
    variant = world.variant()
    for both in script.play(world):
        fresh = Position(variant, fen=both.position.fen())
        assert both.position.zobrist == fresh.zobrist
        assert both.position.key() == fresh.key()
        assert 0 <= both.position.zobrist < 2**64


@effort(120)
@given(worlds(8), st.lists(scripts(30), min_size=1, max_size=4))
def test_keys_are_equal_exactly_for_the_same_men_and_side_to_move(world: World, games: list[Script]) -> None:
    meaning_of_key: dict[bytes, Any] = {}
    key_of_meaning: dict[Any, bytes] = {}
    zobrist_of_key: dict[bytes, int] = {}
    for script in games:
        for both in script.play(world):
            reference = both.game.position
            meaning = (reference.x, reference.o, reference.turn)
            key = both.position.key()
            assert meaning_of_key.setdefault(key, meaning) == meaning
            assert key_of_meaning.setdefault(meaning, key) == key
            assert zobrist_of_key.setdefault(key, both.position.zobrist) == both.position.zobrist
    # Not a law, but 64 bits that collide within a few games are no key.
    assert len(set(zobrist_of_key.values())) == len(zobrist_of_key)


@effort(60)
@given(worlds(), scripts(10), st.integers(1, 1000))
def test_the_move_number_is_no_part_of_the_keys_but_of_equality(world: World, script: Script, number: int) -> None:
    position = script.end(world).position
    placement, side, own_number = position.fen().split(" ")
    other = Position(world.variant(), fen=f"{placement} {side} {number}")
    assert (other.key(), other.zobrist) == (position.key(), position.zobrist)
    assert (other == position) == (number == int(own_number))


@effort(60)
@given(worlds(), scripts(10))
def test_the_side_to_move_is_part_of_the_keys(world: World, script: Script) -> None:
    position = script.end(world).position
    placement, side, number = position.fen().split(" ")
    other = Position(world.variant(), fen=f"{placement} {'o' if side == 'x' else 'x'} {number}")
    assert other.key() != position.key()
    assert other.zobrist != position.zobrist
    assert other != position
