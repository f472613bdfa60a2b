from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Tables
from halma_fast._kernel.order cimport Order
from halma_fast._kernel.search cimport Line, Search
from halma_fast._kernel.table cimport Table as TranspositionTable
from halma_fast.position cimport Position


cdef class Engine:
    cdef readonly int hash_mb
    cdef TranspositionTable table
    cdef void* table_memory
    cdef Search* context
    cdef Order* order
    cdef bint busy
    cdef bint table_is_clear
    cdef Tables tables      # of the last search: held while it runs, and the only ones that its table's entries fit

    cdef int prepare(self, Position position, object limit) except -1
    cdef void clear_table(self) noexcept
    cdef object run(self, object limit, object on_info, double begin)
    cdef object result(self, const Line* line, int32_t depth, int32_t score, double seconds)
    cdef object final(self, object best, double seconds)
    cdef int static_choice(self) except -1
    cdef bint is_final(self, int32_t score, int32_t depth)
    cdef int release(self) except -1
