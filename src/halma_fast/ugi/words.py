"""The lines of the protocol: `go` and `position` read, `info` written; and the names of the rules in both directions.

Invariant: what is read is checked to the last word, so that no line is obeyed in part. Guarded by tests/ugi/.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from halma_fast.checks import shorten
from halma_fast.errors import FenError, LimitError, OptionError
from halma_fast.game_record import rule_tag
from halma_fast.position import Position
from halma_fast.types import MAX_DEPTH, MAX_NODES, Info, Limit, Score, Side
from halma_fast.variants import VARIANTS, Variant

__all__ = ["RULE_OPTIONS", "Go", "info_line", "read_go", "read_position"]

# Rule of a variant -> the option that sets it, named like its tag in game records.
RULE_OPTIONS: Final[Mapping[str, str]] = {
    rule: rule_tag(rule) for variant in VARIANTS.values() for rule in variant.rules
}

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
# Word -> field of `Limit`: of those in milliseconds; of the others, with the largest value that it takes.
_SECONDS: Final = {"p1time": "x_clock", "p2time": "o_clock", "p1inc": "x_inc", "p2inc": "o_inc", "movetime": "time"}
_COUNTS: Final = {"depth": ("depth", MAX_DEPTH), "nodes": ("nodes", MAX_NODES), "mate": ("mate", 1_000_000)}
_LEAST_SECONDS: Final = 0.001


class Go(NamedTuple):
    """A `go` command: its limits; whether `infinite` was said, or no limit; the moves to choose from, or `None`."""

    limit: Limit
    infinite: bool
    root_moves: list[str] | None


def read_go(words: list[str]) -> Go:
    """Read what follows `go`: limits in any order, each once; without any it is as if `infinite` was said.

    Clocks that have run out and a `movetime` of 0 leave a millisecond; a depth beyond the largest is that one.
    Raises `LimitError`.
    """
    fields: dict[str, int | float] = {}
    root_moves: list[str] | None = None
    seen: set[str] = set()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in seen:
            raise LimitError(f"go: {shorten(word)} twice, expected it once")
        seen.add(word)
        if word == "infinite":
            continue
        if word == "searchmoves":
            root_moves, rest = rest, []
        elif word in _SECONDS:
            # A flag that has fallen is the runner's matter: there is still a move to be made.
            seconds = max(_number(word, rest), 0) / 1000
            fields[_SECONDS[word]] = max(seconds, _LEAST_SECONDS) if word == "movetime" else seconds
        elif word in _COUNTS:
            field, most = _COUNTS[word]
            fields[field] = min(_number(word, rest), most)
        elif word == "movestogo":
            moves = _number(word, rest)
            if moves:  # 0 is how some say that there is no other time control
                fields["moves_to_go"] = min(moves, 1_000_000)
        else:
            known = ", ".join((*_SECONDS, "movestogo", *_COUNTS, "searchmoves"))
            raise LimitError(f"go: {shorten(word)}, expected one of {known}, infinite")
    limit = Limit(**fields)  # type: ignore[arg-type]
    infinite = "infinite" in seen or not any(limit.ends(side) for side in Side)
    return Go(limit, infinite, root_moves)


def _number(word: str, rest: list[str]) -> int:
    value = rest.pop(0) if rest else ""
    if not _INTEGER.fullmatch(value):
        raise LimitError(f"go {word}: {shorten(value)}, expected an integer")
    return int(value)


def read_position(words: list[str], variant: Variant) -> Position:
    """Read what follows `position`: `startpos` or `fen` and a position string, then perhaps `moves` and moves.

    All up to `moves` belongs to the position string. Raises a `HalmaError`.
    """
    if not words or words[0] not in ("startpos", "fen"):
        raise OptionError(f"position: {shorten(words[0] if words else '')}, expected startpos or fen")
    end = words.index("moves") if "moves" in words else len(words)
    setup, moves = words[1:end], words[end + 1 :]
    if words[0] == "fen":
        if not setup:
            raise FenError("position fen: nothing, expected a position string")
        position = Position(variant, fen=" ".join(setup))
    elif setup:
        raise OptionError(f"position startpos: {shorten(setup[0])}, expected moves or the end of the line")
    else:
        position = Position(variant)
    for move in moves:
        position.push(move)
    return position


def info_line(info: Info) -> str:
    """Write a line of a search; times in milliseconds, wins and losses in own moves, losses negative."""
    words = [
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} score {_score(info.score)}",
        *([] if info.bound == "exact" else [f"{info.bound}bound"]),
        f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} time {int(1000 * info.seconds)} pv",
        *(move.text for move in info.pv),
    ]
    return " ".join(words)


def _score(score: Score) -> str:
    if score.kind == "points":
        return f"cp {score.value}"
    moves = (score.value + 1) // 2
    return f"mate {moves if score.kind == 'win' else -moves}"
