# The worth of a position of Pulce without search: men on their way to free sockets, and what frozen ones still allow.
# Owns the sum of these terms; the numbers are in values_pulce.py. Invariant: a function of the men alone.
# Guarded by tests/search/test_pulce_values.py.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry, PulceSide
from halma_fast._kernel.planes cimport hf_lowest
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PLANES


cdef inline int32_t pulce_worth(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    cdef const PulceSide* table = &g.pulce[side]
    cdef int32_t k, plane, square, first = 0, second = 0, one, two, total
    cdef uint64_t rest
    for k in range(5):
        square = table.socket[0][k]
        first |= <int32_t> ((s.men[side].w[square >> 6] >> (square & 63)) & 1) << k
        square = table.socket[1][k]
        second |= <int32_t> ((s.men[side].w[square >> 6] >> (square & 63)) & 1) << k
    total = table.arrangement[first][second]
    for plane in range(PLANES):
        rest = s.men[side].w[plane] & ~g.side[side].goal.w[plane]
        while rest:
            # The squares of 7x7 are the lowest 32 bits of a plane.
            square = 32 * plane + hf_lowest(rest)
            rest &= rest - 1
            one = table.entry[0][square][first]
            two = table.entry[1][square][second]
            total += one if one > two else two
    return total


cdef inline int32_t pulce_value(const Geometry* g, const State* s) noexcept nogil:
    return pulce_worth(g, s, s.turn) - pulce_worth(g, s, s.turn ^ 1)
