"""`halma-fast bestmove` finds a legal move within its limits and tells it to people and programs."""

from __future__ import annotations

import re
import time

import pytest

from cli.process import run, run_json
from halma_fast import Position, parse_square

MIDGAME = "xxo5/xx6/x7/xo2xo2/2x5/1xox1o2/3o1oo1/4o1o1 x 21"


def test_the_object_has_exactly_the_documented_keys() -> None:
    result = run_json("bestmove", "--fen", MIDGAME, "--depth", "3")
    keys = ["variant", "fen", "best_move", "path", "score", "depth", "seldepth", "nodes", "seconds", "nps", "hashfull"]
    assert list(result) == [*keys, "pv", "lines"]
    assert (result["variant"], result["fen"], result["depth"]) == ("halma8", MIDGAME, 3)
    assert set(result["score"]) == {"kind", "value"}
    assert result["score"]["kind"] in ("points", "win", "loss")
    assert type(result["score"]["value"]) is int
    assert type(result["nps"]) is int
    assert result["seldepth"] >= 3


def test_the_line_is_legal_and_begins_with_the_best_move() -> None:
    result = run_json("bestmove", "--fen", MIDGAME, "--depth", "4")
    assert result["pv"][0] == result["best_move"]
    position = Position.from_fen(MIDGAME)
    assert tuple(map(parse_square, result["path"])) == position.path(position.parse_move(result["best_move"]))
    for move in result["pv"]:
        position.push(move)


def test_ranked_lines_are_in_the_object_and_on_lines_of_their_own() -> None:
    result = run_json("bestmove", "--fen", MIDGAME, "--depth", "3", "--multipv", "3")
    lines = result["lines"]
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert [set(line) for line in lines] == [{"multipv", "depth", "bound", "score", "pv"}] * 3
    assert (lines[0]["pv"], lines[0]["score"]) == (result["pv"], result["score"])
    out = run("bestmove", "--fen", MIDGAME, "--depth", "3", "--multipv", "3").out
    shown = re.findall(r"^line ([123]) +([+-][0-9]+)  (.*)$", out, re.M)
    assert [(int(rank), int(score), moves.split()) for rank, score, moves in shown] == [
        (line["multipv"], line["score"]["value"], line["pv"]) for line in lines
    ]


def test_threads_search_together_and_bad_numbers_name_the_option() -> None:
    result = run_json("bestmove", "--fen", MIDGAME, "--nodes", "20000", "--threads", "2")
    assert 20000 - 512 <= result["nodes"] <= 20000
    for option in ("--threads", "--multipv"):
        done = run("bestmove", option, "0", "--depth", "1")
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"halma-fast: error: {option}: 0, expected an integer from 1 to ")


@pytest.mark.parametrize("limits", [("--depth", "3"), ("--nodes", "5000")])
def test_the_same_limits_give_the_same_result(limits: tuple[str, ...]) -> None:
    results = [run_json("bestmove", "--fen", MIDGAME, *limits) for _ in range(2)]
    for result in results:
        del result["seconds"], result["nps"]
    assert results[0] == results[1]


def test_limits_combine() -> None:
    result = run_json("bestmove", "--fen", MIDGAME, "--depth", "2", "--nodes", "1000000", "--time", "30")
    assert result["depth"] == 2
    assert result["nodes"] <= 1000000


def test_without_a_limit_it_thinks_for_a_second() -> None:
    begin = time.perf_counter()
    result = run_json("bestmove")
    assert time.perf_counter() - begin >= 0.9
    assert 0.9 < result["seconds"] < 1.5


def test_a_forced_win_is_told_in_plies() -> None:
    # One step completes the camp of x.
    win = "xxxx4/xxx5/xx6/1x6/7o/6oo/5ooo/3o1ooo x 60"
    assert run_json("bestmove", "--fen", win, "--depth", "3")["score"] == {"kind": "win", "value": 1}
    assert re.search(r"^score      win in 1 plies$", run("bestmove", "--fen", win, "--depth", "3").out, re.M)


def test_a_forced_pass_has_no_path() -> None:
    # All of x is in its goal camp and locked there, and the position does not say that x has just moved there.
    result = run_json("bestmove", "--board", "4", "--camp", "2,1", "--depth", "2", "--fen", "xx2/x1o1/3o/2o1 x 1")
    assert (result["best_move"], result["path"]) == ("pass", [])


def test_a_person_reads_aligned_names_and_separated_thousands() -> None:
    out = run("bestmove", "--fen", MIDGAME, "--depth", "4").out
    assert re.search(r"^best move  [a-h][1-8]-[a-h][1-8]$", out, re.M)
    assert re.search(r"^path       [a-h][1-8]( [a-h][1-8])+$", out, re.M)
    assert re.search(r"^score      [+-][0-9]+ points$", out, re.M)
    assert re.search(r"^nodes      [0-9,]+$", out, re.M)
    assert re.search(r"^line       [a-h][1-8]-", out, re.M)
