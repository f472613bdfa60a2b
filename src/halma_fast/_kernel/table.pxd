# The transposition table of the search: what is known of positions already searched.
# Owns the entries. Invariant: an entry is believed only if its whole 64-bit key matches, its move only if it is legal
# where it is used; memory is `clusters` * 64 bytes and no more. Guarded by tests/search/.
from libc.stdint cimport int32_t, uint8_t, uint64_t

from halma_fast._kernel.planes cimport hf_prefetch, hf_scale
from halma_fast._kernel.types cimport PASS_MOVE, move_t

cdef enum:
    UPPER_BOUND = 1
    LOWER_BOUND = 2
    EXACT_BOUND = 3
    CLUSTER_ENTRIES = 4

ctypedef struct Entry:
    uint64_t key
    int32_t score           # wins and losses counted from this position, not from the root
    move_t move             # PASS_MOVE: none known
    uint8_t depth
    uint8_t bound_and_age   # bound in the low two bits

ctypedef struct Cluster:    # one cache line
    Entry entry[CLUSTER_ENTRIES]

ctypedef struct Table:
    Cluster* clusters
    uint64_t count
    uint8_t age             # in steps of 4, above the bound's bits


cdef inline Cluster* table_cluster(const Table* t, uint64_t key) noexcept nogil:
    return &t.clusters[hf_scale(key, t.count)]


cdef inline void table_prefetch(const Table* t, uint64_t key) noexcept nogil:
    hf_prefetch(table_cluster(t, key))


cdef inline const Entry* table_probe(const Table* t, uint64_t key) noexcept nogil:
    """The entry of a position, or NULL."""
    cdef const Cluster* cluster = table_cluster(t, key)
    cdef int32_t k
    for k in range(CLUSTER_ENTRIES):
        if cluster.entry[k].key == key and cluster.entry[k].bound_and_age & 3:
            return &cluster.entry[k]
    return NULL


cdef inline void table_store(
        Table* t, uint64_t key, int32_t score, move_t move, int32_t depth, int32_t bound) noexcept nogil:
    """Keep a result: over the same position's, else over the shallowest and oldest of its cluster."""
    cdef Cluster* cluster = table_cluster(t, key)
    cdef Entry* victim = &cluster.entry[0]
    cdef Entry* entry
    cdef int32_t k, worth, least = 0x7fffffff
    for k in range(CLUSTER_ENTRIES):
        entry = &cluster.entry[k]
        if entry.key == key and entry.bound_and_age & 3:
            victim = entry
            if move == PASS_MOVE:
                move = entry.move      # a bound without a move keeps the move known before
            break
        # An entry of an earlier search is worth four plies less for each search it has aged.
        worth = entry.depth - (<uint8_t> (t.age - (entry.bound_and_age & 0xfc)))
        if entry.bound_and_age & 3 == 0:
            worth = -0x10000
        if worth < least:
            least = worth
            victim = entry
    victim.key = key
    victim.score = score
    victim.move = move
    victim.depth = <uint8_t> depth
    victim.bound_and_age = <uint8_t> (t.age | bound)
