# All placements of the men, numbered: the combinatorial number system.
# Owns the numbering. Invariant: `placement_state` and `placement_index` are each other's inverse on 0..total-1.
# Guarded by tests/solve/test_unmoves.py.
#
# The men of the side to move are one of C(n, k) combinations of the squares, those of the side that waits one of
# C(n - k, k) of the squares that are left. A combination s1 < s2 < ... < sk has the number C(s1, 1) + ... + C(sk, k)
# (D. H. Lehmer, "The machine tools of combinatorics", 1964). Where the half turn of the board with sides swapped is a
# symmetry, positions of o are numbered as those of x that they turn into.
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.planes cimport HF_ASSERT, hf_lowest
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport O, PLANES, SQUARES, square_t

cdef enum:
    MAX_PLACED = 32        # men a side; more would never fit into any memory

ctypedef struct Placements:
    const Geometry* geometry
    int32_t squares
    int32_t men
    bint turned             # the half turn is a symmetry: one side to move stands for both
    uint64_t waiting        # placements of the side that waits, for each of the side to move
    uint64_t count          # placements of both
    uint64_t total          # `count`, twice if not `turned`
    square_t square[SQUARES]    # kernel square by number: row by row from a1
    uint8_t number[SQUARES]     # the inverse
    uint64_t choose[MAX_PLACED + 1][SQUARES + 1]    # [k][n]: n choose k

ctypedef struct Men:
    # Numbers of squares, ascending, of the side to move and of the side that waits.
    uint8_t moving[MAX_PLACED]
    uint8_t waiting[MAX_PLACED]


cdef inline void turn_men(const Placements* p, const uint8_t* men, uint8_t* turned) noexcept nogil:
    cdef int32_t k
    for k in range(p.men):
        turned[k] = <uint8_t> (p.squares - 1 - men[p.men - 1 - k])


cdef inline uint64_t placement_number(
        const Placements* p, const uint8_t* moving, const uint8_t* waiting) noexcept nogil:
    cdef uint64_t first = 0, second = 0
    cdef int32_t k, below = 0
    for k in range(p.men):
        first += p.choose[k + 1][moving[k]]
    for k in range(p.men):
        while below < p.men and moving[below] < waiting[k]:
            below += 1
        second += p.choose[k + 1][waiting[k] - below]
    return first * p.waiting + second


cdef inline uint64_t placement_index(
        const Placements* p, const uint8_t* moving, const uint8_t* waiting, uint32_t turn) noexcept nogil:
    """The number of a position."""
    cdef Men men
    if not p.turned:
        return placement_number(p, moving, waiting) + (p.count if turn == O else 0)
    if turn != O:
        return placement_number(p, moving, waiting)
    turn_men(p, moving, men.moving)
    turn_men(p, waiting, men.waiting)
    return placement_number(p, men.moving, men.waiting)


cdef inline void combination(const Placements* p, uint64_t number, int32_t squares, uint8_t* men) noexcept nogil:
    cdef int32_t k, square = squares
    for k in range(p.men, 0, -1):
        square -= 1
        while p.choose[k][square] > number:
            square -= 1
        number -= p.choose[k][square]
        men[k - 1] = <uint8_t> square


cdef inline void placement_state(const Placements* p, uint64_t index, Men* men, State* s) noexcept nogil:
    """The position of a number: men and side to move; the rest of the state is left 0."""
    cdef int32_t k, j, square
    HF_ASSERT(index < p.total)
    memset(s, 0, sizeof(State))
    if index >= p.count:
        index -= p.count
        s.turn = O
    combination(p, index // p.waiting, p.squares, men.moving)
    combination(p, index % p.waiting, p.squares - p.men, men.waiting)
    j = 0
    for k in range(p.men):
        # Numbers among the squares that are left: skip those of the men below.
        while j < p.men and men.moving[j] <= men.waiting[k] + j:
            j += 1
        men.waiting[k] += <uint8_t> j
    for k in range(p.men):
        square = p.square[men.moving[k]]
        s.men[s.turn].w[square >> 6] |= <uint64_t> 1 << (square & 63)
        square = p.square[men.waiting[k]]
        s.men[s.turn ^ 1].w[square >> 6] |= <uint64_t> 1 << (square & 63)


cdef inline void insert_man(uint8_t* men, int32_t count, uint8_t square) noexcept nogil:
    """Add a number to `count` ascending ones."""
    while count > 0 and men[count - 1] > square:
        men[count] = men[count - 1]
        count -= 1
    men[count] = square


cdef inline void men_numbers(const Placements* p, const State* s, int32_t side, uint8_t* men) noexcept nogil:
    cdef int32_t plane, count = 0
    cdef uint64_t rest
    for plane in range(PLANES):
        rest = s.men[side].w[plane]
        while rest:
            HF_ASSERT(count < p.men)
            insert_man(men, count, p.number[64 * plane + hf_lowest(rest)])
            count += 1
            rest &= rest - 1


cdef inline uint64_t state_index(const Placements* p, const State* s) noexcept nogil:
    """The number of a state."""
    cdef Men men
    men_numbers(p, s, s.turn, men.moving)
    men_numbers(p, s, s.turn ^ 1, men.waiting)
    return placement_index(p, men.moving, men.waiting, s.turn)
