/* Boards up to 8x8: a plane of 4x4 squares is 16 bits, a set of squares one word, and a vector holds some boards.
 *
 * Owns the words of small boards and what shifts them.  Square `plane * 64 + row * 8 + column` of planes.h is bit
 * `plane * 16 + row * 4 + column` here.  Invariant: the same hops as planes.h, of several boards at once; a lane is a
 * plane of a board, and no shift leaves its lane.  Guarded by tests/unit/test_small_boards.py.
 */
#ifndef HALMA_FAST_SMALL_H
#define HALMA_FAST_SMALL_H

#include "planes.h"

/* As many boards as one register holds: four planes each. Like PlaneVec it never crosses a call that is not inlined. */
#ifdef __AVX2__
#define HF_BOARDS 4
#else
#define HF_BOARDS 2
#endif
typedef uint16_t BoardVec __attribute__((vector_size(8 * HF_BOARDS)));

/* What Zone of geometry.pxd says, as words. */
typedef struct {
    uint64_t men, through, land, enter_orthogonal, enter_diagonal, inside;
} SmallZone;

/* A component has a square at least, and a man beside it takes another: no plane has as many. */
#define HF_MAX_COMPONENTS 16

/* One value for all four planes of a board. */
#define HF_EACH_PLANE 0x0001000100010001ULL

#if HF_BOARDS == 4
/* A vector whose every board has the same planes. */
#define HF_EVERY(p0, p1, p2, p3) ((BoardVec){p0, p1, p2, p3, p0, p1, p2, p3, p0, p1, p2, p3, p0, p1, p2, p3})
/* For each plane of a board the one at the index given. */
#define HF_SWAP(v, p0, p1, p2, p3)                                                                                \
    __builtin_shufflevector(v, v, p0, p1, p2, p3, 4 + p0, 4 + p1, 4 + p2, 4 + p3, 8 + p0, 8 + p1, 8 + p2, 8 + p3, \
                            12 + p0, 12 + p1, 12 + p2, 12 + p3)
#else
#define HF_EVERY(p0, p1, p2, p3) ((BoardVec){p0, p1, p2, p3, p0, p1, p2, p3})
#define HF_SWAP(v, p0, p1, p2, p3) \
    __builtin_shufflevector(v, v, p0, p1, p2, p3, 4 + p0, 4 + p1, 4 + p2, 4 + p3)
#endif

/* The planes of a small board, each in the lowest 16 bits of its word. */
HF_INLINE PlaneVec hf_small_planes(PlaneVec planes)
{
    planes &= 0x0f0f0f0f;
    planes = (planes | planes >> 4) & 0x00ff00ff;
    return (planes | planes >> 8) & 0xffff;
}

HF_INLINE uint64_t hf_small(const Planes *planes)
{
    const PlaneVec board = hf_small_planes(hf_load(planes)) << (PlaneVec){0, 16, 32, 48};
    return (board[0] | board[1]) | (board[2] | board[3]);
}

HF_INLINE BoardVec hf_boards_load(const uint64_t *boards)
{
    BoardVec v;
    memcpy(&v, boards, sizeof v);
    return v;
}

HF_INLINE void hf_boards_store(uint64_t *boards, BoardVec v) { memcpy(boards, &v, sizeof v); }

/* The same board in every place. */
HF_INLINE BoardVec hf_boards_same(uint64_t board)
{
    uint64_t boards[HF_BOARDS];
    for (int k = 0; k < HF_BOARDS; k++)
        boards[k] = board;
    return hf_boards_load(boards);
}

HF_INLINE BoardVec hf_boards_add(BoardVec a, BoardVec b) { return a + b; }
HF_INLINE BoardVec hf_boards_times(BoardVec a, BoardVec b) { return a * b; }
HF_INLINE BoardVec hf_boards_without(BoardVec a, BoardVec b) { return a & ~b; }

HF_INLINE int hf_boards_any(BoardVec v)
{
#if HF_BOARDS == 4
    return hf_any((PlaneVec)v);
#elif defined(__SSE4_1__)
    return !_mm_testz_si128((__m128i)v, (__m128i)v);
#else
    uint64_t boards[HF_BOARDS];
    hf_boards_store(boards, v);
    return (boards[0] | boards[1]) != 0;
#endif
}

HF_INLINE int32_t hf_boards_sum(BoardVec v)
{
    int32_t sum = 0;
    for (int plane = 0; plane < 4 * HF_BOARDS; plane++)
        sum += v[plane];
    return sum;
}

/* Bits set in each byte. */
HF_INLINE BoardVec hf_boards_popcount_bytes(BoardVec v)
{
#if defined(__AVX2__)
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i low = (__m256i)(v & 0x0f0f), high = (__m256i)((v >> 4) & 0x0f0f);
    return (BoardVec)_mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
#elif defined(__SSE4_1__)
    const __m128i table = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m128i low = (__m128i)(v & 0x0f0f), high = (__m128i)((v >> 4) & 0x0f0f);
    return (BoardVec)_mm_add_epi8(_mm_shuffle_epi8(table, low), _mm_shuffle_epi8(table, high));
#else
    v -= (v >> 1) & 0x5555;
    v = (v & 0x3333) + ((v >> 2) & 0x3333);
    return (v + (v >> 4)) & 0x0f0f;
#endif
}

/* Bits set in each plane. */
HF_INLINE BoardVec hf_boards_popcount(BoardVec v)
{
    v = hf_boards_popcount_bytes(v);
#if defined(__AVX2__)
    return (BoardVec)_mm256_maddubs_epi16((__m256i)v, _mm256_set1_epi8(1));
#elif defined(__SSE4_1__)
    return (BoardVec)_mm_maddubs_epi16((__m128i)v, _mm_set1_epi8(1));
#else
    return (v + (v >> 8)) & 0xff;
#endif
}

/* In each plane, bits set in `a` times bits set in `b`. */
HF_INLINE BoardVec hf_boards_pairs(BoardVec a, BoardVec b) { return hf_boards_popcount(a) * hf_boards_popcount(b); }

/* Edge masks as in HopEdges, of each board. */
typedef struct {
    BoardVec east, north, northeast, northwest;
} BoardEdges;

HF_INLINE BoardEdges hf_boards_edges(BoardVec occupied)
{
    const BoardVec beside = HF_SWAP(occupied, 1, 0, 3, 2);
    const BoardVec above = HF_SWAP(occupied, 2, 3, 0, 1);
    const BoardVec corner = HF_SWAP(occupied, 3, 2, 1, 0);
    const BoardVec lower = HF_EVERY(0xffff, 0xffff, 0, 0), upper = HF_EVERY(0, 0, 0xffff, 0xffff);
    const BoardVec even_east = HF_EVERY(0x7777, 0, 0x7777, 0), odd_east = HF_EVERY(0, 0x7777, 0, 0x7777);
    const BoardVec even_west = HF_EVERY(0xeeee, 0, 0xeeee, 0), odd_west = HF_EVERY(0, 0xeeee, 0, 0xeeee);
    const BoardVec corner_east = (corner & even_east) | ((corner >> 1) & odd_east);
    const BoardVec corner_west = ((corner << 1) & even_west) | (corner & odd_west);
    BoardEdges e;
    e.east = (beside & even_east) | ((beside >> 1) & odd_east);
    e.north = (above & lower) | ((above >> 4) & upper);
    e.northeast = (corner_east & lower) | ((corner_east >> 4) & upper);
    e.northwest = (corner_west & lower) | ((corner_west >> 4) & upper);
    return e;
}

HF_INLINE BoardVec hf_boards_orthogonal_hops(BoardVec from, const BoardEdges *e)
{
    return ((from & e->east) << 1) | ((from >> 1) & e->east) | ((from & e->north) << 4) | ((from >> 4) & e->north);
}

HF_INLINE BoardVec hf_boards_diagonal_hops(BoardVec from, const BoardEdges *e)
{
    return ((from & e->northeast) << 5) | ((from >> 5) & e->northeast) | ((from & e->northwest) << 3) |
           ((from >> 3) & e->northwest);
}

HF_INLINE BoardVec hf_boards_hops(BoardVec from, const BoardEdges *e)
{
    return hf_boards_orthogonal_hops(from, e) | hf_boards_diagonal_hops(from, e);
}

/* Everything that hops reach from a set through the squares of `through`, the set included; `orthogonal` and `diagonal`
 * get what one more hop of either kind leads to. */
HF_INLINE BoardVec hf_boards_flood(BoardVec from, BoardVec through, const BoardEdges *e, BoardVec *orthogonal,
                                   BoardVec *diagonal)
{
    BoardVec reached = from, before;
    do {
        reached |= hf_boards_hops(reached, e) & through;
        before = reached;
        *orthogonal = hf_boards_orthogonal_hops(reached, e);
        *diagonal = hf_boards_diagonal_hops(reached, e);
        reached |= (*orthogonal | *diagonal) & through;
    } while (hf_boards_any(reached ^ before));
    return reached;
}

/* Landings of all chains of some men of one zone, a man a board. */
HF_INLINE BoardVec hf_boards_chain_targets(BoardVec man, BoardVec empty, const BoardEdges *e, const SmallZone *zone)
{
    BoardVec straight, slanted;
    const BoardVec reached = hf_boards_flood(man, empty & hf_boards_same(zone->through), e, &straight, &slanted);
    BoardVec entry = empty & ((straight & hf_boards_same(zone->enter_orthogonal)) |
                              (slanted & hf_boards_same(zone->enter_diagonal)));
    if (zone->inside && hf_boards_any(entry))
        entry = hf_boards_flood(entry, empty & hf_boards_same(zone->inside), e, &straight, &slanted);
    return (reached & ~man & hf_boards_same(zone->land)) | entry;
}

/* Components of empty squares that hops join, and the men beside each. */
typedef struct {
    BoardVec squares[HF_MAX_COMPONENTS], touching[HF_MAX_COMPONENTS];
    int filled;
} Components;

/* How many moves chains make that end in the goal, which they enter at the squares of `crossing`.
 *
 * Men that share a component outside need not share what they reach inside, so this goes by the components of the goal:
 * each is reached by the men that hop to one of its entrances, and by those beside a component outside that does. */
HF_INLINE BoardVec hf_boards_entry_moves(BoardVec men, BoardVec crossing, BoardVec empty, const BoardEdges *e,
                                         const SmallZone *zone, const Components *outside)
{
    BoardVec moves = men ^ men, straight, slanted;
    while (hf_boards_any(crossing)) {
        BoardVec component = crossing & -crossing;
        if (zone->inside)
            component = hf_boards_flood(component, empty & hf_boards_same(zone->inside), e, &straight, &slanted);
        BoardVec before = hf_boards_orthogonal_hops(component & hf_boards_same(zone->enter_orthogonal), e);
        if (zone->enter_diagonal)
            before |= hf_boards_diagonal_hops(component & hf_boards_same(zone->enter_diagonal), e);
        BoardVec sources = before & men;
        for (int k = 0; k < outside->filled; k++)
            sources |= outside->touching[k] & (BoardVec)((before & outside->squares[k]) != 0);
        moves += hf_boards_pairs(sources, component);
        crossing &= ~component;
    }
    return moves;
}

/* How many moves the chains of a zone's men make in each plane; see hf_component_moves. */
HF_INLINE BoardVec hf_boards_hop_moves(BoardVec men, BoardVec empty, const BoardEdges *e, const SmallZone *zone)
{
    const BoardVec through = empty & hf_boards_same(zone->through), land = hf_boards_same(zone->land);
    BoardVec orthogonal = hf_boards_orthogonal_hops(men, e), diagonal = hf_boards_diagonal_hops(men, e);
    BoardVec rest = (orthogonal | diagonal) & through, moves = men ^ men;
    Components outside;
    outside.filled = 0;
    while (hf_boards_any(rest)) {
        BoardVec straight, slanted;
        const BoardVec component = hf_boards_flood(rest & -rest, through, e, &straight, &slanted);
        const BoardVec touching = (straight | slanted) & men;
        moves += hf_boards_pairs(touching, component & land);
        HF_ASSERT(outside.filled < HF_MAX_COMPONENTS);
        outside.squares[outside.filled] = component;
        outside.touching[outside.filled] = touching;
        outside.filled++;
        orthogonal |= straight;
        diagonal |= slanted;
        rest &= ~component;
    }
    const BoardVec crossing = empty & ((orthogonal & hf_boards_same(zone->enter_orthogonal)) |
                                       (diagonal & hf_boards_same(zone->enter_diagonal)));
    if (hf_boards_any(crossing))
        moves += hf_boards_entry_moves(men, crossing, empty, e, zone, &outside);
    return moves;
}

#endif
