"""`halma-fast play` driven through pipes: every command, every refusal, and that nothing is lost."""

from __future__ import annotations

import io
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from cli.process import COMMAND, TIMEOUT_SECONDS, Finished, environment, run

from halma_fast import Position
from halma_fast.cli import main
from halma_fast.clock import TimeControl
from halma_fast.records import read_records
from halma_fast.session import Session

TWO = ("--variant", "halma8", "--side", "both")


def play(typed: str, *arguments: str, env: dict[str, str] | None = None) -> Finished:
    """Run `halma-fast play` with lines typed, all at once, and then the end of input."""
    done = subprocess.run(
        [*COMMAND, "play", *arguments],
        input=typed.encode(),
        capture_output=True,
        env=environment(env),
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def moves_in(file: Path) -> list[str]:
    """The moves of the only game of a file."""
    (record,) = read_records(file)
    return [move.move.text for move in record.moves]


def test_two_people_play_undo_agree_and_resign() -> None:
    typed = ["h4-h5", "a5 a4", "h5-h6", "undo", "moves", "moves h5", "flip", "draw", "perhaps", "no"]
    typed += ["draw", "yes", "h5-h6", "undo", "resign", "resign", "undo", "help", "clock", "board", "quit", "h5-h6"]
    done = play("\n".join(typed), *TWO)
    assert (done.status, done.err) == (0, "")
    expected = [
        "x plays h4-h5",
        "o plays a5-a4",
        "x plays h5-h6",
        "took back h5-h6",
        "h5  g4 h4 g5 g6 h6",
        "h5  g4 h4 g5 g6 h6",
        "   h g f e d c b a",
        "'perhaps', expected yes or no",
        "o declines",
        "The game is over: draw (draw agreed)",
        "The game is over: draw (draw agreed)",
        "took back: draw agreed",
        "The game is over: o wins (resignation)",
        "resign: the game is over, o wins (resignation)",
        "took back: resignation",
        "moves [SQUARE]",
        "no clock",
        "halma-fast play --variant halma8 --side both --moves 'h4-h5 a5-a4'",
    ]
    rest = done.out
    for text in expected:
        assert text in rest, text
        rest = rest[rest.index(text) + len(text) :]
    assert "x plays h5-h6" not in rest


def test_the_engine_answers_and_undo_takes_both_back() -> None:
    typed = "h4-h5\nhint\nundo\nlevel\nlevel 3\nundo\ng1\nnew\nquit\n"
    done = play(typed, "--variant", "halma8", "--level", "2", "--seed", "1")
    assert done.status == 0
    assert re.search(r"^x plays h4-h5\n(.*\n)+o plays [a-h][1-8]-", done.out, re.M)
    assert re.search(r"^hint: ([a-h][1-8]-?){2}  \(.*points, depth \d+", done.out, re.M)
    assert re.search(r"^took back h4-h5 [a-h][1-8]-[a-h][1-8]$", done.out, re.M)
    assert re.search(r"^level 2 of 10\nlevel 3 of 10\nundo: 1 moves, expected at most the 0", done.out, re.M)
    assert re.search(r"^x plays g1-e3$", done.out, re.M)
    assert "--side x --level 3 --moves 'g1-e3 " in done.out


def test_the_command_that_is_printed_goes_on_with_the_game() -> None:
    rules = ("--win", "occupied", "--max-turns", "200", "--no-home-reentry", "--repetition", "none")
    position = Position("halma8", win="occupied", max_turns=200, home_reentry=False, repetition=None)
    for move in ("g1-e3", "a8-c6"):
        position.push(move)
    done = play("h4-h5\na5-a4\n", *TWO, *rules, "--fen", position.fen())
    assert done.status == 0
    words = shlex.split(done.out.splitlines()[-1])
    assert words[:2] == ["halma-fast", "play"]
    again = run("show", *[word for word in words[2:] if word not in ("--side", "both")], "--json")
    position.push("h4-h5")
    position.push("a5-a4")
    assert f'"fen": "{position.fen()}"' in again.out
    assert '"max_turns": 200' in again.out


REFUSALS = [
    ("h4-h9", "square: h9 is not on the board of halma8"),
    ("h4-f6", "h4-f6 is not legal, no chain of hops leads from h4 to f6"),
    ("a8-a7", "a8-a7 is not legal, the man on a8 is o's and x is to move"),
    ("f1", "which  f1-d1 f1-e2 f1-f3"),
    ("nonsense", "'nonsense', expected squares like h1-f3, or 'help'"),
    ("moves d4", "d4: no man stands there"),
    ("moves e1 f1", "moves: 'e1 f1', expected moves [SQUARE]"),
    ("board now", "board: 'now', expected board alone"),
    ("undo", "undo: 1 moves, expected at most the 0 that were made"),
    ("undo x", "undo: 'x', expected a number"),
    ("undo 0", "undo: 0, expected a number from 1 on"),
    ("level 11", "level: 11, expected an integer from 1 to 10"),
    ("level -1", "level: '-1', expected a number"),
    ("save", "save: no file, expected 'save FILE'"),
    ("save /nowhere/game", "/nowhere/game: No such file or directory"),
    ("replace /dev/null", "file: '/dev/null' is no file"),
    ("load /nowhere/game", "/nowhere/game: No such file or directory"),
    ("load /dev/zero", "file: '/dev/zero' is no file"),
    ("sa", "'sa', expected squares"),
    ('save "open', "expected a closing quote"),
    ("\x1b[31m\u00e9\x00", "expected squares"),
    ("x" * 100_000, "expected squares"),
]


def test_what_is_refused_is_one_clear_line_and_changes_nothing() -> None:
    done = play("\n".join(typed for typed, _ in REFUSALS), *TWO)
    assert (done.status, done.err) == (0, "")
    answers = done.out.rpartition("\n\n")[2].splitlines()
    assert len(answers) == len(REFUSALS)
    for (typed, expected), answer in zip(REFUSALS, answers, strict=True):
        assert expected in answer, typed
        assert answer.isprintable()


def test_saving_loading_and_not_overwriting(tmp_path: Path) -> None:
    first, second = tmp_path / "first game", tmp_path / "second"
    second.write_text("precious")
    typed = f"h4-h5\nsave '{first}'\na5-a4\nsave '{first}'\nsave {second}\nload {second}\nnew\nload '{first}'\n"
    done = play(f"{typed}replace {second}\nquit\n", *TWO)
    assert done.status == 0
    assert f"exists, expected a new name, or 'replace {second}'" in done.out
    assert "line 1: 'precious', expected a tag" in done.out
    assert "loaded from" in done.out
    assert "was not saved" not in done.out
    for file in (first, second):
        (record,) = read_records(file)
        assert [move.move.text for move in record.moves] == ["h4-h5", "a5-a4"]
    assert sorted(os.listdir(tmp_path)) == ["first game", "second"]


def test_a_new_game_does_not_take_the_file_of_the_one_before(tmp_path: Path) -> None:
    file, other = tmp_path / "the game", tmp_path / "other"
    kept = ("--file", str(file))
    stays = f"{file} stays as it is, and the next game is not kept. To keep it there: replace '{file}'\n"
    done = play("new\nh4-h5\nnew\na1\ng1-e3\n", *TWO, *kept)
    assert (done.status, done.out.count(stays)) == (0, 1)
    assert moves_in(file) == ["h4-h5"]
    # What was not kept is told at the end, as it is without a file.
    assert done.out.splitlines()[-1].endswith("--moves g1-e3")
    done = play(f"new\ng1-e3\nsave '{file}'\nreplace '{file}'\na5-a4\n", *kept)
    assert stays in done.out
    assert f"exists, expected a new name, or 'replace {file}'" in done.out
    assert moves_in(file) == ["g1-e3", "a5-a4"]
    assert "was not saved" not in done.out
    # The game of another file neither; that of the file itself is the one that is kept.
    other.write_text(file.read_text().replace("a5-a4", "a8-c6"))
    done = play(f"load {other}\nh4-h5\n", *kept)
    assert stays in done.out
    assert (moves_in(file), moves_in(other)) == (["g1-e3", "a5-a4"], ["g1-e3", "a8-c6"])
    assert "'g1-e3 a8-c6 h4-h5'" in done.out.splitlines()[-1]
    done = play(f"load {other}\nh4-h5\nload '{file}'\nh4-h5\nload '{file}'\na6-a5\n", *kept)
    assert done.out.count(stays) == 1
    assert moves_in(file) == ["g1-e3", "a5-a4", "h4-h5", "a6-a5"]


def test_a_file_of_the_game_before_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "game"
    done = play(f"h4-h5\nsave {file}\nnew\ng1-e3\nsave {file}\n", *TWO)
    assert f"exists, expected a new name, or 'replace {file}'" in done.out
    assert moves_in(file) == ["h4-h5"]


def test_a_loss_on_time_is_kept_whoever_lost(tmp_path: Path) -> None:
    for side, result in (("o", "0-1"), ("none", "0-1")):
        file = tmp_path / side
        done = play("", "--variant", "halma8", "--side", side, "--clock", "0.001", "--file", str(file))
        assert done.out.count("The game is over: o wins (time)") == 1
        (record,) = read_records(file)
        assert (record.result, record.reason) == (result, "time")
        assert "was not saved" not in done.out


def test_a_game_that_no_command_makes_is_told_as_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game"
    session = Session(Position("csci561", home_duty=False, home_reentry=True))
    session.save(file)
    done = play(f"load {file}\na12-b11\n", "--side", "both")
    told = done.out.partition("no option has its rules. As a file:\n\n")[2]
    (record,) = read_records(io.StringIO(told))
    assert record.variant == session.position.variant
    assert [move.move.text for move in record.moves] == ["a12-b11"]


def test_a_game_kept_in_a_file_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game"
    arguments = ("--file", str(file))
    assert play("h4-h5\n", "--variant", "halma8", "--clock", "60+1", "--level", "3", *arguments).status == 0
    assert len(next(read_records(file)).moves) == 2
    done = play("undo\nundo\ng1\nresign\n", *arguments)
    assert (done.status, done.err) == (0, "")
    assert re.search(r"^x 1:0\d  o 1:0\d$", done.out, re.M)
    (record,) = read_records(file)
    assert [move.move.text for move in record.moves][:1] == ["g1-e3"]
    assert (record.result, record.reason, record.tags["O"]) == ("0-1", "resignation", "level 3")


def test_a_file_that_holds_another_game_or_none_is_refused_and_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game"
    Session(Position("halma8"), control=TimeControl(60)).save(file)
    before = file.read_text()
    for wrong in (("--variant", "halma10"), ("--clock", "5"), ("--variant", "halma8", "--moves", "h4-h5")):
        assert main(["play", "--file", str(file), *wrong]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
    assert file.read_text() == before
    file.write_text("nonsense")
    assert main(["play", "--file", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("halma-fast: error: --file: ")
    assert error.endswith("line 1: 'nonsense', expected a tag\n")
    assert file.read_text() == "nonsense"


def test_the_engine_plays_itself_to_the_end_of_the_rules() -> None:
    done = play("", "--variant", "4x4:2,1", "--win", "occupied", "--side", "none", "--level", "4", "--max-turns", "60")
    assert done.status == 0
    assert re.search(r"The game is over: (x wins|o wins|draw) \(", done.out)


def test_a_game_on_the_clock_ends_when_time_is_up_whether_or_not_a_line_comes() -> None:
    with subprocess.Popen(
        [*COMMAND, "play", *TWO, "--clock", "0.05"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        seen = b""
        while b"The game is over: o wins (time)" not in seen and process.poll() is None:
            seen += process.stdout.readline()
        out, _ = process.communicate(b"h4-h5\nclock\nundo\n", TIMEOUT_SECONDS)
    assert b"x 0:00.0  o 0:00.1" in out
    assert out.count(b"The game is over: o wins (time)") == 1
    assert b"x plays" not in seen + out


def test_the_widest_board_fits_80_columns_without_colours() -> None:
    done = play("moves\nhelp\nh1\ngo\nquit\n", "--level", "1", "--clock", "300+2", "--side", "o")
    assert done.status == 0
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines()[:-1])) <= 80
    assert done.out.isascii()
    assert "   p o n m l k j i h g f e d c b a" in done.out


def test_ctrl_c_twice_quits_and_tells_how_to_go_on() -> None:
    with subprocess.Popen(
        [*COMMAND, "play", *TWO],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"h4-h5\n")
        process.stdin.flush()
        seen = b""
        while b"x plays" not in seen:
            seen += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        while b"Ctrl-C again quits." not in seen:
            seen += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 130
    assert err == b"halma-fast: interrupted\n"
    assert b"halma-fast play --variant halma8 --side both --moves h4-h5\n" in out


@pytest.mark.parametrize(
    "arguments",
    [("--level", "0"), ("--level", "x"), ("--side", "z"), ("--clock", "fast"), ("--clock", "0"), ("--seed", "1.5"),
     ("--file", "/dev/null"), ("--moves", "h4-h9")],
)  # fmt: skip
def test_bad_options_are_one_line_and_status_2(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--variant", "halma8", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("halma-fast: error: ")
    assert err.count("\n") == 1
