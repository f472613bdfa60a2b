"""The nets that correct the linear evaluation of the named boards, read from the package's data and checked.

Owns the file format (data/net_<variant>.json, written by benchmarks/learn). Invariant: whatever men stand on the board,
no sum of the kernel's leaves its type with a net that passed. Guarded by tests/search/test_net.py.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from halma_fast.errors import VariantError

if TYPE_CHECKING:
    from halma_fast.variants import Variant

__all__ = ["FRACTION", "ONE", "UNITS", "NetWeights", "checked", "encoded", "net_of"]

# As in net.h.
UNITS: Final = 32
ONE: Final = 181
FRACTION: Final = 16

_HALF: Final = UNITS // 2
_LARGEST_SUM: Final = 2**15 - 1
_LARGEST_OUTPUT: Final = 2**31 - 1
_LARGEST_BOUND: Final = 10_000  # points; decided scores are far beyond


@dataclass(frozen=True, slots=True)
class NetWeights:
    """The integers of a net, for boards seen with the own goal where x's goal is.

    rows: int16, shape (2, size * size, UNITS): what an own man, and one of the other side, adds to each unit on square
    rank * size + file. bias: int16, (UNITS,). A unit counts by the square of its sum clipped to 0..ONE. output: int16,
    (UNITS,), in 1/FRACTION points of a unit of ONE; output_bias in the same, times ONE * ONE. bound: points.
    """

    rows: NDArray[np.int16]
    bias: NDArray[np.int16]
    output: NDArray[np.int16]
    output_bias: int
    bound: int


@cache
def _stored(name: str) -> dict[str, Any] | None:
    file = files("halma_fast") / "data" / f"net_{name}.json"
    if not name.isalnum() or not file.is_file():
        return None
    stored: dict[str, Any] = json.loads(file.read_text("ascii"))
    return stored


def net_of(variant: Variant) -> NetWeights | None:
    """Return the net of a variant, or `None`. It is one board's under all its rules. Raises `VariantError`."""
    stored = _stored(variant.name)
    return None if stored is None else checked(stored, variant)


def encoded(weights: NDArray[np.int16]) -> str:
    """Return weights as the text that a file has of them: base64 of little-endian words."""
    return base64.b64encode(weights.astype("<i2").tobytes()).decode("ascii")


def checked(stored: dict[str, Any], variant: Variant) -> NetWeights:
    """Return the net that a file holds; raises `VariantError` if it is none that the kernel may use.

    A file has the first half of the units: the others are their images in the mirror at the long diagonal, so that a
    position and its image are worth the same.
    """
    size = variant.size
    half = {
        "rows": _words(stored, "rows", 2 * size * size * _HALF),
        "bias": _words(stored, "bias", _HALF),
        "output": _words(stored, "output", _HALF),
    }
    output_bias, bound = stored.get("output_bias"), stored.get("bound")
    if type(output_bias) is not int or type(bound) is not int or not 0 < bound <= _LARGEST_BOUND:
        raise VariantError(f"net of {variant.name}: expected a whole output_bias and a bound of 1..{_LARGEST_BOUND}")
    rows = half["rows"].reshape(2, size, size, _HALF)
    # (file, rank) and (last - rank, last - file).
    image = rows[:, ::-1, ::-1].transpose(0, 2, 1, 3)
    net = NetWeights(
        np.concatenate([rows, image], axis=-1).reshape(2, size * size, UNITS),
        np.tile(half["bias"], 2),
        np.tile(half["output"], 2),
        output_bias,
        bound,
    )
    # All men on the squares that add most, and those two rows once more: a move adds one before it takes the other.
    greatest = np.abs(net.rows.astype(np.int64)).max(axis=(0, 1)) * (2 * variant.men + 1)
    if (greatest + np.abs(net.bias.astype(np.int64))).max() > _LARGEST_SUM:
        raise VariantError(f"net of {variant.name}: rows too large, expected sums of 16 bits")
    if int(np.abs(net.output.astype(np.int64)).sum()) * ONE * ONE + abs(output_bias) > _LARGEST_OUTPUT:
        raise VariantError(f"net of {variant.name}: output too large, expected a sum of 32 bits")
    return net


def _words(stored: dict[str, Any], field: str, count: int) -> NDArray[np.int16]:
    try:
        data = base64.b64decode(stored[field], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        data = b""
    if len(data) != 2 * count:
        raise VariantError(f"net, {field}: {len(data)} bytes, expected {2 * count} as base64")
    return np.frombuffer(data, "<i2").astype(np.int16)
