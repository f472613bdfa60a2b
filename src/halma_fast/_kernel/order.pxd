# In which order the moves of a node are tried.
# Owns killers, history and the picking. Invariant: every generated move is picked exactly once.
# Guarded by tests/search/.
from libc.stdint cimport int32_t

from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.state cimport State
from halma_fast._kernel.types cimport MAX_DEPTH, SQUARES, move_origin, move_t, move_target

cdef enum:
    TABLE_MOVE_SCORE = 1 << 30
    KILLER_SCORE = 1 << 28
    HISTORY_LIMIT = 1 << 14
    PROGRESS_WEIGHT = 256      # a point of progress against a unit of history
    SORTED_PICKS = 24          # later moves are tried as generated: by then no cut is likely, and picking costs more

ctypedef struct ScoredMove:
    int32_t score
    move_t move

ctypedef struct Order:
    move_t killer[MAX_DEPTH + 1][2]
    int32_t history[2][SQUARES * SQUARES]   # by side and move


cdef inline void score_moves(
        const Geometry* g, const State* s, const Order* order, int32_t ply, move_t table_move,
        const move_t* moves, ScoredMove* scored, int32_t count) noexcept nogil:
    """Table move first, then killers, then progress of the man together with how often the move has cut before."""
    cdef int32_t k, score
    cdef move_t move
    for k in range(count):
        move = moves[k]
        if move == table_move:
            score = TABLE_MOVE_SCORE
        elif move == order.killer[ply][0]:
            score = KILLER_SCORE + 1
        elif move == order.killer[ply][1]:
            score = KILLER_SCORE
        else:
            score = order.history[s.turn][move] + PROGRESS_WEIGHT * (
                g.side[s.turn].value[move_target(move)] - g.side[s.turn].value[move_origin(move)])
        scored[k].score = score
        scored[k].move = move


cdef inline move_t pick_move(ScoredMove* scored, int32_t k, int32_t count) noexcept nogil:
    """Bring the best of the moves from `k` on to place `k`."""
    cdef int32_t j, best = k
    cdef ScoredMove taken
    if k < SORTED_PICKS:
        for j in range(k + 1, count):
            if scored[j].score > scored[best].score:
                best = j
        taken = scored[best]
        scored[best] = scored[k]
        scored[k] = taken
    return scored[k].move


cdef inline void update_history(int32_t* cell, int32_t bonus) noexcept nogil:
    """Move a cell towards +-HISTORY_LIMIT, by less the closer it is."""
    cell[0] += bonus - cell[0] * (bonus if bonus > 0 else -bonus) // HISTORY_LIMIT


cdef inline void reward_cut(
        Order* order, int32_t side, int32_t ply, int32_t depth, const ScoredMove* scored, int32_t k) noexcept nogil:
    """Remember that move `k` cut, and that those tried before it did not."""
    cdef int32_t j
    cdef int32_t bonus = depth * depth * 16 if depth < 12 else 12 * 12 * 16
    cdef move_t move = scored[k].move
    if order.killer[ply][0] != move:
        order.killer[ply][1] = order.killer[ply][0]
        order.killer[ply][0] = move
    update_history(&order.history[side][move], bonus)
    for j in range(k):
        update_history(&order.history[side][scored[j].move], -bonus)
