"""One game: the rules end it, or the loser's fault, and the runner's own clock counts."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from halma_fast import PASS, Info, Limit, LimitError, MatchError, Move, Played, Position, Score, Side
from halma_fast.errors import EngineDiedError, EngineTimeoutError, IllegalMoveError
from halma_fast.game import Control, Fault, Round, Stopped, play_round
from halma_fast.openings import openings
from halma_fast.players import make_player
from match.scripted import Scripted, fake_program, first


def position(**rules: Any) -> Position:
    return Position("halma8", **{"win": "occupied", "max_turns": 40, **rules})


def play(x: Any, o: Any, **keywords: Any) -> Round:
    return play_round((x, o), position(), **keywords)


def raising(error: Exception) -> Scripted:
    def choose(position: Position) -> Move:
        raise error

    return Scripted(choose, after=2)


def test_the_rules_end_a_game_and_the_moves_replay_it() -> None:
    start = position(max_turns=None)
    opening = next(openings([start], 2, 5))[0]
    played = play_round((make_player("engine:depth=2"), make_player("greedy")), start, opening, seed=3)
    again = start.copy()
    for thought in played.thoughts:
        again.push(thought.played.move)
    outcome = again.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason.value, outcome.points) == (played.winner, played.reason, played.points)
    assert [thought.played.move for thought in played.thoughts[:2]] == list(opening)
    assert (played.opening, played.fault, played.start) == (2, None, start.fen())
    x, o = played.efforts
    infos = [thought.played.info for thought in played.thoughts[2::2]]
    assert x.nodes == sum(info.nodes for info in infos if info is not None)
    assert (x.moves, o.moves, o.depth, o.nps) == (len(infos), 0, None, None)
    assert x.depth == 2.0


def test_a_cap_is_a_draw() -> None:
    played = play_round((Scripted(), Scripted()), position(max_turns=13, repetition=None))
    assert (played.winner, played.reason, played.fault, len(played.thoughts)) == (None, "max turns", None, 13)


@pytest.mark.parametrize("culprit", list(Side))
@pytest.mark.parametrize(
    ("player", "fault", "words"),
    [
        (lambda: Scripted(lambda _: Move.from_text("a1-h8"), after=2), Fault.ILLEGAL_MOVE, "a1-h8"),
        (lambda: Scripted(lambda _: PASS, after=2), Fault.ILLEGAL_MOVE, "pass"),
        (lambda: Scripted(lambda _: "e1-d2", after=2), Fault.ILLEGAL_MOVE, "e1-d2"),
        (lambda: Scripted(lambda _: None, after=2), Fault.ILLEGAL_MOVE, "None"),
        (lambda: raising(IllegalMoveError("no such move")), Fault.ILLEGAL_MOVE, "no such move"),
        (lambda: raising(EngineDiedError("gone")), Fault.CRASH, "EngineDiedError: gone"),
        (lambda: raising(ZeroDivisionError("oops")), Fault.CRASH, "ZeroDivisionError: oops"),
        (lambda: raising(EngineTimeoutError("silent")), Fault.HANG, "silent"),
    ],
)
def test_a_fault_loses_with_its_reason(culprit: Side, player: Any, fault: Fault, words: str) -> None:
    players = [player(), Scripted()][:: -1 if culprit else 1]
    played = play(*players)
    assert (played.winner, played.reason, played.fault) == (culprit.other, fault.value, fault)
    assert words in played.detail
    assert len(played.thoughts) == 4 + culprit


class Trap:
    """Raises from whatever it is asked, as an object of another library may."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return Trap
        raise RuntimeError("a trap")

    __str__ = __repr__ = None  # type: ignore[assignment]


class TrapError(Exception):
    __str__ = None  # type: ignore[assignment]


INFO = Info(1, 1, 1, Score("points", 3), "exact", 10, 0.1, 100, 0, ())


@pytest.mark.parametrize("culprit", list(Side))
@pytest.mark.parametrize(
    ("answer", "fault", "words"),
    [
        (lambda move: move, Fault.ILLEGAL_MOVE, "expected a Played"),
        (lambda move: move.text, Fault.ILLEGAL_MOVE, "expected a Played"),
        (lambda move: (move, None), Fault.ILLEGAL_MOVE, "expected a Played"),
        (lambda move: None, Fault.ILLEGAL_MOVE, "None, expected a Played"),
        (lambda move: SimpleNamespace(move=move), Fault.ILLEGAL_MOVE, "expected a Played"),
        (lambda move: Trap(), Fault.ILLEGAL_MOVE, "expected a Played"),
        (lambda move: Played(Trap()), Fault.ILLEGAL_MOVE, "expected a Move"),
        (lambda move: Played(move.text), Fault.ILLEGAL_MOVE, "expected a Move"),
        (lambda move: Played(move, "deep"), Fault.CRASH, "info: 'deep', expected an Info or None"),
        (lambda move: Played(move, Trap()), Fault.CRASH, "expected an Info or None"),
        (lambda move: Played(move, replace(INFO, depth="9")), Fault.CRASH, "depth: '9'"),
        (lambda move: Played(move, replace(INFO, depth=10_001)), Fault.CRASH, "depth: 10001"),
        (lambda move: Played(move, replace(INFO, score=None)), Fault.CRASH, "'NoneType'"),
        (lambda move: Played(move, replace(INFO, nodes="many")), Fault.CRASH, "many"),
        (lambda move: Played(move, replace(INFO, seconds=float("inf"))), Fault.CRASH, "infinity"),
    ],
)
def test_an_answer_of_another_kind_loses_with_its_reason(culprit: Side, answer: Any, fault: Fault, words: str) -> None:
    class Foreign(Scripted):
        def play(self, position: Position, limit: Limit) -> Played:
            played = super().play(position, limit)
            return played if len(self.limits) < 3 else answer(played.move)

    played = play(*[Foreign(), Scripted()][:: -1 if culprit else 1])
    assert (played.winner, played.fault, len(played.thoughts)) == (culprit.other, fault, 4 + culprit)
    assert words in played.detail


def test_an_error_that_cannot_be_printed_is_a_crash() -> None:
    played = play(raising(TrapError()), Scripted())
    assert (played.winner, played.fault) == (Side.O, Fault.CRASH)
    assert played.detail.startswith("TrapError: ")


def test_programs_that_fail_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halma_fast.players.GRACE_SECONDS", 0.2)
    for mode, fault in (
        ("dies in search", Fault.CRASH),
        ("hangs in search", Fault.HANG),
        ("normal", Fault.ILLEGAL_MOVE),  # h4-h5 once; then it is illegal
    ):
        program = make_player(fake_program(mode))
        try:
            played = play(program, make_player("greedy"), control=Control(time=0.05), margin=5.0)
        finally:
            program.close()
        assert (played.winner, played.fault) == (Side.O, fault)
        assert played.detail


def test_a_late_move_loses_by_the_clock_of_the_runner() -> None:
    slow = Scripted(first, seconds=0.15, after=2)
    assert play(slow, Scripted(), control=Control(time=0.1), margin=0.01).reason == Fault.FLAG
    slow = Scripted(first, seconds=0.15, after=2)
    lost = play(Scripted(), slow, control=Control(clock=0.4, increment=0.01), margin=0.0)
    assert (lost.winner, lost.reason) == (Side.X, "time forfeit")
    # The third slow move takes more than 0.4 s and two increments and a half.
    assert len([thought for thought in lost.thoughts if thought.seconds > 0.14]) == 2


def test_the_margin_is_forgiven() -> None:
    slow = Scripted(first, seconds=0.06, after=1)
    played = play_round((slow, Scripted()), position(max_turns=6), control=Control(time=0.01), margin=5.0)
    assert played.reason == "max turns"


def test_players_are_told_the_clocks() -> None:
    x, o = Scripted(), Scripted()
    play_round((x, o), position(max_turns=6), control=Control(clock=60, increment=2, nodes=7))
    assert x.limits[0] == Limit(nodes=7, x_clock=60.0, o_clock=60.0, x_inc=2.0, o_inc=2.0)
    for limit in x.limits[1:]:
        assert limit.x_clock is not None
        assert 61.0 < limit.x_clock < 60 + 2 * len(x.limits)
    x = Scripted()
    play_round((x, o), position(max_turns=4), control=Control(depth=3, time=0.5))
    assert x.limits == [Limit(depth=3, time=0.5)] * 2


def test_players_cannot_change_the_game() -> None:
    def spoil(position: Position) -> Move:
        move = first(position)
        position.push(move)
        return move

    played = play_round((Scripted(spoil), Scripted(spoil)), position(max_turns=6))
    assert (played.reason, len(played.thoughts)) == ("max turns", 6)


def test_sides_get_seeds_of_their_own() -> None:
    x, o = Scripted(), Scripted()
    play_round((x, o), position(max_turns=2), seed="1/2")
    assert (x.seeds, o.seeds) == (["1/2/x"], ["1/2/o"])


def test_a_game_can_be_given_up() -> None:
    asked = iter([False] * 5 + [True] * 9)
    with pytest.raises(Stopped):
        play_round((Scripted(), Scripted()), position(), stopped=lambda: next(asked))
    flags = iter([False, True])
    with pytest.raises(Stopped):  # what a player does that was cut short is no fault
        play_round((Scripted(lambda _: None), Scripted()), position(), stopped=lambda: next(flags))


def test_controls_are_printed() -> None:
    assert str(Control(3, 100, 0.5, 60, 0.6)) == "60+0.6 s, 0.5 s a move, depth 3, nodes 100"
    assert str(Control()) == "none"


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"depth": 0}, "depth"),
        ({"time": -1.0}, "time"),
        ({"clock": 0.0}, "clock"),
        ({"clock": float("nan")}, "clock"),
        ({"clock": True}, "clock"),
        ({"clock": 1.0, "increment": -1.0}, "increment"),
        ({"clock": 1.0, "increment": None}, "increment"),
        ({"increment": 1.0}, "increment"),
    ],
)
def test_bad_controls_are_refused(values: Any, field: str) -> None:
    with pytest.raises(LimitError, match=f"^{field}: "):
        Control(**values)


def test_it_takes_two() -> None:
    with pytest.raises(MatchError, match="players: 1 of them"):
        play_round((Scripted(),), position())
