"""What a client is told when something cannot be done: a code that the page translates, and the engine's own sentence.

Invariant: every error of the package has a code, and an answer never shows what the server did not mean to tell.
Guarded by tests/web/test_api.py.
"""

from __future__ import annotations

import re
from typing import Any, Final

from halma_fast.errors import (
    EngineBusyError,
    FenError,
    GameOverError,
    HalmaError,
    IllegalMoveError,
    LimitError,
    MoveError,
    OptionError,
    RecordError,
    SquareError,
    VariantError,
)

__all__ = ["STATUS", "Fault", "fault_of"]

STATUS: Final = {
    **dict.fromkeys(("schema", "variant", "fen", "move", "illegal", "over", "record", "link", "limit"), 400),
    **dict.fromkeys(("turn", "role", "stale"), 409),
    "origin": 403,
    "not-found": 404,
    "method": 405,
    "too-large": 413,
    "type": 415,
    "host": 421,
    "too-many": 429,
    "full": 503,
    "internal": 500,
}

# The first that fits: subclasses stand before their bases.
_CODES: Final[tuple[tuple[type[HalmaError], str], ...]] = (
    (VariantError, "variant"),
    (FenError, "fen"),
    (GameOverError, "over"),
    (IllegalMoveError, "illegal"),
    (MoveError, "move"),
    (SquareError, "move"),
    (RecordError, "record"),
    (LimitError, "limit"),
    (OptionError, "limit"),
    (EngineBusyError, "internal"),
)
_FIELD: Final = re.compile(r"([A-Za-z][A-Za-z0-9_ ]{0,40}):", re.ASCII)


class Fault(Exception):  # noqa: N818 - an answer, not a fault of the server
    """A refusal: code (one of `STATUS`), message, and the field and the index in it that are at fault, if any."""

    def __init__(self, code: str, message: str, *, field: str | None = None, index: int | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.field, self.index = code, message, field, index

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]

    def as_object(self) -> dict[str, Any]:
        """Return the object that an answer shows."""
        return {"code": self.code, "message": self.message, "field": self.field, "index": self.index}


def fault_of(error: HalmaError, *, field: str | None = None, index: int | None = None) -> Fault:
    """Return the fault that tells of an error of the package."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "internal")
    message = str(error)
    named = _FIELD.match(message)
    return Fault(code, message, field=field or (named[1] if named else None), index=index)
