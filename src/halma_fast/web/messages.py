"""What a client may say: every body and message as a schema, checked while it is read.

Invariant: what has passed is of the right types, within its bounds and without unknown fields; whether it makes sense
by the rules of the game is asked later. Guarded by tests/web/test_messages.py and tests/web/test_fuzz.py.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from halma_fast.types import MAX_DEPTH
from halma_fast.web.faults import Fault
from halma_fast.web.limits import MAX_BODY, MAX_MOVES, MAX_MULTIPV, MAX_NAME, MAX_RECORDS, MAX_ROUNDS

__all__ = [
    "Analyse",
    "ClockLeft",
    "Draw",
    "EngineMessage",
    "GameRequest",
    "Hint",
    "Join",
    "MakeMove",
    "Ping",
    "Play",
    "ReadRecords",
    "RecordedGame",
    "Rematch",
    "Resign",
    "RoomMessage",
    "RoomRequest",
    "RulesGiven",
    "Setup",
    "ShareRequest",
    "Stop",
    "Sync",
    "WriteRecords",
    "decode",
]

_Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
_Seconds = Annotated[float, Meta(gt=0, le=1_000_000)]
_ClockSeconds = Annotated[float, Meta(ge=0, le=2_000_000)]
_Id = Annotated[int, Meta(ge=0, le=2**31)]
_MoveText = Annotated[str, Meta(max_length=400)]
_Moves = Annotated[list[_MoveText], Meta(max_length=MAX_MOVES)]
_Token = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{16,64}\Z")]


class RulesGiven(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Rules that a client chose; those left out are the variant's."""

    win: Literal["full", "occupied"] | UnsetType = UNSET
    goal_lock: Literal["hop", "move", "none"] | UnsetType = UNSET
    home_reentry: bool | UnsetType = UNSET
    home_duty: bool | UnsetType = UNSET
    home_deadline: _Count | UnsetType | None = UNSET
    max_turns: _Count | UnsetType | None = UNSET
    repetition: Literal[3] | UnsetType | None = UNSET
    first: Literal["x", "o"] | UnsetType = UNSET


class Setup(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Which game from where: a variant's name, its rules, a position string, and how many rounds a match has."""

    variant: Annotated[str, Meta(max_length=80)]
    rules: RulesGiven = msgspec.field(default_factory=RulesGiven)
    fen: Annotated[str, Meta(max_length=400)] | None = None
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | UnsetType = UNSET


class GameRequest(Struct, forbid_unknown_fields=True):
    """A game to be looked at."""

    setup: Setup
    moves: _Moves = []
    earlier: Annotated[list[_Moves], Meta(max_length=MAX_ROUNDS - 1)] = []


class ShareRequest(Struct, forbid_unknown_fields=True):
    """The fragment of a link that holds a game."""

    fragment: Annotated[str, Meta(max_length=128 * 1024)]


class ReadRecords(Struct, forbid_unknown_fields=True):
    """The text of a file of records."""

    text: Annotated[str, Meta(max_length=MAX_BODY)]


class RecordedGame(Struct, forbid_unknown_fields=True):
    """A game to be written as a record; `result` and `reason` only if the rules have not ended it."""

    setup: Setup
    moves: _Moves = []
    earlier: Annotated[list[_Moves], Meta(max_length=MAX_ROUNDS - 1)] = []
    tags: Annotated[
        dict[Annotated[str, Meta(max_length=64)], Annotated[str, Meta(max_length=MAX_NAME)]], Meta(max_length=16)
    ] = {}
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] | None = None
    reason: Annotated[str, Meta(max_length=MAX_NAME)] | None = None


class WriteRecords(Struct, forbid_unknown_fields=True):
    """Games to be written to one file."""

    games: Annotated[list[RecordedGame], Meta(min_length=1, max_length=MAX_RECORDS)]


class RoomRequest(Struct, forbid_unknown_fields=True):
    """A game by link to be opened."""

    setup: Setup


# The engine's socket.


class _Tagged(Struct, forbid_unknown_fields=True, tag_field="type"):
    """A message, told from others by its `type`."""


class Analyse(_Tagged, tag="analyse"):
    """Rank the best moves, without a limit until somebody stops it."""

    id: _Id
    setup: Setup
    moves: _Moves = []
    depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH)] | None = None
    nodes: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    seconds: _Seconds | None = None
    multipv: Annotated[int, Meta(ge=1, le=MAX_MULTIPV)] = 1


class Hint(_Tagged, tag="hint"):
    """Find one good move."""

    id: _Id
    setup: Setup
    moves: _Moves = []
    seconds: _Seconds = 1.0


class ClockLeft(Struct, forbid_unknown_fields=True):
    """Seconds that each side has left, and what a move adds."""

    x: _ClockSeconds
    o: _ClockSeconds
    increment: _ClockSeconds = 0.0


class Play(_Tagged, tag="play"):
    """Choose a move at a level."""

    id: _Id
    setup: Setup
    moves: _Moves = []
    level: Annotated[int, Meta(ge=1, le=10)] = 5
    seconds: _Seconds | None = None
    clock: ClockLeft | None = None


class Stop(_Tagged, tag="stop"):
    """End a job."""

    id: _Id


class Ping(_Tagged, tag="ping"):
    """Somebody is there."""


EngineMessage = Analyse | Hint | Play | Stop | Ping


# A room's socket.


class Join(_Tagged, tag="join"):
    """Come in with the token of a link, and the key that holds a seat."""

    token: _Token
    key: _Token


class MakeMove(_Tagged, tag="move"):
    """Make the move that follows `ply` moves of a game."""

    id: _Id
    game: _Id
    ply: _Id
    move: _MoveText


class Resign(_Tagged, tag="resign"):
    """Give up."""

    id: _Id
    game: _Id


class Draw(_Tagged, tag="draw"):
    """Offer a draw, or accept one."""

    id: _Id
    game: _Id


class Rematch(_Tagged, tag="rematch"):
    """Ask for another game with the sides swapped, or agree to it."""

    id: _Id
    game: _Id


class Sync(_Tagged, tag="sync"):
    """Tell the whole state once more."""


RoomMessage = Join | MakeMove | Resign | Draw | Rematch | Sync | Ping

_T = TypeVar("_T")
_DECODERS: Final[dict[object, msgspec.json.Decoder[object]]] = {}


def decode(kind: type[_T] | object, data: bytes | str) -> _T:
    """Read JSON as a message of a kind, or raise a `Fault` with code "schema"."""
    decoder = _DECODERS.get(kind)
    if decoder is None:
        decoder = _DECODERS[kind] = msgspec.json.Decoder(kind, strict=True)
    try:
        return decoder.decode(data)  # type: ignore[return-value]
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        _, _, where = str(error).partition(" - at `")
        raise Fault("schema", str(error)[:300], field=where.rstrip("`").lstrip("$.")[:100] or None) from None
