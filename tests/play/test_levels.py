"""Ten levels: repeatable, legal in every variant, and in the order of their strength."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from halma_fast import GameOverError, Limit, LimitError, OptionError, Position, Side
from halma_fast.levels import LEVELS, MAX_LEVEL, LevelPlayer


def game(players: dict[Side, LevelPlayer], position: Position, plies: int) -> list[str]:
    moves = []
    for _ in range(plies):
        if position.is_game_over():
            break
        move = players[position.turn].play(position).move
        moves.append(move.text)
        position.push(move)
    return moves


def test_levels_are_numbered_and_each_thinks_no_less_and_blunders_no_more_than_the_one_before() -> None:
    assert [level.number for level in LEVELS] == list(range(1, MAX_LEVEL + 1))
    for lower, higher in pairwise(LEVELS):
        assert lower.careless >= higher.careless
        assert (lower.depth or 99) <= (higher.depth or 99)
        assert (lower.nodes or 0) < (higher.nodes or 2**62) or lower.nodes is None
        assert (lower.depth, lower.nodes, lower.careless) != (higher.depth, higher.nodes, higher.careless)
    assert (LEVELS[-1].depth, LEVELS[-1].nodes, LEVELS[-1].careless) == (None, None, 0)


@pytest.mark.parametrize("level", [1, 3, 6])
def test_equal_seeds_give_equal_games(level: int) -> None:
    def moves(seed: int) -> list[str]:
        player = LevelPlayer(level, seed=seed)
        return game(dict.fromkeys(Side, player), Position("halma8"), 20)

    assert moves(1) == moves(1)
    if LEVELS[level - 1].careless:
        assert moves(1) != moves(2)


@pytest.mark.parametrize("variant", ["halma16", "halma8", "pulce", "4x4:2,1"])
def test_every_level_plays_legal_moves_in_every_variant(variant: str) -> None:
    player = LevelPlayer(1, seed=5)
    position = Position(variant)
    for turn in range(30):
        if position.is_game_over():
            break
        player.level = turn % 7 + 1
        played = player.play(position)
        position.push(played.move)
        assert played.info is None or played.info.pv[0] == played.move


def test_a_careless_move_goes_no_farther_from_the_goal() -> None:
    player = LevelPlayer(1, seed=3)
    position = Position("halma8")
    careless = 0
    for _ in range(30):
        played = player.play(position)
        if played.info is None:
            careless += 1
            side = position.turn
            assert _distance(played.move.to_square, side) <= _distance(played.move.from_square, side)
        position.push(played.move)
    assert careless > 10


def _distance(square: int, side: Side) -> float:
    """Files and ranks from the middle of the goal camp of halma8: (1, 6) or (6, 1)."""
    file, rank = (1, 6) if side is Side.X else (6, 1)
    return abs((square & 15) - file) + abs((square >> 4) - rank)


def test_the_limit_given_is_kept_too() -> None:
    position = Position("halma8")
    played = LevelPlayer(9).play(position, Limit(depth=1))
    assert played.info is not None
    assert played.info.depth == 1
    played = LevelPlayer(10).play(position, Limit(nodes=2000))
    assert played.info is not None
    assert played.info.nodes <= 4000


def test_the_last_level_refuses_a_limit_that_ends_nothing() -> None:
    position = Position("halma8")
    player = LevelPlayer(10)
    for limit in (Limit(o_clock=5.0), Limit(x_inc=1.0), Limit(moves_to_go=4)):
        with pytest.raises(LimitError, match="no clock for the side to move, x, expected"):
            player.play(position, limit)
    assert player.play(position, Limit(x_clock=0.05)).move in position.legal_moves
    player.level = 4  # which has an end of its own
    assert player.play(position, Limit(o_clock=5.0)).move in position.legal_moves


def test_another_seed_gives_another_game() -> None:
    player = LevelPlayer(1, seed=7)
    games = []
    for seed in (None, "1/x", "1/o", "1/x", None):
        player.new_game(seed=seed)
        games.append(tuple(game(dict.fromkeys(Side, player), Position("halma8"), 12)))
    assert games[0] == games[4]
    assert games[1] == games[3]
    assert len(set(games)) == 3


def test_a_higher_level_wins_most_games_against_one_far_below() -> None:
    won = 0
    for number in range(6):
        generator = random.Random(number)
        position = Position("halma8", win="occupied")
        for _ in range(4):
            position.push(generator.choice(list(position.legal_moves)))
        strong = Side(number % 2)
        game({strong: LevelPlayer(6), strong.other: LevelPlayer(2, seed=number)}, position, 300)
        outcome = position.outcome()
        won += outcome is not None and outcome.winner is strong
    assert won >= 5


@pytest.mark.parametrize("level", [0, 11, -1, "5", 2.5, None, True])
def test_a_level_that_is_none_is_refused(level: Any) -> None:
    player = LevelPlayer(3)
    with pytest.raises(OptionError, match="level"):
        player.level = level
    with pytest.raises(OptionError, match="level"):
        LevelPlayer(level)
    assert player.level == 3


def test_bad_arguments_are_refused() -> None:
    player = LevelPlayer(1)
    over = Position.from_fen("xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60", "halma8")
    with pytest.raises(GameOverError):
        player.play(over)
    with pytest.raises(OptionError):
        player.play("start")  # type: ignore[arg-type]
    with pytest.raises(LimitError):
        player.play(Position("halma8"), 5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="seed"):
        LevelPlayer(1, seed="x")  # type: ignore[arg-type]
