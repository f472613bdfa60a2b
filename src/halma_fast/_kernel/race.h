/* Sets of placements of one army: an open hash table over an array that keeps the order in which they came.
 *
 * Owns the memory of a race's layers.  Invariant: `slots` finds every one of the `count` states, each is there once, and
 * a set never grows beyond `most`.  Guarded by tests/race/.
 *
 * A state is one word on boards up to 8x8, where a plane fills 16 bits, and four on larger ones.
 */
#ifndef HALMA_FAST_RACE_H
#define HALMA_FAST_RACE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t *states;
    uint32_t *slots; /* 1 + index of a state; 0: free */
    uint64_t count, room, slot_count, most;
    int32_t words;
} RaceSet;

enum { HF_RACE_KNOWN = 0, HF_RACE_NEW = 1, HF_RACE_FULL = -1 };

static inline uint64_t hf_race_hash(const uint64_t *state, int32_t words)
{
    uint64_t hash = 0;
    for (int32_t k = 0; k < words; k++) {
        hash = (hash ^ state[k]) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    return hash * 0xBF58476D1CE4E5B9ULL;
}

static inline int hf_race_same(const uint64_t *a, const uint64_t *b, int32_t words)
{
    for (int32_t k = 0; k < words; k++)
        if (a[k] != b[k])
            return 0;
    return 1;
}

/* The slot of a state, or the free one where it belongs.  A quarter of the slots is always free. */
static inline uint64_t hf_race_slot(const RaceSet *set, const uint64_t *state)
{
    uint64_t slot = hf_race_hash(state, set->words) >> 20 & (set->slot_count - 1);
    while (set->slots[slot] &&
           !hf_race_same(state, set->states + (uint64_t)(set->slots[slot] - 1) * (uint64_t)set->words, set->words))
        slot = (slot + 1) & (set->slot_count - 1);
    return slot;
}

static inline int hf_race_grow_slots(RaceSet *set)
{
    uint64_t wanted = set->slot_count ? 2 * set->slot_count : 1024;
    uint32_t *slots = (uint32_t *)calloc(wanted, sizeof(uint32_t));
    if (slots == NULL)
        return 0;
    free(set->slots);
    set->slots = slots;
    set->slot_count = wanted;
    for (uint64_t k = 0; k < set->count; k++)
        set->slots[hf_race_slot(set, set->states + k * (uint64_t)set->words)] = (uint32_t)(k + 1);
    return 1;
}

static inline int hf_race_add(RaceSet *set, const uint64_t *state)
{
    if (4 * (set->count + 1) > 3 * set->slot_count && !hf_race_grow_slots(set))
        return HF_RACE_FULL;
    const uint64_t slot = hf_race_slot(set, state);
    if (set->slots[slot])
        return HF_RACE_KNOWN;
    if (set->count >= set->most)
        return HF_RACE_FULL;
    if (set->count == set->room) {
        const uint64_t room = set->room ? set->room + set->room / 2 : 1024;
        uint64_t *states = (uint64_t *)realloc(set->states, room * (uint64_t)set->words * sizeof(uint64_t));
        if (states == NULL)
            return HF_RACE_FULL;
        set->states = states;
        set->room = room;
    }
    memcpy(set->states + set->count * (uint64_t)set->words, state, (size_t)set->words * sizeof(uint64_t));
    set->slots[slot] = (uint32_t)++set->count;
    return HF_RACE_NEW;
}

/* 1 + the index of a state, 0 if it is not there. */
static inline uint32_t hf_race_find(const RaceSet *set, const uint64_t *state)
{
    return set->slot_count ? set->slots[hf_race_slot(set, state)] : 0;
}

static inline void hf_race_empty(RaceSet *set)
{
    set->count = 0;
    if (set->slots != NULL)
        memset(set->slots, 0, set->slot_count * sizeof(uint32_t));
}

static inline void hf_race_free(RaceSet *set)
{
    free(set->states);
    free(set->slots);
    set->states = NULL;
    set->slots = NULL;
    set->count = set->room = set->slot_count = 0;
}

#endif
