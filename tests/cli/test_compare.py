"""`halma-fast perft --compare` finds the moves on which another program's divide differs, and refuses what is none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from cli.process import COMMAND, TIMEOUT_SECONDS, environment, run, run_json
from halma_fast import Position

POSITION = ("--variant", "halma8", "--depth", "4")


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A file with the divide as this package prints it, for a test to spoil."""
    file = tmp_path / "theirs.txt"
    file.write_text(run("perft", *POSITION, "--divide").out, encoding="utf-8")
    return file


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def compared(file: Path) -> dict[str, object]:
    done = run("perft", *POSITION, "--compare", str(file), "--json")
    assert done.status == 1
    value = json.loads(done.out)
    assert isinstance(value, dict)
    return value


def test_a_divide_of_our_own_is_equal(theirs: Path) -> None:
    result = run_json("perft", *POSITION, "--compare", str(theirs))
    assert (result["equal"], result["differences"], result["next"]) == (True, [], None)
    assert result["nodes"] == result["their_nodes"] == result["their_total"] == 699628
    assert result["moves"] == result["their_moves"] == 24
    done = run("perft", *POSITION, "--compare", str(theirs))
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("result    equal\n")


def test_a_count_that_differs_is_shown_with_the_place_to_look_into(theirs: Path) -> None:
    spoil(theirs, "e1-e2: 27592", "e1-e2: 27590")
    spoil(theirs, "nodes     699,628", "Nodes: 699626")
    result = compared(theirs)
    assert result["differences"] == [{"move": "e1-e2", "ours": 27592, "theirs": 27590}]
    below = Position("halma8")
    below.push("e1-e2")
    assert result["next"] == {"move": "e1-e2", "fen": below.fen(), "depth": 3}
    done = run("perft", *POSITION, "--compare", str(theirs))
    assert done.status == 1
    assert done.out.splitlines()[1].split() == ["e1-e2", "27,592", "27,590", "-2"]
    assert done.err == "halma-fast: the divides differ: 1 move counted otherwise (first e1-e2)\n"


def test_moves_that_only_one_program_has(theirs: Path) -> None:
    spoil(theirs, "e1-e2: 27592", "a1-a2: 27592")
    result = compared(theirs)
    assert result["differences"] == [
        {"move": "a1-a2", "ours": None, "theirs": 27592},
        {"move": "e1-e2", "ours": 27592, "theirs": None},
    ]
    assert "no such move" in run("perft", *POSITION, "--compare", str(theirs)).out


def test_a_total_that_is_not_the_sum_is_a_difference(theirs: Path) -> None:
    spoil(theirs, "nodes     699,628", "Nodes: 699629")
    result = compared(theirs)
    assert (result["equal"], result["differences"], result["their_total"]) == (False, [], 699629)
    assert "total" in run("perft", *POSITION, "--compare", str(theirs)).err


def test_only_the_first_differing_moves_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "theirs.txt"
    file.write_text("a1-a2: 1\n", encoding="utf-8")
    done = run("perft", *POSITION, "--compare", str(file))
    assert "\nand 5 more\n" in done.out
    assert len([line for line in done.out.splitlines() if "no such move" in line]) == 20
    assert len(compared(file)["differences"]) == 25  # type: ignore[arg-type]


def test_a_dash_is_standard_input(theirs: Path) -> None:
    with theirs.open("rb") as file:
        done = subprocess.run(
            [*COMMAND, "perft", *POSITION, "--compare", "-"],
            stdin=file,
            capture_output=True,
            env=environment(),
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_malformed_file_is_refused_with_its_line(theirs: Path) -> None:
    spoil(theirs, "e1-e2: 27592", "e1-e2 has 27592")
    lines = theirs.read_text(encoding="utf-8").splitlines()
    number = lines.index("e1-e2 has 27592") + 1
    done = run("perft", *POSITION, "--compare", str(theirs))
    assert (done.status, done.out) == (2, "")
    assert f", line {number}: 'e1-e2 has 27592', expected 'move: count'\n" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("extra", [("--divide",), ("--max-leaves", "5")])
def test_options_that_exclude_each_other(theirs: Path, extra: tuple[str, ...]) -> None:
    done = run("perft", *POSITION, "--compare", str(theirs), *extra)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_missing_file_and_a_folder_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        done = run("perft", *POSITION, "--compare", str(path))
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert "cannot be read" in done.err


def test_a_move_that_ends_the_game_counts_nothing(tmp_path: Path) -> None:
    almost = ("--board", "3", "--camp", "1", "--fen", "1x1/1o1/3 x 5")
    file = tmp_path / "theirs.txt"
    file.write_text("b3-b1: 7\nb3-a2: 7\nb3-c2: 7\nb3-a3: 5\nb3-c3: 7\n", encoding="utf-8")
    done = run("perft", *almost, "--depth", "2", "--compare", str(file), "--json")
    assert json.loads(done.out)["differences"] == [{"move": "b3-a3", "ours": 0, "theirs": 5}]
