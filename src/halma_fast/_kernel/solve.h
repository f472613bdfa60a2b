/* Bytes of the solver's arrays, which threads share without a lock.
 *
 * Owns the atomic accesses.  Invariant: relaxed order is enough, since a stage reads only what the stage before wrote,
 * and threads are joined between stages.  Guarded by tests/solve/.
 */
#ifndef HALMA_FAST_SOLVE_H
#define HALMA_FAST_SOLVE_H

#include <stdint.h>

static inline uint8_t hf_byte_read(const uint8_t *byte) { return __atomic_load_n(byte, __ATOMIC_RELAXED); }

/* Sets a byte that is 0; whether this call did, so that one thread of several counts it. */
static inline int hf_byte_claim(uint8_t *byte, uint8_t value)
{
    uint8_t expected = 0;
    return __atomic_compare_exchange_n(byte, &expected, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Takes one from a byte; the byte before. */
static inline uint8_t hf_byte_take(uint8_t *byte) { return __atomic_fetch_sub(byte, 1, __ATOMIC_RELAXED); }

#endif
