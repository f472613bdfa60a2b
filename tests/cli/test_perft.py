"""`halma-fast perft` prints the numbers of the rules, whole and divided, for people and for programs."""

from __future__ import annotations

import re

import pytest

from cli.process import run, run_json
from halma_fast import VARIANTS, Move


@pytest.mark.parametrize(
    ("arguments", "depth", "nodes"),
    [
        (("--variant", "halma16"), 4, 4562496),
        (("--variant", "halma10"), 4, 2067884),
        (("--variant", "halma8"), 4, 699628),
        (("--variant", "pulce"), 4, 2437914),
        (("--variant", "halma8", "--goal-lock", "move"), 4, 700034),
        (("--board", "4", "--camp", "2,1"), 5, 198722),
        (("--board", "4", "--camp", "2,1", "--win", "occupied"), 5, 191344),
    ],
)
def test_the_numbers_of_the_rules(arguments: tuple[str, ...], depth: int, nodes: int) -> None:
    assert run_json("perft", *arguments, "--depth", str(depth))["nodes"] == nodes


def test_the_object_has_exactly_the_documented_keys() -> None:
    result = run_json("perft", "--variant", "halma8", "--depth", "3")
    assert list(result) == ["variant", "fen", "depth", "nodes", "seconds", "nps", "bulk", "divide"]
    assert result["variant"] == "halma8"
    assert result["fen"] == VARIANTS["halma8"].start_fen
    assert (result["depth"], result["nodes"], result["bulk"], result["divide"]) == (3, 20050, True, None)
    assert type(result["nps"]) is int
    assert result["seconds"] >= 0


def test_without_bulk_counting_the_number_is_the_same() -> None:
    result = run_json("perft", "--variant", "halma8", "--depth", "3", "--no-bulk")
    assert (result["nodes"], result["bulk"]) == (20050, False)


def test_depth_0_is_the_position_itself() -> None:
    assert run_json("perft", "--depth", "0")["nodes"] == 1


def test_a_finished_game_is_refused_in_one_line() -> None:
    over = "xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60"
    done = run("perft", "--fen", over, "--depth", "2", "--divide")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "halma-fast: error: position: the game is over, x wins (camp full): there is nothing to count\n"
    )


def test_divided_counts_add_up_and_are_sorted_by_move() -> None:
    result = run_json("perft", "--variant", "pulce", "--depth", "3", "--divide")
    assert sum(result["divide"].values()) == result["nodes"] == 57353
    moves = [Move.from_text(text) for text in result["divide"]]
    assert moves == sorted(moves)
    assert len(moves) == 36


def test_divide_prints_a_line_a_move_that_programs_can_compare() -> None:
    divided = run_json("perft", "--variant", "halma8", "--depth", "4", "--divide")["divide"]
    lines = run("perft", "--variant", "halma8", "--depth", "4", "--divide").out.split("\n\n")[0].splitlines()
    assert lines == [f"{move}: {count}" for move, count in divided.items()]


def test_a_person_reads_aligned_names_and_separated_thousands() -> None:
    out = run("perft", "--variant", "halma8", "--depth", "4").out
    assert re.search(r"^nodes     699,628$", out, re.M)
    assert re.search(r"^variant   halma8$", out, re.M)
    assert re.search(r"^speed     [0-9,]+ nodes/s$", out, re.M)


@pytest.mark.parametrize("command", ["perft", "bestmove"])
def test_a_short_time_is_no_time_of_zero(command: str) -> None:
    out = run(command, "--variant", "halma8", "--depth", "1").out
    shown = re.search(r"^time +([0-9.]+) s$", out, re.M)
    assert shown
    assert len(shown[1].replace(".", "").lstrip("0")) >= 3
