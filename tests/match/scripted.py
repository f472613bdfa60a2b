"""Players that do as the tests need: slow ones, wrong ones, and programs that fail."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

from halma_fast import Limit, Move, Position, Variant
from halma_fast.types import Played

TESTS = Path(__file__).parents[1]


def fake_program(mode: str) -> str:
    """The name of a player that is the scripted engine of the client's tests."""
    return f"ugi:{shlex.join([sys.executable, '-I', '-S', str(TESTS / 'ugi' / 'fake_engine.py'), mode])}"


def real_program() -> str:
    """The name of a player that is this package behind the protocol."""
    return f"ugi:{shlex.join([sys.executable, '-m', 'halma_fast', 'ugi'])}"


class Scripted:
    """Plays what a function says, the first legal move by default, after some seconds."""

    def __init__(
        self, choose: Callable[[Position], object] | None = None, *, seconds: float = 0.0, after: int = 0
    ) -> None:
        self.name = "scripted"
        self.limits: list[Limit] = []
        self.seeds: list[int | str] = []
        self.closed = False
        self._choose = choose
        self._seconds = seconds
        self._after = after

    def new_game(self, variant: Variant, seed: int | str = 0) -> None:
        self.seeds.append(seed)

    def play(self, position: Position, limit: Limit) -> Played:
        self.limits.append(limit)
        if self._choose is None or len(self.limits) <= self._after:
            return Played(next(iter(position.legal_moves)))
        time.sleep(self._seconds)
        return Played(self._choose(position))  # type: ignore[arg-type]

    def close(self) -> None:
        self.closed = True


def first(position: Position) -> Move:
    return next(iter(position.legal_moves))


def last(position: Position) -> Move:
    return list(position.legal_moves)[-1]
