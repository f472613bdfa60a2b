"""A match: the same games however many are played at a time, the test's decision, and an end at any time."""

from __future__ import annotations

import json
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from halma_fast import MatchError, Side, Variant
from halma_fast.elo import Sprt
from halma_fast.errors import UgiError
from halma_fast.game import Control
from halma_fast.match import Match, MatchSettings, default_max_turns
from halma_fast.standing import Game
from match.scripted import fake_program

SMALL = Variant.named("5x5:3,2,1", win="occupied")


def settings(first: str = "engine:depth=2,hash=1", second: str = "greedy", **values: Any) -> MatchSettings:
    return MatchSettings(first, second, **{"variant": SMALL, "control": Control(), **values})


def played(match: Match, **keywords: Any) -> list[Game]:
    games: list[Game] = []
    match.run(on_game=games.append, **keywords)
    return sorted(games, key=lambda game: (game.pair, game.leg))


def moves(games: list[Game]) -> list[Any]:
    return [
        (game.pair, game.leg, [[thought.played.move.text for thought in round_.thoughts] for round_ in game.rounds])
        for game in games
    ]


@pytest.mark.parametrize("variant", [SMALL, Variant.named("pulce", max_turns=40)], ids=lambda variant: variant.name)
def test_the_games_do_not_depend_on_how_many_are_played_at_a_time(variant: Variant) -> None:
    wanted = settings(
        variant=variant, control=Control(nodes=150), first="engine:hash=1", second="engine:depth=1,hash=1"
    )
    one = played(Match(wanted, 4))
    assert moves(one) == moves(played(Match(wanted, 4), concurrency=3))
    with ThreadPoolExecutor(2) as executor:
        assert moves(one) == moves(played(Match(wanted, 4), concurrency=4, executor=executor))
    assert moves(one) != moves(played(Match(settings(variant=variant, seed=2, second="engine:depth=1,hash=1"), 4)))


def test_each_opening_is_played_from_both_sides() -> None:
    games = played(Match(settings("random", "random"), 8))
    assert [(game.pair, game.leg) for game in games] == [(pair, leg) for pair in range(4) for leg in (0, 1)]
    for x, o in zip(games[::2], games[1::2], strict=True):
        openings = [[thought.played.move for thought in game.rounds[0].thoughts[:8]] for game in (x, o)]
        assert openings[0] == openings[1]
        assert (x.first_side, o.first_side) == (Side.X, Side.O)
    assert len({tuple(game.rounds[0].thoughts[:8]) for game in games}) == 4


def test_the_stronger_player_wins_from_either_side() -> None:
    standing = Match(settings("engine:depth=3,hash=1", "random"), 10).run()
    assert (standing.wins, standing.as_x[0], standing.as_o[0]) == (10, 5, 5)
    standing = Match(settings("random", "engine:depth=3,hash=1"), 10).run()
    assert standing.losses == 10


def test_a_test_decides_at_the_same_pair_however_many_are_played_at_a_time() -> None:
    wanted = settings("engine:depth=2,hash=1", "random")
    results = []
    for concurrency in (1, 3):
        match = Match(wanted, None, sprt=Sprt(0, 200))
        standing = match.run(concurrency=concurrency)
        assert match.is_over
        results.append((match.decision, standing.games, standing.wins, standing.pentanomial))
    assert results[0] == results[1]
    assert results[0][0] == "H1"
    assert results[0][1] < 100
    # A match that has more games than the test needed, in any order, comes to the same.
    games = played(Match(wanted, 60))
    late = Match(wanted, 60, sprt=Sprt(0, 200), done=games[::-1])
    assert (late.decision, late.standing.games, late.standing.wins, late.standing.pentanomial) == results[0]
    assert played(late) == []
    worse = Match(settings("random", "engine:depth=2,hash=1"), None, sprt=Sprt(0, 200))
    worse.run()
    assert worse.decision == "H0"
    undecided = Match(settings("random", "random"), 4, sprt=Sprt(0, 5))
    assert (undecided.run().games, undecided.decision) == (4, None)


def test_a_match_goes_on_from_the_games_it_has() -> None:
    wanted = settings(control=Control(depth=1), first="engine")
    whole = played(Match(wanted, 8))
    half = whole[:3] + whole[5:6]
    match = Match(wanted, 8, done=half)
    assert match.standing.games == 4
    rest = played(match, concurrency=2)
    assert moves(rest) == moves([game for game in whole if game not in half])
    assert match.standing.pentanomial == Match(wanted, 8, done=whole).standing.pentanomial
    finished = Match(wanted, 8, done=whole)
    assert (finished.is_over, played(finished)) == (True, [])
    assert Match(wanted, 4, done=whole).standing.games == 4  # of a longer match
    with pytest.raises(MatchError, match="twice"):
        Match(wanted, 8, done=[*whole, whole[0]])


def test_a_program_that_fails_loses_every_game_and_is_started_anew() -> None:
    match = Match(settings(fake_program("dies in search"), "greedy", control=Control(time=1.0), plies=2), 4)
    standing = match.run(concurrency=2)
    assert standing.losses == 4
    assert set(standing.endings) == {("loss", "crash")}


@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_player_that_does_not_start_is_named(letter: str) -> None:
    players = ("ugi:/no/such/program", "greedy")
    wanted = settings(*(players if letter == "A" else players[::-1]), control=Control(time=1.0))
    words = f"^player {letter}: 'ugi:/no/such/program' does not start, .*cannot be started"
    with pytest.raises(MatchError, match=words):
        Match(wanted, 2).run()
    with ThreadPoolExecutor(1) as executor, pytest.raises(MatchError, match=words):
        Match(wanted, 2).run(executor=executor)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_player_that_does_not_start_again_loses_its_game(tmp_path: Path, elsewhere: bool) -> None:
    program = tmp_path / "program"
    fake = fake_program("dies in search").removeprefix("ugi:")
    # It can be started once.
    program.write_text(f'#!/bin/sh\nrm "$0"\nexec {fake}\n')
    program.chmod(0o755)
    match = Match(settings(f"ugi:{program}", "greedy", control=Control(time=1.0), plies=2), 4)
    with ThreadPoolExecutor(1) as executor:
        games = played(match, executor=executor if elsewhere else None)
    assert match.standing.losses == 4
    assert [game.rounds[0].reason for game in games] == ["crash"] * 4
    assert ["cannot be started" in game.rounds[0].detail for game in games] == [False, True, True, True]
    assert [len(game.rounds[0].thoughts) >= 2 for game in games] == [True] * 4  # the opening is there


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (SMALL, "variant: 5x5:3,2,1, expected a named one: the engine has no option Variant"),
        (Variant.named("halma8", win="occupied"), "win: occupied, expected full: the engine has no option Win"),
    ],
    ids=["board", "rule"],
)
def test_a_program_that_cannot_play_the_rules_stops_the_match(variant: Variant, words: str) -> None:
    stubborn = settings(fake_program("plain"), "greedy", variant=variant, control=Control(time=1.0))
    match = Match(stubborn, 4)
    with pytest.raises(UgiError) as caught:
        match.run()
    assert str(caught.value) == words
    assert match.standing.games == 0


class Interruption(KeyboardInterrupt):
    """What a test raises in place of Ctrl-C."""


def test_an_interrupted_match_has_the_games_so_far_and_goes_on() -> None:
    match = Match(settings("random", "random"), 40)

    def on_game(game: Game) -> None:
        if match.standing.games == 3:
            raise Interruption

    with pytest.raises(Interruption):
        match.run(on_game=on_game, concurrency=2)
    assert match.standing.games == 3
    assert match.run().games == 40
    assert moves(played(Match(settings("random", "random"), 40))) == moves(
        sorted(match._games.values(), key=lambda game: (game.pair, game.leg))
    )


def test_an_end_does_not_wait_for_a_move() -> None:
    # In the first game the engine thinks for ten minutes; in the second one the program dies at once.
    wanted = settings("engine:time=600", fake_program("dies in search"), control=Control(time=600.0), plies=2)
    threads = threading.active_count()
    begin = time.monotonic()

    def on_game(game: Game) -> None:
        raise Interruption

    with pytest.raises(Interruption):
        Match(wanted, 2).run(on_game=on_game, concurrency=2)
    assert time.monotonic() - begin < 120
    assert threading.active_count() <= threads + 1  # the interpreter's own look at a program's end may still be there


def test_settings_say_what_they_are() -> None:
    one = settings(seed=3, control=Control(clock=1, increment=0.1))
    assert json.loads(one.describe()) == json.loads(json.dumps(one.identity))
    assert one.describe() == pickle.loads(pickle.dumps(one)).describe()
    changes: list[dict[str, Any]] = [
        *({"seed": 4}, {"plies": 7}, {"margin": 0.5}, {"rounds": 5}, {"alternate": False}, {"second": "random"}),
        {"control": Control(clock=1)},
        {"variant": SMALL.with_rules(goal_lock="move")},
    ]
    assert (
        len(
            {
                settings(**{"seed": 3, "control": Control(clock=1, increment=0.1)} | change).describe()
                for change in changes
            }
        )
        == 8
    )
    assert one.describe() not in {settings(**change).describe() for change in changes}


def test_a_match_has_a_cap_on_turns() -> None:
    assert settings().variant.max_turns == default_max_turns(SMALL) == 200
    assert settings(variant=SMALL.with_rules(max_turns=9)).variant.max_turns == 9
    assert [default_max_turns(Variant.named(name)) for name in ("halma16", "halma10", "halma8", "pulce")] == [
        640,
        400,
        320,
        280,
    ]


def test_openings_can_begin_elsewhere() -> None:
    fen = "ooo2/oo3/o3x/2xx1/2xxx o 5"
    games = played(Match(settings("random", "random", fen=fen), 2))
    assert {game.rounds[0].start for game in games} == {fen}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: settings("engine"), "player: 'engine' has no limit"),
        (lambda: settings("nobody"), "player: 'nobody', expected random"),
        (lambda: settings(seed=True), "seed: True"),
        (lambda: settings(margin=-1), "margin: -1"),
        (lambda: settings(plies=-1), "opening plies: -1"),
        (lambda: settings(variant=Variant.named("pulce"), rounds=0), "rounds: 0"),
        (lambda: settings(variant=Variant.named("pulce"), fen="-5-/7 x 1"), "fen: '-5-/7 x 1', expected none"),
        (lambda: Match(settings(), 3), "games: 3, expected an even number"),
        (lambda: Match(settings(), 0), "games: 0"),
        (lambda: Match(settings(), None), "games: None without a test"),
        (lambda: Match(settings(), 2).run(concurrency=0), "concurrency: 0"),
    ],
)
def test_bad_settings_are_refused(make: Any, words: str) -> None:
    with pytest.raises(MatchError) as caught:
        make()
    assert str(caught.value).startswith(words)
