"""`halma-fast eval`: the evaluation of a position term by term. Guarded by tests/cli/test_eval.py."""

from __future__ import annotations

import click

from halma_fast import Position, Side, square_name
from halma_fast.cli.options import json_option, takes_position
from halma_fast.cli.output import print_json, print_table, print_text
from halma_fast.evaluation import Evaluation, evaluate, square_values

__all__ = ["eval_"]


@click.command("eval")
@takes_position
@click.option("--squares", is_flag=True, help="Also show what a man of the side to move is worth on each square.")
@json_option
def eval_(position: Position, squares: bool, as_json: bool) -> None:
    """Show the terms of a position's evaluation, without search.

    In points of each side's men, and as the side to move sees them: its own less the other side's.
    """
    found = evaluate(position)
    values = square_values(position, position.turn) if squares else {}
    if as_json:
        shown: dict[str, object] = {
            "variant": position.variant.name,
            "fen": position.fen(),
            "turn": position.turn.letter,
            "terms": {term.name: {"x": term.x, "o": term.o} for term in found.terms},
            "total": found.total,
        }
        if squares:
            shown["squares"] = {square_name(square): points for square, points in sorted(values.items())}
        print_json(shown)
        return
    print_text(f"{position.fen()}  ({position.variant.name})\n")
    print_table(("term", "x", "o", f"for {position.turn.letter}"), _rows(found), "<>>>")
    if squares:
        print_text(f"\na man of {position.turn.letter}\n\n{_board(position.variant.size, values)}")


def _rows(found: Evaluation) -> list[tuple[str, str, str, str]]:
    rows = [(term.name, term.x, term.o) for term in found.terms]
    rows.append(("total", found.sum(Side.X), found.sum(Side.O)))
    sign = 1 if found.turn == Side.X else -1
    return [(name, f"{x:+d}", f"{o:+d}", f"{sign * (x - o):+d}") for name, x, o in rows]


def _board(size: int, values: dict[int, int]) -> str:
    """The points on their squares, with coordinates; nothing where a man has none of its own."""
    width = max(len(str(points)) for points in values.values())
    lines = []
    for rank in reversed(range(size)):
        row = [str(values.get(16 * rank + file, "")) for file in range(size)]
        lines.append(f"{rank + 1:>2}  {' '.join(f'{points:>{width}}' for points in row)}".rstrip())
    lines.append(f"    {' '.join(f'{chr(97 + file):>{width}}' for file in range(size))}")
    return "\n".join(lines)
