"""Perft: the package beside the array board in C, and, at a small depth, beside the reference in Python."""

from __future__ import annotations

import pytest
from baseline import array_perft
from cases import PERFT_CASES, PerftCase
from contest import ARRAY_C, PACKAGE, REFERENCE, Contest
from reference import perft as reference_perft
from reference import start_position
from reference import variant as reference_variant

from halma_fast import Position, perft


@pytest.mark.parametrize("contender", [ARRAY_C, PACKAGE])
@pytest.mark.parametrize("case", PERFT_CASES, ids=lambda case: case.title)
def test_perft(case: PerftCase, contender: str, contest: Contest) -> None:
    depth = case.quick_depth
    fens = case.fens
    group = f"perft {case.title} depth {depth}"
    if contender == PACKAGE:
        positions = case.positions()
        contest.run(group, contender, "leaves", lambda: sum(perft(each, depth) for each in positions), rounds=10)
    else:
        contest.run_program(group, contender, "leaves", lambda: array_perft(depth, variant=case.variant, fens=fens))


@pytest.mark.parametrize("contender", [ARRAY_C, PACKAGE])
def test_perft_that_makes_every_move(contender: str, contest: Contest) -> None:
    """Without bulk counting: the cost of a move made and taken back, rather than of a list of moves."""
    group = "perft halma16 depth 4, every leaf made"
    if contender == PACKAGE:
        position = Position("halma16")
        contest.run(group, contender, "leaves", lambda: perft(position, 4, bulk=False))
    else:
        contest.run_program(group, contender, "leaves", lambda: array_perft(4, bulk=False))


@pytest.mark.parametrize("contender", [REFERENCE, ARRAY_C, PACKAGE])
@pytest.mark.parametrize("name", ["halma16", "pulce"])
def test_perft_beside_the_reference(name: str, contender: str, contest: Contest) -> None:
    group = f"perft {name} depth 2"
    if contender == PACKAGE:
        position = Position(name)
        contest.run(group, contender, "leaves", lambda: perft(position, 2), iterations=100)
    elif contender == REFERENCE:
        variant = getattr(reference_variant, name)()
        start = start_position(variant)
        contest.run(group, contender, "leaves", lambda: reference_perft(variant, start, 2))
    else:
        repeat = 1000
        contest.run_program(
            group, contender, "leaves", lambda: array_perft(2, variant=name, repeat=repeat), repeat=repeat
        )
