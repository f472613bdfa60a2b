"""`halma-fast show`: the board of a position. Guarded by tests/cli/test_show.py."""

from __future__ import annotations

import click

from halma_fast import OptionError, Position, Side, square_name
from halma_fast.cli.files import write_whole
from halma_fast.cli.options import json_option, takes_position
from halma_fast.cli.output import count, outcome_object, print_fields, print_json, print_text
from halma_fast.render import coloured_board
from halma_fast.svg import ARROW_COLOURS

__all__ = ["show"]


@click.command()
@takes_position
@click.option("--svg", metavar="FILE", help='Also write a picture, whole or not at all; "-": only that, as output.')
@click.option(
    "--arrow",
    "arrows",
    multiple=True,
    metavar="MOVE[=COLOUR]",
    help=f"An arrow in the picture, like h1-f3 or h1-f3-d3=blue: {', '.join(ARROW_COLOURS)} or #rrggbb.",
)
@click.option("--flip", is_flag=True, help="The picture as the other side sees it.")
@json_option
def show(position: Position, svg: str | None, arrows: tuple[str, ...], flip: bool, as_json: bool) -> None:
    """Show the board of a position.

    With coordinates and camps, in colour on a terminal; below it the rules and how the game stands.
    """
    if svg is None and (arrows or flip):
        raise click.UsageError(f"{'--arrow' if arrows else '--flip'} needs --svg")
    if svg == "-" and as_json:
        raise click.UsageError("--json and --svg - exclude each other")
    if svg is not None:
        _write_picture(position, svg, arrows, flip)
        if svg == "-":
            return
    outcome = position.outcome()
    legal = len(position.legal_moves)
    if as_json:
        print_json(
            {
                "variant": position.variant.name,
                "fen": position.fen(),
                "rules": position.variant.rules,
                "turn": position.turn.letter,
                "move_number": position.move_number,
                "x": [square_name(square) for square in position.pieces(Side.X)],
                "o": [square_name(square) for square in position.pieces(Side.O)],
                "legal_moves": legal,
                "outcome": outcome_object(outcome),
            }
        )
        return
    print_text(coloured_board(position))
    print_text("")
    rules = [f"{name}={str(value).lower()}" for name, value in position.variant.rules.items()]
    print_fields(
        [
            ("position", position.fen()),
            ("rules", rules),
            ("moves", count(legal)),
            ("outcome", "none yet" if outcome is None else str(outcome)),
        ]
    )


def _write_picture(position: Position, path: str, arrows: tuple[str, ...], flip: bool) -> None:
    pointed = []
    for arrow in arrows:
        move, sign, colour = arrow.partition("=")
        pointed.append((move, colour if sign else "green"))
    try:
        picture = position.to_svg(arrows=pointed, flip=flip)
    except OptionError as error:
        raise click.UsageError(str(error).replace("arrows, entry", "--arrow", 1)) from None
    write_whole(path, picture)
