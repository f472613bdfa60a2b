from libc.stdint cimport int32_t

from halma_fast._kernel.perft_table cimport PerftTable as Table


cdef class PerftTable:
    cdef readonly int hash_mb
    cdef Table table
    cdef void* memory


cdef class Stopper:
    cdef int32_t flag
