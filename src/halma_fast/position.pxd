from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry, Tables
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport move_t
from halma_fast.move cimport Move

cdef enum Ending:
    UNKNOWN = -1
    UNDECIDED = 0
    COMPLETED
    DEADLINE
    REPETITION
    TURN_CAP
    BLOCKED

ctypedef struct Frame:
    State state
    move_t move     # the move that led here
    int32_t ending  # Ending; UNKNOWN until somebody asks


cdef class Position:
    cdef Tables tables
    cdef const Geometry* geometry
    cdef Frame* frames      # frames[0] is the position set up, frames[length] the present one
    cdef Py_ssize_t length
    cdef Py_ssize_t capacity

    cdef int start(self, Tables tables, object setup) except -1
    cdef int32_t check_square(self, object square) except -1
    cdef int check_move_square(self, object square) except -1
    cdef int check_legal(self, object move) except -1
    cdef Move parsed(self, object text)
    cdef object current_outcome(self)
    cdef int make(self, move_t move) except -1
    cdef int32_t decided(self) noexcept
    cdef int32_t ending(self) noexcept
    cdef int32_t occurrences(self) noexcept
    cdef int32_t generate(self, move_t* moves) noexcept
    cdef bint is_legal_code(self, int32_t origin, int32_t target) noexcept
    cdef list moves_list(self)
