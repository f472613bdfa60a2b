/* Debug builds only: which ideas of the search are switched off, so that a match shows what one of them is worth.
 *
 * Owns the reading of HALMA_FAST_WITHOUT, a list such as "lmr,null" (names: IDEAS below).  Invariant: in a normal build
 * no idea can be switched off and the question costs nothing.  Guarded by tests/search/test_ideas.py.
 */
#ifndef HALMA_FAST_SWITCHES_H
#define HALMA_FAST_SWITCHES_H

#include <stdint.h>

#if defined(HALMA_FAST_DEBUG) || defined(HALMA_FAST_SWITCHES)
#define HF_SWITCHES 1
#include <stdlib.h>
#include <string.h>

/* Bit k of the mask is the k-th name; the enum of tuning.pxd has the same order. */
static const char *const hf_idea_names[] = {"futility", "rfutility", "null", "lmr", "killers", "history",
                                            "continuation", "tablemove", "net"};

static inline uint32_t hf_ideas_off(void)
{
    const char *rest = getenv("HALMA_FAST_WITHOUT");
    uint32_t off = 0;
    while (rest != NULL && *rest) {
        const size_t length = strcspn(rest, ",");
        for (unsigned k = 0; k < sizeof hf_idea_names / sizeof *hf_idea_names; k++)
            if (strlen(hf_idea_names[k]) == length && memcmp(hf_idea_names[k], rest, length) == 0)
                off |= 1u << k;
        rest += length + (rest[length] == ',');
    }
    return off;
}
#else
#define HF_SWITCHES 0
static inline uint32_t hf_ideas_off(void) { return 0; }
#endif

#endif
