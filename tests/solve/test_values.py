"""Every value is right: against value iteration over the reference, against known numbers, and against its children."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from properties.effort import FUZZ
from reference.variant import square_board

from halma_fast import Position, Score, Side, Variant
from halma_fast.notation import format_fen
from halma_fast.solve import Solution, solve
from solve.brute import solved

SMALL = [
    (3, (1,), {}),
    (3, (1,), {"win": "occupied"}),
    (3, (2,), {"win": "occupied"}),
    (3, (2,), {"win": "occupied", "goal_lock": "move"}),
    (3, (2,), {"win": "occupied", "goal_lock": "none"}),
    (3, (2,), {"home_reentry": False}),
    (3, (2, 1), {"win": "occupied"}),
    (3, (2, 1), {"home_reentry": False, "goal_lock": "move"}),
    (3, (1, 1), {"win": "occupied", "home_reentry": False}),
]


def placement(position: Position) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]], str]:
    """The men as the reference writes them, and the side to move."""
    x, o = (frozenset((square & 15, square >> 4) for square in position.pieces(side)) for side in "xo")
    return x, o, position.turn.letter


def placed(variant: Variant, x: Iterable[tuple[int, int]], o: Iterable[tuple[int, int]], turn: str) -> Position:
    """The package's position of men written as the reference does."""
    men = [[16 * rank + file for file, rank in side] for side in (x, o)]
    return Position.from_fen(format_fen(variant, men, Side.from_letter(turn), 1), variant)


def is_best_of_children(solution: Solution, position: Position) -> bool:
    """Whether a position is worth what the best of its moves makes of it."""
    here = solution.probe(position)
    moves = list(position.copy(stack=False).legal_moves)
    worth = []
    for move in moves:
        child = position.copy(stack=False)
        child.push(move)
        worth.append(solution.probe(child))
    if not moves:
        outcome = position.outcome()
        assert outcome is not None
        return here == (Score("points", 0) if outcome.winner is None else Score("loss", 0))
    lost = [value.value for value in worth if value.kind == "loss"]
    if lost:
        return here == Score("win", 1 + min(lost))
    if all(value.kind == "win" for value in worth):
        return here == Score("loss", 1 + max(value.value for value in worth))
    return here == Score("points", 0)


@pytest.mark.parametrize(("size", "camp", "rules"), SMALL)
def test_every_value_of_a_tiny_board_is_that_of_value_iteration(size: int, camp: Any, rules: dict[str, Any]) -> None:
    variant = Variant.square(size, camp, **rules)
    solution = solve(variant, threads=2)
    expected = solved(square_board(size, camp, **rules))
    assert len(expected) == 2 * solution.positions
    assert len(set(expected.values())) > 2
    for position, (kind, plies) in expected.items():
        value = solution.probe(placed(variant, position.x, position.o, position.turn))
        assert value == (Score("points", 0) if kind == "draw" else Score(kind, plies)), position


@pytest.fixture(scope="module")
def solution4() -> Solution:
    return solve("4x4:2,1", win="occupied")


def test_the_numbers_of_4x4_are_the_known_ones(solution4: Solution) -> None:
    counts = solution4.counts
    assert (counts.won, counts.lost, counts.drawn, counts.longest) == (108352, 51730, 78, 18)
    assert solution4.probe(Position("4x4:2,1", win="occupied")) == Score("win", 13)


def test_the_first_player_of_4x4_cannot_win_under_the_full_rule() -> None:
    solution = solve("4x4:2,1", win="full")
    assert solution.probe(Position("4x4:2,1")) == Score("points", 0)


def test_every_value_of_4x4_is_the_best_of_its_moves(solution4: Solution) -> None:
    sample = random.Random(5).sample(range(solution4.positions), 3000)
    assert all(is_best_of_children(solution4, solution4.position(index)) for index in sample)


def test_values_of_5x5_with_two_men_are_the_best_of_their_moves() -> None:
    solution = solve("5x5:2", win="occupied", goal_lock="move", threads=2)
    sample = random.Random(6).sample(range(solution.positions), 1000)
    assert all(is_best_of_children(solution, solution.position(index)) for index in sample)


@pytest.mark.skipif(FUZZ == 1, reason="takes 20 s: HALMA_FAST_FUZZ=2 or more runs it")
def test_values_of_5x5_are_the_best_of_their_moves() -> None:
    solution5 = solve("5x5:2,1", win="occupied", threads=2)
    counts = solution5.counts
    assert (counts.won, counts.lost, counts.drawn, counts.longest) == (2302134, 1238524, 1342, 25)
    sample = random.Random(6).sample(range(solution5.positions), 2000)
    assert all(is_best_of_children(solution5, solution5.position(index)) for index in sample)


def test_both_sides_to_move_are_answered_alike(solution4: Solution) -> None:
    """The half turn with sides swapped, made by hand, has the same value."""
    for index in random.Random(7).sample(range(solution4.positions), 500):
        x, o, turn = placement(solution4.position(index))
        assert turn == "x"
        turned = [frozenset((3 - file, 3 - rank) for file, rank in men) for men in (o, x)]
        other = placed(solution4.variant, turned[0], turned[1], "o")
        assert solution4.index(other) == index


def test_a_board_without_the_symmetry_has_values_for_both_sides() -> None:
    """The goal of o is another shape than that of x: seen from the other side, such a position is another one."""
    square = Variant.square(3, (2,), win="occupied")
    crooked = Variant(
        name="crooked",
        size=3,
        holes=frozenset(),
        start=square.start,
        home=(frozenset({2, 18}), square.home[1]),
        goal=(square.goal[0], frozenset({2, 18})),
        win="occupied",
    )
    solution = solve(crooked)
    assert solution.positions == 2 * solve(square).positions
    assert all(is_best_of_children(solution, solution.position(index)) for index in range(solution.positions))
    assert {solution.position(index).turn.letter for index in range(solution.positions)} == {"x", "o"}
