# One instruction-set level of the kernel, as a table of entry points.
# Owns the struct through which everything above the kernel calls it. Invariant: only pointers and plain integers cross,
# since units built for different levels pass vectors differently. Guarded by tests/unit/test_kernel_levels.py.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.perft cimport PerftJob
from halma_fast._kernel.race cimport Race, RaceResult
from halma_fast._kernel.search cimport Search
from halma_fast._kernel.solve cimport Solve
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport move_t

ctypedef struct Kernel:
    int32_t (*generate)(const Geometry*, const State*, move_t*) noexcept nogil
    bint (*is_move)(const Geometry*, const State*, int32_t, int32_t) noexcept nogil
    bint (*can_move)(const Geometry*, const State*, int32_t) noexcept nogil
    int32_t (*count_moves)(const Geometry*, const State*, int32_t) noexcept nogil
    uint64_t (*perft)(const PerftJob*, const State*, int32_t, move_t*) noexcept nogil
    int32_t (*search_depth)(Search*, int32_t, int32_t) noexcept nogil
    void (*solve_stage)(Solve*) noexcept nogil
    RaceResult (*race_layer)(Race*, int32_t) noexcept nogil
    int32_t (*race_neighbours)(const Race*, bint, const uint64_t*, move_t*) noexcept nogil
