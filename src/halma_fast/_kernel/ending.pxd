# When a game is over, as far as the board and the ply tell it; repetition needs a history and is asked elsewhere.
# Owns completion, points, deadline, cap and passes. Invariant: a function of the state alone, the same for perft,
# search and Position. Guarded by tests/properties/.
from libc.stdint cimport int32_t

from halma_fast._kernel.duty cimport count_legal_moves
from halma_fast._kernel.geometry cimport Geometry, SideRules
from halma_fast._kernel.planes cimport (
    PlaneVec, hf_and, hf_any, hf_count_common, hf_load, hf_or, hf_popcount_planes, hf_without)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport O, X


cdef inline bint is_complete(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    cdef const SideRules* rules = &g.side[side]
    cdef PlaneVec men = hf_load(&s.men[side])
    cdef PlaneVec occupied = hf_or(hf_load(&s.men[X]), hf_load(&s.men[O]))
    if hf_any(hf_or(hf_without(hf_load(&rules.cover), occupied), hf_and(men, hf_load(&rules.away)))):
        return False
    return hf_any(hf_and(men, hf_load(&rules.goal)))


cdef inline bint is_completed_game(const Geometry* g, const State* s) noexcept nogil:
    """Whether a full camp ends the game here; perft knows no other ending with moves left."""
    cdef int32_t ends = g.ends[s.turn ^ 1]
    return ((ends & 1) and is_complete(g, s, X)) or ((ends & 2) and is_complete(g, s, O))


cdef inline bint may_be_completed(const Geometry* g, const State* s) noexcept nogil:
    """Whether one move can end the game by completion: rarely so, and then every child has to be looked at."""
    cdef PlaneVec occupied = hf_or(hf_load(&s.men[X]), hf_load(&s.men[O]))
    cdef int32_t side
    for side in range(2):
        if (g.ends[s.turn] >> side) & 1:
            if (hf_popcount_planes(hf_without(hf_load(&g.side[side].cover), occupied)) <= 1
                    and hf_popcount_planes(hf_and(hf_load(&s.men[side]), hf_load(&g.side[side].away))) <= 1):
                return True
    return False


cdef inline int32_t side_points(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """Pulce: 1, 2 or 3 points of a complete side, else 0."""
    cdef const SideRules* rules = &g.side[side]
    cdef int32_t k, a, b
    if not is_complete(g, s, side):
        return 0
    if hf_count_common(&s.men[side], &rules.edge[0]) != hf_count_common(&s.men[side], &rules.edge[1]):
        return 1
    for k in range(rules.mirrors):
        a = rules.mirror[k][0]
        b = rules.mirror[k][1]
        if ((s.men[side].w[a >> 6] >> (a & 63)) & 1) != ((s.men[side].w[b >> 6] >> (b & 63)) & 1):
            return 2
    return 3


cdef inline int32_t turns_made(const Geometry* g, const State* s) noexcept nogil:
    return s.ply - g.first


cdef inline bint is_deadline_missed(const Geometry* g, const State* s) noexcept nogil:
    """Whether the side that has just moved loses by a man still in its home camp."""
    cdef int32_t mover = s.turn ^ 1
    cdef int32_t own_moves
    if g.home_deadline == 0:
        return False
    own_moves = (turns_made(g, s) + 1 - mover) // 2
    if own_moves < <int32_t> g.home_deadline:
        return False
    return hf_count_common(&s.men[mover], &g.side[mover].home) != 0


cdef inline bint is_turn_cap_reached(const Geometry* g, const State* s) noexcept nogil:
    return g.max_turns != 0 and turns_made(g, s) >= <int32_t> g.max_turns


cdef inline bint can_move(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    return count_legal_moves(g, s, side) != 0
