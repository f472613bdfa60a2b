from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Tables
from halma_fast._kernel.order cimport Order
from halma_fast._kernel.search cimport Search
from halma_fast._kernel.table cimport Table as TranspositionTable
from halma_fast.interrupts cimport Interrupts
from halma_fast.position cimport Position
from halma_fast.roots cimport Roots


cdef class _Found:
    cdef int32_t score
    cdef int32_t depth
    cdef str bound
    cdef tuple pv


cdef class Engine:
    cdef readonly int hash_mb
    cdef readonly int threads
    cdef double overhead
    cdef bint may_spoil
    cdef TranspositionTable table
    cdef void* table_memory
    cdef bint table_is_clear
    cdef uint64_t drawn     # keys of the positions that were drawn if they came again, of the table's entries, in one
    cdef Tables tables      # of the last search: held while it runs, and the only ones that its table's entries fit
    cdef Search* context    # one for each thread; the first is the caller's
    cdef Order* order       # the same
    cdef bint busy
    cdef bint waiting       # set up, and its thread has not begun yet
    cdef uint64_t serial    # of the search that runs, or of the last one

    # Of the search that runs.
    cdef object limit
    cdef object on_info
    cdef Interrupts interrupts
    cdef double begin
    cdef double deadline        # when it ends; 0: never
    cdef double soft            # seconds after which no depth is begun; 0: no clock
    cdef int32_t race_score     # of a decided race; 0: none
    cdef list lines             # _Found, ranked
    cdef int line_count
    cdef int rank               # of the line in work, from 0
    cdef int32_t completed      # depth
    cdef Roots roots
    cdef uint64_t* drawn_keys
    cdef uint64_t spent         # atomic; nodes given out to the threads
    cdef int32_t helpers_stop       # atomic
    cdef uint64_t helpers_at_work   # atomic
    cdef bint helpers_may_begin

    cdef int begin_search(
        self, object position, object limit, object multipv, object root_moves, double begin) except -1
    cdef int end_search(self) except -1
    cdef stop_search(self, serial)
    cdef void clear_table(self) noexcept
    cdef int prepare(self, Position position) except -1
    cdef bint is_repeatable(self) noexcept
    cdef bint is_timed(self) noexcept
    cdef int remember(self, Position position) except -1
    cdef int release(self) except -1
    cdef object run_waiting(self, serial, object on_info)
    cdef object run(self, object on_info)
    cdef int start_clock(self) except -1
    cdef int look_for_race(self, Position position) except -1
    cdef int listen(self, object on_info) except -1
    cdef int deepen(self) except -1
    cdef int exclude(self, list fresh, _Found before) except -1
    cdef int keep(self, list fresh) except -1
    cdef bint is_enough(self, int32_t depth, int settled, int32_t drop)
    cdef bint is_final(self, int32_t score, int32_t depth)
    cdef int start_helpers(self) except -1
    cdef int stop_helpers(self) except -1
    cdef uint64_t total_nodes(self) noexcept
    cdef object info(self, int rank, _Found line)
    cdef int tell_bound(self, int32_t depth, int32_t score, int32_t bound) except -1
