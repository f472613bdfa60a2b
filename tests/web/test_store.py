"""The file of games: kept when told so, used by one server, and refused if it is something else."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys

import pytest

from halma_fast import OptionError
from halma_fast.web.store import Event, Store

from .loop import in_loop

TOKENS = {"a": "token-of-a", "b": "token-of-b"}


def with_store(path, use):
    async def run():
        store = Store(str(path))
        try:
            return await use(store)
        finally:
            store.close()

    return in_loop(run)


async def one_room(store, name="room", most=10):
    tokens = {seat: f"{token}-{name}" for seat, token in TOKENS.items()}
    return await store.create(name, '{"variant":"halma8"}', f"watch-{name}", tokens, most)


def test_what_was_appended_is_there_after_the_process_was_killed(tmp_path):
    path = tmp_path / "games.sqlite"
    code = (
        "import asyncio, os, signal, sys\n"
        "from halma_fast.web.store import Event, Store\n"
        "async def use(store):\n"
        "    await store.create('room', '{}', 'w', {'a': 'a', 'b': 'b'}, 10)\n"
        "    for number in range(7):\n"
        "        await store.append('room', number, Event('move', 'a', str(number)))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(use(Store(sys.argv[1])))\n"
    )
    assert subprocess.run([sys.executable, "-c", code, path], check=False).returncode == -9
    room = with_store(path, lambda store: store.load("room"))
    assert [event.value for event in room.events] == list("0123456")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_tokens_lead_to_the_room_and_its_seat_and_are_not_in_the_file(tmp_path):
    path = tmp_path / "games.sqlite"

    async def use(store):
        assert await one_room(store)
        found = [await store.find(token) for token in ("token-of-a-room", "token-of-b-room", "watch-room", "other", "")]
        assert found == [("room", "a"), ("room", "b"), ("room", None), None, None]
        assert await store.claim("room", "a", "key of somebody")
        assert not await store.claim("room", "a", "another key")
        assert await store.claim("room", "a", "key of somebody")
        assert await store.claim("room", "b", "another key")
        assert await store.load("other") is None

    with_store(path, use)
    content = path.read_bytes()
    for secret in (b"token-of-a-room", b"token-of-b-room", b"key of somebody"):
        assert secret not in content
    assert b"watch-room" in content  # players may hand it on


def test_an_event_has_its_number_once(tmp_path):
    async def use(store):
        await one_room(store)
        await store.append("room", 0, Event("move", "a", "h1-f3"))
        with pytest.raises(sqlite3.IntegrityError):
            await store.append("room", 0, Event("move", "b", "a7-c5"))
        with pytest.raises(sqlite3.IntegrityError):
            await store.append("nowhere", 0, Event("move", "b", "a7-c5"))
        # One that fails takes none of those with it that wait for the same transaction.
        events = [Event("move", "b", str(number)) for number in range(20)]
        done = await asyncio.gather(
            *(store.append("room", max(number, 1), event) for number, event in enumerate(events)),
            return_exceptions=True,
        )
        assert sum(error is not None for error in done) == 1
        return await store.load("room")

    assert [event.value for event in with_store(tmp_path / "games.sqlite", use).events] == [
        "h1-f3",
        "0",
        *map(str, range(2, 20)),
    ]


def test_a_file_serves_one_server_at_a_time(tmp_path):
    path = str(tmp_path / "games.sqlite")
    first = Store(path)
    try:
        with pytest.raises(OptionError, match="another server uses it"):
            Store(path)
    finally:
        first.close()
    Store(path).close()


def test_other_files_are_refused_and_left_alone(tmp_path):
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    text = tmp_path / "text"
    text.write_text("no database, but some text that is long enough to be looked at" * 20, encoding="utf-8")
    later = tmp_path / "later.sqlite"
    Store(str(later)).close()
    with sqlite3.connect(later) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for path, part in [(other, "another program"), (text, "not a database"), (later, "format 99"), (tmp_path, "")]:
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(OptionError, match=f"db: .*cannot be used: .*{part}"):
            Store(str(path))
        if path is text:
            assert text.read_bytes() == before


def test_rooms_are_removed_with_their_events_after_their_time(tmp_path):
    async def use(store):
        await one_room(store, "old")
        await store.append("old", 0, Event("move", "a", "h1-f3"))
        await asyncio.sleep(0.2)
        await one_room(store, "new")
        assert await store.remove_older(3600) == []
        assert await store.remove_older(0.1) == ["old"]
        assert await store.load("old") is None
        assert await store.find("token-of-a-old") is None
        assert await store.load("new") is not None
        with pytest.raises(sqlite3.IntegrityError):
            await store.append("old", 1, Event("move", "b", "a7-c5"))

    with_store(tmp_path / "games.sqlite", use)


def test_there_are_never_more_rooms_than_allowed(tmp_path):
    async def use(store):
        return [await one_room(store, str(number), most=2) for number in range(4)]

    assert with_store(":memory:", use) == [True, True, False, False]
