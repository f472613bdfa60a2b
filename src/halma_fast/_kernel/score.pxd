# Scores of decided games: who wins, by how many points, in how many plies from the root.
# Owns the number line. Invariant: evaluations stay between -DECIDED and DECIDED, an earlier win is above a later one,
# and in Pulce any win by more points is above any by fewer. Guarded by tests/search/.
from libc.stdint cimport int32_t

cdef enum:
    WIN_SCORE = 1_000_000    # a point; a win by p points after n plies is p * WIN_SCORE - n
    DECIDED = 900_000
    INFINITE_SCORE = 4_000_000


cdef inline bint is_decided(int32_t score) noexcept nogil:
    return score >= DECIDED or score <= -DECIDED


cdef inline int32_t decided_score(int32_t points, int32_t ply) noexcept nogil:
    """The score of a game that ends `ply` plies from the root, ahead by `points`, for the side to move; 0 is a draw."""
    if points > 0:
        return points * WIN_SCORE - ply
    if points < 0:
        return points * WIN_SCORE + ply
    return 0


cdef inline int32_t points_at_end(int32_t score) noexcept nogil:
    """By how many points a decided game ends, 1 or more."""
    return ((score if score > 0 else -score) + WIN_SCORE - 1) // WIN_SCORE


cdef inline int32_t plies_to_end(int32_t score) noexcept nogil:
    """How many plies from the root a decided game ends."""
    cdef int32_t size = score if score > 0 else -score
    return (WIN_SCORE - size % WIN_SCORE) % WIN_SCORE


# The table holds scores that count from the position itself, since it is met at different distances from the root.

cdef inline int32_t score_to_table(int32_t score, int32_t ply) noexcept nogil:
    return score + ply if score >= DECIDED else score - ply if score <= -DECIDED else score


cdef inline int32_t score_from_table(int32_t score, int32_t ply) noexcept nogil:
    return score - ply if score >= DECIDED else score + ply if score <= -DECIDED else score
