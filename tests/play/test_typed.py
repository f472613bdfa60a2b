"""What is typed is a move only if it names one legal move; anything else gives the candidates or a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halma_fast import IllegalMoveError, MoveError, Position
from halma_fast.cli.typed import AmbiguousMove, candidates, read_move

START = Position("halma8")
LETTERS = "abcdefgh123456789- ,>x"


@pytest.mark.parametrize(
    "text", ["h4-h5", "h4 h5", "h4h5", " H4-H5 ", "h4,h5", "h4 - h5", "h4->h5", "h4: h5", "h4-h", "h4 h", "h4h"]
)
def test_a_move_may_be_written_in_several_forms(text: str) -> None:
    assert read_move(START, text).text == "h4-h5"


@pytest.mark.parametrize(("text", "move"), [("h1", "h1-f3"), ("g1", "g1-e3"), ("h1-f3", "h1-f3"), ("h3 h", "h3-h5")])
def test_a_beginning_of_one_move_is_that_move(text: str, move: str) -> None:
    assert read_move(START, text).text == move


def test_a_beginning_of_several_moves_lists_them() -> None:
    with pytest.raises(AmbiguousMove) as caught:
        read_move(START, "f1")
    assert [move.text for move in caught.value.moves] == ["f1-d1", "f1-e2", "f1-f3"]
    assert [move.text for move in candidates(START, "e")] == ["e1-d1", "e1-d2", "e1-e2"]
    assert len(candidates(START, "h")) == 8


def test_a_square_goes_before_the_squares_that_begin_like_it() -> None:
    both = Position("16x16:2,1", fen="oo14/o15/16/16/16/x15/16/16/16/16/16/16/16/16/14x1/x15 x 1")
    assert {move.text.split("-")[0] for move in both.legal_moves} == {"a1", "a11", "o2"}
    assert {move.text.split("-")[0] for move in candidates(both, "a1")} == {"a1"}
    assert {move.text for move in candidates(both, "a1-b")} == {"a1-b1", "a1-b2"}
    other = Position("16x16:2,1", fen="oo14/o15/16/16/16/x15/16/16/16/16/16/16/16/16/15x/15x x 1")
    assert {move.text.split("-")[0] for move in candidates(other, "a1")} == {"a11"}


def test_a_chain_is_checked_hop_by_hop() -> None:
    position = Position("halma8")
    for move in ("g3-f4", "b6-c5", "h4-g3", "a5-b6"):
        position.push(move)
    chain = next(move for move in position.legal_moves if len(position.path(move)) > 2)
    names = ["abcdefgh"[square & 15] + str((square >> 4) + 1) for square in position.path(chain)]
    assert read_move(position, " ".join(names)) == chain
    with pytest.raises(MoveError, match="hop"):
        read_move(position, "-".join([*names[:-2], names[-1]]) if len(names) > 3 else f"{names[0]}-a2-{names[-1]}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("h4-h9", "not on the board"),
        ("h4-f6", "no chain of hops"),
        ("a8-a7", "is o's"),
        ("a8", "the man there is o's"),
        ("d4", "no man stands there"),
        ("h9", "no square of this board"),
        ("f1-h", "no move of f1 goes to 'h'"),
        ("g2-g2", "stays on"),
        ("z", "expected squares"),
        ("pass", "may not pass"),
        ("hello world", "expected squares"),
        ("-", "expected squares"),
        ("x" * 10_000, "expected squares"),
    ],
)
def test_what_is_no_move_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(MoveError, match=reason):
        read_move(START, text)


def test_refusals_after_the_end_and_passes_are_the_rules() -> None:
    over = Position.from_fen("xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60", "halma8")
    assert candidates(over, "h") == []
    with pytest.raises(IllegalMoveError):
        read_move(over, "h4-h5")


@given(st.text(LETTERS, max_size=12) | st.text(max_size=12))
def test_any_text_is_a_legal_move_or_an_error(text: str) -> None:
    try:
        move = read_move(START, text)
    except MoveError:
        return
    assert START.is_legal(move)
