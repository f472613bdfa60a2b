"""`halma-fast moves` lists exactly the legal moves, each with its path."""

from __future__ import annotations

from cli.process import run, run_json
from halma_fast import Position

FEN = "1o1o12/5x2o1o5/6oxx7/1x3x2o2o1o2/2xoxx7o2/6o1x6o/6xx6o1/6xoxx6/5x8o1/9x6/9oo3x1/11x2oo/12x3/16/16/16 x 35"


def test_the_object_lists_the_legal_moves_with_their_paths() -> None:
    position = Position.from_fen(FEN)
    result = run_json("moves", "--fen", FEN)
    assert list(result) == ["variant", "fen", "count", "moves", "outcome"]
    assert result["outcome"] is None
    assert [entry["move"] for entry in result["moves"]] == [move.text for move in sorted(position.legal_moves)]
    assert result["count"] == len(position.legal_moves)
    for entry in result["moves"]:
        # A path is a chain that the strict reader of moves accepts, hop by hop.
        assert position.parse_move("-".join(entry["path"])).text == entry["move"]


def test_a_person_reads_a_line_a_move() -> None:
    lines = run("moves", "--variant", "halma8").out.splitlines()
    assert lines[0] == "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1  (halma8)"
    assert lines[1] == "24 moves of x"
    assert lines[3] == "move   hops  path"
    assert "h1-f3     1  h1-f3" in lines
    assert "g3-g4  step  g3-g4" in lines
    assert len(lines) == 4 + 24


def test_a_finished_game_says_why_it_has_no_moves() -> None:
    over = "xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60"
    result = run_json("moves", "--fen", over)
    assert (result["moves"], result["outcome"]) == ([], {"winner": "x", "reason": "camp full", "points": None})
    assert run("moves", "--fen", over).out.endswith("no moves: x wins (camp full)\n")
