"""Files are read game by game: what is tolerated, what is refused, where messages point, what is kept in memory."""

from __future__ import annotations

import gc
import io
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.effort import effort

from halma_fast import OptionError, Position, RecordError, Score
from halma_fast.records import GameRecord, RecordedMove, read_json, read_records, write_json, write_record

GAME = """\
[Event "a"]
[Result "*"]
[Variant "halma8"]

1. e1-d2 {+12/3 0.50s} a7-c5
2. f1-e1 *
"""


def read(text: str, **options: object) -> list[GameRecord]:
    return list(read_records(io.StringIO(text), **options))  # type: ignore[arg-type]


def moves(text: str) -> list[str]:
    (record,) = read(text)
    return [recorded.move.text for recorded in record.moves]


def fault(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        read(text)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        GAME,
        GAME.replace("\n", "\r\n"),
        "\ufeff" + GAME,
        "\n\n \t\n" + GAME + "\n\n\n",
        GAME.replace("\n\n", "\n"),
        GAME.replace("1. ", "").replace("2. ", ""),
        GAME.replace("1. ", "1.").replace("2. ", "2."),
        GAME.replace("a7-c5", "1... a7-c5"),
        GAME.replace("e1-d2", "e1d2"),
        GAME.replace("f1-e1", "f1-e1 ; *").replace("*\n", "*\n*\n", 2).replace('"*\n*\n', '"*'),
        GAME.replace("1. e1", "%1. h8-h7\n% { [\n1. e1"),
        GAME.replace("[Event", "  [  Event  "),
        GAME.replace('"]\n[', '"][', 1),
        GAME.replace("2. f1", "2.\nf1"),
        "; about the file\n{ so is\nthis }\n" + GAME,
        GAME[:-1],
    ],
)
def test_what_does_not_matter_is_tolerated(text: str) -> None:
    assert moves(text) == ["e1-d2", "a7-c5", "f1-e1"]
    assert [r.moves for r in read_records(io.BytesIO(text.encode()))] == [r.moves for r in read(text)]


def test_comments_belong_to_the_move_before_them() -> None:
    text = GAME.replace("1. e1", "{before\nall} 1. e1").replace("0.50s}", "0.50s, good} {+5 too} ;and } too\n")
    (record,) = read(text.replace("a7-c5\n", "a7-c5 {a\n b\n} ; c\n"))
    assert record.comment == "before all"
    move = record.moves[0].move
    assert record.moves[0] == RecordedMove(move, Score("points", 12), 3, 0.5, "good +5 too and } too")
    assert record.moves[1].comment == "a b c"


def test_each_move_has_its_own_first_comment_also_on_lines_apart() -> None:
    (record,) = read(GAME.replace("a7-c5\n2. f1-e1", "\na7-c5 2. f1-e1\n{-4/2} {+5}"))
    assert [(recorded.depth, recorded.comment) for recorded in record.moves] == [(3, ""), (None, ""), (2, "+5")]


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("+12/3 0.50s", (Score("points", 12), 3, 0.5, "")),
        ("-0", (Score("points", 0), None, None, "")),
        ("W5", (Score("win", 5), None, None, "")),
        ("L6-2/9", (Score("loss", 6, 2), 9, None, "")),
        ("/4 1s, x, y", (None, 4, 1.0, "x, y")),
        ("2.5s", (None, None, 2.5, "")),
        ("+12 3", (None, None, None, "+12 3")),
        ("W5-1", (None, None, None, "W5-1")),
        ("+1235s", (None, None, None, "+1235s")),
        (" 5s,  x ", (None, None, 5.0, "x")),
        ("", (None, None, None, "")),
    ],
)
def test_score_depth_and_time_are_read_from_a_comment(comment: str, told: tuple[object, ...]) -> None:
    (record,) = read(GAME.replace("+12/3 0.50s", comment))
    assert tuple(record.moves[0])[1:] == told


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("e1-d2", "e1-e9", "line 5, move 1 of x: square: e9 is not on the board of halma8"),
        ("a7-c5", "a7-a6", "line 5, move 1 of o: a7-a6 is not legal, a6 is occupied"),
        ("f1-e1", "f1-e2-e1", "line 6, move 2 of x: chain: hop 1, f1-e2, does not go over"),
        ("f1-e1", "f1-f1", "line 6, move 2 of x: 'f1-f1' stays on f1"),
        ("f1-e1", "F1-e1", "line 6, move 2 of x: 'F1-e1', expected a move, a move number, a comment or the result"),
        ("f1-e1", "pass", "line 6, move 2 of x: pass is not legal, a side that can move may not pass"),
        ("f1-e1", "f1-e1!", "line 6, move 2 of x: 'f1-e1!', expected a move"),
        ("f1-e1", "(f1-e1)", "line 6, move 2 of x: '(f1-e1)', expected a move"),
        ("f1-e1", "}", "line 6, move 2 of x: '}', expected a move"),
        ("f1-e1", "1-0-", "line 6, move 2 of x: '1-0-', expected a move"),
        ("2. f1", "3. f1", "line 6, move 2 of x: number 3., expected 2."),
        ("2. f1", "2... f1", "line 6, move 2 of x: number 2..., expected 2."),
        ("a7-c5", "1. a7-c5", "line 5, move 1 of o: number 1., expected 1..."),
        ("e1 *", "e1 1-0", "line 6: result: 1-0, expected '*' as in the tag of line 2"),
        ("e1 *", "e1", "line 6, move 2 of o: the file ends within a game"),
        ("+12/3", "+12/30000", "line 5, move 1 of x: depth: 30000, expected an integer"),
        ("+12/3", "+9999999999999999999", "line 5, move 1 of x: score value: 9999999999999999999"),
        ("0.50s", "\x01", "line 5, move 1 of x: comment: '+12/3 \\x01', expected one line"),
        ("{+12", "{{+12}} +12", "line 5, move 1 of o: '}', expected a move"),
        ("0.50s}", "0.50s", "line 5: a comment without its '}'"),
        ("halma8", "halma9", "line 5: tag Variant: 'halma9', expected halma16"),
        ('[Variant "halma8"]\n', "", "line 4: the moves of a game without a tag Variant"),
        ('[Event "a"]', '[Event "a" ]]', "line 1: ']', expected a move"),
        ('[Event "a"]', "[Event a]", "line 1: '[Event', expected a tag like [Name \"text\"]"),
        ('[Event "a"]', '[Event "a\\b"]', "line 1: '[Event', expected a tag like"),
        ('[Event "a"]', '[Event "a\x07"]', "line 1: tag Event: 'a\\x07', expected one line"),
        ('[Event "a"]', '[Result "*"]', "line 2: tag Result: twice, first on line 1"),
        ('[Event "a"]', '[Win "half"]', "line 5: win: 'half', expected 'full' or 'occupied'"),
        ('[Event "a"]', '[MaxTurns "0"]', "line 5: max_turns: 0, expected an integer"),
        ('[Event "a"]', '[MaxTurns "1e3"]', "line 5: max_turns: '1e3', expected an integer"),
        ('[Event "a"]', '[HomeReentry "no"]', "line 5: home_reentry: 'no', expected True or False"),
        ('[Event "a"]', '[First "x"]', "line 5: rule: 'first' does not apply to halma8"),
        ('[Event "a"]', '[SetUp "1"]', "line 1: tag SetUp: '1', expected '1' with a tag FEN, else '0'"),
        ('[Event "a"]', '[FEN "8/8 x 1"]', "line 1: tag FEN: placement: 2 ranks, expected 8 ranks for halma8"),
        ('[Event "a"]', '[Points "1-0"]', "line 6: points: (1, 0) in halma8, expected none"),
        ('[Event "a"]', '[Points "x"]', "line 1: tag Points: 'x', expected those of x and of o, like '2-0'"),
        ('[Event "a"]', '[Reason "camp full"]', "line 6: reason: 'camp full', expected another one"),
        ('[Event "a"]', "hello", "line 1: 'hello', expected a tag"),
        ('[Event "a"]', "1. e1-d2", "line 1: the moves of a game without a tag Variant"),
        ("*\n", '\n[Event "b"]\n', "line 7, move 2 of o: the next game begins, expected the result before it"),
    ],
)
def test_a_fault_is_told_with_its_line_and_move(old: str, new: str, message: str) -> None:
    text = GAME.replace(old, new) if old != "*\n" else GAME[:-2] + new
    assert text != GAME
    assert fault(text).startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (GAME.encode() + b'[Event "\xff"]', "line 7: byte 9: 0xff, expected UTF-8"),
        (b"x" * (1 << 21), "line 1: a line without end"),
        (GAME.encode() + b"{" + b"x\n" * (1 << 17) + b"}", "line 7: a comment of more than"),
        (GAME.encode("utf-16"), "line 1: byte 1: 0xff, expected UTF-8"),
        (b"\0\0\0", "line 1: '\\x00\\x00\\x00', expected a tag"),
    ],
)
def test_bytes_that_are_no_records_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        list(read_records(io.BytesIO(data)))
    assert str(caught.value).startswith(message)


def test_landings_that_are_written_are_checked() -> None:
    assert moves(GAME.replace("f1-e1", "g1-e3-c1")) == ["e1-d2", "a7-c5", "g1-c1"]
    for wrong in ("g1-e1-c1", "g1e1c1"):
        assert fault(GAME.replace("f1-e1", wrong)).startswith("line 6, move 2 of x: chain: hop 2, e1-c1, goes over d1")


def test_games_after_one_with_a_fault_are_read_if_asked() -> None:
    faults: list[str] = []
    bad = [
        GAME.replace("a7-c5", "a7-a6"),
        GAME.replace("halma8", "halma9"),
        GAME.replace('"a"]', "a]\n"),
        GAME.replace("e1 *", "e1\n"),
        GAME.replace("0.50s}", "0.50s \n[Event} \x02"),
    ]
    good = [GAME.replace('"a"', f'"{number}"') for number in range(len(bad) + 1)]
    text = "\n".join(piece for pair in zip(good, [*bad, ""], strict=True) for piece in pair)
    found = read(text, on_error=lambda error: faults.append(str(error)))
    assert [record.tags["Event"] for record in found] == [*map(str, range(len(good)))]
    assert len(faults) == len(bad)
    assert [message.split(",")[0].split(":")[0] for message in faults] == [
        "line 12",
        "line 26",
        "line 36",
        "line 59",
        "line 71",
    ]


def test_moves_and_results_are_checked_as_far_as_asked() -> None:
    illegal = GAME.replace("a7-c5", "a7-a6")
    assert len(read(illegal, check="none")) == 1
    wrong = GAME.replace('[Event "a"]', '[Reason "camp full"]')
    assert len(read(wrong, check="moves")) == 1
    with pytest.raises(RecordError):
        read(illegal, check="moves")
    with pytest.raises(RecordError):
        read(wrong, check="result")
    for check in ("all", None, 3):
        with pytest.raises(OptionError, match="check: "):
            read(GAME, check=check)
    with pytest.raises(OptionError, match="on_error: "):
        read(GAME, on_error=5)


def test_a_path_is_read_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with path.open("w") as file:
        for record in read(GAME) * 2:
            write_record(file, record)
    assert list(read_records(path)) == list(read_records(str(path))) == read(GAME) * 2
    with path.open("w") as file:
        for record in read(GAME) * 2:
            write_json(file, record)
    assert list(read_json(path)) == read(GAME) * 2
    with pytest.raises(FileNotFoundError):
        list(read_records(tmp_path / "none"))


class Endless:
    """A file that goes on for ever, with one game after the other."""

    def __init__(self, text: str) -> None:
        self.lines: Iterator[str] = iter(())
        self.text = text
        self.games = 0

    def readline(self, limit: int) -> str:
        line = next(self.lines, None)
        if line is None:
            self.games += 1
            self.lines = iter(self.text.splitlines(keepends=True))
            line = next(self.lines)
        return line


@pytest.mark.parametrize(("reader", "text"), [(read_records, GAME), (read_json, read(GAME)[0].to_json() + "\n")])
def test_a_file_without_end_is_read_game_by_game_in_constant_memory(
    reader: Callable[..., Iterator[GameRecord]], text: str
) -> None:
    file = Endless(text)
    games = reader(file)
    for _ in range(300):
        next(games)
    assert file.games <= 301
    tracemalloc.start()
    try:
        for _ in range(1000):
            next(games)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 100_000
    finally:
        tracemalloc.stop()


PIECES = [
    *GAME.split(" "),
    *'{};[]%"\\*\n\r\t\0',
    "1-0",
    "a1-a2",
    "16.",
    "...",
    "\n[",
    '"]\n',
    "pass",
    '[FEN "',
    "\x85",
    "é",
]


@effort(80)
@given(text=st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=25).map("".join), start=st.booleans())
def test_whatever_a_file_holds_the_only_exception_is_a_record_error(text: str, start: bool) -> None:
    whole = GAME[:60] + text if start else text
    faults: list[RecordError] = []
    for source in (io.StringIO(whole, newline=""), io.BytesIO(whole.encode("utf-8", "replace"))):
        for record in read_records(source, on_error=faults.append):
            assert read(str(record)) == [record]
    list(read_json(io.StringIO(whole), on_error=faults.append))
    assert all(type(error) is RecordError and str(error).startswith("line ") for error in faults)


@effort(80)
@given(cuts=st.lists(st.tuples(st.integers(0, 140), st.integers(0, 12), st.binary(max_size=3)), min_size=1, max_size=3))
def test_a_damaged_file_never_does_more_than_raise(cuts: list[tuple[int, int, bytes]]) -> None:
    data = (GAME + "\n" + GAME).encode()
    for at, length, put in cuts:
        data = data[:at] + put + data[at + length :]
    faults: list[RecordError] = []
    for record in read_records(io.BytesIO(data), on_error=faults.append):
        assert isinstance(record.check(), Position)
    for record in read_json(io.BytesIO(data), on_error=faults.append):
        record.check()


@pytest.mark.parametrize("file", [5, None, "a\0b", ["a"]])
def test_what_is_no_file_is_refused_at_once(file: Any) -> None:
    for read in (read_records, read_json):
        with pytest.raises(OptionError, match="file: "):
            read(file)


def test_only_records_are_written_and_only_to_files() -> None:
    record = GameRecord.from_position(Position("halma8"))
    for write in (write_record, write_json):
        with pytest.raises(OptionError, match="record: 5"):
            write(io.StringIO(), 5)  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="file: 5"):
            write(5, record)  # type: ignore[arg-type]
