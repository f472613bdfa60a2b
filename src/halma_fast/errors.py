"""The exceptions of the package: every one is a `HalmaError`, and every `HalmaError` is a `ValueError`.

Invariant: a bad value of a documented argument raises one of these, whatever its type, and changes nothing.
Guarded by tests/unit/test_errors.py.
"""

from __future__ import annotations

__all__ = [
    "CheckpointError",
    "ClusterError",
    "CsciError",
    "DivideError",
    "EmptyStackError",
    "EngineBusyError",
    "EngineDiedError",
    "EngineTimeoutError",
    "FenError",
    "GameOverError",
    "HalmaError",
    "IllegalMoveError",
    "LimitError",
    "MatchError",
    "MoveError",
    "OptionError",
    "RecordError",
    "SquareError",
    "UgiError",
    "VariantError",
]


class HalmaError(ValueError):
    """The base of all errors of this package."""


class VariantError(HalmaError):
    """A variant, a board, a camp or a rule that does not exist or does not fit."""


class FenError(HalmaError):
    """A position string that is malformed or does not fit its variant."""


class SquareError(HalmaError):
    """A square name or number that is not on the board."""


class MoveError(HalmaError):
    """A move text that is malformed: it names no move on any board."""


class IllegalMoveError(MoveError):
    """A well-formed move that is not legal in the position."""


class GameOverError(IllegalMoveError):
    """A move or a search was asked for in a finished game."""


class CsciError(HalmaError):
    """A text in the format of the CSCI 561 homework that is malformed, or something that the format cannot say."""


class EmptyStackError(HalmaError, IndexError):
    """`pop` or `peek` with no move made."""


class LimitError(HalmaError):
    """A search or perft limit (depth, nodes, time) that is out of range."""


class OptionError(HalmaError):
    """A setting that is out of range: the size of the hash table, the name of a kernel, and the like."""


class EngineBusyError(HalmaError, RuntimeError):
    """An engine was asked to do a second thing while it is searching."""


class DivideError(HalmaError):
    """A divide of another program that cannot be read: a file, or a line of it."""


class CheckpointError(HalmaError):
    """A checkpoint that cannot be read or written, is in use, or is of something else."""


class ClusterError(HalmaError):
    """A cluster that cannot be reached or cannot do the work."""


class MatchError(HalmaError):
    """A match that cannot be played or gone on with: a player's name, a setting, or a file of other games."""


class RecordError(HalmaError):
    """A game record that cannot be read, written or believed; of a file, the message names the line and the move."""


class UgiError(HalmaError):
    """An engine's process that cannot be started, or that says what the protocol or the rules of the game forbid."""


class EngineDiedError(UgiError):
    """An engine's process that ended, or closed its output, before it answered."""


class EngineTimeoutError(UgiError):
    """An engine's process that did not answer in time."""
