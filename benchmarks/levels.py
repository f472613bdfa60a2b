"""Play each level of `halma_fast.levels` against the next one, and print how much stronger it is.

    python benchmarks/levels.py [--games 80] [--variant halma8] [--levels 1-10] [--top-nodes 500000] [--jobs 2]

The matches of `halma-fast match level:2 level:1 --win occupied` and so on: games in pairs from the same random
opening, sides swapped; a game that reaches the cap on turns is a draw. Every level is limited by depth or nodes, so
that the load of the machine does not matter; the last one, which has no limit but time, gets `--top-nodes`. Elo and its
95 % interval are from the scores of pairs. Ctrl-C prints the table of the games finished so far.
"""

from __future__ import annotations

import argparse
import math
import sys

from halma_fast import Variant
from halma_fast.cli.progress import ProgressLine
from halma_fast.game import Control
from halma_fast.levels import LEVELS, MAX_LEVEL
from halma_fast.match import Match, MatchSettings
from halma_fast.standing import Standing

HEADER = ("levels", "games", "won drawn lost", "score", "Elo", "95 %", "turns")


def row(lower: int, standing: Standing) -> tuple[str, ...]:
    """What the games of the level above against this one came to."""
    elo = standing.pentanomial.elo()
    low, high = (f"{end:+.0f}" if math.isfinite(end) else "" for end in (elo.low, elo.high))
    score = standing.score or 0.0
    return (
        f"{lower} - {lower + 1}",
        str(standing.games),
        f"{standing.wins} {standing.draws} {standing.losses}",
        f"{100 * score:.1f} %",
        f"{elo.value:+.0f}" if math.isfinite(elo.value) else "all won" if score else "all lost",
        f"{low} .. {high}",
        f"{standing.turns / standing.games:.0f}",
    )


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {value}")
    return value


def top_nodes(text: str) -> int:
    value, least = int(text), LEVELS[-2].nodes or 1
    if value < least:
        raise argparse.ArgumentTypeError(f"expected at least {least}, those of the level below, got {value}")
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
        "--top-nodes", type=top_nodes, default=500_000, metavar="N", help="nodes of the last level (default 500,000)"
    )
    parser.add_argument("--opening", type=positive, default=8, metavar="N", help="random plies first (default 8)")
    parser.add_argument("--max-turns", type=positive, default=400, metavar="N", help="turns until a draw (default 400)")
    parser.add_argument("--jobs", type=positive, default=2, metavar="N", help="games at a time (default 2)")
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    arguments = parser.parse_args()

    variant = Variant.named(arguments.variant, win="occupied", max_turns=arguments.max_turns)
    rows = []
    complete = True
    with ProgressLine("playing") as line:
        for lower in arguments.levels:
            control = Control(nodes=arguments.top_nodes if lower + 1 == MAX_LEVEL else None)
            settings = MatchSettings(
                f"level:{lower + 1}", f"level:{lower}", variant, control, seed=lower, plies=arguments.opening
            )
            match = Match(settings, arguments.games + arguments.games % 2)
            try:
                match.run(
                    concurrency=arguments.jobs,
                    on_game=lambda _, lower=lower, match=match: line.update(
                        f"level {lower} - {lower + 1}, {match.standing.games} of {match.games} games"
                    ),
                )
            except KeyboardInterrupt:
                complete = False
            if match.standing.games:
                rows.append(row(lower, match.standing))
            if not complete:
                break
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
