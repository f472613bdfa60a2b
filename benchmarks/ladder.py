"""The ladder of docs/strength.md: each player in a match with one below it, from random moves to two threads.

    python benchmarks/ladder.py [--games 100] [--time 0.05] [--concurrency 2] [--write]

All under `win="occupied"`, random openings of 8 moves, each played twice with sides swapped. Elo is counted from the
player that draws its moves, along the matches; errors are 95 % and add up as those of independent matches. Each rung's
result is kept in build/ladder, so that a run that was ended goes on where it stopped; `--write` puts the table into
docs/strength.md. Versions are built from their commits (versions.py).
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import subprocess
import sys
from dataclasses import dataclass

from versions import ROOT, BuildError, build, player, resolve

RESULTS = ROOT / "build" / "ladder"
DOCUMENT = ROOT / "docs" / "strength.md"
BEGIN, END = "<!-- ladder: begin -->\n", "<!-- ladder: end -->\n"

# Versions of the search, by the commit that has the step.
STEPS = {
    "foundation": "bf10b00",
    "selective search": "2046b8f",
    "learned squares": "69a2a36",
}


@dataclass(frozen=True, slots=True)
class Rung:
    """A player, the one it plays, and what both may use: a limit on the command line, or none where names have one."""

    name: str
    player: str
    against: str
    opponent: str
    limit: tuple[str, ...] = ()


def rungs(seconds: float, versions_too: bool) -> list[Rung]:
    """The matches of the ladder, from below."""
    found = [Rung("greedy", "greedy", "random", "random"), Rung("depth 1", "engine:depth=1", "greedy", "greedy")]
    for depth in range(2, 9):
        lower = depth - 1
        found.append(Rung(f"depth {depth}", f"engine:depth={depth}", f"depth {lower}", f"engine:depth={lower}"))
    if not versions_too:
        return found
    limit = ("--time", str(seconds))
    versions = {name: player(build(resolve(commit))) for name, commit in STEPS.items()}
    # The foundation searches full width: it is a match for less depth.
    found.append(Rung("foundation", versions["foundation"], "depth 2", "engine:depth=2", limit))
    names = [*versions, "present"]
    versions["present"] = "engine"
    for below, name in itertools.pairwise(names):
        found.append(Rung(name, versions[name], below, versions[below], limit))
    found.append(Rung("two threads", "engine:threads=2", "present", "engine", limit))
    return found


def run(rung: Rung, variant: str, games: int, concurrency: int) -> dict[str, object]:
    """Play a rung's match, unless its result is there already."""
    kept = RESULTS / f"{variant}-{rung.name.replace(' ', '-')}-{'-'.join(rung.limit[1:]) or 'own'}-{games}.json"
    if kept.exists():
        return dict(json.loads(kept.read_text("utf-8")))
    # Two threads want both cores to themselves.
    at_once = 1 if "threads" in rung.player else concurrency
    command = [sys.executable, "-m", "halma_fast", "match", rung.player, rung.opponent, "--variant", variant]
    command += ["--win", "occupied", "--games", str(games), "--concurrency", str(at_once), "--json", *rung.limit]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    result = json.loads(done.stdout)
    RESULTS.mkdir(parents=True, exist_ok=True)
    temporary = kept.with_suffix(".tmp")
    temporary.write_text(json.dumps(result), "utf-8")
    temporary.replace(kept)
    return dict(result)


def table(found: list[Rung], results: list[dict[str, object]], variant: str) -> str:
    """The ladder as a table; a rung that won or lost all its games is as high as the smallest difference that fits."""
    rows = ["| player | limit | against | games | score | Elo | Elo from below |", "|---|---|---|---|---|---|---|"]
    height: dict[str, tuple[float, float]] = {"random": (0.0, 0.0)}
    rows.append("| random |  |  |  |  |  | 0 |")
    for rung, result in zip(found, results, strict=True):
        elo = result["elo"]
        assert isinstance(elo, dict)
        value, low, high = elo["value"], elo["low"], elo["high"]
        bounded = value is not None
        value = value if bounded else low if low is not None else -high
        error = (high - low) / 2 if bounded and low is not None and high is not None else 0.0
        base, base_error = height[rung.against]
        height[rung.name] = (base + value, math.hypot(base_error, error))
        difference = f"{value:+.0f} +- {error:.0f}" if bounded else f"above {value:+.0f}"
        score = 100 * float(str(result["score"]))
        limit = "its own" if not rung.limit else f"{float(rung.limit[1]) * 1000:.0f} ms"
        total, total_error = height[rung.name]
        rows.append(
            f"| {rung.name} | {limit} | {rung.against} | {result['games']} | {score:.1f} % | {difference} |"
            f" {total:.0f} +- {total_error:.0f} |"
        )
    return f"### {variant}\n\n" + "\n".join(rows) + "\n"


def write(text: str) -> None:
    """Put the tables between the marks of the document."""
    whole = DOCUMENT.read_text("utf-8")
    before, rest = whole.split(BEGIN)
    _, after = rest.split(END)
    temporary = DOCUMENT.with_suffix(".tmp")
    temporary.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")
    temporary.replace(DOCUMENT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="+", default=["halma8"])
    parser.add_argument("--games", type=int, default=100, help="a match")
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move where time is the limit")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--no-versions", action="store_true", help="only players that are limited by depth")
    parser.add_argument("--write", action="store_true", help="into docs/strength.md")
    given = parser.parse_args()
    try:
        found = rungs(given.time, not given.no_versions)
        tables = []
        for variant in given.variants:
            results = [run(rung, variant, given.games, given.concurrency) for rung in found]
            tables.append(table(found, results, variant))
    except (BuildError, OSError, subprocess.CalledProcessError) as error:
        print(f"ladder: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ladder: interrupted; what is finished is kept", file=sys.stderr)
        return 130
    print("\n".join(tables), end="")
    if given.write:
        write("\n".join(tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
