"""`halma-fast show` draws the board and tells how the game stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.process import run, run_json
from halma_fast import Position
from halma_fast.cli import main

OVER = "xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60"


def test_the_board_is_the_text_of_the_position() -> None:
    out = run("show", "--variant", "pulce").out
    assert out.startswith(str(Position("pulce")))


def test_rules_and_standing_are_below_the_board() -> None:
    out = run("show", "--variant", "halma8", "--win", "occupied").out
    assert re.search(r"^rules     goal_lock=hop home_reentry=true home_duty=false win=occupied$", out, re.M)
    assert re.search(r"^          home_deadline=none max_turns=none repetition=3$", out, re.M)
    assert re.search(r"^moves     24$", out, re.M)
    assert re.search(r"^outcome   none yet$", out, re.M)
    assert re.search(r"^outcome   x wins \(camp full\)$", run("show", "--fen", OVER).out, re.M)


@pytest.mark.parametrize(("columns", "lines"), [("80", 2), ("200", 1), ("30", 7), ("5", 7)])
def test_the_rules_are_broken_between_items_where_the_terminal_ends(columns: str, lines: int) -> None:
    out = run("show", "--variant", "halma8", env={"COLUMNS": columns}).out
    rules = out[out.index("\nrules ") : out.index("\nmoves ")].splitlines()[1:]
    assert len(rules) == lines
    assert all(line.startswith(" " * 10) for line in rules[1:])
    assert " ".join(line[10:] for line in rules) == (
        "goal_lock=hop home_reentry=true home_duty=false win=full home_deadline=none max_turns=none repetition=3"
    )
    if int(columns) >= 30:
        assert max(map(len, rules)) <= int(columns)


def test_the_object_describes_the_position() -> None:
    result = run_json("show", "--variant", "halma8")
    keys = ["variant", "fen", "rules", "turn", "move_number", "x", "o", "legal_moves", "outcome"]
    assert list(result) == keys
    assert (result["turn"], result["move_number"], result["legal_moves"], result["outcome"]) == ("x", 1, 24, None)
    assert result["x"] == ["e1", "f1", "g1", "h1", "f2", "g2", "h2", "g3", "h3", "h4"]
    assert result["o"] == ["a5", "a6", "b6", "a7", "b7", "c7", "a8", "b8", "c8", "d8"]


def test_the_object_tells_the_outcome() -> None:
    assert run_json("show", "--fen", OVER)["outcome"] == {"winner": "x", "reason": "camp full", "points": None}


def test_the_picture_is_written_beside_what_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    done = run("show", "--variant", "halma8", "--moves", "e1-d2", "--svg", str(path), "--arrow", "a7-c5=blue", "--flip")
    position = Position("halma8")
    position.push("e1-d2")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(str(position))
    assert path.read_text() == position.to_svg(arrows=[("a7-c5", "blue")], flip=True)
    assert [each.name for each in tmp_path.iterdir()] == ["board.svg"]


def test_the_picture_alone_goes_to_standard_output() -> None:
    assert run("show", "--variant", "pulce", "--svg", "-").out == Position("pulce").to_svg()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--arrow", "e1-e2"), "--arrow needs --svg"),
        (("--flip",), "--flip needs --svg"),
        (("--svg", "-", "--json"), "--json and --svg - exclude each other"),
        (("--svg", "-", "--arrow", "e1-e2=pink"), "--arrow 1: 'pink', expected green"),
        (("--svg", "none/board.svg"), "'none/board.svg' cannot be written: "),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_one_line(
    arguments: tuple[str, ...], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", *arguments]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"halma-fast: error: {message}")
