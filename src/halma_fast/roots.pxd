from libc.stdint cimport int32_t

from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.search cimport Search
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport move_t
from halma_fast.position cimport Position


cdef class Roots:
    cdef int32_t total
    cdef bint chosen        # not all legal moves
    cdef move_t* moves      # `total` of them, those of most progress first
    cdef move_t* rest       # those that better lines do not begin with

    cdef int choose(self, const Geometry* g, const State* s, list choice, bint spoil) except -1
    cdef int give(self, Search* context, set taken) except -1


cdef list checked_moves(Position position, object root_moves)
