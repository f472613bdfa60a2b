# Perft: the number of leaves at a depth.
# Owns the recursion. Invariant: counts exactly what the rules allow, in bulk (leaves are counted, not made), with a
# table, or leaf by leaf; all give the same number. Guarded by tests/perft/.
from libc.stdint cimport int32_t, int64_t, uint64_t

from halma_fast._kernel.control cimport Control, control_beat
from halma_fast._kernel.duty cimport count_legal_moves, legal_moves, stage_of
from halma_fast._kernel.ending cimport can_move, is_completed_game
from halma_fast._kernel.geometry cimport STAGES, Geometry
from halma_fast._kernel.movegen cimport count_hops, count_steps
from halma_fast._kernel.pairs cimport count_pairs
from halma_fast._kernel.perft_table cimport (
    PerftKey, PerftTable, key_fill, key_move, table_fetch, table_find, table_keep)
from halma_fast._kernel.planes cimport hf_count_common, hf_flag_read
from halma_fast._kernel.small_pairs cimport count_small_pairs
from halma_fast._kernel.state cimport State, state_move
from halma_fast._kernel.types cimport O, PASS_MOVE, X, move_origin, move_t, move_target

ctypedef struct PerftJob:
    const Geometry* geometry
    Control* control
    const PerftTable* table     # NULL: none; shared by threads
    bint bulk


cdef inline int32_t steps_after(
        const Geometry* g, const State* s, int32_t waiting_steps, move_t move) noexcept nogil:
    """Steps of the side that waits, after the side to move has made `move`.

    Only the two squares of the move change: one becomes a place to step to, the other stops being one.
    """
    cdef int32_t waiting = s.turn ^ 1
    return (waiting_steps
            + hf_count_common(&s.men[waiting], &g.side[waiting].step_to[move_origin(move)])
            - hf_count_common(&s.men[waiting], &g.side[waiting].step_to[move_target(move)]))


cdef inline uint64_t perft_frontier(
        const Geometry* g, const State* s, int32_t mover_steps) noexcept nogil:
    """Leaves one ply below an unfinished position."""
    cdef int32_t count = mover_steps + count_hops(g, s, s.turn)
    if count == 0:
        return 1 if can_move(g, s, s.turn ^ 1) else 0
    return count


cdef inline int32_t moves_to_follow(const Geometry* g, const State* s, move_t* moves) noexcept nogil:
    """The moves of an unfinished position: a pass if it is forced, none if neither side can move."""
    cdef int32_t count = legal_moves(g, s, moves)
    if count == 0 and can_move(g, s, s.turn ^ 1):
        moves[0] = PASS_MOVE
        count = 1
    return count


cdef inline uint64_t perft_bulk(
        const PerftJob* job, const State* s, int32_t depth, int32_t mover_steps, move_t* moves) noexcept nogil:
    """Leaves `depth` >= 1 plies below; `moves` has room for depth * max_moves."""
    cdef const Geometry* g = job.geometry
    cdef State child
    cdef int32_t k, count, waiting_steps
    cdef uint64_t leaves = 0
    cdef int64_t pairs
    if is_completed_game(g, s):
        return 0
    if depth == 1:
        return perft_frontier(g, s, mover_steps)
    if depth == 2:
        pairs = count_small_pairs(g, s) if g.small.fits else count_pairs(g, s)
        if pairs >= 0:
            return pairs
    count = moves_to_follow(g, s, moves)
    if count == 0:
        return 0
    waiting_steps = count_steps(g, s, s.turn ^ 1)
    for k in range(count):
        if depth > 2 or (k & 31) == 0:
            if control_beat(job.control):
                break
        child = s[0]
        state_move(g, &child, moves[k])
        leaves += perft_bulk(
            job, &child, depth - 1,
            waiting_steps if moves[k] == PASS_MOVE else steps_after(g, s, waiting_steps, moves[k]),
            moves + g.max_moves)
    return leaves


cdef inline uint64_t perft_with_table(
        const PerftJob* job, const State* s, const PerftKey* key, int32_t depth, int32_t mover_steps,
        move_t* moves) noexcept nogil:
    """The same as `perft_bulk`, but positions of depth 2 and more are looked up first and kept."""
    cdef const Geometry* g = job.geometry
    cdef State child
    cdef PerftKey child_key, next_key
    cdef int32_t k, count, waiting_steps
    cdef int64_t pairs
    cdef uint64_t leaves = 0
    if is_completed_game(g, s):
        return 0
    if depth == 1:
        return perft_frontier(g, s, mover_steps)
    if table_find(job.table, g, key, depth, &leaves):
        return leaves
    if depth == 2:
        pairs = count_small_pairs(g, s) if g.small.fits else count_pairs(g, s)
        if pairs >= 0:
            table_keep(job.table, g, key, depth, pairs)
            return pairs
    count = moves_to_follow(g, s, moves)
    if count == 0:
        return 0
    waiting_steps = count_steps(g, s, s.turn ^ 1)
    leaves = 0
    key_move(g, key, s.turn, moves[0], &next_key)
    for k in range(count):
        if control_beat(job.control):
            return leaves
        child_key = next_key
        if k + 1 < count:
            # Its entry is on its way from memory while this child is counted.
            key_move(g, key, s.turn, moves[k + 1], &next_key)
            if depth > 2:
                table_fetch(job.table, g, &next_key, depth - 1)
        child = s[0]
        state_move(g, &child, moves[k])
        leaves += perft_with_table(
            job, &child, &child_key, depth - 1,
            waiting_steps if moves[k] == PASS_MOVE else steps_after(g, s, waiting_steps, moves[k]),
            moves + g.max_moves)
    if not hf_flag_read(&job.control.stop):
        table_keep(job.table, g, key, depth, leaves)
    return leaves


cdef inline int64_t count_pairs_on_duty(const Geometry* g, const State* s) noexcept nogil:
    """Leaves two plies below an unfinished position, or -1 where only looking at each child will do.

    `count_pairs` will not do where a child may leave the waiting side without a step, and its stage is OUT in all of
    them otherwise; nor where the mover has no move at its stage.
    """
    cdef int32_t x_stage = stage_of(g, s, X)
    return count_pairs(&g.stage[STAGES * x_stage + stage_of(g, s, O)], s)


cdef inline uint64_t perft_on_duty(
        const PerftJob* job, const State* s, const PerftKey* key, int32_t depth, move_t* moves) noexcept nogil:
    """The same under the home duty: which moves count depends on the position, so steps are not carried along.

    With a table if the job has one.
    """
    cdef const Geometry* g = job.geometry
    cdef State child
    cdef PerftKey child_key
    cdef int32_t k, count
    cdef int64_t pairs
    cdef uint64_t leaves = 0
    if is_completed_game(g, s):
        return 0
    if depth == 1:
        count = count_legal_moves(g, s, s.turn)
        return count if count else can_move(g, s, s.turn ^ 1)
    if job.table != NULL and table_find(job.table, g, key, depth, &leaves):
        return leaves
    if depth == 2:
        pairs = count_pairs_on_duty(g, s)
        if pairs >= 0:
            if job.table != NULL:
                table_keep(job.table, g, key, depth, pairs)
            return pairs
    count = moves_to_follow(g, s, moves)
    leaves = 0
    for k in range(count):
        if control_beat(job.control):
            return leaves
        child = s[0]
        state_move(g, &child, moves[k])
        key_move(g, key, s.turn, moves[k], &child_key)
        leaves += perft_on_duty(job, &child, &child_key, depth - 1, moves + g.max_moves)
    if job.table != NULL and count and not hf_flag_read(&job.control.stop):
        table_keep(job.table, g, key, depth, leaves)
    return leaves


cdef inline uint64_t perft_leaf_by_leaf(
        const PerftJob* job, const State* s, int32_t depth, move_t* moves) noexcept nogil:
    """The same, but every leaf is made: a second path to the same number."""
    cdef const Geometry* g = job.geometry
    cdef State child
    cdef int32_t k, count
    cdef uint64_t leaves = 0
    if depth == 0:
        return 1
    if is_completed_game(g, s):
        return 0
    count = moves_to_follow(g, s, moves)
    if count == 0:
        return 0
    for k in range(count):
        if depth > 1 and control_beat(job.control):
            break
        child = s[0]
        state_move(g, &child, moves[k])
        leaves += perft_leaf_by_leaf(job, &child, depth - 1, moves + g.max_moves)
    return leaves


cdef inline uint64_t perft(const PerftJob* job, const State* s, int32_t depth, move_t* moves) noexcept nogil:
    """Leaves at `depth` >= 1; what was counted so far if the control stops the job."""
    cdef PerftKey key
    if job.bulk and job.geometry.stage != NULL:
        key_fill(job.geometry, s, &key)
        return perft_on_duty(job, s, &key, depth, moves)
    if job.bulk and job.table != NULL:
        key_fill(job.geometry, s, &key)
        return perft_with_table(job, s, &key, depth, count_steps(job.geometry, s, s.turn), moves)
    if job.bulk:
        return perft_bulk(job, s, depth, count_steps(job.geometry, s, s.turn), moves)
    return perft_leaf_by_leaf(job, s, depth, moves)
