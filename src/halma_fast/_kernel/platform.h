/* What the kernel asks of the machine: a clock, a flag that another thread may raise, prefetch, the processor's level.
 *
 * Owns every use of the operating system below the skin.  Invariant: nothing here takes the GIL or allocates.
 * Guarded by tests/search/test_limits.py and tests/unit/test_kernel_levels.py.
 */
#ifndef HALMA_FAST_PLATFORM_H
#define HALMA_FAST_PLATFORM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Seconds on a clock that never goes back. */
static inline double hf_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Leaves the processor to others for less than a second. */
static inline void hf_sleep(double seconds)
{
    struct timespec t = {0, (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

/* Relaxed order is enough: the flag carries no data, and a search may see it a few nodes late. */
static inline int32_t hf_flag_read(const int32_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static inline void hf_flag_write(int32_t *flag, int32_t value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }

/* Zeroed memory of a large table, aligned to a cache line, in huge pages where the system gives them: most probes of a
 * table miss the small pages' address cache.  NULL if there is none.  Pages are taken only when they are written. */
static inline void *hf_table_new(size_t size)
{
#if defined(__linux__)
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#if defined(MADV_HUGEPAGE)
    madvise(memory, size, MADV_HUGEPAGE);
#endif
    return memory;
#else
    void *memory = NULL;
    if (posix_memalign(&memory, 64, size) != 0)
        return NULL;
    memset(memory, 0, size);
    return memory;
#endif
}

/* Makes it all zeroes again.  Giving the pages back is faster than writing them, and the next use takes new ones. */
static inline void hf_table_clear(void *memory, size_t size)
{
#if defined(__linux__)
    if (madvise(memory, size, MADV_DONTNEED) == 0)
        return;
#endif
    memset(memory, 0, size);
}

static inline void hf_table_free(void *memory, size_t size)
{
    if (memory == NULL)
        return;
#if defined(__linux__)
    munmap(memory, size);
#else
    (void)size;
    free(memory);
#endif
}

/* Words of a table that threads share without a lock. Each is whole; whether several belong together, the table checks. */
static inline uint64_t hf_word_read(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void hf_word_write(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }
/* Returns what was there before. Ordered, so that who sees a count of threads at zero sees all that they wrote. */
static inline uint64_t hf_word_add(uint64_t *word, uint64_t value)
{
    return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

/* The condition, for a branch whose code is to be kept out of the way. */
static inline int hf_unlikely(int condition) { return (int)__builtin_expect(condition, 0); }

static inline void hf_prefetch(const void *address) { __builtin_prefetch(address); }

/* High half of a 64 x 64 bit product: maps a hash to 0..count-1 for any count, not only for powers of two. */
static inline uint64_t hf_scale(uint64_t hash, uint64_t count)
{
    return (uint64_t)(((unsigned __int128)hash * count) >> 64);
}

/* 0: anything, 2: what setup.py compiles level v2 for (popcount, SSE4.2), 3: level v3 (AVX2, BMI too). */
static inline int hf_processor_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("ssse3") || !__builtin_cpu_supports("sse4.1") ||
        !__builtin_cpu_supports("sse4.2"))
        return 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return 3;
    return 2;
#else
    return 0;
#endif
}

#endif
