"""Count the next perft numbers of the start positions, each by two different paths, and add them to the package's file.

    python benchmarks/deep_perft.py [--max-leaves N] [--variant NAME]... [--default-rules] [--threads N] [--hash MB]

A number is added when both agree: the best kernel level of this machine without a table, and the generic one with a
table. What is finished is kept in the folder (default build/deep_perft), the jobs in hand as checkpoints of perft, so
that a run that was stopped goes on; exit status 130 then, and 1 if two paths disagree, which adds nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from numbers_file import ROOT, load, path_name, save

from halma_fast._kernel.dispatch import kernel_info
from halma_fast.suite import Known

STATE = ROOT / "build" / "deep_perft"
# Shorter jobs are not worth a checkpoint.
CHECKPOINT_LEAVES = 10_000_000_000

COUNT = """
import json, sys
from halma_fast import perft
from halma_fast.suite import Known
job = json.load(sys.stdin)
known = Known.from_entry(job["entry"])
try:
    print(perft(known.position(), job["depth"], **job["options"]))
except KeyboardInterrupt:
    sys.exit(130)
"""


class CountError(Exception):
    """Two paths counted different numbers, or one did not come to an end."""


def title(known: Known) -> str:
    """The variant with the rules that are not its defaults, for people and for names of files."""
    return " ".join([known.variant.name, *(f"{rule}={value}" for rule, value in known.rules.items())])


class State:
    """Counts that are finished but not yet confirmed, and the folder where they and the checkpoints are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "counts.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.counts: dict[str, int] = json.loads(self.file.read_text("ascii")) if self.file.exists() else {}

    def keep(self, key: str, leaves: int) -> None:
        self.counts[key] = leaves
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.counts, indent=1), encoding="ascii")
        os.replace(new, self.file)


def count(
    entry: dict[str, Any], depth: int, expected: int, level: str, mode: str, threads: int, hash_mb: int, state: State
) -> int:
    """The leaves by one path, from the state if they are there."""
    known = Known.from_entry(entry)
    path = path_name(level, mode)
    key = f"{title(known)}, depth {depth}, {path}"
    if key in state.counts:
        return state.counts[key]
    options: dict[str, Any] = {"threads": threads}
    if mode == "with table":
        options["hash_mb"] = hash_mb
    checkpoint = state.folder / "".join(c if c.isalnum() else "-" for c in f"{key}.sqlite")
    if expected >= CHECKPOINT_LEAVES:
        options["checkpoint"] = str(checkpoint)
    job = {"entry": entry, "depth": depth, "options": options}
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        input=json.dumps(job),
        env={**os.environ, "HALMA_FAST_KERNEL": level},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if done.returncode:
        raise CountError(f"{key}: the count ended with exit status {done.returncode}")
    leaves, seconds = int(done.stdout), time.perf_counter() - begin
    state.keep(key, leaves)
    checkpoint.unlink(missing_ok=True)
    print(f"{key}: {leaves:,} in {seconds:,.1f} s, {leaves / seconds / 1e6:,.0f} million/s", flush=True)
    return leaves


def grow(entry: dict[str, Any], threads: int, hash_mb: int, state: State) -> dict[str, Any]:
    """The entry with one number more."""
    known = Known.from_entry(entry)
    depth = known.next_depth
    paths = [(kernel_info()["available"][-1], ""), ("generic", "with table")]
    counts = {
        path_name(*path): count(entry, depth, known.next_leaves, *path, threads, hash_mb, state) for path in paths
    }
    if len(set(counts.values())) != 1:
        different = ", ".join(f"{path} {leaves:,}" for path, leaves in counts.items())
        raise CountError(f"{title(known)}, depth {depth}: the paths disagree: {different}; kept in {state.file}")
    leaves = next(iter(counts.values()))
    return {**entry, "perft": [*entry["perft"], leaves], "confirmed": [*entry["confirmed"], list(counts)]}


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
            entries = load()  # anew each time: several runs for different variants may go on at once
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
