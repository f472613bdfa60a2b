# The search of one depth at a time: principal variation search (negamax) within an aspiration window.
# Owns the window. Invariant: the score that comes back lies inside it, so it is the root's own and its line is whole.
# Guarded by tests/search/.
from libc.stdint cimport int32_t

from halma_fast._kernel.evaluate cimport sums_fill
from halma_fast._kernel.node cimport Line, Search, search_node
from halma_fast._kernel.planes cimport hf_flag_read
from halma_fast._kernel.score cimport INFINITE_SCORE, WIN_SCORE, is_decided
from halma_fast._kernel.table cimport LOWER_BOUND, UPPER_BOUND
from halma_fast._kernel.tuning cimport ASPIRATION_DEPTH, ASPIRATION_WINDOW, hf_ideas_off


cdef inline int32_t search_depth(Search* search, int32_t depth, int32_t guess) noexcept nogil:
    """The root's score at a depth, with its line in `line[0]`; `guess` is the score at the depth before.

    If the control stops it, `found` has the best line of the moves that were finished, the best move so far among them
    since it is tried first; a score beyond the window is a bound.
    """
    cdef int32_t window = ASPIRATION_WINDOW
    cdef int32_t alpha = -INFINITE_SCORE, beta = INFINITE_SCORE, score
    search.found.length = 0
    search.disabled = hf_ideas_off()
    sums_fill(search.geometry, &search.root, &search.sums[0])
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
            # Else the move that was better before would be tried first again, and taken if time ended then.
            search.root_move = search.found.move[0]
            beta = score + window if window < WIN_SCORE and not is_decided(score) else INFINITE_SCORE
