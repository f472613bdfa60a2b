"""Making and unmaking every legal move of a mid-game position from Python, beside the reference in Python."""

from __future__ import annotations

import pytest
from cases import midgame_fens
from contest import PACKAGE, REFERENCE, Contest
from reference import Game, read_fen
from reference import legal_moves as reference_legal_moves
from reference import variant as reference_variant

from halma_fast import Position


@pytest.mark.parametrize("contender", [REFERENCE, PACKAGE])
@pytest.mark.parametrize("name", ["halma16", "halma10", "halma8"])
def test_push_and_pop(name: str, contender: str, contest: Contest) -> None:
    fen = midgame_fens(name)[0]
    group = f"push and pop of all moves of a mid-game position of {name}"
    if contender == PACKAGE:
        position = Position.from_fen(fen, name)
        moves = list(position.legal_moves)

        def loop() -> int:
            for move in moves:
                position.push(move)
                position.pop()
            return len(moves)

        contest.run(group, contender, "moves", loop, iterations=100)
    else:
        variant = getattr(reference_variant, name)()
        game = Game(variant, [read_fen(variant, fen)])
        slow = list(reference_legal_moves(variant, game.position))

        def slow_loop() -> int:
            for move in slow:
                game.push(move)
                game.pop()
            return len(slow)

        contest.run(group, contender, "moves", slow_loop, iterations=10)
