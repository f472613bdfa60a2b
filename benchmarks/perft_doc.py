"""Print docs/perft.md: the known perft numbers for people, from the package's file and nothing else.

    python benchmarks/perft_doc.py [--write]

Invariant: the page is what this prints, so that it cannot say anything but what the file says. Guarded by
tests/unit/test_perft_doc.py.
"""

from __future__ import annotations

import argparse
import json
import string
import sys
from collections.abc import Iterator
from itertools import zip_longest

from numbers_file import NUMBERS, ROOT

from halma_fast.suite import Known

PAGE = ROOT / "docs" / "perft.md"

HEAD = """\
# Perft numbers of Halma and Pulce

Perft of a depth is the number of sequences of that many legal moves from a position: the leaves of the tree of moves.
Programs that agree on it, deep and on many boards, very likely have the same rules, and `divide`, the count below
each move of the position, leads to the place where they do not. Notation and rules are those of the README; what
matters here:

- `x` begins. A move is a man's two ends: two chains of hops with the same ends are one move. A side without a move
  passes, which is a move; where neither side has one, the game is over.
- A game that is over has no moves, so it adds nothing to deeper counts. It is over when the side that just moved has
  completed its goal; in Pulce when the side that did not begin has, or the other one has and the reply move is made.
  The third occurrence of a position, a cap on turns and a deadline for leaving home are left aside.
- Defaults: `goal_lock=hop` (a man in its goal camp stays there at every landing of a chain), `home_reentry=True`,
  `win=full`, `home_duty=False`. A column that says something else has all other rules by default. Custom boards are
  named by size and camp, rows counted from the corner: `5x5:3,2,1` has camps of six squares. Those of `csci561` are
  `goal_lock=move`, `home_reentry=False`, `win=occupied`, `home_duty=True`.

Each number was counted at least twice, by paths that a letter tells:

"""

TAIL = """\
## Testing a program

The same numbers for programs, with {games} positions from the middle and the end of games, are in the installed
package:

    python -c "from importlib.resources import files; print((files('halma_fast') / 'data' / 'perft.json').read_text())"

To find where a program differs, write its divide as lines `move: count` and compare; the first differing moves are
shown, and the position to look into next:

    halma-fast perft --variant halma8 --depth 5 --compare mine.txt

`halma-fast perft --suite` counts all the numbers again, up to `--max-leaves`. `python benchmarks/deep_perft.py`
counts the next ones by two paths and adds them to the file; `python benchmarks/perft_doc.py --write` makes this page
from it.
"""


def page() -> str:
    """The page."""
    table = json.loads(NUMBERS.read_text(encoding="utf-8"))
    numbers = [Known.from_entry(entry) for entry in table["positions"]]
    starts = [known for known in numbers if known.fen is None]
    combinations = sorted({paths for known in starts for paths in known.confirmed}, key=lambda p: (-len(p), p))
    letters = dict(zip(combinations, string.ascii_lowercase, strict=False))
    used = [path for path in table["paths"] if any(path in paths for paths in combinations)]
    lines = [f"- {letter}: {', '.join(paths)}" for paths, letter in letters.items()]
    lines += ["", "where", "", *(f"- {path}: {table['paths'][path]}" for path in used), ""]
    for name in dict.fromkeys(known.variant.name for known in starts):
        lines += section(name, [known for known in starts if known.variant.name == name], letters)
    return HEAD + "\n".join(lines) + "\n" + TAIL.format(games=len(numbers) - len(starts))


def section(name: str, columns: list[Known], letters: dict[tuple[str, ...], str]) -> Iterator[str]:
    """A variant's table: a row a depth, a column a set of rules."""
    known = columns[0]
    yield f"## {name}"
    yield ""
    men = "1 man" if known.variant.men == 1 else f"{known.variant.men} men"
    yield f"{known.variant.size}x{known.variant.size}, {men} a side: `{known.variant.start_fen}`"
    yield ""
    yield "| depth | " + " | ".join(map(heading, columns)) + " |"
    yield "|---|" + "---|" * len(columns)
    rows = zip_longest(*(cells(column, letters) for column in columns), fillvalue="")
    for depth, row in enumerate(rows, 1):
        yield f"| {depth} | " + " | ".join(row) + " |"
    yield ""


def heading(known: Known) -> str:
    return ", ".join(f"{rule}={value}" for rule, value in known.rules.items()) or "default rules"


def cells(known: Known, letters: dict[tuple[str, ...], str]) -> list[str]:
    return [f"{leaves:,} {letters[paths]}" for leaves, paths in zip(known.leaves, known.confirmed, strict=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Print docs/perft.md from the package's file of numbers.")
    parser.add_argument("--write", action="store_true", help=f"write it to {PAGE.relative_to(ROOT)}")
    if parser.parse_args().write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
