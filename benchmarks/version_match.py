"""Two builds of the package against each other: `version_match.py NEW OLD`, each a folder that holds `halma_fast`.

Games come in pairs from one random opening with sides swapped; each player is a process of its own with one folder in
its path, and keeps its table from move to move. `--nodes` (one number, or NEW,OLD) or `--time` a move; `--env-new` and
`--env-old` set variables such as HALMA_FAST_WITHOUT=lmr in debug builds. Prints wins, draws, losses, the score with the
standard error over pairs, Elo, and each side's nodes a second of processor time. Invariant: an opening depends on seed
and pair number only. Nothing tests it: it asserts nothing.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import time
from pathlib import Path

# A game is stopped as won when both sides agree for so many plies that it is by so many points; 0 plays all out.
AGREED_PLIES = 6
MAX_PLIES = 600

PLAYER = r"""
import sys, time
from halma_fast import Engine, Limit, Position, Variant
engine, before, position = Engine(16), None, None
for line in sys.stdin:
    name, win, nodes, seconds, fen, moves = line.rstrip("\n").split("|")
    moves = moves.split()
    if before is not None and before[0] == fen and moves[: len(before[1])] == before[1]:
        new = moves[len(before[1]):]
    else:
        variant = Variant.named(name, win=win) if win else Variant.named(name)
        position, new = Position(variant, fen=fen), moves
        engine.clear()
    for move in new:
        position.push(move)
    before = (fen, moves)
    begin = time.thread_time()
    # A time limit beside the nodes keeps the table from move to move.
    limit = Limit(nodes=int(nodes), time=1e6) if int(nodes) else Limit(time=float(seconds))
    found = engine.search(position, limit)
    used = time.thread_time() - begin
    kind, value = found.score.kind, found.score.value
    print(found.best_move.text, kind, value, found.depth, found.nodes, used, flush=True)
"""


class Player:
    """One build in a process."""

    def __init__(self, folder: Path, env: dict[str, str], nodes: int, seconds: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PLAYER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | env | {"PYTHONPATH": str(folder)},
        )
        self.nodes, self.seconds = nodes, seconds
        self.searched, self.used, self.depths, self.moves = 0, 0.0, 0, 0

    def play(self, variant: str, win: str, fen: str, moves: list[str]) -> tuple[str, str, int]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{variant}|{win}|{self.nodes}|{self.seconds}|{fen}|{' '.join(moves)}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            raise SystemExit("a player died")
        move, kind, value, depth, nodes, used = answer
        self.searched += int(nodes)
        self.used += float(used)
        self.depths += int(depth)
        self.moves += 1
        return move, kind, int(value)


def play_game(position, players: tuple[Player, Player], win: str, agreed: int, trust: bool) -> float:
    """Return the points of x: 1, 0.5 or 0. `players` are those of x and o."""
    fen, moves = position.fen(), []
    ahead = [0, 0]
    last = 0
    for _ in range(MAX_PLIES):
        outcome = position.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else 1.0 - outcome.winner
        turn = int(position.turn)
        move, kind, value = players[turn].play(position.variant.name, win, fen, moves)
        if kind != "points":
            if trust and win:
                return float((kind == "win") == (turn == 0))
            value = 10**6 if kind == "win" else -(10**6)
        lead = value if turn == 0 else -value
        side = 0 if not agreed or abs(lead) < agreed else 1 if lead > 0 else -1
        ahead = [ahead[0] + 1 if side == last and side else int(side != 0), side]
        last = side
        if ahead[0] >= AGREED_PLIES:
            return 1.0 if side > 0 else 0.0
        position.push(move)
        moves.append(move)
    return 0.5


def opening(variant, seed: int, pair: int, plies: int):
    """A position after random moves, of which no side has been given much more than the other."""
    from halma_fast import Position

    chance = random.Random(f"{seed} {pair}")
    while True:
        position = Position(variant)
        for _ in range(plies):
            position.push(chance.choice(list(position.legal_moves)))
        if not position.is_game_over():
            return position


def elo(score: float) -> float:
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new", type=Path)
    parser.add_argument("old", type=Path)
    parser.add_argument("--variant", default="halma8")
    parser.add_argument("--win", default="occupied")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", default="20000")
    parser.add_argument("--time", type=float, default=0.0)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agreed", type=int, default=0, help="points at which both sides may agree; 0: play all out")
    parser.add_argument("--distrust", action="store_true", help="play on after a proven score")
    parser.add_argument("--env-new", default="", help="NAME=VALUE;NAME=VALUE")
    parser.add_argument("--env-old", default="")
    given = parser.parse_args()

    sys.path.insert(0, str(given.old))
    from halma_fast import Variant

    win = "" if given.variant == "pulce" else given.win
    variant = Variant.named(given.variant, win=win) if win else Variant.named(given.variant)
    nodes = [0, 0] if given.time else [int(part) for part in (given.nodes.split(",") * 2)[:2]]
    new, old = (
        Player(folder.resolve(), dict(item.split("=", 1) for item in env.split(";") if item), count, given.time)
        for folder, env, count in zip((given.new, given.old), (given.env_new, given.env_old), nodes, strict=True)
    )
    pairs: list[float] = []
    counts = {1.0: 0, 0.5: 0, 0.0: 0}
    begin = time.time()
    plies = 0
    for pair in range(given.games // 2):
        points = []
        for swapped in (False, True):
            position = opening(variant, given.seed, pair, given.plies)
            result = play_game(position, (old, new) if swapped else (new, old), win, given.agreed, not given.distrust)
            plies += len(position.moves) if hasattr(position, "moves") else 0
            points.append(1 - result if swapped else result)
            counts[points[-1]] += 1
        pairs.append(sum(points) / 2)
        if pair % 5 == 4 or pair == given.games // 2 - 1:
            mean = sum(pairs) / len(pairs)
            error = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(1, len(pairs) - 1) / len(pairs))
            low, high = elo(mean - error), elo(mean + error)
            print(
                f"{given.variant} {2 * len(pairs)} games: +{counts[1.0]} ={counts[0.5]} -{counts[0.0]}  "
                f"{100 * mean:.1f}% +-{100 * error:.1f}  Elo {elo(mean):+.0f} [{low:+.0f} {high:+.0f}]  "
                f"knps {new.searched / max(new.used, 1e-9) / 1e3:.0f} {old.searched / max(old.used, 1e-9) / 1e3:.0f}  "
                f"depth {new.depths / max(new.moves, 1):.2f} {old.depths / max(old.moves, 1):.2f}  "
                f"moves {(new.moves + old.moves) / 2 / len(pairs):.0f}  {time.time() - begin:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
