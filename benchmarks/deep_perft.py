"""Count the next perft numbers of the start positions, each by two different paths, and add them to the package's file.

    python benchmarks/deep_perft.py [--max-leaves N] [--variant NAME]... [--default-rules] [--threads N] [--hash MB]

A number is added when both agree: the best kernel level of this machine, without a table and move by move of the
position, and the generic one with a table, by way of perft's own split. What is finished is kept in a folder
(`--state`, default build/deep_perft, one run at a time), so that a run that was stopped goes on; exit status 130 then,
and 1 if two paths disagree, which adds nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numbers_file import ROOT, load, path_name, save

from halma_fast._kernel.dispatch import kernel_info
from halma_fast.suite import Known

STATE = ROOT / "build" / "deep_perft"
# Shorter jobs are not worth a checkpoint.
CHECKPOINT_LEAVES = 10_000_000_000

# Prints a line a move, and shares nothing with the other path above the kernel: neither split nor table.
BY_MOVE = """
import json, signal, sys
from concurrent.futures import ThreadPoolExecutor
from halma_fast import perft
from halma_fast.suite import Known
signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends at once; what was printed is kept
job = json.load(sys.stdin)
root = Known.from_entry(job["entry"]).position()
def count(move):
    child = root.copy()
    child.push(move)
    sys.stdout.write(f"{move} {perft(child, job['depth'] - 1)}\\n")
    sys.stdout.flush()
with ThreadPoolExecutor(job["threads"]) as pool:
    list(pool.map(count, [move for move in root.legal_moves if move.text not in job["done"]]))
"""

WITH_TABLE = """
import json, sys
from halma_fast import perft
from halma_fast.suite import Known
job = json.load(sys.stdin)
try:
    print(perft(Known.from_entry(job["entry"]).position(), job["depth"], **job["options"]))
except KeyboardInterrupt:
    sys.exit(130)
"""


class CountError(Exception):
    """Two paths counted different numbers, or one did not come to an end."""


def title(known: Known) -> str:
    """The variant with the rules that are not its defaults, for people and for names of files."""
    return " ".join([known.variant.name, *(f"{rule}={value}" for rule, value in known.rules.items())])


class State:
    """What is finished but not yet confirmed: counts by path, and by move; and the folder where checkpoints are too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "counts.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.counts: dict[str, int] = {}
        self.by_move: dict[str, dict[str, int]] = {}
        if self.file.exists():
            kept = json.loads(self.file.read_text(encoding="ascii"))
            self.counts, self.by_move = kept["counts"], kept["by_move"]

    def save(self) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"counts": self.counts, "by_move": self.by_move}, indent=1), encoding="ascii")
        os.replace(new, self.file)


def run(program: str, job: dict[str, Any], level: str) -> Iterator[str]:
    """Yield the lines that a program prints on a kernel level."""
    env = {**os.environ, "HALMA_FAST_KERNEL": level}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(job))
        process.stdin.close()
        yield from process.stdout
    if process.returncode in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if process.returncode:
        raise CountError(f"a count ended with exit status {process.returncode}")


def count_by_move(known: Known, entry: dict[str, Any], level: str, threads: int, key: str, state: State) -> int:
    """The leaves of the next depth, move by move, without a table."""
    done = state.by_move.setdefault(key, {})
    job = {"entry": entry, "depth": known.next_depth, "threads": threads, "done": list(done)}
    for line in run(BY_MOVE, job, level):
        move, leaves = line.split()
        done[move] = int(leaves)
        state.save()
    if len(done) != len(known.position().legal_moves):
        raise CountError(f"{key}: counted {len(done)} moves of {len(known.position().legal_moves)}")
    return sum(state.by_move.pop(key).values())


def count_with_table(
    known: Known, entry: dict[str, Any], level: str, threads: int, hash_mb: int, key: str, state: State
) -> int:
    """The leaves of the next depth, with a table."""
    options: dict[str, Any] = {"threads": threads, "hash_mb": hash_mb}
    checkpoint = state.folder / "".join(c if c.isalnum() else "-" for c in f"{key}.sqlite")
    if known.next_leaves >= CHECKPOINT_LEAVES:
        options["checkpoint"] = str(checkpoint)
    (line,) = run(WITH_TABLE, {"entry": entry, "depth": known.next_depth, "options": options}, level)
    checkpoint.unlink(missing_ok=True)
    return int(line)


def grow(entry: dict[str, Any], threads: int, hash_mb: int, state: State) -> dict[str, Any]:
    """The entry with one number more."""
    known = Known.from_entry(entry)
    name = f"{title(known)}, depth {known.next_depth}"
    best = kernel_info()["available"][-1]
    by_move, with_table = path_name(best), path_name("generic", "with table")
    ways: dict[str, Callable[[str], int]] = {
        by_move: lambda key: count_by_move(known, entry, best, threads, key, state),
        with_table: lambda key: count_with_table(known, entry, "generic", threads, hash_mb, key, state),
    }
    counts = {}
    for path, count in ways.items():
        key = f"{name}, {path}"
        if key not in state.counts:
            begin = time.perf_counter()
            state.counts[key] = count(key)
            state.save()
            seconds = time.perf_counter() - begin
            print(f"{key}: {state.counts[key]:,} in {seconds:,.1f} s", flush=True)
        counts[path] = state.counts[key]
    if len(set(counts.values())) != 1:
        different = ", ".join(f"{path} {leaves:,}" for path, leaves in counts.items())
        raise CountError(f"{name}: the paths disagree: {different}; kept in {state.file}")
    return {**entry, "perft": [*entry["perft"], counts[by_move]], "confirmed": [*entry["confirmed"], list(counts)]}


def smallest(entries: list[dict[str, Any]], variants: list[str], default_rules: bool, max_leaves: int) -> int | None:
    """The index of the entry whose next number is the smallest that is wanted."""
    sizes = {}
    for index, entry in enumerate(entries):
        known = Known.from_entry(entry)
        wanted = known.fen is None and (not variants or known.variant.name in variants)
        wanted = wanted and not (default_rules and known.rules)
        if wanted and known.leaves[-1] and known.next_leaves <= max_leaves:
            sizes[index] = known.next_leaves
    return min(sizes, key=lambda index: sizes[index]) if sizes else None


def number(text: str) -> int:
    value = int(float(text))
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return value


def main() -> int:
    parser = argparse.ArgumentParser(description="Count the next perft numbers, each by two paths.")
    parser.add_argument(
        "--max-leaves", type=number, default=number("2e9"), metavar="N", help="up to about this many (default 2e9)"
    )
    parser.add_argument("--variant", action="append", default=[], metavar="NAME", help="only this one (several times)")
    parser.add_argument("--default-rules", action="store_true", help="leave out the variations of rules")
    parser.add_argument("--threads", type=number, default=1, metavar="N", help="default 1")
    parser.add_argument("--hash", type=number, default=256, metavar="MB", help="of the path with a table (default 256)")
    parser.add_argument("--state", type=Path, default=STATE, metavar="FOLDER", help=f"default {STATE}")
    arguments = parser.parse_args()
    state = State(arguments.state)
    try:
        while True:
            entries = load()  # anew each time: a run with another state may go on beside this one
            index = smallest(entries, arguments.variant, arguments.default_rules, arguments.max_leaves)
            if index is None:
                return 0
            before = entries[index]
            grown = grow(before, arguments.threads, arguments.hash, state)
            entries = load()
            entries[entries.index(before)] = grown
            save(entries)
            known = Known.from_entry(grown)
            print(f"{title(known)}, depth {known.next_depth - 1}: {known.leaves[-1]:,}, confirmed", flush=True)
    except CountError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
