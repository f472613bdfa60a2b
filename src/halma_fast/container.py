"""Files of large arrays of bytes with a header: what solutions and the solver's checkpoints are kept in.

Owns the format. Invariant: a file is written whole or not at all, and one that is damaged or of something else is
refused before any of it is used. Guarded by tests/solve/test_files.py.

The format: 8 bytes "HALMASOL"; the length of the header as 8 bytes, little-endian; the header, a JSON object in UTF-8
with blanks at its end, so that the first array begins at a multiple of 64 bytes; the arrays, one behind the other; the
checksum, BLAKE2b with 16 bytes, of all that is before it. The header has "kind", "format" (2), "version" (of the
package), "variant" (all its fields) and "arrays" (name and length in bytes of each), and what its kind adds. In format
1 the checksum was in the header and covered the arrays alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from halma_fast.checks import check_path, shorten
from halma_fast.errors import HalmaError
from halma_fast.files import replaced_file
from halma_fast.types import Side
from halma_fast.variants import Variant

__all__ = ["Bytes", "check_target", "package_version", "read_file", "variant_of", "write_file"]

Bytes = npt.NDArray[np.uint8]

MAGIC: Final = b"HALMASOL"
FORMAT: Final = 2
_ALIGNMENT: Final = 64
_MAX_HEADER: Final = 1 << 20
_BLOCK: Final = 1 << 24
_CHECKSUM_BYTES: Final = 16


def package_version() -> str:
    """Return the version of the package that is installed."""
    try:
        return version("halma-fast")
    except PackageNotFoundError:  # a source tree that was never installed
        return "unknown"


def check_target(path: object, field: str, error: type[HalmaError]) -> str:
    """Return the path of a file that can be written, before the work whose result it is to take; raises `error`."""
    text = check_path(path, field, error)
    folder = os.path.dirname(os.path.abspath(text))
    if os.path.exists(text) and not os.path.isfile(text):
        raise error(f"{field}: {shorten(text)} is not a regular file")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise error(f"{field}: {shorten(text)} cannot be written, expected a folder that exists and is writable")
    return text


def write_file(
    path: str,
    field: str,
    error: type[HalmaError],
    header: Mapping[str, Any],
    variant: Variant,
    arrays: Mapping[str, Bytes],
) -> None:
    """Write a file beside its place and put it there when all of it is on the disk; raises `error`."""
    whole = {**header, "format": FORMAT, "version": package_version(), "variant": _variant_fields(variant)}
    whole["arrays"] = {name: int(array.size) for name, array in arrays.items()}
    text = json.dumps(whole).encode("utf-8")
    text += b" " * (-(len(text) + 16) % _ALIGNMENT)
    digest = hashlib.blake2b(digest_size=_CHECKSUM_BYTES)
    try:
        with replaced_file(path, binary=True) as file:
            for block in _blocks(MAGIC + len(text).to_bytes(8, "little") + text, arrays):
                digest.update(block)
                file.write(block)
            file.write(digest.digest())
    except OSError as failure:
        raise error(f"{field}: {shorten(path)} cannot be written: {failure.strerror or failure}") from failure


def read_file(
    path: str | os.PathLike[str], field: str, error: type[HalmaError], kind: str, verify: bool = True
) -> tuple[dict[str, Any], dict[str, Bytes]]:
    """Return the header of a file of a kind and its arrays, mapped from the file for reading; raises `error`.

    verify: whether to read all of the file and compare its checksum.
    """
    path = check_path(path, field, error)
    name = shorten(path)
    try:
        if not os.path.isfile(path):
            raise error(f"{field}: {name} is no file, expected the path of a {kind}")
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            start = file.read(16)
            length = int.from_bytes(start[8:], "little")
            if start[:8] != MAGIC or not 0 < length <= _MAX_HEADER:
                raise error(f"{field}: {name} is no {kind}, expected a file that begins with {MAGIC.decode()}")
            text = file.read(length)
        header = _header(text)
        if header is None:
            raise error(f"{field}: {name} is damaged: its header cannot be read")
        if header["kind"] != kind:
            raise error(f"{field}: {name} is a {shorten(header['kind'])}, expected a {kind}")
        if header["format"] != FORMAT:
            raise error(
                f"{field}: {name} has format {shorten(header['format'])}, expected {FORMAT}:"
                " a file of another version of the package has to be made again"
            )
        lengths = header["arrays"]
        expected = 16 + length + sum(lengths.values()) + _CHECKSUM_BYTES
        if size != expected:
            raise error(f"{field}: {name} is damaged: {size} bytes, expected {expected}")
        arrays: dict[str, Bytes] = {}
        at = 16 + length
        for array, bytes_ in lengths.items():
            arrays[array] = np.memmap(path, dtype=np.uint8, mode="r", offset=at, shape=(bytes_,))
            at += bytes_
        if verify:
            digest = hashlib.blake2b(digest_size=_CHECKSUM_BYTES)
            for block in _blocks(start + text, arrays):
                digest.update(block)
            with open(path, "rb") as file:
                file.seek(at)
                checksum = file.read()
            if digest.digest() != checksum:
                raise error(f"{field}: {name} is damaged: its checksum does not fit")
    except OSError as failure:
        raise error(f"{field}: {name} cannot be read: {failure.strerror or failure}") from failure
    return header, arrays


def variant_of(header: Mapping[str, Any]) -> Variant:
    """Return the variant that a header describes; raises a `HalmaError` if it describes none."""
    given = dict(header["variant"])
    try:
        for field in ("holes",):
            given[field] = frozenset(given[field])
        for field in ("start", "home", "goal"):
            given[field] = tuple(frozenset(squares) for squares in given[field])
        given["first"] = Side.from_letter(given["first"])
        return Variant(**given)
    except (TypeError, KeyError) as error:
        raise HalmaError(f"variant: {shorten(error)}, expected the fields of a variant") from error


def _variant_fields(variant: Variant) -> dict[str, Any]:
    """All fields of a variant of the Halma family as JSON knows them, squares ascending."""
    values: dict[str, Any] = {field.name: getattr(variant, field.name) for field in fields(variant)}
    values["holes"] = sorted(variant.holes)
    for field in ("start", "home", "goal"):
        values[field] = [sorted(squares) for squares in values[field]]
    values["first"] = variant.first.letter
    return values


def _header(text: bytes) -> dict[str, Any] | None:
    """The header, if it has the form of one."""
    try:
        header = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(header, dict) or not {"kind", "format", "variant", "arrays"} <= header.keys():
        return None
    lengths = header["arrays"]
    if not isinstance(lengths, dict) or not isinstance(header["variant"], dict):
        return None
    if not all(isinstance(length, int) and not isinstance(length, bool) and length > 0 for length in lengths.values()):
        return None
    return header


def _blocks(start: bytes, arrays: Mapping[str, Bytes]) -> Iterator[bytes | memoryview]:
    """Yield all that the checksum covers, in the order of the file."""
    yield start
    for array in arrays.values():
        for at in range(0, array.size, _BLOCK):
            yield array[at : at + _BLOCK].data
