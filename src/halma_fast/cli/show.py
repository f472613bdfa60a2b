"""`halma-fast show`: the board of a position. Guarded by tests/cli/test_show.py."""

from __future__ import annotations

import click

from halma_fast import Position, Side, square_name
from halma_fast.cli.options import json_option, takes_position
from halma_fast.cli.output import count, outcome_object, print_fields, print_json, print_text
from halma_fast.render import coloured_board

__all__ = ["show"]


@click.command()
@takes_position
@json_option
def show(position: Position, as_json: bool) -> None:
    """Show the board of a position.

    With coordinates and camps, in colour on a terminal; below it the rules and how the game stands.
    """
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
