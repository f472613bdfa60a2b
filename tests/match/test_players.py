"""Players by name: what a name means, what is refused, and that a seed makes a game."""

from __future__ import annotations

import threading
import time

import pytest

from halma_fast import Limit, MatchError, Position, Side
from halma_fast.errors import EngineDiedError, EngineTimeoutError, IllegalMoveError, UgiError
from halma_fast.levels import LevelPlayer
from halma_fast.players import Player, PlayerSpec, make_player
from match.scripted import fake_program, real_program


def moves_of(player: Player, seed: int | str, count: int = 6) -> list[str]:
    position = Position("halma8", win="occupied")
    player.new_game(position.variant, seed)
    for _ in range(count):
        position.push(player.play(position.copy(), Limit(depth=1)).move)
    return [move.text for move in position.move_stack]


@pytest.mark.parametrize("name", ["random", "greedy", "engine", "engine:nodes=100,hash=2", "level:1", "level:4"])
def test_a_seed_makes_the_game(name: str) -> None:
    player = make_player(name)
    assert moves_of(player, 7) == moves_of(player, 7) == moves_of(make_player(name, 3), 7)


def test_another_seed_makes_another_game() -> None:
    for name in ("random", "greedy", "level:1"):
        assert len({tuple(moves_of(make_player(name), seed)) for seed in range(5)}) > 1


def test_greedy_takes_a_most_progressing_move_and_goes_home() -> None:
    position = Position("halma8")
    player = make_player("greedy", 1)
    for side in (Side.X, Side.O):
        move = player.play(position, Limit()).move
        toward = -1 if side is Side.X else 1

        def progress(origin: int, target: int, toward: int = toward) -> int:
            return toward * ((target & 15) - (origin & 15)) - toward * ((target >> 4) - (origin >> 4))

        best = max(progress(m.from_square, m.to_square) for m in position.legal_moves)
        assert progress(move.from_square, move.to_square) == best
        position.push(move)
    entering = Position("halma8", fen="xx1x4/xxx5/xxx5/x7/8/8/ooo4o/oooooo2 x 30")
    assert player.play(entering, Limit()).move.text in {"c6-c8", "c6-d7", "c6-b5"}


def test_an_engine_takes_its_own_limits_and_those_of_the_game() -> None:
    position = Position("halma8")
    deep = make_player("engine:depth=3")
    for limit, depth in ((Limit(), 3), (Limit(depth=2), 2), (Limit(depth=9), 3)):
        info = deep.play(position, limit).info
        assert info is not None
        assert info.depth == depth
        assert info.nodes > 0


def test_a_level_is_that_of_the_game_at_the_board() -> None:
    position = Position("halma8", win="occupied")
    for number in (2, 5):
        player, same = make_player(f" level:{number} "), LevelPlayer(number)
        for other in (player, same):
            other.new_game(position.variant, "1/x")
        for _ in range(8):
            moves = [other.play(position.copy(), Limit()).move for other in (player, same)]
            assert moves[0] == moves[1]
            position.push(moves[0])
    info = make_player("level:7").play(position, Limit(nodes=300)).info
    assert info is not None
    assert 0 < info.nodes <= 300


def test_a_level_that_is_closed_ends_its_search() -> None:
    player = make_player("level:10")
    timer = threading.Timer(0.3, player.close)
    timer.start()
    begin = time.monotonic()
    assert player.play(Position("halma8"), Limit(time=300)).move
    assert time.monotonic() - begin < 60
    timer.join()


def test_names_are_understood() -> None:
    spec = PlayerSpec.parse(" engine:depth=4,hash=64, threads=2,time=0.5 ")
    assert (spec.kind, spec.limit, spec.hash_mb, spec.threads) == ("engine", Limit(depth=4, time=0.5), 64, 2)
    spec = PlayerSpec.parse("ugi:'my program' --fast;Hash=64;Book File=a=b")
    assert (spec.kind, spec.command) == ("ugi", "'my program' --fast")
    assert dict(spec.options) == {"Hash": "64", "Book File": "a=b"}
    spec = PlayerSpec.parse("level:10")
    assert (spec.text, spec.kind, spec.level, spec.needs_limit) == ("level:10", "level", 10, False)
    assert [
        PlayerSpec.parse(name).needs_limit for name in ("random", "greedy", "engine", "ugi:x", "engine:nodes=5")
    ] == [*(False, False, True, True, False)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "player: '', expected random, greedy, engine"),
        ("Engine", "player: 'Engine', expected random"),
        ("random:1", "expected random without options"),
        ("engine:", "has ''"),
        ("engine:depth", "has 'depth', expected depth=, nodes=, time=, hash=, threads="),
        ("engine:level=3", "has 'level=3'"),
        ("engine:depth=x", "has depth='x', expected a number"),
        ("engine:depth=2,depth=3", "has depth twice"),
        ("engine:depth=0", "depth: 0, expected an integer from 1 to 100"),
        ("engine:hash=0", "hash_mb: 0"),
        ("engine:threads=0", "threads: 0"),
        ("engine:time=0", "time: 0.0"),
        ("engine:time=1e9", "has time='1e9'"),
        ("level", "player: 'level', level: None, expected an integer from 1 to 10"),
        ("level:0", "player: 'level:0', level: 0, expected an integer from 1 to 10"),
        ("level:11", "level: 11"),
        ("level:3,hash=2", "level: None"),
        ("ugi:", "expected a command line after ugi:"),
        ("ugi:'x", "No closing quotation"),
        ("ugi:x;Hash", "has 'Hash', expected Name=Value"),
        ("ugi:x;=3", "has '=3', expected Name=Value"),
        (None, "player: None"),
        ("x" * 10000, "(10000 characters)"),
    ],
)
def test_what_is_no_name_is_refused(name: object, words: str) -> None:
    with pytest.raises(MatchError) as caught:
        make_player(name)  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_program_plays_and_sees_the_moves_before() -> None:
    program, engine = make_player(real_program()), make_player("engine")
    try:
        position = Position("halma8", win="occupied", max_turns=50)
        for player in (program, engine):
            player.new_game(position.variant)
        for _ in range(6):
            told, own = (player.play(position.copy(), Limit(depth=2)) for player in (program, engine))
            assert told.move == own.move
            assert told.info is not None
            assert own.info is not None
            assert (told.info.depth, told.info.nodes) == (own.info.depth, own.info.nodes)
            position.push(told.move)
    finally:
        program.close()


def test_a_program_that_knows_no_cap_on_turns_plays_nevertheless() -> None:
    program = make_player(fake_program("normal"))
    try:
        position = Position("halma8", max_turns=50)
        program.new_game(position.variant)
        position.push("e1-d2")
        with pytest.raises(IllegalMoveError, match="h4-h5"):  # the only move it knows, and one of x
            program.play(position, Limit(depth=1))
        position.push("a5-a4")
        assert program.play(position, Limit(depth=1)).move.text == "h4-h5"
        assert [move.text for move in position.move_stack] == ["e1-d2", "a5-a4"]
        with pytest.raises(UgiError, match="goal_lock"):
            program.new_game(Position("halma8", goal_lock="move").variant)
    finally:
        program.close()


def test_a_program_that_dies_or_hangs_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halma_fast.players.GRACE_SECONDS", 0.2)
    for mode, error in (("dies in search", EngineDiedError), ("hangs in search", EngineTimeoutError)):
        program = make_player(fake_program(mode))
        try:
            with pytest.raises(error):
                program.play(Position("halma8"), Limit(time=0.05))
        finally:
            program.close()


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UgiError):
        make_player("ugi:/no/such/program")


def test_a_closed_engine_plays_no_more() -> None:
    engine = make_player("engine:depth=1")
    engine.close()
    with pytest.raises(MatchError, match="was closed"):
        engine.play(Position("halma8"), Limit())
