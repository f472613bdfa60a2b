"""`halma-fast csci`: answer an input file of the CSCI 561 homework. Guarded by tests/csci/test_command.py."""

from __future__ import annotations

from typing import Final

import click

from halma_fast import Engine, Info, Limit, SearchResult
from halma_fast.cli.files import whole_file
from halma_fast.cli.options import integer, seconds
from halma_fast.cli.output import count
from halma_fast.cli.progress import ProgressLine
from halma_fast.csci import Request, read_input, think_seconds, write_output
from halma_fast.errors import CsciError
from halma_fast.files import read_bytes

__all__ = ["csci"]

# A file has some 300 bytes.
_MAX_BYTES: Final = 1 << 16


@click.command()
@click.option(
    "--in", "source", default="input.txt", show_default=True, metavar="FILE", help="The position; '-': stdin."
)
@click.option("--out", "target", default="output.txt", show_default=True, metavar="FILE", help="The move; '-': stdout.")
@click.option("--time", "most", callback=seconds, metavar="S", help="Search for this many seconds at most.")
@click.option("--depth", callback=integer, metavar="D", help="Stop after this depth in plies, 1 to 100.")
@click.option("--nodes", callback=integer, metavar="N", help="Stop after this many nodes.")
@click.option("--hash", "hash_mb", callback=integer, default="64", show_default=True, metavar="MB", help="Table size.")
def csci(source: str, target: str, most: float | None, depth: int | None, nodes: int | None, hash_mb: int) -> None:
    """Answer an input file of the CSCI 561 homework.

    Reads SINGLE or GAME, BLACK or WHITE, the seconds left and 16 lines of '.', 'B', 'W', and writes the move as lines
    'E x,y x,y' (a step) or 'J x,y x,y' (each hop): x the column from the left, y the row from the top, from 0. The
    rules are those of the variant csci561; black is x.
    """
    request = _read(source)
    limit = Limit(depth=depth, nodes=nodes, time=think_seconds(request, most))
    engine = Engine(hash_mb=hash_mb)
    with whole_file(target) as file:
        file.write(write_output(request.position, _search(engine, request, limit).best_move))


def _search(engine: Engine, request: Request, limit: Limit) -> SearchResult:
    with ProgressLine("searching") as line:

        def report(info: Info) -> None:
            line.update(f"depth {info.depth}, {info.score}, {count(info.nodes)} nodes, {info.pv[0]}")

        return engine.search(request.position, limit, on_info=report)


def _read(source: str) -> Request:
    name, data = read_bytes(source, _MAX_BYTES, "19 lines", CsciError)
    try:
        return read_input(data.decode("utf-8-sig", "backslashreplace"))
    except CsciError as error:
        raise CsciError(f"{name}, {error}") from error
