"""Moves backward are exactly the moves forward, under every rule about camps."""

from __future__ import annotations

import random
from typing import Any

import pytest

from halma_fast import Position, Side, Variant
from halma_fast.notation import format_fen
from halma_fast.solver import Numbering, origins

RULES: list[tuple[str, dict[str, Any]]] = [
    ("4x4:2,1", {}),
    ("4x4:3,2,1", {}),
    ("5x5:2,1", {"goal_lock": "move"}),
    ("5x5:3,2,1", {"goal_lock": "none"}),
    ("5x5:3,2,1", {"home_reentry": False}),
    ("5x5:3,3", {"home_reentry": False, "goal_lock": "move"}),
    ("6x6:3,2,1", {}),
]


@pytest.mark.parametrize(("name", "rules"), RULES)
def test_origins_are_the_squares_whose_moves_lead_here(name: str, rules: dict[str, Any]) -> None:
    variant = Variant.named(name, repetition=None, **rules)
    chosen = random.Random(name)
    squares = [16 * rank + file for rank in range(variant.size) for file in range(variant.size)]
    seen = 0
    for _ in range(25):
        placed = chosen.sample(squares, 2 * variant.men)
        x, o = sorted(placed[: variant.men]), sorted(placed[variant.men :])
        position = Position.from_fen(format_fen(variant, (x, o), Side.O, 1), variant)
        for man in x:
            expected = []
            for origin in squares:
                if origin in placed:
                    continue
                moved = [origin if square == man else square for square in x]
                before = Position.from_fen(format_fen(variant, (moved, o), Side.X, 1), variant)
                # A finished game has no moves, but its men could move if it had not been: no matter here.
                if before.is_game_over() or before.is_legal(f"{name_of(origin)}-{name_of(man)}"):
                    expected.append((origin, before.is_game_over()))
            found = origins(position, man)
            certain = {origin for origin, over in expected if not over}
            assert certain <= set(found) <= {origin for origin, _ in expected}
            seen += len(found)
    assert seen > 100


def name_of(square: int) -> str:
    return f"{'abcdefghijklmnop'[square & 15]}{(square >> 4) + 1}"


def test_numbers_and_positions_are_each_others_inverse() -> None:
    for name in ("3x3:1", "3x3:2", "4x4:2,1", "5x5:2,1", "9x9:1"):
        numbering = Numbering(Variant.named(name))
        chosen = random.Random(name).sample(range(numbering.total), min(numbering.total, 2000))
        for index in [0, numbering.total - 1, *chosen]:
            x, o, turn = numbering.pieces(index)
            position = Position.from_fen(format_fen(numbering.variant, (x, o), turn, 1), numbering.variant)
            assert numbering.index(position) == index
