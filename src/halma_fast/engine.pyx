"""Engine: a transposition table, a search context for each thread, and the loop over depths.

Owns the memory of the search and its life cycle. Invariant: one search at a time; whatever ends it, the engine stays
usable; with one thread and no limit of time the result depends on nothing but position and limits.
Guarded by tests/search/.
"""

cimport cython
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from halma_fast._kernel.control cimport control_start
from halma_fast._kernel.dispatch cimport kernel, require_kernel
from halma_fast._kernel.evaluate cimport evaluate
from halma_fast._kernel.geometry cimport Geometry, Tables
from halma_fast._kernel.planes cimport (
    hf_flag_read, hf_flag_write, hf_now, hf_sleep, hf_table_clear, hf_table_free, hf_table_new, hf_word_add,
    hf_word_read)
from halma_fast._kernel.score cimport decided_score, is_decided, plies_to_end, points_at_end
from halma_fast._kernel.search cimport Line, Search
from halma_fast._kernel.state cimport State
from halma_fast._kernel.table cimport LOWER_BOUND, Cluster, table_permille
from halma_fast._kernel.order cimport ScoredMove
from halma_fast._kernel.types cimport MAX_DEPTH, PASS_MOVE, move_t
from halma_fast.interrupts cimport Interrupts, look_at_signals
from halma_fast.move cimport Move, move_of_code
from halma_fast.roots cimport Roots, checked_moves

import threading
from _thread import start_new_thread

from halma_fast.analysis import Analysis
from halma_fast.checks import check_bool, check_int, check_memory, check_seconds, shorten
from halma_fast.errors import EngineBusyError, GameOverError, LimitError, OptionError
from halma_fast.race import decided, played_out
from halma_fast.timing import allot, patience
from halma_fast.types import Info, Limit, Score, SearchResult

# So much is looked at for a decided race before a search, some 25 ms at the most, if there is twice that time.
RACE_MB = 1
RACE_SECONDS = 0.05

MAX_THREADS = 256
MAX_LINES = 1000

# Nodes between two looks at the clock: well under a millisecond of work on any board.
cdef enum:
    BEAT = 1024


@cython.final
cdef class _Found:
    """A line as the loop over depths keeps it: what an Info says of it, and the score as the kernel counts."""

    def __init__(self, int32_t score, int32_t depth, str bound, tuple pv):
        self.score = score
        self.depth = depth
        self.bound = bound
        self.pv = pv


cdef class Engine:
    """Searches positions. Engine(hash_mb=16, threads=1, move_overhead=0.02, spoil=False).

    hash_mb: MB (2**20 bytes) of its transposition table, 1 to the machine's memory; threads: 1..256, which search
    together and share the table; move_overhead: seconds of a game's clock that each move loses on its way and that are
    therefore kept back, 0..60, can be set later. Where the system gives fewer threads, those search.
    spoil: whether it may save a game under `win="full"` by men that it keeps in its home camp; can be set later. By
    default such a game counts as lost for the side to move, in score and play: once the other side's goal is full but
    for them, only moves that bring one of them out are searched, if there are any. Raises `OptionError`.

    One search at a time: a second one, from whatever thread, is refused with `EngineBusyError`; `stop()` may be called
    from any thread. With one thread a search without a limit of time is repeatable; several find different lines from
    time to time.
    """

    def __cinit__(self, hash_mb=16, threads=1, move_overhead=0.02, spoil=False):
        require_kernel()
        self.table_memory = NULL
        self.context = NULL
        self.order = NULL
        self.hash_mb = check_memory(hash_mb)
        self.threads = check_int(threads, "threads", 1, MAX_THREADS, OptionError)
        self.overhead = check_seconds(move_overhead, "move_overhead", OptionError, high=60.0)
        self.may_spoil = check_bool(spoil, "spoil", OptionError)
        cdef size_t size = <size_t> self.hash_mb << 20
        self.table_memory = hf_table_new(size)
        # The first is the caller's own thread, the others help it.
        self.context = <Search*> calloc(self.threads, sizeof(Search))
        self.order = <Order*> calloc(self.threads, sizeof(Order))
        if self.table_memory == NULL or self.context == NULL or self.order == NULL:
            raise MemoryError(f"hash_mb: no memory for a table of {self.hash_mb} MB")
        self.table.clusters = <Cluster*> self.table_memory
        self.table.count = size // sizeof(Cluster)
        self.table.age = 0
        self.table_is_clear = True

    def __dealloc__(self):
        hf_table_free(self.table_memory, <size_t> self.hash_mb << 20)
        free(self.context)
        free(self.order)

    def __reduce__(self):
        raise TypeError("an Engine cannot be pickled: it is memory, make another one")

    @property
    def move_overhead(self):
        """Seconds of a game's clock that are kept back for each move."""
        return self.overhead

    @move_overhead.setter
    def move_overhead(self, value):
        self.overhead = check_seconds(value, "move_overhead", OptionError, high=60.0)

    @property
    def spoil(self):
        """Whether men may be held at home to save a game."""
        return self.may_spoil

    @spoil.setter
    def spoil(self, value):
        self.may_spoil = check_bool(value, "spoil", OptionError)

    def search(self, position, limit=None, *, depth=None, nodes=None, time=None, multipv=1, root_moves=None,
               on_info=None):
        """Search a position and return the `SearchResult`.

        limit: a `Limit`, or the keywords `depth` (plies), `nodes`, `time` (seconds); the first one reached ends the
        search, and with none it goes on to depth 100 or `stop()`. `depth` of the result is the last depth completed; if
        a move of the next one was found better before the end, that move, its score and line are the result's.
        multipv: how many lines to rank, 1..1000, each searched without the first moves of those before it.
        root_moves: the moves to choose from, each a legal `Move` or its text; `None` for all.
        Without a time or clock the table is cleared first: equal position and limits give an equal result. With one,
        what earlier searches of the same variant found is used, and a proven win or loss ends the search.
        With several threads a node limit is kept too, but up to 256 nodes for each of them may be left over.
        on_info: called with an `Info` for each ranked line after every depth, and in between with one whose bound is
        "lower" or "upper" when a score turns out to be outside of what was expected. Ctrl-C raises `KeyboardInterrupt`.
        Raises `GameOverError` for a finished game, `IllegalMoveError`, `LimitError`, `OptionError`, `EngineBusyError`.
        """
        cdef double begin = hf_now()
        if limit is None:
            limit = Limit(depth=depth, nodes=nodes, time=time)
        elif not isinstance(limit, Limit):
            raise LimitError(f"limit: {shorten(limit)}, expected a Limit, or a keyword: depth=, nodes= or time=")
        elif depth is not None or nodes is not None or time is not None:
            raise LimitError("limit: given together with depth, nodes or time, expected one or the other")
        if on_info is not None and not callable(on_info):
            raise OptionError(f"on_info: {shorten(on_info)}, expected a callable or None")
        self.begin_search(position, limit, multipv, root_moves, begin)
        return self.run(on_info)

    def analysis(self, position, limit=None, *, multipv=1, root_moves=None):
        """Search in the background: return the running `Analysis`, a context manager and an iterator of `Info`.

        Arguments and errors as for `search`; the limit may be left out, then `stop` ends it. The engine is busy until
        the end.
        """
        cdef double begin = hf_now()
        if limit is None:
            limit = Limit()
        elif not isinstance(limit, Limit):
            raise LimitError(f"limit: {shorten(limit)}, expected a Limit or None")
        self.begin_search(position, limit, multipv, root_moves, begin)
        serial = self.serial
        try:
            return Analysis(lambda on_info: self.run_waiting(serial, on_info), lambda: self.stop_search(serial))
        except BaseException:    # no thread to be had, or Ctrl-C just now
            if self.waiting:
                self.end_search()
            else:
                self.stop_search(serial)
            raise

    cdef object run_waiting(self, serial, object on_info):
        """Run the search with this number, unless it was given up before its thread began."""
        if self.serial != serial or not self.waiting:
            raise EngineBusyError("engine: the analysis was given up before it began")
        return self.run(on_info)

    cdef int begin_search(
            self, object position, object limit, object multipv, object root_moves, double begin) except -1:
        """Check everything and take a copy of it, so that nobody else can change it meanwhile; the engine is busy."""
        cdef Position here
        cdef list choice = []
        cdef int k
        if not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position")
        here = position
        # A subclass may have skipped the checks.
        limit = Limit(
            limit.depth, limit.nodes, limit.time, limit.mate, limit.x_clock, limit.o_clock, limit.x_inc, limit.o_inc,
            limit.moves_to_go)
        cdef int lines = check_int(multipv, "multipv", 1, MAX_LINES, OptionError)
        if root_moves is not None:
            choice = checked_moves(here, root_moves)
        outcome = here.current_outcome()
        if outcome is not None:
            raise GameOverError(f"position: the game is over, {outcome}")
        if self.busy:
            raise EngineBusyError("engine: is searching already, expected one search at a time")
        self.busy = True
        self.serial += 1
        self.waiting = True
        try:
            self.limit = limit
            self.begin = begin
            self.prepare(here)
            self.roots.choose(self.context.geometry, &self.context.root, choice, self.may_spoil)
            for k in range(self.threads):
                self.roots.give(&self.context[k], set())
            self.line_count = min(lines, self.roots.total)
            self.start_clock()
            self.look_for_race(here)
        except BaseException:
            self.end_search()
            raise
        return 0

    cdef int end_search(self) except -1:
        self.release()
        self.limit = self.on_info = self.lines = self.interrupts = None
        self.waiting = False
        self.busy = False
        return 0

    cdef stop_search(self, serial):
        """Stop the search with this number, if it is the one that runs."""
        if self.busy and self.serial == serial:
            self.stop()

    def stop(self):
        """End the running search soon, from any thread; it returns what it has. Without a search, nothing happens."""
        hf_flag_write(&self.context.control.stop, 1)

    def clear(self):
        """Forget all earlier searches. Raises `EngineBusyError` during one."""
        if self.busy:
            raise EngineBusyError("engine: is searching, expected no search while the table is cleared")
        self.busy = True
        self.clear_table()
        self.busy = False

    cdef void clear_table(self) noexcept:
        """Forget everything; without the GIL, since giving back a large table takes a while."""
        if not self.table_is_clear:
            with nogil:
                hf_table_clear(self.table_memory, self.table.count * sizeof(Cluster))
        self.table.age = 0
        self.table_is_clear = True

    cdef int prepare(self, Position position) except -1:
        """Set up the contexts, and the table for this variant."""
        cdef const State* root = &position.frames[position.length].state
        cdef Search* context
        cdef size_t room = (MAX_DEPTH + 1) * <size_t> position.geometry.max_moves
        cdef Tables tables = position.tables    # held: the position may become another one while the GIL is free
        cdef const Geometry* geometry = &tables.geometry if self.may_spoil else tables.sporting_for(root.turn)
        cdef uint64_t drawn = self.drawn
        cdef int k
        memset(self.context, 0, self.threads * sizeof(Search))
        memset(self.order, 0, self.threads * sizeof(Order))
        self.spent = 0
        self.helpers_stop = 0
        self.roots = Roots(position.geometry.max_moves)
        self.drawn_keys = <uint64_t*> malloc((position.length + 1) * sizeof(uint64_t))
        if self.drawn_keys == NULL:
            raise MemoryError
        for k in range(self.threads):
            context = &self.context[k]
            context.geometry = geometry
            context.root = root[0]
            context.table = &self.table
            context.order = &self.order[k]
            context.moves = <move_t*> malloc(room * sizeof(move_t))
            context.scored = <ScoredMove*> malloc(room * sizeof(ScoredMove))
            if context.moves == NULL or context.scored == NULL:
                raise MemoryError
            context.drawn_keys = self.drawn_keys
            context.node_limit = ~<uint64_t> 0
            if self.limit.nodes is not None and self.threads == 1:
                context.node_limit = self.limit.nodes
            elif self.limit.nodes is not None:
                context.node_limit = 0
                context.node_budget = self.limit.nodes
                context.spent = &self.spent
        self.remember(position)
        # Entries are of one variant under one set of rules, and of one set of positions that are drawn if they come
        # again: a key says nothing of either.
        if (self.tables is None or self.tables.variant != tables.variant or self.drawn != drawn
                or self.is_repeatable()):
            self.clear_table()
        else:
            self.table.age += 4
        self.tables = tables
        self.table_is_clear = False
        return 0

    cdef bint is_repeatable(self) noexcept:
        """Whether the limits alone end the search, and not a clock or somebody's `stop`."""
        limit = self.limit
        return not self.is_timed() and not (limit.depth is None and limit.nodes is None and limit.mate is None)

    cdef bint is_timed(self) noexcept:
        return self.limit.time is not None or self.limit.clock(self.context.root.turn) is not None

    cdef int remember(self, Position position) except -1:
        """Collect the positions that occurred as often as they may: one time more is a draw."""
        cdef Py_ssize_t k
        cdef int32_t count = 0
        seen = {}
        self.drawn = 0
        for k in range(position.length if position.geometry.repetition else 0):   # the root's own key is on the path
            key = position.frames[k].state.key
            seen[key] = seen.get(key, 0) + 1
            if seen[key] == position.geometry.repetition - 1:
                self.drawn_keys[count] = key
                self.drawn ^= <uint64_t> key
                count += 1
        for k in range(self.threads):
            self.context[k].drawn_count = count
        return 0

    cdef int release(self) except -1:
        cdef int k
        for k in range(self.threads):
            free(self.context[k].moves)
            free(self.context[k].scored)
            self.context[k].moves = NULL
            self.context[k].scored = NULL
        free(self.drawn_keys)
        self.drawn_keys = NULL
        return 0

    cdef object run(self, object on_info):
        """Deepen until a limit; whatever happens, the engine is free afterwards."""
        self.waiting = False
        try:
            self.listen(on_info)
            if not self.lines:
                try:
                    self.start_helpers()
                    self.deepen()
                finally:
                    self.stop_helpers()
            elif on_info is not None:
                on_info(self.info(1, self.lines[0]))
            lines = tuple([self.info(k + 1, line) for k, line in enumerate(self.lines)])
            best = lines[0]
            return SearchResult(
                best.pv[0], best.score, self.completed, best.seldepth, best.nodes, best.seconds, best.nps, best.pv,
                lines, best.hashfull)
        finally:
            self.end_search()

    cdef int start_clock(self) except -1:
        """Work out when to stop."""
        cdef double deadline = 0.0
        limit = self.limit
        side = self.context.root.turn
        self.soft = 0.0
        if limit.time is not None:
            deadline = self.begin + <double> min(limit.time, 1e9)
        clock = limit.clock(side)
        if clock is not None:
            budget = allot(min(clock, 1e9), min(limit.increment(side), 1e9), limit.moves_to_go, self.overhead)
            self.soft = budget.soft
            deadline = min(deadline, self.begin + budget.hard) if deadline else self.begin + budget.hard
        self.deadline = deadline
        return 0

    cdef int look_for_race(self, Position position) except -1:
        """If the armies have parted for good and that decides the game, the winner's way needs no search.

        The loser still searches for the move that makes it hardest, but knows the score.
        """
        self.lines = None
        self.race_score = 0
        if self.line_count > 1 or self.roots.chosen or 0.0 < self.deadline < hf_now() + RACE_SECONDS:
            return 0
        race = decided(position, memory_mb=RACE_MB)
        if race is None:
            return 0
        self.race_score = decided_score(1 if race.score.kind == "win" else -1, race.score.value)
        if self.race_score > 0:
            line = played_out(position, race)
            self.completed = self.context.seldepth = race.score.value
            self.lines = [_Found(self.race_score, race.score.value, "exact", line)]
        return 0

    cdef int listen(self, object on_info) except -1:
        """Say who is asked and told during the search."""
        cdef Search* context = self.context
        self.on_info = on_info
        self.interrupts = Interrupts()
        # Signals are the main thread's: another one would only take the GIL away from it.
        if threading.current_thread() is threading.main_thread():
            control_start(&context.control, BEAT, self.deadline, look_at_signals, <void*> self.interrupts)
        else:
            control_start(&context.control, BEAT, self.deadline, NULL, NULL)
        if self.on_info is not None:
            context.report = report_bound
            context.listener = <void*> self
        return 0

    cdef int deepen(self) except -1:
        """Search depth after depth, and in each the ranked lines one after the other."""
        cdef Search* context = self.context
        cdef int32_t depth, score, last = self.limit.depth if self.limit.depth is not None else MAX_DEPTH
        cdef int rank, settled = 0
        cdef _Found line, before
        cdef list fresh
        score = evaluate(context.geometry, &context.root)
        self.completed = 0
        self.lines = [
            _Found(score, 0, "exact", (move_of_code(self.roots.moves[rank]),)) for rank in range(self.line_count)]
        for depth in range(1, last + 1):
            # The first depth takes no time that matters, and without it the move would be anybody's guess.
            context.control.deadline = 0.0 if depth == 1 else self.deadline
            fresh = []
            for rank in range(self.line_count):
                self.rank = rank
                before = self.lines[rank]
                score = before.score
                self.exclude(fresh, before if depth > 1 else None)
                with nogil:
                    score = kernel.search_depth(context, depth, score)
                self.interrupts.raise_error()
                if hf_flag_read(&context.control.stop):
                    # Only the best of all: with moves left to search, a lower rank is anybody's.
                    if rank == 0 and context.found.length:
                        fresh.append(_Found(context.found_score, depth, "lower", moves_of_line(&context.found)))
                    self.keep(fresh)
                    return 0
                fresh.append(_Found(score, depth, "exact", moves_of_line(&context.line[0])))
            fresh.sort(key=score_of, reverse=True)
            before, line = self.lines[0], fresh[0]
            settled = settled + 1 if line.pv[0] == before.pv[0] else 0
            self.lines = fresh
            self.completed = depth
            if self.on_info is not None:
                for rank in range(self.line_count):
                    self.on_info(self.info(rank + 1, fresh[rank]))
            if self.is_enough(depth, settled, before.score - line.score):
                return 0
        return 0

    cdef int exclude(self, list fresh, _Found before) except -1:
        """Leave the moves of better lines to them, and begin with the move that was the best of the rest."""
        cdef _Found line
        cdef set taken = {(<Move> line.pv[0]).code() for line in fresh}
        self.roots.give(self.context, taken)
        self.context.root_move = PASS_MOVE
        if before is not None and (<Move> before.pv[0]).code() not in taken:
            self.context.root_move = (<Move> before.pv[0]).code()
        return 0

    cdef int keep(self, list fresh) except -1:
        """Put what an unfinished depth has found before the lines of the depth before."""
        cdef _Found line
        taken = {line.pv[0] for line in fresh}
        self.lines = (fresh + [line for line in self.lines if line.pv[0] not in taken])[:self.line_count]
        return 0

    cdef bint is_enough(self, int32_t depth, int settled, int32_t drop):
        """Whether to stop between two depths."""
        cdef _Found line = self.lines[0]
        cdef bint final = True
        if self.limit.mate is not None and is_decided(line.score) and line.score > 0 and (
                (plies_to_end(line.score) + 1) // 2 <= self.limit.mate):
            return True
        for line in self.lines:
            final = final and self.is_final(line.score, depth)
        if final and (self.is_timed() or self.limit.mate is not None):
            return True
        if self.soft == 0.0:
            return False
        # The only move needs no thought, only a score.
        return self.roots.total == 1 or hf_now() - self.begin >= self.soft * patience(settled, drop)

    cdef bint is_final(self, int32_t score, int32_t depth):
        """Whether more depth can change nothing but the length: a decided score is proven, by whatever line.

        In Pulce more points may be had later, unless it is a win by all there are.
        """
        if not is_decided(score) or plies_to_end(score) > depth:
            return False
        return not self.context.geometry.scored or (score > 0 and points_at_end(score) == 3)

    cdef int start_helpers(self) except -1:
        """Let the other threads search the same position: what they find is in the table before it is needed."""
        cdef int k
        self.helpers_may_begin = True
        for k in range(1, self.threads):
            control_start(&self.context[k].control, BEAT, 0.0, NULL, NULL)
            self.context[k].control.shared = &self.helpers_stop
            try:
                start_new_thread(_help, (self, k, self.serial))
            except RuntimeError:    # the system gives no more threads: those that run find the same, later
                break
        return 0

    cdef int stop_helpers(self) except -1:
        """Return when no helper uses the contexts any more; one that has not begun yet never will."""
        self.helpers_may_begin = False
        hf_flag_write(&self.helpers_stop, 1)
        with nogil:
            while hf_word_add(&self.helpers_at_work, 0) != 0:
                hf_sleep(5e-5)
        return 0

    cdef uint64_t total_nodes(self) noexcept:
        cdef uint64_t nodes = 0
        cdef int k
        for k in range(self.threads):
            nodes += hf_word_read(&self.context[k].nodes)
        return nodes

    cdef object info(self, int rank, _Found line):
        """The typed form of a line, and the counters."""
        cdef double seconds = hf_now() - self.begin
        cdef uint64_t nodes = self.total_nodes()
        cdef int32_t value = line.score if is_decided(line.score) or self.race_score == 0 else self.race_score
        if is_decided(value):
            margin = points_at_end(value) if self.context.geometry.scored else None
            score = Score("win" if value > 0 else "loss", plies_to_end(value), margin)
        else:
            score = Score("points", value)
        return Info(
            line.depth, self.context.seldepth, rank, score, line.bound, nodes, seconds,
            int(nodes / seconds) if seconds > 0 else 0, table_permille(&self.table), line.pv)

    cdef int tell_bound(self, int32_t depth, int32_t score, int32_t bound) except -1:
        """Report a score beyond the window; the line of one that is too high is known, else that of before is shown."""
        cdef const Line* line = &self.context.line[0]
        cdef _Found before = self.lines[self.rank]
        pv = moves_of_line(line) if bound == LOWER_BOUND and line.length else before.pv
        self.on_info(self.info(self.rank + 1, _Found(score, depth, "lower" if bound == LOWER_BOUND else "upper", pv)))
        return 0


cdef void report_bound(void* listener, int32_t depth, int32_t score, int32_t bound) noexcept with gil:
    """Hand a bound to the engine; what its listener raises stops the search and is raised in the caller."""
    cdef Engine engine = <Engine> listener
    try:
        engine.tell_bound(depth, score, bound)
    except BaseException as error:
        engine.interrupts.error = error
        hf_flag_write(&engine.context.control.stop, 1)


def _help(Engine engine, int k, serial):
    """Deepen until told to stop, every other helper one depth ahead: two at the same work would learn nothing."""
    cdef Search* context = &engine.context[k]
    cdef int32_t depth, score
    if engine.serial != serial or not engine.helpers_may_begin:
        return
    hf_word_add(&engine.helpers_at_work, 1)
    with nogil:
        score = evaluate(context.geometry, &context.root)
        for depth in range(1 + (k & 1), MAX_DEPTH + 1):
            score = kernel.search_depth(context, depth, score)
            if hf_flag_read(&context.control.stop):
                break
            context.root_move = context.line[0].move[0]
        hf_word_add(&engine.helpers_at_work, <uint64_t> -1)


cdef tuple moves_of_line(const Line* line):
    cdef int32_t k
    return tuple([move_of_code(line.move[k]) for k in range(line.length)])


cdef object score_of(_Found line):
    return line.score
