"""Print one table of perft: kernel levels, threads and table, beside the array board in C and the reference in Python.

    python benchmarks/perft_table.py [--rounds N] [--quick] [--threads N] [--hash MB] [--json FILE] [--no-instructions]

All contenders take turns in one run, each count in a process of its own that times itself; rates come from the median
round. Their counts are compared: exit status 1 if two disagree. Below it, instructions that callgrind counts, which do
not depend on how busy the machine is: the difference between a program that does the work twice and one that does it
once. Without valgrind that part says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from baseline import BaselineError, array_perft, executable
from cases import ROOT
from report import CountMismatchError, millions, new_table
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from halma_fast._kernel.dispatch import kernel_info

LEVELS: list[str] = kernel_info()["available"]

COUNT = """
import json, sys, time
from halma_fast import Position, perft
job = json.load(sys.stdin)
position = Position(job["variant"])
perft(position, job["depth"] - 2)  # nobody's first round pays for a cold processor
begin = time.perf_counter()
leaves = perft(position, job["depth"], **job["options"])
print(leaves, time.perf_counter() - begin)
"""

REFERENCE = """
import json, sys, time
job = json.load(sys.stdin)
sys.path.insert(0, job["tests"])
import reference
name = job["variant"]
variant = reference.square_board(job["size"], tuple(job["camp"])) if "size" in job else getattr(reference, name)()
position = reference.start_position(variant)
begin = time.perf_counter()
leaves = reference.perft(variant, position, job["depth"])
print(leaves, time.perf_counter() - begin)
"""

# Does its work as often as it is told; the caller subtracts one run from another.
WORK = """
import sys
from halma_fast import Position, perft
kind, variant, fen, depth, times = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
position = Position(variant, fen=fen or None)
moves = list(position.legal_moves)
def make():
    for move in moves:
        position.push(move)
        position.pop()
work = {
    "perft": lambda: perft(position, depth),
    "leaf by leaf": lambda: perft(position, depth, bulk=False),
    "with table": lambda: perft(position, depth, hash_mb=1),
    "moves as an array": position.legal_moves_array,
    "push and pop": make,
}[kind]
for _ in range(times):
    work()
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A start position, with the depths at which the package, the C program and the reference are measured.

    Not the same depth: what takes the package a second would take the reference years. Rates hardly depend on it.
    """

    variant: str
    depth: int
    c_depth: int
    python_depth: int

    def quick(self) -> Case:
        return Case(self.variant, self.depth - 1, self.c_depth - 1, self.python_depth - 1)


CASES = (
    Case("halma16", 6, 5, 3),
    Case("halma10", 6, 5, 3),
    Case("halma8", 6, 6, 4),
    Case("pulce", 5, 5, 3),
    Case("5x5:3,2,1", 7, 6, 4),
)


@dataclass(slots=True)
class Contender:
    """One row: what counts, at which depth, how; `rates` has leaves a second of each round."""

    name: str
    depth: int
    count: Callable[[], tuple[int, float]]
    leaves: int = 0
    rates: list[float] = field(default_factory=list)

    def measure(self) -> None:
        leaves, seconds = self.count()
        if self.leaves not in (0, leaves):
            raise CountMismatchError(f"{self.name}: {leaves:,} leaves, before {self.leaves:,}")
        self.leaves = leaves
        self.rates.append(leaves / seconds)


def in_process(program: str, job: dict[str, Any], level: str | None = None) -> tuple[int, float]:
    """Run a program that prints leaves and seconds, with the kernel level asked for."""
    env = dict(os.environ) if level is None else {**os.environ, "HALMA_FAST_KERNEL": level}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=json.dumps(job), env=env, stdout=subprocess.PIPE, text=True, check=True)
    leaves, seconds = done.stdout.split()
    return int(leaves), float(seconds)


def in_c(case: Case, bulk: bool) -> tuple[int, float]:
    count = array_perft(case.c_depth, variant=case.variant, bulk=bulk)
    return count.nodes, count.seconds


def contenders(case: Case, threads: int, hash_mb: int) -> Iterator[Contender]:
    """All that is measured of a case, the baselines first."""
    custom = re.fullmatch(r"(\d+)x\d+:([\d,]+)", case.variant)
    job: dict[str, Any] = {"variant": case.variant, "depth": case.python_depth, "tests": str(ROOT / "tests")}
    if custom:
        job |= {"size": int(custom[1]), "camp": [int(row) for row in custom[2].split(",")]}
    yield Contender("reference in Python", case.python_depth, partial(in_process, REFERENCE, job))
    yield Contender("array board in C, every leaf made", case.c_depth, partial(in_c, case, False))
    yield Contender("array board in C", case.c_depth, partial(in_c, case, True))
    for level in LEVELS:
        for options in (
            {"threads": 1},
            {"threads": threads},
            {"threads": 1, "hash_mb": hash_mb},
            {"threads": threads, "hash_mb": hash_mb},
        ):
            name = f"{level}, {options['threads']} thread{'s' if options['threads'] > 1 else ''}"
            if "hash_mb" in options:
                name += f", table of {hash_mb} MB"
            job = {"variant": case.variant, "depth": case.depth, "options": options}
            yield Contender(name, case.depth, partial(in_process, COUNT, job, level))


def check(case: Case, rows: list[Contender]) -> None:
    """All that counted to the same depth must have counted the same."""
    for depth in {row.depth for row in rows}:
        counts = {row.name: row.leaves for row in rows if row.depth == depth and row.leaves}
        if len(set(counts.values())) > 1:
            raise CountMismatchError(f"perft {depth} of {case.variant}: {counts}")


def ratio(row: Contender, other: Contender) -> float | None:
    return median(row.rates) / median(other.rates) if row.rates and other.rates else None


def as_dict(case: Case, rows: list[Contender]) -> Iterator[dict[str, Any]]:
    python, every_leaf, in_bulk = rows[:3]
    for row in rows:
        if row.rates:
            yield {
                "variant": case.variant,
                "contender": row.name,
                "depth": row.depth,
                "leaves": row.leaves,
                "rate": {"median": median(row.rates), "min": min(row.rates), "max": max(row.rates)},
                "to_c": ratio(row, in_bulk),
                "to_c_every_leaf": ratio(row, every_leaf),
                "to_python": ratio(row, python),
            }


def factor(value: float | None) -> str:
    if value is None:
        return ""
    if value < 0.1:
        return f"{value:.1g}"
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def print_perft(console: Console, results: list[dict[str, Any]], rounds: int) -> None:
    title = f"Perft from the start, million leaves a second, median of {rounds} rounds; C: the array board"
    table = new_table(title)
    table.add_column("variant", no_wrap=True)
    table.add_column("who", no_wrap=True)
    for heading in ("depth", "rate", "min-max", "x C", "x C, leaf by leaf", "x Python"):
        table.add_column(heading, justify="right", no_wrap=True)
    before = None
    for row in results:
        variant = row["variant"]
        if before not in (None, variant):
            table.add_section()
        rate = row["rate"]
        table.add_row(
            "" if variant == before else variant,
            row["contender"],
            str(row["depth"]),
            small(rate["median"]),
            f"{small(rate['min'])}-{small(rate['max'])}",
            factor(row["to_c"]),
            factor(row["to_c_every_leaf"]),
            factor(row["to_python"]),
        )
        before = variant
    console.print(table)


def small(rate: float) -> str:
    """Millions a second; the reference has thousandths of one."""
    return f"{rate / 1e6:.4f}" if rate < 1e5 else millions(rate)


def instructions(valgrind: str, command: list[str], level: str | None) -> int:
    """Instructions that a command executes, by callgrind."""
    # One thread, and the same order of everything in both runs that are subtracted.
    env = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    if level is not None:
        env["HALMA_FAST_KERNEL"] = level
    done = subprocess.run(
        [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise ValueError(f"valgrind printed no count: {done.stderr[-200:]!r}")
    return int(found[1])


def hot_paths(midgame: str) -> Iterator[tuple[str, str, str, int, str, int]]:
    """Kind of work, variant, position, depth, what a unit of it is, and how often to do it more."""
    for variant, depth in (("halma16", 4), ("halma10", 4), ("halma8", 4), ("pulce", 4), ("5x5:3,2,1", 4)):
        yield "perft", variant, "", depth, "leaf", 1
    yield "leaf by leaf", "halma8", "", 4, "leaf", 1
    yield "with table", "halma8", "", 4, "leaf", 1
    yield "moves as an array", "halma16", midgame, 0, "move", 1000
    yield "push and pop", "halma16", midgame, 0, "move", 100


def count_instructions(valgrind: str, done: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Instructions a unit of each hot path on each level, and of the C program."""
    from cases import midgame_fens

    from halma_fast import Position, perft

    midgame = midgame_fens("halma16")[0]
    for kind, variant, fen, depth, unit, times in hot_paths(midgame):
        position = Position(variant, fen=fen or None)
        units = perft(position, depth) if unit == "leaf" else len(position.legal_moves)
        row: dict[str, Any] = {"work": kind, "variant": variant, "depth": depth, "unit": unit}
        for level in LEVELS:
            done(f"instructions of {kind}, {variant}, {level}")
            once, more = (
                instructions(valgrind, [sys.executable, "-c", WORK, kind, variant, fen, str(depth), str(n)], level)
                for n in (1, 1 + times)
            )
            row[level] = (more - once) / times / units
        if kind in ("perft", "leaf by leaf"):
            done(f"instructions of {kind}, {variant}, array board in C")
            bulk = [] if kind == "perft" else ["--no-bulk"]
            custom = re.fullmatch(r"(\d+)x\d+:([\d,]+)", variant)
            board = ["--board", custom[1], "--camp", custom[2]] if custom else ["--variant", variant]
            once, more = (
                instructions(
                    valgrind, [str(executable()), *board, "--depth", str(depth), *bulk, "--repeat", str(n)], None
                )
                for n in (1, 2)
            )
            row["array board in C"] = (more - once) / units
        yield row


def print_instructions(console: Console, results: list[dict[str, Any]]) -> None:
    table = new_table("Instructions a unit of work, by callgrind")
    for heading in ("work", "variant"):
        table.add_column(heading, no_wrap=True)
    columns = [*LEVELS, "array board in C"]
    for heading in ("depth", "unit", *columns):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in results:
        depth = str(row["depth"] or "")
        table.add_row(row["work"], row["variant"], depth, row["unit"], *(factor(row.get(name)) for name in columns))
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description="Perft on kernel levels, threads and table, beside the baselines.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="measurements of each (default 5)")
    parser.add_argument("--quick", action="store_true", help="one ply less deep")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="beside one (default 2)")
    parser.add_argument("--hash", type=int, default=256, metavar="MB", help="size of the table (default 256)")
    parser.add_argument("--no-instructions", action="store_true", help="leave out callgrind")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to FILE too")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.threads < 2 or arguments.hash < 1:
        parser.error("expected --rounds of at least 1, --threads of at least 2, --hash of at least 1")
    try:
        executable()  # compile before anything is measured
    except BaselineError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")

    console = Console(width=None if sys.stdout.isatty() else 140)
    cases = [case.quick() if arguments.quick else case for case in CASES]
    rows = {case: list(contenders(case, arguments.threads, arguments.hash)) for case in cases}
    counted: list[dict[str, Any]] = []
    valgrind = None if arguments.no_instructions else shutil.which("valgrind")
    status = 0
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("measuring", total=arguments.rounds * sum(map(len, rows.values())))
        try:
            for _ in range(arguments.rounds):
                for case in cases:
                    for row in rows[case]:
                        progress.update(task, description=f"{case.variant}, {row.name}")
                        row.measure()
                        progress.advance(task)
                    check(case, rows[case])
            if valgrind:
                for line in count_instructions(valgrind, lambda text: progress.update(task, description=text)):
                    counted.append(line)
        except CountMismatchError as error:
            print(f"the counts differ: {error}", file=sys.stderr)
            status = 1
        except KeyboardInterrupt:  # what has been measured so far is printed
            status = 130
    results = [line for case in cases for line in as_dict(case, rows[case])]
    print_perft(console, results, arguments.rounds)
    if counted:
        print_instructions(console, counted)
    elif not arguments.no_instructions and not valgrind:
        console.print("Instructions: not counted, valgrind is not installed.")
    if arguments.json:
        value = {"rounds": arguments.rounds, "perft": results, "instructions": counted}
        arguments.json.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
