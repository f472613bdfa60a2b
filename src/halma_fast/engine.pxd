from libc.stdint cimport int32_t, int64_t, uint64_t

from halma_fast._kernel.order cimport Order
from halma_fast._kernel.search cimport Search
from halma_fast._kernel.table cimport Table
from halma_fast.position cimport Position


cdef class Engine:
    cdef readonly int hash_mb
    cdef Table table
    cdef void* table_memory
    cdef Search* context
    cdef Order* order
    cdef bint busy
    cdef bint table_is_clear

    cdef int prepare(self, Position position, object limit) except -1
    cdef object run(self, object limit, object on_info)
    cdef object result(self, int32_t depth, int32_t score, int32_t length, double seconds)
    cdef object final(self, object best, double seconds)
    cdef int32_t static_choice(self)
    cdef int release(self) except -1
