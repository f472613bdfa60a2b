"""Every published number, by the kernel in bulk and leaf by leaf, as a sum over moves, and on every kernel level.

HALMA_FAST_LEAVES=N raises the size of the counts that are made (default 300 million leaves each).
"""

import json
import os
import subprocess
import sys
from importlib.resources import files

import pytest

from halma_fast import Position, Variant, divide, perft
from halma_fast._kernel.dispatch import kernel_info

LARGEST = int(float(os.environ.get("HALMA_FAST_LEAVES", "3e8")))
LARGEST_LEAF_BY_LEAF = LARGEST // 60

TABLE = json.loads((files("halma_fast") / "data" / "perft.json").read_text(encoding="utf-8"))
ENTRIES = TABLE["positions"]


def position_of(entry: dict) -> Position:
    rules = entry.get("rules", {})
    if "board" in entry:
        variant = Variant.square(entry["board"], entry["camp"], **rules)
    else:
        variant = Variant.named(entry["variant"], **rules)
    return Position(variant, fen=entry["fen"])


def name_of(entry: dict) -> str:
    where = entry["fen"].split(" ", 1)[0] if entry["fen"] else "start"
    rules = "".join(f"-{rule}={value}" for rule, value in entry.get("rules", {}).items())
    return f"{entry.get('variant', entry.get('board'))}{rules}-{where}"


def counts(largest: int) -> list:
    return [
        pytest.param(entry, depth, leaves, id=f"{name_of(entry)}-{depth}")
        for entry in ENTRIES
        for depth, leaves in enumerate(entry["perft"], 1)
        if leaves <= largest
    ]


@pytest.mark.parametrize(("entry", "depth", "leaves"), counts(LARGEST))
def test_bulk_count_is_the_published_number(entry, depth, leaves):
    assert perft(position_of(entry), depth) == leaves


@pytest.mark.parametrize(("entry", "depth", "leaves"), counts(LARGEST_LEAF_BY_LEAF))
def test_count_leaf_by_leaf_is_the_published_number(entry, depth, leaves):
    assert perft(position_of(entry), depth, bulk=False) == leaves


@pytest.mark.parametrize(("entry", "depth", "leaves"), counts(LARGEST_LEAF_BY_LEAF))
def test_divide_adds_up_and_each_part_is_the_perft_below_its_move(entry, depth, leaves):
    position = position_of(entry)
    parts = divide(position, depth)
    assert sum(parts.values()) == leaves
    assert list(parts) == sorted(position.legal_moves)
    move = next(iter(parts))
    position.push(move)
    assert parts[move] == perft(position, depth - 1)


COUNT_ALL = """
import json, sys
from halma_fast import Position, Variant, perft
from halma_fast._kernel.dispatch import kernel_info
entries, level = json.load(sys.stdin)
assert kernel_info()["level"] == level, kernel_info()
for entry in entries:
    rules = entry.get("rules", {})
    if "board" in entry:
        variant = Variant.square(entry["board"], entry["camp"], **rules)
    else:
        variant = Variant.named(entry["variant"], **rules)
    for bulk in (True, False):
        got = [perft(Position(variant, fen=entry["fen"]), d, bulk=bulk) for d in range(1, len(entry["perft"]) + 1)]
        assert got == entry["perft"], (entry, got)
print("counted", len(entries))
"""


@pytest.mark.parametrize("level", kernel_info()["available"])
def test_every_kernel_level_counts_the_same(level):
    small = [{**entry, "perft": [n for n in entry["perft"] if n <= LARGEST_LEAF_BY_LEAF // 10]} for entry in ENTRIES]
    done = subprocess.run(
        [sys.executable, "-c", COUNT_ALL],
        input=json.dumps([small, level]),
        env={**os.environ, "HALMA_FAST_KERNEL": level},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"counted {len(ENTRIES)}"
