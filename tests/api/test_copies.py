"""Copies and pickles: what they keep, what they forget, and what a damaged pickle does."""

from __future__ import annotations

import copy
import pickle

import pytest

from halma_fast import HalmaError, Outcome, Position, Reason, Side, Variant

SHUFFLE = ("h4-h5", "a5-a4", "h5-h4", "a4-a5")


def played(*moves: str) -> Position:
    position = Position("halma8")
    for move in moves:
        position.push(move)
    return position


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_keeps_moves_and_history(protocol: int) -> None:
    position = played(*SHUFFLE, *SHUFFLE[:3])
    again = pickle.loads(pickle.dumps(position, protocol))
    assert again == position
    assert again.move_stack == position.move_stack
    again.push("a4-a5")
    assert again.outcome() == Outcome(None, Reason.REPETITION)
    assert position.outcome() is None


def test_a_copy_without_its_stack_forgets_the_history() -> None:
    position = played(*SHUFFLE, *SHUFFLE)
    assert position.is_game_over()
    forgetful = position.copy(stack=False)
    assert forgetful == position
    assert forgetful.move_stack == []
    assert not forgetful.is_game_over()
    assert forgetful.legal_moves


def test_a_copy_of_a_copy_keeps_the_stack() -> None:
    position = played(*SHUFFLE)
    assert position.copy().copy().move_stack == position.move_stack
    assert copy.deepcopy([position, position])[0].move_stack == position.move_stack


def test_deepcopy_within_a_structure_keeps_identity() -> None:
    position = played("h4-h5")
    first, second = copy.deepcopy([position, position])
    assert first is second
    assert first is not position


@pytest.mark.parametrize("name", ["halma16", "halma10", "halma8", "pulce", "5x5:3,2,1"])
def test_every_variant_with_its_rules_is_pickled(name: str) -> None:
    variant = Variant.named(name, max_turns=50, repetition=None)
    position = Position(variant)
    position.push(next(iter(position.legal_moves)))
    again = pickle.loads(pickle.dumps(position))
    assert again.variant == variant
    assert again == position


def test_a_finished_game_is_pickled() -> None:
    position = Position("4x4:2,1", fen="xx2/1x2/2oo/3o x 5")
    position.push("b3-a3")
    again = pickle.loads(pickle.dumps(position))
    assert again.outcome() == Outcome(Side.X, Reason.CAMP_FULL)
    again.pop()
    assert again.fen() == "xx2/1x2/2oo/3o x 5"


def test_a_position_beyond_the_highest_number_of_a_string_is_pickled() -> None:
    position = Position.from_fen("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx o 1000000")
    position.push("a5-a4")
    for twin in (position, position.copy(stack=False)):
        assert pickle.loads(pickle.dumps(twin)) == position


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (b"oooo4/ooo5", b"xxxx4/ooo5"),  # too many men of x
        (b"oooo4/ooo5", b"nonsense"),
        (b"I71\n", b"I86\n"),  # h4-h5 becomes h4-g6
        (b"I71\n", b"I999\n"),  # no square
    ],
)
def test_a_damaged_pickle_is_refused(good: bytes, bad: bytes) -> None:
    data = pickle.dumps(played("h4-h5"), protocol=0)
    assert data.count(good) == 1
    with pytest.raises(HalmaError):
        pickle.loads(data.replace(good, bad))
