"""Quick games of the engine against itself, as positions with their search score and the game's result.

Owns how games that teach the evaluation are played and kept. Invariant: a game depends on nothing but variant, limits,
seed and its number, so that games may be played anywhere, in any order. Guarded by tests/learn/test_selfplay.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from halma_fast.engine import Engine
from halma_fast.position import Position
from halma_fast.types import Limit, Side
from halma_fast.variants import Variant

__all__ = ["PlayedPositions", "joined", "play_games", "spread_games"]

MAX_PLIES: Final = 400
OPENING_PLIES: Final = (4, 13)
RANDOM_MOVES: Final = 0.04  # share of moves that are random, so that games leave the beaten track
AGREED_PLIES: Final = 6  # so long must both sides see the same lead before a game is given up
HASH_MB: Final = 2
GAMES_A_PART: Final = 20


@dataclass(frozen=True, slots=True)
class PlayedPositions:
    """Positions of games, one a row, as the side to move sees them: its goal is where x's goal is.

    own, other: uint8, shape (positions, men), squares (16 * rank + file) of the mover's men and of the other side's, in
    rising order, turned by 180 degrees for o. score: int16, points of a search for the mover. result: float32, 1 if the
    mover won in the end, 0 if it lost, 0.5 for a draw. ply: int16, from the start. game: int32, the game's number.
    """

    own: NDArray[np.uint8]
    other: NDArray[np.uint8]
    score: NDArray[np.int16]
    result: NDArray[np.float32]
    ply: NDArray[np.int16]
    game: NDArray[np.int32]


def joined(parts: Iterable[PlayedPositions]) -> PlayedPositions:
    """Return the positions of several parts as one, in their order; there must be at least one part."""
    parts = list(parts)
    return PlayedPositions(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(PlayedPositions)))


def play_games(variant: Variant, numbers: Sequence[int], *, seed: int, nodes: int, margin: int) -> PlayedPositions:
    """Play the games with these numbers and return the positions in which the engine chose a move.

    nodes: of each search. margin: points; a game ends when both sides have seen such a lead for six plies, as it does
    with a proven win. The first 4 to 12 plies and 4 % of the later ones are random.
    """
    engine = Engine(HASH_MB)
    rows: list[tuple[list[int], list[int], int, float, int, int]] = []
    for number in numbers:
        rows += _play(variant, Random(f"{seed}/{number}"), engine, nodes, margin, number)
    own, other, score, result, ply, game = zip(*rows, strict=True) if rows else ((),) * 6
    shape = (len(rows), variant.men)
    return PlayedPositions(
        np.array(own, np.uint8).reshape(shape),
        np.array(other, np.uint8).reshape(shape),
        np.array(score, np.int16),
        np.array(result, np.float32),
        np.array(ply, np.int16),
        np.array(game, np.int32),
    )


def _play(
    variant: Variant, chance: Random, engine: Engine, nodes: int, margin: int, number: int
) -> list[tuple[list[int], list[int], int, float, int, int]]:
    position = Position(variant)
    seen: list[tuple[list[int], list[int], int, int, int]] = []
    # A time that is never used up keeps the table from move to move.
    limit = Limit(nodes=nodes, time=1e6)
    engine.clear()
    opening = chance.randrange(*OPENING_PLIES)
    turn = 17 * (variant.size - 1)
    x_result, agreed = 0.5, 0
    while position.ply < MAX_PLIES:
        outcome = position.outcome()
        if outcome is not None:
            x_result = 0.5 if outcome.winner is None else float(outcome.winner == Side.X)
            break
        legal = list(position.legal_moves)
        if legal and (position.ply < opening or chance.random() < RANDOM_MOVES):
            position.push(chance.choice(legal))
            continue
        found = engine.search(position, limit)
        side = position.turn
        sign = 1 if side == Side.X else -1
        if found.score.kind != "points":
            x_result = float((found.score.kind == "win") == (side == Side.X))
            break
        points = found.score.value
        own, other = (
            sorted(turn - s if side == Side.O else s for s in position.pieces(which)) for which in (side, side.other)
        )
        seen.append((own, other, points, sign, position.ply))
        lead = sign * points
        agreed = max(agreed, 0) + 1 if lead >= margin else min(agreed, 0) - 1 if lead <= -margin else 0
        if abs(agreed) >= AGREED_PLIES:
            x_result = float(agreed > 0)
            break
        position.push(found.best_move)
    return [
        (own, other, max(-32000, min(32000, points)), x_result if sign > 0 else 1 - x_result, ply, number)
        for own, other, points, sign, ply in seen
    ]


def spread_games(
    executor: Executor, variant: Variant, numbers: Sequence[int], *, seed: int, nodes: int, margin: int
) -> Iterator[PlayedPositions]:
    """Play the games with these numbers on an executor; yields their positions in parts of 20 games, in order.

    The executor may be a process pool or a Dask cluster's. What is not begun is cancelled when the caller stops.
    """
    parts = [numbers[k : k + GAMES_A_PART] for k in range(0, len(numbers), GAMES_A_PART)]
    futures = [executor.submit(play_games, variant, part, seed=seed, nodes=nodes, margin=margin) for part in parts]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()
