"""The known perft numbers (data/perft.json), and a run through them.

Invariant: each number of the file was counted by at least two different paths, which it names, and a run counts every
number it is asked for once, in the order of the file. Guarded by tests/unit/test_suite.py and tests/perft/.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, cast

from halma_fast.perft import perft
from halma_fast.position import Position
from halma_fast.variants import Rules, Variant

__all__ = ["Counted", "Known", "known_numbers", "run"]


@dataclass(frozen=True, slots=True)
class Known:
    """A position with its known numbers: `leaves[d - 1]` at depth d, counted by the paths `confirmed[d - 1]`.

    `fen` is `None` for the start position; `source` says in words where the position comes from.
    """

    variant: Variant
    fen: str | None
    leaves: tuple[int, ...]
    confirmed: tuple[tuple[str, ...], ...]
    source: str

    @staticmethod
    def from_entry(entry: dict[str, Any]) -> Known:
        """Make one from an entry of the file."""
        rules = cast(Rules, entry.get("rules", {}))
        if "board" in entry:
            variant = Variant.square(entry["board"], entry["camp"], **rules)
        else:
            variant = Variant.named(entry["variant"], **rules)
        confirmed = tuple(tuple(paths) for paths in entry["confirmed"])
        return Known(variant, entry["fen"], tuple(entry["perft"]), confirmed, entry["source"])

    @property
    def rules(self) -> dict[str, str | int | bool | None]:
        """The rules that are not the variant's defaults."""
        plain = Variant.named(self.variant.name).rules
        return {rule: value for rule, value in self.variant.rules.items() if value != plain[rule]}

    @property
    def next_depth(self) -> int:
        """The first depth without a known number."""
        return len(self.leaves) + 1

    @property
    def next_leaves(self) -> int:
        """About how many leaves that depth has, if the tree goes on growing as it did at its last ply."""
        last, before = (1, 1, *self.leaves)[-1], (1, 1, *self.leaves)[-2]
        return last * last // max(before, 1)

    def position(self) -> Position:
        """Return the position, anew."""
        return Position(self.variant, fen=self.fen)


@dataclass(frozen=True, slots=True)
class Counted:
    """One number counted again: the leaves that came out at this depth, and the seconds that took."""

    known: Known
    depth: int
    leaves: int
    seconds: float

    @property
    def expected(self) -> int:
        """The known number."""
        return self.known.leaves[self.depth - 1]

    @property
    def agrees(self) -> bool:
        """Whether the known number came out."""
        return self.leaves == self.expected


def known_numbers() -> list[Known]:
    """Return the positions of the package's file, in its order: start positions, then positions of games."""
    table = json.loads((files("halma_fast") / "data" / "perft.json").read_text(encoding="utf-8"))
    return [Known.from_entry(entry) for entry in table["positions"]]


def run(
    numbers: Iterable[Known], *, max_leaves: int, threads: int = 1, hash_mb: int | None = None
) -> Iterator[Counted]:
    """Count all numbers of at most `max_leaves` again and yield each as it is done, right or wrong.

    threads, hash_mb: as for `perft`, which raises `OptionError` for bad ones. Ctrl-C raises `PerftInterrupted`.
    """
    for known in numbers:
        for depth, expected in enumerate(known.leaves, 1):
            if expected <= max_leaves:
                begin = time.perf_counter()
                leaves = perft(known.position(), depth, threads=threads, hash_mb=hash_mb)
                yield Counted(known, depth, leaves, time.perf_counter() - begin)
