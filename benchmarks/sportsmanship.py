"""Whether games under `win="full"` end: the engine against itself, and against a player that holds men at home.

    python benchmarks/sportsmanship.py [--games 100] [--nodes 3000]

Random openings of 8 moves; a game that is not over after 40 turns a file of the board counts as endless. The holder
brings its men forward greedily, but never moves its last one or two men at home as long as others can move.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable

from rich.console import Console
from rich.progress import track

from halma_fast import PASS, Engine, Limit, Move, Position

VARIANTS = ("halma8", "halma10", "halma16")
OPENING = 8
TURNS_A_FILE = 40

Chooser = Callable[[Position], Move]


def from_corner(position: Position, square: int) -> int:
    """Files and ranks between a square and the corner of the home camp of the side to move."""
    last = position.variant.size - 1
    file, rank = square & 15, square >> 4
    return (last - file) + rank if position.turn == 0 else file + (last - rank)


def holder(held: int, chance: random.Random) -> Chooser:
    """A player that keeps its last `held` men at home."""

    def choose(position: Position) -> Move:
        variant, side = position.variant, position.turn
        moves = list(position.legal_moves)
        if not moves:
            return PASS
        home = [square for square in position.pieces(side) if square in variant.home[side]]
        kept = sorted(home, key=lambda square: from_corner(position, square))[:held]
        free = [move for move in moves if move.from_square not in kept] or moves

        def gain(move: Move) -> tuple[bool, int]:
            enters = move.to_square in variant.goal[side] and move.from_square not in variant.goal[side]
            return enters, from_corner(position, move.to_square) - from_corner(position, move.from_square)

        most = max(map(gain, free))
        return chance.choice([move for move in free if gain(move) == most])

    return choose


def play(variant: str, nodes: int, seed: int, held: int | None) -> tuple[str, int]:
    """How a game ended, "win", "loss", a reason for a draw or "endless", for the engine; and its moves."""
    chance, position = random.Random(seed), Position(variant)
    for _ in range(OPENING):
        position.push(chance.choice(list(position.legal_moves)))
    engines = [Engine(4), Engine(4)]
    limit = Limit(nodes=nodes, time=1e6)  # with a limit of time the table is kept from move to move
    other = None if held is None else holder(held, chance)
    me = seed % 2
    for turns in range(OPENING, TURNS_A_FILE * position.variant.size):
        outcome = position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return outcome.reason, turns
            return "win" if other is None or outcome.winner == me else "loss", turns
        if other is not None and position.turn != me:
            position.push(other(position))
        else:
            position.push(engines[position.turn].search(position, limit).best_move)
    return "endless", TURNS_A_FILE * position.variant.size


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="on each board, against each")
    parser.add_argument("--nodes", type=int, default=3000, help="a move")
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS))
    given = parser.parse_args()
    console = Console(stderr=True)
    print("| board | against | games | won | lost | drawn | endless | turns a game |")
    print("|---|---|---|---|---|---|---|---|")
    lost = 0
    for variant in given.variants:
        for held, name in ((None, "itself"), (1, "a holder of one man"), (2, "a holder of two")):
            seeds = track(range(given.games), f"{variant}, {name}", console=console)
            games = [play(variant, given.nodes, seed, held) for seed in seeds]
            count = Counter(result for result, _ in games)
            drawn = given.games - count["win"] - count["loss"] - count["endless"]
            turns = sum(turns for _, turns in games) / given.games
            print(
                f"| {variant} | {name} | {given.games} | {count['win']} | {count['loss']} | {drawn} |"
                f" {count['endless']} | {turns:.0f} |",
                flush=True,
            )
            lost += count["loss"]
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
