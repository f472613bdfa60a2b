# The last two plies of perft, counted together, on boards up to 8x8.
# Owns which children are looked at: some in one vector, each whole. Invariant: equals the sum of the children's counts,
# or says that it will not do. Guarded by tests/unit/test_small_boards.py, tests/perft/ and tests/properties/.
#
# Steps of the side that waits change next to the two squares of a move only. Its hops change only if one of the two is
# relevant for it (planes.h): moves between other squares share the hops of the parent, and moves of one man to other
# squares those that the parent has without the man.
from libc.stdint cimport int32_t, int64_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry, SideRules, Zone
from halma_fast._kernel.planes cimport (
    HF_ASSERT, HopEdges, PlaneVec, Planes, Relevant, hf_and, hf_any, hf_flood, hf_hop_edges, hf_hop_relevant, hf_hops,
    hf_load, hf_lowest, hf_or, hf_popcount, hf_store, hf_without)
from halma_fast._kernel.small cimport (
    HF_BOARDS, HF_EACH_PLANE, BoardEdges, BoardVec, SmallBoard, SmallRules, SmallZone, hf_boards_add, hf_boards_chain_targets,
    hf_boards_edges, hf_boards_hop_moves, hf_boards_load, hf_boards_same, hf_boards_store, hf_boards_sum,
    hf_boards_times, hf_boards_without, hf_small)
from halma_fast._kernel.state cimport State

cdef enum:
    # Children on 8x8: a man has at most 8 steps and 15 hops, all men together as many as there are empty squares each,
    # so 21 men and 22 empty squares are the most; some more fill the last vector up.
    MAX_CHILDREN = 480

ctypedef struct Children:
    # Occupied squares of positions whose hops are to be counted, and how often, in each plane.
    uint64_t occupied[MAX_CHILDREN]
    uint64_t times[MAX_CHILDREN]
    int32_t filled


cdef inline void add_child(Children* children, uint64_t occupied, int32_t times) noexcept nogil:
    children.occupied[children.filled] = occupied
    children.times[children.filled] = times * HF_EACH_PLANE
    children.filled += 1


cdef inline int64_t count_children_hops(
        const SmallBoard* b, Children* children, uint64_t waiting_men, const SmallRules* rules) noexcept nogil:
    """Hops of the side that waits in all children together."""
    cdef BoardVec occupied, empty, moves, times, total = hf_boards_same(0)
    cdef BoardEdges edges
    cdef uint64_t men
    cdef int32_t z, first = 0
    while children.filled % HF_BOARDS:
        add_child(children, 0, 0)
    while first < children.filled:
        occupied = hf_boards_load(&children.occupied[first])
        times = hf_boards_load(&children.times[first])
        edges = hf_boards_edges(occupied)
        empty = hf_boards_without(hf_boards_same(b.board), occupied)
        for z in range(rules.zones):
            men = waiting_men & rules.zone[z].men
            if men:
                moves = hf_boards_hop_moves(hf_boards_same(men), empty, &edges, &rules.zone[z])
                # A lane stays below 480 * 64: so many children, so many moves of one plane.
                total = hf_boards_add(total, hf_boards_times(moves, times))
        first += HF_BOARDS
    return hf_boards_sum(total)


cdef inline void relevant_squares(
        const Geometry* g, const State* s, int32_t waiting, uint64_t* relevant, uint64_t* landed) noexcept nogil:
    """Squares whose change can alter the hops of the side that waits; among them those that its chains land on.

    Men of the other side count as landings, since any one of them may be lifted; chains do not go on from there.
    """
    cdef const SideRules* rules = &g.side[waiting]
    cdef const Zone* zone
    cdef PlaneVec occupied = hf_or(hf_load(&s.men[0]), hf_load(&s.men[1]))
    cdef PlaneVec empty = hf_without(hf_load(&g.board), occupied)
    cdef PlaneVec may_land = hf_without(hf_load(&g.board), hf_load(&s.men[waiting]))
    cdef PlaneVec men, sources, entry, enter, all_relevant, own
    cdef HopEdges edges = hf_hop_edges(occupied)
    cdef Relevant found
    cdef Planes squares
    cdef int32_t z
    all_relevant = own = hf_without(empty, empty)
    for z in range(rules.zones):
        zone = &rules.zone[z]
        men = hf_and(hf_load(&s.men[waiting]), hf_load(&zone.men))
        if not hf_any(men):
            continue
        enter = hf_or(hf_load(&zone.enter_orthogonal), hf_load(&zone.enter_diagonal))
        sources = hf_flood(men, hf_and(empty, hf_load(&zone.through)), &edges)
        entry = hf_and(hf_and(empty, hf_load(&zone.inside)), hf_and(enter, hf_hops(sources, &edges)))
        if hf_any(entry):
            sources = hf_or(sources, hf_flood(entry, hf_and(empty, hf_load(&zone.inside)), &edges))
        hf_hop_relevant(
            sources, hf_and(may_land, hf_or(enter, hf_or(hf_load(&zone.through), hf_load(&zone.inside)))), &edges,
            &found)
        own = hf_or(own, hf_load(&found.own))
        all_relevant = hf_or(all_relevant, hf_or(
            hf_or(hf_load(&found.own), hf_load(&found.beside)), hf_or(hf_load(&found.above), hf_load(&found.corner))))
    hf_store(&squares, all_relevant)
    relevant[0] = hf_small(&squares)
    hf_store(&squares, own)
    landed[0] = hf_small(&squares)


cdef inline int64_t count_small_pairs(const Geometry* g, const State* s) noexcept nogil:
    """Leaves two plies below a position that no move completes, or -1 where only looking at each child will do."""
    cdef const SmallBoard* b = &g.small
    cdef int32_t mover = s.turn
    cdef const SmallRules* rules = &b.side[mover]
    cdef const SmallRules* other = &b.side[mover ^ 1]
    cdef const SmallZone* zone
    cdef uint64_t movers = hf_small(&s.men[mover])
    cdef uint64_t waiting = hf_small(&s.men[mover ^ 1])
    cdef uint64_t occupied = movers | waiting
    cdef uint64_t empty = b.board & ~occupied
    cdef uint64_t relevant, landed
    cdef uint64_t near = 0      # all squares that some man of the waiting side has beside it
    cdef uint64_t men, rest, targets, changing
    cdef uint64_t[HF_BOARDS] some, hops
    cdef BoardVec empty_boards = hf_boards_same(empty)
    cdef BoardEdges edges = hf_boards_edges(hf_boards_same(occupied))
    cdef Children children
    cdef int32_t z, k, origin, steps_each, quiet, unchanged = 0, steps = 0
    cdef int64_t moves = 0, leaves = 0
    rest = waiting
    while rest:
        steps += hf_popcount(other.step_from[hf_lowest(rest)] & empty)
        near |= other.step_from[hf_lowest(rest)]
        rest &= rest - 1
    if steps <= 8:
        return -1      # a man set down can take away eight steps: a child might have no move, a pass or an end
    relevant_squares(g, s, mover ^ 1, &relevant, &landed)
    children.filled = 0
    for z in range(rules.zones):
        zone = &rules.zone[z]
        men = movers & zone.men
        while men:
            for k in range(HF_BOARDS):
                some[k] = men & (~men + 1)
                men ^= some[k]
            hf_boards_store(hops, hf_boards_chain_targets(hf_boards_load(some), empty_boards, &edges, zone))
            for k in range(HF_BOARDS):
                if some[k] == 0:
                    break
                origin = hf_lowest(some[k])
                targets = (rules.step_from[origin] & empty) | hops[k]
                moves += hf_popcount(targets)
                steps_each = steps
                if near & some[k]:
                    steps_each += hf_popcount(waiting & other.step_to[origin])
                leaves += <int64_t> hf_popcount(targets) * steps_each
                rest = targets & near
                while rest:
                    leaves -= hf_popcount(waiting & other.step_to[hf_lowest(rest)])
                    rest &= rest - 1
                changing = targets & relevant
                if landed & some[k]:
                    changing = targets      # chains may go on from the square that is left
                quiet = hf_popcount(targets & ~changing)
                if relevant & some[k] == 0:
                    unchanged += quiet
                elif quiet:
                    add_child(&children, occupied ^ some[k], quiet)
                rest = changing
                while rest:
                    add_child(&children, (occupied ^ some[k]) | (rest & (~rest + 1)), 1)
                    rest &= rest - 1
    if unchanged:
        add_child(&children, occupied, unchanged)
    HF_ASSERT(children.filled <= MAX_CHILDREN - HF_BOARDS)
    leaves += count_children_hops(b, &children, waiting, other)
    return leaves if moves else -1
