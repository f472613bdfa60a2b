"""Every position of the smallest boards: the counts in bulk, with a table, and leaf by leaf agree on all of them.

There are positions among them with hardly a step, with passes and without any move, as no game on a larger board has.
"""

import itertools

import pytest

from halma_fast import Position, Variant, perft
from halma_fast.notation import format_fen


@pytest.mark.parametrize("camp", [(1,), (1, 1), (2, 1)])
@pytest.mark.parametrize("rules", [{}, {"win": "occupied"}, {"goal_lock": "none"}, {"home_reentry": False}])
def test_all_positions_of_a_board_of_nine_squares(camp, rules):
    variant = Variant.square(3, camp, **rules)
    squares = [16 * rank + file for rank in range(3) for file in range(3)]
    positions = 0
    for x_men in itertools.combinations(squares, variant.men):
        for o_men in itertools.combinations(sorted(set(squares) - set(x_men)), variant.men):
            position = Position(variant, fen=format_fen(variant, (x_men, o_men), 0, 5))
            positions += 1
            for depth in (2, 3, 4):
                singly = perft(position, depth, bulk=False)
                assert perft(position, depth) == singly, position.fen()
            assert perft(position, 4, hash_mb=1) == singly, position.fen()
    assert positions == {1: 72, 2: 756, 3: 1680}[variant.men]
