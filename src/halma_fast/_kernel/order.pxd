# In which order the moves of a node are tried, and how late they are listed: often one of the first ones cuts.
# Owns killers, histories and the picking. Invariant: every legal move is picked exactly once, except those that
# `floor` lets go, which are counted. Guarded by tests/search/.
from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t

from halma_fast._kernel.duty cimport is_legal_move, legal_moves
from halma_fast._kernel.geometry cimport Geometry, SideRules, Zone
from halma_fast._kernel.movegen cimport chain_targets, empty_squares, hop_edges
from halma_fast._kernel.planes cimport (
    HopEdges, LaneEdges, PlaneVec, Planes, hf_and, hf_any, hf_hops, hf_lane, hf_load, hf_lowest, hf_or, hf_store,
    hf_unlikely, hf_without)
from halma_fast._kernel.state cimport State
from halma_fast._kernel.tuning cimport (
    CONTINUATION, HISTORY, HISTORY_LIMIT, HF_SWITCHES, KILLERS, PROGRESS_WEIGHT, SORTED_PICKS)
from halma_fast._kernel.types cimport (
    MAX_DEPTH, PASS_MOVE, PLANES, SQUARES, make_move, move_origin, move_t, move_target)

cdef enum:
    NO_FLOOR = -(1 << 30)
    TABLE_MOVE_SCORE = 1 << 30

cdef enum:
    TABLE_STAGE = 0
    KILLER_STAGE            # and the one after it: a stage for each killer
    LIST_STAGE = 3
    PICK_STAGE

ctypedef struct ScoredMove:
    int32_t score
    move_t move

ctypedef struct Order:
    move_t killer[MAX_DEPTH + 2][2]
    int16_t history[2][SQUARES * SQUARES]        # by side and move
    int16_t continuation[2][SQUARES * SQUARES]   # by the target of the other's last move, of the own one before; target

ctypedef struct Picker:
    int32_t stage
    int32_t k               # next place of the list
    int32_t count           # moves in the list
    int32_t skipped         # moves that the floor kept out of it
    bint legal              # the side has a move, if it has been listed
    int32_t floor           # moves that gain less are not listed
    int32_t depth
    move_t first[3]         # table move and killers that have been tried
    move_t reply_to         # the other side's last move
    move_t follow_up        # the own move before it
    ScoredMove* scored      # g.max_moves of them
    uint32_t disabled


cdef inline int32_t move_gain(const Geometry* g, const State* s, move_t move) noexcept nogil:
    """The progress of the man, in points."""
    return g.side[s.turn].value[move_target(move)] - g.side[s.turn].value[move_origin(move)]


cdef inline int32_t base_score(
        const Order* order, const Picker* p, int32_t side, move_t move, int32_t gain) noexcept nogil:
    """Progress, and how often the move has cut before.

    History is by origin and target, since a chain has the same ends on many ways, and beside it by target alone after
    what both sides played last.
    """
    cdef int32_t score = PROGRESS_WEIGHT * gain
    cdef int32_t target = move_target(move)
    if p.depth > 1:
        if not (HF_SWITCHES and p.disabled & HISTORY):
            score += order.history[side][move]
        if not (HF_SWITCHES and p.disabled & CONTINUATION):
            score += (order.continuation[0][move_target(p.reply_to) * SQUARES + target]
                      + order.continuation[1][move_target(p.follow_up) * SQUARES + target])
    return score


cdef inline void list_moves(const Geometry* g, const State* s, const Order* order, Picker* p) noexcept nogil:
    """List the moves that are not below the floor, with their scores."""
    cdef const SideRules* rules = &g.side[s.turn]
    cdef const Zone* zone
    cdef Planes empty, targets, hoppers
    cdef HopEdges edges = hop_edges(s)
    cdef LaneEdges lane
    cdef PlaneVec free = empty_squares(g, s)
    cdef PlaneVec reach, all_reach = hf_and(free, hf_without(free, free))
    cdef int32_t z, plane, k, origin, target, gain, here, count = 0
    cdef bint ahead_only = p.floor > 0
    cdef uint64_t men, man, rest
    cdef move_t move
    hf_store(&empty, free)
    p.skipped = 0
    for z in range(rules.zones):
        zone = &rules.zone[z]
        # A hop back from an empty square comes upon the men who have one; few do, and the others have no chains.
        hf_store(&hoppers, hf_hops(hf_and(free, hf_or(
            hf_load(&zone.through), hf_or(hf_load(&zone.enter_orthogonal), hf_load(&zone.enter_diagonal)))), &edges))
        for plane in range(PLANES):
            men = s.men[s.turn].w[plane] & zone.men.w[plane]
            if men == 0:
                continue
            lane = hf_lane(&edges, plane)
            while men:
                man = men & (~men + 1)
                men ^= man
                origin = 64 * plane + hf_lowest(man)
                reach = hf_and(hf_load(&rules.step_from[origin]), free)
                if hoppers.w[plane] & man:
                    hf_store(&targets, reach)
                    targets.w[plane] = chain_targets(zone, plane, man, empty.w[plane], &lane)
                    reach = hf_load(&targets)
                all_reach = hf_or(all_reach, reach)
                if ahead_only:
                    # Most moves go backward: where only progress counts they are not even looked at.
                    if hf_any(hf_without(reach, hf_load(&rules.ahead[origin]))):
                        p.skipped += 1
                    reach = hf_and(reach, hf_load(&rules.ahead[origin]))
                if not hf_any(reach):
                    continue
                hf_store(&targets, reach)
                here = rules.value[origin]
                for k in range(PLANES):
                    rest = targets.w[k]
                    while rest:
                        target = 64 * k + hf_lowest(rest)
                        rest &= rest - 1
                        gain = rules.value[target] - here
                        if gain < p.floor:
                            p.skipped += 1
                            continue
                        move = make_move(origin, target)
                        if move == p.first[0] or move == p.first[1] or move == p.first[2]:
                            continue
                        p.scored[count].score = base_score(order, p, s.turn, move, gain)
                        p.scored[count].move = move
                        count += 1
    p.legal = hf_any(all_reach)
    p.count = count
    p.k = 0


cdef inline void list_on_duty(const Geometry* g, const State* s, const Order* order, Picker* p) noexcept nogil:
    """The same under the home duty, where what is legal depends on all men."""
    # The moves are written to the end of the room for the scored ones, which grow towards it and never overtake.
    cdef move_t* moves = <move_t*> (p.scored + g.max_moves) - g.max_moves
    cdef int32_t k, gain, count = 0, total = legal_moves(g, s, moves)
    cdef move_t move
    p.legal = total > 0
    p.skipped = 0
    for k in range(total):
        move = moves[k]
        gain = move_gain(g, s, move)
        if gain < p.floor:
            p.skipped += 1
        elif move != p.first[0] and move != p.first[1] and move != p.first[2]:
            p.scored[count].score = base_score(order, p, s.turn, move, gain)
            p.scored[count].move = move
            count += 1
    p.count = count
    p.k = 0


cdef inline void list_given(
        const Geometry* g, const State* s, const Order* order, Picker* p,
        const move_t* moves, int32_t count) noexcept nogil:
    """List these moves, table move first, instead of all."""
    cdef int32_t k
    for k in range(count):
        p.scored[k].move = moves[k]
        p.scored[k].score = TABLE_MOVE_SCORE if moves[k] == p.first[0] else (
            PROGRESS_WEIGHT * move_gain(g, s, moves[k]) + order.history[s.turn][moves[k]])
    p.count = count
    p.k = 0
    p.stage = PICK_STAGE


cdef inline bint is_legal(const Geometry* g, const State* s, move_t move) noexcept nogil:
    return move != PASS_MOVE and is_legal_move(g, s, move_origin(move), move_target(move))


cdef inline move_t next_move(const Geometry* g, const State* s, const Order* order, int32_t ply,
                             Picker* p) noexcept nogil:
    """The next move to try; PASS_MOVE: there is none left.

    Table move and killers are tried before any other move is listed: if one of them cuts, none ever is.
    """
    cdef int32_t j, best
    cdef ScoredMove taken
    cdef move_t move
    if p.stage == TABLE_STAGE:
        p.stage = KILLER_STAGE
        if is_legal(g, s, p.first[0]):
            return p.first[0]
        p.first[0] = PASS_MOVE
    while p.stage < LIST_STAGE:
        j = p.stage - KILLER_STAGE
        p.stage += 1
        move = order.killer[ply][j]
        if (p.depth > 1 and move != p.first[0] and not (HF_SWITCHES and p.disabled & KILLERS)
                and is_legal(g, s, move)):
            p.first[1 + j] = move
            return move
    if p.stage == LIST_STAGE:
        p.stage = PICK_STAGE
        if hf_unlikely(g.stage != NULL):
            list_on_duty(g, s, order, p)
        else:
            list_moves(g, s, order, p)
    if p.k >= p.count:
        return PASS_MOVE
    if p.k < SORTED_PICKS:
        best = p.k
        for j in range(p.k + 1, p.count):
            if p.scored[j].score > p.scored[best].score:
                best = j
        taken = p.scored[best]
        p.scored[best] = p.scored[p.k]
        p.scored[p.k] = taken
    p.k += 1
    return p.scored[p.k - 1].move


cdef inline void update_history(int16_t* cell, int32_t bonus) noexcept nogil:
    """Move a cell towards +-HISTORY_LIMIT, by less the closer it is."""
    cell[0] += <int16_t> (bonus - cell[0] * (bonus if bonus > 0 else -bonus) // HISTORY_LIMIT)


cdef inline void reward_cut(
        Order* order, int32_t side, int32_t ply, int32_t depth, const Picker* p,
        const move_t* tried, int32_t k) noexcept nogil:
    """Remember that move `k` of those tried cut, and that those before it did not."""
    cdef int32_t j, change
    cdef int32_t bonus = depth * depth * 16 if depth < 12 else 12 * 12 * 16
    cdef move_t move = tried[k]
    cdef int16_t* after_reply = &order.continuation[0][move_target(p.reply_to) * SQUARES]
    cdef int16_t* after_own = &order.continuation[1][move_target(p.follow_up) * SQUARES]
    if order.killer[ply][0] != move:
        order.killer[ply][1] = order.killer[ply][0]
        order.killer[ply][0] = move
    for j in range(k + 1):
        move = tried[j]
        change = bonus if j == k else -bonus
        update_history(&order.history[side][move], change)
        update_history(&after_reply[move_target(move)], change)
        update_history(&after_own[move_target(move)], change)
