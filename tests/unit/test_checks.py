"""Checks raise only the error they are given, and quote any value in bounded space."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halma_fast.checks import (
    check_bool,
    check_int,
    check_memory,
    check_path,
    check_seconds,
    check_text,
    counted,
    one_line,
    shorten,
)
from halma_fast.errors import LimitError, OptionError

HUGE = 10**5000  # Python refuses to print it


class Hostile:
    """Raises from everything a check might touch."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __len__(self) -> int:
        raise RuntimeError("no length")


def name_of(value: object) -> str:
    """A test's name: the same in every process, so without addresses."""
    return shorten(value).split(" at 0x")[0]


@pytest.mark.parametrize(
    "value",
    [
        *("x" * 10**6, b"x" * 10**6, bytearray(10**6), "a\nb", "\ud800"),
        *(list(range(10**5)), {i: i for i in range(10**4)}, np.zeros(10**5), range(10**9), [[[[[[[1]]]]]]]),
        *(HUGE, -HUGE, [HUGE], Hostile()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_value_is_quoted_on_one_short_line(value: object) -> None:
    quoted = shorten(value)
    assert 0 < len(quoted) < 500
    assert "\n" not in quoted


def test_short_values_are_quoted_as_they_are() -> None:
    assert shorten("e4") == "'e4'"
    assert shorten(17) == "17"
    assert shorten(None) == "None"
    assert shorten((1, "a")) == "(1, 'a')"


def test_blanks_are_quoted_as_they_are_and_lines_joined() -> None:
    assert shorten("a  b   c") == "'a  b   c'"
    assert shorten("a\t\n b") == r"'a\t\n b'"
    assert shorten(np.array([[1, 2], [3, 4]])) == "array([[1, 2], [3, 4]])"


def test_one_thing_is_no_plural() -> None:
    assert [counted(number, "rank") for number in (0, 1, 2)] == ["0 ranks", "1 rank", "2 ranks"]
    assert [counted(number, "man", "men") for number in (1, 2)] == ["1 man", "2 men"]


@pytest.mark.parametrize("value", [0, -1, 10**12, None, 1.0])
def test_a_table_fits_the_machine_and_the_message_says_so(value: object) -> None:
    with pytest.raises(OptionError, match=r"^hash_mb: .* from 1 to [0-9]+, the MB of this machine's memory$"):
        check_memory(value)


@pytest.mark.parametrize("number", [1, np.int8(1), np.uint64(1), np.array(1)])
def test_anything_with_an_index_is_an_integer(number: Any) -> None:
    checked = check_int(number, "depth", 1, 100, LimitError)
    assert type(checked) is int
    assert checked == 1


@pytest.mark.parametrize(
    "value", [0, 101, -1, HUGE, True, False, np.True_, 1.0, "1", None, b"1", [1], Hostile()], ids=name_of
)
def test_everything_else_is_refused_with_the_field_and_the_range(value: object) -> None:
    with pytest.raises(LimitError, match=r"^depth: .*, expected an integer from 1 to 100$"):
        check_int(value, "depth", 1, 100, LimitError)


@pytest.mark.parametrize(
    ("bounds", "low", "high", "words"),
    [
        ({}, 0.0, 1e300, "from 0 on"),
        ({"above": True}, 5e-324, 1e300, "above 0"),
        ({"high": 60.0}, 0.0, 60.0, "from 0 to 60"),
        ({"low": 0.001, "high": 1e6}, 0.001, 1e6, "from 0.001 to 1000000"),
        ({"high": 1e7, "above": True}, 5e-324, 1e7, "above 0 and at most 10000000"),
    ],
)
def test_seconds_are_finite_and_within_their_bounds(bounds: Any, low: float, high: float, words: str) -> None:
    for good in (low, high, np.float64(low), Fraction(1), 1):
        seconds = check_seconds(good, "field", LimitError, **bounds)
        assert type(seconds) is float
        assert seconds == good
    for bad in (np.nextafter(low, -1), high * 1e10, -1, float("nan"), HUGE, True, "1", None, 1j, Hostile()):
        with pytest.raises(LimitError) as caught:
            check_seconds(bad, "field", LimitError, **bounds)
        assert str(caught.value) == f"field: {shorten(bad)}, expected a finite number of seconds {words}"


class Elsewhere:
    """Has the name of a file, or none, or refuses to tell."""

    def __init__(self, path: object) -> None:
        self.path = path

    def __fspath__(self) -> Any:
        if self.path is None:
            raise RuntimeError("no path")
        return self.path


def test_the_name_of_a_file_is_a_string_without_a_null_character() -> None:
    for path in ("a", "/a b/c", Path("a"), Elsewhere("a")):
        assert check_path(path, "out", OptionError) == os.fspath(path)
    for bad in ("", "a\0b", b"a", 3, None, Elsewhere(None), Elsewhere(7), Elsewhere(b"a"), Hostile()):
        with pytest.raises(OptionError, match=r"^out: .*, expected the path of a file$"):
            check_path(bad, "out", OptionError)


def test_lines_become_one() -> None:
    assert one_line(" a  b \n\tc\r\n") == "a  b c"
    assert one_line("") == ""


@pytest.mark.parametrize("value", [0, 1, None, "True", np.True_])
def test_only_true_and_false_are_booleans(value: object) -> None:
    with pytest.raises(OptionError, match="flag"):
        check_bool(value, "flag", OptionError)
    assert check_bool(True, "flag", OptionError) is True


def test_text_loses_blanks_at_its_ends_only() -> None:
    assert check_text("\t a b \r\n", "text", 10, OptionError) == "a b"
    assert check_text("\u00a0a", "text", 10, OptionError) == "\u00a0a"


@pytest.mark.parametrize("value", ["x" * 11, b"x", None, 1, ["x"]])
def test_text_that_is_too_long_or_no_text_is_refused(value: object) -> None:
    with pytest.raises(OptionError, match=r"^text: "):
        check_text(value, "text", 10, OptionError)
