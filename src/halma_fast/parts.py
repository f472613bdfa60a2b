"""A perft job as independent parts: the positions after some plies, each with how often it is reached.

Owns the split. Invariant: the sum over the parts of weight times leaves is the perft of the whole, and the same job is
always split in the same way (`SPLIT_VERSION` changes if that changes). Guarded by tests/perft/test_parts.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from halma_fast.move import Move
from halma_fast.position import Position

__all__ = ["SPLIT_VERSION", "Part", "plies_to_split", "split"]

# Written into checkpoints: the numbers of parts mean something only for the split that made them.
SPLIT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Part:
    """`weight` ways lead from the root to `position`, whose leaves at `depth` are to be counted.

    `move` is the root's move that they all begin with, or `None` where that was not asked for. Can be pickled.
    """

    index: int
    position: Position
    depth: int
    weight: int
    move: Move | None


def plies_to_split(depth: int) -> int:
    """Return after how many plies a job of this depth is split: into thousands of parts if it is long."""
    return 1 if depth <= 2 else 2 if depth <= 6 else 3


def split(position: Position, depth: int, plies: int, by_move: bool) -> list[Part]:
    """Split a perft of `depth` >= `plies` >= 1 plies after `plies`; `by_move` keeps the root's moves apart.

    Transpositions are merged. Perft knows no rule that needs a history, so the parts' variant has none either.
    """
    variant = position.variant
    rules = {"max_turns": None, "repetition": None}
    if variant.family == "halma":
        rules["home_deadline"] = None
    root = Position(variant.with_rules(**rules), fen=position.fen())  # type: ignore[arg-type]
    ways: dict[tuple[bytes, Move | None], tuple[Position, int]] = {(root.key(), None): (root, 1)}
    for ply in range(plies):
        after: dict[tuple[bytes, Move | None], tuple[Position, int]] = {}
        for (_, first), (parent, weight) in ways.items():
            for move in parent.legal_moves:
                parent.push(move)
                key = (parent.key(), (move if ply == 0 else first) if by_move else None)
                known = after.get(key)
                after[key] = (known[0], known[1] + weight) if known else (parent.copy(stack=False), weight)
                parent.pop()
        ways = after
    return [
        Part(index, child, depth - plies, weight, first)
        for index, ((_, first), (child, weight)) in enumerate(ways.items())
    ]
