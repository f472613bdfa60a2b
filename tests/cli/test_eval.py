"""`halma-fast eval` shows the terms, their sum and the squares."""

from __future__ import annotations

import re

from cli.process import run, run_json
from halma_fast import Position, Side, parse_square
from halma_fast.evaluation import evaluate, square_values

MOVES = "f1-f3 a7-c5 e1-e2"


def played(name: str, moves: str) -> Position:
    position = Position(name)
    for move in moves.split():
        position.push(move)
    return position


def test_the_rows_add_up_to_the_total() -> None:
    out = run("eval", "--variant", "halma8", "--moves", MOVES).out
    assert re.search(r"^term +x +o +for o$", out, re.M)
    rows = re.findall(r"^([a-z ]+?) +([+-]\d+) +([+-]\d+) +([+-]\d+)$", out, re.M)
    assert [row[0] for row in rows] == [*(t.name for t in evaluate(played("halma8", MOVES)).terms), "total"]
    for column in (1, 2, 3):
        assert sum(int(row[column]) for row in rows[:-1]) == int(rows[-1][column])
    assert all(int(row[3]) == int(row[2]) - int(row[1]) for row in rows)
    assert int(rows[-1][3]) == evaluate(played("halma8", MOVES)).total


def test_json_has_the_same_numbers() -> None:
    position = played("halma8", MOVES)
    found = run_json("eval", "--variant", "halma8", "--moves", MOVES, "--squares")
    assert found["total"] == evaluate(position).total
    assert found["terms"] == {term.name: {"x": term.x, "o": term.o} for term in evaluate(position).terms}
    squares = {parse_square(name): points for name, points in found["squares"].items()}
    assert squares == square_values(position, Side.O)


def test_squares_are_shown_as_a_board() -> None:
    out = run("eval", "--variant", "pulce", "--squares").out
    board = out[out.index("a man of x") :].splitlines()[2:]
    assert [line.split()[0] for line in board] == ["7", "6", "5", "4", "3", "2", "1", "a"]
    values = square_values(Position("pulce"), Side.X)
    assert board[0].split()[1:] == [str(values[parse_square(f"{file}7")]) for file in "bcdef"]
    # The lowest rank is goal, where men have no points of their own, and g2 is not.
    assert board[6].split() == ["1"]
    assert board[5].split()[-1] == str(values[parse_square("g2")])
