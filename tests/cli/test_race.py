"""`halma-fast race` tells the fewest moves of an army alone, and whether a game is decided."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

from cli.process import Terminal, run, run_json
from halma_fast import Position

PASSED = "xxxx4/xx6/x1x5/xx5o/6o1/7o/5ooo/4oooo x"


def test_it_finds_a_known_transfer() -> None:
    result = run_json("race", "--board", "6", "--camp", "3,2,1")
    assert list(result) == ["variant", "fen", "goal_lock", "races", "decided", "seconds"]
    assert (result["variant"], result["goal_lock"], result["decided"]) == ("6x6:3,2,1", "none", None)
    assert list(result["races"]) == ["x"]
    assert (result["races"]["x"]["moves"], len(result["races"]["x"]["line"])) == (10, 10)
    assert re.search(r"^moves of x +10$", run("race", "--board", "6", "--camp", "3,2,1").out, re.M)


def test_a_position_is_looked_at_under_its_rules() -> None:
    result = run_json("race", "--fen", PASSED)
    assert result["goal_lock"] == "hop"
    assert [result["races"][side]["moves"] for side in "xo"] == [2, 2]
    assert result["decided"] == {"winner": "x", "kind": "win", "plies": 3}
    out = run("race", "--fen", PASSED, "--side", "o").out
    assert re.search(r"^moves of o +2$", out, re.M)
    assert re.search(r"^decided +x wins, win in 3 plies at most$", out, re.M)
    assert "moves of x" not in out
    assert Position.from_fen(PASSED).is_legal(result["races"]["x"]["line"][0])


def test_what_cannot_be_searched_is_one_line() -> None:
    for arguments, message in (
        (("--variant", "pulce"), "position: of pulce, expected one of Halma"),
        (("--variant", "csci561"), "home_duty: True, expected False: .*"),
        (("--variant", "csci561", "--goal-lock", "none"), "home_duty: True, expected False: .*"),
        (("--board", "6", "--home-duty"), "home_duty: True, expected False: .*"),
        (("--variant", "halma8", "--memory", "1"), "--memory: too few for .* placements, .*"),
        (("--board", "4", "--camp", "2,1", "--memory", "0"), "--memory: 0, expected an integer from 1 to .*"),
    ):
        done = run("race", *arguments)
        assert (done.status, done.out) == (2, "")
        assert re.fullmatch(f"halma-fast: error: {message}\n", done.err)


def test_ctrl_c_ends_a_search_at_once(on_terminal: Callable[..., Terminal]) -> None:
    job = on_terminal("race", "--variant", "halma10", output="stderr")
    assert job.read_until("ways of")
    job.process.send_signal(signal.SIGINT)
    assert job.finish() == 130
    assert job.text.endswith("halma-fast: interrupted\r\n")
