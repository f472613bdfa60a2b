"""Solves small boards whole: the value of every position by retrograde analysis, on threads, with a checkpoint.

Owns the job: its stages (distances in plies), its threads, its checkpoint. Invariant: a job that is stopped, or killed
and begun again from its checkpoint, ends with the same values as one that never was. Guarded by tests/solve/.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from halma_fast.checks import check_int, memory_mb, shorten
from halma_fast.container import check_target, read_file, variant_of, write_file
from halma_fast.errors import CheckpointError, HalmaError, OptionError, SolutionError
from halma_fast.solution import Counts, Solution
from halma_fast.solver import Solver, check_solvable, count_placements, is_turned, same_board
from halma_fast.variants import Variant, resolve

__all__ = ["Counts", "Progress", "Solution", "SolveInterrupted", "memory_needed", "solve"]

MAX_THREADS: Final = 1024
# A value is a byte, 0 for a draw and 1 + plies otherwise.
_MAX_PLIES: Final = 254
# A value and a number of moves for each position.
_BYTES_A_POSITION: Final = 2
# What a checkpoint may cost: seconds of work lost by a kill, against the time to write it.
_CHECKPOINT_SECONDS: Final = 30.0
_TICK_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: plies whose positions are being found, share of that stage done (0 to 1), positions decided.

    `decided` includes what is found of this stage; `positions` is how many there are; `seconds` of this run.
    """

    plies: int
    share: float
    decided: int
    positions: int
    seconds: float


class SolveInterrupted(KeyboardInterrupt):
    """Ctrl-C during a job: positions `decided` so far, within `plies` plies of the end."""

    def __init__(self, decided: int, positions: int, plies: int, kept: str | None) -> None:
        kept_in = f", kept in {kept}" if kept is not None else ""
        super().__init__(f"{decided} of {positions} positions decided, up to {plies} plies from the end{kept_in}")
        self.decided, self.positions, self.plies = decided, positions, plies


def memory_needed(variant: Variant | str, **rules: Any) -> int:
    """Return how many bytes solving a variant takes. Raises `VariantError` or, for one that has no solution of this
    kind, `SolutionError`."""
    game = resolve(variant, **rules)
    check_solvable(game)
    return count_placements(game) * (1 if is_turned(game) else 2) * _BYTES_A_POSITION


def solve(
    variant: Variant | str,
    *,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    **rules: Any,
) -> Solution:
    """Return the solution of a variant: the value of every placement of its men, for both sides to move.

    Retrograde analysis from the finished games: a position before a lost one is won, and one all of whose moves lead to
    won ones is lost. What is never decided is a draw. A pass is a ply. The rule of repetition changes no value.

    threads: 1..1024; Python threads of the caller go on running.
    checkpoint: a file that keeps the stages done so far, every half minute and at Ctrl-C; a job goes on from it.
    on_progress: called with a `Progress` about twenty times a second.
    rules: replace the variant's, as in `Position`.
    Takes 2 bytes a position. Raises `SolutionError` for a board too large for this machine's memory and for the rules
    `max_turns`, `home_deadline` and `home_duty`; `VariantError`, `OptionError`, `CheckpointError`. Ctrl-C raises
    `SolveInterrupted`.
    """
    game = resolve(variant, **rules)
    workers = check_int(threads, "threads", 1, MAX_THREADS, OptionError)
    if on_progress is not None and not callable(on_progress):
        raise OptionError(f"on_progress: {shorten(on_progress)}, expected a callable or None")
    _check_memory(game)
    file = None if checkpoint is None else check_target(checkpoint, "checkpoint", CheckpointError)
    job = _Job(Solver(game), workers, file, on_progress)
    if file is not None and os.path.exists(file) and os.path.getsize(file):
        job.load(game)
    job.run()
    return Solution(game, job.solver.values)


def _check_memory(variant: Variant) -> None:
    needed = memory_needed(variant)
    there = memory_mb() << 20
    if needed > there:
        positions = needed // _BYTES_A_POSITION
        raise SolutionError(
            f"variant: {variant.name} has {positions:.3g} positions and needs {needed / 2**30:.3g} GB of memory,"
            f" expected at most the {there / 2**30:.3g} GB of this machine"
        )


class _Job:
    """The stages of one solver, up to the last."""

    def __init__(
        self,
        solver: Solver,
        threads: int,
        checkpoint: str | None,
        on_progress: Callable[[Progress], object] | None,
    ) -> None:
        self.solver = solver
        self.decided = 0  # in the stages before this one
        self._threads = threads
        self._checkpoint = checkpoint
        self._on_progress = on_progress
        self._begin = time.monotonic()
        self._saved = self._begin
        solver.set_stage(0, 0, 0)

    def load(self, variant: Variant) -> None:
        """Go on where a checkpoint stopped."""
        assert self._checkpoint is not None
        header, arrays = read_file(self._checkpoint, "checkpoint", CheckpointError, "checkpoint")
        name = shorten(self._checkpoint)
        try:
            theirs = variant_of(header)
            place = [check_int(header.get(key), key, 0, 2**62, CheckpointError) for key in _PLACE]
        except HalmaError as error:
            raise CheckpointError(f"checkpoint: {name} is damaged: {error}") from error
        if not same_board(theirs, variant):
            raise CheckpointError(f"checkpoint: {name} is of another job: {theirs!r} there, {variant!r} here")
        stage, next_chunk, found, decided = place
        shapes = {key: array.shape for key, array in arrays.items()}
        expected = {"values": self.solver.values.shape, "left": self.solver.left.shape}
        if shapes != expected or stage > _MAX_PLIES or next_chunk > self.solver.chunks:
            raise CheckpointError(f"checkpoint: {name} is damaged: it does not fit {variant!r}")
        np.copyto(self.solver.values, arrays["values"])
        np.copyto(self.solver.left, arrays["left"])
        self.solver.set_stage(stage, next_chunk, found)
        self.decided = decided

    def save(self) -> None:
        """Keep what is done; only while no thread works."""
        if self._checkpoint is not None:
            place = (self.solver.stage, self.solver.next_chunk, self.solver.found, self.decided)
            header = {"kind": "checkpoint", **dict(zip(_PLACE, place, strict=True))}
            arrays = {"values": self.solver.values, "left": self.solver.left}
            write_file(self._checkpoint, "checkpoint", CheckpointError, header, self.solver.numbering.variant, arrays)
        self._saved = time.monotonic()

    def run(self) -> None:
        """Do stage after stage, until one finds nothing: then nothing is left to be found."""
        solver = self.solver
        try:
            while True:
                while solver.next_chunk < solver.chunks:
                    self._work()
                    if self._checkpoint is not None and time.monotonic() - self._saved >= _CHECKPOINT_SECONDS:
                        self.save()
                if solver.stage > 0 and solver.found == 0:
                    break
                if solver.stage == _MAX_PLIES:
                    raise SolutionError(f"variant: a game of more than {_MAX_PLIES} plies, expected none so long")
                self.decided += solver.found
                solver.set_stage(solver.stage + 1, 0, 0)
            self.save()
        except KeyboardInterrupt:
            self.save()
            decided = self.decided + solver.found
            kept = self._checkpoint
            raise SolveInterrupted(decided, solver.numbering.total, max(0, solver.stage - 1), kept) from None

    def _work(self) -> None:
        """Let the threads work on the stage until it is done, a checkpoint is due or Ctrl-C comes."""
        solver = self.solver
        solver.set_stage(solver.stage, solver.next_chunk, solver.found)
        workers = [threading.Thread(target=solver.work, name=f"solve-{k}", daemon=True) for k in range(self._threads)]
        try:
            for worker in workers:
                worker.start()
            for worker in workers:
                # In bits: a join without a timeout would keep this thread from its signal handlers on some systems.
                while worker.is_alive():
                    worker.join(_TICK_SECONDS)
                    self._report()
                    if self._checkpoint is not None and time.monotonic() - self._saved >= _CHECKPOINT_SECONDS:
                        solver.stop()
        finally:
            solver.stop()
            for worker in workers:
                if worker.ident is not None:
                    worker.join()

    def _report(self) -> None:
        if self._on_progress is not None:
            solver = self.solver
            decided = self.decided + solver.found
            share = solver.next_chunk / solver.chunks
            seconds = time.monotonic() - self._begin
            self._on_progress(Progress(solver.stage, share, decided, solver.numbering.total, seconds))


_PLACE: Final = ("stage", "next chunk", "found", "decided")
