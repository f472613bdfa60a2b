"""How results are printed: JSON for programs, aligned lines for people.

Invariant: JSON mode prints exactly one object and never loads `rich`; colour only on a terminal and never with
NO_COLOR. Guarded by tests/cli/test_output.py.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from halma_fast import Move, Outcome, Position, square_name

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = [
    "Disagreement",
    "as_rate",
    "console",
    "count",
    "decimals",
    "duration",
    "outcome_object",
    "path_names",
    "print_fields",
    "print_json",
    "print_table",
    "print_text",
]


class Disagreement(Exception):  # noqa: N818 - an answer, not a fault of the command
    """Counts that should be equal are not: a line on standard error and status 1, after all that was printed."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that never wraps what is printed, and has no styles at all if NO_COLOR is set."""
    from rich.console import Console

    plain = bool(os.environ.get("NO_COLOR"))
    return Console(
        stderr=stderr,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
        color_system=None if plain else "auto",
    )


def print_json(value: Mapping[str, Any]) -> None:
    """Print one object on one line, in ASCII."""
    sys.stdout.write(f"{json.dumps(value, ensure_ascii=True, allow_nan=False)}\n")


def print_text(*texts: str | Text) -> None:
    """Print texts for a person, each on lines of its own."""
    out = console()
    with out.capture() as captured:
        for text in texts:
            out.print(text)
    # Written here and not by the console, which ends the process in its own way when the reader has gone.
    sys.stdout.write(captured.get())


def print_fields(fields: Iterable[tuple[str, str | Sequence[str]]]) -> None:
    """Print names and values in two columns; a value of several items is broken between them where the line is full."""
    from rich.text import Text

    rows = list(fields)
    width = max(len(name) for name, _ in rows)
    room = console().width - width - 2
    break_ = f"\n{'':{width + 2}}"
    texts = []
    for name, value in rows:
        shown = value if isinstance(value, str) else break_.join(_fold(value, room))
        texts.append(Text.assemble((f"{name:<{width}}", "bold"), f"  {shown}"))
    print_text(*texts)


def _fold(items: Iterable[str], width: int) -> list[str]:
    """Put items on lines of at most `width` columns, or of one item that is longer."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + 1 + len(item) <= width:
            lines[-1] += f" {item}"
        else:
            lines.append(item)
    return lines


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> None:
    """Print columns; `align` has `<` or `>` for each."""
    from rich.text import Text

    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    texts = []
    for index, line in enumerate(lines):
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(line, align, widths, strict=True)]
        texts.append(Text("  ".join(cells).rstrip(), style="" if index else "bold"))
    print_text(*texts)


def count(number: int) -> str:
    """Return a number with thousands separators."""
    return f"{number:,}"


def decimals(seconds: float) -> int:
    """Return with how many decimals a time has three digits that say something: 3 from a tenth of a second on, to 9."""
    return min(9, max(3, 2 - math.floor(math.log10(seconds)))) if seconds > 0 else 3


def duration(seconds: float) -> str:
    """Return a time with its unit."""
    return f"{seconds:.{decimals(seconds)}f} s"


def as_rate(nodes: int, seconds: float) -> int:
    """Return nodes per second, 0 if no time passed."""
    return int(nodes / seconds) if seconds > 0 else 0


def outcome_object(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return how a game ended, for JSON, or `None` while it goes on."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner.letter
    return {"winner": winner, "reason": outcome.reason.value, "points": outcome.points}


def path_names(position: Position, move: Move) -> list[str]:
    """Return the names of the squares a legal move visits, both ends included; none for a pass."""
    return [square_name(square) for square in position.path(move)] if move else []
