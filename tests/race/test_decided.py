"""A race that is called decided is: the solution of the whole board agrees, and not only about who wins."""

from __future__ import annotations

import random
from typing import Any

import pytest

from halma_fast import OptionError, Position, Side
from halma_fast.race import decided
from halma_fast.racer import army_distance
from halma_fast.solve import solve


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("6x6:1", {"win": "occupied"}),
        ("8x8:1", {}),
        ("9x9:1", {"goal_lock": "move"}),
        ("6x6:2", {"win": "occupied"}),
        ("6x6:2", {"goal_lock": "none", "win": "full"}),
    ],
)
def test_no_claim_is_false(name: str, rules: dict[str, Any]) -> None:
    solution = solve(name, threads=2, **rules)
    claims = {"win": 0, "loss": 0}
    for index in random.Random(name).sample(range(solution.positions), min(solution.positions, 4000)):
        # Those in which the armies have passed: the rest is told without a search.
        position = solution.position(index)
        race = decided(position)
        if race is None:
            continue
        truth = solution.probe(position)
        claims[race.score.kind] += 1
        assert truth.kind == race.score.kind, position.fen()
        assert truth.value <= race.score.value, position.fen()
        assert (race.winner is position.turn) == (truth.kind == "win")
    assert min(claims.values()) > 0, claims


PASSED = "xxxx4/xx6/x1x5/xx5o/6o1/7o/5ooo/4oooo x"


def test_the_distance_of_armies_is_that_of_their_closest_men() -> None:
    for seed in range(300):
        chosen = random.Random(seed)
        a, b = (chosen.sample(range(256), chosen.randint(1, 4)) for _ in range(2))
        closest = min(max(abs((s & 15) - (t & 15)), abs((s >> 4) - (t >> 4))) for s in a for t in b)
        assert army_distance(a, b) == closest
    assert army_distance([], [1]) == army_distance([1], []) == 15


def test_the_way_wins_whatever_the_other_does() -> None:
    for seed in range(20):
        chosen = random.Random(seed)
        position = Position.from_fen(PASSED, "halma8")
        race = decided(position)
        assert race is not None
        assert race.winner is Side.X
        for number, move in enumerate(race.moves):
            position.push(move)
            if number < len(race.moves) - 1:
                position.push(chosen.choice(list(position.legal_moves)))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is Side.X
        assert len(position.move_stack) == race.score.value


def test_what_is_not_proven_is_not_claimed() -> None:
    assert decided(Position("halma8")) is None
    # As far apart, but a cap or a deadline may come first, and the armies of Pulce are no such race.
    for rules in ({"max_turns": 400}, {"home_deadline": 30}, {"home_duty": True}):
        assert decided(Position.from_fen(PASSED, "halma8", **rules)) is None  # type: ignore[arg-type]
    assert decided(Position("pulce")) is None
    with pytest.raises(OptionError):
        decided("start")  # type: ignore[arg-type]


def test_a_placement_that_was_there_before_is_not_relied_on() -> None:
    """The other side might bring a position back for the third time."""
    position = Position.from_fen(PASSED, "halma8", goal_lock="none")
    race = decided(position)
    assert race is not None
    there = race.moves[0]
    position.push(there)
    position.push(next(iter(position.legal_moves)))
    back = position.parse_move(f"{there.text[3:]}-{there.text[:2]}")
    position.push(back)
    position.push(next(move for move in position.legal_moves if move != position.move_stack[1]))
    again = decided(position)
    assert again is None or again.moves[0] != there
