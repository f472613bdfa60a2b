"""Values that no argument of the package should be given, of every kind that has ever slipped through somewhere."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np


class RaisesEverywhere:
    """An object whose every conversion fails, with an error that no caller expects."""

    def __repr__(self) -> str:
        raise ZeroDivisionError

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __iter__(self) -> Any:
        raise ZeroDivisionError


LONG = "x" * 1_000_000

NO_TEXT: dict[str, Any] = {
    "None": None,
    "float": 1.5,
    "nan": math.nan,
    "infinity": math.inf,
    "True": True,
    "False": False,
    "huge": 10**5000,
    "negative": -1,
    "minus huge": -(10**5000),
    "small integer": 3,
    "fraction": Fraction(1, 3),
    "complex": 1j,
    "bytes": b"h1-h5",
    "bytearray": bytearray(b"h1"),
    "list": ["h1", "h5"],
    "empty tuple": (),
    "dict": {"h1": 1},
    "object": object(),
    "class": RaisesEverywhere,
    "raises": RaisesEverywhere(),
    "array": np.zeros(3),
    "empty array": np.zeros(0),
    "function": len,
}
BAD_TEXT: dict[str, Any] = {
    "empty": "",
    "blank": "  ",
    "long": LONG,
    "long digits": "9" * 10_000,
    "surrogate": "\ud800",
    "surrogate inside": "h1-\udfffh5",
    "NUL": "\0",
    "NUL inside": "h1\0-h5",
    "newlines": "h1\n-\nh5",
    "wide digits": "h\uff11-h\uff15",
    "arabic digits": "h\u0661",
    "percent": "%s%n{0}",
    "word": "nonsense",
}
NOT_A_SMALL_INTEGER: dict[str, Any] = {
    **{name: value for name, value in NO_TEXT.items() if name != "small integer"},
    "text": "3",
    "float text": "1e3",
    "numpy float": np.float64(1),
    "numpy bool": np.bool_(True),
    "big numpy": np.uint64(2**64 - 1),
    "surrogate": "\ud800",
}


def check_message(error: BaseException, *words: str) -> None:
    """The message is one printable line of bounded length that says what was expected, and has the given words."""
    message = str(error)
    assert 0 < len(message) < 400
    assert "\n" not in message
    assert "\0" not in message
    message.encode("utf-8")  # no lone surrogate either, so that it can be printed and logged
    for word in words:
        assert word in message, message
