"""Perft and divide: how many leaves the legal moves of a position lead to at a depth.

Owns the loop over the root's moves, which is where progress shows and a job can be interrupted. Invariant: the parts
add up to the whole, in bulk or leaf by leaf. Guarded by tests/perft/.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from halma_fast._kernel.control cimport Control, control_start
from halma_fast._kernel.dispatch cimport kernel
from halma_fast._kernel.ending cimport is_completed_game
from halma_fast._kernel.geometry cimport Geometry, Tables
from halma_fast._kernel.perft cimport PerftJob
from halma_fast._kernel.state cimport State, state_move
from halma_fast._kernel.types cimport MAX_DEPTH, PASS_MOVE, move_t
from halma_fast.interrupts cimport Interrupts, look_at_signals
from halma_fast.move cimport move_of_code
from halma_fast.position cimport Position

from halma_fast.checks import check_bool, check_int, shorten
from halma_fast.errors import LimitError, OptionError

# Positions between two looks at the clock: some 60 leaves each, so a beat is well under a millisecond.
cdef enum:
    BEAT = 64


def perft(position, depth, *, bulk=True, on_progress=None):
    """Return the number of leaves `depth` plies below a position, 0..100 plies; the position itself is depth 0.

    Counts as rules.md's tables do: a full camp ends a game, a forced pass is a move, and the rules that need a history
    (repetition, turn cap, deadline) are left aside. `bulk=False` makes every leaf instead of counting the last ply.
    `on_progress(done, total, leaves)` is called after each of the root's moves. Ctrl-C raises `KeyboardInterrupt`.
    Raises `LimitError` or `OptionError`.
    """
    check_arguments(position, bulk, on_progress)
    if check_depth(depth) == 0:
        return 1
    return sum(count_parts(position, depth, bulk, on_progress).values())


def divide(position, depth, *, bulk=True, on_progress=None):
    """Return `perft` split by the root's moves: a dict from `Move`, ascending, to leaves; depth 1..100."""
    check_arguments(position, bulk, on_progress)
    if check_depth(depth) == 0:
        raise LimitError(f"depth: {shorten(depth)}, expected an integer from 1 to {MAX_DEPTH} for divide")
    parts = count_parts(position, depth, bulk, on_progress)
    return {move: parts[move] for move in sorted(parts)}


cdef object check_depth(object depth):
    return check_int(depth, "depth", 0, MAX_DEPTH, LimitError)


cdef int check_arguments(object position, object bulk, object on_progress) except -1:
    if not isinstance(position, Position):
        raise OptionError(f"position: {shorten(position)}, expected a Position")
    check_bool(bulk, "bulk", OptionError)
    if on_progress is not None and not callable(on_progress):
        raise OptionError(f"on_progress: {shorten(on_progress)}, expected a callable or None")
    return 0


cdef dict count_parts(object position, object depth, object bulk, object on_progress):
    """Count below each move of the root."""
    cdef State root, child
    cdef Tables tables
    cdef Control control
    cdef PerftJob job
    cdef Interrupts interrupts = Interrupts()
    cdef int32_t k, count, plies = check_depth(depth)
    cdef uint64_t leaves, total = 0
    cdef move_t* moves
    job.bulk = bulk
    # Copied, so that another thread may go on with the position meanwhile.
    root = (<Position> position).frames[(<Position> position).length].state
    tables = (<Position> position).tables
    job.geometry = &tables.geometry
    job.control = &control
    memset(&control, 0, sizeof(control))
    control_start(&control, BEAT, 0, look_at_signals, <void*> interrupts)
    moves = <move_t*> malloc((plies + 1) * <size_t> job.geometry.max_moves * sizeof(move_t))
    if moves == NULL:
        raise MemoryError
    parts = {}
    try:
        count = root_moves(job.geometry, &root, moves)
        for k in range(count):
            child = root
            state_move(job.geometry, &child, moves[k])
            leaves = 1
            if plies > 1:
                with nogil:
                    leaves = kernel.perft(&job, &child, plies - 1, moves + job.geometry.max_moves)
                interrupts.raise_error()
            parts[move_of_code(moves[k])] = leaves
            total += leaves
            if on_progress is not None:
                on_progress(k + 1, count, total)
    finally:
        free(moves)
    return parts


cdef int32_t root_moves(const Geometry* g, const State* root, move_t* moves) noexcept:
    """The moves that perft follows from the root: a pass if it is forced, none after the end."""
    cdef int32_t count
    if is_completed_game(g, root):
        return 0
    count = kernel.generate(g, root, moves)
    if count == 0 and kernel.can_move(g, root, root.turn ^ 1):
        moves[0] = PASS_MOVE
        return 1
    return count
