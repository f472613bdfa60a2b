"""`halma-fast bench`: fixed work, whose node count is the same on every machine. Guarded by tests/cli/test_bench.py."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import click

from halma_fast import VARIANTS, Engine, Position, perft
from halma_fast._kernel.dispatch import kernel_info
from halma_fast.cli.options import json_option
from halma_fast.cli.output import (
    as_rate,
    count,
    decimals,
    duration,
    print_fields,
    print_json,
    print_table,
    print_text,
)
from halma_fast.cli.progress import ProgressLine

__all__ = ["bench"]

# Part of the signature: a table of another size forgets other entries.
_HASH_MB: Final = 16


@dataclass(frozen=True, slots=True)
class _Task:
    kind: str
    variant: str
    fen: str
    depth: int


@dataclass(frozen=True, slots=True)
class _Measured:
    task: _Task
    nodes: int
    seconds: float


@click.command()
@json_option
def bench(as_json: bool) -> None:
    """Measure the speed on fixed positions.

    Counts and searches them to fixed depths. The signature is the total of nodes: the same on every machine.
    """
    tasks = [_Task(**entry) for entry in json.loads((files("halma_fast") / "data" / "bench.json").read_text("ascii"))]
    done: list[_Measured] = []
    with ProgressLine("measuring") as line:
        for task in tasks:
            line.update(f"{len(done)} of {len(tasks)} positions")
            done.append(_run(task))
    signature = sum(measured.nodes for measured in done)
    totals = {kind: _total(done, kind) for kind in ("perft", "search")}
    seconds = sum(measured.seconds for measured in done)
    level = kernel_info()["level"]
    if as_json:
        print_json(
            {
                "signature": signature,
                "seconds": round(seconds, 6),
                "nps": as_rate(signature, seconds),
                "kernel": level,
                "perft_nps": as_rate(*totals["perft"]),
                "search_nps": as_rate(*totals["search"]),
                "tasks": [
                    {
                        "kind": measured.task.kind,
                        "variant": measured.task.variant,
                        "fen": measured.task.fen,
                        "depth": measured.task.depth,
                        "nodes": measured.nodes,
                        "seconds": round(measured.seconds, 6),
                    }
                    for measured in done
                ],
            }
        )
        return
    names = _names(tasks)
    digits = max(decimals(measured.seconds) for measured in done)
    print_table(
        ("task", "variant", "position", "depth", "nodes", "seconds", "nodes/s"),
        [
            (
                measured.task.kind,
                measured.task.variant,
                names[measured.task.fen],
                str(measured.task.depth),
                count(measured.nodes),
                f"{measured.seconds:.{digits}f}",
                count(as_rate(measured.nodes, measured.seconds)),
            )
            for measured in done
        ],
        "<<<>>>>",
    )
    print_text("")
    print_fields(
        [
            ("signature", str(signature)),
            ("kernel", level),
            ("time", duration(seconds)),
            ("perft", f"{count(as_rate(*totals['perft']))} nodes/s"),
            ("search", f"{count(as_rate(*totals['search']))} nodes/s"),
        ]
    )


def _names(tasks: list[_Task]) -> dict[str, str]:
    """Return what to call each position: "start", or "mid" and which one of its variant, in both kinds of task."""
    names: dict[str, str] = {}
    for variant in VARIANTS.values():
        fens = dict.fromkeys(task.fen for task in tasks if task.variant == variant.name)
        mid = [fen for fen in fens if fen != variant.start_fen]
        names |= {variant.start_fen: "start"} | {fen: f"mid {number}" for number, fen in enumerate(mid, 1)}
    return names


def _run(task: _Task) -> _Measured:
    position = Position(task.variant, fen=task.fen)
    if task.kind == "perft":
        begin = time.perf_counter()
        nodes = perft(position, task.depth)
        return _Measured(task, nodes, time.perf_counter() - begin)
    # An engine of its own for each position: the count must not depend on what the one before left in the table.
    engine = Engine(hash_mb=_HASH_MB)
    begin = time.perf_counter()
    nodes = engine.search(position, depth=task.depth).nodes
    return _Measured(task, nodes, time.perf_counter() - begin)


def _total(done: list[_Measured], kind: str) -> tuple[int, float]:
    chosen = [measured for measured in done if measured.task.kind == kind]
    return sum(measured.nodes for measured in chosen), sum(measured.seconds for measured in chosen)
