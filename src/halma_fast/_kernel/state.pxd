# A position as the search sees it, and the one place where it changes.
# Owns men, key and value. Invariant: they change only together, in `state_move` (and are set up in `state_fill`);
# the debug build recomputes them after every move. Guarded by tests/properties/.
from libc.stdint cimport int32_t, uint32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.planes cimport HF_ASSERT, HF_DEBUG, Planes, hf_lowest, hf_popcount
from halma_fast._kernel.types cimport O, PASS_MOVE, PLANES, X, move_origin, move_t, move_target

ctypedef struct State:
    Planes men[2]
    uint64_t key            # Zobrist: men and side to move
    int32_t value[2]        # sum of Geometry.side[s].value over the men of s
    uint32_t ply            # turns since move number 1 of x
    uint32_t turn


cdef inline void state_fill(
        const Geometry* g, State* s, const Planes* x_men, const Planes* o_men,
        uint32_t turn, uint32_t ply) noexcept nogil:
    """Set up a state from its men."""
    cdef int32_t side, plane, square
    cdef uint64_t rest
    s.men[X] = x_men[0]
    s.men[O] = o_men[0]
    s.turn = turn
    s.ply = ply
    s.key = g.turn_key if turn == O else 0
    for side in range(2):
        s.value[side] = 0
        for plane in range(PLANES):
            rest = s.men[side].w[plane]
            while rest:
                square = 64 * plane + hf_lowest(rest)
                rest &= rest - 1
                s.key ^= g.side[side].zobrist[square]
                s.value[side] += g.side[side].value[square]


cdef inline void state_validate(const Geometry* g, const State* s) noexcept nogil:
    """Abort the process if the parts of a state contradict each other (debug build only)."""
    cdef State fresh
    cdef int32_t side, plane, count
    state_fill(g, &fresh, &s.men[X], &s.men[O], s.turn, s.ply)
    HF_ASSERT(fresh.key == s.key)
    HF_ASSERT(fresh.value[X] == s.value[X] and fresh.value[O] == s.value[O])
    HF_ASSERT(s.turn <= 1)
    for side in range(2):
        count = 0
        for plane in range(PLANES):
            HF_ASSERT((s.men[side].w[plane] & ~g.board.w[plane]) == 0)
            HF_ASSERT((s.men[X].w[plane] & s.men[O].w[plane]) == 0)
            count += hf_popcount(s.men[side].w[plane])
        HF_ASSERT(count == g.men)


cdef inline void state_move(const Geometry* g, State* s, move_t move) noexcept nogil:
    """Make a legal move or a pass for the side to move."""
    cdef int32_t origin, target
    cdef uint32_t side = s.turn
    if move != PASS_MOVE:
        origin = move_origin(move)
        target = move_target(move)
        HF_ASSERT((s.men[side].w[origin >> 6] >> (origin & 63)) & 1)
        HF_ASSERT((((s.men[X].w[target >> 6] | s.men[O].w[target >> 6]) >> (target & 63)) & 1) == 0)
        s.men[side].w[origin >> 6] ^= <uint64_t> 1 << (origin & 63)
        s.men[side].w[target >> 6] ^= <uint64_t> 1 << (target & 63)
        s.key ^= g.side[side].zobrist[origin] ^ g.side[side].zobrist[target]
        s.value[side] += g.side[side].value[target] - g.side[side].value[origin]
    s.key ^= g.turn_key
    s.turn = side ^ 1
    s.ply += 1
    if HF_DEBUG:
        state_validate(g, s)
