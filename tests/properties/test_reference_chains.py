"""The reference's breadth-first chains against all chains, tried one by one on small crowded boards.

Here a chain is a list of landings and every rule about it is asked of the whole list, as the rules put it; the
reference asks it of single hops. That the two agree is what allows a search over squares.
"""

import random
from itertools import pairwise

import pytest
from reference import (
    Position,
    Side,
    Square,
    Variant,
    hops_needed,
    is_shortest_path,
    moves_of_side,
    other_side,
    pulce,
    square_board,
)

DIRECTIONS = [(east, north) for east in (-1, 0, 1) for north in (-1, 0, 1) if east or north]


def all_chains(variant: Variant, position: Position, man: Square) -> list[list[Square]]:
    """All chains of hops without a landing twice, whatever the camps; the man's own square is empty meanwhile."""
    occupied = position.occupied - {man}
    chains: list[list[Square]] = []

    def go_on(chain: list[Square]) -> None:
        file, rank = chain[-1]
        for east, north in DIRECTIONS:
            landing = (file + 2 * east, rank + 2 * north)
            is_hop = (file + east, rank + north) in occupied and landing in variant.squares and landing not in occupied
            if is_hop and landing not in chain:
                chains.append([*chain, landing])
                go_on(chains[-1])

    go_on([man])
    return chains


def chain_is_legal(variant: Variant, side: Side, chain: list[Square]) -> bool:
    """All rules about camps, asked of the whole chain (start square first)."""
    start, *landings = chain
    goal, home = variant.goal[side], variant.home[side]
    if variant.is_pulce:
        frozen = start in goal or any(landing in goal for landing in landings[:-1])
        enemy_socket = any(landing in variant.goal[other_side(side)] for landing in landings)
        last_is_diagonal = chain[-1][0] != chain[-2][0] and chain[-1][1] != chain[-2][1]
        return not frozen and not enemy_socket and not (chain[-1] in goal and last_is_diagonal)
    if not variant.home_reentry and start not in home and chain[-1] in home:
        return False
    if variant.goal_lock == "move":
        return start not in goal or chain[-1] in goal
    if variant.goal_lock == "hop":
        been_inside = [square in goal for square in chain]
        return been_inside == sorted(been_inside)  # once inside, inside for good
    return True


def step_is_legal(variant: Variant, side: Side, start: Square, target: Square) -> bool:
    goal, home = variant.goal[side], variant.home[side]
    if variant.is_pulce:
        diagonal = start[0] != target[0] and start[1] != target[1]
        return start not in goal and not (target in goal and diagonal)
    leaves_goal = start in goal and target not in goal
    comes_home = start not in home and target in home
    return not (leaves_goal and variant.goal_lock != "none") and not (comes_home and not variant.home_reentry)


def crowded(variant: Variant, randomness: random.Random) -> Position:
    """About half of the squares occupied: few men make few chains, many leave no square to land on."""
    squares = sorted(variant.squares)
    men = randomness.sample(squares, randomness.randint(len(squares) // 4, len(squares) // 2))
    half = len(men) // 2
    return Position(frozenset(men[:half]), frozenset(men[half:]), randomness.choice(["x", "o"]))


VARIANTS = [
    pulce(),
    *(
        square_board(size, camp, goal_lock=lock, home_reentry=reentry)
        for size, camp in ((4, (2, 1)), (5, (3, 2, 1)), (6, (3, 3, 1)))
        for lock in ("hop", "move", "none")
        for reentry in (True, False)
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: f"{v.name}-{v.goal_lock}-{v.home_reentry}")
def test_moves_are_exactly_the_steps_and_the_legal_chains_and_paths_are_the_shortest_chains(variant: Variant) -> None:
    randomness = random.Random(variant.name)
    for _ in range(15):
        position = crowded(variant, randomness)
        side = position.turn
        expected = set()
        for man in position.men(side):
            for east, north in DIRECTIONS:
                target = (man[0] + east, man[1] + north)
                empty = target in variant.squares and target not in position.occupied
                if empty and step_is_legal(variant, side, man, target):
                    expected.add((man, target))
            fewest: dict[Square, list[Square]] = {}
            for chain in sorted(all_chains(variant, position, man), key=len):
                if chain_is_legal(variant, side, chain):
                    fewest.setdefault(chain[-1], chain)
            for target, chain in fewest.items():
                expected.add((man, target))
                assert hops_needed(variant, position, (man, target)) == len(chain) - 1
                assert is_shortest_path(variant, position, (man, target), chain)
        assert moves_of_side(variant, position, side) == expected


def test_no_hop_of_a_shortest_path_can_be_left_out() -> None:
    variant = square_board(6, (1,), goal_lock="none")
    randomness = random.Random(6)
    for _ in range(20):
        position = crowded(variant, randomness)
        for man in position.men(position.turn):
            for chain in all_chains(variant, position, man):
                assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 2 for a, b in pairwise(chain))
                short = hops_needed(variant, position, (man, chain[-1])) == len(chain) - 1
                assert is_shortest_path(variant, position, (man, chain[-1]), chain) == short
