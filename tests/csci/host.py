"""A game host of the homework that knows the package's rules and formats only from the reference and the sheet."""

from __future__ import annotations

import re
from itertools import pairwise

import reference
from reference import Game, Square, csci561
from reference.ending import is_completed
from reference.moves import hops, legal_moves


class Host:
    """Keeps the board, writes input texts and takes output texts; there is no draw by repetition in the homework."""

    def __init__(self) -> None:
        self.variant = csci561(repetition=None)
        self.game = Game(self.variant)
        self.turns = 0

    def input_text(self, seconds: float) -> str:
        position = self.game.position
        black, white = position.x, position.o
        rows = [
            "".join("B" if (x, 15 - y) in black else "W" if (x, 15 - y) in white else "." for x in range(16))
            for y in range(16)
        ]
        colour = "BLACK" if position.turn == "x" else "WHITE"
        return "\n".join(["GAME", colour, str(seconds), *rows]) + "\n"

    def path(self, text: str) -> list[Square] | None:
        """The squares of the lines of an output, or None if they are not such lines or do not join."""
        path: list[Square] = []
        lines = text.splitlines()
        for line in lines:
            found = re.fullmatch(r"([EJ]) (\d+),(\d+) (\d+),(\d+)", line, re.ASCII)
            if found is None or (found[1] == "E" and len(lines) > 1):
                return None
            x, y, to_x, to_y = map(int, found.groups()[1:])
            source, target = (x, 15 - y), (to_x, 15 - to_y)
            if path and path[-1] != source:
                return None
            path += [target] if path else [source, target]
        return path or None

    def is_legal(self, text: str) -> bool:
        path = self.path(text)
        if path is None or (path[0], path[-1]) not in legal_moves(self.variant, self.game.position):
            return False
        if text.startswith("E"):
            return max(abs(path[0][0] - path[1][0]), abs(path[0][1] - path[1][1])) == 1
        side, occupied = self.game.position.turn, self.game.position.occupied - {path[0]}
        return all(target in hops(self.variant, occupied, side, source) for source, target in pairwise(path))

    def take(self, text: str) -> None:
        assert self.is_legal(text), text
        path = self.path(text)
        assert path is not None
        self.game.push((path[0], path[-1]))
        self.turns += 1

    def is_over(self) -> bool:
        return is_completed(self.variant, self.game.position)

    def winner(self) -> reference.Side | None:
        outcome = self.game.outcome()
        return None if outcome is None else outcome.winner
