"""`halma-fast solve`: the value of every position of a small board. Guarded by tests/cli/test_solve.py."""

from __future__ import annotations

import time

import click

from halma_fast import Position, Score
from halma_fast.cli.options import integer, json_option, takes_position
from halma_fast.cli.output import count, duration, print_fields, print_json
from halma_fast.cli.progress import ProgressLine
from halma_fast.container import check_target
from halma_fast.errors import SolutionError
from halma_fast.solve import Progress, memory_needed
from halma_fast.solve import solve as solve_variant

__all__ = ["solve"]


@click.command()
@takes_position
@click.option("--threads", callback=integer, default="1", metavar="N", help="Share the work. Default: 1.")
@click.option("--checkpoint", metavar="FILE", help="Keep what is done there, and go on from it after a stop.")
@click.option("--out", metavar="FILE", help="Write the solution there, to be probed from Python.")
@json_option
def solve(position: Position, threads: int, checkpoint: str | None, out: str | None, as_json: bool) -> None:
    """Solve a small board whole.

    Tells for how many positions the side to move wins, loses or draws with best play of both, and the value of the one
    given, by default the start. Takes 2 bytes of memory a position.
    """
    variant = position.variant
    needed = memory_needed(variant)
    if out is not None:
        check_target(out, "--out", SolutionError)
    begin = time.perf_counter()
    with ProgressLine("solving") as line:

        def report(progress: Progress) -> None:
            line.update(_describe(progress))

        solution = solve_variant(
            variant, threads=threads, checkpoint=checkpoint, on_progress=report if line.wanted else None
        )
        if out is not None:
            line.update(f"writing {out}")
            solution.save(out)
    seconds = time.perf_counter() - begin
    counts = solution.counts
    value = solution.probe(position)
    if as_json:
        print_json(
            {
                "variant": variant.name,
                "rules": variant.rules,
                "positions": solution.positions,
                "won": counts.won,
                "lost": counts.lost,
                "drawn": counts.drawn,
                "longest": counts.longest,
                "fen": position.fen(),
                "value": {"kind": _kind(value), "plies": None if value.kind == "points" else value.value},
                "memory": needed,
                "seconds": round(seconds, 6),
                "out": out,
            }
        )
        return
    worth = _kind(value) if value.kind == "points" else f"{value} plies"
    print_fields(
        [
            ("variant", variant.name),
            ("positions", f"{count(solution.positions)}, for the side to move:"),
            ("won", count(counts.won)),
            ("lost", count(counts.lost)),
            ("drawn", count(counts.drawn)),
            ("longest", f"{counts.longest} plies"),
            ("position", position.fen()),
            ("value", worth),
            ("memory", f"{count(needed)} bytes"),
            ("time", duration(seconds)),
            *([] if out is None else [("written", out)]),
        ]
    )


def _kind(value: Score) -> str:
    return "draw" if value.kind == "points" else value.kind


def _describe(progress: Progress) -> str:
    part = f"{progress.plies} plies from the end, {progress.share:.0%}"
    return f"{part}, {count(progress.decided)} of {count(progress.positions)} positions decided"
