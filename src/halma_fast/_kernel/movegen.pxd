# Legal moves of a side: as a list, as a count, one by one.
# Owns how zones (geometry.pxd) turn into moves. Invariant: the list holds every (origin, target) once, and its length
# equals `count_moves`; endings and passes are not its business (ending.pxd). Guarded by tests/properties/.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry, SideRules, Zone
from halma_fast._kernel.planes cimport (
    HF_ASSERT, HopEdges, LaneEdges, PlaneVec, Planes, hf_and, hf_any, hf_component_moves, hf_count_common,
    hf_diagonal_hops, hf_flood, hf_hop_edges, hf_lane, hf_lane_diagonal_hops, hf_lane_flood,
    hf_lane_hops, hf_lane_orthogonal_hops, hf_load, hf_lowest, hf_or, hf_orthogonal_hops, hf_popcount, hf_store,
    hf_without)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport O, PLANES, X, make_move, move_t


cdef inline PlaneVec empty_squares(const Geometry* g, const State* s) noexcept nogil:
    return hf_without(hf_load(&g.board), hf_or(hf_load(&s.men[X]), hf_load(&s.men[O])))


cdef inline HopEdges hop_edges(const State* s) noexcept nogil:
    return hf_hop_edges(hf_or(hf_load(&s.men[X]), hf_load(&s.men[O])))


cdef inline uint64_t chain_entry(
        const Zone* zone, int32_t plane, uint64_t source, uint64_t empty, const LaneEdges* edges) noexcept nogil:
    """Landings inside the goal of chains that have come as far as `source`."""
    cdef uint64_t entry = empty & (
        (hf_lane_orthogonal_hops(source, edges) & zone.enter_orthogonal.w[plane])
        | (hf_lane_diagonal_hops(source, edges) & zone.enter_diagonal.w[plane]))
    if entry:
        entry = hf_lane_flood(entry, empty & zone.inside.w[plane], edges)
    return entry


cdef inline uint64_t chain_targets(
        const Zone* zone, int32_t plane, uint64_t man, uint64_t empty, const LaneEdges* edges) noexcept nogil:
    """Landings, in its plane, of all chains of one man; `man` is its bit."""
    cdef uint64_t through = empty & zone.through.w[plane]
    cdef uint64_t reached = hf_lane_hops(man, edges) & through
    if reached:
        reached = hf_lane_flood(reached, through, edges)
    return (reached & zone.land.w[plane]) | chain_entry(zone, plane, reached | man, empty, edges)


cdef inline void man_targets(
        const SideRules* rules, const Zone* zone, int32_t origin, const Planes* empty, const LaneEdges* edges,
        Planes* targets) noexcept nogil:
    """All squares that the man on `origin`, who stands in `zone`, may move to; steps never stay in its plane."""
    cdef int32_t k, plane = origin >> 6
    for k in range(PLANES):
        targets.w[k] = rules.step_from[origin].w[k] & empty.w[k]
    targets.w[plane] = chain_targets(zone, plane, <uint64_t> 1 << (origin & 63), empty.w[plane], edges)


cdef inline int32_t write_moves(int32_t origin, const Planes* targets, move_t* moves, int32_t count) noexcept nogil:
    """Write a move to each of the squares behind `count` others; returns how many there are now."""
    cdef int32_t k
    cdef uint64_t rest
    for k in range(PLANES):
        rest = targets.w[k]
        while rest:
            moves[count] = make_move(origin, 64 * k + hf_lowest(rest))
            count += 1
            rest &= rest - 1
    return count


cdef inline int32_t generate_moves(const Geometry* g, const State* s, move_t* moves) noexcept nogil:
    """Write the moves of the side to move, man by man; returns how many. `moves` holds g.max_moves."""
    cdef const SideRules* rules = &g.side[s.turn]
    cdef const Zone* zone
    cdef Planes empty, targets
    cdef HopEdges edges = hop_edges(s)
    cdef LaneEdges lane
    cdef int32_t z, plane, origin, count = 0
    cdef uint64_t men, man
    hf_store(&empty, empty_squares(g, s))
    for z in range(rules.zones):
        zone = &rules.zone[z]
        for plane in range(PLANES):
            men = s.men[s.turn].w[plane] & zone.men.w[plane]
            if men == 0:
                continue
            lane = hf_lane(&edges, plane)
            while men:
                man = men & (~men + 1)
                men ^= man
                origin = 64 * plane + hf_lowest(man)
                man_targets(rules, zone, origin, &empty, &lane, &targets)
                count = write_moves(origin, &targets, moves, count)
    HF_ASSERT(count <= g.max_moves)
    return count


cdef inline bint is_move(const Geometry* g, const State* s, int32_t origin, int32_t target) noexcept nogil:
    """Whether the man on `origin` may move to `target`; both are kernel squares of any kind."""
    cdef const SideRules* rules = &g.side[s.turn]
    cdef const Zone* zone
    cdef HopEdges edges
    cdef LaneEdges lane
    cdef int32_t z, plane = origin >> 6
    cdef uint64_t man = <uint64_t> 1 << (origin & 63)
    cdef uint64_t target_bit = <uint64_t> 1 << (target & 63)
    cdef uint64_t empty = g.board.w[target >> 6] & ~(s.men[X].w[target >> 6] | s.men[O].w[target >> 6])
    if not (s.men[s.turn].w[plane] & man) or not (empty & target_bit):
        return False
    if plane != target >> 6:
        return (rules.step_from[origin].w[target >> 6] & target_bit) != 0
    for z in range(rules.zones):
        zone = &rules.zone[z]
        if zone.men.w[plane] & man:
            edges = hop_edges(s)
            lane = hf_lane(&edges, plane)
            return (chain_targets(zone, plane, man, empty, &lane) & target_bit) != 0
    return False


cdef inline int32_t count_steps(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    cdef Planes empty
    cdef int32_t plane, count = 0
    cdef uint64_t rest
    hf_store(&empty, empty_squares(g, s))
    for plane in range(PLANES):
        rest = s.men[side].w[plane]
        while rest:
            count += hf_count_common(&g.side[side].step_from[64 * plane + hf_lowest(rest)], &empty)
            rest &= rest - 1
    return count


cdef inline void step_reach(const Geometry* g, const State* s, int32_t side, Planes* near) noexcept nogil:
    """All squares that some man of the side could step to or has beside it, occupied ones included."""
    cdef PlaneVec reach = hf_without(hf_load(&g.board), hf_load(&g.board))
    cdef int32_t plane
    cdef uint64_t rest
    for plane in range(PLANES):
        rest = s.men[side].w[plane]
        while rest:
            reach = hf_or(reach, hf_load(&g.side[side].step_from[64 * plane + hf_lowest(rest)]))
            rest &= rest - 1
    hf_store(near, reach)


cdef inline void count_entries(
        const Zone* zone, const Planes* men, const Planes* empty, const Planes* crossing,
        const HopEdges* edges, int32_t* moves) noexcept nogil:
    """Landings inside the goal, man by man: men that share a component outside need not share what they reach here."""
    cdef LaneEdges lane
    cdef int32_t plane
    for plane in range(PLANES):
        if crossing.w[plane] != 0:
            lane = hf_lane(edges, plane)
            moves[plane] += count_lane_entries(zone, plane, men.w[plane], empty.w[plane], &lane)


cdef inline int32_t count_lane_entries(
        const Zone* zone, int32_t plane, uint64_t men, uint64_t empty, const LaneEdges* edges) noexcept nogil:
    cdef int32_t count = 0
    cdef uint64_t man, reached, through = empty & zone.through.w[plane]
    while men:
        man = men & (~men + 1)
        men ^= man
        reached = hf_lane_hops(man, edges) & through
        if reached:
            reached = hf_lane_flood(reached, through, edges)
        count += hf_popcount(chain_entry(zone, plane, reached | man, empty, edges))
    return count


cdef inline PlaneVec survey_hops(
        const Geometry* g, const State* s, int32_t side, const HopEdges* edges, int32_t* moves) noexcept nogil:
    """Write how many (origin, target) pairs chains make in each plane, without making them.

    A component of empty squares joined by hops, touched by m men, is m * size moves, and components are disjoint.
    Returns where chains come: men and landings, or more squares than those.
    """
    cdef const SideRules* rules = &g.side[side]
    cdef const Zone* zone
    cdef PlaneVec empty = empty_squares(g, s)
    cdef PlaneVec men, source, crossing, sources = hf_load(&s.men[side])
    cdef Planes men_words, empty_words, crossing_words
    cdef int32_t z
    cdef bint crossed = False
    moves[0] = moves[1] = moves[2] = moves[3] = 0
    for z in range(rules.zones):
        zone = &rules.zone[z]
        men = hf_and(hf_load(&s.men[side]), hf_load(&zone.men))
        if not hf_any(men):
            continue
        source = hf_or(men, hf_component_moves(
            men, hf_and(empty, hf_load(&zone.through)), hf_load(&zone.land), edges, moves))
        sources = hf_or(sources, source)
        crossing = hf_and(empty, hf_or(
            hf_and(hf_orthogonal_hops(source, edges), hf_load(&zone.enter_orthogonal)),
            hf_and(hf_diagonal_hops(source, edges), hf_load(&zone.enter_diagonal))))
        if hf_any(crossing):
            crossed = True
            hf_store(&men_words, men)
            hf_store(&empty_words, empty)
            hf_store(&crossing_words, crossing)
            count_entries(zone, &men_words, &empty_words, &crossing_words, edges, moves)
    if crossed:
        sources = hf_flood(sources, empty, edges)
    return sources


cdef inline int32_t count_hops(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """How many (origin, target) pairs the side's chains make."""
    cdef HopEdges edges = hop_edges(s)
    cdef int32_t moves[PLANES]
    survey_hops(g, s, side, &edges, moves)
    return moves[0] + moves[1] + moves[2] + moves[3]


cdef inline int32_t count_moves(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    return count_steps(g, s, side) + count_hops(g, s, side)
