"""`halma-fast play`: a game in the terminal. Guarded by tests/play/test_play.py."""

from __future__ import annotations

import os
import secrets

import click

from halma_fast import OptionError, Position, Side
from halma_fast.cli.game import BoardGame
from halma_fast.cli.options import integer, takes_position
from halma_fast.clock import TimeControl
from halma_fast.levels import MAX_LEVEL
from halma_fast.session import Session

__all__ = ["play"]


@click.command()
@takes_position
@click.option(
    "--side",
    type=click.Choice(["x", "o", "both", "none"], case_sensitive=False),
    default="x",
    show_default=True,
    help="The side you play; both: two people at one keyboard; none: the engine plays itself.",
)
@click.option(
    "--level",
    callback=integer,
    default="5",
    show_default=True,
    metavar="N",
    help=f"The engine's strength, 1 to {MAX_LEVEL}.",
)
@click.option("--clock", metavar="S[+I]", help="Seconds for each side, and how many a move adds: 300+2. Default: none.")
@click.option("--seed", callback=integer, metavar="N", help="Of what is random at lower levels. Default: a new one.")
@click.option("--file", metavar="FILE", help="Keep the game in this file after every move; go on with it if it exists.")
def play(position: Position, side: str, level: int, clock: str | None, seed: int | None, file: str | None) -> None:
    """Play against the engine, or two people at one keyboard.

    Moves are typed like h1-f3, Tab completes them; 'help' tells what else can be typed. Ctrl-C stops the engine's
    thinking, twice in a row it quits.
    """
    people = {"x": {Side.X}, "o": {Side.O}, "both": set(Side), "none": set()}[side.lower()]
    control = None if clock is None else TimeControl.from_text(clock)
    game = BoardGame(
        position,
        frozenset(set(Side) - people),
        level=level,
        seed=secrets.randbelow(1 << 31) if seed is None else seed,
        control=control,
        file=file,
    )
    if file is not None and os.path.exists(file):
        if position.move_stack or position != Position():
            raise OptionError(f"--file: {file!r} exists, expected no other position beside it")
        game.take(Session.load(file))
    game.run()
