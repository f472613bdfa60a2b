"""A game at a board: what is refused changes nothing, what is undone is as before, what is saved comes back."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from halma_fast import (
    EmptyStackError,
    GameOverError,
    IllegalMoveError,
    MoveError,
    OptionError,
    Position,
    RecordError,
    Score,
    Side,
)
from halma_fast.clock import TimeControl
from halma_fast.session import Ending, Session
from halma_fast.types import Info

NEARLY_OVER = "xxxx4/xxx5/xx6/1x6/7o/6oo/5ooo/3o1ooo x 60"


class Time:
    """A time that goes on when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def state(session: Session) -> Any:
    times = None if session.clock is None else session.clock.times()
    return session.position, session.moves, session.ending, times, session.names


def played(moves: int, seed: int = 1) -> Session:
    """A game of random moves with a clock."""
    time, generator = Time(), random.Random(seed)
    session = Session(Position("halma8", win="occupied"), names=("A", "level 3"), control=TimeControl(60, 1), now=time)
    session.resume()
    for _ in range(moves):
        time.now += generator.random()
        session.push(generator.choice(list(session.position.legal_moves)))
    return session


def test_moves_are_made_and_the_time_they_took_is_kept() -> None:
    time = Time()
    session = Session(Position("halma8"), now=time)
    time.now += 2.5
    assert session.push("h4-h5").text == "h4-h5"
    info = Info(3, 3, 1, Score("points", 12), "exact", 100, 0.5, 200, 0, ())
    time.now += 1
    session.push("a5-a4", info=info)
    assert [(move.move.text, move.score, move.depth, move.seconds) for move in session.moves] == [
        ("h4-h5", None, None, 2.5),
        ("a5-a4", Score("points", 12), 3, 1.0),
    ]
    assert session.turn is Side.X
    assert session.changed


def test_the_position_given_and_the_one_returned_are_copies() -> None:
    position = Position("halma8")
    session = Session(position)
    session.push("h4-h5")
    session.position.push("a5-a4")
    assert position == Position("halma8")
    assert len(session.position.move_stack) == 1


def test_a_game_begun_elsewhere_goes_on_with_its_moves() -> None:
    position = Position("halma8")
    position.push("h4-h5")
    session = Session(position)
    assert [move.move.text for move in session.moves] == ["h4-h5"]
    session.undo()
    assert session.position == Position("halma8")


def test_what_is_refused_changes_nothing() -> None:
    session = played(6)
    session.pause()
    before = state(session)
    refused: list[tuple[type[Exception], Any]] = [
        (MoveError, lambda: session.push("nonsense")),
        (IllegalMoveError, lambda: session.push("h1-h2")),
        (EmptyStackError, lambda: session.undo(7)),
        (OptionError, lambda: session.undo(0)),
        (EmptyStackError, session.reopen),
        (OSError, lambda: session.save("/nowhere/game")),
        (OptionError, lambda: session.save("/dev/null")),
    ]
    for error, call in refused:
        with pytest.raises(error):
            call()
        assert state(session) == before


def test_undo_brings_back_position_moves_and_clock() -> None:
    session = played(0)
    session.pause()
    states = []
    generator = random.Random(7)
    time = session._now
    for _ in range(30):
        states.append(state(session))
        session.resume()
        time.now += 0.25  # type: ignore[attr-defined]
        session.push(generator.choice(list(session.position.legal_moves)))
        session.pause()
    last = state(session)
    for before in reversed(states):
        # A move's clock is remembered as it was when the move was made, a quarter of a second later.
        session.undo()
        position, moves, ending, times, _ = state(session)
        assert (position, moves, ending) == before[:3]
        assert sum(times) == pytest.approx(sum(before[3]) - 0.25)
    assert last[0] != session.position


def test_the_rules_end_the_game() -> None:
    session = Session(Position("halma8", fen=NEARLY_OVER))
    session.push("b5-a5")
    assert session.ending is not None
    assert str(session.ending) == "x wins (camp full)"
    with pytest.raises(GameOverError):
        session.push("h1-g1")
    with pytest.raises(GameOverError):
        session.resign()
    session.undo()
    assert session.ending is None


def test_resigning_and_agreeing_end_the_game_and_can_be_taken_back() -> None:
    session = played(3)
    moves = session.moves
    assert session.resign() == Ending(Side.X, "resignation")
    for call in (session.resign, session.agree_draw, lambda: session.push("h4-h5")):
        with pytest.raises(GameOverError, match="resignation"):
            call()
    session.reopen()
    assert (session.ending, session.moves) == (None, moves)
    assert session.agree_draw().winner is None
    session.undo()
    assert session.ending is None
    assert session.resign(Side.X).winner is Side.O


def test_a_side_whose_time_is_up_has_lost() -> None:
    time = Time()
    session = Session(Position("halma8"), control=TimeControl(10), now=time)
    session.resume()
    time.now += 4
    session.push("h4-h5")
    time.now += 11
    assert session.ending == Ending(Side.X, "time")
    with pytest.raises(GameOverError):
        session.push("a5-a4")
    time.now += 100
    assert session.ending == Ending(Side.X, "time")
    session.undo()
    assert session.ending is None
    assert session.clock is not None
    assert session.clock.times() == (6, 10)


@pytest.mark.parametrize("end", ["none", "resign", "draw", "time"])
def test_what_is_saved_is_loaded(end: str, tmp_path: Path) -> None:
    session = played(20)
    session.tags["Event"] = 'A "test"'
    if end == "resign":
        session.resign()
    elif end == "draw":
        session.agree_draw()
    elif end == "time":
        session._now.now += 1000  # type: ignore[attr-defined]
        assert session.ending is not None
    session.pause()
    file = tmp_path / "game"
    session.save(file)
    assert not session.changed
    loaded = Session.load(file)
    position, moves, ending, times, names = state(session)
    assert state(loaded)[:3] == (position, moves, ending)
    assert loaded.names == names
    assert loaded.tags == {"Event": 'A "test"'}
    assert state(loaded)[3] == pytest.approx(times, abs=0.001)
    assert not loaded.changed


def test_saving_replaces_the_whole_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    file, link = tmp_path / "game", tmp_path / "link"
    file.write_text("x" * 100_000)
    file.chmod(0o640)
    link.symlink_to(file)
    played(2).save(link)
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert len(Session.load(file).moves) == 2
    assert sorted(os.listdir(tmp_path)) == ["game", "link"]


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game"
    file.write_text("precious")

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    session = played(2)
    with pytest.raises(OSError, match=r"No space left.*game"):
        session.save(file)
    assert session.changed
    assert file.read_text() == "precious"
    assert os.listdir(tmp_path) == ["game"]


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", '[Variant "halma8"]\n\n1. h4-h9 *\n', '[Variant "halma8"]\n[TimeControl "fast"]\n\n*\n',
     '[Variant "halma8"]\n[TimeControl "60"]\n[XClock "x"]\n[OClock "nan"]\n\n*\n'],
)  # fmt: skip
def test_a_file_that_holds_no_game_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(text)
    with pytest.raises(RecordError):
        Session.load(file)


@pytest.mark.parametrize("name", ["", "a\0b", 5, "/dev/zero", "/"], ids=repr)
def test_what_is_no_file_is_refused(name: Any) -> None:
    with pytest.raises(OptionError, match="file"):
        Session.load(name)


def test_a_file_of_several_games_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games"
    text = f"{played(3).record()}\n{played(4).record()}\n"
    file.write_text(text)
    with pytest.raises(RecordError, match="more than one game, expected one"):
        Session.load(file)
    assert file.read_text() == text
