"""The reference counts what other programs counted: every number of perft.json that it can reach in reasonable time.

The same file is read by the command line and by the tests of the package.
"""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from reference import (
    Position,
    Variant,
    csci561,
    divide,
    halma8,
    halma10,
    halma16,
    perft,
    pulce,
    read_fen,
    square_board,
    start_position,
)

from properties.effort import FUZZ

PERFT_FILE = Path(__file__).parents[2] / "src" / "halma_fast" / "data" / "perft.json"
POSITIONS: list[dict[str, Any]] = json.loads(PERFT_FILE.read_text(encoding="utf-8"))["positions"]
MOST_NODES = 300_000 * FUZZ  # of a position; one costs about 50 microseconds


def reference_variant(entry: dict[str, Any]) -> Variant:
    rules = entry.get("rules", {})
    if "board" in entry:
        return square_board(entry["board"], tuple(entry["camp"]), **rules)
    named = {"halma16": halma16, "halma10": halma10, "halma8": halma8, "pulce": pulce, "csci561": csci561}
    return named[entry["variant"]](**rules)


def reference_position(entry: dict[str, Any], variant: Variant) -> Position:
    return start_position(variant) if entry["fen"] is None else read_fen(variant, entry["fen"])


def within_reach(numbers: list[int]) -> range:
    """The depths to which the nodes of all trees together, each with its inner ones, stay below MOST_NODES."""
    trees = itertools.accumulate(itertools.accumulate(numbers))
    return range(1, 1 + sum(nodes <= MOST_NODES for nodes in trees))


@pytest.mark.parametrize("index", range(len(POSITIONS)))
def test_the_reference_reproduces_the_perft_numbers(index: int) -> None:
    entry = POSITIONS[index]
    variant = reference_variant(entry)
    position = reference_position(entry, variant)
    for depth in within_reach(entry["perft"]):
        assert perft(variant, position, depth) == entry["perft"][depth - 1], (variant.name, depth)


def test_every_position_has_at_least_one_number_within_reach() -> None:
    assert all(within_reach(entry["perft"]) for entry in POSITIONS)


def test_divide_adds_up_to_perft() -> None:
    variant = square_board(4, (2, 1))
    counts = divide(variant, start_position(variant), 3)
    assert len(counts) == 9
    assert sum(counts.values()) == 1116
    assert perft(variant, start_position(variant), 0) == 1
