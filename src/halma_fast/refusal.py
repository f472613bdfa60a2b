"""Why a move is refused: the slow and talkative double of the kernel's yes or no.

Owns the sentences. Invariant: asked only about moves that the kernel refused (`refusal`) or about the hops of one that
it accepts (`check_chain`). Guarded by tests/api/test_refusal.py.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from halma_fast.errors import IllegalMoveError
from halma_fast.notation import square_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from halma_fast.move import Move
    from halma_fast.position import Position

__all__ = ["check_chain", "refusal"]


def refusal(position: Position, move: Move) -> str:
    """Return the rule that forbids a move on the squares of this board, in a game that goes on."""
    variant, side = position.variant, position.turn
    origin, target = move.from_square, move.to_square
    if not move:
        return "a side that can move may not pass"
    start, end = square_name(origin), square_name(target)
    occupant = position.piece_at(origin)
    if occupant is None:
        return f"no man stands on {start}"
    if occupant is not side:
        return f"the man on {start} is {occupant.letter}'s and {side.letter} is to move"
    if position.piece_at(target) is not None:
        return f"{end} is occupied"
    if not any(position.legal_moves) or not position.legal_moves_array()[0].any():
        return f"{side.letter} has no move and must pass"
    if variant.home_duty:
        # All legal moves are of one stage of the duty.
        stage, asked = _stage(position, next(iter(position.legal_moves))), _stage(position, move)
        if asked > stage:
            return f"{_DUTY[stage]} (home_duty=True)"
    goal = variant.goal[side]
    if variant.frozen_goal and origin in goal:
        return f"the man on {start} is in its goal and never moves again"
    if variant.goal_lock != "none" and origin in goal and target not in goal:
        return f"the man on {start} is in its goal camp and may not leave it (goal_lock={variant.goal_lock!r})"
    if not variant.home_reentry and target in variant.home[side] and origin not in variant.home[side]:
        return f"a man from outside may not move into its home camp on {end} (home_reentry=False)"
    files, ranks = abs((origin & 15) - (target & 15)), abs((origin >> 4) - (target >> 4))
    if max(files, ranks) == 1:
        return f"goal square {end} may be entered orthogonally only"  # any other step to an empty square is legal
    if files % 2 or ranks % 2:
        return f"{start} and {end} are neither neighbours nor an even number of files and ranks apart"
    if not variant.enemy_goal_hops and target in variant.goal[side.other]:
        return f"no hop lands on {end}, a goal square of {side.other.letter}"
    return f"no chain of hops leads from {start} to {end}"


# What a side with men in its home camp has to do, in this order, as far as it can.
_DUTY: Final = (
    "a man in its home camp can leave it, and has to",
    "a man in its home camp can move away from the corner inside it, and has to",
    "a man in its home camp may move inside it only away from the corner",
)


def _stage(position: Position, move: Move) -> int:
    """Return which part of the home duty a move fulfils: 0 out of home, 1 away from the corner, 2 outside, 3 none."""
    variant, side = position.variant, position.turn
    home, corner = variant.home[side], variant.home_corners[side]
    if move.from_square not in home:
        return 2
    if move.to_square not in home:
        return 0
    grown = [
        abs((move.to_square >> shift & 15) - (corner >> shift & 15))
        >= abs((move.from_square >> shift & 15) - (corner >> shift & 15))
        for shift in (0, 4)
    ]
    return 1 if all(grown) else 3


def check_chain(position: Position, squares: Sequence[int]) -> None:
    """Raise `IllegalMoveError` at the first hop of a written chain that the rules forbid; its ends are a legal move."""
    variant, side = position.variant, position.turn
    goal = variant.goal[side]
    first = squares[0]
    for index, (origin, target) in enumerate(itertools.pairwise(squares)):
        hop = f"chain: hop {index + 1}, {square_name(origin)}-{square_name(target)}"
        files, ranks = (target & 15) - (origin & 15), (target >> 4) - (origin >> 4)
        if sorted((abs(files), abs(ranks))) not in ([0, 2], [2, 2]):
            raise IllegalMoveError(f"{hop}, does not go over one square to the one exactly beyond")
        over = origin + files // 2 + 16 * (ranks // 2)
        # The moving man is lifted: it is never hopped over (it is of another parity), and its own square is free.
        if over in variant.holes or position.piece_at(over) is None:
            raise IllegalMoveError(f"{hop}, goes over {square_name(over)}, where no man stands")
        if target != first and position.piece_at(target) is not None:
            raise IllegalMoveError(f"{hop}, lands on {square_name(target)}, which is occupied")
        if variant.goal_lock == "hop" and origin in goal and target not in goal:
            raise IllegalMoveError(f"{hop}, leaves the goal camp (goal_lock='hop')")
        if variant.frozen_goal and index > 0 and origin in goal:
            raise IllegalMoveError(f"{hop}, goes on from the goal, where a chain ends")
        if variant.orthogonal_entry and target in goal and files and ranks:
            raise IllegalMoveError(f"{hop}, enters the goal diagonally")
        if not variant.enemy_goal_hops and target in variant.goal[side.other]:
            raise IllegalMoveError(f"{hop}, lands on a goal square of {side.other.letter}")
