"""`halma-fast race`: the fewest moves of an army alone. Guarded by tests/cli/test_race.py."""

from __future__ import annotations

import time

import click

from halma_fast import Move, Position, Side
from halma_fast.cli.options import integer, json_option, takes_position
from halma_fast.cli.output import count, duration, print_fields, print_json
from halma_fast.cli.progress import ProgressLine
from halma_fast.race import DEFAULT_MEMORY_MB, Layer, Race, decided, shortest_way

__all__ = ["race"]

_GIVES_POSITION = ("fen", "moves")


@click.command()
@takes_position
@click.option(
    "--side", type=click.Choice(["x", "o"], case_sensitive=False), help="Whose army. Default: x, or both of a position."
)
@click.option(
    "--memory",
    "memory_mb",
    callback=integer,
    default=str(DEFAULT_MEMORY_MB),
    show_default=True,
    metavar="MB",
    help="For the placements that the search keeps.",
)
@json_option
@click.pass_context
def race(context: click.Context, position: Position, side: str | None, memory_mb: int, as_json: bool) -> None:
    """Find the fewest moves that take an army into the opposite corner, alone on the board.

    From the start without a goal lock, unless --goal-lock is given. With --fen or --moves from that position and under
    its rules, for both sides; and whether the game is decided since the armies cannot meet any more. The home duty,
    and so csci561, is refused; halma16 has the same camps.
    """
    given = {name for name in context.params if _is_given(context, name)}
    from_start = not given.intersection(_GIVES_POSITION)
    if from_start and "goal_lock" not in given and position.variant.family == "halma":
        position = Position(position.variant, goal_lock="none")
    sides = [Side.from_letter(side)] if side is not None else [Side.X] if from_start else list(Side)
    begin = time.perf_counter()
    ways: dict[Side, tuple[Move, ...] | None] = {}
    for which in sides:
        with ProgressLine(f"searching for {which.letter}") as line:

            def report(layer: Layer, line: ProgressLine = line, letter: str = which.letter) -> None:
                kept = f"{count(layer.placements)} placements"
                line.update(f"{letter} needs at least {layer.limit} moves, ways of {layer.moves} looked at, {kept}")

            ways[which] = shortest_way(position, which, memory_mb=memory_mb, on_layer=report)
    won = None if from_start else decided(position)
    seconds = time.perf_counter() - begin
    if as_json:
        print_json(
            {
                "variant": position.variant.name,
                "fen": position.fen(),
                "goal_lock": position.variant.goal_lock,
                "races": {
                    which.letter: None if way is None else {"moves": len(way), "line": [move.text for move in way]}
                    for which, way in ways.items()
                },
                "decided": _decided_object(won),
                "seconds": round(seconds, 6),
            }
        )
        return
    fields: list[tuple[str, str | list[str]]] = [
        ("variant", position.variant.name),
        ("position", position.fen()),
        ("goal lock", position.variant.goal_lock),
    ]
    for which, way in ways.items():
        fields.append((f"moves of {which.letter}", "no way" if way is None else str(len(way))))
        if way:
            fields.append((f"line of {which.letter}", [move.text for move in way]))
    if not from_start:
        fields.append(
            ("decided", "not known" if won is None else f"{won.winner.letter} wins, {won.score} plies at most")
        )
    fields.append(("time", duration(seconds)))
    print_fields(fields)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


def _decided_object(won: Race | None) -> dict[str, object] | None:
    if won is None:
        return None
    return {"winner": won.winner.letter, "kind": won.score.kind, "plies": won.score.value}
