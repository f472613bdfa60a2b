# The numbers that the search was tuned with, each idea's in one block, and the switches of the ideas.
# Owns all of them. Invariant: matches of benchmarks/strength.md set them; none is needed for a true score.
# Guarded by tests/search/test_ideas.py.
from libc.stdint cimport uint32_t

cdef extern from "switches.h" nogil:
    bint HF_SWITCHES
    uint32_t hf_ideas_off() noexcept

# Bits of Search.disabled, in the order of the names in switches.h.
cdef enum:
    FUTILITY = 1 << 0
    REVERSE_FUTILITY = 1 << 1
    NULL_MOVE = 1 << 2
    LATE_REDUCTION = 1 << 3
    KILLERS = 1 << 4
    HISTORY = 1 << 5
    CONTINUATION = 1 << 6
    TABLE_MOVE = 1 << 7
    NET = 1 << 8

# Aspiration.
cdef enum:
    ASPIRATION_DEPTH = 4        # below it scores jump about and a narrow window costs more than it saves
    ASPIRATION_WINDOW = 40      # points

# Where the search may skip and reduce at all.
cdef enum:
    FULL_WIDTH_MEN = 6          # on boards with as many men or fewer nothing is skipped and nothing reduced
    FULL_WIDTH_LEFT = 2         # nothing is skipped where a side has so few goal squares to fill

# Reverse futility, futility: what a side may win within the depth beyond what the other does. The tempo is half of what
# a move gains on the average, so it is the measure on every board.
cdef enum:
    REVERSE_FUTILITY_DEPTH = 5
    REVERSE_FUTILITY_MARGIN = 150  # percent of the tempo, for each move that the other side has left
    FUTILITY_DEPTH = 5
    FUTILITY_MARGIN = 150          # percent of the tempo, for each own move after this one

# Null move.
cdef enum:
    NULL_DEPTH = 3
    NULL_REDUCTION = 2             # plies, and one more for each NULL_SLOPE of depth
    NULL_SLOPE = 4

# Late moves.
cdef enum:
    LATE_REDUCTION_DEPTH = 3
    LATE_REDUCTION_MOVES = 3       # so many moves are searched to the full depth first
    LATE_REDUCTION_PERCENT = 27    # plies for log2(depth) * log2(moves tried)
    BACKWARD_REDUCTION = 1         # plies more for a man that makes no progress

# Ordering.
cdef enum:
    HISTORY_LIMIT = 1 << 14
    PROGRESS_WEIGHT = 256          # a point of progress against a unit of history
    SORTED_PICKS = 24              # later moves come as generated: by then no cut is likely, and picking costs more
