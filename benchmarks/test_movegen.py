"""All legal moves of mid-game positions, as Python gets them, beside the C program and the reference in Python."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from baseline import array_perft
from cases import midgame_fens
from contest import ARRAY_C, PACKAGE, REFERENCE, Contest
from reference import legal_moves as reference_legal_moves
from reference import read_fen
from reference import variant as reference_variant

from halma_fast import Position

# What can be asked for, and how many moves it gave.
QUESTIONS: dict[str, Callable[[Position], int]] = {
    f"{PACKAGE}, len(legal_moves)": lambda position: len(position.legal_moves),
    f"{PACKAGE}, legal_moves_array()": lambda position: len(position.legal_moves_array()),
    f"{PACKAGE}, list(legal_moves)": lambda position: len(list(position.legal_moves)),
}


@pytest.mark.parametrize("contender", [REFERENCE, ARRAY_C, *QUESTIONS])
@pytest.mark.parametrize("name", ["halma16", "halma10", "halma8"])
def test_move_generation(name: str, contender: str, contest: Contest) -> None:
    fens = midgame_fens(name)
    group = f"moves of {len(fens)} mid-game positions of {name}"
    if contender in QUESTIONS:
        ask = QUESTIONS[contender]
        positions = [Position.from_fen(fen, name) for fen in fens]
        contest.run(group, contender, "moves", lambda: sum(map(ask, positions)), iterations=100)
    elif contender == REFERENCE:
        variant = getattr(reference_variant, name)()
        slow = [read_fen(variant, fen) for fen in fens]
        contest.run(group, contender, "moves", lambda: sum(len(reference_legal_moves(variant, each)) for each in slow))
    else:
        repeat = 1000
        contest.run_program(
            group, contender, "moves", lambda: array_perft(1, variant=name, fens=fens, repeat=repeat), repeat=repeat
        )
