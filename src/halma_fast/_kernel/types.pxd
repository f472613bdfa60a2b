# The kernel's smallest words: squares, moves, limits.
# Owns their encodings. Invariant: a kernel square is plane * 64 + bit (see planes.h), a public one 16 * rank + file;
# `public_square` and `kernel_square` are each other's inverse (tests/properties/test_strings.py).
from libc.stdint cimport int32_t, uint8_t, uint16_t

cdef enum:
    SQUARES = 256
    PLANES = 4
    X = 0
    O = 1
    MAX_ZONES = 3
    MAX_DEPTH = 100        # plies that a search or a perft may be asked for
    PASS_MOVE = 0          # origin == target is no move, so the all-zero word is free

ctypedef uint8_t square_t
ctypedef uint16_t move_t   # origin | target << 8, both kernel squares


cdef inline move_t make_move(int32_t origin, int32_t target) noexcept nogil:
    return <move_t> (origin | (target << 8))


cdef inline int32_t move_origin(move_t move) noexcept nogil:
    return move & 255


cdef inline int32_t move_target(move_t move) noexcept nogil:
    return move >> 8


cdef inline int32_t kernel_square(int32_t public) noexcept nogil:
    cdef int32_t file = public & 15
    cdef int32_t rank = public >> 4
    return ((file & 1) + 2 * (rank & 1)) * 64 + (rank >> 1) * 8 + (file >> 1)


cdef inline int32_t public_square(int32_t square) noexcept nogil:
    cdef int32_t plane = square >> 6
    cdef int32_t file = 2 * (square & 7) + (plane & 1)
    cdef int32_t rank = 2 * ((square >> 3) & 7) + (plane >> 1)
    return 16 * rank + file
