# The kernel's view of net.h: the net beside the linear evaluation.
# Owns nothing. Invariant: names and types are those of net.h. Guarded by tests/search/test_net.py.
from libc.stdint cimport int16_t, int32_t, uint8_t

from halma_fast._kernel.planes cimport Planes

cdef extern from "net.h" nogil:
    enum:
        HF_NET_UNITS

    ctypedef struct Net:
        int16_t row[2][256][32]     # net.h has the true length, HF_NET_UNITS
        int16_t bias[32]
        int16_t output[32]
        int32_t output_bias
        int32_t bound
        uint8_t view[2][256]

    ctypedef struct NetSums:
        pass

    void hf_net_fill(const Net* net, const Planes* x_men, const Planes* o_men, NetSums* sums) noexcept
    void hf_net_move(
        const Net* net, const NetSums* before, int mover, int origin, int target, NetSums* after) noexcept
    bint hf_net_same(const NetSums* a, const NetSums* b) noexcept
    int32_t hf_net_value(const Net* net, const NetSums* sums, int side) noexcept
