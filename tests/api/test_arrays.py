"""NumPy arrays that a position hands out: documented type and shape, new each time, and the caller's own."""

from __future__ import annotations

import numpy as np
import pytest

from halma_fast import VARIANTS, Move, Position, Side


@pytest.mark.parametrize("name", list(VARIANTS))
def test_the_array_of_moves_is_uint8_of_two_columns_in_the_order_of_the_view(name: str) -> None:
    position = Position(name)
    array = position.legal_moves_array()
    assert array.dtype == np.uint8
    assert array.shape == (len(position.legal_moves), 2)
    assert array.flags.c_contiguous
    assert [Move(int(source), int(target)) for source, target in array] == list(position.legal_moves)


@pytest.mark.parametrize("name", list(VARIANTS))
def test_the_board_array_is_int8_by_rank_and_file(name: str) -> None:
    position = Position(name)
    size = position.variant.size
    board = position.to_numpy()
    assert board.dtype == np.int8
    assert board.shape == (size, size)
    for rank in range(size):
        for file in range(size):
            square = 16 * rank + file
            if square in position.variant.holes:
                assert board[rank, file] == -1
            else:
                side = position.piece_at(square)
                assert board[rank, file] == (0 if side is None else side + 1)
    assert (board == 1).sum() == (board == 2).sum() == position.variant.men


@pytest.mark.parametrize("method", ["legal_moves_array", "to_numpy"])
def test_arrays_belong_to_the_caller(method: str) -> None:
    position = Position("halma8")
    array = getattr(position, method)()
    assert array.flags.owndata
    assert array.flags.writeable
    kept = array.copy()
    array[:] = 77
    assert (getattr(position, method)() == kept).all()
    assert position == Position("halma8")
    position.push("h4-h5")
    assert (array == 77).all()


def test_arrays_follow_the_position() -> None:
    position = Position("4x4:2,1")
    position.push("d2-d3")
    board = position.to_numpy()
    assert board[2, 3] == Side.X + 1
    assert board[1, 3] == 0
    assert {tuple(row) for row in position.legal_moves_array().tolist()} == {
        (move.from_square, move.to_square) for move in position.legal_moves
    }


def test_the_array_of_a_finished_game_is_empty_with_two_columns() -> None:
    position = Position("halma8", max_turns=1)
    position.push("h4-h5")
    assert position.legal_moves_array().shape == (0, 2)
    assert position.legal_moves_array().dtype == np.uint8
