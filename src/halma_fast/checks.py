"""Checks of values that come from outside, and the short form in which messages quote them.

Invariant: nothing here raises anything but the error class it is given, and quoting a value takes bounded time
and space, however large the value is. Guarded by tests/unit/test_checks.py.
"""

from __future__ import annotations

import math
import numbers
import operator
import os
import reprlib
from typing import Final

from halma_fast.errors import HalmaError, OptionError

__all__ = [
    "check_bool",
    "check_int",
    "check_memory",
    "check_path",
    "check_seconds",
    "check_text",
    "counted",
    "memory_mb",
    "one_line",
    "shorten",
]

_MAX_QUOTED: Final = 60
_MAX_INT_BITS: Final = 128


class _Quoter(reprlib.Repr):
    """`reprlib` with bounds that suit one line, and safe for integers that Python refuses to print."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = _MAX_QUOTED
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 6
        self.maxlevel = 3

    def repr_int(self, x: int, level: int) -> str:
        # Python raises ValueError for the decimal form of an integer of more than 4300 digits.
        return repr(x) if x.bit_length() <= _MAX_INT_BITS else f"<int of {x.bit_length()} bits>"

    def repr_bytes(self, x: bytes, level: int) -> str:
        return repr(x) if len(x) <= _MAX_QUOTED else f"{x[:_MAX_QUOTED]!r}... ({len(x)} bytes)"

    def repr_bytearray(self, x: bytearray, level: int) -> str:
        return f"bytearray({self.repr_bytes(bytes(x[: _MAX_QUOTED + 1]), level)})"

    def repr_str(self, x: str, level: int) -> str:
        return repr(x) if len(x) <= _MAX_QUOTED else f"{x[:_MAX_QUOTED]!r}... ({len(x)} characters)"


_QUOTER: Final = _Quoter()


def shorten(value: object) -> str:
    """Return `repr(value)` on one line of bounded length."""
    try:
        # Lines are joined, but the blanks within one are left: a message about blanks must show those that are there.
        return one_line(_QUOTER.repr(value))
    except Exception:  # a foreign __repr__ or __len__ may raise anything; the message must still come out
        return f"<{type(value).__name__}>"


def one_line(text: str) -> str:
    """Return a text with its lines joined by a blank."""
    return " ".join(line.strip() for line in text.splitlines())


def counted(number: int, one: str, more: str | None = None) -> str:
    """Return a number with its noun: "1 rank", "2 ranks"; `more` is the plural where it is not `one` and an s."""
    return f"{number} {one if number == 1 else more or one + 's'}"


def check_int(value: object, field: str, low: int, high: int, error: type[HalmaError]) -> int:
    """Return `value` as an `int` in `low..high` or raise `error`.

    Anything with `__index__` is an integer (NumPy's integers are), except `bool`: `depth=True` is a mistake.
    """
    number: int | None = None
    if not isinstance(value, bool):
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except Exception:  # a foreign __index__ may raise anything
            number = None
    if number is None or not low <= number <= high:
        raise error(f"{field}: {shorten(value)}, expected an integer from {low} to {high}")
    return number


def check_bool(value: object, field: str, error: type[HalmaError]) -> bool:
    """Return `value` if it is `True` or `False` or raise `error`."""
    if not isinstance(value, bool):
        raise error(f"{field}: {shorten(value)}, expected True or False")
    return value


def check_seconds(
    value: object,
    field: str,
    error: type[HalmaError],
    *,
    low: float = 0.0,
    high: float = math.inf,
    above: bool = False,
) -> float:
    """Return `value` as a finite `float` from `low` to `high`, above `low` if `above`, or raise `error`."""
    seconds = math.nan
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            seconds = float(value)
        except (OverflowError, ValueError):  # an integer too large for a float
            seconds = math.nan
    if not low <= seconds <= high or seconds == math.inf or (above and seconds == low):
        least, most = f"{low:.10g}", f"{high:.10g}"
        bounds = f"above {least}" if above else f"from {least} on" if high == math.inf else f"from {least} to {most}"
        if above and high != math.inf:
            bounds += f" and at most {most}"
        raise error(f"{field}: {shorten(value)}, expected a finite number of seconds {bounds}")
    return seconds


def check_text(value: object, field: str, max_length: int, error: type[HalmaError]) -> str:
    """Return `value`, a string of at most `max_length` characters, without the blanks at its ends, or raise `error`."""
    if not isinstance(value, str):
        raise error(f"{field}: {shorten(value)}, expected a string")
    if len(value) > max_length:
        raise error(f"{field}: {shorten(value)}, expected at most {max_length} characters")
    return value.strip(" \t\r\n")


def check_path(path: object, field: str, error: type[HalmaError]) -> str:
    """Return the path of a file as a string, or raise `error` for what cannot be one; nothing is opened."""
    text: object = None
    if isinstance(path, str | os.PathLike):
        try:
            text = os.fspath(path)
        except Exception:  # a foreign __fspath__ may raise anything
            text = None
    if not isinstance(text, str) or not text or "\0" in text:
        raise error(f"{field}: {shorten(path)}, expected the path of a file")
    return text


def memory_mb() -> int:
    """Return the MB (2**20 bytes) of this machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20


def check_memory(hash_mb: object) -> int:
    """Return the size of a table in MB (2**20 bytes), from 1 to the machine's memory, or raise `OptionError`."""
    try:
        return check_int(hash_mb, "hash_mb", 1, memory_mb(), OptionError)
    except OptionError as error:
        raise OptionError(f"{error}, the MB of this machine's memory") from None
