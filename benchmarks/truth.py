"""Holds the search against solved boards: the share of its moves that keep the game's value, and false claims.

    python benchmarks/truth.py                 all positions of 4x4 and 10,000 of 5x5, at depth 8 and 16
    python benchmarks/truth.py --sample 500    so many of each board

A move keeps the value if the position after it is worth the same: a win stays a win, a draw a draw. A claim is a score
"win" or "loss"; it is false if the position is not worth that. Finished games have no move and are left out. Each
process has an engine; results do not depend on how many there are.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from halma_fast import Engine
from halma_fast.solve import Solution, solve

BOARDS = {"4x4": ("4x4:2,1", None), "5x5": ("5x5:2,1", 10_000)}
RULES = {"win": "occupied"}
_BLOCK = 250
_engines: dict[int, Engine] = {}
_solutions: dict[str, Solution] = {}


@dataclass
class Tally:
    """What came of some positions; examples are position strings with what was claimed or lost."""

    searched: int = 0
    kept: int = 0
    optimal: int = 0
    claims: int = 0
    false_wins: int = 0
    false_losses: int = 0
    wrong_plies: int = 0
    seconds: float = 0.0
    examples: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name in ("searched", "kept", "optimal", "claims", "false_wins", "false_losses", "wrong_plies", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.examples = [*self.examples, *other.examples][:20]


def judge(file: str, depth: int, indices: Sequence[int], hash_mb: int) -> Tally:
    """Search some positions of a solution and compare with what is true."""
    if file not in _solutions:
        _solutions[file] = Solution.open(file, verify=False)
    solution = _solutions[file]
    engine = _engines.setdefault(hash_mb, Engine(hash_mb=hash_mb))
    tally = Tally()
    begin = time.process_time()
    for index in indices:
        position = solution.position(index)
        if position.is_game_over():
            continue
        truth = solution.probe(position)
        result = engine.search(position, depth=depth)
        position.push(result.best_move)
        after = solution.probe(position)
        position.pop()
        tally.searched += 1
        turned = {"win": "loss", "loss": "win", "points": "points"}[after.kind]
        tally.kept += turned == truth.kind
        tally.optimal += turned == truth.kind and (truth.kind == "points" or after.value + 1 == truth.value)
        if turned != truth.kind:
            tally.examples.append(f"{position.fen()} is {truth}, {result.best_move} leads to {after}")
        score = result.score
        if score.kind != "points":
            tally.claims += 1
            tally.wrong_plies += score.kind == truth.kind and score.value != truth.value
            if score.kind != truth.kind:
                tally.false_wins += score.kind == "win"
                tally.false_losses += score.kind == "loss"
                tally.examples.append(f"{position.fen()} is {truth}, claimed {score}")
    tally.seconds = time.process_time() - begin
    return tally


def solution_file(name: str, folder: Path) -> Path:
    """A solved board's file, made if it is missing."""
    file = folder / f"{name.replace(':', '-').replace(',', '-')}.solution"
    if not file.exists():
        solve(name, threads=os.cpu_count() or 1, **RULES).save(file)
    return file


def chosen(count: int, sample: int | None, seed: int) -> list[int]:
    if sample is None or sample >= count:
        return list(range(count))
    return sorted(random.Random(seed).sample(range(count), sample))


def measure(file: Path, depth: int, indices: Sequence[int], jobs: int, hash_mb: int) -> Tally:
    total = Tally()
    blocks: Iterable[Sequence[int]] = [indices[at : at + _BLOCK] for at in range(0, len(indices), _BLOCK)]
    with ProcessPoolExecutor(jobs) as pool:
        for done, tally in enumerate(pool.map(partial(judge, str(file), depth, hash_mb=hash_mb), blocks), 1):
            total.add(tally)
            if sys.stderr.isatty():
                print(f"\r{file.stem}, depth {depth}: {done * _BLOCK}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the search against solved boards.")
    parser.add_argument("--boards", default="4x4,5x5", help="some of 4x4,5x5 (default both)")
    parser.add_argument("--depths", default="8,16", help="plies (default 8,16)")
    parser.add_argument("--sample", type=int, metavar="N", help="positions a board (default all of 4x4, 10000 of 5x5)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the choice (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--hash", type=int, default=4, metavar="MB", help="table of each engine (default 4)")
    parser.add_argument("--folder", type=Path, default=Path("build/truth"), help="where solutions are kept")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    table = Table(title="Search against truth, win=occupied", title_justify="left")
    headings = ("board", "depth", "positions", "kept", "optimal", "claims", "false wins", "false losses", "other plies")
    for heading in (*headings, "CPU s"):
        table.add_column(heading, justify="right", no_wrap=True)
    examples: list[str] = []
    false_wins = 0
    for board in arguments.boards.split(","):
        name, usual = BOARDS[board]
        file = solution_file(name, arguments.folder)
        indices = chosen(len(Solution.open(file)), arguments.sample or usual, arguments.seed)
        for depth in map(int, arguments.depths.split(",")):
            tally = measure(file, depth, indices, arguments.jobs, arguments.hash)
            searched = max(1, tally.searched)
            shares = f"{100 * tally.kept / searched:.3f} %", f"{100 * tally.optimal / searched:.3f} %"
            numbers = (tally.claims, tally.false_wins, tally.false_losses, tally.wrong_plies)
            row = (board, str(depth), f"{tally.searched:,}", *shares, *(f"{number:,}" for number in numbers))
            table.add_row(*row, f"{tally.seconds:.0f}")
            examples += [f"{board}, depth {depth}: {example}" for example in tally.examples]
            false_wins += tally.false_wins
    console = Console(width=140)
    console.print(table)
    for example in examples[:20]:
        console.print(example, highlight=False)
    return 1 if false_wins else 0


if __name__ == "__main__":
    sys.exit(main())
