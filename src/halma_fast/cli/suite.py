"""`halma-fast perft --suite`: every known number, counted again. Guarded by tests/cli/test_suite.py."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

import click

from halma_fast import LimitError
from halma_fast._kernel.dispatch import kernel_info
from halma_fast.checks import check_int, shorten
from halma_fast.cli.output import Disagreement, as_rate, count, print_fields, print_json, print_table, print_text
from halma_fast.cli.progress import ProgressLine
from halma_fast.suite import Counted, Known, known_numbers, run

__all__ = ["DEFAULT_MAX_LEAVES", "leaves", "run_suite"]

# What one thread of an ordinary machine gets through in about a minute.
DEFAULT_MAX_LEAVES: Final = 1_000_000_000
_MOST_LEAVES: Final = 10**30
_LEAVES: Final = re.compile(r"[0-9]{1,30}(?:[eE][0-9]{1,2})?", re.ASCII)


def leaves(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Read an option's value as a number of leaves, which may be written like 2e10: a `callback` of `click.option`."""
    if value is None:
        return None
    if not _LEAVES.fullmatch(value):
        raise click.BadParameter(f"{shorten(value)}, expected an integer like 1000000 or 2e10", context, parameter)
    mantissa, _, exponent = value.lower().partition("e")
    power: int = 10 ** int(exponent or 0)
    return int(mantissa) * power


def run_suite(variant: str | None, max_leaves: int | None, threads: int, hash_mb: int | None, as_json: bool) -> None:
    """Count the known numbers of a variant, or of all, and print them; raises `Disagreement` at the first mismatch."""
    largest = DEFAULT_MAX_LEAVES if max_leaves is None else max_leaves
    check_int(largest, "max-leaves", 1, _MOST_LEAVES, LimitError)
    numbers = [known for known in known_numbers() if variant is None or known.variant.name == variant]
    if not numbers:
        names = dict.fromkeys(known.variant.name for known in known_numbers())
        raise click.UsageError(f"no known numbers for {variant}, only for {', '.join(names)}")
    wanted = sum(number <= largest for known in numbers for number in known.leaves)
    left_out = sum(len(known.leaves) for known in numbers) - wanted
    done: list[Counted] = []
    begin = time.perf_counter()
    interruption: KeyboardInterrupt | None = None
    with ProgressLine("counting") as line:
        try:
            for counted in run(numbers, max_leaves=largest, threads=threads, hash_mb=hash_mb):
                done.append(counted)
                if not counted.agrees:
                    break
                line.update(f"{len(done)} of {wanted} numbers, {_title(counted.known)}, {line.seconds:.0f} s")
        except KeyboardInterrupt as error:  # what was counted so far is still printed
            interruption = error
    seconds = time.perf_counter() - begin
    wrong = next((counted for counted in done if not counted.agrees), None)
    ahead = [known for known in numbers if known.fen is None]
    if as_json:
        print_json(_as_object(done, wanted, left_out, ahead, seconds, threads, hash_mb, largest))
    else:
        _print(done, wanted, left_out, ahead, seconds, largest)
    if interruption is not None:
        raise KeyboardInterrupt from interruption
    if wrong is not None:
        raise Disagreement(
            f"{_title(wrong.known)}, {wrong.known.fen or 'start'}, depth {wrong.depth}:"
            f" counted {count(wrong.leaves)}, known {count(wrong.expected)}"
        )


def _as_object(
    done: list[Counted],
    wanted: int,
    left_out: int,
    ahead: list[Known],
    seconds: float,
    threads: int,
    hash_mb: int | None,
    max_leaves: int,
) -> dict[str, Any]:
    nodes = sum(counted.leaves for counted in done)
    return {
        "ok": len(done) == wanted and all(counted.agrees for counted in done),
        "kernel": kernel_info()["level"],
        "threads": threads,
        "hash_mb": hash_mb,
        "max_leaves": max_leaves,
        "numbers": len(done),
        "wanted": wanted,
        "left_out": left_out,
        "nodes": nodes,
        "seconds": round(seconds, 6),
        "nps": as_rate(nodes, seconds),
        "results": [
            {
                **_position_of(counted.known),
                "depth": counted.depth,
                "expected": counted.expected,
                "nodes": counted.leaves,
                "seconds": round(counted.seconds, 6),
                "nps": as_rate(counted.leaves, counted.seconds),
            }
            for counted in done
        ],
        "next": [
            {**_position_of(known), "depth": known.next_depth, "about_nodes": known.next_leaves} for known in ahead
        ],
    }


def _position_of(known: Known) -> dict[str, Any]:
    return {"variant": known.variant.name, "rules": known.rules, "fen": known.fen}


def _print(
    done: list[Counted], wanted: int, left_out: int, ahead: list[Known], seconds: float, max_leaves: int
) -> None:
    print_table(("variant", "position", "depth", "nodes", "seconds", "nodes/s"), _rows(done), "<<>>>>")
    if ahead:
        print_text("")
        next_rows = [(_title(known), str(known.next_depth), f"{known.next_leaves:.1e}") for known in ahead]
        print_table(("not known yet", "depth", "nodes, about"), next_rows, "<>>")
    nodes = sum(counted.leaves for counted in done)
    agreeing = sum(counted.agrees for counted in done)
    limit = f", {count(left_out)} larger than --max-leaves {count(max_leaves)}" if left_out else ""
    print_text("")
    print_fields(
        [
            ("numbers", f"{count(agreeing)} of {count(wanted)} agree{limit}"),
            ("kernel", kernel_info()["level"]),
            ("nodes", count(nodes)),
            ("time", f"{seconds:.3f} s"),
            ("speed", f"{count(as_rate(nodes, seconds))} nodes/s"),
        ]
    )


def _rows(done: Iterable[Counted]) -> list[tuple[str, ...]]:
    """A row a number of the start positions; the positions of games of a variant together, for they are many."""
    rows = []
    for (name, kind), group in groupby(done, key=lambda counted: (_title(counted.known), _kind(counted.known))):
        numbers = list(group)
        if kind == "start":
            rows += [_row(name, kind, str(counted.depth), [counted]) for counted in numbers]
        else:
            positions = len({counted.known.fen for counted in numbers})
            deepest = max(counted.depth for counted in numbers)
            rows.append(_row(name, f"{positions} of games", f"1-{deepest}", numbers))
    return rows


def _row(name: str, position: str, depth: str, numbers: list[Counted]) -> tuple[str, ...]:
    nodes = sum(counted.leaves for counted in numbers)
    seconds = sum(counted.seconds for counted in numbers)
    return name, position, depth, count(nodes), f"{seconds:.3f}", count(as_rate(nodes, seconds))


def _kind(known: Known) -> str:
    return "start" if known.fen is None else "game"


def _title(known: Known) -> str:
    """The variant with the rules that are not its defaults."""
    return " ".join([known.variant.name, *(f"{rule}={value}" for rule, value in known.rules.items())])
