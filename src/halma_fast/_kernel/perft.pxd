# Perft: the number of leaves at a depth.
# Owns the recursion. Invariant: counts exactly what the rules allow, in bulk (leaves are counted, not made) or leaf by
# leaf; both give the same number. Guarded by tests/perft/.
from libc.stdint cimport int32_t, int64_t, uint64_t

from halma_fast._kernel.control cimport Control, control_beat
from halma_fast._kernel.ending cimport can_move, is_completed_game
from halma_fast._kernel.geometry cimport Geometry, SideRules, Zone
from halma_fast._kernel.movegen cimport (
    count_hops, count_hops_and_relevant, count_steps, empty_squares, generate_moves, hop_edges, man_targets, step_reach)
from halma_fast._kernel.planes cimport (
    HopEdges, LaneEdges, PlaneVec, Planes, hf_and, hf_count_common, hf_lane, hf_load, hf_lowest, hf_or, hf_popcount,
    hf_popcount_planes, hf_store, hf_without)
from halma_fast._kernel.state cimport State, state_move
from halma_fast._kernel.types cimport O, PASS_MOVE, PLANES, X, move_origin, move_t, move_target

ctypedef struct PerftJob:
    const Geometry* geometry
    Control* control
    bint bulk


cdef inline int32_t steps_after(
        const Geometry* g, const State* s, int32_t waiting_steps, move_t move) noexcept nogil:
    """Steps of the side that waits, after the side to move has made `move`.

    Only the two squares of the move change: one becomes a place to step to, the other stops being one.
    """
    cdef int32_t waiting = s.turn ^ 1
    return (waiting_steps
            + hf_count_common(&s.men[waiting], &g.side[waiting].step_to[move_origin(move)])
            - hf_count_common(&s.men[waiting], &g.side[waiting].step_to[move_target(move)]))


cdef inline uint64_t perft_frontier(
        const Geometry* g, const State* s, int32_t mover_steps) noexcept nogil:
    """Leaves one ply below an unfinished position."""
    cdef int32_t count = mover_steps + count_hops(g, s, s.turn)
    if count == 0:
        return 1 if can_move(g, s, s.turn ^ 1) else 0
    return count


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


cdef inline int64_t perft_two_plies(const Geometry* g, const State* s) noexcept nogil:
    """Leaves two plies below an unfinished position, or -1 where only looking at each child will do.

    A child's leaves are steps and hops of the side that waits. Steps change next to the two squares of the move; hops
    stay as they are unless one of the two is relevant for them, and then they are counted anew: first with the man
    lifted, which serves all its targets, then with it set down.
    """
    cdef int32_t mover = s.turn
    cdef int32_t waiting = mover ^ 1
    cdef const SideRules* rules = &g.side[mover]
    cdef const SideRules* other = &g.side[waiting]
    cdef const Zone* zone
    cdef State lifted
    cdef Planes empty, near, relevant, lifted_relevant, targets
    cdef HopEdges edges
    cdef LaneEdges lane
    cdef int32_t z, plane, k, origin, target, steps, hops, lifted_hops, leaves_each, count
    cdef int64_t moves = 0, leaves = 0
    cdef uint64_t men, man, rest
    if may_be_completed(g, s):
        return -1
    steps = count_steps(g, s, waiting)
    hops = count_hops_and_relevant(g, s, waiting, &relevant)
    step_reach(g, s, waiting, &near)
    edges = hop_edges(s)
    hf_store(&empty, empty_squares(g, s))
    for z in range(rules.zones):
        zone = &rules.zone[z]
        for plane in range(PLANES):
            men = s.men[mover].w[plane] & zone.men.w[plane]
            if men == 0:
                continue
            lane = hf_lane(&edges, plane)
            while men:
                man = men & (~men + 1)
                men ^= man
                origin = 64 * plane + hf_lowest(man)
                man_targets(rules, zone, origin, &empty, &lane, &targets)
                lifted = s[0]
                lifted.men[mover].w[plane] ^= man
                lifted_hops = hops
                lifted_relevant = relevant
                if relevant.w[plane] & man:
                    lifted_hops = count_hops_and_relevant(g, &lifted, waiting, &lifted_relevant)
                leaves_each = steps + lifted_hops
                if near.w[plane] & man:
                    leaves_each += hf_count_common(&s.men[waiting], &other.step_to[origin])
                if leaves_each <= lifted_hops + 8:
                    return -1      # a child may have no move at all: that is a pass or an end
                count = 0
                for k in range(PLANES):
                    count += hf_popcount(targets.w[k])
                    rest = targets.w[k] & near.w[k]
                    while rest:
                        target = 64 * k + hf_lowest(rest)
                        rest &= rest - 1
                        leaves -= hf_count_common(&s.men[waiting], &other.step_to[target])
                moves += count
                leaves += <int64_t> count * leaves_each
                for k in range(PLANES):
                    rest = targets.w[k] & lifted_relevant.w[k]
                    while rest:
                        target = 64 * k + hf_lowest(rest)
                        rest &= rest - 1
                        lifted.men[mover].w[k] ^= <uint64_t> 1 << (target & 63)
                        leaves += count_hops(g, &lifted, waiting) - lifted_hops
                        lifted.men[mover].w[k] ^= <uint64_t> 1 << (target & 63)
    return leaves if moves else -1


cdef inline uint64_t perft_bulk(
        const PerftJob* job, const State* s, int32_t depth, int32_t mover_steps, move_t* moves) noexcept nogil:
    """Leaves `depth` >= 1 plies below; `moves` has room for depth * max_moves."""
    cdef const Geometry* g = job.geometry
    cdef State child
    cdef int32_t k, count, waiting_steps
    cdef uint64_t leaves = 0
    cdef int64_t pairs
    if is_completed_game(g, s):
        return 0
    if depth == 1:
        return perft_frontier(g, s, mover_steps)
    if depth == 2:
        pairs = perft_two_plies(g, s)
        if pairs >= 0:
            return pairs
    count = generate_moves(g, s, moves)
    if count == 0:
        if not can_move(g, s, s.turn ^ 1):
            return 0
        moves[0] = PASS_MOVE
        count = 1
    waiting_steps = count_steps(g, s, s.turn ^ 1)
    for k in range(count):
        if depth > 2 or (k & 31) == 0:
            if control_beat(job.control):
                break
        child = s[0]
        state_move(g, &child, moves[k])
        leaves += perft_bulk(
            job, &child, depth - 1,
            waiting_steps if moves[k] == PASS_MOVE else steps_after(g, s, waiting_steps, moves[k]),
            moves + g.max_moves)
    return leaves


cdef inline uint64_t perft_leaf_by_leaf(
        const PerftJob* job, const State* s, int32_t depth, move_t* moves) noexcept nogil:
    """The same, but every leaf is made: a second path to the same number."""
    cdef const Geometry* g = job.geometry
    cdef State child
    cdef int32_t k, count
    cdef uint64_t leaves = 0
    if depth == 0:
        return 1
    if is_completed_game(g, s):
        return 0
    count = generate_moves(g, s, moves)
    if count == 0:
        if not can_move(g, s, s.turn ^ 1):
            return 0
        moves[0] = PASS_MOVE
        count = 1
    for k in range(count):
        if depth > 1 and control_beat(job.control):
            break
        child = s[0]
        state_move(g, &child, moves[k])
        leaves += perft_leaf_by_leaf(job, &child, depth - 1, moves + g.max_moves)
    return leaves


cdef inline uint64_t perft(const PerftJob* job, const State* s, int32_t depth, move_t* moves) noexcept nogil:
    """Leaves at `depth` >= 1; what was counted so far if the control stops the job."""
    if job.bulk:
        return perft_bulk(job, s, depth, count_steps(job.geometry, s, s.turn), moves)
    return perft_leaf_by_leaf(job, s, depth, moves)
