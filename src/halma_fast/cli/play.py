"""`halma-fast play`: a game in the terminal. Guarded by tests/play/test_play.py."""

from __future__ import annotations

import os
import secrets
from typing import Final

import click

from halma_fast import HalmaError, OptionError, Position, Side
from halma_fast.checks import shorten
from halma_fast.cli.game import BoardGame
from halma_fast.cli.options import integer, takes_position
from halma_fast.clock import TimeControl
from halma_fast.levels import MAX_LEVEL
from halma_fast.session import Session

__all__ = ["play"]

_LEVEL: Final = 5
_PEOPLE: Final[dict[str, set[Side]]] = {"x": {Side.X}, "o": {Side.O}, "both": set(Side), "none": set()}


@click.command()
@takes_position
@click.option(
    "--side",
    type=click.Choice(["x", "o", "both", "none"], case_sensitive=False),
    help="The side you play; both: two people at one keyboard; none: the engine plays itself. Default: x.",
)
@click.option(
    "--level", callback=integer, metavar="N", help=f"The engine's strength, 1 to {MAX_LEVEL}. Default: {_LEVEL}."
)
@click.option("--clock", metavar="S[+I]", help="Seconds for each side, and how many a move adds: 300+2. Default: none.")
@click.option("--seed", callback=integer, metavar="N", help="Of what is random at lower levels. Default: a new one.")
@click.option("--file", metavar="FILE", help="Keep the game in this file after every move; go on with it if it exists.")
def play(
    position: Position, side: str | None, level: int | None, clock: str | None, seed: int | None, file: str | None
) -> None:
    """Play against the engine, or two people at one keyboard.

    Moves are typed like h1-f3, Tab completes them; 'help' tells what else can be typed. Ctrl-C stops the engine's
    thinking, twice in a row it quits.
    """
    sides = None if side is None else frozenset(set(Side) - _PEOPLE[side.lower()])
    control = None if clock is None else TimeControl.from_text(clock)
    game = BoardGame(
        position,
        frozenset({Side.O}) if sides is None else sides,
        level=_LEVEL if level is None else level,
        seed=secrets.randbelow(1 << 31) if seed is None else seed,
        control=control,
        file=file,
    )
    if file is not None and os.path.exists(file):
        session = _load(file)
        first = session.position
        while first.move_stack:
            first.pop()
        if position.move_stack or position not in (first, Position()):
            raise OptionError(f"--file: {shorten(file)} has a game from another position, expected none beside it")
        if control is not None and (session.clock is None or session.clock.control != control):
            raise OptionError(f"--clock: {control}, expected that of the game in {shorten(file)}, or none")
        game.take(session)
        game.set_opponents(sides, level)
    game.run()


def _load(file: str) -> Session:
    try:
        return Session.load(file)
    except OSError as error:
        raise OptionError(f"--file: {shorten(file)} cannot be read: {error.strerror or error}") from None
    except HalmaError as error:
        text = str(error)
        raise OptionError(f"--{text}" if text.startswith("file: ") else f"--file: {shorten(file)}: {text}") from None
