"""Openings: the same for the same seed, legal, different from each other, and leaving a game."""

from __future__ import annotations

from itertools import islice

import pytest

from halma_fast import VARIANTS, MatchError, Position
from halma_fast.openings import Opening, openings
from halma_fast.pulce import round_starts


def some(starts: list[Position], plies: int, count: int, seed: int = 1) -> list[Opening]:
    return list(islice(openings(starts, plies, seed), count))


@pytest.mark.parametrize("name", VARIANTS)
def test_openings_are_legal_and_of_the_length_asked_for(name: str) -> None:
    for (moves,) in some([Position(name)], 8, 20):
        position = Position(name)
        for move in moves:
            position.push(move)
        assert len(moves) == 8
        assert not position.is_game_over()


def test_no_move_ends_the_game_at_once() -> None:
    start = Position("5x5:3,2,1", win="occupied")
    drawn = [moves for (moves,) in some([start], 6, 60)]
    assert {len(moves) for moves in drawn} == {6}
    for moves in drawn:
        position = start.copy()
        for move in moves:
            position.push(move)
        for move in list(position.legal_moves):
            position.push(move)
            assert not position.is_game_over()
            position.pop()


def test_openings_depend_on_the_seed_only() -> None:
    starts = [Position("halma8")]
    assert some(starts, 6, 30, seed=5) == some(starts, 6, 30, seed=5)
    assert some(starts, 6, 30, seed=5) != some(starts, 6, 30, seed=6)
    assert some(starts, 6, 30, seed=5)[:10] == some(starts, 6, 10, seed=5)


def test_no_position_comes_twice_while_there_are_others() -> None:
    start = Position("halma8")
    ends = set()
    for (moves,) in some([start], 1, 24):
        position = start.copy()
        position.push(moves[0])
        ends.add(position.key())
    assert len(ends) >= 23  # of 24, the last of which is found with a chance of 1 - (23/24)**100
    assert len(some([start], 0, 3)) == 3


def test_a_short_game_gets_a_shorter_opening() -> None:
    # The fifth move ends it, so that after the third one there is a move that does not.
    start = Position("3x3:1", win="occupied", max_turns=5)
    for (moves,) in some([start], 40, 5):
        assert len(moves) == 3
        position = start.copy()
        for move in moves:
            position.push(move)
        assert not position.is_game_over()


def test_each_round_has_its_own_moves() -> None:
    starts = round_starts()
    for opening in some(starts, 4, 5):
        assert len(opening) == 3
        assert len(set(opening)) == 3
        for start, moves in zip(starts, opening, strict=True):
            position = start.copy()
            for move in moves:
                position.push(move)


def test_moves_before_the_start_are_not_part_of_an_opening() -> None:
    start = Position("halma8")
    start.push("e1-d2")
    ((moves,),) = some([start], 3, 1)
    assert len(moves) == 3
    assert start.move_stack[0].text == "e1-d2"
    assert len(start.move_stack) == 1


@pytest.mark.parametrize("plies", [-1, 1001, True, 1.5, None])
def test_a_bad_number_of_plies_is_refused(plies: object) -> None:
    with pytest.raises(MatchError, match=r"^opening plies: "):
        openings([Position("halma8")], plies)  # type: ignore[arg-type]


def test_a_finished_game_is_no_start() -> None:
    over = Position("halma8", fen="xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3ooo1o o 9")
    with pytest.raises(MatchError, match="the game is over"):
        openings([over])
