"""Files of large arrays of bytes with a header: what solutions and the solver's checkpoints are kept in.

Owns the format. Invariant: a file is written whole or not at all, and one that is damaged or of something else is
refused before any of it is used. Guarded by tests/solve/test_files.py.

The format: 8 bytes "HALMASOL"; the length of the header as 8 bytes, little-endian; the header, a JSON object in UTF-8
with blanks at its end, so that the first array begins at a multiple of 64 bytes; the arrays, one behind the other. The
header has "kind", "format" (1), "version" (of the package), "variant" (all its fields), "arrays" (name and length in
bytes of each) and "checksum" (BLAKE2b with 16 bytes, in hexadecimal, of the arrays), and what its kind adds.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from halma_fast.checks import shorten
from halma_fast.errors import HalmaError
from halma_fast.types import Side
from halma_fast.variants import Variant

__all__ = ["Bytes", "check_path", "read_file", "variant_of", "write_file"]

Bytes = npt.NDArray[np.uint8]

MAGIC: Final = b"HALMASOL"
FORMAT: Final = 1
_ALIGNMENT: Final = 64
_MAX_HEADER: Final = 1 << 20
_BLOCK: Final = 1 << 24


def check_path(path: object, field: str, error: type[HalmaError]) -> str:
    """Return the path of a file that can be written, before the work whose result it is to take; raises `error`."""
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text:
        raise error(f"{field}: {shorten(path)}, expected the path of a file")
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
    whole = {**header, "format": FORMAT, "variant": _variant_fields(variant)}
    whole["arrays"] = {name: int(array.size) for name, array in arrays.items()}
    whole["checksum"] = _checksum(arrays)
    text = json.dumps(whole).encode("utf-8")
    text += b" " * (-(len(text) + 16) % _ALIGNMENT)
    temporary = None
    try:
        folder = os.path.dirname(os.path.abspath(path))
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{os.path.basename(path)[:100]}.")
        with open(descriptor, "wb") as file:
            file.write(MAGIC + len(text).to_bytes(8, "little") + text)
            for array in arrays.values():
                file.write(array.data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
        temporary = None
    except OSError as failure:
        raise error(f"{field}: {shorten(path)} cannot be written: {failure.strerror or failure}") from failure
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def read_file(
    path: str | os.PathLike[str], field: str, error: type[HalmaError], kind: str, verify: bool = True
) -> tuple[dict[str, Any], dict[str, Bytes]]:
    """Return the header of a file of a kind and its arrays, mapped from the file for reading; raises `error`.

    verify: whether to read all of the file and compare its checksum.
    """
    name = shorten(os.fspath(path)) if isinstance(path, str | os.PathLike) else shorten(path)
    if not isinstance(path, str | os.PathLike) or not os.fspath(path) or "\0" in str(os.fspath(path)):
        raise error(f"{field}: {name}, expected the path of a file")
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
            raise error(f"{field}: {name} has format {shorten(header['format'])}, expected {FORMAT}")
        lengths = header["arrays"]
        if size != 16 + length + sum(lengths.values()):
            raise error(f"{field}: {name} is damaged: {size} bytes, expected {16 + length + sum(lengths.values())}")
        arrays: dict[str, Bytes] = {}
        at = 16 + length
        for array, bytes_ in lengths.items():
            arrays[array] = np.memmap(path, dtype=np.uint8, mode="r", offset=at, shape=(bytes_,))
            at += bytes_
        if verify and _checksum(arrays) != header["checksum"]:
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
    if not isinstance(header, dict) or not {"kind", "format", "variant", "arrays", "checksum"} <= header.keys():
        return None
    lengths = header["arrays"]
    if not isinstance(lengths, dict) or not isinstance(header["variant"], dict):
        return None
    if not all(isinstance(length, int) and not isinstance(length, bool) and length > 0 for length in lengths.values()):
        return None
    return header


def _checksum(arrays: Mapping[str, Bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays.values():
        for at in range(0, array.size, _BLOCK):
            digest.update(array[at : at + _BLOCK].data)
    return digest.hexdigest()
