# The worth of a position without search, in points, for the side to move.
# Owns the sum; the numbers are in values.py, and State keeps the sum over each side's men up to date move by move.
# Invariant: antisymmetric in the sides, and far below any score of a decided game. Guarded by tests/search/.
from libc.stdint cimport int32_t

from halma_fast._kernel.evaluate_pulce cimport pulce_value
from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.state cimport State


cdef inline int32_t evaluate(const Geometry* g, const State* s) noexcept nogil:
    if g.pulce != NULL:
        return pulce_value(g, s)
    return s.value[s.turn] - s.value[s.turn ^ 1]
