# The last two plies of perft, counted together: what the moves of one side leave to the other. Boards up to 8x8 have a
# way of their own (small_pairs.pxd).
# Owns what siblings share. Invariant: equals the sum of the children's counts, or says that it will not do; both are
# compared by tests/perft/ and tests/properties/.
#
# A child's leaves are steps and hops of the side that waits. Steps change next to the two squares of the move only.
# Hops of a plane change only if one of the two squares is relevant for it (planes.h). So a man's quiet targets are
# counted at once; for the others just the planes that change are counted anew, four of them, of whatever children, in
# one vector.
from libc.stdint cimport int32_t, int64_t, uint64_t

from halma_fast._kernel.ending cimport may_be_completed
from halma_fast._kernel.geometry cimport Geometry, SideRules, Zone
from halma_fast._kernel.movegen cimport (
    count_lane_entries, count_steps, empty_squares, hop_edges, man_targets, step_reach, survey_hops)
from halma_fast._kernel.planes cimport (
    HopEdges, LaneEdges, PlaneVec, Planes, Relevant, hf_and, hf_any, hf_component_moves, hf_count_common,
    hf_diagonal_hops, hf_edges_of_lanes, hf_hop_relevant, hf_lane, hf_load, hf_lowest, hf_or, hf_orthogonal_hops,
    hf_popcount, hf_store, hf_without)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PLANES

ctypedef struct Lanes:
    # Up to four planes to be counted at once, each with edges and masks of its own.
    Planes east
    Planes north
    Planes northeast
    Planes northwest
    Planes men
    Planes empty
    Planes through
    Planes land
    Planes enter_orthogonal
    Planes enter_diagonal
    const Zone* zone[PLANES]
    int32_t plane[PLANES]
    int32_t filled


ctypedef struct Survey:
    # What the side that waits can hop, one man of the other side being lifted or none.
    HopEdges edges
    Planes empty
    int32_t hops[PLANES]
    Relevant relevant
    Planes any_relevant


cdef inline int32_t count_lanes(Lanes* lanes) noexcept nogil:
    """Hop moves of the planes collected, which are dropped."""
    cdef HopEdges edges = hf_edges_of_lanes(&lanes.east, &lanes.north, &lanes.northeast, &lanes.northwest)
    cdef PlaneVec men = hf_load(&lanes.men)
    cdef PlaneVec empty = hf_load(&lanes.empty)
    cdef PlaneVec source, crossing
    cdef Planes crossing_words
    cdef LaneEdges lane
    cdef int32_t moves[PLANES]
    cdef int32_t k
    moves[0] = moves[1] = moves[2] = moves[3] = 0
    source = hf_or(men, hf_component_moves(
        men, hf_and(empty, hf_load(&lanes.through)), hf_load(&lanes.land), &edges, moves))
    crossing = hf_and(empty, hf_or(
        hf_and(hf_orthogonal_hops(source, &edges), hf_load(&lanes.enter_orthogonal)),
        hf_and(hf_diagonal_hops(source, &edges), hf_load(&lanes.enter_diagonal))))
    if hf_any(crossing):
        hf_store(&crossing_words, crossing)
        for k in range(lanes.filled):
            if crossing_words.w[k]:
                lane = hf_lane(&edges, k)
                moves[k] += count_lane_entries(
                    lanes.zone[k], lanes.plane[k], lanes.men.w[k], lanes.empty.w[k], &lane)
    for k in range(PLANES):
        lanes.men.w[k] = 0     # a lane without men counts nothing, whatever else is in it
    lanes.filled = 0
    return moves[0] + moves[1] + moves[2] + moves[3]


cdef inline int32_t add_plane(
        Lanes* lanes, const SideRules* rules, uint64_t all_men, int32_t plane, uint64_t empty,
        const LaneEdges* edges) noexcept nogil:
    """Collect a plane; returns the moves of those that were counted to make room."""
    cdef const Zone* zone
    cdef int32_t z, k, moves = 0
    cdef uint64_t men
    for z in range(rules.zones):
        zone = &rules.zone[z]
        men = all_men & zone.men.w[plane]
        if men == 0:
            continue
        k = lanes.filled
        lanes.filled += 1
        lanes.zone[k] = zone
        lanes.plane[k] = plane
        lanes.east.w[k] = edges.east
        lanes.north.w[k] = edges.north
        lanes.northeast.w[k] = edges.northeast
        lanes.northwest.w[k] = edges.northwest
        lanes.men.w[k] = men
        lanes.empty.w[k] = empty
        lanes.through.w[k] = zone.through.w[plane]
        lanes.land.w[k] = zone.land.w[plane]
        lanes.enter_orthogonal.w[k] = zone.enter_orthogonal.w[plane]
        lanes.enter_diagonal.w[k] = zone.enter_diagonal.w[plane]
        if lanes.filled == PLANES:
            moves += count_lanes(lanes)
    return moves


cdef inline int64_t recount(
        const Geometry* g, Lanes* lanes, const Survey* lifted, const State* s, int32_t waiting,
        int32_t target) noexcept nogil:
    """How much the hops change when the lifted man is set down on a relevant square; some of it may come later."""
    cdef const SideRules* rules = &g.side[waiting]
    cdef int32_t plane = target >> 6
    cdef uint64_t bit = <uint64_t> 1 << (target & 63)
    cdef LaneEdges edges
    cdef int64_t change = 0
    if lifted.relevant.own.w[plane] & bit:
        edges = hf_lane(&lifted.edges, plane)
        change += add_plane(lanes, rules, s.men[waiting].w[plane], plane, lifted.empty.w[plane] & ~bit, &edges)
        change -= lifted.hops[plane]
    if lifted.relevant.beside.w[plane] & bit:
        edges = hf_lane(&lifted.edges, plane ^ 1)
        edges.east |= g.over[target].east
        change += add_plane(lanes, rules, s.men[waiting].w[plane ^ 1], plane ^ 1, lifted.empty.w[plane ^ 1], &edges)
        change -= lifted.hops[plane ^ 1]
    if lifted.relevant.above.w[plane] & bit:
        edges = hf_lane(&lifted.edges, plane ^ 2)
        edges.north |= g.over[target].north
        change += add_plane(lanes, rules, s.men[waiting].w[plane ^ 2], plane ^ 2, lifted.empty.w[plane ^ 2], &edges)
        change -= lifted.hops[plane ^ 2]
    if lifted.relevant.corner.w[plane] & bit:
        edges = hf_lane(&lifted.edges, plane ^ 3)
        edges.northeast |= g.over[target].northeast
        edges.northwest |= g.over[target].northwest
        change += add_plane(lanes, rules, s.men[waiting].w[plane ^ 3], plane ^ 3, lifted.empty.w[plane ^ 3], &edges)
        change -= lifted.hops[plane ^ 3]
    return change


cdef inline void survey(const Geometry* g, const State* s, int32_t waiting, Survey* found) noexcept nogil:
    """Count the hops of the side that waits and mark the squares that matter for them.

    Men of the other side may be lifted, so their squares are landings too.
    """
    cdef PlaneVec sources
    found.edges = hop_edges(s)
    hf_store(&found.empty, empty_squares(g, s))
    sources = survey_hops(g, s, waiting, &found.edges, found.hops)
    hf_hop_relevant(
        sources, hf_without(hf_load(&g.board), hf_load(&s.men[waiting])), &found.edges, &found.relevant)
    hf_store(&found.any_relevant, hf_or(
        hf_or(hf_load(&found.relevant.own), hf_load(&found.relevant.beside)),
        hf_or(hf_load(&found.relevant.above), hf_load(&found.relevant.corner))))


cdef inline int64_t count_pairs(const Geometry* g, const State* s) noexcept nogil:
    """Leaves two plies below an unfinished position, or -1 where only looking at each child will do."""
    cdef int32_t mover = s.turn
    cdef int32_t waiting = mover ^ 1
    cdef const SideRules* rules = &g.side[mover]
    cdef const SideRules* other = &g.side[waiting]
    cdef const Zone* zone
    cdef const Survey* now
    cdef Survey parent, without
    cdef State lifted
    cdef Planes near, targets
    cdef LaneEdges lane
    cdef Lanes lanes
    cdef int32_t z, plane, k, origin, steps, hops, steps_each, count
    cdef int64_t moves = 0, leaves = 0
    cdef uint64_t men, man, rest
    if may_be_completed(g, s):
        return -1
    steps = count_steps(g, s, waiting)
    if steps <= 8:
        return -1      # a man set down can take away eight steps: a child might have no move, a pass or an end
    survey(g, s, waiting, &parent)
    step_reach(g, s, waiting, &near)
    lanes.filled = 0
    for k in range(PLANES):
        lanes.men.w[k] = 0
    for z in range(rules.zones):
        zone = &rules.zone[z]
        for plane in range(PLANES):
            men = s.men[mover].w[plane] & zone.men.w[plane]
            if men == 0:
                continue
            lane = hf_lane(&parent.edges, plane)
            while men:
                man = men & (~men + 1)
                men ^= man
                origin = 64 * plane + hf_lowest(man)
                man_targets(rules, zone, origin, &parent.empty, &lane, &targets)
                now = &parent
                if parent.any_relevant.w[plane] & man:
                    lifted = s[0]
                    lifted.men[mover].w[plane] ^= man
                    survey(g, &lifted, waiting, &without)
                    now = &without
                hops = now.hops[0] + now.hops[1] + now.hops[2] + now.hops[3]
                steps_each = steps
                if near.w[plane] & man:
                    steps_each += hf_count_common(&s.men[waiting], &other.step_to[origin])
                count = 0
                for k in range(PLANES):
                    count += hf_popcount(targets.w[k])
                    rest = targets.w[k] & near.w[k]
                    while rest:
                        leaves -= hf_count_common(&s.men[waiting], &other.step_to[64 * k + hf_lowest(rest)])
                        rest &= rest - 1
                moves += count
                leaves += <int64_t> count * (steps_each + hops)
                for k in range(PLANES):
                    rest = targets.w[k] & now.any_relevant.w[k]
                    if rest and now == &parent:
                        # Irrelevant where it stands, but the square it leaves may be landed on over the target.
                        without = parent
                        lifted = s[0]
                        lifted.men[mover].w[plane] ^= man
                        without.edges = hop_edges(&lifted)
                        without.empty.w[plane] |= man
                        now = &without
                    while rest:
                        leaves += recount(g, &lanes, now, s, waiting, 64 * k + hf_lowest(rest))
                        rest &= rest - 1
    if lanes.filled:
        leaves += count_lanes(&lanes)
    return leaves if moves else -1
