"""Keeps the finished parts of a perft job in a SQLite file, so that a killed run goes on where it was.

Owns the file's format, its lock and the question whose job it is. Invariant: a part that `add` returned for survives
`kill -9`, and a file that is refused keeps every byte. Guarded by tests/perft/test_checkpoint.py and test_kill.py.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import math
import os
import re
import shutil
import sqlite3
import stat
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Final
from urllib.parse import quote

from halma_fast.checks import check_path, shorten
from halma_fast.errors import CheckpointError

__all__ = ["Checkpoint", "Identity"]

Identity = Mapping[str, str | int | bool | None]

# What makes a SQLite file one of these: two numbers in its header (https://www.sqlite.org/fileformat.html).
APPLICATION_ID: Final = 0x48416C4D
FORMAT: Final = 1
_MAGIC: Final = b"SQLite format 3\0"
_HEADER_SIZE: Final = 100
_FORMAT_AT: Final = 60
_APPLICATION_AT: Final = 68

_SCHEMA: Final = (
    "CREATE TABLE identity (field TEXT PRIMARY KEY, value TEXT NOT NULL)",  # as JSON, where 1, true and "1" differ
    "CREATE TABLE part (number INTEGER PRIMARY KEY, leaves TEXT NOT NULL, seconds REAL NOT NULL)",
)
_LEAVES: Final = re.compile(r"[0-9]{1,1000}", re.ASCII)  # text, because SQLite's integers end at 2**63
# The locked byte: beyond any file, and away from those that SQLite itself locks.
_LOCK_AT: Final = 2**62
# A commit survives the end of the process without an fsync, which takes 10 ms; the disk gets all this often.
_SYNC_SECONDS: Final = 5.0
_MAX_QUOTED: Final = 120

# Files open in this process, by device and inode. A lock of fcntl does not keep out its own process, and is lost when
# that closes the file a second time: a second opening must be refused before it opens anything.
_claimed: Final[set[tuple[int, int]]] = set()
_claimed_lock: Final = threading.Lock()


class Checkpoint:
    """Checkpoint(path, identity): the finished parts of the job that `identity` describes; a context manager.

    A missing or empty file becomes a new checkpoint. Anything else that is no checkpoint of this job is refused with
    `CheckpointError` and left alone, as are one that is in use and a path that cannot be written.

    While it is open its process must not open the file in another way: to close that would give up the lock.

    done: leaves of the parts that earlier runs finished, by number. seconds: what those parts took, summed.
    """

    def __init__(self, path: str | os.PathLike[str], identity: Identity) -> None:
        self.done: dict[int, int] = {}
        self.seconds = 0.0
        self._path = os.path.abspath(check_path(path, "checkpoint", CheckpointError))
        self._name = shorten(os.fspath(path))
        self._lock = threading.Lock()
        with contextlib.ExitStack() as opened, self._one_sentence():
            descriptor = opened.enter_context(_held(self._path, self._name))
            self._key = _key(os.fstat(descriptor))
            is_new = not self._read(descriptor, identity)
            # From here to `close` no other descriptor of the file may be closed, or the lock is gone.
            self._database = opened.enter_context(contextlib.closing(_connect(self._path)))
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            if is_new:
                self._create(identity)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._synced = time.monotonic()
            self._opened = opened.pop_all()

    def add(self, index: int, leaves: int, seconds: float) -> None:
        """Keep a finished part, from any thread. Raises `CheckpointError` if that fails or contradicts what is kept."""
        with self._lock, self._one_sentence():
            try:
                found = _key(os.stat(self._path))
            except FileNotFoundError:
                found = None
            if found != self._key:
                raise CheckpointError(f"checkpoint: {self._name} was removed or replaced while in use")
            added = self._database.execute(
                "INSERT INTO part VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (index, str(leaves), seconds)
            )
            if added.rowcount == 0:
                (kept,) = self._database.execute("SELECT leaves FROM part WHERE number = ?", (index,)).fetchone()
                if kept != str(leaves):
                    raise CheckpointError(f"checkpoint: {self._name} has {kept} leaves for part {index}, not {leaves}")
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self._database.execute("PRAGMA wal_checkpoint")
                self._synced = time.monotonic()

    def close(self) -> None:
        """Close the file and remove the log beside it; a second call does nothing."""
        with self._lock, self._one_sentence():
            self._opened.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, descriptor: int, identity: Identity) -> bool:
        """Read what earlier runs kept; False if there is nothing at all yet.

        The header tells foreign files. The rest is read in a copy, because SQLite writes even where it only reads:
        it finishes or undoes what a killed process had begun, and leaves files beside.
        """
        header = os.pread(descriptor, _HEADER_SIZE, 0)
        if not header:
            return False
        if not header.startswith(_MAGIC):
            raise CheckpointError(f"checkpoint: {self._name} is no checkpoint, nor any SQLite file")
        if _number(header, _APPLICATION_AT) != APPLICATION_ID:
            raise CheckpointError(f"checkpoint: {self._name} is no checkpoint, but a SQLite file of something else")
        if (found := _number(header, _FORMAT_AT)) != FORMAT:
            raise CheckpointError(f"checkpoint: {self._name} has format {found}, expected {FORMAT}")
        with tempfile.TemporaryDirectory(prefix="halma-fast-") as folder:
            copy = os.path.join(folder, "copy")
            with open(descriptor, "rb", closefd=False) as source, open(copy, "wb") as target:
                shutil.copyfileobj(source, target)
            for suffix in ("-journal", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(f"{self._path}{suffix}", f"{copy}{suffix}")
            with contextlib.closing(_connect(copy)) as database:
                return self._load(database, identity)

    def _load(self, database: sqlite3.Connection, identity: Identity) -> bool:
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise CheckpointError(f"checkpoint: {self._name} is damaged: {shorten(verdict)}")
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return False  # its run was killed before it had written anything
        theirs = dict(database.execute("SELECT field, value FROM identity"))
        ours = {field: json.dumps(value) for field, value in identity.items()}
        for field in [*ours, *sorted(theirs.keys() - ours.keys(), key=str)]:
            if theirs.get(field) != ours.get(field):
                raise CheckpointError(
                    f"checkpoint: {self._name} is of another job: {field} is {_quoted(theirs.get(field))} there,"
                    f" {_quoted(ours.get(field))} here"
                )
        seconds = []
        for number, leaves, took in database.execute("SELECT number, leaves, seconds FROM part"):
            counted = isinstance(leaves, str) and _LEAVES.fullmatch(leaves) is not None
            if number < 0 or not counted or not isinstance(took, float) or not 0 <= took < math.inf:
                raise CheckpointError(f"checkpoint: {self._name} is damaged: part {number} has no count")
            self.done[number] = int(leaves)
            seconds.append(took)
        self.seconds = math.fsum(seconds)
        return True

    def _create(self, identity: Identity) -> None:
        # One transaction: a run that is killed here leaves nothing, or a whole checkpoint without parts.
        self._database.execute("BEGIN EXCLUSIVE")
        self._database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self._database.execute(f"PRAGMA user_version = {FORMAT}")
        for statement in _SCHEMA:
            self._database.execute(statement)
        rows = [(field, json.dumps(value)) for field, value in identity.items()]
        self._database.executemany("INSERT INTO identity VALUES (?, ?)", rows)
        self._database.execute("COMMIT")

    @contextlib.contextmanager
    def _one_sentence(self) -> Iterator[None]:
        """Turn what SQLite and the system raise into a `CheckpointError`."""
        try:
            yield
        except sqlite3.ProgrammingError as error:
            raise CheckpointError(f"checkpoint: {self._name} is closed") from error
        except (sqlite3.OperationalError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise CheckpointError(f"checkpoint: {self._name} cannot be read and written: {reason}") from error
        except sqlite3.Error as error:
            raise CheckpointError(f"checkpoint: {self._name} is damaged: {error}") from error


def _key(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")


def _quoted(value: object) -> str:
    if value is None:
        return "missing"
    text = " ".join(value.split()) if isinstance(value, str) else shorten(value)
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}..."


def _connect(path: str) -> sqlite3.Connection:
    """Open a file that exists; `_lock` and not SQLite sees to threads, and each statement is a transaction."""
    uri = f"file://{quote(os.fsencode(path))}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None, check_same_thread=False)


@contextlib.contextmanager
def _held(path: str, name: str) -> Iterator[int]:
    """Keep the file, made if it is missing, for this object alone; yields a descriptor."""
    with _claimed_lock:
        descriptor, key = _claim(path, name)
    try:
        yield descriptor
    finally:
        with _claimed_lock:
            os.close(descriptor)
            _claimed.remove(key)


def _claim(path: str, name: str) -> tuple[int, tuple[int, int]]:
    with contextlib.suppress(FileNotFoundError):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):  # to open a pipe or a device may do anything
            raise CheckpointError(f"checkpoint: {name} is not a regular file")
        if _key(status) in _claimed:
            raise CheckpointError(f"checkpoint: {name} is in use by this process already")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        # Not flock: children would inherit that, and a worker that outlives a killed run would keep the file.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _LOCK_AT)
    except OSError as error:
        os.close(descriptor)
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise CheckpointError(f"checkpoint: {name} is in use by another running process") from error
        raise
    key = _key(os.fstat(descriptor))
    _claimed.add(key)
    return descriptor, key
