"""The net of a board, made anew from nothing: `python benchmarks/learn halma8`.

The engine plays quick games against itself; a net is fitted to what its linear evaluation says wrong of them; the next
generation's games are played with it, and all games teach the next net. A net stays if it wins a match against what was
there before, else what was there before stays. The net is written into the package, with all this in its file. Ctrl-C
ends it, and the same command goes on from the games that are in `--folder`. With `--scheduler` a Dask cluster plays the
games, of one generation at a time, since its workers play with what they have installed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path

from store import Games, numbers_hash, played
from training import Settings, train

import halma_fast
from halma_fast import HalmaError, Variant
from halma_fast.cluster import cluster_executor
from halma_fast.selfplay import PlayedPositions, joined

PACKAGE = Path(halma_fast.__file__).resolve().parent
DATA = PACKAGE / "data"
ABOUT = "corrects the linear evaluation (_kernel/nets.py has the format); made by benchmarks/learn"
# Of each board: nodes a move, the lead that ends a game, the bound of the correction in tempos, and the results' share of
# the target. On 16x16 a net that learns from results takes from a lead what it should be worth, and with it the reward
# for progress (benchmarks/strength.md); searches' scores are in the measure of the linear part.
BOARDS = {"halma8": (600, 600, 8.0, 0.5), "halma10": (600, 600, 6.0, 0.5), "halma16": (800, 1200, 2.5, 0.0)}


@contextlib.contextmanager
def executor_of(workers: int, scheduler: str | None) -> Iterator[Executor]:
    """Processes of this machine, or a cluster's; new ones, since a process keeps the net that it has read."""
    if scheduler is not None:
        with cluster_executor(scheduler) as executor:
            yield executor
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as executor:
        yield executor


def put(path: Path, content: dict[str, object] | None) -> None:
    """Write a net's file whole; `None` removes it."""
    if content is None:
        path.unlink(missing_ok=True)
        return
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(content, indent=1) + "\n", "ascii")
    os.replace(temporary, path)


def match(variant: Variant, before: dict[str, object] | None, folder: Path, games: int, limit: list[str]) -> dict:
    """Play the package as it is against a copy of it that has the net of before; returns what `match --json` says."""
    copy = folder / "before"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(PACKAGE, copy / "halma_fast", ignore=shutil.ignore_patterns("__pycache__"))
    put(copy / "halma_fast" / "data" / f"net_{variant.name}.json", before)
    players = [
        "ugi:" + shlex.join(["env", f"PYTHONPATH={path}", sys.executable, "-m", "halma_fast", "ugi"])
        for path in (PACKAGE.parent, copy)
    ]
    command = [sys.executable, "-m", "halma_fast", "match", *players, "--variant", variant.name, "--win", "occupied"]
    command += ["--plies", "6", "--games", str(games), "--json", *limit]
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True)
    found: dict = json.loads(done.stdout)
    return found


def error_of(found: dict) -> float:
    """One standard error of a score, over pairs of games."""
    counts = found["pentanomial"]
    pairs, score = sum(counts), found["score"]
    spread = sum(count * (k / 4 - score) ** 2 for k, count in enumerate(counts))
    return (spread / max(1, pairs - 1) / pairs) ** 0.5


def generation(variant: Variant, number: int, given: argparse.Namespace, known: list[PlayedPositions]) -> bool:
    """Play, train, and match once; returns whether the new net stayed."""
    games = Games(given.games, given.seed + number - 1, given.nodes, given.margin)
    name = numbers_hash(DATA, variant)
    print(f"generation {number}: {games.count} games", file=sys.stderr)
    with executor_of(given.workers, given.scheduler) as executor:
        on_terminal = sys.stderr.isatty()

        def tell(done: int) -> None:
            if on_terminal:
                print(f"\r{done} of {games.count} games ", end="", file=sys.stderr, flush=True)

        found = played(given.folder, name, variant, games, executor, tell)
    if on_terminal:
        print(file=sys.stderr)
    known.append(replace(found, game=found.game + (number - 1) * given.games))
    settings = Settings(epochs=given.epochs, result_share=given.result_share, bound=given.bound, seed=given.seed)
    trained = train(variant, joined(known), settings, lambda line: print(line, file=sys.stderr))
    path = DATA / f"net_{variant.name}.json"
    before = json.loads(path.read_text("ascii")) if path.exists() else None
    about: dict[str, object] = {
        "about": ABOUT,
        "variant": variant.name,
        "date": date.today().isoformat(),
        "generation": number,
        "games": trained.games,
        "nodes": given.nodes,
        "positions": trained.positions,
        "loss": round(trained.loss, 4),
        "linear_loss": round(trained.linear_loss, 4),
    }
    print(f"loss {trained.loss:.4f}, without a net {trained.linear_loss:.4f}, {trained.positions} positions")
    put(path, about | trained.stored)
    try:
        lines, stays = [], True
        for limit in (["--nodes", str(given.match_nodes)], ["--time", str(given.match_time)]):
            result = match(variant, before, given.folder, given.match_games, limit)
            score, error = result["score"], error_of(result)
            lines.append(f"{' '.join(limit).lstrip('-')}, {result['games']} games: {score:.1%} +- {error:.1%}")
            print(lines[-1], flush=True)
            stays = stays and score > 0.5
    except BaseException:
        put(path, before)
        raise
    put(path, about | {"match": lines} | trained.stored if stays else before)
    print("the new net stays" if stays else "what was there before stays")
    return stays


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", choices=BOARDS)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--games", type=int, default=9000, help="a generation")
    parser.add_argument("--nodes", type=int, help="a move of them")
    parser.add_argument("--margin", type=int, help="points of the lead that ends one")
    parser.add_argument("--bound", type=float, help="of the correction, in tempos")
    parser.add_argument("--result-share", type=float, help="of the target, 0 to 1; the rest are searches' scores")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    parser.add_argument("--scheduler", help="of a Dask cluster that plays instead, like tcp://HOST:PORT")
    parser.add_argument("--match-games", type=int, default=100)
    parser.add_argument("--match-nodes", type=int, default=5000)
    parser.add_argument("--match-time", type=float, default=0.03, help="seconds a move")
    parser.add_argument("--folder", type=Path, default=Path("build/learn"), help="for the games")
    parser.add_argument("--anew", action="store_true", help="begin without the net that the package has")
    given = parser.parse_args()
    if given.scheduler is not None and given.generations > 1:
        parser.error("--scheduler plays with the net that its workers have installed: expected --generations 1")
    nodes, margin, bound, share = BOARDS[given.variant]
    given.nodes, given.margin = given.nodes or nodes, given.margin or margin
    given.bound = given.bound or bound
    given.result_share = share if given.result_share is None else given.result_share
    variant = Variant.named(given.variant, win="occupied")
    if given.anew:
        put(DATA / f"net_{variant.name}.json", None)
    known: list[PlayedPositions] = []
    try:
        for number in range(1, given.generations + 1):
            generation(variant, number, given, known)
    except KeyboardInterrupt:
        print("learn: interrupted; the games so far are kept", file=sys.stderr)
        return 130
    except (HalmaError, OSError, subprocess.CalledProcessError) as error:
        print(f"learn: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
