"""A record comes back equal from its text, its line of JSON and a pickle, and knows whether it is true."""

from __future__ import annotations

import io
import json
import pickle

import pytest
from hypothesis import given
from properties.effort import effort

from halma_fast import Move, Position, RecordError, Score, Variant
from halma_fast.records import GameRecord, RecordedMove, read_json, read_records
from records.games import records


@effort(30)
@given(record=records())
def test_what_is_written_is_read_back(record: GameRecord) -> None:
    text = str(record)
    assert list(read_records(io.StringIO(text))) == [record]
    assert list(read_records(io.BytesIO(text.replace("\n", "\r\n").encode("utf-8-sig")))) == [record]
    assert list(next(iter(read_records(io.StringIO(text)))).tags) == list(record.tags)
    line = record.to_json()
    assert line.isascii()
    assert "\n" not in line
    assert list(read_json(io.StringIO(f"\n{line}\n"))) == [record]
    assert pickle.loads(pickle.dumps(record)) == record


@effort(12)
@given(record=records())
def test_the_end_of_a_record_is_the_end_of_its_game(record: GameRecord) -> None:
    position = record.check()
    assert position.move_stack == [recorded.move for recorded in record.moves]
    assert GameRecord.from_position(position).start_fen == record.start_fen
    assert (position.outcome() is not None) <= (record.result != "*")


def test_the_text_is_laid_out_as_documented() -> None:
    position = Position("pulce", first="o", max_turns=4)
    for move in ("b4-a4", "e4-e3"):
        position.push(move)
    told = [
        RecordedMove(position.move_stack[0], Score("points", -12), 8, 0.5),
        RecordedMove(position.move_stack[1], Score("win", 13, 2), None, 12.3456, "surprise"),
    ]
    record = GameRecord.from_position(
        position, {"Event": 'The "Cup"', "X": "a\\b"}, moves=told, result="0-1", reason="time"
    )
    assert str(record).splitlines() == [
        '[Event "The \\"Cup\\""]',
        '[X "a\\\\b"]',
        '[Result "0-1"]',
        '[Variant "pulce"]',
        '[MaxTurns "4"]',
        '[First "o"]',
        '[Reason "time"]',
        "",
        "1... b4-a4 {-12/8 0.50s} 2. e4-e3 {W13+2 12.346s, surprise} 0-1",
    ]


@pytest.mark.parametrize(
    "comment", ["/30000", "+9999999999999999999, x", "L9999999999999999999", "5s", ", , ,", "}", "}, +5"]
)
@pytest.mark.parametrize("depth", [None, 3])
def test_a_comment_that_looks_like_something_else_stays_a_comment(comment: str, depth: int | None) -> None:
    move = RecordedMove(Move.from_text("e1-d2"), None, depth, None, comment)
    record = GameRecord({}, Variant.named("halma8"), None, (move,), comment=comment)
    assert list(read_records(io.StringIO(str(record)))) == [record]


def test_numbers_go_on_from_where_the_game_begins() -> None:
    position = Position("halma8", "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx o 12")
    for move in ("a7-c5", "e1-d2", "c5-c4"):
        position.push(move)
    lines = str(GameRecord.from_position(position)).splitlines()
    assert lines[2:4] == ['[SetUp "1"]', '[FEN "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx o 12"]']
    assert lines[5] == "12... a7-c5 13. e1-d2 c5-c4 *"


def test_no_line_of_moves_is_longer_than_eighty_columns() -> None:
    position = Position("halma16")
    while position.ply < 120:
        position.push(min(position.legal_moves, key=lambda move: (move.to_square * 7919 + position.ply * 31) % 251))
    lines = str(GameRecord.from_position(position)).splitlines()
    assert max(map(len, lines)) <= 80
    assert min(map(len, lines[4:-1])) > 60


def test_rules_are_tags_unless_they_are_the_default_and_pulce_always_tells_who_begins() -> None:
    custom = Variant.square(5, (3, 2, 1), win="occupied", goal_lock="none", home_reentry=False, repetition=None)
    tags = [line for line in str(GameRecord({}, custom)).splitlines() if line.startswith("[")]
    assert tags[1:] == [
        '[Variant "5x5:3,2,1"]',
        '[GoalLock "none"]',
        '[HomeReentry "false"]',
        '[Win "occupied"]',
        '[Repetition "none"]',
    ]
    assert '[First "x"]' in str(GameRecord({}, Variant.named("pulce")))
    assert "First" not in str(GameRecord({}, Variant.named("halma8")))


def test_a_finished_game_is_recorded_with_its_outcome() -> None:
    position = Position("4x4:2,1", max_turns=2)
    for _ in range(2):
        position.push(next(iter(position.legal_moves)))
    record = GameRecord.from_position(position)
    assert (record.result, record.reason, record.points) == ("1/2-1/2", "max turns", None)


def test_a_round_of_pulce_keeps_its_points() -> None:
    position = Position("pulce", max_turns=1)
    position.push(next(iter(position.legal_moves)))
    record = GameRecord.from_position(position)
    assert (record.result, record.reason, record.points) == ("1/2-1/2", "max turns", (0, 0))
    assert '[Points "0-0"]' in str(record)
    wrong = GameRecord({}, record.variant, None, record.moves, record.result, record.reason, (2, 0))
    with pytest.raises(
        RecordError, match=r"^points: 2-0, expected those of the end, draw \(max turns, points 0 : 0\)$"
    ):
        wrong.check()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"result": "1-0"}, "result: 1-0, expected 1/2-1/2, for draw (max turns)"),
        ({"reason": "repetition"}, "reason: 'repetition', expected 'max turns'"),
    ],
)
def test_a_result_that_does_not_follow_is_refused(changes: dict[str, str], message: str) -> None:
    position = Position("4x4:2,1", max_turns=2)
    for _ in range(2):
        position.push(next(iter(position.legal_moves)))
    true = {"result": "1/2-1/2", "reason": "max turns"}
    moves = tuple(map(RecordedMove, position.move_stack))
    GameRecord({}, position.variant, None, moves, **true).check()
    with pytest.raises(RecordError) as caught:
        GameRecord({}, position.variant, None, moves, **(true | changes)).check()
    assert str(caught.value) == message


def test_a_reason_of_the_rules_needs_a_finished_game() -> None:
    with pytest.raises(RecordError, match="reason: 'camp full', expected another one"):
        GameRecord({}, Variant.named("halma8"), result="1-0", reason="camp full").check()
    GameRecord({}, Variant.named("halma8"), result="1-0", reason="resignation").check()


def test_the_first_illegal_move_is_named() -> None:
    moves = tuple(RecordedMove(Move.from_text(text)) for text in ("e1-d2", "a7-a8"))
    with pytest.raises(RecordError, match=r"^move 1 of o: a7-a8 is not legal, a8 is occupied$"):
        GameRecord({}, Variant.named("halma8"), None, moves).position()


HALMA8 = Variant.named("halma8")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GameRecord({"Result": "1-0"}, HALMA8), "tag: Result is told by a field"),
        (lambda: GameRecord({"Win": "full"}, HALMA8), "tag: Win is told by a field"),
        (lambda: GameRecord({"A b": "1"}, HALMA8), "tag: 'A b', expected a name"),
        (lambda: GameRecord({"A": "1\n2"}, HALMA8), "tag A: '1\\n2', expected one line"),
        (lambda: GameRecord({"A": "\ud800"}, HALMA8), "tag A: '\\ud800', expected one line"),
        (lambda: GameRecord({"A": 1}, HALMA8), "tag A: 1, expected one line"),  # type: ignore[dict-item]
        (lambda: GameRecord(None, HALMA8), "tags: None, expected a mapping"),  # type: ignore[arg-type]
        (lambda: GameRecord({}, "halma8"), "variant: 'halma8', expected a Variant"),  # type: ignore[arg-type]
        (lambda: GameRecord({}, HALMA8, "8/8"), "FEN: position string: '8/8'"),
        (lambda: GameRecord({}, HALMA8, None, 5), "moves: 5, expected"),  # type: ignore[arg-type]
        (lambda: GameRecord({}, HALMA8, result="1:0"), "result: '1:0', expected one of"),
        (lambda: GameRecord({}, HALMA8, points=(1, 0)), "points: (1, 0) in halma8, expected none"),
        (lambda: GameRecord({}, Variant.named("pulce"), points=(4, 0)), "points of x: 4, expected an integer"),
        (lambda: GameRecord({}, HALMA8, reason="a\tb"), "reason: 'a\\tb', expected one line"),
        (lambda: RecordedMove("e1-d2"), "move: 'e1-d2', expected a Move"),  # type: ignore[arg-type]
        (lambda: RecordedMove(Move(0, 1), depth=-1), "depth: -1, expected an integer"),
        (lambda: RecordedMove(Move(0, 1), seconds=float("nan")), "seconds: nan, expected a number"),
        (lambda: RecordedMove(Move(0, 1), seconds=-0.5), "seconds: -0.5, expected a number"),
        (lambda: RecordedMove(Move(0, 1), score=5), "score: 5, expected a Score"),  # type: ignore[arg-type]
        (lambda: RecordedMove(Move(0, 1), comment="a\nb"), "comment: 'a\\nb', expected one line"),
        (lambda: RecordedMove(Move(0, 1))._replace(depth="x"), "depth: 'x', expected an integer"),
        (lambda: GameRecord.from_position("halma8"), "position: 'halma8', expected a Position"),  # type: ignore[arg-type]
    ],
)
def test_a_record_that_could_not_be_written_cannot_be_made(make, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(RecordError) as caught:
        make()
    assert message in str(caught.value)


def test_a_variant_that_its_name_does_not_make_is_refused() -> None:
    odd = Variant("halma8", 5, frozenset(), *([Variant.square(5).start] * 2), Variant.square(5).goal)
    with pytest.raises(RecordError, match=r"variant: .* expected one that its name and rules make again"):
        GameRecord({}, odd)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "JSON: ''"),
        ("[1]", "record: [1], expected an object"),
        ('{"variant":"halma9"}', "variant: 'halma9'"),
        ('{"variant":"halma8","rules":{"win":"x"}}', "win: 'x'"),
        ('{"variant":"halma8","rules":[]}', "rules: [], expected an object"),
        ('{"variant":"halma8","moves":"e1-d2"}', "moves: 'e1-d2', expected a list"),
        ('{"variant":"halma8","moves":[{"move":"e1"}]}', "moves, entry 1: move: 'e1'"),
        ('{"variant":"halma8","moves":[{"move":"e1-d2","score":1,"win_in":2}]}', "expected one of score, win_in"),
        ('{"variant":"halma8","moves":[{"move":"e1-d2","scores":1}]}', "entry: 'scores', expected only move"),
        ('{"variant":"halma8","moves":[{"move":"e1-d2","depth":true}]}', "depth: True"),
        ('{"variant":"halma8","moves":[{"move":"e1-d2","seconds":NaN}]}', "JSON: NaN, expected a finite number"),
        ('{"variant":"halma8","variant":"pulce"}', "JSON: 'variant' twice"),
        ('{"variant":"halma8","extra":1}', "record: 'extra', expected only tags"),
        ('{"variant":"pulce","points":[1]}', "points: (1,), expected those of x and of o"),
        ('{"variant":"halma8","tags":{"A":null}}', "tag A: None"),
        ("[" * 100_000, "JSON: "),
        ('{"variant":' + "9" * 10_000 + "}", "JSON: "),
    ],
)
def test_a_line_of_json_that_is_no_record_is_refused(line: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        GameRecord.from_json(line)
    assert message in str(caught.value)
    if line:
        with pytest.raises(RecordError, match=r"^line 3: "):
            list(read_json(io.StringIO(f"\n\n{line}\n")))


def test_the_line_of_json_is_plain_data() -> None:
    move = RecordedMove(Move.from_text("e1-d2"), Score("loss", 4, 1), 3, 0.25, "hm")
    value = json.loads(GameRecord({"X": "a"}, Variant.named("pulce"), None, (move,)).to_json())
    assert value == {
        "tags": {"X": "a"},
        "variant": "pulce",
        "rules": {"first": "x"},
        "fen": None,
        "result": "*",
        "reason": None,
        "points": None,
        "comment": "",
        "moves": [{"move": "e1-d2", "loss_in": 4, "margin": 1, "depth": 3, "seconds": 0.25, "comment": "hm"}],
    }
