# One node of the search: what is known at once, what need not be searched, and the loop over the moves.
# Owns the recursion. Invariant: a win or loss it reports is proven: a search at less depth proves as well, and where a
# move was left out nothing beyond DECIDED is claimed from that. Guarded by tests/search/.
from libc.stdint cimport int32_t, uint32_t, uint64_t

from halma_fast._kernel.control cimport Control, control_beat
from halma_fast._kernel.ending cimport (
    can_move, is_completed_game, is_deadline_missed, is_turn_cap_reached, side_points, turns_made)
from halma_fast._kernel.evaluate cimport evaluate_within, sums_move
from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.net cimport NetSums
from halma_fast._kernel.order cimport NO_FLOOR, Order, Picker, ScoredMove, list_given, move_gain, next_move, reward_cut
from halma_fast._kernel.planes cimport (
    hf_count_common, hf_flag_read, hf_flag_write, hf_popcount, hf_word_add, hf_word_write)
from halma_fast._kernel.score cimport (
    INFINITE_SCORE, WIN_SCORE, decided_score, is_decided, score_from_table, score_to_table)
from halma_fast._kernel.state cimport State, state_move
from halma_fast._kernel.table cimport (
    EXACT_BOUND, LOWER_BOUND, UPPER_BOUND, Entry, Table, table_prefetch, table_probe, table_store)
from halma_fast._kernel.tuning cimport (
    BACKWARD_REDUCTION, FULL_WIDTH_LEFT, FULL_WIDTH_MEN, FUTILITY, FUTILITY_DEPTH, FUTILITY_MARGIN, HF_SWITCHES,
    LATE_REDUCTION, LATE_REDUCTION_DEPTH, LATE_REDUCTION_MOVES, LATE_REDUCTION_PERCENT, NET, NULL_DEPTH, NULL_MOVE,
    NULL_REDUCTION, NULL_SLOPE, REVERSE_FUTILITY, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN, TABLE_MOVE)
from halma_fast._kernel.types cimport MAX_DEPTH, PASS_MOVE, PLANES, move_t

cdef enum:
    NODE_SHARE = 256           # nodes that a thread takes at a time from a limit it shares with others

# Takes the depth, the score and its bound.
ctypedef void (*report_t)(void* listener, int32_t depth, int32_t score, int32_t bound) noexcept nogil

ctypedef struct Line:
    int32_t length
    move_t move[MAX_DEPTH + 1]

ctypedef struct Search:
    const Geometry* geometry
    Control control
    Table* table
    Order* order
    State root
    uint64_t nodes                       # atomic: other threads read it
    uint64_t node_limit
    uint64_t* spent                      # nodes given out of `node_budget` to the threads of a search; NULL: one thread
    uint64_t node_budget
    int32_t seldepth
    int32_t root_count                   # how many root moves are searched; 0: all
    const move_t* root_moves             # these
    move_t root_move                     # the best move of the depth before, tried first; PASS_MOVE: none known
    report_t report                      # told of every score beyond the window; NULL: nobody
    void* listener
    Line found                           # the best line of this depth so far, and its score; empty: none yet
    int32_t found_score
    move_t* moves                        # (MAX_DEPTH + 1) * max_moves: of each ply, those tried
    ScoredMove* scored                   # the same: of each ply, those listed
    Line line[MAX_DEPTH + 2]             # line[ply]: best line found from there
    uint64_t path[MAX_DEPTH + 2]         # keys from the root to the node
    NetSums sums[MAX_DEPTH + 2]          # of the net, for the nodes of the line; only where the variant has one
    move_t played[MAX_DEPTH + 2]         # played[ply]: the move that leads on from there; PASS_MOVE: pass or null move
    const uint64_t* drawn_keys           # positions of the game so far that may not occur once more
    int32_t drawn_count
    uint32_t disabled                    # debug builds: ideas that are switched off (tuning.pxd)


cdef inline bint uses(const Search* search, uint32_t idea) noexcept nogil:
    """Whether an idea is switched on: always, but in a debug build."""
    return not (HF_SWITCHES and search.disabled & idea)


cdef inline int32_t points_ahead(const Geometry* g, const State* s) noexcept nogil:
    """Pulce: points of the side to move less those of the other, as they stand; Halma has none."""
    if not g.scored:
        return 0
    return side_points(g, s, s.turn) - side_points(g, s, s.turn ^ 1)


cdef inline bint is_repetition(const Search* search, const State* s, int32_t ply) noexcept nogil:
    """Whether the position ends the line as a draw: it has occurred in this line, or twice in the game before.

    One recurrence within the line is enough: whoever gains by repeating once could repeat again.
    """
    cdef int32_t k = ply - 2
    while k >= 0:
        if search.path[k] == s.key:
            return True
        k -= 2
    for k in range(search.drawn_count):
        if search.drawn_keys[k] == s.key:
            return True
    return False


cdef inline bint ended_score(Search* search, const State* s, int32_t ply, int32_t* score) noexcept nogil:
    """Whether the game is over here, in the order in which the rules apply; then with its score."""
    cdef const Geometry* g = search.geometry
    if is_completed_game(g, s):
        # Halma: the other side has just filled the goal.
        score[0] = decided_score(points_ahead(g, s) if g.scored else -1, ply)
        return True
    if is_deadline_missed(g, s):
        score[0] = decided_score(1, ply)
        return True
    if (g.repetition != 0 and is_repetition(search, s, ply)) or is_turn_cap_reached(g, s):
        score[0] = decided_score(points_ahead(g, s), ply)
        return True
    return False


cdef inline uint64_t table_key(const Geometry* g, const State* s) noexcept nogil:
    """The key under which the table keeps a position: with how games end, and with the ply where rules depend on it."""
    cdef uint64_t key = s.key ^ g.table_salt
    if g.max_turns != 0 or g.home_deadline != 0:
        key ^= (<uint64_t> s.ply + 1) * <uint64_t> 0x9E3779B97F4A7C15
    return key


cdef inline bint take_nodes(Search* search) noexcept nogil:
    """Raise the node limit by a share of what the threads have left together; False if nothing is."""
    cdef uint64_t before
    if search.spent == NULL:
        return False
    before = hf_word_add(search.spent, NODE_SHARE)
    if before >= search.node_budget:
        return False
    search.node_limit = search.nodes + min(<uint64_t> NODE_SHARE, search.node_budget - before)
    return True


cdef inline void keep_line(Search* search, int32_t ply, move_t move) noexcept nogil:
    """The best line at `ply` is `move` and then the child's."""
    cdef Line* line = &search.line[ply]
    cdef const Line* rest = &search.line[ply + 1]
    cdef int32_t k
    line.move[0] = move
    for k in range(rest.length):
        line.move[k + 1] = rest.move[k]
    line.length = rest.length + 1


cdef inline int32_t squares_left(const Geometry* g, const State* s, int32_t side) noexcept nogil:
    """How many squares or men a side lacks to be complete; a move makes at most one of them good.

    A side without a man in its goal is far from it, also where the other side's men still fill all of it.
    """
    cdef int32_t k, count = 0
    if hf_count_common(&g.side[side].goal, &s.men[side]) == 0:
        return g.men
    for k in range(PLANES):
        count += hf_popcount((g.side[side].cover.w[k] & ~(s.men[0].w[k] | s.men[1].w[k]))
                             | (g.side[side].away.w[k] & s.men[side].w[k]))
    return count


cdef inline bint may_be_choosy(const Search* search, const State* s, int32_t depth) noexcept nogil:
    """Whether moves may be left out on the word of the evaluation.

    Not where it has no word: on boards so small that search finds the truth, in Pulce (where men freeze), close to the
    end of a game (there a move can be forced that makes things worse), and where a rule ends it at a certain ply.
    """
    cdef const Geometry* g = search.geometry
    cdef int32_t left
    if g.men <= FULL_WIDTH_MEN or g.scored:
        return False
    if squares_left(g, s, 0) <= FULL_WIDTH_LEFT or squares_left(g, s, 1) <= FULL_WIDTH_LEFT:
        return False
    if g.max_turns != 0 and turns_made(g, s) + depth >= <int32_t> g.max_turns:
        return False
    if g.home_deadline != 0:
        left = 2 * <int32_t> g.home_deadline - turns_made(g, s)
        return left <= 0 or depth < left - 2
    return True


cdef inline int32_t eight_log2(int32_t k) noexcept nogil:
    """8 times the binary logarithm of a positive number, by straight lines between its powers of two."""
    cdef int32_t bits = 0
    while k >> (bits + 1):
        bits += 1
    return 8 * bits + (8 * (k - (1 << bits)) >> bits)


cdef inline int32_t late_reduction(int32_t depth, int32_t tried, int32_t gain, bint in_window) noexcept nogil:
    """By how many plies less a late move is searched at first: most moves go backward, and few of those are good."""
    cdef int32_t plies = eight_log2(depth) * eight_log2(tried + 1) * LATE_REDUCTION_PERCENT // 6400
    if gain <= 0:
        plies += BACKWARD_REDUCTION
    if in_window:
        plies -= 1
    return max(0, min(plies, depth - 2))


cdef inline int32_t search_node(
        Search* search, const State* s, int32_t alpha, int32_t beta, int32_t depth, int32_t ply) noexcept nogil:
    """The score of a position for the side to move, exact if between alpha and beta, else a bound (fail-soft).

    Meaningless once the control's flag is up: callers look at it before they use what comes back.
    """
    cdef const Geometry* g = search.geometry
    cdef State child
    cdef Entry entry
    cdef Picker picker
    cdef const NetSums* sums = &search.sums[ply] if uses(search, NET) else NULL
    cdef bint in_window = beta - alpha > 1     # a node of the principal variation
    cdef bint choosy, pruned = False
    cdef int32_t score = 0, best = -INFINITE_SCORE, entry_score, k, bound, old_alpha = alpha
    cdef int32_t worth, gain, reduction, hope
    cdef move_t move, best_move = PASS_MOVE, table_move = PASS_MOVE
    cdef move_t* tried
    cdef uint64_t key

    search.line[ply].length = 0
    if search.nodes >= search.node_limit and not take_nodes(search):
        hf_flag_write(&search.control.stop, 1)
    if control_beat(&search.control):
        return 0
    hf_word_write(&search.nodes, search.nodes + 1)
    if ply > search.seldepth:
        search.seldepth = ply
    search.path[ply] = s.key

    if ply > 0 and ended_score(search, s, ply, &score):
        return score
    if depth <= 0:
        return evaluate_within(g, s, sums, alpha, beta)

    # Mate-distance pruning: no line from here can be better than winning at once, nor worse than having lost now.
    if not g.scored:
        if alpha < -WIN_SCORE + ply:
            alpha = -WIN_SCORE + ply
        if beta > WIN_SCORE - ply - 1:
            beta = WIN_SCORE - ply - 1
        if alpha >= beta:
            return alpha

    key = table_key(g, s)
    if table_probe(search.table, key, &entry):
        table_move = entry.move
        # Lines of the principal variation are searched to their end, so that they are whole and true.
        if not in_window and entry.depth >= depth:
            entry_score = score_from_table(entry.score, ply)
            bound = entry.bound_and_age & 3
            if (bound == EXACT_BOUND or (bound == LOWER_BOUND and entry_score >= beta)
                    or (bound == UPPER_BOUND and entry_score <= alpha)):
                return entry_score

    if ply == 0 and search.root_move != PASS_MOVE:
        table_move = search.root_move      # its entry may have been overwritten

    if not uses(search, TABLE_MOVE) and ply > 0:
        table_move = PASS_MOVE

    worth = evaluate_within(g, s, sums, -INFINITE_SCORE, INFINITE_SCORE)
    choosy = ply > 0 and may_be_choosy(search, s, depth)
    if choosy and not in_window and not is_decided(beta):
        # Reverse futility: so far ahead that what the other side can win within the depth does not matter. The side to
        # move wins something, too, and first: only the other side's additional moves count.
        if (uses(search, REVERSE_FUTILITY) and depth <= REVERSE_FUTILITY_DEPTH
                and worth - g.tempo * REVERSE_FUTILITY_MARGIN // 100 * (depth // 2) >= beta):
            return worth

        # Null move: if a side that does not move at all is still well off, so it is with a move, since there is always
        # one that loses nothing until the end is near. Nobody can be forced to pass: a proof by it is none.
        if (uses(search, NULL_MOVE) and depth >= NULL_DEPTH and worth >= beta
                and search.played[ply - 1] != PASS_MOVE):
            child = s[0]
            state_move(g, &child, PASS_MOVE)
            sums_move(g, &search.sums[ply], &child, PASS_MOVE, &search.sums[ply + 1])
            search.played[ply] = PASS_MOVE
            reduction = NULL_REDUCTION + depth // NULL_SLOPE
            score = -search_node(search, &child, -beta, -beta + 1, depth - 1 - reduction, ply + 1)
            if hf_flag_read(&search.control.stop):
                return 0
            if score >= beta:
                return beta if is_decided(score) else score

    picker.stage = 0
    picker.disabled = search.disabled
    picker.depth = depth
    picker.floor = NO_FLOOR
    picker.skipped = 0
    picker.legal = True
    picker.first[0] = table_move
    picker.first[1] = PASS_MOVE
    picker.first[2] = PASS_MOVE
    picker.reply_to = search.played[ply - 1] if ply > 0 else PASS_MOVE
    picker.follow_up = search.played[ply - 2] if ply > 1 else PASS_MOVE
    picker.scored = search.scored + <size_t> ply * g.max_moves
    if ply == 0 and search.root_count:
        list_given(g, s, search.order, &picker, search.root_moves, search.root_count)
    tried = search.moves + <size_t> ply * g.max_moves

    # Futility: a move must gain so much that, with what the side's other moves within the depth may win beyond the
    # other side's, it reaches alpha. At depth 1 only a repetition is lost by it. Moves that cannot are not listed.
    hope = 0
    if choosy and uses(search, FUTILITY) and depth <= FUTILITY_DEPTH and not is_decided(alpha) and (
            not in_window or depth == 1):
        # The evaluation has the tempo for the one side before the move and for the other after it.
        hope = g.tempo * FUTILITY_MARGIN // 100 * ((depth - 1) // 2) + g.class_step - 2 * g.tempo
        picker.floor = alpha + 1 - worth - hope

    k = 0
    while True:
        move = next_move(g, s, search.order, ply, &picker)
        if move == PASS_MOVE:
            if picker.legal or k > 0:
                break
            # No move at all: the side passes.
            if not can_move(g, s, s.turn ^ 1):
                return decided_score(points_ahead(g, s), ply)
            picker.legal = True
        gain = 0 if move == PASS_MOVE else move_gain(g, s, move)

        reduction = 0
        if choosy and k > 0 and not is_decided(alpha) and gain < picker.floor:
            pruned = True
            continue
        # Late-move reduction: a win or loss found at less depth is as good a proof, so it needs no special case.
        if (k >= LATE_REDUCTION_MOVES and depth >= LATE_REDUCTION_DEPTH and g.men > FULL_WIDTH_MEN
                and uses(search, LATE_REDUCTION)):
            reduction = late_reduction(depth, k, gain, in_window)

        child = s[0]
        state_move(g, &child, move)
        sums_move(g, &search.sums[ply], &child, move, &search.sums[ply + 1])
        if depth > 1:
            table_prefetch(search.table, table_key(g, &child))
        search.played[ply] = move
        tried[k] = move
        if k == 0:
            score = -search_node(search, &child, -beta, -alpha, depth - 1, ply + 1)
        else:
            # The first move is expected to be the best: prove that the others are not better, cheaply.
            score = -search_node(search, &child, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1)
            if score > alpha and reduction > 0:
                score = -search_node(search, &child, -alpha - 1, -alpha, depth - 1, ply + 1)
            if alpha < score < beta:
                score = -search_node(search, &child, -beta, -alpha, depth - 1, ply + 1)
        if hf_flag_read(&search.control.stop):
            return 0
        k += 1
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                keep_line(search, ply, move)
                if ply == 0:
                    search.found = search.line[0]
                    search.found_score = score
                if score >= beta:
                    reward_cut(search.order, s.turn, ply, depth, &picker, tried, k - 1)
                    break
        if move == PASS_MOVE:
            break

    if ply == 0 and search.root_count:
        return best      # of some of the moves, and so nothing that the table could say of the position
    # What was left out is taken to be no better than alpha, and never for a loss.
    if (pruned or picker.skipped > 0) and best < alpha:
        best = alpha
    bound = LOWER_BOUND if best >= beta else EXACT_BOUND if best > old_alpha else UPPER_BOUND
    table_store(search.table, key, score_to_table(best, ply),
                PASS_MOVE if bound == UPPER_BOUND else best_move, depth, bound)
    return best
