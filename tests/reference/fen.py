"""Reading and writing position strings (rule 21).

Reading checks the number of men, as nothing else does. Guarded by test_reference_strings.py.
"""

import re

from reference.board import Square
from reference.position import Position
from reference.variant import Variant


class FenError(Exception):
    """The text is no position of the variant."""


def write_fen(variant: Variant, position: Position) -> str:
    ranks = []
    for rank in reversed(range(variant.size)):
        letters = "".join(_letter(variant, position, (file, rank)) for file in range(variant.size))
        ranks.append(re.sub(" +", lambda run: str(len(run.group())), letters))
    return f"{'/'.join(ranks)} {position.turn} {position.number}"


def _letter(variant: Variant, position: Position, square: Square) -> str:
    if square not in variant.squares:
        return "-"
    return "x" if square in position.x else "o" if square in position.o else " "


def read_fen(variant: Variant, text: str) -> Position:
    fields = re.split("[ \t]+", text)
    if len(fields) == 2:
        fields.append("1")
    if len(fields) != 3 or fields[1] not in ("x", "o") or not re.fullmatch("[1-9][0-9]{0,6}", fields[2], re.ASCII):
        raise FenError(f"not placement, side, number: {text!r}")
    ranks = fields[0].split("/")
    if len(ranks) != variant.size:
        raise FenError(f"{len(ranks)} ranks")
    men: dict[str, set[Square]] = {"x": set(), "o": set(), "-": set(), " ": set()}
    for rank, row in zip(reversed(range(variant.size)), ranks, strict=True):
        if not re.fullmatch("([1-9][0-9]?(?![0-9])|[xo-])+", row, re.ASCII):  # digits side by side are one number
            raise FenError(f"no rank: {row!r}")
        letters = re.sub("[0-9]{1,2}", lambda number: " " * int(number.group()), row)
        if len(letters) != variant.size:
            raise FenError(f"{len(letters)} squares in rank {rank + 1}")
        for file, letter in enumerate(letters):
            men[letter].add((file, rank))
    if men["x"] | men["o"] | men[" "] != variant.squares:
        raise FenError("a hole in the wrong place")
    if len(men["x"]) != variant.men or len(men["o"]) != variant.men:
        raise FenError(f"{len(men['x'])} and {len(men['o'])} men")
    return Position(frozenset(men["x"]), frozenset(men["o"]), "x" if fields[1] == "x" else "o", int(fields[2]))
