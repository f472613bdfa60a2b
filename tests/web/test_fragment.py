"""Links that hold a game: what is written is read, and what is damaged says so."""

import base64
import contextlib
import zlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.effort import effort

from halma_fast.web.faults import Fault
from halma_fast.web.fragment import read_fragment, write_fragment
from halma_fast.web.games import Match

from .play import SETUPS, finish, random_match

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
@pytest.mark.parametrize("plies", [0, 1, 100])
def test_what_is_written_is_read(setup, plies):
    match = random_match(setup, plies, plies)
    fragment = write_fragment(match)
    same = read_fragment(fragment)
    assert (same.variant, same.rounds, same.fen) == (match.variant, match.rounds, match.fen)
    assert [r.position for r in same.finished] == [r.position for r in match.finished]
    assert same.current.position == match.current.position
    assert write_fragment(same) == fragment
    assert set(fragment) <= set(ALPHABET)


def test_a_whole_match_of_pulce_is_in_one_link():
    match = finish(Match(SETUPS["pulce"]), 8)
    assert read_fragment(write_fragment(match)).results == match.results


def test_every_change_of_a_character_is_noticed():
    fragment = write_fragment(random_match(SETUPS["halma8"], 12, 1))
    numbers = Random(2)
    for at in range(len(fragment)):
        other = numbers.choice(ALPHABET.replace(fragment[at], ""))
        changed = fragment[:at] + other + fragment[at + 1 :]
        try:
            match = read_fragment(changed)
        except Fault:
            continue
        else:  # bits of the last character that no byte has
            assert at == len(fragment) - 1
            assert write_fragment(match) == fragment


def test_every_part_of_a_link_that_is_missing_is_noticed():
    fragment = write_fragment(random_match(SETUPS["halma8"], 12, 1))
    for cut in range(len(fragment)):
        with pytest.raises(Fault, match="link: "):
            read_fragment(fragment[:cut])
    with pytest.raises(Fault):
        read_fragment(fragment + "A")


@effort(40)
@given(st.text(ALPHABET, max_size=20) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text):
    with pytest.raises(Fault) as caught:
        read_fragment(text)
    assert caught.value.code == "link"


WHOLE = base64.urlsafe_b64decode(write_fragment(random_match(SETUPS["6x6"], 9, 1)) + "===")[:-4]


def sealed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data + zlib.crc32(data).to_bytes(4, "big")).rstrip(b"=").decode()


@effort(100)
@given(st.data())
def test_a_right_checksum_makes_no_wrong_content_good(data):
    whole = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    with contextlib.suppress(Fault):
        read_fragment(sealed(bytes(whole)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x01",
        b"\x02\x00\x02{}\x00\x00",
        b"\x01\x00\x02{}\x00\x00",
        b"\x01\xff\xff{}",
        b'\x01\x00\x14{"variant":"halma8"}',
        b'\x01\x00\x14{"variant":"halma8"}\x00\x01',
        b'\x01\x00\x14{"variant":"halma8"}\x00\x01\x00\x01',
        b'\x01\x00\x14{"variant":"halma8"}\x00\x00\x00\x00',
        b'\x01\x00\x14{"variant":"halma8"}\x00\x01\xff\xfe',
    ],
)
def test_wrong_contents_are_refused_by_name(content):
    with pytest.raises(Fault) as caught:
        read_fragment(sealed(content))
    assert caught.value.code == "link"
