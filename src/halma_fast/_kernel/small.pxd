# Cython's view of small.h, and the variant as its words: nothing is decided here.
# Invariant: SmallBoard says what Geometry says, and exists only where every square lies within 8x8.
# Guarded by tests/unit/test_small_boards.py.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.planes cimport Planes
from halma_fast._kernel.types cimport MAX_ZONES

cdef extern from "small.h" nogil:
    const uint64_t HF_EACH_PLANE
    enum:
        HF_BOARDS

    ctypedef struct SmallZone:
        uint64_t men
        uint64_t through
        uint64_t land
        uint64_t enter_orthogonal
        uint64_t enter_diagonal
        uint64_t inside

    ctypedef struct BoardVec:    # opaque to Cython, as PlaneVec is
        pass

    ctypedef struct BoardEdges:
        pass

    uint64_t hf_small(const Planes* planes) noexcept
    BoardVec hf_boards_load(const uint64_t* boards) noexcept
    void hf_boards_store(uint64_t* boards, BoardVec v) noexcept
    BoardVec hf_boards_same(uint64_t board) noexcept
    BoardVec hf_boards_add(BoardVec a, BoardVec b) noexcept
    BoardVec hf_boards_times(BoardVec a, BoardVec b) noexcept
    BoardVec hf_boards_without(BoardVec a, BoardVec b) noexcept
    int32_t hf_boards_sum(BoardVec v) noexcept
    BoardEdges hf_boards_edges(BoardVec occupied) noexcept
    BoardVec hf_boards_hops(BoardVec origin, const BoardEdges* edges) noexcept
    BoardVec hf_boards_chain_targets(
        BoardVec man, BoardVec empty, const BoardEdges* edges, const SmallZone* zone) noexcept
    BoardVec hf_boards_hop_moves(
        BoardVec men, BoardVec empty, const BoardEdges* edges, const SmallZone* zone) noexcept

cdef enum:
    SMALL_SQUARES = 64

ctypedef struct SmallRules:
    SmallZone zone[MAX_ZONES]
    int32_t zones
    uint64_t step_from[SMALL_SQUARES]
    uint64_t step_to[SMALL_SQUARES]

ctypedef struct SmallBoard:
    bint fits               # whether the board is no larger than 8x8; if not, nothing else is filled in
    uint64_t board
    SmallRules side[2]
