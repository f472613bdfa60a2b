"""Halma and Pulce: positions, perft and best moves on a compiled bitboard core."""

from halma_fast.analysis import Analysis
from halma_fast.engine import Engine
from halma_fast.errors import (
    CheckpointError,
    ClusterError,
    CsciError,
    DivideError,
    EmptyStackError,
    EngineBusyError,
    FenError,
    GameOverError,
    HalmaError,
    IllegalMoveError,
    LimitError,
    MatchError,
    MoveError,
    OptionError,
    RecordError,
    SquareError,
    VariantError,
)
from halma_fast.move import PASS, Move
from halma_fast.notation import parse_square, square_name
from halma_fast.perft import divide, perft
from halma_fast.position import LegalMoves, Position
from halma_fast.types import Info, Limit, Outcome, Played, Reason, Score, SearchResult, Side
from halma_fast.variants import VARIANTS, Variant

__version__ = "0.1.0"

__all__ = [
    "PASS",
    "VARIANTS",
    "Analysis",
    "CheckpointError",
    "ClusterError",
    "CsciError",
    "DivideError",
    "EmptyStackError",
    "Engine",
    "EngineBusyError",
    "FenError",
    "GameOverError",
    "HalmaError",
    "IllegalMoveError",
    "Info",
    "LegalMoves",
    "Limit",
    "LimitError",
    "MatchError",
    "Move",
    "MoveError",
    "OptionError",
    "Outcome",
    "Played",
    "Position",
    "Reason",
    "RecordError",
    "Score",
    "SearchResult",
    "Side",
    "SquareError",
    "Variant",
    "VariantError",
    "divide",
    "parse_square",
    "perft",
    "square_name",
]
