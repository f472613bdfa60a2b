"""A match of Pulce: rounds, beginners, points, the winner, and that the engine plays for points."""

from __future__ import annotations

from typing import Any

import pytest

from halma_fast import Engine, MatchError, Move, Position, Score, Side, VariantError
from halma_fast.game import Control, Round
from halma_fast.players import make_player
from halma_fast.pulce import PulceMatch, play_match, round_starts
from match.scripted import Scripted

CAPPED = Position("pulce", max_turns=200).variant


def test_the_beginner_alternates_unless_told_otherwise() -> None:
    assert [start.turn for start in round_starts()] == [Side.X, Side.O, Side.X]
    assert [start.turn for start in round_starts(alternate=False)] == [Side.X] * 3
    assert [start.variant.first for start in round_starts(rounds=5)] == [Side(n % 2) for n in range(5)]
    beginning = Position("pulce", first="o").variant
    assert [start.turn for start in round_starts(beginning)] == [Side.O, Side.X, Side.O]


def test_points_are_added_up_and_decide() -> None:
    rounds: list[Round] = []
    players = make_player("engine"), make_player("greedy")
    match = play_match(players, CAPPED, on_round=rounds.append, control=Control(depth=1), seed=1)
    assert rounds == list(match.rounds)
    assert len(rounds) == 3
    for round_, start in zip(rounds, round_starts(CAPPED), strict=True):
        position = start.copy()
        for thought in round_.thoughts:
            position.push(thought.played.move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.points == round_.points
    x, o = (sum(round_.points[side] for round_ in rounds if round_.points) for side in Side)
    assert match.points == (x, o)
    assert match.winner is (Side.X if x > o else Side.O if o > x else None)
    assert x + o > 0


def round_with(points: tuple[int, int] | None, reason: str = "round over", winner: Side | None = None) -> Round:
    return Round(Position("pulce").variant, Position("pulce").fen(), (), 0, winner, reason, "", points)


def test_equal_points_are_a_draw_whoever_won_more_rounds() -> None:
    match = PulceMatch((round_with((1, 0)), round_with((1, 0)), round_with((0, 2))))
    assert (match.points, match.winner) == ((2, 2), None)
    assert PulceMatch((round_with((1, 0)), round_with((0, 2)))).winner is Side.O


def test_a_fault_loses_the_match_and_ends_it() -> None:
    faulty = Scripted(lambda _: Move.from_text("a2-a3"))
    match = play_match((make_player("greedy"), faulty), CAPPED)
    assert (len(match.rounds), match.winner, match.rounds[0].reason) == (1, Side.X, "illegal move")
    ahead = PulceMatch((round_with((3, 0)), round_with(None, "crash", Side.O)))
    assert (ahead.points, ahead.winner) == ((3, 0), Side.O)


def test_each_round_begins_with_its_opening() -> None:
    openings = [[Move.from_text("f4-d4")], [], [Move.from_text("d6-c7")]]
    match = play_match((Scripted(), Scripted()), Position("pulce", max_turns=4).variant, openings=openings)
    assert [round_.opening for round_ in match.rounds] == [1, 0, 1]
    assert [round_.thoughts[0].played.move for round_ in match.rounds[::2]] == [moves[0] for moves in openings[::2]]
    with pytest.raises(MatchError, match="openings: 1"):
        play_match((Scripted(), Scripted()), openings=[[]])


def test_the_engine_prefers_more_points_to_an_earlier_win() -> None:
    # The last man of x can enter by a2 (5-3: 1 point) or by b1 (4-4: 2 points) at once, or hop to f2 and then enter by
    # f1, the mirror image of a6: 3 points, and o cannot come between.
    position = Position("pulce", fen="-5-/x1oooo1/x2oo2/x6/x1o1o2/1x5/-1xxx1- x 20")
    shallow, deep = (Engine().search(position, depth=plies) for plies in (2, 6))
    assert (shallow.best_move.text, shallow.score) == ("b2-b1", Score("win", 2, 2))  # o, who did not begin, has a reply
    assert (deep.best_move.text, deep.score) == ("b2-f2", Score("win", 4, 3))


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"variant": "halma8"}, MatchError),
        ({"variant": "nonsense"}, VariantError),
        ({"rounds": 0}, MatchError),
        ({"rounds": 100}, MatchError),
        ({"rounds": True}, MatchError),
        ({"alternate": 1}, MatchError),
    ],
)
def test_bad_settings_are_refused(values: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        round_starts(**values)
