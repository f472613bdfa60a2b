/* What the kernel asks of the machine: a clock, a flag that another thread may raise, prefetch, the processor's level.
 *
 * Owns every use of the operating system below the skin.  Invariant: nothing here takes the GIL or allocates.
 * Guarded by tests/search/test_limits.py and tests/unit/test_kernel_levels.py.
 */
#ifndef HALMA_FAST_PLATFORM_H
#define HALMA_FAST_PLATFORM_H

#include <stdint.h>
#include <time.h>

/* Seconds on a clock that never goes back. */
static inline double hf_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Relaxed order is enough: the flag carries no data, and a search may see it a few nodes late. */
static inline int32_t hf_flag_read(const int32_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static inline void hf_flag_write(int32_t *flag, int32_t value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }

static inline void hf_prefetch(const void *address) { __builtin_prefetch(address); }

/* High half of a 64 x 64 bit product: maps a hash to 0..count-1 for any count, not only for powers of two. */
static inline uint64_t hf_scale(uint64_t hash, uint64_t count)
{
    return (uint64_t)(((unsigned __int128)hash * count) >> 64);
}

/* 0: anything, 2: x86-64-v2 (popcount, SSE4.2), 3: x86-64-v3 (AVX2, BMI). */
static inline int hf_processor_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("ssse3"))
        return 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma"))
        return 3;
    return 2;
#else
    return 0;
#endif
}

#endif
