# Moves backward: from which squares a man can have come.
# Owns the reverse of man_targets (movegen.pxd). Invariant: a square is an origin of a man exactly if the man, standing
# there, may move to where it stands now. Guarded by tests/solve/test_unmoves.py.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport SideRules, Zone
from halma_fast._kernel.planes cimport (
    LaneEdges, Planes, hf_lane_diagonal_hops, hf_lane_flood, hf_lane_hops, hf_lane_orthogonal_hops)
from halma_fast._kernel.types cimport PLANES


cdef inline uint64_t chain_origins(
        const Zone* zone, int32_t plane, uint64_t man, uint64_t empty, const LaneEdges* edges) noexcept nogil:
    """Squares of its plane from which a man of the zone reaches, by a chain, the bit `man` where it stands now.

    Hops go both ways, so the chain is followed from its end: first inside the goal, then outside.
    """
    cdef uint64_t through = empty & zone.through.w[plane]
    cdef uint64_t before = 0, entries = man, sources
    if man & zone.through.w[plane] & zone.land.w[plane]:
        before = hf_lane_hops(hf_lane_flood(man, through, edges), edges)
    if man & zone.inside.w[plane]:
        entries |= empty & hf_lane_hops(hf_lane_flood(man, empty & zone.inside.w[plane], edges), edges)
    sources = empty & (
        hf_lane_orthogonal_hops(entries & zone.enter_orthogonal.w[plane], edges)
        | hf_lane_diagonal_hops(entries & zone.enter_diagonal.w[plane], edges))
    before |= sources
    if sources & through:
        before |= hf_lane_hops(hf_lane_flood(sources & through, through, edges), edges)
    return before & empty & zone.men.w[plane]


cdef inline void man_origins(
        const SideRules* rules, int32_t target, const Planes* empty, const LaneEdges* edges,
        Planes* origins) noexcept nogil:
    """All squares from which the man on `target` can have moved there; `edges` are those of its plane, as they are now.

    They were the same before its move: what is hopped over lies in other planes.
    """
    cdef int32_t k, z, plane = target >> 6
    for k in range(PLANES):
        origins.w[k] = rules.step_to[target].w[k] & empty.w[k]
    for z in range(rules.zones):
        origins.w[plane] |= chain_origins(
            &rules.zone[z], plane, <uint64_t> 1 << (target & 63), empty.w[plane], edges)
