# The worth of a position without search, in points, for who is to move: a linear sum of named terms, and a net's word.
# Owns the sum; the numbers are in values.py and nets.py. State keeps the sum over each side's men up to date move by
# move; who walks a tree keeps the net's sums beside it. Invariant: the linear part is antisymmetric in the sides but
# for the tempo, the net's is bounded, and all is far below any score of a decided game. Guarded by tests/search/.
from libc.stdint cimport int32_t

from halma_fast._kernel.evaluate_pulce cimport pulce_value
from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.net cimport NetSums, hf_net_fill, hf_net_move, hf_net_same, hf_net_value
from halma_fast._kernel.planes cimport HF_ASSERT, HF_DEBUG, hf_popcount
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PASS_MOVE, PLANES, move_origin, move_t, move_target


cdef inline int32_t class_steps(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """How many men must change their class of squares to fit the goal: no fewer steps, as hops never do that."""
    cdef int32_t plane, over, steps = 0
    for plane in range(PLANES):
        over = hf_popcount(s.men[side].w[plane]) - g.side[side].goal_class[plane]
        if over > 0:
            steps += over
    return steps


cdef inline int32_t linear_value(const Geometry* g, const State* s) noexcept nogil:
    cdef int32_t mover = s.turn
    if g.pulce != NULL:
        return pulce_value(g, s)
    return (s.value[mover] - s.value[mover ^ 1] + g.tempo
            + g.class_step * (class_steps(g, s, mover ^ 1) - class_steps(g, s, mover)))


cdef inline void sums_fill(const Geometry* g, const State* s, NetSums* sums) noexcept nogil:
    """Set up the net's sums of a position."""
    if g.net != NULL:
        hf_net_fill(g.net, &s.men[0], &s.men[1], sums)


cdef inline void sums_move(
        const Geometry* g, const NetSums* before, const State* child, move_t move, NetSums* after) noexcept nogil:
    """The net's sums of a position to which a move or pass has led."""
    cdef NetSums fresh
    if g.net == NULL:
        return
    if move == PASS_MOVE:
        after[0] = before[0]
    else:
        hf_net_move(g.net, before, child.turn ^ 1, move_origin(move), move_target(move), after)
    if HF_DEBUG:
        sums_fill(g, child, &fresh)
        HF_ASSERT(hf_net_same(&fresh, after))


cdef inline int32_t evaluate_within(
        const Geometry* g, const State* s, const NetSums* sums, int32_t alpha, int32_t beta) noexcept nogil:
    """The value of a position whose sums are known (NULL: without the net), exact if between alpha and beta.

    Beyond them a bound: where not even the greatest correction leads between them the net is not asked.
    """
    cdef int32_t value = linear_value(g, s)
    if g.net == NULL or sums == NULL:
        return value
    if value - g.net.bound >= beta:
        return value - g.net.bound
    if value + g.net.bound <= alpha:
        return value + g.net.bound
    return value + hf_net_value(g.net, sums, s.turn)


cdef inline int32_t evaluate(const Geometry* g, const State* s) noexcept nogil:
    """The value of a position of which nothing is known beside."""
    cdef NetSums sums
    if g.net == NULL:
        return linear_value(g, s)
    sums_fill(g, s, &sums)
    return linear_value(g, s) + hf_net_value(g.net, &sums, s.turn)
