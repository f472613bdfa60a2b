"""`halma-fast csci`: answer an input file of the CSCI 561 homework. Guarded by tests/csci/test_command.py."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import click

from halma_fast import Engine, Limit, SearchResult
from halma_fast.checks import shorten
from halma_fast.cli.options import integer, seconds
from halma_fast.cli.output import count
from halma_fast.cli.progress import ProgressLine
from halma_fast.csci import Request, read_input, think_seconds, write_output
from halma_fast.errors import CsciError

__all__ = ["csci"]

_STREAM: Final = "-"
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
    with _replaced(target) as write:
        write(write_output(request.position, _search(engine, request, limit).best_move))


def _search(engine: Engine, request: Request, limit: Limit) -> SearchResult:
    with ProgressLine("searching") as line:

        def report(info: SearchResult) -> None:
            line.update(f"depth {info.depth}, {info.score}, {count(info.nodes)} nodes, {info.pv[0]}")

        return engine.search(request.position, limit, on_info=report)


def _read(source: str) -> Request:
    name = "standard input" if source == _STREAM else shorten(source)
    try:
        if source == _STREAM:
            data = sys.stdin.buffer.read(_MAX_BYTES + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise CsciError(f"{name}: cannot be read: {error.strerror or error}") from error
    except (ValueError, AttributeError) as error:  # a zero byte in the name; standard input closed
        raise CsciError(f"{name}: cannot be read") from error
    if len(data) > _MAX_BYTES:
        raise CsciError(f"{name}: more than {_MAX_BYTES >> 10} KB, expected 19 lines")
    try:
        return read_input(data.decode("utf-8-sig", "backslashreplace"))
    except CsciError as error:
        raise CsciError(f"{name}, {error}") from error


@contextlib.contextmanager
def _replaced(target: str) -> Iterator[Callable[[str], object]]:
    """Give a function that writes the whole file; it is replaced at the end, or left as it is if anything fails.

    The new file is there from the beginning: what cannot be written is known before the search.
    """
    if target == _STREAM:
        yield sys.stdout.write
        return
    path = Path(target)
    whole = not path.exists() or path.is_file()  # a device or a pipe is no file to replace
    new = path.with_name(f".{path.name}.{os.getpid()}.new") if whole else path
    try:
        with open(new, "x" if whole else "w", encoding="ascii", newline="\n") as file:
            yield file.write
        if whole:
            os.replace(new, path)
    except BaseException:
        if whole:
            with contextlib.suppress(OSError):
                os.unlink(new)
        raise
