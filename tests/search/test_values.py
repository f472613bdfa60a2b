"""The numbers of the evaluation: whatever is learned keeps a goal worth reaching, and no side is favoured."""

import pytest

from halma_fast import Engine, Position, Variant
from halma_fast._kernel.values import formula_values, man_values, terms
from halma_fast.evaluation import evaluate

LEARNED = ["halma16", "halma10", "halma8"]
ALL = [*LEARNED, "5x5:3,2,1", "12x12:4,3,2,1"]


@pytest.mark.parametrize("name", ALL)
def test_any_goal_square_is_worth_more_than_any_other(name):
    variant = Variant.named(name)
    for side in range(2):
        values = man_values(variant, side)
        goal = variant.goal[side]
        assert set(values) == {s for s in range(256) if s >> 4 < variant.size > s & 15}
        assert min(values[s] for s in goal) > max(v for s, v in values.items() if s not in goal)


@pytest.mark.parametrize("name", ALL)
def test_both_sides_have_the_same_values_with_the_board_turned(name):
    variant = Variant.named(name)
    last = variant.size - 1
    x_values, o_values = man_values(variant, 0), man_values(variant, 1)
    assert all(o_values[17 * last - square] == value for square, value in x_values.items())


@pytest.mark.parametrize("name", ALL)
def test_mirrored_squares_have_the_same_value(name):
    variant = Variant.named(name)
    last = variant.size - 1
    values = man_values(variant, 0)
    assert all(values[16 * (last - (s & 15)) + last - (s >> 4)] == value for s, value in values.items())


@pytest.mark.parametrize("name", LEARNED)
def test_learned_values_are_used_and_keep_the_order_of_distance_on_the_diagonal(name):
    variant = Variant.named(name)
    values, formula = man_values(variant, 0), formula_values(variant, 0)
    assert values != formula
    # From the start corner (bottom right) to the goal corner (top left), each square ahead is worth more.
    last = variant.size - 1
    diagonal = [values[16 * rank + last - rank] for rank in range(variant.size)]
    outside = [v for rank, v in enumerate(diagonal) if 16 * rank + last - rank not in variant.goal[0]]
    assert outside == sorted(outside)
    assert len(set(outside)) == len(outside)


@pytest.mark.parametrize("name", LEARNED)
def test_tempo_and_class_steps_are_those_of_the_position(name):
    # At the start both sides stand alike, and only the tempo is left, and what a net says.
    position = Position(name)
    net = {term.name: term.x for term in evaluate(position).terms}.get("net", 0)
    assert Engine(1).search(position, nodes=1).score.value == terms(position.variant).tempo + net


def test_a_man_in_a_class_that_the_goal_has_no_square_for_costs_a_step():
    variant = Variant.named("8x8:4,3,2,1")
    values, costs = formula_values(variant, 0), terms(variant)

    def classes(squares):
        return [sum((s & 1) + 2 * (s >> 4 & 1) == k for s in squares) for k in range(4)]

    start, full = classes(variant.start[0]), classes(variant.goal[0])
    lacking = sum(max(0, a - b) for a, b in zip(start, full, strict=True))
    position = Position(variant)
    for move in position.legal_moves:
        position.push(move)
        men = set(variant.start[0]) - {move.from_square} | {move.to_square}
        steps = sum(max(0, a - b) for a, b in zip(classes(men), full, strict=True))
        gain = values[move.to_square] - values[move.from_square]
        expected = -gain + costs.tempo + costs.class_step * (steps - lacking)
        found = Engine(1).search(Position(variant, fen=position.fen()), nodes=1).score.value
        assert found == expected, move
        position.pop()
