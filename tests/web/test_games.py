"""Matches: legal moves only, rounds as `halma_fast.pulce` plays them, and faults that say which move is wrong."""

import pytest

from halma_fast import Outcome, Reason, Side
from halma_fast.pulce import round_starts
from halma_fast.web.faults import Fault
from halma_fast.web.games import Match
from halma_fast.web.messages import RulesGiven, Setup

from .play import SETUPS, finish, random_match


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_a_match_is_built_again_from_what_it_says_of_its_moves(setup):
    match = random_match(setup, 70, 1)
    same = Match.build(setup, [round_.texts() for round_ in match.finished], match.current.texts())
    assert same.current.position == match.current.position
    assert same.current.made == match.current.made
    assert (same.results, same.points) == (match.results, match.points)


def test_rounds_begin_where_a_match_of_pulce_has_them():
    setup = Setup("pulce", RulesGiven(max_turns=12, first="o"))
    match = finish(Match(setup), 3)
    rounds = [*match.finished, match.current]
    assert [round_.start for round_ in rounds] == round_starts(match.variant)
    assert [first for first, _ in match.results] == [Side.O, Side.X, Side.O]
    assert all(outcome.reason is Reason.MAX_TURNS for _, outcome in match.results)
    assert match.over
    assert not match.next_round()


def test_points_of_rounds_are_added_and_the_most_win():
    match = finish(Match(Setup("pulce", RulesGiven(max_turns=1))), 1)
    for points, winner in [
        ([(3, 0), (0, 2), (0, 0)], Side.X),
        ([(0, 1), (0, 0), (0, 0)], Side.O),
        ([(1, 0), (0, 1), (0, 0)], None),
    ]:
        outcomes = iter([Outcome(None, Reason.ROUND_OVER, pair) for pair in points])
        played = [
            type("Over", (), {"start": round_.start, "outcome": next(outcomes)})()
            for round_ in [*match.finished, match.current]
        ]
        match.finished, match.current = played[:-1], played[-1]
        assert match.points == tuple(map(sum, zip(*points, strict=True)))
        assert match.winner is winner


@pytest.mark.parametrize(
    ("setup", "earlier", "moves", "code", "field", "index"),
    [
        (Setup("halma9"), [], [], "variant", "setup", None),
        (Setup("halma8", RulesGiven(first="x")), [], [], "variant", "setup", None),
        (Setup("pulce", RulesGiven(win="full")), [], [], "variant", "setup", None),
        (Setup("halma8", fen="8/8 x 1"), [], [], "fen", "setup.fen", None),
        (Setup("halma8", rounds=2), [], [], "variant", "setup.rounds", None),
        (Setup("halma8"), [], ["h1-f3", "h1-f3"], "illegal", "moves", 1),
        (Setup("halma8"), [], ["h1-z3"], "move", "moves", 0),
        (Setup("halma8"), [], ["h1-h3-f3"], "illegal", "moves", 0),
        (Setup("halma8", RulesGiven(max_turns=1)), [], ["h1-f3", "a7-c5"], "over", "moves", 1),
        (Setup("halma8"), [["h1-f3"]], [], "schema", "earlier", None),
        (Setup("pulce"), [["e4-e3"]], [], "move", "earlier", None),
        (Setup("pulce"), [["e4-e4"]], [], "move", "earlier[0]", 0),
        (Setup("pulce"), [[]] * 3, [], "schema", "earlier", None),
    ],
)
def test_faults_name_the_field_and_the_move(setup, earlier, moves, code, field, index):
    with pytest.raises(Fault) as caught:
        Match.build(setup, earlier, moves)
    assert (caught.value.code, caught.value.field, caught.value.index) == (code, field, index)


def test_landings_that_were_written_are_the_path():
    written = Match.build(Setup("halma8"), (), ["h1-f3"]).current.made[0]
    assert written.text == "h1-f3"
    match = random_match(Setup("halma16"), 40, 2)
    longest = max(match.current.made, key=lambda made: len(made.path))
    assert len(longest.path) > 2
    assert longest.text.count("-") == len(longest.path) - 1
