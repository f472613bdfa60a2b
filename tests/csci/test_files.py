"""Input and output files: what they mean, what is refused and where, and that each way undoes the other."""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.effort import effort

from halma_fast import CsciError, IllegalMoveError, LimitError, Move, Position, Side
from halma_fast.csci import Request, moves_to_go, read_input, read_output, think_seconds, write_input, write_output

START = [
    "GAME",
    "BLACK",
    "100.0",
    "BBBBB...........",
    "BBBBB...........",
    "BBBB............",
    "BBB.............",
    "BB..............",
    *["................"] * 6,
    "..............WW",
    ".............WWW",
    "............WWWW",
    "...........WWWWW",
    "...........WWWWW",
]


def text_of(lines: list[str], end: str = "\n") -> str:
    return "".join(line + end for line in lines)


def changed(number: int, line: str) -> str:
    """The start with another line `number`, counted from 1."""
    return text_of([*START[: number - 1], line, *START[number:]])


def crowded(seed: int) -> Position:
    """A position of a random game, or one with both sides' men thrown together where chains are long."""
    random = Random(seed)
    if seed % 2:
        position = Position("csci561")
        for _ in range(random.randrange(60)):
            position.push(random.choice(list(position.legal_moves)))
        return position
    squares = random.sample([16 * rank + file for rank in range(2, 12) for file in range(2, 12)], 38)
    letters = dict.fromkeys(squares[:19], "x") | dict.fromkeys(squares[19:], "o")
    ranks = ["".join(letters.get(16 * rank + file, "1") for file in range(16)) for rank in reversed(range(16))]
    return Position("csci561", fen=_joined("/".join(ranks)) + f" {random.choice('xo')} 1")


def _joined(placement: str) -> str:
    """Runs of single empty squares as numbers."""
    ranks = []
    for rank in placement.split("/"):
        runs, empty = "", 0
        for cell in rank + "|":
            if cell == "1":
                empty += 1
                continue
            runs += (str(empty) if empty else "") + cell
            empty = 0
        ranks.append(runs[:-1])
    return "/".join(ranks)


def test_the_start_is_the_variants_start() -> None:
    assert read_input(text_of(START)) == Request("GAME", 100.0, Position("csci561"))
    assert write_input(Position("csci561"), "GAME", 100) == text_of(START)


@pytest.mark.parametrize("end", ["\n", "\r\n", " \r\n", "\t\n"])
@pytest.mark.parametrize("after", ["", "\n", "\r\n \n"])
def test_line_ends_and_blanks_behind_do_not_matter(end: str, after: str) -> None:
    assert read_input(text_of(START, end) + after) == read_input(text_of(START))
    assert read_input(text_of(START, end).rstrip() + after) == read_input(text_of(START))


def test_x_is_the_column_and_y_the_row_from_the_top_left() -> None:
    lines = START.copy()
    lines[1:2] = ["WHITE"]
    lines[3 + 4], lines[3 + 9] = "B...............", ".......B........"  # from x 1, y 4 to x 7, y 9
    position = read_input(text_of(lines)).position
    assert position.piece_at("h7") is Side.X
    assert position.piece_at("a12") is Side.X
    assert position.piece_at("b12") is None
    assert position.turn is Side.O


@pytest.mark.parametrize(("text", "value"), [("1", 1.0), ("0.5", 0.5), (".25", 0.25), ("300.", 300.0), ("1e2", 100.0)])
def test_seconds_are_a_number(text: str, value: float) -> None:
    assert read_input(changed(3, text)).seconds == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the text ends before it, expected SINGLE or GAME"),
        ("GAME\n", "line 2: the text ends before it, expected BLACK or WHITE"),
        ("GAME\nBLACK", "line 3: the text ends before it, expected seconds"),
        (text_of(START[:10]), "line 11: the text ends before it, expected 16 of"),
        (text_of(START[:18]), "line 19: the text ends before it, expected 16 of"),
        (changed(1, "game"), "line 1: 'game', expected SINGLE or GAME"),
        (changed(1, ""), "line 1: '', expected SINGLE or GAME"),
        (changed(2, "RED"), "line 2: 'RED', expected BLACK or WHITE"),
        *(
            (changed(3, bad), f"line 3: {bad!r}, expected a number of seconds above 0")
            for bad in ("0", "-1", "nan", "")
        ),
        *((changed(3, bad), "line 3: ") for bad in ("inf", "1e999", "1_0", "10 s", "\u0661", "0x10", "0e5")),
        (changed(4, "BBBBb..........."), "line 4, column 5: 'b', expected '.', 'B' or 'W'"),
        (changed(19, "...........WWWW?"), "line 19, column 16: '?'"),
        (changed(9, ". .............."), "line 9, column 2: ' '"),
        (changed(9, "..............."), "line 9: 15 characters, expected 16"),
        (changed(9, "................."), "line 9: 17 characters, expected 16"),
        (changed(9, ""), "line 9: 0 characters, expected 16"),
        (changed(9, "...B............"), "lines 4 to 19: 20 men 'B', expected 19"),
        (changed(19, "................"), "lines 4 to 19: 14 men 'W', expected 19"),
        (text_of([*START, "more"]), "line 20: 'more', expected the end"),
        (text_of(START) + "\n" * 2000 + "x", "line 20: "),
    ],
)
def test_a_malformed_input_is_refused_with_its_line_and_column(text: str, words: str) -> None:
    with pytest.raises(CsciError) as caught:
        read_input(text)
    message = str(caught.value)
    assert message.startswith(words)
    assert "\n" not in message
    assert len(message) < 200


@effort(200)
@given(st.text(alphabet="GAMESINGLEBLACKWHITE.BW\r\n 0123456789,EJ\u0661", max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_input, lambda text: read_output(text, Position("csci561"))):
        with contextlib.suppress(CsciError, IllegalMoveError):
            read(text)


@pytest.mark.parametrize("seed", range(40))
def test_positions_and_all_their_moves_survive_the_files(seed: int) -> None:
    position = crowded(seed)
    if position.is_game_over():
        return
    request = read_input(write_input(position, "SINGLE", 1.5))
    assert (request.mode, request.seconds) == ("SINGLE", 1.5)
    assert request.position.key() == position.key()
    for move in position.legal_moves:
        text = write_output(position, move)
        assert read_output(text, position) == move
        assert read_output(text.replace("\n", "\r\n"), position) == move
        path = position.path(move)
        assert text.count("\n") == len(path) - 1
        assert text.startswith("E") == (max(abs(path[0] % 16 - path[1] % 16), abs(path[0] // 16 - path[1] // 16)) == 1)


def test_moves_are_written_as_the_homework_asks() -> None:
    position = Position("csci561")
    assert write_output(position, "e15-f14") == "E 4,1 5,2\n"
    assert write_output(position, "e16-e14") == "J 4,0 4,2\n"
    for move in ("d14-e13", "m3-l4"):
        position.push(move)
    assert write_output(position, "e16-e12") == "J 4,0 4,2\nJ 4,2 4,4\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the text ends before it"),
        ("X 4,1 5,2", "line 1: 'X 4,1 5,2', expected 'E x,y x,y' or 'J x,y x,y'"),
        ("E 4,1 5,2,", "line 1: "),
        ("E 4,1", "line 1: "),
        ("E 4,1 5,16", "line 1: "),
        ("E 4,1 6,3", "line 1: 'E 4,1 6,3', expected a step to a neighbour"),
        ("E 4,1 5,2\nE 5,2 6,3", "line 1: 'E 4,1 5,2', expected a step to a neighbour and no other line"),
        ("J 4,0 4,2\nE 4,2 5,3", "line 2: "),
        ("J 4,0 4,2\nJ 4,3 2,4", "line 2: 'J 4,3 2,4', expected to go on from 4,2"),
        ("E 4,1 5,2\n\nE 4,1 5,2", "line 1: "),
    ],
)
def test_a_malformed_output_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(CsciError) as caught:
        read_output(text, Position("csci561"))
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("E 15,15 14,14", "x is to move"),
        ("E 4,1 3,1", "d15 is occupied"),
        ("J 4,1 5,2", "does not go over one square"),
        ("J 4,0 4,2\nJ 4,2 4,0", "ends where it began"),
        ("J 4,0 4,2\nJ 4,2 5,3\nJ 5,3 2,4", "not legal"),
        ("J 4,0 2,4", "no chain of hops leads from e16 to c12"),
        ("J 4,0 6,2\nJ 6,2 4,2", "where no man stands"),
        ("E 8,8 9,9", "no man stands"),
    ],
)
def test_a_move_against_the_rules_is_refused_with_the_rule(text: str, words: str) -> None:
    with pytest.raises((IllegalMoveError, CsciError), match=words):
        read_output(text, Position("csci561"))


@pytest.mark.parametrize("variant", ["halma16", "halma8", "pulce"])
def test_other_boards_are_refused(variant: str) -> None:
    position = Position(variant)
    move = next(iter(position.legal_moves))
    for call in (
        lambda: write_input(position),
        lambda: write_output(position, move),
        lambda: read_output("E 4,1 5,2", position),
    ):
        with pytest.raises(CsciError, match="expected csci561"):
            call()


def test_rules_may_differ_from_the_homeworks() -> None:
    position = Position("csci561", home_duty=False)
    assert read_output(write_output(position, "e15-f14"), position) == Move.from_text("e15-f14")


@pytest.mark.parametrize("mode", ["game", "", None, 1])
def test_a_wrong_mode_is_refused(mode: Any) -> None:
    with pytest.raises(CsciError, match=r"^mode: "):
        write_input(Position("csci561"), mode)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "10", None])
def test_wrong_seconds_are_refused(seconds: Any) -> None:
    with pytest.raises(LimitError):
        write_input(Position("csci561"), "GAME", seconds)


def test_a_pass_has_no_line() -> None:
    rows = "16/16/16/16/16/16/oooooooooo6/ooooooooo7/16/16/16/14xx/13xxx/12xxxx/11xxxxx/11xxxxx"
    position = Position("csci561", fen=f"{rows} x 1")
    assert [move.text for move in position.legal_moves] == ["pass"]
    with pytest.raises(CsciError, match="pass"):
        write_output(position, "pass")


@pytest.mark.parametrize("seconds", [0.001, 0.1, 1.0, 10.0, 100.0, 1000.0, 1e6])
@pytest.mark.parametrize("seed", range(6))
def test_thinking_leaves_time(seed: int, seconds: float) -> None:
    position = crowded(seed)
    game, single = (think_seconds(Request(mode, seconds, position)) for mode in ("GAME", "SINGLE"))
    assert 0 < game <= seconds / 12
    assert 0 < single <= min(0.6 * seconds, 60)
    assert think_seconds(Request("GAME", seconds, position), 0.0005) <= 0.0005


def test_a_game_has_more_moves_to_go_at_its_start_than_near_its_end() -> None:
    start = Position("csci561")
    near = Position("csci561", fen=start.fen().translate(str.maketrans("xo", "ox")))
    assert moves_to_go(near) == 12 < moves_to_go(start) < 120
