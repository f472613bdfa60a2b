"""Move: a small immutable value that can be hashed, compared, ordered, printed, read and pickled."""

from __future__ import annotations

import contextlib
import copy
import itertools
import pickle
from typing import Any, cast

import numpy as np
import pytest

from halma_fast import PASS, Move, MoveError, parse_square

H1, F3, H3 = (parse_square(name) for name in ("h1", "f3", "h3"))


def test_a_move_shows_its_ends_and_its_text() -> None:
    move = Move(H1, F3)
    assert (move.from_square, move.to_square) == (H1, F3) == (7, 37)
    assert move.text == str(move) == "h1-f3"
    assert "h1-f3" in repr(move)
    assert bool(move)


def test_the_pass_is_false_and_the_only_move_between_equal_squares() -> None:
    assert Move(0, 0) == PASS
    assert PASS.text == str(PASS) == "pass"
    assert not PASS
    for square in range(1, 256):
        with pytest.raises(MoveError):
            Move(square, square)


@pytest.mark.parametrize("text", ["h1-f3", "h1f3", "h1-h3-f3", "h1h3f3", " h1-f3\n"])
def test_a_move_is_read_from_each_form_of_its_text(text: str) -> None:
    assert Move.from_text(text) == Move(H1, F3)


def test_the_pass_is_read_from_its_text() -> None:
    assert Move.from_text("pass") == PASS


def test_every_move_is_read_back_from_its_text() -> None:
    for source, target in itertools.product(range(0, 256, 3), range(256)):
        if source != target:
            move = Move(source, target)
            assert Move.from_text(move.text) == move
            assert Move.from_text(move.text.replace("-", "")) == move


def test_two_letters_and_three_digits_are_read_only_one_way() -> None:
    assert Move.from_text("a1a11") == Move(parse_square("a1"), parse_square("a11"))
    assert Move.from_text("a11a1") == Move(parse_square("a11"), parse_square("a1"))


def test_integers_of_any_kind_name_squares() -> None:
    move = Move(cast(int, np.uint8(7)), cast(int, np.int64(37)))
    assert move == Move(H1, F3)
    assert type(move.from_square) is int


def test_equal_moves_have_equal_hashes_and_all_moves_differ() -> None:
    moves = [Move(source, target) for source in range(256) for target in range(256) if source != target]
    assert len(set(moves)) == len(moves) == 256 * 255
    assert len({hash(move) for move in moves}) == len(moves)  # a perfect hash keeps sets of moves fast
    assert hash(Move(7, 37)) == hash(Move(7, 37))
    assert {Move(7, 37): 1}[Move(7, 37)] == 1


def test_a_move_equals_only_moves() -> None:
    others: list[Any] = ["h1-f3", (7, 37), 7, None, object()]
    for other in others:
        assert Move(7, 37) != other
        assert not (Move(7, 37) == other)  # noqa: SIM201 - the other operator


def test_moves_are_ordered_by_their_squares() -> None:
    moves = [Move(1, 2), Move(0, 0), Move(255, 0), Move(1, 0), Move(0, 255)]
    assert [(move.from_square, move.to_square) for move in sorted(moves)] == [
        (0, 0),
        (0, 255),
        (1, 0),
        (1, 2),
        (255, 0),
    ]
    assert Move(1, 2) < Move(1, 3) <= Move(1, 3)
    assert Move(2, 0) > Move(1, 3) >= Move(1, 3)
    assert not Move(1, 3) < Move(1, 3)
    with pytest.raises(TypeError):
        sorted([Move(1, 2), 3])  # type: ignore[type-var]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_move_is_pickled(protocol: int) -> None:
    for move in (Move(7, 37), PASS, Move(255, 0)):
        again = pickle.loads(pickle.dumps(move, protocol))
        assert again == move
        assert hash(again) == hash(move)
        assert type(again) is Move


def test_copies_of_a_move_are_equal() -> None:
    assert copy.copy(Move(7, 37)) == copy.deepcopy(Move(7, 37)) == Move(7, 37)


@pytest.mark.parametrize("name", ["from_square", "to_square", "text", "anything"])
def test_a_move_has_no_attribute_to_set(name: str) -> None:
    move = Move(7, 37)
    with pytest.raises(AttributeError):
        setattr(move, name, 1)
    assert move.text == "h1-f3"


def test_a_move_is_not_changed_by_its_constructor() -> None:
    # A dictionary that holds a move must go on finding it.
    move = Move(7, 37)
    with contextlib.suppress(TypeError):
        move.__init__(1, 2)
    assert move == Move(7, 37)


def test_a_move_cannot_be_subclassed() -> None:
    with pytest.raises(TypeError):
        type("MyMove", (Move,), {})
