"""A solved board: the value of every position, in memory or mapped from a file, and how to ask for it.

Owns what the bytes mean to Python. Invariant: a `Solution` has one value for each position of its variant, and answers
for no other variant. Guarded by tests/solve/.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from halma_fast.checks import shorten
from halma_fast.container import Bytes, check_target, read_file, variant_of, write_file
from halma_fast.errors import HalmaError, SolutionError
from halma_fast.notation import format_fen
from halma_fast.position import Position
from halma_fast.solver import Numbering
from halma_fast.types import Score
from halma_fast.variants import Variant

__all__ = ["Counts", "Solution"]

_BLOCK = 1 << 24


@dataclass(frozen=True, slots=True)
class Counts:
    """How many positions are won, lost and drawn for the side to move, and the plies of the longest decided one.

    Positions of one side to move if the board is symmetric, else of both.
    """

    won: int
    lost: int
    drawn: int
    longest: int


class Solution:
    """The values of all positions of a variant. Made by `solve`, or from a file by `open`.

    values: a uint8 array of shape (positions,), for reading only: 0 is a draw, else 1 + the plies to the end; the side
    to move has won if these are odd and lost if they are even.
    """

    __slots__ = ("_numbering", "values")

    def __init__(self, variant: Variant, values: Bytes) -> None:
        self._numbering = Numbering(variant)
        if values.dtype != np.uint8 or values.shape != (self._numbering.total,):
            raise SolutionError(
                f"values: {values.dtype} of shape {values.shape}, expected uint8 of shape ({self._numbering.total},)"
            )
        self.values = values.view()
        self.values.flags.writeable = False

    @property
    def variant(self) -> Variant:
        """The variant that is solved."""
        return self._numbering.variant

    @property
    def positions(self) -> int:
        """How many positions have a value."""
        return self._numbering.total

    @property
    def counts(self) -> Counts:
        """Return how many positions have which value; reads them all."""
        by_value = np.zeros(256, dtype=np.int64)
        for at in range(0, self.values.size, _BLOCK):
            by_value += np.bincount(self.values[at : at + _BLOCK], minlength=256)
        decided = np.flatnonzero(by_value[1:])
        longest = int(decided[-1]) if decided.size else 0
        return Counts(int(by_value[2::2].sum()), int(by_value[1::2].sum()), int(by_value[0]), longest)

    def index(self, position: Position) -> int:
        """Return where in `values` a position is. Raises `SolutionError` for one of another variant."""
        if not isinstance(position, Position):
            raise SolutionError(f"position: {shorten(position)}, expected a Position")
        return self._numbering.index(position)

    def probe(self, position: Position) -> Score:
        """Return what a position is worth with best play of both: a win or loss in plies, or 0 points for a draw.

        Men and side to move count, the moves that led there do not: a position seen before is worth what it always is.
        Raises `SolutionError` for a position of another variant, or of one with other rules; repetition may differ.
        """
        value = int(self.values[self.index(position)])
        if value == 0:
            return Score("points", 0)
        return Score("loss" if value % 2 else "win", value - 1)

    def position(self, index: int) -> Position:
        """Return the position whose value is `values[index]`. Raises `OptionError` for an index out of range."""
        x, o, turn = self._numbering.pieces(index)
        return Position.from_fen(format_fen(self.variant, (x, o), turn, 1), self.variant)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the solution to a file, whole or not at all, in place of one that is there. Raises `SolutionError`."""
        file = check_target(path, "out", SolutionError)
        counts = self.counts
        header = {
            "kind": "solution",
            "won": counts.won,
            "lost": counts.lost,
            "drawn": counts.drawn,
            "longest": counts.longest,
        }
        write_file(file, "out", SolutionError, header, self.variant, {"values": self.values})

    @staticmethod
    def open(path: str | os.PathLike[str], *, verify: bool = True) -> Solution:
        """Return the solution of a file, whose values are read as they are asked for.

        verify: whether to read all of it first and compare its checksum.
        Raises `SolutionError` for what is no solution, is damaged or cannot be read.
        """
        header, arrays = read_file(path, "solution", SolutionError, "solution", verify)
        name = shorten(os.fspath(path))
        if set(arrays) != {"values"}:
            raise SolutionError(f"solution: {name} is damaged: it has {shorten(sorted(arrays))}, expected ['values']")
        try:
            return Solution(variant_of(header), arrays["values"])
        except HalmaError as error:
            raise SolutionError(f"solution: {name} is damaged: {error}") from error

    def __len__(self) -> int:
        return self.positions

    def __repr__(self) -> str:
        return f"<Solution of {self.variant!r}, {self.positions} positions>"
