"""`legal_moves`: a live view, that shows the position as it is when asked and never breaks an iteration."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from halma_fast import PASS, Move, Position

PASSES = "oo1/oxo/o2"


def test_the_view_is_sized_iterable_and_a_container() -> None:
    view = Position("halma8").legal_moves
    moves = list(view)
    assert len(view) == len(moves) == len(set(moves)) == 24
    assert all(type(move) is Move for move in moves)
    assert all(move in view for move in moves)
    assert bool(view) is True
    assert list(view) == moves  # the same order every time
    assert list(iter(view)) == moves


def test_the_view_shows_later_positions() -> None:
    position = Position("halma8", max_turns=2)
    view = position.legal_moves
    first = Move.from_text("h4-h5")
    assert first in view
    position.push(first)
    assert first not in view
    assert Move.from_text("a5-a4") in view
    position.push("a5-a4")
    assert (len(view), bool(view), list(view)) == (0, False, [])
    position.pop()
    position.pop()
    assert first in view
    assert len(view) == 24


def test_an_iteration_goes_on_over_the_moves_of_its_beginning_while_the_position_changes() -> None:
    position = Position("halma8")
    expected = list(position.legal_moves)
    seen = []
    for move in position.legal_moves:
        seen.append(move)
        position.push(move)
        for reply in position.legal_moves:
            position.push(reply)
            position.pop()
        position.pop()
    assert seen == expected
    iterator = iter(position.legal_moves)
    next(iterator)
    for text in ("h4-h5", "a5-a4", "h5-h6"):
        position.push(text)
    assert list(iterator) == expected[1:]


def test_the_view_outlives_other_references_to_its_position() -> None:
    view = Position("halma8").legal_moves
    iterator = iter(Position("halma8").legal_moves)
    gc.collect()
    assert len(view) == 24
    assert len(list(iterator)) == 24


def test_membership_is_legality_and_anything_else_is_outside() -> None:
    view = Position("halma8").legal_moves
    strangers: list[Any] = [
        None,
        1,
        1.5,
        (7, 37),
        b"h4-h5",
        object(),
        "nonsense",
        "",
        "h4-h4",
        "h4-h17",
        [],
        Move(0, 255),
    ]
    for stranger in strangers:
        assert stranger not in view
    assert "h4-h5" in view
    assert PASS not in view
    assert "pass" not in view


def test_a_forced_pass_is_the_only_move() -> None:
    # The man on a3 is locked in its goal of one square, while o can move.
    position = Position("3x3:1", fen="x2/1o1/3 x 1")
    assert list(position.legal_moves) == [PASS]
    assert len(position.legal_moves) == 1
    assert position.legal_moves
    assert PASS in position.legal_moves
    assert "pass" in position.legal_moves
    assert position.legal_moves_array().tolist() == [[0, 0]]
    assert position.path(PASS) == ()
    position.push("pass")
    assert position.peek() == PASS
    assert position.is_game_over()


def test_a_blocked_board_has_no_moves() -> None:
    position = Position("4x4:4,4")
    assert list(position.legal_moves) == []
    assert not position.legal_moves
    assert PASS not in position.legal_moves
    assert position.legal_moves_array().shape == (0, 2)
    assert position.is_game_over()


def test_the_view_has_a_readable_form() -> None:
    assert "h4-h5" in repr(Position("halma8").legal_moves)


def test_the_view_is_not_a_sequence_that_could_be_changed() -> None:
    view: Any = Position("halma8").legal_moves
    with pytest.raises(TypeError):
        view[0] = PASS
    with pytest.raises(AttributeError):
        view.append(PASS)
