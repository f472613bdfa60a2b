"""How much of a clock one move may take.

Owns the sharing out. Invariant: pure functions of their arguments; no move is given more than what is left on the clock
less what is kept back, except for a thousandth of a second. Guarded by tests/search/test_timing.py.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["Budget", "allot", "patience"]

# Moves that a clock for the whole game is shared out among. Games are longer, but each share is one of what is left.
_HORIZON: Final = 40
# A single move may take this many shares, and this part of all there is, when the search cannot make up its mind.
_MOST_SHARES: Final = 4.0
_MOST_PART: Final = 0.5
# A depth takes several times as long as the one before, so the last one begins well within the share or not at all.
_BEGIN_PART: Final = 0.6
_LEAST: Final = 0.001

# Depths with an unchanged best move after which it is thought to be settled, and what it means for the time.
_SETTLED: Final = 6
_UNSETTLED_FACTOR: Final = 1.6
_SETTLED_FACTOR: Final = 0.7
# A drop of this many points since the depth before is worth as much again as an unsettled move.
_DROP_POINTS: Final = 60
_DROP_FACTOR: Final = 1.5


class Budget(NamedTuple):
    """Seconds for a move: after `soft` no new depth is begun, at `hard` the search ends wherever it is."""

    soft: float
    hard: float


def allot(clock: float, increment: float = 0.0, moves_to_go: int | None = None, overhead: float = 0.0) -> Budget:
    """Return the time for the next move.

    clock: seconds left; increment: seconds added after each move; moves_to_go: moves until it is refilled, `None`
    if it never is; overhead: seconds that each move loses on its way and that are kept back.
    """
    moves = min(moves_to_go, _HORIZON) if moves_to_go is not None else _HORIZON
    left = max(clock - overhead, 0.0)
    share = max(left + (moves - 1) * (increment - overhead), 0.0) / moves
    hard = min(_MOST_SHARES * share, left if moves == 1 else max(_MOST_PART * left, share))
    hard = max(min(hard, left), _LEAST)
    return Budget(min(hard, max(_BEGIN_PART * share, _LEAST)), hard)


def patience(settled: int, drop: int) -> float:
    """Return by how much to multiply `Budget.soft`.

    settled: for how many depths in a row the best move has been the same; drop: by how many points its score has
    fallen since the depth before, negative if it has risen.
    """
    part = min(max(settled, 0), _SETTLED) / _SETTLED
    factor = _UNSETTLED_FACTOR + part * (_SETTLED_FACTOR - _UNSETTLED_FACTOR)
    return factor * (1.0 + (_DROP_FACTOR - 1.0) * min(max(drop, 0), _DROP_POINTS) / _DROP_POINTS)
