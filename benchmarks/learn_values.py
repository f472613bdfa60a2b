"""The numbers of the linear evaluation, made anew: `learn_values.py halma8 --games 6500 --share 0.7`.

The engine plays quick games against itself from random openings; a logistic regression of their results on the men of a
third of their positions gives each square, the tempo and the class steps their points. What is written is `--share` of
that and the rest of the distance formula: alone it loses the thread where its games never went, so that a match, not
the loss, chooses the share (benchmarks/strength.md). Prints the table; `--write` puts it into data/values.json.
Invariant: seeded, so equal arguments and engine give equal numbers. Guarded, as to its output, by
tests/search/test_values.py.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from halma_fast import Engine, Limit, Position, Variant
from halma_fast._kernel.values import formula_values

VALUES = Path(__file__).resolve().parents[1] / "src" / "halma_fast" / "data" / "values.json"
MAX_PLIES = 400
FIRST_PLY = 4  # positions before it are the same in all games
RANDOM_MOVES = 0.02  # share of moves that are random, so that games leave the beaten track
PULL = 1.0  # towards the formula, in games' weight

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Features:
    """Of each position the difference of both sides' men, square class by square class, then tempo and class steps."""

    rows: Floats
    result: Floats  # of x: 0 or 1
    game: NDArray[np.int64]


class Board:
    """The squares of a variant up to the mirror in the long diagonal, from x's view; o has the board turned."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        last = variant.size - 1
        self.squares = [s for s in range(256) if s >> 4 < variant.size > s & 15]
        folded = {s: min(s, 16 * (last - (s & 15)) + last - (s >> 4)) for s in self.squares}
        self.representatives = sorted(set(folded.values()))
        index = {square: k for k, square in enumerate(self.representatives)}
        self.of_x = {s: index[folded[s]] for s in self.squares}
        self.of_o = {17 * last - s: k for s, k in self.of_x.items()}
        self.room = [self.classes(goal) for goal in variant.goal]

    @staticmethod
    def classes(squares: object) -> list[int]:
        counts = [0] * 4
        for s in squares:  # type: ignore[attr-defined]
            counts[(s & 1) + 2 * (s >> 4 & 1)] += 1
        return counts


def play(variant: Variant, nodes: int, chance: random.Random, engine: Engine) -> tuple[list[tuple[int, int]], float]:
    """A game's moves as pairs of squares, and 1, 0 or 0.5 for x."""
    position, moves = Position(variant), []
    # A time that is never used up keeps the table from move to move.
    limit = Limit(nodes=nodes, time=1e6)
    engine.clear()
    opening = chance.randrange(4, 13)
    while (outcome := position.outcome()) is None and len(moves) < MAX_PLIES:
        legal = list(position.legal_moves)
        if legal and (len(moves) < opening or chance.random() < RANDOM_MOVES):
            move = chance.choice(legal)
        else:
            found = engine.search(position, limit)
            move = found.best_move
            if found.score.kind != "points":
                return moves, float((found.score.kind == "win") == (int(position.turn) == 0))
        moves.append((move.from_square, move.to_square))
        position.push(move)
    return moves, 0.5 if outcome is None or outcome.winner is None else 1.0 - int(outcome.winner)


def features(board: Board, games: int, nodes: int, seed: int, sampled: float) -> Features:
    """Positions of games of the engine against itself; drawn games say nothing and are left out."""
    rows, results, numbers = [], [], []
    chance, engine = random.Random(seed), Engine(2)
    for number in range(games):
        if number % 100 == 0:
            print(f"{number} of {games} games", file=sys.stderr)
        moves, result = play(board.variant, nodes, chance, engine)
        if result == 0.5:
            continue
        counts = np.zeros(len(board.representatives))
        for s in board.variant.start[0]:
            counts[board.of_x[s]] += 1
        for s in board.variant.start[1]:
            counts[board.of_o[s]] -= 1
        classes = [board.classes(men) for men in board.variant.start]
        for ply, (origin, target) in enumerate(moves):
            side = ply % 2
            if origin != target:
                place, sign = (board.of_x, 1) if side == 0 else (board.of_o, -1)
                counts[place[origin]] -= sign
                counts[place[target]] += sign
                classes[side][(origin & 1) + 2 * (origin >> 4 & 1)] -= 1
                classes[side][(target & 1) + 2 * (target >> 4 & 1)] += 1
            if ply >= FIRST_PLY and chance.random() < sampled:
                steps = [sum(max(0, classes[t][k] - board.room[t][k]) for k in range(4)) for t in (0, 1)]
                rows.append([*counts, 1 if side else -1, steps[1] - steps[0]])
                results.append(result)
                numbers.append(number)
    return Features(np.array(rows, float), np.array(results), np.array(numbers))


def roughness(board: Board) -> Floats:
    """The sum of squared second differences along all lines of three squares on one side of the goal's edge."""
    goal, lines = board.variant.goal[0], []
    for s in board.squares:
        for step in (1, 16, 17, 15):
            before, after = s - step, s + step
            ends = {before & 15, s & 15, after & 15}
            if before not in board.of_x or after not in board.of_x or len(ends) != (1 if step == 16 else 3):
                continue
            if len({q in goal for q in (before, s, after)}) > 1:
                continue
            line = np.zeros(len(board.representatives) + 2)
            for q, weight in ((before, 1), (s, -2), (after, 1)):
                line[board.of_x[q]] += weight
            lines.append(line)
    return np.array(lines).T @ np.array(lines)


def fit(rows: Floats, result: Floats, prior: Floats, penalty: Floats, pull: Floats) -> Floats:
    """Logistic regression by Newton's method, smooth by `penalty` and drawn to `prior` by `pull`."""
    weights = prior.copy()
    for _ in range(15):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        curvature = np.maximum(chance * (1 - chance), 1e-4)
        slope = rows.T @ (chance - result) + penalty @ weights + pull * (weights - prior)
        weights = weights - np.linalg.solve(
            (rows * curvature[:, None]).T @ rows + penalty + np.diag(pull + 1e-6), slope
        )
    return weights


def loss(rows: Floats, result: Floats, weights: Floats) -> float:
    z = rows @ weights
    return float(np.mean(np.logaddexp(0, z) - result * z))


def learn(board: Board, data: Features, smooth: float) -> tuple[Floats, Floats, float]:
    """Return the points of the classes of squares, of tempo and class step, and the loss on a tenth of the games."""
    formula = np.array([formula_values(board.variant, 0)[s] for s in board.representatives], float)
    count = len(formula)
    none, some = np.zeros(3), np.r_[np.ones(count), 0, 0]
    scaled = fit(np.c_[data.rows[:, :count] @ formula, data.rows[:, count:]], data.result, none, np.zeros((3, 3)), none)
    prior = np.r_[formula * scaled[0], scaled[1:]]
    penalty, held = smooth * roughness(board), data.game % 10 == 0
    tried = fit(data.rows[~held], data.result[~held], prior, penalty, PULL * some)
    weights = fit(data.rows, data.result, prior, penalty, PULL * some) / scaled[0]
    # Both sides have the same men, so a constant on all squares says nothing: keep the formula's.
    squares = weights[:count] - weights[:count].mean() + formula.mean()
    return squares, weights[count:], loss(data.rows[held], data.result[held], tried)


def write(name: str, entry: dict[str, object]) -> None:
    """Put a set into the file, with a line for each rank."""
    stored = json.loads(VALUES.read_text("ascii"))
    stored["date"] = date.today().isoformat()
    stored["sets"][name] = entry
    # A line for each rank: json's indentation would give one to each number.
    text = re.sub(r"\[[-\d,\s]+\]", lambda row: " ".join(row[0].split()), json.dumps(stored, indent=1))
    temporary = VALUES.with_suffix(".tmp")
    temporary.write_text(text + "\n", "ascii")
    temporary.replace(VALUES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", choices=["halma8", "halma10", "halma16"])
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--nodes", type=int, default=700, help="a move")
    parser.add_argument("--share", type=float, default=0.5, help="of what is learned; the rest is the formula's")
    parser.add_argument("--smooth", type=float, default=30.0, help="300 is right for 16x16")
    parser.add_argument("--sampled", type=float, default=0.3, help="share of the positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    board = Board(Variant.named(given.variant, win="occupied"))
    data = features(board, given.games, given.nodes, given.seed, given.sampled)
    squares, (tempo, class_step), held_out = learn(board, data, given.smooth)
    formula, size = formula_values(board.variant, 0), board.variant.size
    table = []
    for rank in reversed(range(size)):
        row = []
        for s in range(16 * rank, 16 * rank + size):
            row.append(round(formula[s] + given.share * (float(squares[board.of_x[s]]) - formula[s])))
        table.append(row)
        print(" ".join(f"{points:5}" for points in row))
    print(f"tempo {tempo:.1f}, class step {class_step:.1f}, {len(data.result)} positions, loss {held_out:.4f}")
    if given.write:
        entry = {"games": given.games, "nodes": given.nodes, "positions": len(data.result), "loss": round(held_out, 4)}
        numbers = {"share": given.share, "tempo": round(float(tempo)), "class_step": round(float(class_step))}
        write(given.variant, entry | numbers | {"table": table})


if __name__ == "__main__":
    main()
