"""Games by link on the disk: an SQLite file with a row a room and a row for everything that happened in it.

Owns the file and the one thread that writes it. Invariant: what `append` has returned for is in the file, whatever
happens to the process afterwards, and a room's events are numbered without gaps. Guarded by tests/web/test_store.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from halma_fast.checks import shorten
from halma_fast.errors import OptionError

__all__ = ["Event", "Store", "StoredRoom", "digest"]

_APPLICATION: Final = 0x48414C4D  # "HALM"
_VERSION: Final = 1
_MOST_AT_ONCE: Final = 256
# After so long at most a loss of power takes nothing with it; a disk that is busy may take a while longer.
_FLUSH_SECONDS: Final = 0.5
_SCHEMA: Final = """
CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    setup TEXT NOT NULL,
    watch TEXT NOT NULL UNIQUE,
    a_token BLOB NOT NULL UNIQUE,
    b_token BLOB NOT NULL UNIQUE,
    a_key BLOB,
    b_key BLOB,
    created REAL NOT NULL,
    touched REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX rooms_touched ON rooms (touched);
CREATE TABLE events (
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (room, number)
) WITHOUT ROWID;
"""

_T = TypeVar("_T")


def digest(secret: str) -> bytes:
    """Return what is kept of a secret: whoever reads the file cannot play with it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: kind "move", "resign", "draw" or "rematch", by which seat, and a move's text."""

    kind: str
    seat: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room as it is kept: its set-up as JSON, the watchers' token, digests of the seats' keys, and its events."""

    id: str
    setup: str
    watch: str
    keys: dict[str, bytes | None]
    events: tuple[Event, ...]


@dataclass(slots=True)
class _Task:
    run: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Store:
    """A file of rooms: Store(path), ":memory:" for one that is forgotten at the end.

    Raises `OptionError` if the file cannot be used, or another server uses it. All coroutines run in a thread of their
    own, those that wait together in one transaction. Another thread brings what was written to the disk soon after:
    nobody who makes a move waits for the disk.
    """

    def __init__(self, path: str) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        try:
            self._connection = _opened(path)
        except (sqlite3.Error, OSError, ValueError) as error:
            busy = "locked" in str(error) or "busy" in str(error)
            why = "another server uses it" if busy else str(error)
            raise OptionError(f"db: {shorten(path)} cannot be used: {why}") from None
        self._log = None if path == ":memory:" else f"{path}-wal"
        self._written = threading.Event()
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=work, name="halma_fast store", daemon=True) for work in (self._work, self._flush)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the thread after what it was asked for, and close the file."""
        self._tasks.put(None)
        self._closing.set()
        self._written.set()
        for thread in self._threads:
            thread.join()
        self._connection.close()

    async def create(self, room: str, setup: str, watch: str, tokens: dict[str, str], most: int) -> bool:
        """Keep a new room; returns whether there was place for one among `most`."""
        values = (room, setup, watch, digest(tokens["a"]), digest(tokens["b"]))

        def run(connection: sqlite3.Connection) -> bool:
            if connection.execute("SELECT count(*) FROM rooms").fetchone()[0] >= most:
                return False
            now = time.time()
            connection.execute(
                "INSERT INTO rooms (id, setup, watch, a_token, b_token, created, touched) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*values, now, now),
            )
            return True

        return await self._ask(run)

    async def find(self, token: str) -> tuple[str, str | None] | None:
        """Return the room that a token leads to and the seat it is for, `None` for a watcher's."""
        secret = digest(token)

        def run(connection: sqlite3.Connection) -> tuple[str, str | None] | None:
            row = connection.execute(
                "SELECT id, CASE WHEN a_token = :secret THEN 'a' WHEN b_token = :secret THEN 'b' END FROM rooms"
                " WHERE a_token = :secret OR b_token = :secret OR watch = :token",
                {"secret": secret, "token": token},
            ).fetchone()
            return None if row is None else (row[0], row[1])

        return await self._ask(run)

    async def load(self, room: str) -> StoredRoom | None:
        """Return a room with its events, `None` if there is none."""

        def run(connection: sqlite3.Connection) -> StoredRoom | None:
            row = connection.execute(
                "SELECT id, setup, watch, a_key, b_key FROM rooms WHERE id = ?", (room,)
            ).fetchone()
            if row is None:
                return None
            events = connection.execute("SELECT kind, seat, value FROM events WHERE room = ? ORDER BY number", (room,))
            return StoredRoom(
                row[0], row[1], row[2], {"a": row[3], "b": row[4]}, tuple(Event(*event) for event in events)
            )

        return await self._ask(run)

    async def claim(self, room: str, seat: str, key: str) -> bool:
        """Give a seat to whoever has this key, if nobody has it yet; returns whether it is theirs."""
        column = {"a": "a_key", "b": "b_key"}[seat]
        secret = digest(key)

        def run(connection: sqlite3.Connection) -> bool:
            connection.execute(f"UPDATE rooms SET {column} = ? WHERE id = ? AND {column} IS NULL", (secret, room))
            row = connection.execute(f"SELECT {column} FROM rooms WHERE id = ?", (room,)).fetchone()
            return row is not None and row[0] == secret

        return await self._ask(run)

    async def append(self, room: str, number: int, event: Event) -> None:
        """Keep the event of this number, the count of those before it. Raises `sqlite3.Error`."""

        def run(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO events (room, number, kind, seat, value) VALUES (?, ?, ?, ?, ?)",
                (room, number, event.kind, event.seat, event.value),
            )
            connection.execute("UPDATE rooms SET touched = ? WHERE id = ?", (time.time(), room))

        await self._ask(run)

    async def remove_older(self, seconds: float) -> list[str]:
        """Remove the rooms in which nothing has happened for so long, and return them."""

        def run(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute("DELETE FROM rooms WHERE touched < ? RETURNING id", (time.time() - seconds,))
            return [row[0] for row in rows.fetchall()]

        return await self._ask(run)

    async def _ask(self, run: Callable[[sqlite3.Connection], _T]) -> _T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()
        self._tasks.put(_Task(run, future, loop))
        return await future

    def _work(self) -> None:
        while True:
            tasks = self._waiting()
            if tasks:
                self._run([task for task in tasks if task is not None])
            if None in tasks:
                return

    def _waiting(self) -> list[_Task | None]:
        tasks = [self._tasks.get()]
        with contextlib.suppress(queue.Empty):
            while len(tasks) < _MOST_AT_ONCE and tasks[-1] is not None:
                tasks.append(self._tasks.get_nowait())
        return tasks

    def _run(self, tasks: list[_Task]) -> None:
        """Run tasks in one transaction, each on its own savepoint, and answer when it is committed."""
        answers: list[tuple[_Task, Any, BaseException | None]] = []
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            for task in tasks:
                connection.execute("SAVEPOINT task")
                try:
                    answers.append((task, task.run(connection), None))
                except Exception as error:
                    connection.execute("ROLLBACK TO task")
                    answers.append((task, None, error))
                connection.execute("RELEASE task")
            connection.execute("COMMIT")
            self._written.set()
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            answers = [(task, None, error) for task in tasks]
        for task, answer, fault in answers:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                task.loop.call_soon_threadsafe(_settle, task.future, answer, fault)

    def _flush(self) -> None:
        """Bring the log of the file to the disk, at once after a pause and then every half second while it grows."""
        while self._log is not None and not self._closing.is_set():
            self._written.wait()
            self._written.clear()
            # A handle of its own: no lock of SQLite's is on the log, so closing it gives none up.
            with contextlib.suppress(OSError), open(self._log, "rb") as log:
                os.fsync(log.fileno())
            self._closing.wait(_FLUSH_SECONDS)


def _settle(future: asyncio.Future[Any], answer: Any, error: BaseException | None) -> None:
    if future.done():  # nobody waits any more
        return
    if error is None:
        future.set_result(answer)
    else:
        future.set_exception(error)


def _opened(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        # Others on this machine have no business with it.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    try:
        # One server a file: rooms are kept in memory too. The lock ends with the process, however it ends.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        # What is committed is with the system, and so outlives the process; `_flush` brings it to the disk.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN IMMEDIATE")
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables == 0:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        elif application != _APPLICATION:
            raise ValueError("it is a file of another program")
        elif version != _VERSION:
            raise ValueError(f"it has format {version}, expected {_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection
