"""Files that commands write: whole or not at all, and what cannot be written told as bad input.

Guarded by tests/cli/test_files.py.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TextIO

import click

from halma_fast.checks import shorten
from halma_fast.files import replaced_file

__all__ = ["whole_file", "write_whole"]


@contextlib.contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """Give a text file (UTF-8) whose content replaces `path` when the context ends well; "-" is standard output."""
    if path == "-":
        yield sys.stdout
        return
    if not path:
        raise click.UsageError("'' cannot be written: expected the name of a file")
    try:
        with replaced_file(path) as file:
            yield file
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename == path:
            reason = error.strerror or str(error)
        elif isinstance(error, ValueError) and "\0" in path:
            reason = "a zero byte in its name"
        else:  # not of this file
            raise
        raise click.UsageError(f"{shorten(path)} cannot be written: {reason}") from None


def write_whole(path: str, text: str) -> None:
    """Write a text to a file, or to standard output for "-"."""
    with whole_file(path) as file:
        file.write(text)
