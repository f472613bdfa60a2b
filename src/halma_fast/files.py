"""Files that are written whole, or not at all; small ones that are read at once.

Invariant: until everything is written and on the disk, the file that was there before is untouched, and whatever
goes wrong leaves nothing else behind. Guarded by tests/cli/test_files.py.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, Literal, TextIO, overload

from halma_fast.checks import shorten
from halma_fast.errors import HalmaError

__all__ = ["STREAM", "read_bytes", "replaced_file"]

# What stands for standard input instead of a file's name.
STREAM: Final = "-"


def read_bytes(path: str, most: int, expected: str, error: type[HalmaError]) -> tuple[str, bytes]:
    """Return how messages name a file, or standard input for "-", and all of its bytes.

    Raises `error` for what cannot be read, and for more than `most` bytes, where `expected` tells what was wanted.
    """
    name = "standard input" if path == STREAM else shorten(path)
    try:
        if path == STREAM:
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(most + 1)
    except OSError as failure:
        raise error(f"{name}: cannot be read: {failure.strerror or failure}") from failure
    except (ValueError, AttributeError) as failure:  # a zero byte in the name; standard input closed
        raise error(f"{name}: cannot be read") from failure
    if len(data) > most:
        size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} KB"
        raise error(f"{name}: more than {size}, expected {expected}")
    return name, data


@overload
def replaced_file(
    path: str | os.PathLike[str], *, binary: Literal[False] = False
) -> AbstractContextManager[TextIO]: ...


@overload
def replaced_file(path: str | os.PathLike[str], *, binary: Literal[True]) -> AbstractContextManager[BinaryIO]: ...


def replaced_file(path: str | os.PathLike[str], *, binary: bool = False) -> AbstractContextManager[IO[Any]]:
    """Give a file, of text in UTF-8 unless `binary`, whose content replaces `path` when the context ends well.

    A symbolic link stays one: the file that it names is replaced. A pipe, a terminal or /dev/null is written to, since
    nothing there could be replaced. Raises `OSError` that names `path`, at once if nothing can be written there.
    """
    return _replaced(os.fspath(path), {"mode": "wb"} if binary else {"mode": "w", "encoding": "utf-8", "newline": "\n"})


@contextlib.contextmanager
def _replaced(name: str, how: dict[str, str]) -> Iterator[IO[Any]]:
    target = Path(os.path.realpath(name))
    new = ""
    try:
        exists = target.exists()
        if exists and not target.is_file():
            with open(target, **how) as file:  # type: ignore[call-overload]
                yield file
            return
        mode = stat.S_IMODE(target.stat().st_mode) if exists else 0o666 & ~_umask()
        handle, new = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
        try:
            with open(handle, **how) as file:  # type: ignore[call-overload]
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(new, mode)
            os.replace(new, target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new)
    except OSError as error:
        if new and error.filename not in (None, new):
            raise  # of another file, which the caller reads meanwhile
        # About the file that was asked for, not the one beside it.
        raise OSError(error.errno, error.strerror or str(error), name) from None


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
