"""The options that commands share: which position, under which rules, printed how.

Invariant: only rules that were given reach the variant, so that a rule a variant does not have is refused and not
ignored. Guarded by tests/cli/test_options.py.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import click

from halma_fast import VARIANTS, MoveError, Position, Variant
from halma_fast.checks import shorten
from halma_fast.variants import ANY_VARIANT, DEFAULT_VARIANT, Rules, resolve

__all__ = ["integer", "json_option", "number", "seconds", "takes_position", "with_option_names"]

Command = Callable[..., None]

# What `int` and `float` read beyond this (underscores, other scripts' digits, "nan") is no input for a command.
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,30}", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)

# What the messages of the package call what is an option here: the field they begin with, and words within.
_OPTION_OF: Final = {
    "hash_mb": "--hash",
    "threads": "--threads",
    "multipv": "--multipv",
    "scheduler": "--scheduler",
    "checkpoint": "--checkpoint",
    "memory_mb": "--memory",
    "depth": "--depth",
    "nodes": "--nodes",
    "time": "--time",
    "clock": "--clock",
    "level": "--level",
    "concurrency": "--concurrency",
    "elo0": "--sprt",
    "elo1": "--sprt",
    "games": "--games",
    "margin": "--margin",
    "opening plies": "--plies",
    "out": "--out",
    "rounds": "--rounds",
    "seed": "--seed",
    **{name: f"--{name}" for name in ("db", "host", "keep", "port", "seconds", "sockets")},
    "home_deadline": "--home-deadline",
    "max_turns": "--max-turns",
}
_OPTIONS_WITHIN: Final = {ANY_VARIANT: "--variant, or --board with --camp", "bulk=False": "--no-bulk"}


def with_option_names(message: str) -> str:
    """Return an error message of the package with the names of options where it has those of arguments."""
    field, colon, rest = message.partition(":")
    for words, options in _OPTIONS_WITHIN.items():
        rest = rest.replace(words, options)
    return f"{_OPTION_OF.get(field, field)}{colon}{rest}"


def integer(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Read an option's value as an integer: a `callback` of `click.option`."""
    if value is None:
        return None
    if not _INTEGER.fullmatch(value):
        raise click.BadParameter(f"{shorten(value)}, expected an integer", context, parameter)
    return int(value)


def seconds(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """Read an option's value as a number of seconds."""
    if value is None:
        return None
    if not _NUMBER.fullmatch(value):
        raise click.BadParameter(f"{shorten(value)}, expected a number of seconds", context, parameter)
    return float(value)


def number(text: str, option: str) -> float:
    """Read a part of an option's value as a number; raises `click.UsageError`."""
    if not _NUMBER.fullmatch(text):
        raise click.UsageError(f"{option}: {shorten(text)}, expected a number")
    return float(text)


def _camp(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    rows = value.split(",")
    if not all(_INTEGER.fullmatch(row) for row in rows):
        raise click.BadParameter(f"{shorten(value)}, expected row lengths like 3,2,1", context, parameter)
    return tuple(map(int, rows))


json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

_OPTIONS: Final = (
    click.option(
        "--variant",
        metavar="NAME",
        help=f"{', '.join(VARIANTS)}, or a custom board like 5x5:3,2,1."
        f" Default: the one whose board --fen fits, else {DEFAULT_VARIANT}.",
    ),
    click.option("--board", callback=integer, metavar="N", help="A custom N x N board, 3 to 16, instead of --variant."),
    click.option(
        "--camp",
        callback=_camp,
        metavar="ROWS",
        help="Its camp: squares a row counted from the corner outward. Default: 3,2,1.",
    ),
    click.option("--fen", metavar="TEXT", help="The position: 'placement side number'. Default: the start."),
    click.option("--moves", metavar="TEXT", help="Moves to play from there first, like 'e1-d2 a7-c5'."),
    click.option(
        "--win",
        type=click.Choice(["full", "occupied"], case_sensitive=False),
        help="Win when the goal camp is full of own men, or just full.",
    ),
    click.option(
        "--goal-lock",
        type=click.Choice(["hop", "move", "none"], case_sensitive=False),
        help="A man in its goal camp stays there: at every hop, at the end of the move, or not at all.",
    ),
    click.option("--no-home-reentry", is_flag=True, help="A move may not enter the own home camp and end there."),
    click.option(
        "--home-duty", is_flag=True, help="While men are at home, one has to move out or away from the corner."
    ),
    click.option("--home-deadline", callback=integer, metavar="N", help="Lose with a man at home after N own moves."),
    click.option("--max-turns", callback=integer, metavar="N", help="The game ends after N turns of either side."),
    click.option(
        "--repetition",
        type=click.Choice(["3", "none"], case_sensitive=False),
        help="Draw by the third repetition, or never.",
    ),
    click.option(
        "--first", type=click.Choice(["x", "o"], case_sensitive=False), help="Who begins the round (Pulce only)."
    ),
)


def takes_position(function: Command) -> Command:
    """Give a command the options above and its function a `position` made from them."""

    @functools.wraps(function)
    def command(
        *,
        variant: str | None,
        board: int | None,
        camp: tuple[int, ...] | None,
        fen: str | None,
        moves: str | None,
        win: str | None,
        goal_lock: str | None,
        no_home_reentry: bool,
        home_duty: bool,
        home_deadline: int | None,
        max_turns: int | None,
        repetition: str | None,
        first: str | None,
        **others: Any,
    ) -> None:
        given: dict[str, object] = {
            "win": win,
            "goal_lock": goal_lock,
            "home_reentry": False if no_home_reentry else None,
            "home_duty": True if home_duty else None,
            "home_deadline": home_deadline,
            "max_turns": max_turns,
            "first": first,
        }
        rules = {name: value for name, value in given.items() if value is not None}
        if repetition is not None:
            rules["repetition"] = None if repetition == "none" else 3
        game = _choose(variant, board, camp, fen).with_rules(**cast(Rules, rules))
        position = Position(game, fen=fen)
        if moves is not None:
            _play(position, moves.split())
        function(position=position, **others)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _choose(variant: str | None, board: int | None, camp: tuple[int, ...] | None, fen: str | None) -> Variant:
    if board is None and camp is not None:
        raise click.UsageError("--camp needs --board")
    if board is not None:
        if variant is not None:
            raise click.UsageError("--variant and --board exclude each other")
        return Variant.square(board) if camp is None else Variant.square(board, camp)
    if variant is None and fen is not None:
        return Variant.for_fen(fen)
    if variant is not None:
        known = variant.strip().lower()
        # A custom board's name begins with a digit; any other unknown name is quoted as it was typed.
        variant = known if known in VARIANTS or known[:1].isdigit() else variant
    return resolve(variant)


def _play(position: Position, moves: Sequence[str]) -> None:
    for number, move in enumerate(moves, 1):
        try:
            position.push(move)
        except MoveError as error:
            reason = str(error).removeprefix("move: ")
            raise click.UsageError(f"--moves, move {number} of {len(moves)}: {reason}") from None
