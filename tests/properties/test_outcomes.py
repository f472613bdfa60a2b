"""How games end: the package and the reference agree at every ply, for every reason there is."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from halma_fast import GameOverError, Reason
from properties.effort import effort
from properties.players import PLACEMENTS, STYLES
from properties.strategies import Script, custom_worlds, pulce_worlds, scripts, worlds
from properties.worlds import Twins, World, outcome_of, to_outcome


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
