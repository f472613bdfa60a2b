"""Play each level of `halma_fast.levels` against the next one, and print how much stronger it is.

    python benchmarks/levels.py [--games 80] [--variant halma8] [--levels 1-10] [--top-nodes 500000] [--jobs 2]

Games are played in pairs from the same random opening, sides swapped, under `win="occupied"`; a game that reaches the
cap on turns is a draw. Every level is limited by depth or nodes, so that the load of the machine does not matter; the
last one, which has no limit but time, gets `--top-nodes`. Elo and its 95 % error are from the scores of pairs. Ctrl-C
prints the table of the games finished so far.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import signal
import statistics
import sys
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing.synchronize import Event
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from halma_fast import Limit, Position, Side
from halma_fast.levels import MAX_LEVEL, LevelPlayer


class Pair(NamedTuple):
    """Two games to be played: the level `lower` against the next one from one opening, each side once."""

    variant: str
    lower: int
    seed: int
    opening_plies: int
    max_turns: int
    top_nodes: int


class Result(NamedTuple):
    """A finished pair: points of the higher level in its two games (1, 0.5, 0), and how many turns they took."""

    pair: Pair
    scores: tuple[float, float]
    turns: int


def opening(pair: Pair) -> Position:
    """A position after random moves, most of them forward, that the same seed makes again."""
    generator = random.Random(f"{pair.variant}/{pair.lower}/{pair.seed}")
    position = Position(pair.variant, win="occupied")
    for _ in range(pair.opening_plies):
        moves = list(position.legal_moves)
        onward = [move for move in moves if (move.to_square > move.from_square) == (position.turn is Side.X)]
        position.push(generator.choice(onward or moves))
    return position


def play_pair(pair: Pair, stop: Event | None = None) -> Result | None:
    """Play the two games, or nothing more once `stop` is set."""
    start = opening(pair)
    scores, turns = [], 0
    for higher_side in Side:
        position = start.copy(stack=False)
        players = {
            higher_side: LevelPlayer(pair.lower + 1, seed=pair.seed),
            higher_side.other: LevelPlayer(pair.lower, seed=pair.seed),
        }
        top = Limit(nodes=pair.top_nodes)
        for _ in range(pair.max_turns):
            if position.is_game_over():
                break
            if stop is not None and stop.is_set():
                return None
            player = players[position.turn]
            position.push(player.play(position, top if player.level == MAX_LEVEL else None).move)
            turns += 1
        outcome = position.outcome()
        winner = None if outcome is None else outcome.winner
        scores.append(0.5 if winner is None else float(winner is higher_side))
    return Result(pair, (scores[0], scores[1]), turns)


_stop: Event | None = None


def _start_worker(stop: Event) -> None:
    """Leave Ctrl-C to the parent, which sets the event: a worker must not die with a queue of the pool in hand."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_in_worker(pair: Pair) -> Result | None:
    return play_pair(pair, _stop)


def play_all(pairs: list[Pair], jobs: int) -> tuple[list[Result], bool]:
    """Play the pairs in `jobs` processes; returns those finished, and whether that was all (False after Ctrl-C)."""
    results: list[Result] = []
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(stop,)) as pool,
    ):
        task = progress.add_task("pairs", total=len(pairs))
        try:
            futures: list[Future[Result | None]] = [pool.submit(_play_in_worker, pair) for pair in pairs]
            for future in as_completed(futures):
                result = future.result()
                if result is not None:
                    results.append(result)
                    progress.advance(task)
        except KeyboardInterrupt:
            # The workers end with the move in hand; a second Ctrl-C before that would lose the table.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            return results, False
    return results, True


def elo(score: float) -> float:
    """The difference of strength at which this share of the points is expected."""
    bounded = min(max(score, 1e-9), 1 - 1e-9)
    return 400 * math.log10(bounded / (1 - bounded))


def row(lower: int, results: list[Result]) -> tuple[str, ...]:
    """What the pairs of one level against the next came to."""
    shares = [sum(result.scores) / 2 for result in results]
    games = [score for result in results for score in result.scores]
    mean = statistics.fmean(shares)
    # A row of wins has no spread: then one game of all as a draw is what could have been seen just as well.
    spread = max(statistics.stdev(shares) if len(shares) > 1 else 1.0, 0.5 / math.sqrt(len(shares)))
    error = 1.96 * spread / math.sqrt(len(shares))
    low, high = elo(mean - error), elo(mean + error)
    difference = f"{elo(mean):+.0f}" if 0 < mean < 1 else "all won" if mean else "all lost"
    upper = f"{high:+.0f}" if mean + error < 1 else ""
    wins, draws = games.count(1.0), games.count(0.5)
    return (
        f"{lower} - {lower + 1}",
        str(len(games)),
        f"{wins} {draws} {len(games) - wins - draws}",
        f"{100 * mean:.1f} %",
        difference,
        f"{low:+.0f} .. {upper}",
        f"{sum(result.turns for result in results) / len(games):.0f}",
    )


HEADER = ("levels", "games", "won drawn lost", "score", "Elo", "95 %", "turns")


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {value}")
    return value


def level_range(text: str) -> range:
    first, _, last = text.partition("-")
    levels = range(int(first), int(last or first))
    if not levels or levels.start < 1 or levels.stop > MAX_LEVEL:
        raise argparse.ArgumentTypeError(f"{text!r}, expected two levels like 1-{MAX_LEVEL}")
    return levels


def main() -> int:
    parser = argparse.ArgumentParser(description="Play each level against the next one.")
    parser.add_argument("--games", type=positive, default=80, metavar="N", help="games of two levels (default 80)")
    parser.add_argument("--variant", default="halma8", metavar="NAME", help="default halma8")
    parser.add_argument("--levels", type=level_range, default=range(1, MAX_LEVEL), metavar="A-B", help="default 1-10")
    parser.add_argument(
        "--top-nodes", type=positive, default=500_000, metavar="N", help="nodes of the last level (default 500,000)"
    )
    parser.add_argument("--opening", type=positive, default=8, metavar="N", help="random plies first (default 8)")
    parser.add_argument("--max-turns", type=positive, default=400, metavar="N", help="turns until a draw (default 400)")
    parser.add_argument("--jobs", type=positive, default=2, metavar="N", help="pairs at a time (default 2)")
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    arguments = parser.parse_args()

    pairs = [
        Pair(arguments.variant, lower, seed, arguments.opening, arguments.max_turns, arguments.top_nodes)
        for lower in arguments.levels
        for seed in range((arguments.games + 1) // 2)
    ]
    results, complete = play_all(pairs, arguments.jobs)
    rows = []
    for lower in arguments.levels:
        finished = [result for result in results if result.pair.lower == lower]
        if finished:
            rows.append(row(lower, finished))
    if arguments.markdown:
        lines = [HEADER, ("---",) * len(HEADER), *rows]
        print("\n".join(f"| {' | '.join(line)} |" for line in lines))
    else:
        widths = [max(map(len, column)) for column in zip(HEADER, *rows, strict=True)]
        for line in (HEADER, *rows):
            print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))
    return 0 if complete else 130


if __name__ == "__main__":
    sys.exit(main())
