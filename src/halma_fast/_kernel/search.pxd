# Alpha-beta: principal variation search (negamax) one depth at a time, with aspiration windows.
# Owns the recursion. Invariant: full width, so a win or loss it reports within its depth is proven; every score counts
# repetition and the rule draws. Guarded by tests/search/.
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from halma_fast._kernel.control cimport Control, control_beat
from halma_fast._kernel.duty cimport legal_moves
from halma_fast._kernel.ending cimport (
    can_move, is_completed_game, is_deadline_missed, is_turn_cap_reached, side_points)
from halma_fast._kernel.evaluate cimport evaluate
from halma_fast._kernel.geometry cimport Geometry
from halma_fast._kernel.order cimport Order, ScoredMove, pick_move, reward_cut, score_moves
from halma_fast._kernel.planes cimport hf_flag_read, hf_flag_write, hf_word_add, hf_word_write
from halma_fast._kernel.score cimport (
    INFINITE_SCORE, WIN_SCORE, decided_score, is_decided, score_from_table, score_to_table)
from halma_fast._kernel.state cimport State, state_move
from halma_fast._kernel.table cimport (
    EXACT_BOUND, LOWER_BOUND, UPPER_BOUND, Entry, Table, table_prefetch, table_probe, table_store)
from halma_fast._kernel.types cimport MAX_DEPTH, PASS_MOVE, move_t

cdef enum:
    ASPIRATION_DEPTH = 4       # below it scores jump about and a narrow window costs more than it saves
    ASPIRATION_WINDOW = 40     # points
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
    move_t* moves                        # (MAX_DEPTH + 1) * max_moves
    ScoredMove* scored                   # the same
    Line line[MAX_DEPTH + 2]             # line[ply]: best line found from there
    uint64_t path[MAX_DEPTH + 2]         # keys from the root to the node
    const uint64_t* drawn_keys           # positions of the game so far that may not occur once more
    int32_t drawn_count


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
    """The key under which the table keeps a position: with the ply where rules depend on it."""
    cdef uint64_t key = s.key
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


cdef inline int32_t search_node(
        Search* search, const State* s, int32_t alpha, int32_t beta, int32_t depth, int32_t ply) noexcept nogil:
    """The score of a position for the side to move, exact if between alpha and beta, else a bound (fail-soft).

    Meaningless once the control's flag is up: callers look at it before they use what comes back.
    """
    cdef const Geometry* g = search.geometry
    cdef State child
    cdef Entry entry
    cdef bint in_window = beta - alpha > 1     # a node of the principal variation
    cdef int32_t score = 0, best = -INFINITE_SCORE, entry_score, count, k, bound, old_alpha = alpha
    cdef move_t move, best_move = PASS_MOVE, table_move = PASS_MOVE
    cdef move_t* moves
    cdef ScoredMove* scored
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
        return evaluate(g, s)

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

    moves = search.moves + <size_t> ply * g.max_moves
    scored = search.scored + <size_t> ply * g.max_moves
    count = legal_moves(g, s, moves)
    if count == 0:
        if not can_move(g, s, s.turn ^ 1):
            return decided_score(points_ahead(g, s), ply)
        moves[0] = PASS_MOVE
        count = 1
    if ply == 0 and search.root_count:
        count = search.root_count
        memcpy(moves, search.root_moves, count * sizeof(move_t))
    score_moves(g, s, search.order, ply, table_move, moves, scored, count)

    for k in range(count):
        move = pick_move(scored, k, count)
        child = s[0]
        state_move(g, &child, move)
        if depth > 1:
            table_prefetch(search.table, table_key(g, &child))
        if k == 0:
            score = -search_node(search, &child, -beta, -alpha, depth - 1, ply + 1)
        else:
            # The first move is expected to be the best: prove that the others are not better, cheaply.
            score = -search_node(search, &child, -alpha - 1, -alpha, depth - 1, ply + 1)
            if alpha < score < beta:
                score = -search_node(search, &child, -beta, -alpha, depth - 1, ply + 1)
        if hf_flag_read(&search.control.stop):
            return 0
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
                    reward_cut(search.order, s.turn, ply, depth, scored, k)
                    break

    if ply == 0 and search.root_count:
        return best      # of some of the moves, and so nothing that the table could say of the position
    bound = LOWER_BOUND if best >= beta else EXACT_BOUND if best > old_alpha else UPPER_BOUND
    table_store(search.table, key, score_to_table(best, ply),
                PASS_MOVE if bound == UPPER_BOUND else best_move, depth, bound)
    return best


cdef inline int32_t search_depth(Search* search, int32_t depth, int32_t guess) noexcept nogil:
    """The root's score at a depth, with its line in `line[0]`; `guess` is the score at the depth before.

    If the control stops it, `found` has the best line of the moves that were finished, the best move of the depth
    before among them since it is tried first; a score beyond the window is a bound.
    """
    cdef int32_t window = ASPIRATION_WINDOW
    cdef int32_t alpha = -INFINITE_SCORE, beta = INFINITE_SCORE, score
    search.found.length = 0
    if depth >= ASPIRATION_DEPTH and not is_decided(guess):
        alpha = guess - window
        beta = guess + window
    while True:
        score = search_node(search, &search.root, alpha, beta, depth, 0)
        if hf_flag_read(&search.control.stop) or alpha < score < beta:
            return score
        if search.report != NULL:
            search.report(search.listener, depth, score, UPPER_BOUND if score <= alpha else LOWER_BOUND)
        window *= 4
        if score <= alpha:
            alpha = score - window if window < WIN_SCORE and not is_decided(score) else -INFINITE_SCORE
        if score >= beta:
            beta = score + window if window < WIN_SCORE and not is_decided(score) else INFINITE_SCORE
