"""Random positions and random players: games that go somewhere, and positions that games seldom reach.

Everything is drawn from one `random.Random`, so that an example is a few numbers for hypothesis and the same every
time. Guarded by test_outcomes.py, which asserts that these games end in every way there is.
"""

from random import Random
from typing import Literal, get_args

from reference import Game, Move, Position, Side, Square, Variant, start_position

Placement = Literal["start", "anywhere", "in goal", "nearly done", "swapped", "at home"]
Style = Literal["uniform", "forward", "homing", "shuffling"]
PLACEMENTS: tuple[Placement, ...] = get_args(Placement)
STYLES: tuple[Style, ...] = get_args(Style)


def place(variant: Variant, placement: Placement, random: Random) -> Position:
    """A position with all men on the board: the start, or a set-up that a position string may give.

    "in goal": most men are in their goal or beside it; "nearly done": all but one or two; "swapped": some men of both
    sides stand where the other side's stand at the end; "at home": some are still on their start squares.
    """
    if placement == "start":
        return start_position(variant)
    free = set(variant.squares)
    men: dict[Side, frozenset[Square]] = {}
    sides: list[Side] = ["x", "o"]
    random.shuffle(sides)  # whoever comes first finds more free squares
    for side in sides:
        men[side] = _place_side(variant, placement, side, free, random)
        free -= men[side]
    number = random.choice([1, 1, 2, 3, 7, random.randint(1, 100)])
    return Position(men["x"], men["o"], random.choice(sides), number)


def _place_side(
    variant: Variant, placement: Placement, side: Side, free: set[Square], random: Random
) -> frozenset[Square]:
    goal, start = variant.goal[side], variant.start[side]
    edge = {square for square in variant.squares if _distance(square, goal) == 1}
    wanted: set[Square]
    if placement == "anywhere":
        wanted, count = set(), 0
    elif placement == "in goal":
        wanted, count = set(goal | edge), random.randint(variant.men // 2, variant.men)
    elif placement == "nearly done":
        wanted, count = set(goal), variant.men - random.randint(0, 2)
    elif placement == "swapped":
        wanted, count = set(goal | start), variant.men - random.randint(0, 2)
    else:
        wanted, count = set(start), random.randint(1, variant.men)
    chosen = _sample(wanted & free, count, random)
    if placement == "nearly done":
        chosen |= _sample((edge & free) - chosen, variant.men - len(chosen), random)
    return frozenset(chosen | _sample(free - chosen, variant.men - len(chosen), random))


def _sample(squares: set[Square], count: int, random: Random) -> set[Square]:
    return set(random.sample(sorted(squares), min(max(count, 0), len(squares))))


def _distance(square: Square, goal: frozenset[Square]) -> int:
    return min(max(abs(square[0] - file), abs(square[1] - rank)) for file, rank in goal)


def choose(game: Game, moves: set[Move | None], style: Style, random: Random) -> Move | None:
    """A move of a player with a habit; `moves` are the legal ones, at least one."""
    ordered = sorted(moves, key=lambda move: move or ((-1, -1), (-1, -1)))
    if style == "shuffling" and len(game.moves) >= 2 and random.random() < 0.9:
        last = game.moves[-2]
        if last is not None and (last[1], last[0]) in moves:
            return last[1], last[0]
    if style == "uniform" or random.random() < 0.1:
        return random.choice(ordered)
    goal = game.variant.goal[game.position.turn]

    def progress(move: Move | None) -> float:
        if move is None:
            return 0
        source, target = move
        if style == "homing" and target in goal and source not in goal:
            return 100
        # The corner is farther than the edge of the camp, so that men make room behind them.
        across = sum(square[0] - square[1] for square in goal)  # below 0: top left
        corner = min if across < 0 or (across == 0 and game.position.turn == "x") else max
        depth = corner((square[0] - square[1] for square in goal), default=0)
        deeper = abs(source[0] - source[1] - depth) - abs(target[0] - target[1] - depth)
        return 2 * (_distance(source, goal) - _distance(target, goal)) + 0.1 * deeper

    tries = ordered if style == "homing" else random.sample(ordered, min(6, len(ordered)))
    best = max(progress(move) for move in tries)
    return random.choice([move for move in tries if progress(move) == best])
