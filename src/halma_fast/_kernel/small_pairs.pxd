# The last two plies of perft, counted together, on boards up to 8x8.
# Owns which children are looked at: some in one vector, each whole. Invariant: equals the sum of the children's counts,
# or says that it will not do. Guarded by tests/unit/test_small_boards.py, tests/perft/ and tests/properties/.
#
# Steps of the side that waits change next to the two squares of a move only. Hops change only if one of the two is
# relevant (planes.h); children where neither is share the parent's. The others are counted in all planes: to tell the
# planes apart costs more than it saves.
from libc.stdint cimport int32_t, int64_t, uint64_t

from halma_fast._kernel.ending cimport may_be_completed
from halma_fast._kernel.geometry cimport Geometry, SideRules, Zone
from halma_fast._kernel.planes cimport (
    HF_ASSERT, HopEdges, PlaneVec, Planes, Relevant, hf_and, hf_any, hf_flood, hf_hop_edges, hf_hop_relevant, hf_hops,
    hf_load, hf_lowest, hf_or, hf_popcount, hf_store, hf_without)
from halma_fast._kernel.small cimport (
    HF_BOARDS, HF_EACH_PLANE, BoardEdges, BoardVec, SmallBoard, SmallRules, SmallZone, hf_boards_add,
    hf_boards_chain_targets, hf_boards_edges, hf_boards_hop_moves, hf_boards_hops, hf_boards_load, hf_boards_same,
    hf_boards_store, hf_boards_sum, hf_boards_times, hf_boards_without, hf_small)
from halma_fast._kernel.state cimport State

cdef enum:
    MAX_MEN = 36            # a side has at most half of the squares; some more fill the last vector up
    # A man has at most 8 steps and 15 hops, all men together as many as there are empty squares each, so 21 men and 22
    # empty squares are the most; one more for the parent, and some that fill the last vector up.
    MAX_CHILDREN = 480

ctypedef struct Men:
    uint64_t man[MAX_MEN]       # one bit each
    uint64_t hops[MAX_MEN]      # where its chains may end
    int32_t filled

ctypedef struct Children:
    # Positions whose hops are to be counted, and how often.
    uint64_t occupied[MAX_CHILDREN]
    uint64_t times[MAX_CHILDREN]
    int32_t filled


cdef inline void add_child(Children* children, uint64_t occupied, uint64_t times) noexcept nogil:
    children.occupied[children.filled] = occupied
    children.times[children.filled] = times
    children.filled += 1


cdef inline int64_t count_children_hops(
        const SmallBoard* b, Children* children, uint64_t waiting_men, const SmallRules* rules) noexcept nogil:
    """Hops of the side that waits in all children together."""
    cdef BoardVec occupied, empty, men, moves, total = hf_boards_same(0)
    cdef BoardEdges edges
    cdef const SmallZone* zone
    cdef int32_t z, first = 0
    while children.filled % HF_BOARDS:
        add_child(children, 0, 0)
    while first < children.filled:
        occupied = hf_boards_load(&children.occupied[first])
        edges = hf_boards_edges(occupied)
        empty = hf_boards_without(hf_boards_same(b.board), occupied)
        for z in range(rules.zones):
            zone = &rules.zone[z]
            if waiting_men & zone.men:
                men = hf_boards_same(waiting_men & zone.men)
                moves = hf_boards_hop_moves(men, empty, &edges, zone)
                # A lane stays below 480 * 64: so many children, so many moves of one plane.
                total = hf_boards_add(total, hf_boards_times(moves, hf_boards_load(&children.times[first])))
        first += HF_BOARDS
    return hf_boards_sum(total)


cdef inline void find_relevant(const Geometry* g, const State* s, int32_t waiting, Relevant* relevant) noexcept nogil:
    """Squares whose change can alter the hops of the side that waits.

    Men of the other side count as landings, since any one of them may be lifted; chains do not go on from there.
    """
    cdef const SideRules* rules = &g.side[waiting]
    cdef const Zone* zone
    cdef PlaneVec occupied = hf_or(hf_load(&s.men[0]), hf_load(&s.men[1]))
    cdef PlaneVec empty = hf_without(hf_load(&g.board), occupied)
    cdef PlaneVec may_land = hf_without(hf_load(&g.board), hf_load(&s.men[waiting]))
    cdef PlaneVec men, sources, entry, enter, inside, landings
    cdef HopEdges edges = hf_hop_edges(occupied)
    cdef int32_t z
    sources = hf_load(&s.men[waiting])
    landings = hf_without(empty, empty)
    for z in range(rules.zones):
        zone = &rules.zone[z]
        men = hf_and(hf_load(&s.men[waiting]), hf_load(&zone.men))
        if not hf_any(men):
            continue
        inside = hf_load(&zone.inside)
        enter = hf_or(hf_load(&zone.enter_orthogonal), hf_load(&zone.enter_diagonal))
        sources = hf_or(sources, hf_flood(men, hf_and(empty, hf_load(&zone.through)), &edges))
        entry = hf_and(hf_and(empty, inside), hf_and(enter, hf_hops(sources, &edges)))
        if hf_any(entry):
            sources = hf_or(sources, hf_flood(entry, hf_and(empty, inside), &edges))
        landings = hf_or(landings, hf_or(hf_load(&zone.through), hf_or(enter, inside)))
    hf_hop_relevant(sources, hf_and(may_land, landings), &edges, relevant)


cdef inline void find_men(
        const SmallRules* rules, uint64_t movers, uint64_t empty, uint64_t occupied, Men* men) noexcept nogil:
    """List the men of the side to move, with their hops."""
    cdef BoardVec empties = hf_boards_same(empty)
    cdef BoardEdges edges = hf_boards_edges(hf_boards_same(occupied))
    cdef uint64_t[HF_BOARDS] beside_landing
    cdef uint64_t rest
    cdef int32_t z, k, first
    hf_boards_store(beside_landing, hf_boards_hops(empties, &edges))
    men.filled = 0
    for z in range(rules.zones):
        first = men.filled
        rest = movers & rules.zone[z].men & beside_landing[0]
        while rest:
            men.man[men.filled] = rest & (~rest + 1)
            men.filled += 1
            rest &= rest - 1
        for k in range(HF_BOARDS - 1):
            men.man[men.filled + k] = 0
        while first < men.filled:
            hf_boards_store(&men.hops[first], hf_boards_chain_targets(
                hf_boards_load(&men.man[first]), empties, &edges, &rules.zone[z]))
            first += HF_BOARDS
    rest = movers & ~beside_landing[0]
    while rest:
        men.man[men.filled] = rest & (~rest + 1)
        men.hops[men.filled] = 0
        men.filled += 1
        rest &= rest - 1


cdef inline int64_t count_small_pairs(const Geometry* g, const State* s) noexcept nogil:
    """Leaves two plies below an unfinished position, or -1 where only looking at each child will do."""
    cdef const SmallBoard* b = &g.small
    cdef int32_t mover = s.turn
    cdef const SmallRules* rules = &b.side[mover]
    cdef const SmallRules* other = &b.side[mover ^ 1]
    cdef uint64_t movers = hf_small(&s.men[mover])
    cdef uint64_t waiting = hf_small(&s.men[mover ^ 1])
    cdef uint64_t occupied = movers | waiting
    cdef uint64_t empty = b.board & ~occupied
    cdef uint64_t near = 0      # all squares that some man of the waiting side has beside it
    cdef uint64_t shared = 0    # how often the parent's hops count, in each plane
    cdef uint64_t man, rest, targets, changing, landed_on, altering, quiet
    cdef Relevant relevant
    cdef Planes any_plane
    cdef Men men
    cdef Children children
    cdef int32_t k, origin, count, steps_each, steps = 0
    cdef int64_t moves = 0, leaves = 0
    if may_be_completed(g, s):
        return -1
    rest = waiting
    while rest:
        steps += hf_popcount(other.step_from[hf_lowest(rest)] & empty)
        near |= other.step_from[hf_lowest(rest)]
        rest &= rest - 1
    if steps <= 8:
        return -1      # a man set down can take away eight steps: a child might have no move, a pass or an end
    find_relevant(g, s, mover ^ 1, &relevant)
    hf_store(&any_plane, hf_or(
        hf_or(hf_load(&relevant.own), hf_load(&relevant.beside)),
        hf_or(hf_load(&relevant.above), hf_load(&relevant.corner))))
    landed_on = hf_small(&relevant.own)
    altering = hf_small(&any_plane)
    find_men(rules, movers, empty, occupied, &men)
    children.filled = 0
    for k in range(men.filled):
        man = men.man[k]
        origin = hf_lowest(man)
        targets = (rules.step_from[origin] & empty) | men.hops[k]
        count = hf_popcount(targets)
        moves += count
        steps_each = steps
        if near & man:
            steps_each += hf_popcount(waiting & other.step_to[origin])
        leaves += <int64_t> count * steps_each
        rest = targets & near
        while rest:
            leaves -= hf_popcount(waiting & other.step_to[hf_lowest(rest)])
            rest &= rest - 1
        changing = targets & altering
        if landed_on & man:
            changing = targets      # chains may go on from the square that is left, so more squares matter
        quiet = hf_popcount(targets & ~changing)
        if not altering & man:
            shared += quiet
        elif quiet:
            add_child(&children, occupied ^ man, quiet * HF_EACH_PLANE)
        rest = changing
        while rest:
            add_child(&children, (occupied ^ man) | (rest & (~rest + 1)), HF_EACH_PLANE)
            rest &= rest - 1
    if shared:
        add_child(&children, occupied, shared * HF_EACH_PLANE)
    HF_ASSERT(children.filled <= MAX_CHILDREN - HF_BOARDS)
    leaves += count_children_hops(b, &children, waiting, other)
    return leaves if moves else -1
