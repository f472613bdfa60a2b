"""One move of a game record: what is told of it, as a comment in a text and as an object in JSON.

Invariant: a `RecordedMove` that exists can be written, and `with_info` and `read_move_object` give an equal one back.
Guarded by tests/records/test_game_record.py.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol, Self, cast

from halma_fast.checks import check_int, check_text, shorten
from halma_fast.errors import HalmaError, OptionError, RecordError
from halma_fast.move import Move
from halma_fast.types import Score

__all__ = [
    "MAX_COMMENT",
    "UNWRITABLE",
    "RecordedMove",
    "Thought",
    "check_line",
    "info_text",
    "json_line",
    "json_object",
    "looks_like_info",
    "move_object",
    "parse_json",
    "read_info",
    "read_move_object",
    "with_info",
]

MAX_COMMENT: Final = 65_536
_MAX_DEPTH: Final = 10_000
_MAX_SECONDS: Final = 1e9

# What no line can carry: control characters, and halves of surrogate pairs, which UTF-8 does not encode.
UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_INFO: Final = re.compile(
    r"([+-][0-9]{1,19}|W[0-9]{1,19}(?:\+[1-3])?|L[0-9]{1,19}(?:-[1-3])?)?"
    r"(?:/([0-9]{1,5}))?"
    r"(?:(?:(?<!.)|(?<=.) )([0-9]{1,9}(?:\.[0-9]{1,9})?)s)?"
    r"(?:, (.*))?",
    re.ASCII | re.DOTALL,
)


class Thought(Protocol):
    """What a player may tell of its thinking, as a search's report does."""

    @property
    def score(self) -> Score: ...
    @property
    def depth(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class _MoveFields(NamedTuple):
    move: Move
    score: Score | None = None
    depth: int | None = None
    seconds: float | None = None
    comment: str = ""


class RecordedMove(_MoveFields):
    """A move with what is told of it, an immutable tuple; raises `RecordError`.

    score: of the side that moved; depth: plies, 0..10000; seconds: at least 0, kept to the millisecond; comment: one
    line of at most 65536 characters, without blanks at its ends.
    """

    __slots__ = ()

    def __new__(
        cls,
        move: Move,
        score: Score | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        comment: str = "",
    ) -> Self:
        if type(move) is not Move:
            raise RecordError(f"move: {shorten(move)}, expected a Move")
        if score is not None and type(score) is not Score:
            raise RecordError(f"score: {shorten(score)}, expected a Score or None")
        if depth is not None:
            depth = check_int(depth, "depth", 0, _MAX_DEPTH, RecordError)
        if seconds is not None:
            seconds = _seconds(seconds)
        return super().__new__(cls, move, score, depth, seconds, check_line("comment", comment, MAX_COMMENT))

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]  # what `_replace` calls
        return cls(*iterable)

    @classmethod
    def of(cls, move: Move, thought: Thought | None = None, seconds: float | None = None, comment: str = "") -> Self:
        """Return a move with the score and depth of an `Info` or `SearchResult`, and its seconds unless given."""
        if thought is None:
            return cls(move, None, None, seconds, comment)
        return cls(move, thought.score, thought.depth, thought.seconds if seconds is None else seconds, comment)


def _seconds(value: object) -> float:
    try:
        seconds = math.nan if isinstance(value, bool | str | bytes) else round(float(value), 3)  # type: ignore[arg-type]
    except Exception:  # a foreign __float__ may raise anything
        seconds = math.nan
    if not 0 <= seconds < _MAX_SECONDS:
        raise RecordError(f"seconds: {shorten(value)}, expected a number from 0 to below {_MAX_SECONDS:.0e}")
    return seconds + 0.0  # -0.0 has a sign that its text would show


def check_line(name: str, value: object, longest: int) -> str:
    """Return a text for one line, without the blanks at its ends, or raise `RecordError`."""
    text = check_text(value, name, longest, RecordError)
    if UNWRITABLE.search(text):
        raise RecordError(f"{name}: {shorten(text)}, expected one line without control characters")
    return text


# The text.


def info_text(score: Score | None, depth: int | None, seconds: float | None) -> str:
    """Score, depth and time as "+123/8 0.50s": points, or W and L with plies and, in Pulce, "+" or "-" the margin."""
    text = ""
    if score is not None:
        if score.kind == "points":
            text = f"{score.value:+d}"
        else:
            sign, letter = ("+", "W") if score.kind == "win" else ("-", "L")
            text = f"{letter}{score.value}{'' if score.margin is None else f'{sign}{score.margin}'}"
    if depth is not None:
        text += f"/{depth}"
    if seconds is not None:
        time = f"{seconds:.3f}"
        text += f"{' ' if text else ''}{time[:-1] if time.endswith('0') else time}s"
    return text


def with_info(move: Move, text: str) -> RecordedMove:
    """Return a move with what a comment in braces says of it; raises `RecordError`."""
    match = _INFO.fullmatch(text)
    if match is None:
        return RecordedMove(move, comment=text)
    score, depth, seconds, comment = match.groups()
    if comment is not None or len(depth or "") > 4 or len(seconds or "") > 9:
        return RecordedMove(move, *read_info(text))
    # All of it is known to be good: past the constructor's checks.
    values = (
        None if score is None else _read_score(score),
        None if depth is None else int(depth),
        None if seconds is None else round(float(seconds), 3),
    )
    return tuple.__new__(RecordedMove, (move, *values, ""))


def looks_like_info(text: str) -> bool:
    """Return whether a comment in braces would be read as score, depth and time, be they in range or not."""
    return _INFO.fullmatch(text) is not None


def read_info(text: str) -> tuple[Score | None, int | None, float | None, str]:
    """Return score, depth, seconds and the rest of what a comment in braces says; raises `RecordError`."""
    match = _INFO.fullmatch(text)
    if match is None:
        return None, None, None, text
    score, depth, seconds, rest = match.groups()
    return (
        None if score is None else _read_score(score),
        None if depth is None else check_int(int(depth), "depth", 0, _MAX_DEPTH, RecordError),
        None if seconds is None else _seconds(float(seconds)),
        "" if rest is None else rest.strip(" "),
    )


@functools.lru_cache(4096)
def _read_score(text: str) -> Score:
    if text[0] in "+-":
        return _score("points", int(text), None)
    value, _, margin = text[1:].replace("-", "+").partition("+")
    return _score("win" if text[0] == "W" else "loss", int(value), int(margin) if margin else None)


def _score(kind: Any, value: Any, margin: Any) -> Score:
    try:
        return Score(kind, value, margin)
    except OptionError as error:
        raise RecordError(str(error)) from None


# JSON.


def move_object(recorded: RecordedMove) -> dict[str, Any]:
    """Return a move as an object for JSON: only what is told; a score is "score", "win_in" or "loss_in"."""
    value: dict[str, Any] = {"move": recorded.move.text}
    score = recorded.score
    if score is not None:
        value[{"points": "score", "win": "win_in", "loss": "loss_in"}[score.kind]] = score.value
        if score.margin is not None:
            value["margin"] = score.margin
    if recorded.depth is not None:
        value["depth"] = recorded.depth
    if recorded.seconds is not None:
        value["seconds"] = recorded.seconds
    if recorded.comment:
        value["comment"] = recorded.comment
    return value


_SCORES: Final = {"score": "points", "win_in": "win", "loss_in": "loss"}


def read_move_object(index: int, value: object) -> RecordedMove:
    """Return the move of such an object, the one of this index; raises `RecordError`."""
    try:
        fields = json_object("entry", value, ("move", *_SCORES, "margin", "depth", "seconds", "comment"))
        scores = [name for name in _SCORES if name in fields]
        if len(scores) > 1 or (not scores and "margin" in fields):
            raise RecordError(f"score: {shorten(fields)}, expected one of score, win_in and loss_in")
        score = _score(_SCORES[scores[0]], fields[scores[0]], fields.get("margin")) if scores else None
        move = Move.from_text(cast(str, fields.get("move")))
        return RecordedMove(move, score, fields.get("depth"), fields.get("seconds"), fields.get("comment", ""))
    except HalmaError as error:
        raise RecordError(f"moves, entry {index + 1}: {error}") from None


def json_object(name: str, value: object, known: tuple[str, ...] | None) -> dict[str, Any]:
    """Return a JSON object that has no other keys than these, or any if they are `None`; raises `RecordError`."""
    if not isinstance(value, dict):
        raise RecordError(f"{name}: {shorten(value)}, expected an object")
    for key in value:
        if known is not None and key not in known:
            raise RecordError(f"{name}: {shorten(key)}, expected only {', '.join(known)}")
    return value


def parse_json(line: object) -> object:
    """Return the value of one line of JSON, text or UTF-8 bytes; raises `RecordError`."""
    try:
        return _DECODER.decode(line.decode("utf-8") if isinstance(line, bytes) else cast(str, line))
    except RecordError:
        raise
    except Exception as error:  # not text at all, nested too deep, digits without end
        raise RecordError(f"JSON: {shorten(line)}, expected one object, {type(error).__name__}: {error}") from None


def json_line(value: dict[str, Any]) -> str:
    """Return an object as one line, in ASCII."""
    return _ENCODER.encode(value)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise RecordError(f"JSON: {shorten(next(n for n in names if names.count(n) > 1))} twice, expected it once")
    return value


def _no_constant(name: str) -> float:
    raise RecordError(f"JSON: {name}, expected a finite number")


_ENCODER: Final = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_without_doubles, parse_constant=_no_constant)
