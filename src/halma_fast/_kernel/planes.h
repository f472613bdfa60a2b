/* Four parity planes: a set of squares of any board up to 16x16 as 4 x 64 bits.
 *
 * Owns the words and everything that shifts them.  Square (file, rank) is bit (rank >> 1) * 8 + (file >> 1) of
 * plane (file & 1) + 2 * (rank & 1).  Invariant: a hop stays in its plane, where it is a shift by 1, 7, 8 or 9, and
 * the man hopped over lies in another plane; so lifting the moving man never changes the edges of its own plane.
 * Guarded, through move generation, by tests/properties/.
 */
#ifndef HALMA_FAST_PLANES_H
#define HALMA_FAST_PLANES_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE4_1__
#include <immintrin.h>
#endif

#ifdef HALMA_FAST_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define HF_DEBUG 1
#define HF_ASSERT(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: kernel assertion failed: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#else
#define HF_DEBUG 0
#define HF_ASSERT(condition) ((void)0)
#endif

/* Storage form: plain words, so that no struct needs more than 8-byte alignment. */
typedef struct {
    uint64_t w[4];
} Planes;

/* Computing form: GCC and Clang turn it into AVX2, two SSE registers, two NEON registers or plain words. It never
 * crosses a call that is not inlined: how a vector is passed differs between instruction sets. */
typedef uint64_t PlaneVec __attribute__((vector_size(32)));

#define HF_INLINE static inline __attribute__((always_inline))

HF_INLINE int hf_popcount(uint64_t word) { return __builtin_popcountll(word); }
HF_INLINE int hf_lowest(uint64_t word) { return __builtin_ctzll(word); }

HF_INLINE PlaneVec hf_load(const Planes *planes)
{
    PlaneVec v;
    memcpy(&v, planes, sizeof v);
    return v;
}

HF_INLINE void hf_store(Planes *planes, PlaneVec v) { memcpy(planes, &v, sizeof v); }

HF_INLINE PlaneVec hf_and(PlaneVec a, PlaneVec b) { return a & b; }
HF_INLINE PlaneVec hf_or(PlaneVec a, PlaneVec b) { return a | b; }
HF_INLINE PlaneVec hf_without(PlaneVec a, PlaneVec b) { return a & ~b; }

HF_INLINE int hf_any(PlaneVec v)
{
#if defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return ((v[0] | v[1]) | (v[2] | v[3])) != 0;
#endif
}

HF_INLINE int hf_popcount_planes(PlaneVec v)
{
    return hf_popcount(v[0]) + hf_popcount(v[1]) + hf_popcount(v[2]) + hf_popcount(v[3]);
}

/* Squares common to two sets. */
HF_INLINE int hf_count_common(const Planes *a, const Planes *b)
{
    return hf_popcount(a->w[0] & b->w[0]) + hf_popcount(a->w[1] & b->w[1]) + hf_popcount(a->w[2] & b->w[2]) +
           hf_popcount(a->w[3] & b->w[3]);
}

#define HF_NOT_FIRST_COLUMN 0xfefefefefefefefeULL
#define HF_NOT_LAST_COLUMN 0x7f7f7f7f7f7f7f7fULL

/* Bit s of an edge mask: the square between s and its next square of the plane in that direction holds a man.
 * All men of a plane share these masks; the opposite directions use them from the far end. */
typedef struct {
    PlaneVec east, north, northeast, northwest;
} HopEdges;

HF_INLINE HopEdges hf_hop_edges(PlaneVec occupied)
{
    const PlaneVec not_first = {HF_NOT_FIRST_COLUMN, HF_NOT_FIRST_COLUMN, HF_NOT_FIRST_COLUMN, HF_NOT_FIRST_COLUMN};
    const PlaneVec not_last = {HF_NOT_LAST_COLUMN, HF_NOT_LAST_COLUMN, HF_NOT_LAST_COLUMN, HF_NOT_LAST_COLUMN};
    const PlaneVec beside = __builtin_shufflevector(occupied, occupied, 1, 0, 3, 2);
    const PlaneVec above = __builtin_shufflevector(occupied, occupied, 2, 3, 0, 1);
    const PlaneVec corner = __builtin_shufflevector(occupied, occupied, 3, 2, 1, 0);
    HopEdges edges;
    edges.east = (beside >> (PlaneVec){0, 1, 0, 1}) & not_last;
    edges.north = above >> (PlaneVec){0, 0, 8, 8};
    edges.northeast = (corner >> (PlaneVec){0, 1, 8, 9}) & not_last;
    edges.northwest = ((corner << (PlaneVec){1, 0, 1, 0}) >> (PlaneVec){0, 0, 8, 8}) & not_first;
    return edges;
}

/* Squares one orthogonal / one diagonal hop away from a set, whatever stands on them. */
HF_INLINE PlaneVec hf_orthogonal_hops(PlaneVec from, const HopEdges *e)
{
    return ((from & e->east) << 1) | ((from >> 1) & e->east) | ((from & e->north) << 8) | ((from >> 8) & e->north);
}

HF_INLINE PlaneVec hf_diagonal_hops(PlaneVec from, const HopEdges *e)
{
    return ((from & e->northeast) << 9) | ((from >> 9) & e->northeast) | ((from & e->northwest) << 7) |
           ((from >> 7) & e->northwest);
}

HF_INLINE PlaneVec hf_hops(PlaneVec from, const HopEdges *e)
{
    return hf_orthogonal_hops(from, e) | hf_diagonal_hops(from, e);
}

/* Bit s of the result: the neighbour of s in that direction is in the set. Each direction swaps the planes as its
 * edge mask does; the masks keep a neighbour beyond the first or last file from appearing on another rank. */
typedef struct {
    PlaneVec east, west, north, south, northeast, southwest, northwest, southeast;
} Neighbours;

HF_INLINE Neighbours hf_neighbours(PlaneVec set)
{
    const PlaneVec even_not_first = {HF_NOT_FIRST_COLUMN, ~0ULL, HF_NOT_FIRST_COLUMN, ~0ULL};
    const PlaneVec odd_not_last = {~0ULL, HF_NOT_LAST_COLUMN, ~0ULL, HF_NOT_LAST_COLUMN};
    const PlaneVec beside = __builtin_shufflevector(set, set, 1, 0, 3, 2);
    const PlaneVec above = __builtin_shufflevector(set, set, 2, 3, 0, 1);
    const PlaneVec corner = __builtin_shufflevector(set, set, 3, 2, 1, 0);
    const PlaneVec corner_east = (corner >> (PlaneVec){0, 1, 0, 1}) & odd_not_last;
    const PlaneVec corner_west = (corner << (PlaneVec){1, 0, 1, 0}) & even_not_first;
    Neighbours n;
    n.east = (beside >> (PlaneVec){0, 1, 0, 1}) & odd_not_last;
    n.west = (beside << (PlaneVec){1, 0, 1, 0}) & even_not_first;
    n.north = above >> (PlaneVec){0, 0, 8, 8};
    n.south = above << (PlaneVec){8, 8, 0, 0};
    n.northeast = corner_east >> (PlaneVec){0, 0, 8, 8};
    n.northwest = corner_west >> (PlaneVec){0, 0, 8, 8};
    n.southeast = corner_east << (PlaneVec){8, 8, 0, 0};
    n.southwest = corner_west << (PlaneVec){8, 8, 0, 0};
    return n;
}

/* Squares whose becoming empty or occupied can change what chains from some sources reach, by the plane that changes:
 * the square's own, where it is landed on, or one of the three where it is hopped over. */
typedef struct {
    Planes own, beside, above, corner;
} Relevant;

/* `sources` are the men and every square their chains reach, `landings` every square that is or may become empty.  All
 * squares that are not marked are neither hopped over nor landed on, now or after the change. */
HF_INLINE void hf_hop_relevant(PlaneVec sources, PlaneVec landings, const HopEdges *e, Relevant *relevant)
{
    const Neighbours s = hf_neighbours(sources), l = hf_neighbours(landings);
    hf_store(&relevant->own, hf_hops(sources, e));
    hf_store(&relevant->beside, (s.east & l.west) | (s.west & l.east));
    hf_store(&relevant->above, (s.north & l.south) | (s.south & l.north));
    hf_store(&relevant->corner, (s.northeast & l.southwest) | (s.southwest & l.northeast) |
                                    (s.northwest & l.southeast) | (s.southeast & l.northwest));
}

HF_INLINE HopEdges hf_edges_of_lanes(const Planes *east, const Planes *north, const Planes *northeast,
                                     const Planes *northwest)
{
    HopEdges e = {hf_load(east), hf_load(north), hf_load(northeast), hf_load(northwest)};
    return e;
}

HF_INLINE PlaneVec hf_flood(PlaneVec from, PlaneVec through, const HopEdges *e)
{
    PlaneVec reached = from, before;
    do {
        before = reached;
        reached |= hf_hops(reached, e) & through;
    } while (hf_any(reached ^ before));
    return reached;
}

/* Moves of `men` by chains through the squares of `through` that end on `land`, all four planes at once; `moves`
 * gets them added plane by plane.
 *
 * Empty squares that hops join are a component; every man that touches it reaches all of it, and components are
 * disjoint, so each adds (men touching) * (landing squares).  Returns the union of the components touched. */
HF_INLINE PlaneVec hf_component_moves(PlaneVec men, PlaneVec through, PlaneVec land, const HopEdges *e, int32_t *moves)
{
    PlaneVec rest = hf_hops(men, e) & through;
    PlaneVec all = rest ^ rest;
    while (hf_any(rest)) {
        PlaneVec component = rest & -rest, before;
        do {
            component |= hf_hops(component, e) & through;
            before = component;
            component |= hf_hops(component, e) & through;
        } while (hf_any(component ^ before));
        const PlaneVec touching = hf_hops(component, e) & men;
        const PlaneVec targets = component & land;
        for (int plane = 0; plane < 4; plane++)
            moves[plane] += hf_popcount(touching[plane]) * hf_popcount(targets[plane]);
        all |= component;
        rest &= ~component;
    }
    return all;
}

/* The same for one plane: what a single man needs. */
typedef struct {
    uint64_t east, north, northeast, northwest;
} LaneEdges;

HF_INLINE LaneEdges hf_lane(const HopEdges *e, int plane)
{
    LaneEdges lane = {e->east[plane], e->north[plane], e->northeast[plane], e->northwest[plane]};
    return lane;
}

HF_INLINE uint64_t hf_lane_orthogonal_hops(uint64_t from, const LaneEdges *e)
{
    return ((from & e->east) << 1) | ((from >> 1) & e->east) | ((from & e->north) << 8) | ((from >> 8) & e->north);
}

HF_INLINE uint64_t hf_lane_diagonal_hops(uint64_t from, const LaneEdges *e)
{
    return ((from & e->northeast) << 9) | ((from >> 9) & e->northeast) | ((from & e->northwest) << 7) |
           ((from >> 7) & e->northwest);
}

HF_INLINE uint64_t hf_lane_hops(uint64_t from, const LaneEdges *e)
{
    return hf_lane_orthogonal_hops(from, e) | hf_lane_diagonal_hops(from, e);
}

/* Everything that hops reach from a set through the squares of `through`; the set itself is included. */
HF_INLINE uint64_t hf_lane_flood(uint64_t from, uint64_t through, const LaneEdges *e)
{
    uint64_t reached = from, before;
    do {
        before = reached;
        reached |= hf_lane_hops(reached, e) & through;
    } while (reached != before);
    return reached;
}

#endif
