"""Play the engine against a greedy player from the start position, and print the results.

    python benchmarks/greedy_match.py [--games 40] [--time 0.05] [--variants halma16,halma8] [--opponent random]

The greedy player takes a move with the most progress: the decrease of file distance + rank distance between the man and
the far corner of its goal camp. Among equal ones a seeded generator draws. The random player draws one of all legal
moves. The engine plays each side in half of the games, under `win="occupied"`; a game that reaches the cap on turns is
a draw. Ctrl-C prints the table of the games finished so far.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing.synchronize import Event
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from halma_fast import Engine, Move, Position, Side

VARIANTS = ("halma16", "halma10", "halma8")
OPPONENTS = ("greedy", "random")


class Game(NamedTuple):
    """A game to be played."""

    variant: str
    engine_side: Side
    opponent: str
    seed: str
    seconds: float
    max_turns: int


class Result(NamedTuple):
    """A finished game: points of the engine (1, 0.5, 0), turns of both sides, and how deep the engine looked.

    `searches` leaves out those that found a forced win or loss: they end early, at a depth that says nothing.
    """

    game: Game
    score: float
    ending: str
    turns: int
    searches: int
    depth_sum: int


def distance(square: int, side: Side, size: int) -> int:
    """File distance + rank distance from a side's far corner: the top left one for x, the bottom right one for o."""
    file, rank = square & 15, square >> 4
    return file + size - 1 - rank if side is Side.X else size - 1 - file + rank


def greedy_move(position: Position, moves: list[Move], generator: random.Random) -> Move:
    """One of the moves that bring a man the most nearer to its corner; they may all lead away from it."""
    side, size = position.turn, position.variant.size
    progress = [distance(move.from_square, side, size) - distance(move.to_square, side, size) for move in moves]
    most = max(progress)
    return generator.choice([move for move, steps in zip(moves, progress, strict=True) if steps == most])


def play(game: Game, stop: Event | None = None) -> Result | None:
    """Play one game to its end, or to nothing if `stop` is set meanwhile."""
    generator = random.Random(game.seed)
    position = Position(game.variant, win="occupied")
    engine = Engine()
    searches = depth_sum = 0
    for turn in range(game.max_turns):
        outcome = position.outcome()
        if outcome is not None:
            score = 0.5 if outcome.winner is None else float(outcome.winner is game.engine_side)
            return Result(game, score, outcome.reason.value, turn, searches, depth_sum)
        if stop is not None and stop.is_set():
            return None
        if position.turn is game.engine_side:
            found = engine.search(position, time=game.seconds)
            move = found.best_move
            if found.score.kind == "points":
                searches += 1
                depth_sum += found.depth
        elif game.opponent == "greedy":
            move = greedy_move(position, list(position.legal_moves), generator)
        else:
            move = generator.choice(list(position.legal_moves))
        position.push(move)
    return Result(game, 0.5, f"{game.max_turns} turns", game.max_turns, searches, depth_sum)


_stop: Event | None = None


def _start_worker(stop: Event) -> None:
    """Leave Ctrl-C to the parent, which sets the event: a worker must not die with a queue of the pool in hand."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_in_worker(game: Game) -> Result | None:
    return play(game, _stop)


def play_all(games: list[Game], jobs: int) -> tuple[list[Result], bool]:
    """Play the games in `jobs` processes; returns those finished, and whether that was all (False after Ctrl-C)."""
    results: list[Result] = []
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(stop,)) as pool,
    ):
        task = progress.add_task("games", total=len(games))
        try:
            futures: list[Future[Result | None]] = [pool.submit(_play_in_worker, game) for game in games]
            for future in as_completed(futures):
                result = future.result()
                if result is not None:
                    results.append(result)
                    progress.advance(task)
                    progress.update(task, description=result.game.variant)
        except KeyboardInterrupt:
            # The workers end with the move in hand; a second Ctrl-C before that would lose the table.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            return results, False
    return results, True


def tabulate(results: Iterable[Result], variants: Iterable[str], title: str) -> Table:
    """One row a variant: games of the engine, its wins with each side, mean turns a game and depth a move."""
    table = Table(title=title, title_justify="left")
    table.add_column("variant", no_wrap=True)
    for heading in ("games", "wins", "draws", "losses", "as x", "as o", "turns", "depth"):
        table.add_column(heading, justify="right", no_wrap=True)
    finished = list(results)
    for variant in variants:
        played = [result for result in finished if result.game.variant == variant]
        if not played:
            table.add_row(variant, "0", *[""] * 7)
            continue
        scores = Counter(result.score for result in played)
        sides = Counter(result.game.engine_side for result in played if result.score == 1)
        of_side = Counter(result.game.engine_side for result in played)
        searches = sum(result.searches for result in played)
        table.add_row(
            variant,
            str(len(played)),
            str(scores[1]),
            str(scores[0.5]),
            str(scores[0]),
            f"{sides[Side.X]}/{of_side[Side.X]}",
            f"{sides[Side.O]}/{of_side[Side.O]}",
            f"{sum(result.turns for result in played) / len(played):.1f}",
            f"{sum(result.depth_sum for result in played) / searches:.1f}" if searches else "",
        )
    return table


def endings(results: Iterable[Result], variants: Iterable[str]) -> Iterable[str]:
    """How the games of each variant ended, a line each."""
    finished = list(results)
    for variant in variants:
        counts = Counter(result.ending for result in finished if result.game.variant == variant)
        if counts:
            yield f"{variant} ended by: " + ", ".join(f"{ending} {count}" for ending, count in counts.most_common())


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {value}")
    return value


def seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"expected more than 0 and at most 3600 seconds, got {text}")
    return value


def variant_list(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in VARIANTS:
            raise argparse.ArgumentTypeError(f"{name!r}, expected some of {','.join(VARIANTS)}")
    return names


def main() -> int:
    parser = argparse.ArgumentParser(description="Play the engine against a simple player from the start position.")
    parser.add_argument(
        "--games", type=positive, default=40, metavar="N", help="games a variant, half of them as x (default 40)"
    )
    parser.add_argument(
        "--time", type=seconds, default=0.05, metavar="SECONDS", help="the engine's time a move (default 0.05)"
    )
    parser.add_argument(
        "--variants", type=variant_list, default=list(VARIANTS), metavar="LIST", help=f"default {','.join(VARIANTS)}"
    )
    parser.add_argument("--opponent", choices=OPPONENTS, default="greedy")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the opponent's choices (default 1)")
    parser.add_argument(
        "--max-turns", type=positive, default=600, metavar="N", help="turns of both sides until a draw (default 600)"
    )
    parser.add_argument(
        "--jobs", type=positive, default=2, metavar="N", help="games at a time, a process each (default 2)"
    )
    arguments = parser.parse_args()

    games = [
        Game(
            variant=variant,
            engine_side=Side(index % 2),
            opponent=arguments.opponent,
            seed=f"{arguments.seed}/{variant}/{index}",
            seconds=arguments.time,
            max_turns=arguments.max_turns,
        )
        for variant in arguments.variants
        for index in range(arguments.games)
    ]
    results, complete = play_all(games, arguments.jobs)
    title = f"Engine, {arguments.time:g} s a move, against the {arguments.opponent} player"
    console = Console()
    console.print(tabulate(results, arguments.variants, title if complete else f"{title} (interrupted)"))
    for line in endings(results, arguments.variants):
        console.print(line, highlight=False)
    return 0 if complete else 130


if __name__ == "__main__":
    sys.exit(main())
