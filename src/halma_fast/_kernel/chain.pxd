# The hops of one chain: a path with as few of them as possible.
# Owns the search for it. Invariant: only called for a legal hop move, and then finds a path whose every landing the
# rules allow. Guarded by tests/properties/.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry, Zone
from halma_fast._kernel.movegen cimport hop_edges
from halma_fast._kernel.planes cimport (
    HF_ASSERT, HopEdges, LaneEdges, hf_lane, hf_lane_diagonal_hops, hf_lane_hops, hf_lane_orthogonal_hops, hf_lowest)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport O, X, square_t

cdef enum:
    MAX_CHAIN = 65         # squares of a chain: its start and each other square of the plane at most once


cdef inline int32_t shortest_chain(
        const Geometry* g, const State* s, int32_t origin, int32_t target, square_t* path) noexcept nogil:
    """Write the squares of a shortest chain, both ends included; returns how many, 0 if there is none.

    Breadth first, a layer of landings at a time; `outside` and `inside` keep apart what the goal lock keeps apart.
    """
    cdef const Zone* zone = NULL
    cdef HopEdges edges = hop_edges(s)
    cdef LaneEdges lane
    cdef uint64_t outside[MAX_CHAIN]
    cdef uint64_t inside[MAX_CHAIN]
    cdef int32_t z, k, last = 0, plane = origin >> 6
    cdef uint64_t man = <uint64_t> 1 << (origin & 63)
    cdef uint64_t goal = <uint64_t> 1 << (target & 63)
    cdef uint64_t empty = g.board.w[plane] & ~(s.men[X].w[plane] | s.men[O].w[plane])
    cdef uint64_t visited = man, bit, before
    if plane != target >> 6:
        return 0
    for z in range(g.side[s.turn].zones):
        if g.side[s.turn].zone[z].men.w[plane] & man:
            zone = &g.side[s.turn].zone[z]
    if zone == NULL:
        return 0
    lane = hf_lane(&edges, plane)
    outside[0] = man
    inside[0] = 0
    while not (visited & goal):
        last += 1
        outside[last] = hf_lane_hops(outside[last - 1], &lane) & empty & zone.through.w[plane] & ~visited
        inside[last] = empty & ~visited & (
            (hf_lane_orthogonal_hops(outside[last - 1], &lane) & zone.enter_orthogonal.w[plane])
            | (hf_lane_diagonal_hops(outside[last - 1], &lane) & zone.enter_diagonal.w[plane])
            | (hf_lane_hops(inside[last - 1], &lane) & zone.inside.w[plane]))
        if not (outside[last] | inside[last]):
            return 0
        visited |= outside[last] | inside[last]

    bit = goal
    for k in range(last, 0, -1):
        path[k] = 64 * plane + hf_lowest(bit)
        # Hops go both ways, so the squares one hop before are found by hopping from here.
        if outside[k] & bit:
            before = hf_lane_hops(bit, &lane) & outside[k - 1]
        else:
            before = 0
            if zone.enter_orthogonal.w[plane] & bit:
                before |= hf_lane_orthogonal_hops(bit, &lane) & outside[k - 1]
            if zone.enter_diagonal.w[plane] & bit:
                before |= hf_lane_diagonal_hops(bit, &lane) & outside[k - 1]
            if zone.inside.w[plane] & bit:
                before |= hf_lane_hops(bit, &lane) & inside[k - 1]
        HF_ASSERT(before != 0)
        bit = before & (~before + 1)
    path[0] = origin
    return last + 1
