"""How games end: the package and the reference agree at every ply, for every reason there is."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from reference import read_fen

from halma_fast import GameOverError, Move, Reason
from properties.effort import effort
from properties.players import PLACEMENTS, STYLES
from properties.strategies import Script, custom_worlds, pulce_worlds, scripts, worlds
from properties.worlds import Twins, World, outcome_of, to_outcome, to_pair, twins


def assert_same_outcome(both: Twins) -> None:
    expected = to_outcome(both.game.outcome())
    assert outcome_of(both.position.outcome()) == expected, both.position.fen()
    assert both.position.is_game_over() == (expected is not None)
    if expected is not None:
        assert not both.position.legal_moves


@effort(400)
@given(worlds(), scripts(40))
def test_outcomes_are_those_of_the_reference_throughout_a_game(world: World, script: Script) -> None:
    for both in script.play(world):
        assert_same_outcome(both)


@effort(150)
@given(custom_worlds(5), scripts(80))
def test_outcomes_agree_in_games_on_small_boards_to_the_end(world: World, script: Script) -> None:
    for both in script.play(world):
        assert_same_outcome(both)


@effort(200)
@given(pulce_worlds(), scripts(60))
def test_outcomes_and_points_agree_in_rounds_of_pulce(world: World, script: Script) -> None:
    for both in script.play(world):
        assert_same_outcome(both)


@effort(60)
@given(worlds(8), scripts(40))
def test_taking_back_the_last_move_of_a_finished_game_opens_it_again(world: World, script: Script) -> None:
    both = script.end(world)
    while both.game.moves:
        both.pop()
        assert_same_outcome(both)


# Boards on which games are short: one that is full, dense ones, whose sides must pass, and open ones.
SHORT_GAMES = [
    World(size=4, camp=(4, 4)),
    World(size=4, camp=(4, 3)),
    World(size=3, camp=(3, 1)),
    World(size=3, camp=(2,), rules={"home_deadline": 4}),
    World(size=4, camp=(2, 1), rules={"win": "occupied", "max_turns": 20}),
    World(size=5, camp=(3, 2, 1), rules={"goal_lock": "none", "win": "occupied"}),
    World("pulce"),
    World("pulce", rules={"first": "o"}),
]


@pytest.fixture(scope="module")
def endings() -> Counter[str]:
    """How often fixed games ended for each reason; all of them are compared on the way."""
    seen: Counter[str] = Counter()
    random = Random(1)
    for world in SHORT_GAMES:
        for seed in range(60):
            styles = (random.choice(STYLES), random.choice(STYLES))
            for both in Script(seed, random.choice(PLACEMENTS), styles, 80).play(world):
                assert_same_outcome(both)
                seen["pass"] += both.game.moves[-1:] == [None]
            ending = both.game.outcome()
            if ending is not None:
                seen[ending.reason] += 1
                seen[f"points {ending.points}"] += ending.points is not None
    return seen


@pytest.mark.parametrize("reason", list(Reason))
def test_random_games_end_for_every_reason(endings: Counter[str], reason: Reason) -> None:
    assert endings[str(reason)] > 0, endings


@pytest.mark.parametrize("points", [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)])
def test_random_rounds_end_with_all_points(endings: Counter[str], points: tuple[int, int]) -> None:
    assert endings[f"points {points}"] > 0, endings


def test_random_games_have_passes_and_rounds_that_both_sides_complete(endings: Counter[str]) -> None:
    assert endings["pass"] > 0
    assert any(endings[f"points {(x, o)}"] for x in (1, 2, 3) for o in (1, 2, 3)), endings


SHUFFLE = "d2-d3 a3-a2 d3-d2 a2-a3"
X_HAS_LEFT = "oo2/ox2/1x2/x3 x 1"
WAITING = "a1-b1 a3-a2 b1-a1 a2-a3"
OCCUPYING = "oo2/1x2/1x1x/3o x 1"
FLEAS = "-5-/7/xx2oo1/x3oo1/x3oo1/4oo1/-xxxx1- x 3"


@pytest.mark.parametrize(
    ("world", "fen", "moves", "expected"),
    [
        # Two or more reasons at once: completion, deadline, repetition, cap, blockage, in this order.
        ({"win": "occupied", "home_deadline": 1, "max_turns": 1}, OCCUPYING, "b3-a3", ("x", "camp full")),
        ({"home_deadline": 4}, X_HAS_LEFT, f"{WAITING} {WAITING}", ("x", "home deadline")),
        ({"home_deadline": 1, "max_turns": 1}, None, "d2-d3", ("o", "home deadline")),
        ({"max_turns": 8}, None, f"{SHUFFLE} {SHUFFLE}", (None, "repetition")),
        ({"camp": (4, 4), "max_turns": 10}, "oooo/oooo/xxxx/xxxx x 6", "", (None, "max turns")),
        ({"camp": (4, 4), "max_turns": 10}, "oooo/oooo/xxxx/xxxx o 5", "", (None, "blocked")),
        # The cap takes the extra move of Pulce; the points stand.
        ({"name": "pulce", "max_turns": 7}, FLEAS, "b5-b6 e5-e6 b6-a6", ("x", "max turns")),
        ({"name": "pulce", "max_turns": 8}, FLEAS, "b5-b6 e5-e6 b6-a6 f5-f6", ("x", "round over")),
        ({"name": "pulce", "first": "o"}, FLEAS, "b5-b6 e5-e6 b6-a6", ("x", "round over")),
    ],
)
def test_of_several_reasons_the_first_counts(
    world: dict[str, Any], fen: str | None, moves: str, expected: tuple[str | None, str]
) -> None:
    rules = {name: value for name, value in world.items() if name not in ("name", "camp")}
    named = World(world.get("name", ""), 4, world.get("camp", (2, 1)), rules)
    both = twins(named, None if fen is None else read_fen(named.reference(), fen))
    for text in moves.split():
        assert both.position.outcome() is None
        both.push(to_pair(Move.from_text(text)))
        assert_same_outcome(both)
    outcome = outcome_of(both.position.outcome())
    assert outcome is not None
    assert outcome[:2] == expected


@effort(100)
@given(worlds(6), scripts(60))
def test_a_finished_game_takes_no_move(world: World, script: Script) -> None:
    both = script.end(world)
    if both.game.outcome() is None:
        return
    for move in {*both.game.moves[-2:], ((0, 0), (0, 1)), None}:
        text = "pass" if move is None else "a1-a2"
        with pytest.raises(GameOverError):
            both.position.push(text)
