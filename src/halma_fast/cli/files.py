"""Files that commands write: whole, or not at all.

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
from pathlib import Path
from typing import TextIO

import click

from halma_fast.checks import shorten

__all__ = ["whole_file", "write_whole"]


@contextlib.contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """Give a text file (UTF-8) whose content replaces `path` when the context ends well; "-" is standard output."""
    if path == "-":
        yield sys.stdout
        return
    try:
        # Through a symbolic link: the file that it names is replaced and not the link.
        target = Path(os.path.realpath(path))
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
        if target.exists() and not target.is_file():  # a pipe, a terminal, /dev/null: nothing there could be replaced
            with target.open("w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except OSError as error:
        raise _cannot_write(path, error) from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def write_whole(path: str, text: str) -> None:
    """Write a text to a file, or to standard output for "-"."""
    with whole_file(path) as file:
        file.write(text)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _cannot_write(path: str, error: Exception) -> click.UsageError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return click.UsageError(f"{shorten(path)} cannot be written: {reason}")
