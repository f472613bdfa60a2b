"""A slow, obvious program of all the rules, to hold the package against.

It is written from the rules alone, in sets of (file, rank) pairs, and must never import the package (or be imported
by it): two programs that share a line can share a mistake. Rule numbers ("rule 5") are those of RULES.md beside this
file.
"""

from reference.board import Side, Square, name_of, other_side, square_named
from reference.fen import FenError, read_fen, write_fen
from reference.game import Game, Outcome
from reference.moves import (
    PASS,
    Move,
    every_move,
    hops_needed,
    is_blocked,
    is_shortest_path,
    legal_moves,
    moves_of_side,
)
from reference.perft import divide, perft
from reference.position import Position, start_position
from reference.variant import Variant, VariantError, csci561, halma8, halma10, halma16, pulce, square_board

__all__ = [
    "PASS",
    "FenError",
    "Game",
    "Move",
    "Outcome",
    "Position",
    "Side",
    "Square",
    "Variant",
    "VariantError",
    "csci561",
    "divide",
    "every_move",
    "halma8",
    "halma10",
    "halma16",
    "hops_needed",
    "is_blocked",
    "is_shortest_path",
    "legal_moves",
    "moves_of_side",
    "name_of",
    "other_side",
    "perft",
    "pulce",
    "read_fen",
    "square_board",
    "square_named",
    "start_position",
    "write_fen",
]
