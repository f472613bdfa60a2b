"""Boards up to 8x8 count their last two plies by code of their own, on every kernel level.

The other path is leaf by leaf, which knows nothing of it and is compared with the reference in tests/properties/.
"""

import os
import subprocess
import sys

import pytest

from halma_fast._kernel.dispatch import kernel_info

# Men on random squares meet each other's goals, walls of men and full boards sooner than games do.
COUNT_BOTH_WAYS = """
import random
from halma_fast import Position, Variant, perft

variants = [Variant.named("pulce"), Variant.named("halma8")]
for size, camp in [(3, [1]), (4, [2, 1]), (5, [3, 2, 1]), (6, [3, 3, 2]), (7, [4, 3, 2, 1]), (8, [6, 5, 4, 3, 2, 1])]:
    for goal_lock in ("hop", "move", "none"):
        for home_reentry in (True, False):
            win = "full" if home_reentry else "occupied"
            variants.append(Variant.square(size, camp, goal_lock=goal_lock, home_reentry=home_reentry, win=win))


def placed(variant, chance):
    squares = [16 * r + f for r in range(variant.size) for f in range(variant.size)]
    squares = [square for square in squares if square not in variant.holes]
    # Some boards crowd around one goal, the others use all of the board.
    middle = chance.choice(sorted(variant.goal[chance.randrange(2)]))
    spread = chance.choice((2, 4, 99))
    squares.sort(key=lambda s: max(abs(s % 16 - middle % 16), abs(s // 16 - middle // 16)) // spread + chance.random())
    return dict(zip(squares, ["x", "o"] * variant.men))


def text(variant, men, side):
    rows = []
    for rank in reversed(range(variant.size)):
        row, gap = "", 0
        for file in range(variant.size):
            square = 16 * rank + file
            letter = "-" if square in variant.holes else men.get(square)
            if letter is None:
                gap += 1
            else:
                row += (str(gap) if gap else "") + letter
                gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows) + f" {side} 9"


chance = random.Random(4)
for variant in variants:
    for _ in range(12):
        fen = text(variant, placed(variant, chance), chance.choice("xo"))
        position = Position(variant, fen=fen)
        if perft(position, 1) ** 3 > 3_000_000:  # about the number of leaves
            continue
        # At depth 2 perft takes the moves one by one; the last two plies are counted together from depth 3 on.
        counts = perft(position, 3), perft(position, 3, bulk=False)
        assert counts[0] == counts[1], (variant, fen, counts)
        print(counts[0])
"""


@pytest.fixture(scope="module")
def counts():
    done = {}
    for level in kernel_info()["available"]:
        env = {**os.environ, "HALMA_FAST_KERNEL": level}
        done[level] = subprocess.run(
            [sys.executable, "-c", COUNT_BOTH_WAYS], env=env, capture_output=True, text=True, check=False
        )
    return done


def test_random_positions_count_as_leaf_by_leaf_on_every_level(counts):
    for level, done in counts.items():
        assert done.returncode == 0, (level, done.stderr)


def test_every_level_counts_the_same(counts):
    printed = [done.stdout for done in counts.values()]
    assert len(printed[0].split()) > 300
    assert sum(int(count) > 0 for count in printed[0].split()) > 200
    assert len(set(printed)) == 1
