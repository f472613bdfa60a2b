"""Nodes a second of the search, beside the array board in C making moves and listing them at as many positions."""

from __future__ import annotations

import pytest
from baseline import Count, array_perft
from cases import midgame_fens
from contest import ARRAY_C, PACKAGE, Contest

from halma_fast import Engine, Position

NODES = 100_000


@pytest.mark.parametrize("contender", [ARRAY_C, PACKAGE])
@pytest.mark.parametrize("name", ["halma16", "halma10", "halma8"])
def test_search(name: str, contender: str, contest: Contest) -> None:
    """The C program only lists the moves at each position: what a node costs before anything is searched."""
    fen = midgame_fens(name)[0]
    group = f"search of a mid-game position of {name}, {NODES:,} nodes"
    if contender == PACKAGE:
        position = Position.from_fen(fen, name)
        engine = Engine()

        def search() -> int:
            engine.clear()  # else the second round would find its answers in the table
            return engine.search(position, nodes=NODES).nodes

        contest.run(group, contender, "nodes", search)
    else:

        def generate() -> Count:
            return Count(NODES, array_perft(1, variant=name, fens=[fen], repeat=NODES).seconds)

        contest.run_program(group, contender, "nodes", generate)
