"""Another program's divide beside ours: reading its lines `move: count` and finding the moves that differ.

Invariant: every line of a file is either understood or refused with its number, so that no count is left out silently,
and a divide printed by this package reads back as itself. Guarded by tests/unit/test_compare.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import shorten
from halma_fast.errors import DivideError, MoveError
from halma_fast.files import read_bytes
from halma_fast.move import Move

__all__ = ["Difference", "Divided", "differences", "parse_divide", "read_divide"]

# Far above any divide (a position has at most some thousand moves), and read at once.
_MAX_BYTES: Final = 1 << 22

_COUNT: Final = r"(?P<count>[0-9]{1,60}|[0-9]{1,3}(?:[,_'][0-9]{3}){1,20})"
_LINE: Final = re.compile(rf"(?P<move>[^\s:=]+)(?:\s*[:=]\s*|\s+){_COUNT}", re.ASCII)
_TOTAL: Final = re.compile(
    rf"(?:(?:total|nodes|leaves|sum|perft|searched)\b\s*){{1,3}}[:=]?\s*{_COUNT}", re.ASCII | re.IGNORECASE
)
# What `halma-fast perft --divide` prints below its moves, beside the total.
_OWN_FIELD: Final = re.compile(r"(?:variant|position|depth|time|speed|threads|table|hash)\s{2,}\S.*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Divided:
    """What a program counted below each move, and the total it stated, if it stated one."""

    counts: dict[Move, int]
    total: int | None

    @property
    def sum(self) -> int:
        """The sum of the counts, which a stated total should be."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Difference:
    """A move whose counts differ; `None` where a program does not have the move."""

    move: Move
    ours: int | None
    theirs: int | None


def differences(ours: Mapping[Move, int], theirs: Mapping[Move, int]) -> list[Difference]:
    """Return the moves that only one of the two has or whose counts differ, in ascending order."""
    moves = sorted(ours.keys() | theirs.keys())
    found = [Difference(move, ours.get(move), theirs.get(move)) for move in moves]
    return [difference for difference in found if difference.ours != difference.theirs]


def read_divide(path: str) -> Divided:
    """Read a divide from a file, or from standard input for "-"; raises `DivideError`, which names file and line."""
    name, data = read_bytes(path, _MAX_BYTES, "lines 'move: count'", DivideError)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DivideError(f"{name}, line {line}: not text in UTF-8") from error
    return parse_divide(text.split("\n"), name)


def parse_divide(lines: Iterable[str], name: str = "divide") -> Divided:
    """Read the lines of a divide; raises `DivideError`, whose message begins with `name` and the line's number.

    A line is a move (`h1-f3`, `h1f3`, a chain with its landings, `pass`; capitals too) and its count, with `:`, `=` or
    blanks between. Blank lines, comments (`#`), totals (`Nodes: N`) and what `halma-fast` prints below are let through.
    """
    counts: dict[Move, int] = {}
    line_of: dict[Move, int] = {}
    total: int | None = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#") or _OWN_FIELD.fullmatch(text):
            continue
        stated = _TOTAL.fullmatch(text)
        if stated is not None:
            total = _integer(stated["count"])
            continue
        where = f"{name}, line {number}"
        found = _LINE.fullmatch(text)
        if found is None:
            raise DivideError(f"{where}: {shorten(line)}, expected 'move: count'")
        try:
            move = Move.from_text(found["move"].lower())
        except MoveError as error:
            raise DivideError(f"{where}: {error}") from error
        if move in counts:
            raise DivideError(
                f"{where}: {move.text} again after line {line_of[move]}, expected each move once:"
                " chains with the same ends are one move"
            )
        counts[move], line_of[move] = _integer(found["count"]), number
    if not counts and total is None:
        raise DivideError(f"{name}: no line 'move: count'")
    return Divided(counts, total)


def _integer(digits: str) -> int:
    return int(re.sub("[,_']", "", digits))
