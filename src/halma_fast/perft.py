"""Perft and divide: how many leaves the legal moves of a position lead to at a depth, however many hands count.

Owns the job: it is split into parts (parts.py), which this thread, other threads or an executor's workers count
(count.pyx), and which a checkpoint keeps. Invariant: every part counts exactly once. Guarded by tests/perft/.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field, fields
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from halma_fast.checkpoint import Checkpoint
from halma_fast.checks import check_bool, check_int, check_memory, shorten
from halma_fast.count import PerftTable, Stopper, count_leaves
from halma_fast.errors import LimitError, OptionError
from halma_fast.move import Move
from halma_fast.parts import SPLIT_VERSION, Part, plies_to_split, split
from halma_fast.position import Position
from halma_fast.types import MAX_DEPTH
from halma_fast.variants import Variant

__all__ = ["PerftInterrupted", "Progress", "count_part", "divide", "perft"]

MAX_THREADS: Final = 1024
# Parts handed to an executor and not yet back: enough to keep a cluster busy, few enough to keep its memory small.
_IN_FLIGHT: Final = 2048
# How long a wait for parts may keep this thread from noticing Ctrl-C on systems that do not interrupt it.
_POLL_SECONDS: Final = 0.02
# Up to this depth the parts after two plies are small enough for threads to finish together.
_COARSE_DEPTH: Final = 8

_tables: dict[tuple[Variant, int], PerftTable] = {}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: parts done and in all, leaves so far, seconds of this run, parts that a checkpoint brought."""

    done: int
    total: int
    leaves: int
    seconds: float
    done_before: int


class PerftInterrupted(KeyboardInterrupt):
    """Ctrl-C during a job: `leaves` counted so far, in `done` of `total` parts and in those that were being counted."""

    def __init__(self, leaves: int, done: int, total: int) -> None:
        super().__init__(f"{leaves} leaves counted so far, {done} of {total} parts done")
        self.leaves, self.done, self.total = leaves, done, total


@dataclass(slots=True)
class _Job:
    """The checked arguments of a job and what has come of it."""

    position: Position
    depth: int
    bulk: bool
    by_move: bool
    threads: int
    hash_mb: int | None
    executor: Executor | None
    checkpoint: Path | None
    on_progress: Callable[[Progress], object] | None
    parts: list[Part] = field(default_factory=list)
    leaves: int = 0
    done: int = 0
    done_before: int = 0
    by_first: dict[Move | None, int] = field(default_factory=dict)
    begin: float = field(default_factory=time.perf_counter)

    def keep(self, part: Part, leaves: int) -> None:
        """Add a finished part."""
        self.done += 1
        self.leaves += part.weight * leaves
        self.by_first[part.move] = self.by_first.get(part.move, 0) + part.weight * leaves

    def report(self) -> None:
        if self.on_progress is not None:
            seconds = time.perf_counter() - self.begin
            self.on_progress(Progress(self.done, len(self.parts), self.leaves, seconds, self.done_before))

    def interrupted(self, unfinished: int = 0) -> PerftInterrupted:
        return PerftInterrupted(self.leaves + unfinished, self.done, len(self.parts))


def perft(
    position: Position,
    depth: int,
    *,
    bulk: bool = True,
    threads: int = 1,
    hash_mb: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> int:
    """Return the number of leaves `depth` plies below a position, 0..100 plies; the position itself is depth 0.

    A full camp ends a game, a forced pass is a move, and the rules that need a history (repetition, turn cap, deadline)
    are left aside. `bulk=False` makes every leaf instead of counting the last plies together.

    threads: 1..1024, which share the work and the table; Python threads of the caller go on running.
    hash_mb: a table of that many MB (2**20 bytes) counts transpositions once; the number stays exact.
    executor: any `concurrent.futures.Executor` counts the parts instead, each worker process with a table of its own.
    checkpoint: a file that keeps finished parts; a job that was killed goes on from it.
    on_progress: called with a `Progress` after each part.
    Ctrl-C raises `PerftInterrupted`. Raises `LimitError`, `OptionError`, `CheckpointError`.
    """
    job = _checked(position, depth, bulk, False, threads, hash_mb, executor, checkpoint, on_progress)
    if job.depth == 0:
        return 1
    _run(job)
    return job.leaves


def divide(
    position: Position,
    depth: int,
    *,
    bulk: bool = True,
    threads: int = 1,
    hash_mb: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> dict[Move, int]:
    """Return `perft` split by the root's moves: a dict from `Move`, ascending, to leaves; depth 1..100."""
    job = _checked(position, depth, bulk, True, threads, hash_mb, executor, checkpoint, on_progress)
    if job.depth == 0:
        raise LimitError(f"depth: {shorten(depth)}, expected an integer from 1 to {MAX_DEPTH} for divide")
    _run(job)
    # A move whose game ends before the depth has no part, and no leaves.
    firsts = [part.move for part in split(position, 1, 1, by_move=True)]
    return {move: job.by_first.get(move, 0) for move in sorted(move for move in firsts if move is not None)}


def count_part(part: Part, bulk: bool, hash_mb: int | None) -> int:
    """Count one part in whatever process this is: the function that executors are given."""
    table = None
    if hash_mb is not None:
        # One table a process, kept from part to part of a job.
        wanted = (part.position.variant, hash_mb)
        if wanted not in _tables:
            _tables.clear()
            _tables[wanted] = PerftTable(hash_mb)
        table = _tables[wanted]
    leaves, error = count_leaves(part.position, part.depth, bulk, table, None)
    if error is not None:
        raise error
    return leaves


def _checked(
    position: object,
    depth: object,
    bulk: object,
    by_move: bool,
    threads: object,
    hash_mb: object,
    executor: Executor | None,
    checkpoint: object,
    on_progress: Callable[[Progress], object] | None,
) -> _Job:
    if not isinstance(position, Position):
        raise OptionError(f"position: {shorten(position)}, expected a Position")
    plies = check_int(depth, "depth", 0, MAX_DEPTH, LimitError)
    in_bulk = check_bool(bulk, "bulk", OptionError)
    workers = check_int(threads, "threads", 1, MAX_THREADS, OptionError)
    table = None if hash_mb is None else check_memory(hash_mb)
    if table is not None and not in_bulk:
        raise OptionError("hash_mb: given with bulk=False, expected one or the other: a table keeps no single leaves")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise OptionError(f"executor: {shorten(executor)}, expected a concurrent.futures.Executor or None")
    if executor is not None and workers != 1:
        raise OptionError(f"threads: {workers} with an executor, expected 1: the executor has its own")
    if checkpoint is not None and not isinstance(checkpoint, str | Path):
        raise OptionError(f"checkpoint: {shorten(checkpoint)}, expected a path or None")
    if on_progress is not None and not callable(on_progress):
        raise OptionError(f"on_progress: {shorten(on_progress)}, expected a callable or None")
    file = None if checkpoint is None else Path(checkpoint)
    return _Job(position.copy(stack=False), plies, in_bulk, by_move, workers, table, executor, file, on_progress)


def _run(job: _Job) -> None:
    """Count all parts of a job, each once."""
    try:
        _run_parts(job)
    except PerftInterrupted:
        raise
    except KeyboardInterrupt as error:  # it came while the parts were being made, or one was being kept or reported
        raise job.interrupted() from error


def _run_parts(job: _Job) -> None:
    alone = job.threads == 1 and job.executor is None and job.checkpoint is None and job.on_progress is None
    plies = 1 if alone else plies_to_split(job.depth)
    if job.executor is None and job.checkpoint is None and job.depth <= _COARSE_DEPTH:
        # Nobody will look for these parts again, and here tens of thousands would cost more than they share out.
        plies = min(plies, 2)
    job.parts = split(job.position, job.depth, plies, job.by_move)
    with contextlib.ExitStack() as stack:
        kept: Checkpoint | None = None
        todo = job.parts
        if job.checkpoint is not None:
            kept = stack.enter_context(Checkpoint(job.checkpoint, _identity(job, plies)))
            before = kept.done
            for part in job.parts:
                if part.index in before:
                    job.keep(part, before[part.index])
            job.done_before = job.done
            todo = [part for part in job.parts if part.index not in before]
            job.report()
        for part, leaves, seconds in _counted(job, todo):
            if kept is not None:
                kept.add(part.index, leaves, seconds)
            job.keep(part, leaves)
            job.report()


def _identity(job: _Job, plies: int) -> dict[str, str | int | bool | None]:
    """What a checkpoint must agree with: all that the parts and their counts depend on, and nothing else."""
    variant = job.position.variant
    identity: dict[str, str | int | bool | None] = {}
    for item in fields(variant):
        value = getattr(variant, item.name)
        if isinstance(value, frozenset | tuple):
            value = _in_order(value)
        identity[item.name] = value if isinstance(value, str | int | bool | None) else repr(value)
    # Rules that perft leaves aside do not make another job, and neither does the move number.
    for name in ("max_turns", "repetition", "home_deadline"):
        identity.pop(name)
    identity |= {
        "position": job.position.fen().rsplit(" ", 1)[0],
        "depth": job.depth,
        "divide": job.by_move,
        "split plies": plies,
        "split version": SPLIT_VERSION,
    }
    return identity


def _in_order(value: object) -> str:
    """Squares as text that does not depend on the order in which a set holds them."""
    if isinstance(value, frozenset):
        return "{" + " ".join(map(str, sorted(value))) + "}"
    return "(" + " ".join(map(_in_order, value)) + ")" if isinstance(value, tuple) else repr(value)


def _counted(job: _Job, todo: Iterable[Part]) -> Iterator[tuple[Part, int, float]]:
    """Yield parts with their leaves and the seconds they took, in the order in which they finish."""
    if job.executor is not None:
        yield from _by_executor(job, todo, job.executor)
    elif job.threads > 1:
        yield from _by_threads(job, todo)
    else:
        yield from _here(job, todo)


def _here(job: _Job, todo: Iterable[Part]) -> Iterator[tuple[Part, int, float]]:
    table = None if job.hash_mb is None else PerftTable(job.hash_mb)
    try:
        for part in todo:
            begin = time.perf_counter()
            leaves, error = count_leaves(part.position, part.depth, job.bulk, table, None)
            if isinstance(error, KeyboardInterrupt):
                raise job.interrupted(part.weight * leaves) from error
            if error is not None:
                raise error
            yield part, leaves, time.perf_counter() - begin
    except PerftInterrupted:
        raise
    except KeyboardInterrupt as error:  # it came between two parts
        raise job.interrupted() from error


def _by_threads(job: _Job, todo: Iterable[Part]) -> Iterator[tuple[Part, int, float]]:
    """Threads that take part after part: an executor's bookkeeping would cost as much as a small part."""
    table = None if job.hash_mb is None else PerftTable(job.hash_mb)
    stopper = Stopper()
    waiting = iter(list(todo))  # of a list: `next` is one step under the GIL, so each part is taken once
    results: SimpleQueue[tuple[Part, int, float] | BaseException | None] = SimpleQueue()

    def work() -> None:
        try:
            for part in waiting:
                begin = time.perf_counter()
                leaves, _ = count_leaves(part.position, part.depth, job.bulk, table, stopper)
                results.put((part, leaves, time.perf_counter() - begin))
            results.put(None)
        except BaseException as error:
            results.put(error)

    workers = [threading.Thread(target=work, name=f"perft-{k}", daemon=True) for k in range(job.threads)]
    try:
        for worker in workers:
            worker.start()
        working = len(workers)
        while working:
            result = results.get()
            if result is None:
                working -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result
    except KeyboardInterrupt as error:
        counted = sum(part.weight * leaves for part, leaves in _stopped(stopper, waiting, workers, results))
        raise job.interrupted(counted) from error
    finally:
        _stopped(stopper, waiting, workers, results)


def _stopped(
    stopper: Stopper,
    waiting: Iterator[Part],
    workers: list[threading.Thread],
    results: SimpleQueue[tuple[Part, int, float] | BaseException | None],
) -> list[tuple[Part, int]]:
    """End the threads, and return what they had counted and nobody has seen yet: whole parts and begun ones."""
    stopper.stop()
    for _ in waiting:
        pass  # nobody begins another part
    for worker in workers:
        if worker.ident is not None:
            worker.join()
    unseen = []
    while not results.empty():
        result = results.get()
        if isinstance(result, tuple):
            unseen.append((result[0], result[1]))
    return unseen


def _by_executor(job: _Job, todo: Iterable[Part], executor: Executor) -> Iterator[tuple[Part, int, float]]:
    running: dict[Future[int], tuple[Part, float]] = {}
    count = functools.partial(count_part, bulk=job.bulk, hash_mb=job.hash_mb)
    try:
        yield from _in_flight(executor, count, todo, running, _IN_FLIGHT)
    except (KeyboardInterrupt, CancelledError) as error:
        raise job.interrupted() from error
    finally:
        for future in running:
            future.cancel()


def _in_flight(
    executor: Executor,
    count: Callable[[Part], int],
    todo: Iterable[Part],
    running: dict[Future[int], tuple[Part, float]],
    most: int,
) -> Iterator[tuple[Part, int, float]]:
    """Keep at most `most` parts with the executor; `running` always holds those that are not back."""
    waiting = iter(todo)
    exhausted = False
    while running or not exhausted:
        while not exhausted and len(running) < most:
            part = next(waiting, None)
            if part is None:
                exhausted = True
            else:
                running[executor.submit(count, part)] = (part, time.perf_counter())
        finished, _ = wait(running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
        for future in finished:
            leaves = future.result()
            part, begin = running.pop(future)
            yield part, leaves, time.perf_counter() - begin
