"""Position strings: written and read back, in both programs alike; damaged ones are refused or mean what they say."""

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

from halma_fast import FenError, Position
from properties.effort import effort
from properties.strategies import Script, custom_worlds, scripts, worlds
from properties.worlds import World, men_of


@effort(250)
@given(worlds(), scripts(20))
def test_strings_are_those_of_the_reference_and_round_trip(world: World, script: Script) -> None:
    variant = world.variant()
    for both in script.play(world):
        fen = both.position.fen()
        assert fen == reference.write_fen(both.game.variant, both.game.position)
        again = Position(variant, fen=fen)
        assert again == both.position
        assert again.fen() == fen
        assert men_of(again) == men_of(both.position)


@effort(60)
@given(worlds(), scripts(4))
def test_the_number_may_be_left_out(world: World, script: Script) -> None:
    fen = script.end(world).position.fen()
    short = fen.rsplit(" ", 1)[0]
    assert Position(world.variant(), fen=short).fen() == f"{short} 1"


ALPHABET = "xo-/ \t0123456789XO.\n\0é"


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """The text with one to three small faults, of which some leave it valid."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        kind = draw(st.sampled_from(["replace", "insert", "delete", "swap", "cut"]))
        letter = draw(st.sampled_from(ALPHABET))
        if kind == "replace":
            text = text[:at] + letter + text[at + 1 :]
        elif kind == "insert":
            text = text[:at] + letter + text[at:]
        elif kind == "delete":
            text = text[:at] + text[at + 1 :]
        elif kind == "swap":
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        else:
            text = text[:at]
    return text


@effort(800)
@given(st.data(), worlds(8), scripts(0))
def test_a_damaged_string_is_refused_or_read_as_the_reference_reads_it(
    data: st.DataObject, world: World, script: Script
) -> None:
    variant = world.reference()
    text = data.draw(damaged(script.begin(world).position.fen()))
    try:
        expected = reference.read_fen(variant, text.strip())
    except reference.FenError:
        with pytest.raises(FenError):
            Position(world.variant(), fen=text)
    else:
        if expected.number <= 1_000_000:
            read = Position(world.variant(), fen=text)
            assert men_of(read) == (expected.x, expected.o)
            assert (read.turn.letter, read.move_number) == (expected.turn, expected.number)


@effort(200)
@given(custom_worlds(6), st.text(max_size=40) | st.text(ALPHABET, max_size=60))
def test_any_other_text_is_refused(world: World, text: str) -> None:
    try:
        reference.read_fen(world.reference(), text.strip())
    except reference.FenError:
        with pytest.raises(FenError):
            Position(world.variant(), fen=text)
