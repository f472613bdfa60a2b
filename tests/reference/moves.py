"""Steps and chains of hops, straight from the rules, and the moves of a position without regard to its history.

A chain is a breadth-first search over landing squares, so it finds the fewest hops. Whether a hop is allowed depends
on its two ends alone (never on the hops before it), which is why a search over squares is enough. Guarded by
test_reference_chains.py, which tries all chains one by one.
"""

from collections.abc import Sequence
from itertools import pairwise

from reference.board import DIRECTIONS, Side, Square, other_side
from reference.ending import is_completed
from reference.position import Position
from reference.variant import Variant

Move = tuple[Square, Square]
PASS = None


def step_allowed(variant: Variant, side: Side, here: Square, there: Square) -> bool:
    """May a man of `side` step between these neighbours, as far as camps are concerned?"""
    return _camps_allow(variant, side, here, there)


def hop_allowed(variant: Variant, side: Side, here: Square, there: Square) -> bool:
    """May a man of `side` hop between these squares, as far as camps are concerned?"""
    if variant.is_pulce and there in variant.goal[other_side(side)]:
        return False  # rule 16: no hop lands on an enemy goal socket
    return _camps_allow(variant, side, here, there)


def _camps_allow(variant: Variant, side: Side, here: Square, there: Square) -> bool:
    goal = variant.goal[side]
    if variant.is_pulce:
        if here in goal:
            return False  # rule 15: frozen, also in the middle of a chain
        diagonal = here[0] != there[0] and here[1] != there[1]
        return not (there in goal and diagonal)  # rule 14
    if variant.goal_lock == "hop":
        return not (here in goal and there not in goal)  # rule 5
    return True


def move_allowed(variant: Variant, side: Side, source: Square, target: Square) -> bool:
    """Rules about the two ends of a whole move."""
    if variant.is_pulce:
        return True
    goal, home = variant.goal[side], variant.home[side]
    if variant.goal_lock == "move" and source in goal and target not in goal:
        return False  # rule 5
    return variant.home_reentry or source in home or target not in home  # rule 6


def steps(variant: Variant, position: Position, man: Square, side: Side) -> set[Square]:
    """Squares that the man may step to (rule 2)."""
    found = set()
    for east, north in DIRECTIONS:
        there = (man[0] + east, man[1] + north)
        empty = there in variant.squares and there not in position.occupied
        if empty and step_allowed(variant, side, man, there):
            found.add(there)
    return found


def hops(variant: Variant, occupied: frozenset[Square], side: Side, here: Square) -> set[Square]:
    """Squares that a man of `side` may reach from `here` with one hop over one of the `occupied` squares (rule 3)."""
    found = set()
    for east, north in DIRECTIONS:
        over = (here[0] + east, here[1] + north)
        there = (here[0] + 2 * east, here[1] + 2 * north)
        possible = over in occupied and there in variant.squares and there not in occupied
        if possible and hop_allowed(variant, side, here, there):
            found.add(there)
    return found


def chain_lengths(variant: Variant, position: Position, man: Square, side: Side) -> dict[Square, int]:
    """For each square that a chain of the man can land on, the fewest hops to it."""
    occupied = position.occupied - {man}  # rule 4: its own start square counts as empty
    lengths = {man: 0}
    frontier = [man]
    while frontier:
        following = []
        for here in frontier:
            for there in hops(variant, occupied, side, here):
                if there not in lengths:
                    lengths[there] = lengths[here] + 1
                    following.append(there)
        frontier = following
    del lengths[man]  # rule 4: a chain that ends where it began is no move
    return lengths


def moves_of_man(variant: Variant, position: Position, man: Square, side: Side) -> set[Move]:
    targets = steps(variant, position, man, side) | chain_lengths(variant, position, man, side).keys()  # rule 1
    return {(man, target) for target in targets if move_allowed(variant, side, man, target)}


def moves_of_side(variant: Variant, position: Position, side: Side) -> set[Move]:
    """The moves that `side` would have if it were to move; a pass is not among them (rule 7)."""
    found: set[Move] = set()
    for man in position.men(side):
        found |= moves_of_man(variant, position, man, side)
    return on_duty(variant, side, found) if variant.home_duty else found


def on_duty(variant: Variant, side: Side, moves: set[Move]) -> set[Move]:
    """Those of the side's moves that the home duty lets it make (rule 23)."""
    home = variant.home[side]
    leaving = {(source, target) for source, target in moves if source in home and target not in home}
    if leaving:
        return leaving
    onward = {
        (source, target)
        for source, target in moves
        if source in home and target in home and not comes_nearer(variant, side, source, target)
    }
    if onward:
        return onward
    return {(source, target) for source, target in moves if source not in home}


def comes_nearer(variant: Variant, side: Side, source: Square, target: Square) -> bool:
    """Is the target nearer to the corner of the side's home, horizontally or vertically?"""
    assert variant.corner is not None
    file, rank = variant.corner[side]
    return abs(target[0] - file) < abs(source[0] - file) or abs(target[1] - rank) < abs(source[1] - rank)


def is_blocked(variant: Variant, position: Position) -> bool:
    """Neither side has a move (rules 12 and 17)."""
    return not moves_of_side(variant, position, "x") and not moves_of_side(variant, position, "o")


def legal_moves(variant: Variant, position: Position) -> set[Move | None]:
    """What the side to move may do, whatever came before: its moves, else the pass, else nothing (rules 12, 13, 17)."""
    if is_completed(variant, position):
        return set()
    moves: set[Move | None] = set(moves_of_side(variant, position, position.turn))
    if not moves and moves_of_side(variant, position, other_side(position.turn)):
        return {PASS}
    return moves


def every_move(variant: Variant) -> set[Move]:
    """Every pair of different squares of the board: what a move could be at all."""
    return {(source, target) for source in variant.squares for target in variant.squares if source != target}


def hops_needed(variant: Variant, position: Position, move: Move) -> int:
    """Fewest hops of a legal move; 0 for a step (a hop keeps the parity of file and rank, so it never ends beside)."""
    source, target = move
    if max(abs(source[0] - target[0]), abs(source[1] - target[1])) == 1:
        return 0
    return chain_lengths(variant, position, source, position.turn)[target]


def is_shortest_path(variant: Variant, position: Position, move: Move, path: Sequence[Square]) -> bool:
    """Is `path` a way to play the legal move, square by square, with the fewest hops (rule 7)?"""
    source, target = move
    if len(path) < 2 or path[0] != source or path[-1] != target:
        return False
    needed = hops_needed(variant, position, move)
    if needed == 0:
        return len(path) == 2
    occupied = position.occupied - {source}
    one_by_one = all(there in hops(variant, occupied, position.turn, here) for here, there in pairwise(path))
    return one_by_one and len(path) - 1 == needed
