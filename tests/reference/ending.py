"""When a side is home, what a finished round of Pulce is worth: everything about an end that the men alone decide.

Guarded by test_reference_endings.py and test_reference_rounds.py.
"""

from reference.board import Side, other_side
from reference.position import Position
from reference.variant import Variant


def is_home(variant: Variant, position: Position, side: Side) -> bool:
    """Has the side filled its goal camp (rule 8), or brought all its men home (rule 18)?"""
    goal = variant.goal[side]
    if variant.is_pulce:
        return position.men(side) <= goal  # eight men, ten sockets
    if variant.win == "full":
        return goal <= position.men(side)
    return goal <= position.occupied and bool(goal & position.men(side))


def is_completed(variant: Variant, position: Position) -> bool:
    """Has completion ended the game?"""
    if variant.is_pulce:  # rule 18: the second player has one more move, the beginner has not
        beginner, second = variant.first, other_side(variant.first)
        return is_home(variant, position, second) or (
            is_home(variant, position, beginner) and position.turn == beginner
        )
    return is_home(variant, position, other_side(position.turn))  # rule 8: right after its own move


def points(variant: Variant, position: Position, side: Side) -> int:
    """Points of one side of Pulce, as the men stand (rule 19)."""
    if not is_home(variant, position, side):
        return 0
    men = position.men(side)
    row = 0 if side == "x" else 6  # the goals are the bottom row and left column, and the top row and right column
    on_row = {file for file, rank in men if rank == row}
    on_column = {rank for file, rank in men if file == row}
    if len(on_row) != len(on_column):
        return 1
    # The diagonal through a1 and g7 exchanges file and rank.
    return 3 if on_row == on_column else 2
