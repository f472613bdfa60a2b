"""The sums of a match against sums made by hand."""

from __future__ import annotations

from random import Random

import pytest

from halma_fast import MatchError, Move, Side, Variant
from halma_fast.game import Effort, Round, Thought
from halma_fast.standing import Game, Standing
from halma_fast.types import Played

HALMA, PULCE = Variant.named("halma8"), Variant.named("pulce")


def game(pair: int, leg: int, winner: Side | None, turns: int = 10, reason: str = "camp full") -> Game:
    thoughts = (Thought(Played(Move.from_text("e1-d2"))),) * turns
    efforts = Effort(2, 1, 6, 100, 500_000), Effort(1, 1, 3, 50, 0)
    return Game(pair, leg, (Round(HALMA, HALMA.start_fen, thoughts, 0, winner, reason, "", None, efforts),))


def test_results_are_the_first_players() -> None:
    standing = Standing(
        [game(0, 0, Side.X), game(0, 1, Side.X), game(1, 0, None), game(1, 1, Side.O), game(2, 1, Side.O)]
    )
    assert (standing.wins, standing.draws, standing.losses, standing.games) == (3, 1, 1, 5)
    assert (standing.as_x, standing.as_o) == ([1, 1, 0], [2, 0, 1])
    assert standing.pentanomial.counts == (0, 0, 1, 1, 0)
    assert standing.score == 0.7


def test_pairs_do_not_depend_on_the_order_of_games() -> None:
    random = Random(3)
    games = [game(pair, leg, random.choice([Side.X, Side.O, None])) for pair in range(40) for leg in (0, 1)]
    expected = [0] * 5
    for pair in range(40):
        expected[games[2 * pair].half_points + games[2 * pair + 1].half_points] += 1
    for _ in range(3):
        random.shuffle(games)
        assert list(Standing(games).pentanomial.counts) == expected


def test_lengths_efforts_and_endings_are_added_up() -> None:
    standing = Standing([game(0, 0, Side.X, 10), game(0, 1, Side.X, 20, "crash"), game(1, 0, None, 30, "max turns")])
    assert standing.turns == 60
    assert standing.endings == {("win", "camp full"): 1, ("loss", "crash"): 1, ("draw", "max turns"): 1}
    first, second = standing.efforts
    assert first == Effort(5, 3, 15, 250, 1_000_000)  # x, o, x
    assert second == Effort(4, 3, 12, 200, 500_000)
    assert (first.depth, first.nps, second.nps) == (5.0, 250, 400)


def test_a_game_of_pulce_is_a_match_of_rounds() -> None:
    points = [(1, 0), (0, 3), (1, 0)]
    rounds = tuple(
        Round(PULCE, PULCE.start_fen, (), 0, Side.X if x > o else Side.O, "round over", "", (x, o)) for x, o in points
    )
    standing = Standing([Game(0, 0, rounds), Game(0, 1, rounds)])
    assert (standing.games, standing.rounds) == (2, 6)
    assert (standing.wins, standing.losses) == (1, 1)  # o has 3 points to 2, and is the first player once
    assert standing.points == (5, 5)
    assert standing.endings == {("win", "round over"): 3, ("loss", "round over"): 3}


def test_nothing_is_counted_twice() -> None:
    standing = Standing([game(4, 1, None)])
    with pytest.raises(MatchError, match=r"game: 5\.2 twice"):
        standing.add(game(4, 1, Side.X))
    assert (standing.games, standing.draws) == (1, 1)


def test_an_empty_match_has_no_score() -> None:
    assert Standing().score is None
    assert Standing().pentanomial.pairs == 0
