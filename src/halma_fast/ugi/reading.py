"""The words of the protocol: positions, limits and options written, infos and options read.

Invariant: reading takes any text; what it does not know it passes over, and no number that it returns is out of the
range of its type. Guarded by tests/ugi/test_reading.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from halma_fast.checks import check_int, shorten
from halma_fast.errors import LimitError, MoveError, OptionError, UgiError
from halma_fast.move import Move
from halma_fast.position import Position
from halma_fast.types import MAX_NODES, Info, Limit, Score
from halma_fast.ugi.words import RULE_OPTIONS
from halma_fast.variants import VARIANTS, Variant

__all__ = [
    "UgiOption",
    "go_command",
    "option_value",
    "position_command",
    "read_info",
    "read_option",
    "variant_options",
]

OptionType = Literal["check", "spin", "combo", "button", "string"]

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_OPTION_WORDS: Final = ("name", "type", "default", "min", "max", "var")
_OPTION_TYPES: Final[Mapping[str, OptionType]] = {
    "check": "check",
    "spin": "spin",
    "combo": "combo",
    "button": "button",
    "string": "string",
}
_MAX_PV: Final = 200
# What no search comes to; game records take no more.
_MAX_DEPTH: Final = 10_000
_MAX_MILLISECONDS: Final = 10**12 - 1


@dataclass(frozen=True, slots=True)
class UgiOption:
    """An option that an engine offers: `default`, and what it may be: `low` to `high` (spin), one of `choices`."""

    name: str
    type: OptionType
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


def read_option(words: Sequence[str]) -> UgiOption | None:
    """Read `option name N type T default V min A max B var C ...`, names of several words too; `None` if it is none."""
    found: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    at: list[str] = []
    for word in words[1:]:
        # A name is never empty, so "option name type type check" is an option called "type".
        if word in _OPTION_WORDS and not (at is found.get("name") and not at) and (word == "var" or word not in found):
            at = []
            if word == "var":
                choices.append(at)
            else:
                found[word] = at
        else:
            at.append(word)
    name, kind = " ".join(found.get("name", [])), _OPTION_TYPES.get(" ".join(found.get("type", [])))
    if not name or kind is None:
        return None
    default = " ".join(found.get("default", []))
    low, high = (_integer(" ".join(found.get(bound, []))) for bound in ("min", "max"))
    return UgiOption(name, kind, default, low, high, tuple(" ".join(choice) for choice in choices))


def option_value(option: UgiOption, value: object) -> str:
    """Return a value as an option's text; raises `OptionError` for one that the option does not take."""
    field = f"option {option.name}"
    if option.type == "check":
        text = str(value).lower()
        if not isinstance(value, bool | str) or text not in ("true", "false"):
            raise OptionError(f"{field}: {shorten(value)}, expected True or False")
        return text
    if option.type == "spin":
        low = -MAX_NODES if option.low is None else option.low
        high = MAX_NODES if option.high is None else option.high
        number = _integer(value) if isinstance(value, str) else value
        if number is None or low > high:
            raise OptionError(f"{field}: {shorten(value)}, expected an integer from {low} to {high}")
        return str(check_int(number, field, low, high, OptionError))
    if option.type == "button":
        return ""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else str(value).lower()
    if option.type == "combo":
        for choice in option.choices:
            if choice.lower() == text.lower():
                return choice
        raise OptionError(f"{field}: {shorten(value)}, expected one of {', '.join(option.choices)}")
    if not text.isprintable() or len(text) > 4096:
        raise OptionError(f"{field}: {shorten(value)}, expected at most 4096 characters on one line")
    return text


def variant_options(variant: Variant, offered: Mapping[str, UgiOption]) -> dict[str, str]:
    """Return the options that make an engine play this variant, the variant first; `offered` is by lower-case name.

    Raises `UgiError` if the engine lacks one that it needs.
    """
    wanted: dict[str, str] = {}
    known = offered.get("variant")
    if known is not None:
        wanted[known.name] = _option(known, variant.name, variant.name)
    elif variant.name not in VARIANTS:
        raise UgiError(f"variant: {variant.name}, expected a named one: the engine has no option Variant")
    usual = Variant.named(variant.name).rules
    for rule, value in variant.rules.items():
        option = offered.get(RULE_OPTIONS[rule].lower())
        if option is not None:
            # No limit is 0 where only numbers can be given.
            text: object = (0 if option.type == "spin" else "none") if value is None else value
            wanted[option.name] = _option(option, text, f"{rule}={value}")
        elif value != usual[rule]:
            name = RULE_OPTIONS[rule]
            raise UgiError(f"{rule}: {value}, expected {usual[rule]}: the engine has no option {name}")
    return wanted


def _option(option: UgiOption, value: object, wanted: str) -> str:
    try:
        return option_value(option, value)
    except OptionError as error:
        raise UgiError(f"{error}: the engine does not play {wanted}") from None


def position_command(position: Position) -> str:
    """Return `position fen F moves ...` from the oldest position that is known, so that repetitions are seen."""
    root = position.copy()
    moves = [move.text for move in root.move_stack]
    for _ in moves:
        root.pop()
    return " ".join([f"position fen {root.fen()}", *(["moves", *moves] if moves else [])])


def go_command(limit: Limit | None) -> str:
    """Return `go ...` for a limit, `go infinite` for none; raises `LimitError` for one the protocol has no word for."""
    words = ["go"]
    if limit is not None:
        if limit.mate is not None:
            raise LimitError(f"mate: {limit.mate}, expected none: the protocol has no such limit")
        clocks = (limit.x_clock, limit.x_inc), (limit.o_clock, limit.o_inc)
        for number, (clock, _) in enumerate(clocks, 1):
            if clock is not None:
                words += [f"p{number}time", str(_milliseconds(clock))]
        for number, (clock, increment) in enumerate(clocks, 1):
            if clock is not None and increment:
                words += [f"p{number}inc", str(_milliseconds(increment))]
        for name, value in (
            ("movestogo", limit.moves_to_go),
            ("movetime", None if limit.time is None else max(1, _milliseconds(limit.time))),
            ("depth", limit.depth),
            ("nodes", limit.nodes),
        ):
            if value is not None:
                words += [name, str(value)]
    return " ".join(words) if len(words) > 1 else "go infinite"


def _milliseconds(seconds: float) -> int:
    return round(min(seconds, 1e9) * 1000)


def read_info(words: Sequence[str], position: Position) -> Info | None:
    """Read `info ...`, given the position searched; `None` without a score, since nothing was found then.

    Numbers that are missing are 0, a rank that is missing is 1; depths beyond 10,000 plies are that, and times beyond
    a billion seconds a little less; the line is cut where it is not legal.
    """
    numbers = dict.fromkeys(("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"), 0)
    score: Score | None = None
    bound: Literal["exact", "lower", "upper"] = "exact"
    pv: tuple[Move, ...] = ()
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if word == "string":
            break
        if word == "pv":
            pv = _line(words[at : at + _MAX_PV], position)
            break
        if word in numbers and at < len(words):
            value = _integer(words[at])
            if value is not None:
                numbers[word] = max(0, value)
                at += 1
        elif word == "score" and at + 1 < len(words):
            score = _score(words[at], _integer(words[at + 1])) or score
            at += 2
        elif word in ("lowerbound", "upperbound"):
            bound = "lower" if word == "lowerbound" else "upper"
    if score is None:
        return None
    return Info(
        depth=min(numbers["depth"], _MAX_DEPTH),
        seldepth=min(max(numbers["seldepth"], numbers["depth"]), _MAX_DEPTH),
        multipv=max(1, numbers["multipv"]),
        score=score,
        bound=bound,
        nodes=numbers["nodes"],
        seconds=min(numbers["time"], _MAX_MILLISECONDS) / 1000,
        nps=numbers["nps"],
        hashfull=min(1000, numbers["hashfull"]),
        pv=pv,
    )


def _score(kind: str, value: int | None) -> Score | None:
    if value is None or kind not in ("cp", "mate"):
        return None
    if kind == "cp":
        return Score("points", value)
    # Own moves to plies: a win ends with an own move, a loss with one of the other side.
    return Score("win", 2 * value - 1) if value > 0 else Score("loss", -2 * value)


def _line(words: Sequence[str], position: Position) -> tuple[Move, ...]:
    after = position.copy()
    moves: list[Move] = []
    for word in words:
        try:
            move = after.parse_move(word)
        except MoveError:
            break
        after.push(move)
        moves.append(move)
    return tuple(moves)


def _integer(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) else None
