# One army alone on the board: the fewest moves from one placement to another, searched from both ends.
# Owns the layers and the lower bound. Invariant: for a limit no smaller than the distance, the two ends meet, and for a
# smaller one they never do. Guarded by tests/race/.
#
# Layer d of an end holds the placements that are d moves away from it (moves from the start, moves backward from the
# goal) and from which the lower bound still allows to reach the other end within the limit (R. E. Korf, "Depth-first
# iterative-deepening", 1985, for the growing limit; I. Pohl, "Bi-directional search", 1971, for the two ends).
#
# The bound: a man that stands on no target square has to move. A hop keeps a man's class, so if a class has m men too
# many, m men end in another class than they began in, each by a step. A man that needs no more than this one step
# stands beside a target; every other man makes a second move, or is one of those that need not have moved at all.
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from halma_fast._kernel.control cimport Control, control_beat
from halma_fast._kernel.geometry cimport Geometry, SideRules
from halma_fast._kernel.movegen cimport empty_squares, hop_edges, man_targets, write_moves
from halma_fast._kernel.planes cimport (
    HopEdges, LaneEdges, PlaneVec, Planes, hf_and, hf_any, hf_lane, hf_load, hf_lowest, hf_or, hf_popcount, hf_store)
from halma_fast._kernel.small cimport hf_small
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PLANES, move_origin, move_t, move_target
from halma_fast._kernel.unmove cimport man_origins

cdef extern from "race.h" nogil:
    ctypedef struct RaceSet:
        uint64_t* states
        uint64_t count
        uint64_t most
        int32_t words
    int32_t hf_race_add(RaceSet* set, const uint64_t* state) noexcept
    uint32_t hf_race_find(const RaceSet* set, const uint64_t* state) noexcept
    void hf_race_empty(RaceSet* set) noexcept
    void hf_race_free(RaceSet* set) noexcept
    cdef enum:
        HF_RACE_NEW
        HF_RACE_FULL

cdef extern from "planes.h" nogil:
    ctypedef struct Neighbours:
        PlaneVec east
        PlaneVec west
        PlaneVec north
        PlaneVec south
        PlaneVec northeast
        PlaneVec northwest
        PlaneVec southeast
        PlaneVec southwest
    Neighbours hf_neighbours(PlaneVec set) noexcept

cdef enum:
    RACE_WORDS = 4         # words of a state at most
    FARTHEST = 15          # king's moves between two squares of 16x16

cdef enum RaceResult:
    RACE_APART             # the layer is done, and the ends have not met
    RACE_MET
    RACE_STOPPED
    RACE_OUT_OF_MEMORY

ctypedef struct RaceEnd:
    RaceSet set
    uint64_t layer          # where the last layer begins among the states
    int32_t depth           # its number
    uint64_t target[RACE_WORDS]     # the other end ...
    uint64_t near[RACE_WORDS]       # ... and the squares beside it
    int32_t in_class[PLANES]        # its men by class

ctypedef struct Race:
    const Geometry* geometry
    Control control
    int32_t side
    int32_t men
    int32_t words
    int32_t limit
    bint pruned             # the limit has left a state out
    RaceEnd end[2]          # from the start, from the goal
    bint turned             # the layers from the goal are those from the start, turned by half: they are not made
    uint64_t turn[8][256]   # a state of one word, turned byte by byte
    uint64_t met[RACE_WORDS]        # where the ends met
    move_t* moves           # room for those of one state


cdef inline int32_t race_distance(const Planes* a, const Planes* b) noexcept nogil:
    """King's moves between the two closest men of two armies, FARTHEST if one has none.

    An army cannot touch the other with its next move if this is above 2, nor, as long as that one stays where it is,
    with its n-th move if it is above n + 1: a step ends beside its origin, a hop over an own man beside that man.
    """
    cdef PlaneVec near = hf_load(a)
    cdef Neighbours n
    cdef int32_t distance
    for distance in range(FARTHEST):
        if hf_any(hf_and(near, hf_load(b))):
            return distance
        n = hf_neighbours(near)
        near = hf_or(near, hf_or(hf_or(hf_or(n.east, n.west), hf_or(n.north, n.south)),
                                 hf_or(hf_or(n.northeast, n.northwest), hf_or(n.southeast, n.southwest))))
    return FARTHEST


cdef inline void race_pack(const Race* race, const Planes* men, uint64_t* state) noexcept nogil:
    if race.words == RACE_WORDS:
        memcpy(state, men, sizeof(Planes))
    else:
        state[0] = hf_small(men)


cdef inline void race_unpack(const Race* race, const uint64_t* state, Planes* men) noexcept nogil:
    cdef int32_t plane
    cdef uint64_t word
    if race.words == RACE_WORDS:
        memcpy(men, state, sizeof(Planes))
        return
    # Up to 8x8 a plane has four rows of four squares (small.h).
    for plane in range(PLANES):
        word = (state[0] >> (16 * plane)) & <uint64_t> 0xffff
        word = (word | word << 8) & <uint64_t> 0x00ff00ff
        men.w[plane] = (word | word << 4) & <uint64_t> 0x0f0f0f0f


cdef inline void race_toggle(const Race* race, uint64_t* state, int32_t square) noexcept nogil:
    if race.words == RACE_WORDS:
        state[square >> 6] ^= <uint64_t> 1 << (square & 63)
    else:
        # Row and column of the plane, two bits each.
        state[0] ^= <uint64_t> 1 << (16 * (square >> 6) + 4 * ((square >> 3) & 3) + (square & 3))


cdef inline uint64_t race_plane(const Race* race, const uint64_t* state, int32_t plane) noexcept nogil:
    if race.words == RACE_WORDS:
        return state[plane]
    return (state[0] >> (16 * plane)) & <uint64_t> 0xffff


cdef inline int32_t race_bound(const Race* race, const RaceEnd* end, const uint64_t* state) noexcept nogil:
    """At least so many moves lie between a state and the other end."""
    cdef int32_t plane, away = 0, beside = 0, surplus = 0, count
    cdef uint64_t men, apart
    for plane in range(PLANES):
        men = race_plane(race, state, plane)
        apart = men & ~race_plane(race, end.target, plane)
        away += hf_popcount(apart)
        beside += hf_popcount(apart & race_plane(race, end.near, plane))
        count = hf_popcount(men) - end.in_class[plane]
        if count > 0:
            surplus += count
    return away + (surplus - beside if surplus > beside else 0)


cdef inline void race_turn(const Race* race, const uint64_t* state, uint64_t* turned) noexcept nogil:
    cdef int32_t k
    turned[0] = 0
    for k in range(8):
        turned[0] |= race.turn[k][(state[0] >> (8 * k)) & 255]


cdef inline int32_t race_neighbours(
        const Race* race, bint backward, const uint64_t* state, move_t* moves) noexcept nogil:
    """Write the moves from a state, or those that lead to it, as (here, there); how many."""
    cdef const SideRules* rules = &race.geometry.side[race.side]
    cdef State s
    cdef Planes empty, found
    cdef HopEdges edges
    cdef LaneEdges lane
    cdef int32_t plane, z, here, count = 0
    cdef uint64_t men
    memset(&s, 0, sizeof(State))
    race_unpack(race, state, &s.men[race.side])
    hf_store(&empty, empty_squares(race.geometry, &s))
    edges = hop_edges(&s)
    for plane in range(PLANES):
        men = s.men[race.side].w[plane]
        lane = hf_lane(&edges, plane)
        while men:
            here = 64 * plane + hf_lowest(men)
            if backward:
                man_origins(rules, here, &empty, &lane, &found)
                count = write_moves(here, &found, moves, count)
            else:
                for z in range(rules.zones):
                    if rules.zone[z].men.w[plane] & men & (~men + 1):
                        man_targets(rules, &rules.zone[z], here, &empty, &lane, &found)
                        count = write_moves(here, &found, moves, count)
            men &= men - 1
    return count


cdef inline bint race_has_met(const Race* race, int32_t which, const uint64_t* state, uint64_t last) noexcept nogil:
    """Whether a state of the layer that begins at `last` closes a way within the limit."""
    cdef const RaceEnd* end = &race.end[which]
    cdef uint64_t turned[RACE_WORDS]
    cdef uint32_t found
    if not race.turned:
        return hf_race_find(&race.end[1 - which].set, state) != 0
    race_turn(race, state, turned)
    found = hf_race_find(&end.set, turned)
    # Two states of this layer make a way of an even number of moves, which may be one too many.
    return found != 0 and (found <= last or 2 * (end.depth + 1) <= race.limit)


cdef inline RaceResult race_begin(Race* race, int32_t limit) noexcept nogil:
    """Begin again with both ends alone in their layers 0, under a new limit."""
    cdef int32_t which
    race.limit = limit
    race.pruned = False
    for which in range(2):
        hf_race_empty(&race.end[which].set)
        race.end[which].layer = 0
        race.end[which].depth = 0
        # One end's root is the other's target.
        if hf_race_add(&race.end[which].set, race.end[1 - which].target) == HF_RACE_FULL:
            return RACE_OUT_OF_MEMORY
    if hf_race_find(&race.end[1].set, race.end[1].target) != 0:
        memcpy(race.met, race.end[1].target, sizeof(race.met))
        return RACE_MET
    return RACE_APART


cdef inline RaceResult race_layer(Race* race, int32_t which) noexcept nogil:
    """Make the next layer of an end."""
    cdef RaceEnd* end = &race.end[which]
    cdef uint64_t index, last = end.set.count
    cdef uint64_t state[RACE_WORDS]
    cdef uint64_t child[RACE_WORDS]
    cdef int32_t k, count, added, left = race.limit - end.depth - 1
    memset(state, 0, sizeof(state))
    for index in range(end.layer, last):
        if control_beat(&race.control):
            return RACE_STOPPED
        memcpy(state, end.set.states + index * <uint64_t> race.words, race.words * sizeof(uint64_t))
        count = race_neighbours(race, which == 1, state, race.moves)
        for k in range(count):
            memcpy(child, state, sizeof(state))
            race_toggle(race, child, move_origin(race.moves[k]))
            race_toggle(race, child, move_target(race.moves[k]))
            if race_bound(race, end, child) > left:
                race.pruned = True
                continue
            added = hf_race_add(&end.set, child)
            if added == HF_RACE_FULL:
                return RACE_OUT_OF_MEMORY
            if added == HF_RACE_NEW and race_has_met(race, which, child, last):
                end.depth += 1
                end.layer = last
                memcpy(race.met, child, sizeof(child))
                return RACE_MET
    end.depth += 1
    end.layer = last
    return RACE_APART
