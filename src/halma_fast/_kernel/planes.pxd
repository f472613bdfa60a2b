# Cython's view of planes.h and platform.h: nothing is decided here.
from libc.stdint cimport int32_t, uint64_t

cdef extern from "planes.h" nogil:
    ctypedef struct Planes:
        uint64_t w[4]

    ctypedef struct PlaneVec:    # opaque to Cython: only the functions below touch it
        pass

    ctypedef struct HopEdges:
        pass

    ctypedef struct LaneEdges:
        uint64_t east
        uint64_t north
        uint64_t northeast
        uint64_t northwest

    const bint HF_DEBUG
    void HF_ASSERT(bint condition) noexcept

    int32_t hf_popcount(uint64_t word) noexcept
    int32_t hf_lowest(uint64_t word) noexcept
    PlaneVec hf_load(const Planes* planes) noexcept
    void hf_store(Planes* planes, PlaneVec v) noexcept
    PlaneVec hf_and(PlaneVec a, PlaneVec b) noexcept
    PlaneVec hf_or(PlaneVec a, PlaneVec b) noexcept
    PlaneVec hf_without(PlaneVec a, PlaneVec b) noexcept
    bint hf_any(PlaneVec v) noexcept
    int32_t hf_popcount_planes(PlaneVec v) noexcept
    int32_t hf_count_common(const Planes* a, const Planes* b) noexcept

    HopEdges hf_hop_edges(PlaneVec occupied) noexcept
    PlaneVec hf_hops(PlaneVec origin, const HopEdges* edges) noexcept
    PlaneVec hf_orthogonal_hops(PlaneVec origin, const HopEdges* edges) noexcept
    PlaneVec hf_diagonal_hops(PlaneVec origin, const HopEdges* edges) noexcept
    ctypedef struct Relevant:
        Planes own
        Planes beside
        Planes above
        Planes corner

    void hf_hop_relevant(PlaneVec sources, PlaneVec landings, const HopEdges* edges, Relevant* relevant) noexcept
    HopEdges hf_edges_of_lanes(
        const Planes* east, const Planes* north, const Planes* northeast, const Planes* northwest) noexcept
    PlaneVec hf_flood(PlaneVec origin, PlaneVec through, const HopEdges* edges) noexcept
    LaneEdges hf_lane(const HopEdges* edges, int32_t plane) noexcept
    uint64_t hf_lane_orthogonal_hops(uint64_t origin, const LaneEdges* edges) noexcept
    uint64_t hf_lane_diagonal_hops(uint64_t origin, const LaneEdges* edges) noexcept
    uint64_t hf_lane_hops(uint64_t origin, const LaneEdges* edges) noexcept
    uint64_t hf_lane_flood(uint64_t origin, uint64_t through, const LaneEdges* edges) noexcept
    PlaneVec hf_component_moves(
        PlaneVec men, PlaneVec through, PlaneVec land, const HopEdges* edges, int32_t* moves) noexcept

cdef extern from "platform.h" nogil:
    double hf_now() noexcept
    int32_t hf_flag_read(const int32_t* flag) noexcept
    void hf_flag_write(int32_t* flag, int32_t value) noexcept
    void* hf_table_new(size_t size) noexcept
    void hf_table_clear(void* memory, size_t size) noexcept
    void hf_table_free(void* memory, size_t size) noexcept
    uint64_t hf_word_read(const uint64_t* word) noexcept
    void hf_word_write(uint64_t* word, uint64_t value) noexcept
    void hf_sleep(double seconds) noexcept
    uint64_t hf_word_add(uint64_t* word, uint64_t value) noexcept
    bint hf_unlikely(bint condition) noexcept
    void hf_prefetch(const void* address) noexcept
    uint64_t hf_scale(uint64_t hash, uint64_t count) noexcept
    int32_t hf_processor_level() noexcept
