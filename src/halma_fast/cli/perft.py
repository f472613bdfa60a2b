"""`halma-fast perft`: count the leaves of the move tree. Guarded by tests/cli/test_perft.py."""

from __future__ import annotations

import time

import click

from halma_fast import Move, Position
from halma_fast import divide as count_divided
from halma_fast import perft as count_leaves
from halma_fast.cli.options import integer, json_option, takes_position
from halma_fast.cli.output import as_rate, count, print_fields, print_json, print_text
from halma_fast.cli.progress import ProgressLine

__all__ = ["perft"]


@click.command()
@takes_position
@click.option("--depth", callback=integer, required=True, metavar="D", help="Plies to count.")
@click.option("--divide", is_flag=True, help="Also print the count below each move.")
@click.option("--no-bulk", is_flag=True, help="Make every move at the last ply instead of counting them.")
@json_option
def perft(position: Position, depth: int, divide: bool, no_bulk: bool, as_json: bool) -> None:
    """Count the move sequences of a length.

    A full camp ends a game and a forced pass is a move; repetition, --max-turns and --home-deadline do not count.
    """
    divided: dict[Move, int] | None = None
    with ProgressLine("counting") as line:

        def report(done: int, total: int, nodes: int) -> None:
            line.update(f"{done} of {total} moves, {count(nodes)} nodes, {line.seconds:.0f} s")

        on_progress = report if line.wanted else None
        begin = time.perf_counter()
        if divide:
            divided = count_divided(position, depth, bulk=not no_bulk, on_progress=on_progress)
            nodes = sum(divided.values())
        else:
            nodes = count_leaves(position, depth, bulk=not no_bulk, on_progress=on_progress)
        seconds = time.perf_counter() - begin

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
    if by_text is not None:
        print_text("".join(f"{move}: {leaves}\n" for move, leaves in by_text.items()))
    print_fields(
        [
            ("variant", position.variant.name),
            ("position", position.fen()),
            ("depth", f"{depth}{' (no bulk counting)' if no_bulk else ''}"),
            ("nodes", count(nodes)),
            ("time", f"{seconds:.3f} s"),
            ("speed", f"{count(nps)} nodes/s"),
        ]
    )
