# Legal moves under the home duty, and the one place that knows of it: without the rule these are movegen's functions.
# Owns the order of its stages. Invariant: while men are at home the moves out of it are the only ones, else those
# inside it away from the corner, else those of the men outside. Guarded by tests/properties/test_home_duty.py.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport FREE, OUT, STAGES, Geometry, SideRules, Zone
from halma_fast._kernel.movegen cimport (
    count_moves, empty_squares, generate_moves, hop_edges, is_move, man_targets, write_moves)
from halma_fast._kernel.planes cimport (
    HopEdges, LaneEdges, Planes, hf_and, hf_any, hf_lane, hf_load, hf_lowest, hf_popcount, hf_store,
    hf_unlikely)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PLANES, X, move_t


cdef inline int32_t stage_of(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """The stage that the side begins with; if it has no move at OUT, those inside its home come next, then FREE."""
    return OUT if hf_any(hf_and(hf_load(&s.men[side]), hf_load(&g.side[side].home))) else FREE


cdef inline const Geometry* at_stage(const Geometry* g, int32_t side, int32_t stage) noexcept nogil:
    """The game with `side` at a stage; the other side's is any."""
    return &g.stage[STAGES * stage + FREE if side == X else STAGES * FREE + stage]


cdef inline int32_t onward_moves(const Geometry* g, const State* s, int32_t side, move_t* moves) noexcept nogil:
    """Count the moves inside the side's home that lead no nearer to its corner; write them unless `moves` is NULL."""
    cdef const SideRules* rules = &g.side[side]
    cdef const Zone* zone
    cdef Planes empty, targets
    cdef HopEdges edges = hop_edges(s)
    cdef LaneEdges lane
    cdef int32_t z, plane, k, origin, count = 0
    cdef uint64_t men, man
    hf_store(&empty, empty_squares(g, s))
    for z in range(rules.zones):
        zone = &rules.zone[z]
        for plane in range(PLANES):
            men = s.men[side].w[plane] & zone.men.w[plane] & rules.home.w[plane]
            lane = hf_lane(&edges, plane)
            while men:
                man = men & (~men + 1)
                men ^= man
                origin = 64 * plane + hf_lowest(man)
                man_targets(rules, zone, origin, &empty, &lane, &targets)
                for k in range(PLANES):
                    targets.w[k] &= rules.onward[origin].w[k]
                    if moves == NULL:
                        count += hf_popcount(targets.w[k])
                if moves != NULL:
                    count = write_moves(origin, &targets, moves, count)
    return count


cdef inline int32_t moves_on_duty(const Geometry* g, const State* s, move_t* moves) noexcept nogil:
    """`legal_moves` where there is a home duty."""
    cdef int32_t count = 0
    if stage_of(g, s, s.turn) == OUT:
        count = generate_moves(at_stage(g, s.turn, OUT), s, moves)
        if count == 0:
            count = onward_moves(g, s, s.turn, moves)
    return count if count else generate_moves(at_stage(g, s.turn, FREE), s, moves)


cdef inline int32_t count_on_duty(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """`count_legal_moves` where there is a home duty."""
    cdef int32_t count = 0
    if stage_of(g, s, side) == OUT:
        count = count_moves(at_stage(g, side, OUT), s, side)
        if count == 0:
            count = onward_moves(g, s, side, NULL)
    return count if count else count_moves(at_stage(g, side, FREE), s, side)


# Where the compiler takes the duty to be likely it spreads it over the hot functions, which then are slower without it.
cdef inline int32_t legal_moves(const Geometry* g, const State* s, move_t* moves) noexcept nogil:
    """Write the legal moves of the side to move, a pass left out; returns how many. `moves` holds g.max_moves."""
    if hf_unlikely(g.stage != NULL):
        return moves_on_duty(g, s, moves)
    return generate_moves(g, s, moves)


cdef inline int32_t count_legal_moves(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """How many legal moves the side has if it is to move."""
    if hf_unlikely(g.stage != NULL):
        return count_on_duty(g, s, side)
    return count_moves(g, s, side)


cdef inline bint is_legal_move(const Geometry* g, const State* s, int32_t origin, int32_t target) noexcept nogil:
    """Whether the side to move may move from `origin` to `target`; both are kernel squares of any kind."""
    cdef const SideRules* rules = &g.side[s.turn]
    cdef bint from_home, to_home
    if not is_move(g, s, origin, target):
        return False
    if g.stage == NULL or stage_of(g, s, s.turn) == FREE:
        return True
    from_home = (rules.home.w[origin >> 6] >> (origin & 63)) & 1
    to_home = (rules.home.w[target >> 6] >> (target & 63)) & 1
    if from_home and not to_home:
        return True
    if count_moves(at_stage(g, s.turn, OUT), s, s.turn):
        return False
    if from_home:
        return (rules.onward[origin].w[target >> 6] >> (target & 63)) & 1
    return onward_moves(g, s, s.turn, NULL) == 0
