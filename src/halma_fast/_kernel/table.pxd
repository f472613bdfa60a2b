# The transposition table of the search: what is known of positions already searched, shared by threads without a lock.
# Owns the entries. Invariant: an entry is believed only if its whole 64-bit key matches, its move only if it is legal
# where it is used; memory is `clusters` * 64 bytes and no more. Guarded by tests/search/.
#
# An entry is two words, each read and written whole. The first is the key xor the second, so that words of two writers
# match no key (Hyatt and Mann, "A lockless transposition-table implementation for parallel search", 2002).
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from halma_fast._kernel.planes cimport hf_prefetch, hf_scale, hf_word_read, hf_word_write
from halma_fast._kernel.types cimport PASS_MOVE, move_t

cdef enum:
    UPPER_BOUND = 1
    LOWER_BOUND = 2
    EXACT_BOUND = 3
    CLUSTER_ENTRIES = 4

ctypedef struct Slot:
    uint64_t proof          # key xor data
    uint64_t data           # an Entry: score, move, depth, bound and age, from the low bits up; 0: empty

ctypedef struct Entry:      # a slot's data unpacked
    int32_t score           # wins and losses counted from this position, not from the root
    move_t move             # PASS_MOVE: none known
    uint8_t depth
    uint8_t bound_and_age   # bound in the low two bits

ctypedef struct Cluster:    # one cache line
    Slot slot[CLUSTER_ENTRIES]

ctypedef struct Table:
    Cluster* clusters
    uint64_t count
    uint8_t age             # in steps of 4, above the bound's bits


cdef inline Cluster* table_cluster(const Table* t, uint64_t key) noexcept nogil:
    return &t.clusters[hf_scale(key, t.count)]


cdef inline void table_prefetch(const Table* t, uint64_t key) noexcept nogil:
    hf_prefetch(table_cluster(t, key))


cdef inline uint64_t pack_entry(const Entry* entry) noexcept nogil:
    return (<uint64_t> <uint32_t> entry.score | <uint64_t> entry.move << 32 | <uint64_t> entry.depth << 48
            | <uint64_t> entry.bound_and_age << 56)


cdef inline void unpack_entry(uint64_t data, Entry* entry) noexcept nogil:
    entry.score = <int32_t> <uint32_t> data
    entry.move = <move_t> (data >> 32)
    entry.depth = <uint8_t> (data >> 48)
    entry.bound_and_age = <uint8_t> (data >> 56)


cdef inline bint table_probe(const Table* t, uint64_t key, Entry* entry) noexcept nogil:
    """Whether the table has an entry of a position; then with it."""
    cdef const Cluster* cluster = table_cluster(t, key)
    cdef uint64_t data
    cdef int32_t k
    for k in range(CLUSTER_ENTRIES):
        data = hf_word_read(&cluster.slot[k].data)
        if hf_word_read(&cluster.slot[k].proof) ^ data == key and (data >> 56) & 3:
            unpack_entry(data, entry)
            return True
    return False


cdef inline void table_store(
        Table* t, uint64_t key, int32_t score, move_t move, int32_t depth, int32_t bound) noexcept nogil:
    """Keep a result: over the same position's, else over the shallowest and oldest of its cluster."""
    cdef Cluster* cluster = table_cluster(t, key)
    cdef Slot* victim = &cluster.slot[0]
    cdef Slot* slot
    cdef Entry entry
    cdef uint64_t data
    cdef int32_t k, worth, least = 0x7fffffff
    for k in range(CLUSTER_ENTRIES):
        slot = &cluster.slot[k]
        data = hf_word_read(&slot.data)
        unpack_entry(data, &entry)
        if hf_word_read(&slot.proof) ^ data == key and entry.bound_and_age & 3:
            victim = slot
            if move == PASS_MOVE:
                move = entry.move      # a bound without a move keeps the move known before
            break
        # An entry of an earlier search is worth four plies less for each search it has aged.
        worth = entry.depth - (<uint8_t> (t.age - (entry.bound_and_age & 0xfc)))
        if entry.bound_and_age & 3 == 0:
            worth = -0x10000
        if worth < least:
            least = worth
            victim = slot
    entry.score = score
    entry.move = move
    entry.depth = <uint8_t> depth
    entry.bound_and_age = <uint8_t> (t.age | bound)
    data = pack_entry(&entry)
    hf_word_write(&victim.data, data)
    hf_word_write(&victim.proof, key ^ data)


cdef inline int32_t table_permille(const Table* t) noexcept nogil:
    """How many of a thousand entries this search has written, from a sample of a thousand."""
    cdef int32_t k, used = 0
    cdef uint64_t data
    for k in range(1000):
        data = hf_word_read(&t.clusters[k // CLUSTER_ENTRIES].slot[k % CLUSTER_ENTRIES].data)
        if (data >> 56) & 3 and (data >> 56) & 0xfc == t.age:
            used += 1
    return used
