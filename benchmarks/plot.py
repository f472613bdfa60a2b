"""Draw docs/perft-depth.svg (leaves and rate against depth) and docs/perft-size.svg (rate against the board's size).

    python benchmarks/plot.py [--seconds S] [--rounds N] [--hash MB] [--folder docs] [--json FILE]

Needs matplotlib (extra `bench`). Leaves are the known numbers; rates are measured here, one thread, the best of some
rounds that take turns, at depths whose count takes no longer than some seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cases import ROOT
from rich.console import Console
from rich.progress import Progress

from halma_fast import Position, Variant, perft
from halma_fast._kernel.dispatch import kernel_info
from halma_fast.suite import known_numbers

mpl.use("Agg")
import matplotlib.pyplot as plt

VARIANTS = ("halma16", "halma10", "halma8", "pulce", "5x5:3,2,1")
SIZES = range(4, 17)
# The camp of Halma on that board, or a triangle that leaves the middle of a small board free.
CAMPS = {4: (2, 1), 5: (3, 2, 1), 6: (3, 2, 1), 7: (3, 2, 1), 8: (4, 3, 2, 1), 9: (4, 3, 2, 1), 16: (5, 5, 4, 3, 2)}
CAMPS |= dict.fromkeys(range(10, 16), (5, 4, 3, 2, 1))

# What differs from one run of matplotlib to the next would differ in every commit.
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "halma_fast",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.grid": True,
    "grid.alpha": 0.3,
}


def count(variant: Variant | str, depth: int, hash_mb: int | None) -> tuple[int, float]:
    """Leaves, and the seconds that took."""
    position = Position(variant)
    begin = time.perf_counter()
    leaves = perft(position, depth, hash_mb=hash_mb)
    return leaves, time.perf_counter() - begin


def rates_by_depth(variant: str, hash_mb: int | None, limit: float, rounds: int) -> dict[int, float]:
    """Leaves a second at each depth until a count takes more than `limit` seconds; the best of the rounds."""
    best: dict[int, float] = {}
    for _ in range(rounds):
        for depth in range(1, 30):
            leaves, seconds = count(variant, depth, hash_mb)
            best[depth] = max(best.get(depth, 0), leaves / seconds)
            if seconds > limit / 8:  # the next depth takes ten to a hundred times as long
                break
    return best


def rate_of_size(size: int, limit: float, rounds: int) -> dict[str, float]:
    """The rate on a custom board, at the deepest depth that a fraction of `limit` seconds is enough for."""
    variant = Variant.square(size, CAMPS[size])
    depth, seconds = 1, 0.0
    while seconds < limit / 40:
        depth += 1
        seconds = count(variant, depth, None)[1]
    best = max(leaves / seconds for leaves, seconds in (count(variant, depth, None) for _ in range(rounds)))
    return {"size": size, "men": variant.men, "depth": depth, "rate": best}


def draw_depth(results: dict[str, Any], file: Path) -> None:
    known = {n.variant.name: n.leaves for n in known_numbers() if n.fen is None and not n.rules}
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for variant in VARIANTS:
        depths = range(1, len(known[variant]) + 1)
        left.semilogy(depths, known[variant], "o-", markersize=3, label=variant)
    left.set(title="Leaves", xlabel="depth", ylabel="leaves")
    left.legend()
    for index, variant in enumerate(VARIANTS):
        for table, style in (("without", "o-"), ("with", "s--")):
            rates = results["depth"][variant][table]
            right.semilogy(
                [int(depth) for depth in rates], list(rates.values()), style, markersize=3, color=f"C{index}"
            )
    right.plot([], [], "ko-", markersize=3, label="without table")
    right.plot([], [], "ks--", markersize=3, label=f"table of {results['hash_mb']} MB")
    right.set(title=f"Rate, one thread, {results['kernel']} kernel", xlabel="depth", ylabel="leaves a second")
    right.legend()
    save(figure, file)


def draw_size(results: dict[str, Any], file: Path) -> None:
    figure, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    rows = results["size"]
    axes.semilogy([row["size"] for row in rows], [row["rate"] for row in rows], "o-", markersize=4)
    for row in rows:
        axes.annotate(
            f"{row['men']} men",
            (row["size"], row["rate"]),
            (3, -9),
            textcoords="offset points",
            fontsize=6,
        )
    axes.set(
        title=f"Rate against the size of the board, one thread, {results['kernel']} kernel, no table",
        xlabel="board size",
        ylabel="leaves a second",
        xticks=list(SIZES),
    )
    axes.title.set_fontsize(9)
    save(figure, file)


def save(figure: Any, file: Path) -> None:
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    # Matplotlib ends lines with blanks.
    text = "\n".join(line.rstrip() for line in file.read_text(encoding="utf-8").splitlines())
    file.write_text(f"{text}\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the plots of perft.")
    parser.add_argument("--seconds", type=float, default=8.0, metavar="S", help="of the longest count (default 8)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of which the best counts (default 3)")
    parser.add_argument("--hash", type=int, default=256, metavar="MB", help="size of the table (default 256)")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs", help="where the plots go (default docs)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to FILE too")
    arguments = parser.parse_args()
    results: dict[str, Any] = {"kernel": kernel_info()["level"], "hash_mb": arguments.hash, "depth": {}, "size": []}
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("measuring", total=len(VARIANTS) + len(SIZES))
        for variant in VARIANTS:
            results["depth"][variant] = {
                "without": rates_by_depth(variant, None, arguments.seconds, arguments.rounds),
                "with": rates_by_depth(variant, arguments.hash, arguments.seconds, arguments.rounds),
            }
            progress.advance(task)
        for size in SIZES:
            results["size"].append(rate_of_size(size, arguments.seconds, arguments.rounds))
            progress.advance(task)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    arguments.folder.mkdir(exist_ok=True)
    with plt.rc_context(STYLE):
        draw_depth(results, arguments.folder / "perft-depth.svg")
        draw_size(results, arguments.folder / "perft-size.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
