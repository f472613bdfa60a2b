"""What is measured: the perft cases and the mid-game positions that the suites and the report share.

Each case has a depth for the report, and a smaller one for suites and quick runs. Data only; nothing here measures.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from halma_fast import Position

__all__ = ["PERFT_CASES", "PerftCase", "midgame_fens"]

ROOT = Path(__file__).resolve().parent.parent
MIDGAME = ROOT / "tests" / "data" / "midgame.json"

# The pure-Python rules program of the tests is one of the contenders; it is not installed.
if str(ROOT / "tests") not in sys.path:
    sys.path.insert(0, str(ROOT / "tests"))


class PerftCase(NamedTuple):
    """Perft of one variant, a name or a custom board, from the start position or from all its mid-game positions."""

    variant: str
    depth: int
    quick_depth: int
    midgame: bool = False

    @property
    def title(self) -> str:
        return f"{self.variant} mid-game" if self.midgame else self.variant

    @property
    def fens(self) -> list[str]:
        """The position strings; none for the start position."""
        return midgame_fens(self.variant) if self.midgame else []

    def positions(self) -> list[Position]:
        return [Position(self.variant, fen=fen) for fen in self.fens] or [Position(self.variant)]


PERFT_CASES = (
    PerftCase("halma16", 5, 4),
    PerftCase("halma10", 5, 4),
    PerftCase("halma8", 6, 5),
    PerftCase("pulce", 5, 4),
    PerftCase("5x5:3,2,1", 6, 5),
    # Chains are longer in the middle of a game, and the moves three times as many.
    PerftCase("halma16", 3, 2, midgame=True),
    PerftCase("halma10", 3, 2, midgame=True),
    PerftCase("halma8", 4, 3, midgame=True),
)


def midgame_fens(variant: str) -> list[str]:
    """The mid-game positions of a named Halma variant, as position strings."""
    return [case["fen"] for case in json.loads(MIDGAME.read_text(encoding="utf-8")) if case["variant"] == variant]
