"""A whole game as the fragment of a link: a header, two bytes a move, and a checksum, in base64url without padding.

Owns that format (docs/serve.md). Invariant: what `write_fragment` makes, `read_fragment` gives back equal, and any
other text is refused with a `Fault`, never with another exception. Guarded by tests/web/test_fragment.py.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from typing import Final

import msgspec

from halma_fast.move import PASS, Move
from halma_fast.web.faults import Fault
from halma_fast.web.games import Match, setup_of
from halma_fast.web.messages import Setup

__all__ = ["read_fragment", "write_fragment"]

_VERSION: Final = 1
_ALPHABET: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_HEAD: Final = struct.Struct(">BH")
_COUNT: Final = struct.Struct(">H")
_SUM: Final = struct.Struct(">I")


def write_fragment(match: Match) -> str:
    """Return the fragment that holds a match with all its rounds, as far as it was played."""
    header = msgspec.json.encode(setup_of(match.variant, match.fen, match.rounds))
    parts = [_HEAD.pack(_VERSION, len(header)), header]
    for round_ in (*match.finished, match.current):
        parts.append(_COUNT.pack(len(round_.made)))
        parts += [bytes((made.move.from_square, made.move.to_square)) for made in round_.made]
    data = b"".join(parts)
    return base64.urlsafe_b64encode(data + _SUM.pack(zlib.crc32(data))).rstrip(b"=").decode("ascii")


def read_fragment(text: str) -> Match:
    """Return the match that a fragment holds; raises `Fault` with code "link" for any text that holds none."""
    data = _decoded(text)
    try:
        version, length = _HEAD.unpack_from(data)
        if version != _VERSION:
            raise _damaged(f"version {version}, expected {_VERSION}")
        start = _HEAD.size
        setup = msgspec.json.decode(data[start : start + length], type=Setup)
        start += length
        rounds = []
        while start < len(data):
            (count,) = _COUNT.unpack_from(data, start)
            start += _COUNT.size
            squares = data[start : start + 2 * count]
            if len(squares) != 2 * count:
                raise _damaged(f"{len(squares) // 2} moves, expected {count}")
            rounds.append([_text(*squares[at : at + 2]) for at in range(0, 2 * count, 2)])
            start += 2 * count
        if not rounds:
            raise _damaged("no round, expected one")
        return Match.build(setup, rounds[:-1], rounds[-1])
    except Fault as fault:
        raise fault if fault.code == "link" else _damaged(fault.message) from None
    except (struct.error, msgspec.MsgspecError, ValueError) as error:
        raise _damaged(str(error)) from None


def _decoded(text: str) -> bytes:
    """Return what stands before the checksum, which is right."""
    if not _ALPHABET.fullmatch(text):
        raise _damaged("characters that no such link has")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _damaged("a part is missing") from None
    if len(data) < _SUM.size or zlib.crc32(data[: -_SUM.size]) != _SUM.unpack(data[-_SUM.size :])[0]:
        raise _damaged("its checksum is wrong")
    return data[: -_SUM.size]


def _text(origin: int, target: int) -> str:
    # The squares of a pass are the same; no other move has such.
    return PASS.text if origin == target else Move(origin, target).text


def _damaged(why: str) -> Fault:
    return Fault("link", f"link: {why[:200]}, expected one that was copied whole", field="fragment")
