"""Perft and divide on positions that random games and set-ups reach, in bulk and leaf by leaf."""

import reference
from hypothesis import given
from hypothesis import strategies as st

from halma_fast import divide, perft
from properties.effort import effort
from properties.strategies import Script, custom_worlds, pulce_worlds, scripts, worlds
from properties.worlds import World, to_move

PLIES = 12


@effort(150)
@given(worlds(10), scripts(PLIES))
def test_perft_of_random_positions_is_that_of_the_reference(world: World, script: Script) -> None:
    both = script.end(world)
    variant, position = both.game.variant, both.game.position
    for depth in (0, 1, 2):
        expected = reference.perft(variant, position, depth)
        assert perft(both.position, depth) == expected, both.position.fen()
        assert perft(both.position, depth, bulk=False) == expected, both.position.fen()


@effort(60)
@given(st.one_of(custom_worlds(5), pulce_worlds()), scripts(PLIES))
def test_deeper_perft_on_small_boards(world: World, script: Script) -> None:
    both = script.end(world)
    expected = reference.perft(both.game.variant, both.game.position, 3) if men_are_few(both.game) else None
    if expected is not None:
        assert perft(both.position, 3) == expected, both.position.fen()
        assert perft(both.position, 3, bulk=False) == expected, both.position.fen()


def men_are_few(game: reference.Game) -> bool:
    """Few enough moves for the reference to look three plies ahead."""
    return len(reference.legal_moves(game.variant, game.position)) <= 25


@effort(400)
@given(worlds(), scripts(PLIES))
def test_counting_in_bulk_is_counting_leaf_by_leaf(world: World, script: Script) -> None:
    position = script.end(world).position
    for depth in (2, 3, 4):
        if perft(position, 1) ** depth > 300_000:  # about the number of leaves
            break
        assert perft(position, depth) == perft(position, depth, bulk=False), (position.fen(), depth)


@effort(60)
@given(worlds(8), scripts(PLIES))
def test_divide_splits_perft_by_move(world: World, script: Script) -> None:
    both = script.end(world)
    expected = reference.divide(both.game.variant, both.game.position, 2)
    counts = divide(both.position, 2)
    assert counts == {to_move(move): leaves for move, leaves in expected.items()}
    assert sum(counts.values()) == perft(both.position, 2)


@effort(60)
@given(worlds(6), scripts(40))
def test_perft_leaves_the_position_alone_and_ignores_its_history(world: World, script: Script) -> None:
    both = script.end(world)
    fen, stack = both.position.fen(), both.position.move_stack
    counted = perft(both.position, 2)
    assert (both.position.fen(), both.position.move_stack) == (fen, stack)
    assert counted == reference.perft(both.game.variant, both.game.position, 2)
