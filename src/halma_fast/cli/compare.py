"""`halma-fast perft --compare`: another program's divide beside ours. Guarded by tests/cli/test_compare.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from halma_fast import Move, Position
from halma_fast.cli.output import Disagreement, as_rate, count, print_fields, print_json, print_table, print_text
from halma_fast.compare import Difference, Divided, differences

__all__ = ["print_comparison"]

_MAX_SHOWN: Final = 20


def print_comparison(
    position: Position, depth: int, ours: Mapping[Move, int], theirs: Divided, seconds: float, as_json: bool
) -> None:
    """Print what differs between two divides of `position` at `depth`; raises `Disagreement` if anything does.

    seconds: how long ours took.
    """
    found = differences(ours, theirs.counts)
    look_into = next((difference for difference in found if None not in (difference.ours, difference.theirs)), None)
    nodes = sum(ours.values())
    complaint = _complaint(found, theirs)
    following = None if look_into is None or depth == 1 else _following(position, depth, look_into.move)
    if as_json:
        print_json(
            {
                "variant": position.variant.name,
                "fen": position.fen(),
                "depth": depth,
                "equal": complaint is None,
                "moves": len(ours),
                "nodes": nodes,
                "their_moves": len(theirs.counts),
                "their_nodes": theirs.sum,
                "their_total": theirs.total,
                "differences": [
                    {"move": difference.move.text, "ours": difference.ours, "theirs": difference.theirs}
                    for difference in found
                ],
                "next": following,
                "seconds": round(seconds, 6),
                "nps": as_rate(nodes, seconds),
            }
        )
    else:
        if found:
            print_table(("move", "ours", "theirs", "theirs - ours"), map(_row, found[:_MAX_SHOWN]), "<>>>")
            more = f"and {count(len(found) - _MAX_SHOWN)} more\n" if len(found) > _MAX_SHOWN else ""
            print_text(more)
        stated = "" if theirs.total is None else f", stated {count(theirs.total)}"
        fields = [
            ("variant", position.variant.name),
            ("position", position.fen()),
            ("depth", str(depth)),
            ("moves", f"{count(len(ours))} (theirs {count(len(theirs.counts))})"),
            ("nodes", f"{count(nodes)} (theirs {count(theirs.sum)}{stated})"),
            ("time", f"{seconds:.3f} s"),
            ("result", "equal" if complaint is None else complaint),
        ]
        if following is not None:
            fields.append(("look into", f"{following['move']}: depth {following['depth']} of {following['fen']}"))
        print_fields(fields)
    if complaint is not None:
        raise Disagreement(f"the divides differ: {complaint}")


def _complaint(found: list[Difference], theirs: Divided) -> str | None:
    """What differs, in words, or `None`."""
    parts = []
    for moves, words in (
        ([difference for difference in found if difference.theirs is None], "they do not have"),
        ([difference for difference in found if difference.ours is None], "only they have"),
        ([difference for difference in found if None not in (difference.ours, difference.theirs)], "counted otherwise"),
    ):
        if moves:
            plural = "" if len(moves) == 1 else "s"
            parts.append(f"{count(len(moves))} move{plural} {words} (first {moves[0].move.text})")
    if theirs.counts and theirs.total not in (None, theirs.sum):
        parts.append("their total is not the sum of their counts")
    return ", ".join(parts) or None


def _row(difference: Difference) -> tuple[str, str, str, str]:
    ours, theirs = difference.ours, difference.theirs
    change = "" if ours is None or theirs is None else f"{theirs - ours:+,}"
    return difference.move.text, _cell(ours), _cell(theirs), change


def _cell(leaves: int | None) -> str:
    return "no such move" if leaves is None else count(leaves)


def _following(position: Position, depth: int, move: Move) -> dict[str, Any]:
    """Where the search for the bug goes on: the position below the first move that both have and count differently."""
    below = position.copy()
    below.push(move)
    return {"move": move.text, "fen": below.fen(), "depth": depth - 1}
