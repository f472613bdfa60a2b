from libc.stdint cimport uint8_t

from halma_fast._kernel.types cimport move_t


cdef class Move:
    cdef readonly uint8_t from_square
    cdef readonly uint8_t to_square
    cdef bint made          # __init__ may be called again from outside; a move stays what it is
    cdef move_t code(self) noexcept


cdef Move move_of_code(move_t code)
