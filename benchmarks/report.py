"""Print how fast the package is, beside the array board in C, measured alternately in one run.

    python benchmarks/report.py [--rounds N] [--quick] [--no-bulk] [--json FILE]

The two take turns (A B A B ...), so that a machine that speeds up or slows down meanwhile does it to both. Rates come
from the median round; the range is that of all rounds. The counts are compared too: exit status 1 if the two disagree.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from baseline import BaselineError, array_perft, executable
from cases import PERFT_CASES, PerftCase, midgame_fens
from rich import box
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from halma_fast import Engine, Position, perft

MIDGAME_VARIANTS = ("halma16", "halma10", "halma8")
SEARCH_SECONDS = 1.0
LOOP_SECONDS = 0.5


class CountMismatchError(Exception):
    """Two programs counted different numbers of leaves."""


def timed(work: Callable[[], int]) -> tuple[int, float]:
    """What `work` returns, and the seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def summary(rates: list[float]) -> dict[str, float]:
    """Median, least and greatest of some rates."""
    return {"median": median(rates), "min": min(rates), "max": max(rates)}


def measure_perft(case: PerftCase, depth: int, rounds: int, bulk: bool, done: Callable[[], None]) -> dict[str, Any]:
    """Leaves a second of both programs, taking turns."""
    positions, fens = case.positions(), case.fens
    ours: list[float] = []
    theirs: list[float] = []
    leaves = 0

    def count_leaves(depth: int) -> int:
        return sum(perft(position, depth, bulk=bulk) for position in positions)

    count_leaves(depth - 1)  # nobody's first round pays for a cold processor
    for _ in range(rounds):
        leaves, seconds = timed(lambda: count_leaves(depth))
        ours.append(leaves / seconds)
        done()
        count = array_perft(depth, variant=case.variant, fens=fens, bulk=bulk)
        theirs.append(count.nodes / count.seconds)
        done()
        if count.nodes != leaves:
            raise CountMismatchError(f"perft {depth} of {case.title}: {leaves:,}, array board in C {count.nodes:,}")
    return {
        "variant": case.variant,
        "title": case.title,
        "depth": depth,
        "bulk": bulk,
        "leaves": leaves,
        "package": summary(ours),
        "array_c": summary(theirs),
        "ratio": median(ours) / median(theirs),
    }


def measure_python_loop(variant: str, rounds: int, done: Callable[[], None]) -> dict[str, Any]:
    """Moves made and unmade a second from Python: every legal move of a mid-game position, over and over."""
    position = Position.from_fen(midgame_fens(variant)[0], variant)
    moves = list(position.legal_moves)

    def loop(times: int) -> int:
        push, pop = position.push, position.pop
        for _ in range(times):
            for move in moves:
                push(move)
                pop()
        return times * len(moves)

    made, seconds = timed(lambda: loop(10))
    times = max(1, round(10 * LOOP_SECONDS / seconds))
    rates = []
    for _ in range(rounds):
        made, seconds = timed(lambda: loop(times))
        rates.append(made / seconds)
        done()
    return {"variant": variant, "moves": len(moves), "rate": summary(rates)}


def measure_search(variant: str, rounds: int, done: Callable[[], None]) -> dict[str, Any]:
    """Nodes a second of searches of one second, a different mid-game position each round."""
    fens = midgame_fens(variant)
    rates, depths = [], []
    for index in range(rounds):
        position = Position.from_fen(fens[index % len(fens)], variant)
        result = Engine().search(position, time=SEARCH_SECONDS)
        rates.append(result.nodes / result.seconds)
        depths.append(result.depth)
        done()
    return {"variant": variant, "seconds": SEARCH_SECONDS, "rate": summary(rates), "median_depth": median(depths)}


def millions(rate: float) -> str:
    return f"{rate / 1e6:,.2f}" if rate < 1e7 else f"{rate / 1e6:,.1f}" if rate < 1e8 else f"{rate / 1e6:,.0f}"


def spread(rates: dict[str, float]) -> str:
    return f"{millions(rates['min'])}-{millions(rates['max'])}"


def new_table(title: str) -> Table:
    # Narrow enough for 80 columns.
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)


def print_tables(console: Console, results: dict[str, list[dict[str, Any]]]) -> None:
    """Print what has been measured; parts that are missing are left out."""
    if results["perft"]:
        bulk = "bulk counting" if results["perft"][0]["bulk"] else "every leaf made"
        table = new_table(f"Perft, {bulk}, beside the array board in C: million leaves a second")
        table.add_column("position", no_wrap=True)
        for heading in ("depth", "halma_fast", "min-max", "array C", "min-max", "ratio"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in results["perft"]:
            ours, theirs = row["package"], row["array_c"]
            table.add_row(
                row["title"],
                str(row["depth"]),
                millions(ours["median"]),
                spread(ours),
                millions(theirs["median"]),
                spread(theirs),
                f"{row['ratio']:.1f}",
            )
        console.print(table)
    if results["python_loop"] or results["search"]:
        table = new_table("Mid-game positions, millions a second")
        for heading in ("variant", "what"):
            table.add_column(heading, no_wrap=True)
        for heading in ("median", "min-max"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in results["python_loop"]:
            what = "moves made and unmade from Python"
            table.add_row(row["variant"], what, millions(row["rate"]["median"]), spread(row["rate"]))
        for row in results["search"]:
            what = f"search nodes, depth {row['median_depth']:g} in {row['seconds']:g} s"
            table.add_row(row["variant"], what, millions(row["rate"]["median"]), spread(row["rate"]))
        console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of the package beside an array board in C, in one run.")
    parser.add_argument(
        "--rounds", type=int, default=3, metavar="N", help="measurements of each, alternating (default 3)"
    )
    parser.add_argument("--quick", action="store_true", help="perft one ply less deep: seconds instead of minutes")
    parser.add_argument("--no-bulk", action="store_true", help="make every leaf in perft, in both programs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to FILE too")
    arguments = parser.parse_args()
    rounds: int = arguments.rounds
    if rounds < 1:
        parser.error("--rounds: expected at least 1")

    try:
        executable()  # compile before anything is measured
    except BaselineError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    results: dict[str, list[dict[str, Any]]] = {"perft": [], "python_loop": [], "search": []}
    status = 0
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        total = rounds * (2 * len(PERFT_CASES) + 2 * len(MIDGAME_VARIANTS))
        task = progress.add_task("measuring", total=total)

        def done() -> None:
            progress.advance(task)

        try:
            for case in PERFT_CASES:
                depth = case.quick_depth if arguments.quick else case.depth
                progress.update(task, description=f"perft {depth} of {case.title}")
                results["perft"].append(measure_perft(case, depth, rounds, not arguments.no_bulk, done))
            for variant in MIDGAME_VARIANTS:
                progress.update(task, description=f"Python loop, {variant}")
                results["python_loop"].append(measure_python_loop(variant, rounds, done))
            for variant in MIDGAME_VARIANTS:
                progress.update(task, description=f"search, {variant}")
                results["search"].append(measure_search(variant, rounds, done))
        except CountMismatchError as error:
            print(f"the counts differ: {error}", file=sys.stderr)
            status = 1
        except KeyboardInterrupt:  # what has been measured so far is printed
            status = 130
    print_tables(Console(), results)
    if arguments.json:
        arguments.json.write_text(json.dumps({"rounds": rounds, **results}, indent=1) + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
