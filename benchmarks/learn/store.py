"""The games that a training has played, block by block in files, so that one that was stopped goes on where it was.

Owns the files. Invariant: a block's name has all that its games depend on, the evaluation's numbers included, and a
file is written whole or not at all. Guarded by tests/learn/test_training.py.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from halma_fast import Variant
from halma_fast.selfplay import PlayedPositions, joined, spread_games

BLOCK = 500  # games a file


@dataclass(frozen=True, slots=True)
class Games:
    """Which games: their number, seed, nodes a move, and the lead in points that ends one."""

    count: int
    seed: int
    nodes: int
    margin: int


def numbers_hash(data: Path, variant: Variant) -> str:
    """A name for the numbers with which the engine plays: the files that hold them."""
    found = hashlib.sha256((data / "values.json").read_bytes())
    net = data / f"net_{variant.name}.json"
    found.update(net.read_bytes() if net.exists() else b"")
    return found.hexdigest()[:12]


def played(
    folder: Path, name: str, variant: Variant, games: Games, executor: Executor, tell: Callable[[int], None]
) -> PlayedPositions:
    """Return the positions of games, playing those that no file in `folder` has; `tell` gets the number of games."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = []
    for first in range(0, games.count, BLOCK):
        numbers = range(first, min(games.count, first + BLOCK))
        path = folder / f"{variant.name}-{name}-{games.seed}-{games.nodes}-{games.margin}-{first}-{len(numbers)}.npz"
        if path.exists():
            blocks.append(read(path))
        else:
            parts = []
            for part in spread_games(
                executor, variant, numbers, seed=games.seed, nodes=games.nodes, margin=games.margin
            ):
                parts.append(part)
                tell(int(part.game[-1]) + 1 if len(part.game) else numbers.stop)
            blocks.append(joined(parts))
            write(path, blocks[-1])
        tell(numbers.stop)
    return joined(blocks)


def write(path: Path, positions: PlayedPositions) -> None:
    temporary = path.with_suffix(".tmp")
    with open(temporary, "wb") as file:
        np.savez_compressed(file, **{f.name: getattr(positions, f.name) for f in fields(PlayedPositions)})
    os.replace(temporary, path)


def read(path: Path) -> PlayedPositions:
    with np.load(path) as stored:
        return PlayedPositions(**{f.name: stored[f.name] for f in fields(PlayedPositions)})
