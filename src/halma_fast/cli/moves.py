"""`halma-fast moves`: the legal moves of a position. Guarded by tests/cli/test_moves.py."""

from __future__ import annotations

import click

from halma_fast import Move, Position
from halma_fast.cli.options import json_option, takes_position
from halma_fast.cli.output import count, outcome_object, path_names, print_json, print_table, print_text

__all__ = ["moves"]


@click.command()
@takes_position
@json_option
def moves(position: Position, as_json: bool) -> None:
    """List the legal moves of a position.

    A move of several hops is shown with a path that has the fewest of them.
    """
    paths = {move: path_names(position, move) for move in sorted(position.legal_moves)}
    outcome = position.outcome()
    if as_json:
        print_json(
            {
                "variant": position.variant.name,
                "fen": position.fen(),
                "count": len(paths),
                "moves": [{"move": move.text, "path": path} for move, path in paths.items()],
                "outcome": outcome_object(outcome),
            }
        )
        return
    print_text(f"{position.fen()}  ({position.variant.name})")
    if outcome is not None:
        print_text(f"no moves: {outcome}")
        return
    plural = "" if len(paths) == 1 else "s"
    print_text(f"{count(len(paths))} move{plural} of {position.turn.letter}\n")
    rows = []
    for move, path in paths.items():
        hops = "" if not move else "step" if _is_step(move) else str(len(path) - 1)
        rows.append((move.text, hops, "-".join(path)))
    print_table(("move", "hops", "path"), rows, "<><")


def _is_step(move: Move) -> bool:
    """Tell a step from hops: only a step ends beside its start."""
    files = abs((move.from_square & 15) - (move.to_square & 15))
    ranks = abs((move.from_square >> 4) - (move.to_square >> 4))
    return max(files, ranks) == 1
