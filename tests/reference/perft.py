"""Counting leaves, as the rules define it (rule 22): no table, no trick but not playing the last move.

Guarded by test_reference_perft.py.
"""

from reference.moves import Move, legal_moves
from reference.position import Position
from reference.variant import Variant


def perft(variant: Variant, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = legal_moves(variant, position)
    if depth == 1:
        return len(moves)
    return sum(perft(variant, position.after(move), depth - 1) for move in moves)


def divide(variant: Variant, position: Position, depth: int) -> dict[Move | None, int]:
    """Leaves below each move; depth at least 1."""
    return {move: perft(variant, position.after(move), depth - 1) for move in legal_moves(variant, position)}
