"""Record files: what the page saves can be loaded, here and by the command line, and faults name their line."""

import io

import pytest

from halma_fast.records import read_records
from halma_fast.web.faults import Fault
from halma_fast.web.limits import MAX_RECORDS
from halma_fast.web.messages import ReadRecords, RecordedGame, RulesGiven, Setup, WriteRecords
from halma_fast.web.recordings import read_text, write_text

from .play import SETUPS, random_match


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_what_is_written_is_read(setup):
    match = random_match(setup, 25, 3)
    one_round = Setup(setup.variant, setup.rules, setup.fen, 1)
    game = RecordedGame(one_round, match.current.texts(), tags={"X": "ann", "O": "bob"})
    text = write_text(WriteRecords([game, game]))["text"]
    assert len(list(read_records(io.StringIO(text)))) == 2
    first, second = read_text(ReadRecords(text))["games"]
    assert first == second
    assert first["tags"] == {"X": "ann", "O": "bob"}
    assert first["moves"] == [made.move.text for made in match.current.made]
    told = first["setup"]
    same = Setup(told["variant"], RulesGiven(**told["rules"]), told["fen"], told["rounds"])
    again = write_text(WriteRecords([RecordedGame(same, first["moves"], tags=first["tags"])]))["text"]
    assert text == again * 2


def test_lines_of_json_are_read_too():
    record = next(
        read_records(io.StringIO(write_text(WriteRecords([RecordedGame(Setup("halma8"), ["h1-f3"])]))["text"]))
    )
    assert read_text(ReadRecords(f"\n{record.to_json()}\n"))["games"][0]["moves"] == ["h1-f3"]


def test_a_resignation_is_kept():
    game = RecordedGame(Setup("halma8"), ["h1-f3"], result="0-1", reason="resignation")
    told = read_text(ReadRecords(write_text(WriteRecords([game]))["text"]))["games"][0]
    assert (told["result"], told["reason"]) == ("0-1", "resignation")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no game"),
        ("hello", "line 1"),
        ('[Variant "halma8"]\n\n1. h1-h2 *\n', "line 3, move 1 of x"),
        ('[Variant "halma8"]\n\n1. h1-f3\n', "the file ends"),
        ("{", "line 1"),
        ('[Variant "halma8"]\n\n*\n' * (MAX_RECORDS + 1), "more than"),
        ('[Variant "halma8"]\n\n1-0 {\x00\n', "line"),
    ],
)
def test_faults_of_a_file_are_named(text, part):
    with pytest.raises(Fault, match=part) as caught:
        read_text(ReadRecords(text))
    assert caught.value.code == "record"
    assert caught.value.field == "text"


@pytest.mark.parametrize(
    ("game", "code"),
    [
        (RecordedGame(Setup("halma8"), ["h1-h2"]), "illegal"),
        (RecordedGame(Setup("halma8"), tags={"Result": "1-0"}), "record"),
        (RecordedGame(Setup("halma8"), tags={"X": "two\nlines"}), "record"),
        (RecordedGame(Setup("halma8"), reason="camp full", result="1-0"), "record"),
    ],
)
def test_faults_of_a_game_name_it(game, code):
    with pytest.raises(Fault) as caught:
        write_text(WriteRecords([RecordedGame(Setup("halma8")), game]))
    assert caught.value.code == code
    assert caught.value.field is not None
    assert caught.value.field.startswith("games[1]")
