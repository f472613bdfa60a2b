"""Files that are written whole, or not at all.

Invariant: until everything is written and on the disk, the file that was there before is untouched, and whatever
goes wrong leaves nothing else behind. Guarded by tests/cli/test_files.py.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

__all__ = ["replaced_file"]


@contextlib.contextmanager
def replaced_file(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Give a text file (UTF-8) whose content replaces `path` when the context ends well.

    A symbolic link stays one: the file that it names is replaced. A pipe, a terminal or /dev/null is written to, since
    nothing there could be replaced. Raises `OSError` that names `path`, at once if nothing can be written there.
    """
    name = os.fspath(path)
    target = Path(os.path.realpath(name))
    new = ""
    try:
        exists = target.exists()
        if exists and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        mode = stat.S_IMODE(target.stat().st_mode) if exists else 0o666 & ~_umask()
        handle, new = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
        try:
            with open(handle, "w", encoding="utf-8", newline="\n") as file:
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
