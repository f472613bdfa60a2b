# Perft's table: leaves below positions already counted, shared by threads without a lock.
# Owns the entries and the keys. Invariant: an entry is believed only if 128 bits that its place does not depend on and
# the depth match; words torn between two writers match nothing. Guarded by tests/perft/test_table.py.
#
# A key is three words a man and square: one finds the bucket, two prove the position (Zobrist, "A new hashing method",
# 1970, three times over). Each entry holds its proof xor its data, so a mixture of two entries proves neither
# (Hyatt and Mann, "A lockless transposition-table implementation for parallel search", 2002). Where the board is its
# own mirror image in the long diagonal, a position and its image share an entry.
from libc.stdint cimport int32_t, uint64_t

from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.planes cimport hf_lowest, hf_prefetch, hf_scale, hf_word_read, hf_word_write
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport O, PASS_MOVE, PLANES, move_origin, move_t, move_target

cdef enum:
    BUCKET = 2
    DEPTH_BITS = 8             # the rest of the data word is the count

ctypedef struct PerftKey:
    uint64_t w[6]              # three words, and those of the mirror image

ctypedef struct PerftEntry:
    uint64_t proof[2]          # xor data
    uint64_t data              # leaves << DEPTH_BITS | depth; 0: empty

ctypedef struct PerftTable:
    PerftEntry* entries
    uint64_t buckets


cdef inline void key_fill(const Geometry* g, const State* s, PerftKey* key) noexcept nogil:
    cdef int32_t side, plane, square, k
    cdef uint64_t rest
    for k in range(6):
        key.w[k] = g.turn_proof[k] if s.turn == O else 0
    for side in range(2):
        for plane in range(PLANES):
            rest = s.men[side].w[plane]
            while rest:
                square = 64 * plane + hf_lowest(rest)
                rest &= rest - 1
                for k in range(6):
                    key.w[k] ^= g.side[side].proof[square][k]


cdef inline void key_move(
        const Geometry* g, const PerftKey* key, int32_t side, move_t move, PerftKey* after) noexcept nogil:
    """The key after a move or pass of `side`."""
    cdef const uint64_t* origin
    cdef const uint64_t* target
    cdef int32_t k
    for k in range(6):
        after.w[k] = key.w[k] ^ g.turn_proof[k]
    if move != PASS_MOVE:
        origin = g.side[side].proof[move_origin(move)]
        target = g.side[side].proof[move_target(move)]
        for k in range(6):
            after.w[k] ^= origin[k] ^ target[k]


cdef inline const uint64_t* key_words(const Geometry* g, const PerftKey* key) noexcept nogil:
    """The smaller of a position's words and its image's, so that both find the same entry."""
    cdef const uint64_t* words = &key.w[0]
    if g.mirrored and words[3] < words[0]:
        words += 3
    return words


cdef inline PerftEntry* table_bucket(const PerftTable* t, const uint64_t* words, int32_t depth) noexcept nogil:
    # A position at two depths must not fight for one place: the depth takes part in finding it.
    cdef uint64_t hash = words[0] ^ (<uint64_t> depth * <uint64_t> 0x9E3779B97F4A7C15)
    return &t.entries[BUCKET * hf_scale(hash, t.buckets)]


cdef inline void table_fetch(const PerftTable* t, const Geometry* g, const PerftKey* key, int32_t depth) noexcept nogil:
    hf_prefetch(table_bucket(t, key_words(g, key), depth))


cdef inline bint table_find(
        const PerftTable* t, const Geometry* g, const PerftKey* key, int32_t depth, uint64_t* leaves) noexcept nogil:
    cdef const uint64_t* words = key_words(g, key)
    cdef PerftEntry* bucket = table_bucket(t, words, depth)
    cdef uint64_t data
    cdef int32_t k
    for k in range(BUCKET):
        data = hf_word_read(&bucket[k].data)
        if (data & ((1 << DEPTH_BITS) - 1) == <uint64_t> depth
                and hf_word_read(&bucket[k].proof[0]) ^ data == words[1]
                and hf_word_read(&bucket[k].proof[1]) ^ data == words[2]):
            leaves[0] = data >> DEPTH_BITS
            return True
    return False


cdef inline void table_keep(
        const PerftTable* t, const Geometry* g, const PerftKey* key, int32_t depth, uint64_t leaves) noexcept nogil:
    """Keep a count: in the first place of its bucket if that holds no greater work, else in the second."""
    cdef const uint64_t* words = key_words(g, key)
    cdef PerftEntry* entry = table_bucket(t, words, depth)
    cdef uint64_t data = leaves << DEPTH_BITS | <uint64_t> depth
    cdef uint64_t there
    if leaves >> (64 - DEPTH_BITS):
        return      # too large for an entry
    there = hf_word_read(&entry.data)
    if there & ((1 << DEPTH_BITS) - 1) > <uint64_t> depth:
        entry += 1
    hf_word_write(&entry.data, data)
    hf_word_write(&entry.proof[0], words[1] ^ data)
    hf_word_write(&entry.proof[1], words[2] ^ data)
