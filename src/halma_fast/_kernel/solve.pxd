# Retrograde analysis: the value of every position, from the finished games backward.
# Owns the stages. Invariant: after stage d exactly the positions that are decided within d plies have a value, and a
# stopped stage has finished every chunk below `next`. Guarded by tests/solve/.
#
# A value is 0 (not decided) or plies to the end + 1. The last move is the winner's, so the side to move has lost if the
# plies are even and won if they are odd. A position that keeps the value 0 is a draw: neither side can force an end.
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from halma_fast._kernel.ending cimport can_move, is_completed_game
from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.movegen cimport count_moves, empty_squares, hop_edges
from halma_fast._kernel.placement cimport (
    MAX_PLACED, Men, Placements, insert_man, placement_index, placement_state)
from halma_fast._kernel.planes cimport (
    HF_ASSERT, HopEdges, LaneEdges, Planes, hf_flag_read, hf_lane, hf_lowest, hf_store,
    hf_word_add)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport PLANES
from halma_fast._kernel.unmove cimport man_origins

cdef extern from "solve.h" nogil:
    uint8_t hf_byte_read(const uint8_t* byte) noexcept
    bint hf_byte_claim(uint8_t* byte, uint8_t value) noexcept
    uint8_t hf_byte_take(uint8_t* byte) noexcept

cdef enum:
    CHUNK = 8192           # positions between two looks at the stop flag: some 10 ms of work
    MAX_PLIES = 254        # a value is a byte
    MAX_LEFT = 255         # and so is a number of moves

ctypedef struct Solve:
    const Placements* placements
    uint8_t* values
    uint8_t* left           # moves of an undecided position that are not yet known to lose
    int32_t stop            # atomic
    int32_t stage           # the distance, in plies, that is being found; 0: finished games, and `left`
    uint64_t next           # atomic: the first chunk that nobody has taken
    uint64_t found          # atomic: positions that got their value in this stage


cdef inline uint64_t solve_first(Solve* job, uint64_t index) noexcept nogil:
    """Stage 0 of a position; how many values were found, 0 or 1."""
    cdef const Geometry* g = job.placements.geometry
    cdef Men men
    cdef State s
    cdef int32_t moves
    placement_state(job.placements, index, &men, &s)
    moves = count_moves(g, &s, s.turn)
    HF_ASSERT(moves <= MAX_LEFT)
    if moves == 0 and can_move(g, &s, s.turn ^ 1):
        moves = 1      # the pass
    # Where neither side has a move there is nothing to take from: it stays a draw.
    job.left[index] = <uint8_t> moves
    if not is_completed_game(g, &s):
        return 0
    job.values[index] = 1
    return 1


cdef inline uint64_t solve_mark(Solve* job, uint64_t index) noexcept nogil:
    """Tell a position of one more move's value; how many values were found, 0 or 1."""
    if hf_byte_read(&job.values[index]):
        return 0
    # In an odd stage the move wins; in an even one it loses, and the position with it if it was the last.
    if not job.stage & 1 and hf_byte_take(&job.left[index]) != 1:
        return 0
    return hf_byte_claim(&job.values[index], <uint8_t> (job.stage + 1))


cdef inline uint64_t solve_back(Solve* job, uint64_t index) noexcept nogil:
    """Tell all positions before this one of its value; how many values were found."""
    cdef const Placements* p = job.placements
    cdef const Geometry* g = p.geometry
    cdef Men men
    cdef State s
    cdef Planes empty, origins
    cdef HopEdges edges
    cdef LaneEdges lane
    cdef uint8_t others[MAX_PLACED]
    cdef uint8_t moved[MAX_PLACED]
    cdef int32_t k, j, plane, target
    cdef uint64_t rest, found = 0
    cdef uint32_t mover
    placement_state(p, index, &men, &s)
    mover = s.turn ^ 1
    hf_store(&empty, empty_squares(g, &s))
    edges = hop_edges(&s)
    for k in range(p.men):
        for j in range(p.men - 1):
            others[j] = men.waiting[j if j < k else j + 1]
        target = p.square[men.waiting[k]]
        lane = hf_lane(&edges, target >> 6)
        man_origins(&g.side[mover], target, &empty, &lane, &origins)
        for plane in range(PLANES):
            rest = origins.w[plane]
            while rest:
                for j in range(p.men - 1):
                    moved[j] = others[j]
                insert_man(moved, p.men - 1, p.number[64 * plane + hf_lowest(rest)])
                found += solve_mark(job, placement_index(p, moved, men.moving, mover))
                rest &= rest - 1
    if not can_move(g, &s, mover) and can_move(g, &s, s.turn):
        found += solve_mark(job, placement_index(p, men.waiting, men.moving, mover))
    return found


cdef inline void solve_stage(Solve* job) noexcept nogil:
    """Take chunks of the stage until none is left or the flag is up; any number of threads do so together."""
    cdef uint64_t index, end, found
    cdef uint64_t total = job.placements.total
    while not hf_flag_read(&job.stop):
        index = hf_word_add(&job.next, 1) * CHUNK
        if index >= total:
            break
        end = index + CHUNK if index + CHUNK < total else total
        found = 0
        while index < end:
            if job.stage == 0:
                found += solve_first(job, index)
            elif hf_byte_read(&job.values[index]) == job.stage:
                found += solve_back(job, index)
            index += 1
        hf_word_add(&job.found, found)
