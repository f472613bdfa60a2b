# The worth of a position without search, in points, for the side to move: a linear sum of named terms.
# Owns the sum; the numbers are in values.py, and State keeps the sum over each side's men up to date move by move.
# Invariant: antisymmetric in the sides but for the tempo, and far below any score of a decided game.
# Guarded by tests/search/.
from libc.stdint cimport int32_t

from halma_fast._kernel.evaluate_pulce cimport pulce_value
from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.planes cimport hf_popcount
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PLANES


cdef inline int32_t class_steps(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """How many men must change their class of squares to fit the goal: no fewer steps, as hops never do that."""
    cdef int32_t plane, over, steps = 0
    for plane in range(PLANES):
        over = hf_popcount(s.men[side].w[plane]) - g.side[side].goal_class[plane]
        if over > 0:
            steps += over
    return steps


cdef inline int32_t evaluate(const Geometry* g, const State* s) noexcept nogil:
    cdef int32_t mover = s.turn
    if g.pulce != NULL:
        return pulce_value(g, s)
    return (s.value[mover] - s.value[mover ^ 1] + g.tempo
            + g.class_step * (class_steps(g, s, mover ^ 1) - class_steps(g, s, mover)))
