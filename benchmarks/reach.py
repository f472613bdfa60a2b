"""How deep the search gets in a second, beside an older version, and how much sooner two threads get there.

    python benchmarks/reach.py [COMMIT] [--seconds 1] [--rounds 1] [--json FILE]

On the mid-game positions of tests/data/midgame.json under `win="occupied"`. COMMIT, by default the first search of the
package, is built by versions.py; both are asked by UGI and take turns, one thread each. Then, in turns too, one thread
and two search each position to the depth that one thread finished before, and the seconds are compared. Medians, with
the quartiles behind them. Other work on the machine disturbs the second part: it wants two cores for itself.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
import sys
from collections.abc import Iterable
from pathlib import Path

from cases import midgame_fens
from rich.console import Console
from rich.progress import track
from versions import BuildError, build, player, resolve

from halma_fast import Engine, HalmaError, Info, Limit, Position
from halma_fast.ugi import Client

FOUNDATION = "bf10b00"
VARIANTS = ("halma8", "halma10", "halma16")
HASH_MB = 64


def spread(values: Iterable[float], digits: int) -> str:
    """The median and, in brackets, the quartiles."""
    low, middle, high = statistics.quantiles(list(values), n=4)
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def client(command: str) -> Client:
    return Client.popen(shlex.split(command.removeprefix("ugi:")), options={"Hash": str(HASH_MB)})


def best(engine: Client, position: Position, seconds: float) -> Info:
    engine.new_game()
    return engine.analyse(position, Limit(time=seconds))[0]


def versions_compared(old: str, seconds: float, rounds: int, console: Console) -> list[dict[str, object]]:
    """Depth and nodes a second of each position, of the present version and of `old`."""
    rows: list[dict[str, object]] = []
    with client(f"{sys.executable} -m halma_fast ugi") as new_engine, client(old) as old_engine:
        cases = [(variant, fen) for variant in VARIANTS for fen in midgame_fens(variant)] * rounds
        for variant, fen in track(cases, "against the older version", console=console):
            position = Position(variant, fen=fen, win="occupied")
            if position.is_game_over():
                continue
            new, before = (best(engine, position, seconds) for engine in (new_engine, old_engine))
            if new.score.kind != "points" or before.score.kind != "points":
                continue  # decided: there is nothing more to search
            rows.append(
                {"variant": variant, "fen": fen, "depth": new.depth, "old depth": before.depth}
                | {"nps": new.nps, "old nps": before.nps}
            )
    return rows


def threads_compared(rows: list[dict[str, object]], rounds: int, console: Console) -> list[dict[str, object]]:
    """Seconds to the same depth with one thread and with two."""
    engines = {threads: Engine(HASH_MB, threads) for threads in (1, 2)}
    found = []
    for row in track(rows * rounds, "one and two threads", console=console):
        position = Position(str(row["variant"]), fen=str(row["fen"]), win="occupied")
        seconds = {}
        for threads, engine in engines.items():
            engine.clear()
            seconds[threads] = engine.search(position, depth=int(str(row["depth"]))).seconds
        found.append({"variant": row["variant"], "fen": row["fen"], "one": seconds[1], "two": seconds[2]})
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default=FOUNDATION)
    parser.add_argument("--seconds", type=float, default=1.0, help="a position")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    console = Console(stderr=True)
    try:
        old = player(build(resolve(given.commit)))
        rows = versions_compared(old, given.seconds, given.rounds, console)
        threads = threads_compared(rows[: len(rows) // given.rounds], given.rounds, console)
    except (BuildError, HalmaError, OSError) as error:
        print(f"reach: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("reach: interrupted", file=sys.stderr)
        return 130
    print("| board | positions | plies deeper | nodes a second, ratio | two threads, share of the time |")
    print("|---|---|---|---|---|")
    for variant in (*VARIANTS, "all"):
        mine = [row for row in rows if variant in (row["variant"], "all")]
        pairs = [row for row in threads if variant in (row["variant"], "all")]
        if len(mine) < 2:
            continue
        deeper = spread((int(str(row["depth"])) - int(str(row["old depth"])) for row in mine), 0)
        faster = spread((float(str(row["nps"])) / float(str(row["old nps"])) for row in mine), 2)
        share = spread((float(str(row["two"])) / float(str(row["one"])) for row in pairs), 2)
        print(f"| {variant} | {len(mine)} | {deeper} | {faster} | {share} |")
    if given.json is not None:
        given.json.write_text(json.dumps({"versions": rows, "threads": threads}, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
