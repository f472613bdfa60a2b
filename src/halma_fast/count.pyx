"""Counts the leaves below one position without the GIL: what perft's parts, threads and workers are made of.

Owns the table's memory and the way in and out of the kernel. Invariant: a count that was stopped says so and is never
kept in a table. Guarded by tests/perft/.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from halma_fast._kernel.control cimport Control, control_start
from halma_fast._kernel.dispatch cimport kernel, require_kernel
from halma_fast._kernel.geometry cimport Tables
from halma_fast._kernel.perft cimport PerftJob
from halma_fast._kernel.perft_table cimport BUCKET, PerftEntry
from halma_fast._kernel.planes cimport hf_flag_write, hf_table_free, hf_table_new
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport move_t
from halma_fast.interrupts cimport Interrupts, look_at_signals
from halma_fast.position cimport Position

from halma_fast.checks import check_memory

# Positions between two looks at the clock: up to some hundred leaves each, so a beat is well under a millisecond.
cdef enum:
    BEAT = 64


cdef class PerftTable:
    """PerftTable(hash_mb): a table of `hash_mb` MB (2**20 bytes) that counts of one variant share.

    Threads may use it at the same time. Raises `OptionError` for a size that is not from 1 to the machine's memory.
    """

    def __cinit__(self, hash_mb):
        require_kernel()
        self.memory = NULL
        self.hash_mb = check_memory(hash_mb)
        cdef size_t size = <size_t> self.hash_mb << 20
        self.memory = hf_table_new(size)
        if self.memory == NULL:
            raise MemoryError(f"hash_mb: no memory for a table of {self.hash_mb} MB")
        self.table.entries = <PerftEntry*> self.memory
        self.table.buckets = size // (BUCKET * sizeof(PerftEntry))

    def __dealloc__(self):
        hf_table_free(self.memory, <size_t> self.hash_mb << 20)


cdef class Stopper:
    """A flag that ends the counts that were given it, from any thread."""

    def stop(self):
        """End them: each returns within a millisecond or so."""
        hf_flag_write(&self.flag, 1)


def count_leaves(Position position not None, int depth, bint bulk, PerftTable table, Stopper stopper):
    """Return the leaves `depth` >= 0 plies below a position, and what a signal handler raised meanwhile or `None`.

    The count is of what was reached if an exception came or the stopper was used. Arguments are checked by the callers.
    """
    cdef State state = position.frames[position.length].state
    cdef Tables tables = position.tables
    cdef Interrupts interrupts = Interrupts()
    cdef Control control
    cdef PerftJob job
    cdef uint64_t leaves
    cdef move_t* moves
    if depth <= 0:
        return 1, None
    memset(&control, 0, sizeof(control))
    if stopper is not None:
        control.shared = &stopper.flag
    control_start(&control, BEAT, 0, look_at_signals, <void*> interrupts)
    job.geometry = &tables.geometry
    job.control = &control
    job.table = &table.table if table is not None else NULL
    job.bulk = bulk
    moves = <move_t*> malloc(depth * <size_t> job.geometry.max_moves * sizeof(move_t))
    if moves == NULL:
        raise MemoryError
    with nogil:
        leaves = kernel.perft(&job, &state, depth, moves)
    free(moves)
    error, interrupts.error = interrupts.error, None
    return leaves, error
