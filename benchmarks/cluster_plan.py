"""Measure what a deep perft on a cluster costs, and print the plan for it: parts, bytes, tasks, hours.

    python benchmarks/cluster_plan.py [--variant NAME] [--depth D] [--cores N] [--plies K] [--samples S] [--hash MB]

Counts a sample of the job's parts, and estimates the rest from it by the ratio to their counts three plies less deep,
whose sum is known. Times are processor seconds, so that other work on the machine matters little. The tasks are
measured on a real cluster of processes on the loopback address. Takes five to ten minutes.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from perft.cluster_process import START_SECONDS, Cluster

from halma_fast import Position, perft
from halma_fast.checkpoint import Checkpoint
from halma_fast.cluster import cluster_executor
from halma_fast.count import PerftTable, count_leaves
from halma_fast.parts import Part, plies_to_split, split

ROUNDS = 5
LESS_DEEP = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="halma16")
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--cores", type=int, default=1000)
    parser.add_argument("--plies", type=int, default=3, help="plies after which the job is split")
    parser.add_argument("--samples", type=int, default=24, help="parts to count; 0: none")
    parser.add_argument("--hash", dest="hash_mb", type=int, default=256)
    parser.add_argument("--no-tasks", action="store_true", help="do not start a cluster")
    options = parser.parse_args()

    position = Position(options.variant)
    for plies in range(1, options.plies + 1):
        begin = time.process_time()
        parts = split(position, options.depth, plies, by_move=False)
        seconds = time.process_time() - begin
        ways = sum(part.weight for part in parts)
        print(f"split after {plies}: {len(parts):,} parts of {ways:,} sequences, {seconds:.2f} s")
    print(f"a part is sent as {statistics.mean(len(pickle.dumps(part)) for part in parts[:1000]):.0f} bytes")
    print_checkpoint(parts)
    if options.samples:
        print_hours(position, options, parts)
    if not options.no_tasks:
        print_tasks()


def print_hours(position: Position, options: argparse.Namespace, parts: list[Part]) -> None:
    """What counting all parts costs."""
    sample = random.Random(1).sample(parts, min(options.samples, len(parts)))
    core_seconds = [print_sample(position, options.depth, parts, sample, mb) for mb in (None, options.hash_mb)]
    for hash_mb, (mean, longest) in zip((None, options.hash_mb), core_seconds, strict=True):
        total = mean * len(parts)
        wall = total / options.cores + longest
        table = f"table of {hash_mb} MB a core" if hash_mb else "no table"
        print(f"{table}: {total / 3600:.1f} core hours; on {options.cores:,} cores {wall / 60:.1f} minutes", end="")
        print(f" at {options.cores / mean:.0f} parts a second")


def print_checkpoint(parts: list[Part]) -> None:
    """What keeping a part costs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checkpoint"
        begin = time.perf_counter()
        with Checkpoint(path, {}) as checkpoint:
            for part in parts:
                checkpoint.add(part.index, 10**11 + part.index, 7.0)
        seconds = time.perf_counter() - begin
        print(
            f"a part is kept in {path.stat().st_size / len(parts):.0f} bytes and {seconds / len(parts) * 1e6:.0f} us;"
            f" {len(parts):,} in {path.stat().st_size / 1e6:.1f} MB"
        )


def print_sample(
    position: Position, depth: int, parts: list[Part], sample: list[Part], hash_mb: int | None
) -> tuple[float, float]:
    """Count the sample; returns the mean and the most seconds of a part."""
    seconds, deep, shallow = [], [], []
    table = None if hash_mb is None else PerftTable(hash_mb)
    for part in sample:
        begin = time.process_time()
        leaves, error = count_leaves(part.position, part.depth, True, table, None)
        if error is not None:
            raise error
        seconds.append(time.process_time() - begin)
        deep.append(part.weight * leaves)
        shallow.append(part.weight * count_leaves(part.position, part.depth - LESS_DEEP, True, None, None)[0])
    ratio = sum(deep) / sum(shallow)
    spread = math.sqrt(sum((d - ratio * s) ** 2 for d, s in zip(deep, shallow, strict=True)) / (len(deep) - 1))
    error_of_ratio = spread / statistics.mean(shallow) / math.sqrt(len(deep))
    known = perft(position, depth - LESS_DEEP)
    leaves_of_sample = sum(d / part.weight for d, part in zip(deep, sample, strict=True))
    mean = statistics.mean(seconds)
    print(
        f"{len(sample)} of {len(parts):,} parts, {f'table of {hash_mb} MB' if hash_mb else 'no table'}:"
        f" {mean:.2f} s a part (least {min(seconds):.2f}, most {max(seconds):.2f},"
        f" standard error {statistics.stdev(seconds) / math.sqrt(len(seconds)):.2f}),"
        f" {leaves_of_sample / sum(seconds) / 1e9:.1f} billion leaves/s;"
        f" perft {depth} about {known * ratio:.3g} +- {known * error_of_ratio:.1g} (standard error)"
    )
    return mean, max(seconds)


def print_tasks() -> None:
    """What handing out a part costs each process of a cluster, in processor time."""
    import psutil

    position, depth = Position("halma16"), 4  # parts of some microseconds
    parts = len(split(position, depth, plies_to_split(depth), by_move=False))
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder) / "dask", 1)
        try:
            with cluster_executor(cluster.address, timeout=START_SECONDS) as executor:
                perft(position, depth, executor=executor)  # imports, connections
                pids = {"client": os.getpid(), "scheduler": cluster.scheduler.pid, "worker": cluster.workers[0].pid}
                processes = {name: psutil.Process(pid) for name, pid in pids.items()}
                before = {name: sum(process.cpu_times()[:2]) for name, process in processes.items()}
                for _ in range(ROUNDS):
                    perft(position, depth, executor=executor)
                for name, process in processes.items():
                    used = (sum(process.cpu_times()[:2]) - before[name]) / ROUNDS / parts
                    print(f"to hand out a part takes the {name} {used * 1e6:.0f} us")
                memory = processes["scheduler"].memory_info().rss
                print(f"the scheduler takes {memory / 2**20:.0f} MB")
        finally:
            cluster.close()


if __name__ == "__main__":
    main()
