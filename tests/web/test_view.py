"""The view: everything that the page shows is what the engine says, and enough to draw every ply."""

import pytest

from halma_fast import Side, square_name
from halma_fast.web.games import Match
from halma_fast.web.messages import RulesGiven, Setup
from halma_fast.web.view import current_view, full_view

from .play import SETUPS, finish, random_match


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
@pytest.mark.parametrize("plies", [0, 9, 60])
def test_the_view_is_the_position(setup, plies):
    match = random_match(setup, plies, 4)
    view, position = full_view(match), match.current.position
    assert view["fen"] == position.fen()
    assert view["turn"] == position.turn.letter
    assert view["ply"] == len(view["moves"]) == len(match.current.made)
    for side in Side:
        assert view["men"][side.letter] == [square_name(square) for square in position.pieces(side)]
    assert {move["move"] for move in view["legal"]} == {move.text for move in position.legal_moves}
    for move in view["legal"]:
        assert position.parse_move("-".join(move["path"]) or "pass").text == move["move"]
    assert current_view(match).items() <= view.items()
    assert full_view(match, legal=False) == view | {"legal": [], "chains": {}}


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_moves_applied_to_the_start_give_the_men(setup):
    view = full_view(random_match(setup, 50, 6))
    men = {letter: set(squares) for letter, squares in view["start"].items()}
    side = view["first"]
    for made in view["moves"]:
        assert made["side"] == side
        if made["path"]:
            men[side].remove(made["path"][0])
            men[side].add(made["path"][-1])
        side = "o" if side == "x" else "x"
    assert men == {letter: set(squares) for letter, squares in view["men"].items()}
    assert side == view["turn"]


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_the_set_up_of_a_view_makes_the_same_game(setup):
    match = random_match(setup, 20, 2)
    told = full_view(match)["setup"]
    again = Setup(told["variant"], RulesGiven(**told["rules"]), told["fen"], told["rounds"])
    same = Match.build(again, [round_.texts() for round_ in match.finished], match.current.texts())
    assert full_view(same) == full_view(match)


def test_the_end_is_told_with_its_reason():
    view = full_view(finish(Match(Setup("4x4:2,1", RulesGiven(max_turns=3))), 1))
    assert view["outcome"] == {"winner": None, "reason": "max turns", "points": None}
    assert (view["legal"], view["chains"], view["match"]) == ([], {}, None)


def test_pulce_tells_frozen_men_rounds_and_points():
    match = finish(Match(Setup("pulce", RulesGiven(max_turns=40))), 2)
    view = full_view(match)
    position = match.current.position
    in_goal = [
        square_name(square) for side in Side for square in position.pieces(side) if square in match.variant.goal[side]
    ]
    assert sorted(view["frozen"]) == sorted(in_goal)
    assert view["progress"]["x"] + view["progress"]["o"] == len(in_goal)
    assert view["match"]["round"] == view["match"]["rounds"] == len(view["match"]["results"]) == 3
    assert view["match"]["over"]
    assert not view["match"]["next"]
    first = Match.build(SETUPS["pulce"])
    while first.current.outcome is None:
        first.current.play([next(iter(first.current.position.legal_moves)).text])
    told = full_view(first)["match"]
    assert (told["round"], told["next"], told["over"], len(told["results"])) == (1, True, False, 1)


def test_a_pass_has_no_path():
    # All men of x are locked in their full goal.
    setup = Setup("4x4:2,1", fen="xx2/x3/2oo/2o1 x 1")
    assert full_view(Match(setup))["legal"] == [{"move": "pass", "path": []}]
    view = full_view(Match.build(setup, (), ["pass"]))
    assert view["moves"] == [{"move": "pass", "side": "x", "number": 1, "path": []}]
    assert view["outcome"] == {"winner": "x", "reason": "camp full", "points": None}
