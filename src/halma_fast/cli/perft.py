"""`halma-fast perft`: count the leaves of the move tree. Guarded by tests/cli/test_perft.py."""

from __future__ import annotations

import contextlib
import functools
import time
from typing import Final

import click

from halma_fast import GameOverError, Position
from halma_fast import divide as count_divided
from halma_fast import perft as count_leaves
from halma_fast.cli.compare import print_comparison
from halma_fast.cli.options import integer, json_option, takes_position
from halma_fast.cli.output import as_rate, count, duration, print_fields, print_json, print_text
from halma_fast.cli.progress import ProgressLine
from halma_fast.cli.suite import DEFAULT_MAX_LEAVES, leaves, run_suite
from halma_fast.cluster import cluster_executor
from halma_fast.compare import read_divide
from halma_fast.perft import Progress

__all__ = ["perft"]

# Parameters that mean something to --suite.
_BESIDE_SUITE: Final = {"suite", "max_leaves", "variant", "threads", "hash_mb", "as_json"}


@click.command()
@takes_position
@click.option("--depth", callback=integer, metavar="D", help="Plies to count.")
@click.option("--divide", is_flag=True, help="Also print the count below each move.")
@click.option("--no-bulk", is_flag=True, help="Make every move at the last ply instead of counting them.")
@click.option("--hash", "hash_mb", callback=integer, metavar="MB", help="Count transpositions once, in a table.")
@click.option("--threads", callback=integer, default="1", metavar="N", help="Share the work. Default: 1.")
@click.option("--scheduler", metavar="ADDRESS", help="Count on the Dask cluster at tcp://HOST:PORT.")
@click.option("--checkpoint", metavar="FILE", help="Keep finished parts there, and go on from it after a kill.")
@click.option("--compare", metavar="FILE", help="Compare with another program's lines 'move: count'; - for stdin.")
@click.option("--suite", is_flag=True, help="Count all known numbers again, or those of --variant.")
@click.option(
    "--max-leaves",
    callback=leaves,
    metavar="N",
    help=f"Leave out larger numbers of --suite. Default: {DEFAULT_MAX_LEAVES:,}.",
)
@json_option
@click.pass_context
def perft(
    context: click.Context,
    position: Position,
    depth: int | None,
    divide: bool,
    no_bulk: bool,
    hash_mb: int | None,
    threads: int,
    scheduler: str | None,
    checkpoint: str | None,
    compare: str | None,
    suite: bool,
    max_leaves: int | None,
    as_json: bool,
) -> None:
    """Count the move sequences of a length.

    A full camp ends a game and a forced pass is a move; repetition, --max-turns and --home-deadline do not count.
    """
    if suite:
        given = _given(context)
        for name in given - _BESIDE_SUITE:
            raise click.UsageError(f"--{name.replace('_', '-')} and --suite exclude each other")
        run_suite(position.variant.name if "variant" in given else None, max_leaves, threads, hash_mb, as_json)
        return
    if max_leaves is not None:
        raise click.UsageError("--max-leaves needs --suite")
    if depth is None:
        raise click.UsageError("Missing option '--depth'.")
    if divide and compare is not None:
        raise click.UsageError("--divide and --compare exclude each other")
    theirs = None if compare is None else read_divide(compare)
    if depth > 0 and count_leaves(position, 1) == 0:
        # To Python this is a number like any other; whoever types it has the wrong position.
        raise GameOverError(f"position: the game is over, {position.outcome()}: there is nothing to count")
    with contextlib.ExitStack() as stack:
        executor = None if scheduler is None else stack.enter_context(cluster_executor(scheduler))
        line = stack.enter_context(ProgressLine("counting"))

        def report(progress: Progress) -> None:
            line.update(_describe(progress))

        on_progress = report if line.wanted else None
        begin = time.perf_counter()
        count_with = functools.partial(
            count_divided if divide or theirs is not None else count_leaves,
            bulk=not no_bulk,
            threads=threads,
            hash_mb=hash_mb,
            executor=executor,
            checkpoint=checkpoint,
            on_progress=on_progress,
        )
        counted = count_with(position, depth)
        divided = counted if isinstance(counted, dict) else None
        nodes = counted if isinstance(counted, int) else sum(counted.values())
        seconds = time.perf_counter() - begin

    if divided is not None and theirs is not None:
        print_comparison(position, depth, divided, theirs, seconds, as_json)
        return
    by_text = None if divided is None else {move.text: divided[move] for move in sorted(divided)}
    nps = as_rate(nodes, seconds)
    if as_json:
        print_json(
            {
                "variant": position.variant.name,
                "fen": position.fen(),
                "depth": depth,
                "nodes": nodes,
                "seconds": round(seconds, 6),
                "nps": nps,
                "bulk": not no_bulk,
                "divide": by_text,
            }
        )
        return
    if by_text:
        print_text("".join(f"{move}: {leaves}\n" for move, leaves in by_text.items()))
    print_fields(
        [
            ("variant", position.variant.name),
            ("position", position.fen()),
            ("depth", f"{depth}{' (no bulk counting)' if no_bulk else ''}"),
            ("nodes", count(nodes)),
            ("time", duration(seconds)),
            ("speed", f"{count(nps)} nodes/s"),
        ]
    )


def _given(context: click.Context) -> set[str]:
    """The parameters that were given, and not left to their defaults."""
    default = click.core.ParameterSource.DEFAULT
    return {name for name in context.params if context.get_parameter_source(name) is not default}


def _describe(progress: Progress) -> str:
    """How far, how fast, how long still."""
    now = progress.done - progress.done_before
    left = progress.seconds * (progress.total - progress.done) / now if now else 0.0
    rate = as_rate(progress.leaves, progress.seconds) if not progress.done_before else 0
    speed = f", {count(rate)} nodes/s" if rate else ""
    return f"{progress.done} of {progress.total} parts, {count(progress.leaves)} nodes{speed}, {left:.0f} s left"
