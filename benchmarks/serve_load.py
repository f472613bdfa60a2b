"""How fast `halma-fast serve` answers while others analyse and watch, on the loopback: a table of milliseconds.

Starts a server of its own with a file in a temporary folder. One process plays a game by link and asks for views, a
second one holds the watchers and the analysing clients, so that their work does not delay the clock of the first.
Bounded: so many sockets, so many moves a second, for so many seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

SETUP = {"variant": "halma16", "rules": {"win": "occupied"}}
KEYS = {"x": "0123456789abcdef-x", "o": "0123456789abcdef-o", "watch": "0123456789abcdef-w"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--analysing", type=int, default=8, metavar="N", help="clients that analyse, default 8")
    parser.add_argument("--watching", type=int, default=200, metavar="N", help="clients that watch, default 200")
    parser.add_argument("--seconds", type=float, default=20.0, help="of measuring, default 20")
    parser.add_argument("--rate", type=float, default=10.0, help="moves a second, and as many views, default 10")
    parser.add_argument("--idle", action="store_true", help="measure once without load too, for comparison")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the numbers")
    parser.add_argument("--serve", default="", metavar="OPTIONS", help="more options of halma-fast serve")
    arguments = parser.parse_args()
    if not (0 <= arguments.analysing <= 64 and 0 <= arguments.watching <= 450 and 0 < arguments.rate <= 50):
        parser.error("expected at most 64 analysing, 450 watching and 50 moves a second")
    loads = [(arguments.analysing, arguments.watching)]
    if arguments.idle:
        loads.insert(0, (0, 0))
    found = {}
    for analysing, watching in loads:
        found[f"{analysing} analysing, {watching} watching"] = measure(
            analysing, watching, arguments.seconds, arguments.rate, arguments.serve.split()
        )
    for load, rows in found.items():
        print(f"{load}, {os.cpu_count()} processors; milliseconds")
        print(f"  {'':34} {'number':>7} {'median':>7} {'95 %':>7} {'99 %':>7} {'most':>7}")
        for name, times in rows.items():
            if times:
                values = np.percentile(np.array(times) * 1e3, (50, 95, 99, 100))
                print(f"  {name:34} {len(times):7}", *(f"{value:7.1f}" for value in values))
    if arguments.json:
        arguments.json.write_text(json.dumps(found), encoding="utf-8")


def measure(analysing: int, watching: int, seconds: float, rate: float, options: list[str]) -> dict[str, list[float]]:
    """Return seconds for each kind of answer."""
    with tempfile.TemporaryDirectory() as folder, serving(["--db", f"{folder}/games.sqlite", *options]) as address:
        place = urlsplit(address).netloc
        tokens = asyncio.run(opened(place))
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        crowd = context.Process(target=run_crowd, args=(theirs, place, tokens["watch"], analysing, watching))
        crowd.start()
        try:
            assert ours.recv() == "ready"
            time.sleep(1.0)  # all analyses are under way
            sent, rows = asyncio.run(play(place, tokens, seconds, rate))
            ours.send("stop")
            arrived, infos = ours.recv()
        finally:
            crowd.join(10)
            if crowd.is_alive():
                crowd.kill()
    rows["move: last watcher has it"] = [
        max(times) - sent[version] for version, times in arrived.items() if version in sent and len(times) == watching
    ]
    print(f"infos of analyses: {infos}", file=sys.stderr)
    return rows


@contextlib.contextmanager
def serving(options: list[str]) -> Any:
    """Give the address of a server that ends with the context."""
    command = [sys.executable, "-m", "halma_fast", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the server did not start"
        yield address
    finally:
        process.kill()
        process.wait()


async def request(place: str, path: str, body: object) -> Any:
    """Post a body over a connection of its own and return the answer."""
    host, _, port = place.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\nConnection: close\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    head, _, text = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), answer[:300]
    return text


async def opened(place: str) -> dict[str, str]:
    """Open a game by link."""
    return json.loads(await request(place, "/api/rooms", {"setup": SETUP}))


@contextlib.asynccontextmanager
async def joined(place: str, token: str, key: str) -> AsyncIterator[ClientConnection]:
    """Give a socket that is in a room."""
    async with connect(f"ws://{place}/ws/room", open_timeout=30, compression=None, max_size=None) as socket:
        await socket.send(json.dumps({"type": "join", "token": token, "key": key}))
        yield socket


async def play(
    place: str, tokens: dict[str, str], seconds: float, rate: float
) -> tuple[dict[int, float], dict[str, list[float]]]:
    """Play a game by link; returns when each version was sent, and the times."""
    rows: dict[str, list[float]] = {"move: acknowledged": [], "move: the opponent has it": [], "view of a game": []}
    sent: dict[int, float] = {}
    numbers = random.Random(1)
    async with joined(place, tokens["x"], KEYS["x"]) as x, joined(place, tokens["o"], KEYS["o"]) as o:
        sides = {"x": x, "o": o}
        view = await until(x, "state")
        await until(o, "state")
        end = time.monotonic() + seconds
        version, game, moves, turn, legal = 0, 0, [], "x", [move["move"] for move in view["view"]["legal"]]
        while time.monotonic() < end:
            began = time.monotonic()
            move = numbers.choice(legal)
            mover, other = sides[turn], sides["o" if turn == "x" else "x"]
            waiting = asyncio.ensure_future(until(other, "moved"))
            sent[version + 1] = start = time.monotonic()
            await mover.send(json.dumps({"type": "move", "id": 1, "game": game, "ply": len(moves), "move": move}))
            moved, mine = await asyncio.gather(timed(waiting, start), timed(until(mover, "ack"), start))
            rows["move: the opponent has it"].append(moved[1])
            rows["move: acknowledged"].append(mine[1])
            message = moved[0]
            moves.append(move)
            version, turn = message["version"], message["view"]["turn"]
            legal = [move["move"] for move in message["view"]["legal"]]
            start = time.monotonic()
            await request(place, "/api/game", {"setup": SETUP, "moves": moves})
            rows["view of a game"].append(time.monotonic() - start)
            if message["ending"] is not None or not legal:
                break
            await asyncio.sleep(max(0.0, began + 1.0 / rate - time.monotonic()))
    await asyncio.sleep(1.0)
    return sent, rows


async def timed(awaited: Any, start: float) -> tuple[Any, float]:
    """Return what is awaited, and the seconds since `start`."""
    return await awaited, time.monotonic() - start


async def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    async with asyncio.timeout(60):
        while True:
            text = await socket.recv()
            # Only what is waited for is worth reading as JSON.
            if f'"type":"{kind}"' in text[:40]:
                return json.loads(text)


def run_crowd(pipe: Connection, place: str, token: str, analysing: int, watching: int) -> None:
    """Hold the sockets of all others, in a process of its own."""
    asyncio.run(crowd(pipe, place, token, analysing, watching))


async def crowd(pipe: Connection, place: str, token: str, analysing: int, watching: int) -> None:
    arrived: dict[int, list[float]] = {}
    infos = 0

    async def watch(ready: asyncio.Event) -> None:
        async with joined(place, token, KEYS["watch"]) as socket:
            await until(socket, "state")
            ready.set()
            async for text in socket:
                if text.startswith('{"type":"moved"'):
                    at = time.monotonic()
                    version = int(text[text.index('"version":') + 10 :].partition(",")[0])
                    arrived.setdefault(version, []).append(at)

    async def analyse(ready: asyncio.Event) -> None:
        nonlocal infos
        async with connect(f"ws://{place}/ws/engine", open_timeout=30, compression=None) as socket:
            job = 0
            while True:
                job += 1
                await socket.send(json.dumps({"type": "analyse", "id": job, "setup": SETUP, "multipv": 3}))
                async for text in socket:
                    if '"type":"done"' in text:
                        break
                    infos += '"type":"info"' in text
                    ready.set()

    tasks, events = [], []
    for work in [watch] * watching + [analyse] * analysing:
        events.append(asyncio.Event())
        tasks.append(asyncio.ensure_future(work(events[-1])))
        if len(tasks) % 20 == 0:
            await events[-1].wait()
    for event in events:
        await event.wait()
    pipe.send("ready")
    while not pipe.poll():
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    pipe.send((arrived, infos))


if __name__ == "__main__":
    main()
