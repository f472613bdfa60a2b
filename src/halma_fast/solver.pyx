"""Retrograde analysis of one variant: the arrays of the kernel's stages, and the numbers of positions.

Owns the way in and out of the kernel. Invariant: the kernel only sees arrays of the numbering's size, and no array is
freed or moved while a stage runs. Guarded by tests/solve/.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from halma_fast._kernel.dispatch cimport kernel, require_kernel
from halma_fast._kernel.geometry cimport tables_of
from halma_fast._kernel.movegen cimport empty_squares, hop_edges
from halma_fast._kernel.placement cimport MAX_PLACED, Men, placement_state, state_index
from halma_fast._kernel.planes cimport (
    HopEdges, LaneEdges, Planes, hf_flag_write, hf_lane, hf_store, hf_word_read)
from halma_fast._kernel.solve cimport CHUNK, MAX_LEFT
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport SQUARES, kernel_square
from halma_fast._kernel.unmove cimport man_origins
from halma_fast.position cimport Position

from math import comb

import numpy as np

from halma_fast.checks import check_int
from halma_fast.errors import OptionError, SolutionError
from halma_fast.types import Side


def check_solvable(variant):
    """Raise `SolutionError` for a variant whose values are not those of positions alone."""
    if variant.family != "halma":
        raise SolutionError(f"variant: {variant.name} ends with points, expected a game of Halma")
    for rule in ("max_turns", "home_deadline"):
        if getattr(variant, rule) is not None:
            value = getattr(variant, rule)
            raise SolutionError(f"{rule}: {value}, expected None: a solved position does not know its move number")
    if variant.home_duty:
        raise SolutionError("home_duty: True, expected False: moves that are taken back do not know this rule")


def count_placements(variant):
    """Return how many positions of one side to move there are: C(n, k) * C(n - k, k), n squares, k men a side."""
    squares = variant.size ** 2 - len(variant.holes)
    return comb(squares, variant.men) * comb(squares - variant.men, variant.men)


def is_turned(variant):
    """Return whether the half turn of the board with sides swapped leaves the game as it is, as all staircases do."""
    def turned(squares):
        return frozenset(16 * (variant.size - 1 - (s >> 4)) + variant.size - 1 - (s & 15) for s in squares)
    return (turned(variant.holes) == variant.holes and turned(variant.home[0]) == variant.home[1]
            and turned(variant.goal[0]) == variant.goal[1])


cdef class Numbering:
    """Numbering(variant): the positions as 0..total-1, those of one side to move if the board is symmetric.

    Raises `SolutionError` for what cannot be solved; `index` and `pieces` are each other's inverse.
    """

    def __cinit__(self, variant):
        cdef Placements* p
        cdef int32_t n, k
        require_kernel()
        self.placements = NULL
        self.tables = tables_of(variant)
        check_solvable(variant)
        if variant.men > MAX_PLACED or self.tables.geometry.max_moves > MAX_LEFT:
            raise SolutionError(
                f"variant: {variant.name} has {variant.men} men, expected at most {MAX_PLACED}, and {MAX_LEFT} moves")
        count = count_placements(variant)
        turned = is_turned(variant)
        self.variant = variant
        self.total = count if turned else 2 * count
        if self.total >= 1 << 48:
            raise SolutionError(f"variant: {variant.name} has {self.total:.1e} positions, expected fewer than 2**48")
        self.placements = p = <Placements*> calloc(1, sizeof(Placements))
        if p == NULL:
            raise MemoryError
        p.geometry = &self.tables.geometry
        squares = [16 * rank + file for rank in range(variant.size) for file in range(variant.size)]
        squares = [square for square in squares if square not in variant.holes]
        p.squares = len(squares)
        p.men = self.tables.geometry.men
        p.turned = turned
        p.waiting = comb(p.squares - p.men, p.men)
        p.count = count
        p.total = self.total
        for n in range(p.squares):
            p.square[n] = kernel_square(squares[n])
            p.number[p.square[n]] = n
        for k in range(p.men + 1):
            for n in range(p.squares + 1):
                # The largest are never looked up: a number below 2**48 has been found before.
                p.choose[k][n] = min(comb(n, k), (1 << 63) - 1)

    def __dealloc__(self):
        free(self.placements)

    def __reduce__(self):
        raise TypeError("a Numbering cannot be pickled: it is memory, make another one")

    def index(self, Position position not None):
        """Return the number of a position; raises `SolutionError` for one of a variant with other camps or men."""
        cdef const State* state = &position.frames[position.length].state
        if position.tables is not self.tables and not same_board(position.variant, self.variant):
            raise SolutionError(f"position: of {position.variant!r}, expected one of {self.variant!r}")
        return state_index(self.placements, state)

    def pieces(self, index):
        """Return the position of a number: squares of x and of o, ascending tuples, and the `Side` to move."""
        cdef uint64_t number = check_int(index, "index", 0, self.total - 1, OptionError)
        cdef int32_t public, at
        cdef Men men
        cdef State state
        placement_state(self.placements, number, &men, &state)
        squares = ([], [])
        for public in range(SQUARES):
            at = kernel_square(public)
            for side in range(2):
                if (state.men[<int> side].w[at >> 6] >> (at & 63)) & 1:
                    squares[side].append(public)
        return tuple(squares[0]), tuple(squares[1]), Side(state.turn)


def same_board(a, b):
    """Return whether two variants have the same positions with the same values: all but names and starts."""
    fields = (
        "size", "holes", "home", "goal", "family", "goal_lock", "home_reentry", "home_duty", "win", "home_deadline",
        "max_turns")
    return a is b or all(getattr(a, field) == getattr(b, field) for field in fields)


def origins(Position position not None, square):
    """Return from which squares the man on a public square, of the side that waits, can have come, ascending."""
    cdef State state = position.frames[position.length].state
    cdef int32_t public = position.check_square(square)
    cdef int32_t at, target = kernel_square(public)
    cdef Planes empty, found
    cdef HopEdges edges = hop_edges(&state)
    cdef LaneEdges lane = hf_lane(&edges, target >> 6)
    if not (state.men[state.turn ^ 1].w[target >> 6] >> (target & 63)) & 1:
        raise OptionError(f"square: {public}, expected one with a man of the side that waits")
    hf_store(&empty, empty_squares(position.geometry, &state))
    man_origins(&position.geometry.side[state.turn ^ 1], target, &empty, &lane, &found)
    squares = []
    for public in range(SQUARES):
        at = kernel_square(public)
        if (found.w[at >> 6] >> (at & 63)) & 1:
            squares.append(public)
    return tuple(squares)


cdef class Solver:
    """Solver(variant): the values of all positions, and the stages that find them.

    values, left: uint8 arrays of shape (total,); see _kernel/solve.pxd for what is in them.
    """

    def __cinit__(self, variant):
        self.held = 0
        self.numbering = Numbering(variant)
        # Views: an array that does not own its data cannot be resized under the kernel.
        self.values = np.zeros(self.numbering.total, dtype=np.uint8)[:]
        self.left = np.zeros(self.numbering.total, dtype=np.uint8)[:]
        for array in (self.values, self.left):
            PyObject_GetBuffer(array, &self.views[self.held], PyBUF_SIMPLE | PyBUF_WRITABLE)
            self.held += 1
        self.job.placements = self.numbering.placements
        self.job.values = <uint8_t*> self.views[0].buf
        self.job.left = <uint8_t*> self.views[1].buf

    def __dealloc__(self):
        cdef int k
        for k in range(self.held):
            PyBuffer_Release(&self.views[k])

    def __reduce__(self):
        raise TypeError("a Solver cannot be pickled: it is memory, make another one")

    def set_stage(self, int stage, uint64_t next_chunk, uint64_t found):
        """Go to a chunk of a stage of which `found` values are known; not while another thread is in `work`."""
        self.job.stage = stage
        self.job.next = next_chunk
        self.job.found = found
        self.job.stop = 0

    def work(self):
        """Do chunks of the stage until none is left or `stop` was called; for several threads at a time."""
        with nogil:
            kernel.solve_stage(&self.job)

    def stop(self):
        """End the work soon, from any thread: each ends its chunk."""
        hf_flag_write(&self.job.stop, 1)

    @property
    def stage(self):
        """The distance in plies that is being found."""
        return self.job.stage

    @property
    def chunks(self):
        """How many chunks a stage has."""
        return (self.numbering.total + CHUNK - 1) // CHUNK

    @property
    def next_chunk(self):
        """The first chunk of the stage that nobody has begun; all below are done when no thread works."""
        return min(hf_word_read(&self.job.next), self.chunks)

    @property
    def found(self):
        """How many positions got their value in this stage."""
        return hf_word_read(&self.job.found)
