"""Engine: a transposition table, a search context, and the loop over depths.

Owns the memory of the search and its life cycle. Invariant: one search at a time; whatever ends it, the engine stays
usable; without a time limit the result depends on nothing but position and limits. Guarded by tests/search/.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from halma_fast._kernel.control cimport control_start
from halma_fast._kernel.dispatch cimport kernel, require_kernel
from halma_fast._kernel.evaluate cimport evaluate
from halma_fast._kernel.planes cimport (
    hf_flag_read, hf_flag_write, hf_now, hf_table_clear, hf_table_free, hf_table_new)
from halma_fast._kernel.score cimport is_decided, plies_to_end, points_at_end
from halma_fast._kernel.search cimport Line, Search
from halma_fast._kernel.state cimport State
from halma_fast._kernel.table cimport Cluster
from halma_fast._kernel.order cimport ScoredMove
from halma_fast._kernel.types cimport MAX_DEPTH, move_origin, move_t, move_target
from halma_fast.interrupts cimport Interrupts, look_at_signals
from halma_fast.move cimport move_of_code

from halma_fast.checks import check_memory, shorten
from halma_fast.errors import EngineBusyError, GameOverError, LimitError, OptionError
from halma_fast.types import Info, Limit, Score, SearchResult

# Nodes between two looks at the clock: well under a millisecond of work on any board.
cdef enum:
    BEAT = 1024


cdef class Engine:
    """Searches positions. Engine(hash_mb=16): `hash_mb` MB (2**20 bytes) are its transposition table, 1 or more.

    One search at a time: a second one from another thread is refused with `EngineBusyError`; `stop()` may be called
    from any thread. Raises `OptionError` for a size that is not an integer from 1 to the machine's memory.
    """

    def __cinit__(self, hash_mb=16):
        require_kernel()
        self.table_memory = NULL
        self.context = NULL
        self.order = NULL
        self.hash_mb = check_memory(hash_mb)
        cdef size_t size = <size_t> self.hash_mb << 20
        self.table_memory = hf_table_new(size)
        self.context = <Search*> calloc(1, sizeof(Search))
        self.order = <Order*> calloc(1, sizeof(Order))
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

    def search(self, position, limit=None, *, depth=None, nodes=None, time=None, on_info=None):
        """Search a position and return the `SearchResult`.

        limit: a `Limit`, or the keywords `depth` (plies), `nodes`, `time` (seconds); the first one reached ends the
        search, and with none it goes on to depth 100 or `stop()`. `depth` of the result is the last depth completed; if
        a move of the next one was found better before the end, that move, its score and line are the result's.
        Without a time limit the table is cleared first: equal position and limits give an equal result. With one, what
        earlier searches of the same variant found is used, and a proven win or loss ends the search.
        on_info: called with a `SearchResult` after every depth. Ctrl-C raises `KeyboardInterrupt`.
        Raises `GameOverError` for a finished game, `LimitError`, `OptionError`, `EngineBusyError`.
        """
        cdef double begin = hf_now()
        cdef Position here
        if not isinstance(position, Position):
            raise OptionError(f"position: {shorten(position)}, expected a Position")
        here = position
        if on_info is not None and not callable(on_info):
            raise OptionError(f"on_info: {shorten(on_info)}, expected a callable or None")
        if limit is None:
            limit = Limit(depth=depth, nodes=nodes, time=time)
        elif not isinstance(limit, Limit):
            raise LimitError(f"limit: {shorten(limit)}, expected a Limit, or a keyword: depth=, nodes= or time=")
        elif depth is not None or nodes is not None or time is not None:
            raise LimitError("limit: given together with depth, nodes or time, expected one or the other")
        else:
            # A subclass may have skipped the checks.
            limit = Limit(
                limit.depth, limit.nodes, limit.time, limit.mate, limit.x_clock, limit.o_clock, limit.x_inc, limit.o_inc,
                limit.moves_to_go)
        outcome = here.current_outcome()
        if outcome is not None:
            raise GameOverError(f"position: the game is over, {outcome}")
        if self.busy:
            raise EngineBusyError("engine: is searching already, expected one search at a time")
        self.busy = True
        try:
            self.prepare(here, limit)
            return self.run(limit, on_info, begin)
        finally:
            self.release()
            self.busy = False

    def stop(self):
        """End the running search soon, from any thread; it returns what it has. Without a search, nothing happens."""
        hf_flag_write(&self.context.control.stop, 1)

    def clear(self):
        """Forget all earlier searches. Raises `EngineBusyError` during one."""
        if self.busy:
            raise EngineBusyError("engine: is searching, expected no search while the table is cleared")
        self.clear_table()

    cdef void clear_table(self) noexcept:
        """Forget everything; without the GIL, since giving back a large table takes a while."""
        if not self.table_is_clear:
            with nogil:
                hf_table_clear(self.table_memory, self.table.count * sizeof(Cluster))
        self.table.age = 0
        self.table_is_clear = True

    cdef int prepare(self, Position position, object limit) except -1:
        """Copy what the search needs, so that nobody else can change it meanwhile."""
        cdef Search* context = self.context
        cdef const State* root = &position.frames[position.length].state
        cdef size_t room
        cdef Py_ssize_t k, plies = position.length
        memset(context, 0, sizeof(Search))
        memset(self.order, 0, sizeof(Order))
        context.geometry = position.geometry
        context.root = root[0]
        context.table = &self.table
        context.order = self.order
        context.node_limit = limit.nodes if limit.nodes is not None else ~<uint64_t> 0
        room = (MAX_DEPTH + 1) * <size_t> position.geometry.max_moves
        context.moves = <move_t*> malloc(room * sizeof(move_t))
        context.scored = <ScoredMove*> malloc(room * sizeof(ScoredMove))
        context.drawn_keys = <uint64_t*> malloc((plies + 1) * sizeof(uint64_t))
        if context.moves == NULL or context.scored == NULL or context.drawn_keys == NULL:
            raise MemoryError
        # Positions that occurred as often as they may: one time more is a draw. The root's own key is on the path.
        seen = {}
        for k in range(plies if position.geometry.repetition else 0):
            key = position.frames[k].state.key
            seen[key] = seen.get(key, 0) + 1
            if seen[key] == position.geometry.repetition - 1:
                (<uint64_t*> context.drawn_keys)[context.drawn_count] = key
                context.drawn_count += 1
        # Entries are of one variant under one set of rules: a key says nothing of either.
        if self.tables is None or self.tables.variant != position.tables.variant or (
                limit.time is None and (limit.depth is not None or limit.nodes is not None)):
            self.clear_table()
        else:
            self.table.age += 4
        self.tables = position.tables
        self.table_is_clear = False
        return 0

    cdef int release(self) except -1:
        free(self.context.moves)
        free(self.context.scored)
        free(<void*> self.context.drawn_keys)
        self.context.moves = NULL
        self.context.scored = NULL
        self.context.drawn_keys = NULL
        return 0

    cdef object run(self, object limit, object on_info, double begin):
        """Deepen until a limit, and keep the best line of the last depth that got somewhere."""
        cdef Search* context = self.context
        cdef Interrupts interrupts = Interrupts()
        cdef int32_t depth, score, completed = 0, last = limit.depth if limit.depth is not None else MAX_DEPTH
        cdef bint timed = limit.time is not None
        control_start(&context.control, BEAT, begin + <double> min(limit.time, 1e9) if timed else 0.0,
                      look_at_signals, <void*> interrupts)
        self.static_choice()
        score = evaluate(&context.root)
        best = self.result(&context.line[0], 0, score, hf_now() - begin)
        for depth in range(1, last + 1):
            with nogil:
                score = kernel.search_depth(context, depth, score)
            interrupts.raise_error()
            if hf_flag_read(&context.control.stop):
                if context.found.length:
                    best = self.result(&context.found, completed, context.found_score, hf_now() - begin)
                break
            completed = depth
            context.root_move = context.line[0].move[0]
            best = self.result(&context.line[0], depth, score, hf_now() - begin)
            if on_info is not None:
                on_info(best)
            if timed and self.is_final(score, depth):
                break
        return self.final(best, hf_now() - begin)

    cdef bint is_final(self, int32_t score, int32_t depth):
        """Whether more depth finds nothing better: the search is full width, so what is decided within it is proven.

        In Pulce more points may be had later, unless it is a win by all there are.
        """
        if not is_decided(score) or plies_to_end(score) > depth:
            return False
        return not self.context.geometry.scored or (score > 0 and points_at_end(score) == 3)

    cdef object final(self, object best, double seconds):
        """The result with the counts of the whole search, the last, unfinished depth included."""
        return SearchResult(
            best.best_move, best.score, best.depth, self.context.seldepth, self.context.nodes, seconds,
            int(self.context.nodes / seconds) if seconds > 0 else 0, best.pv, best.lines, best.hashfull)

    cdef int static_choice(self) except -1:
        """Put the move of most progress in `line[0]`, for limits that leave no time for depth 1."""
        cdef Search* context = self.context
        cdef int32_t k, gain, best = 0, most = -0x7fffffff
        cdef const int32_t* value = &context.geometry.side[context.root.turn].value[0]
        cdef int32_t count = kernel.generate(context.geometry, &context.root, context.moves)
        if count == 0:
            context.moves[0] = 0
            count = 1
        for k in range(count):
            gain = value[move_target(context.moves[k])] - value[move_origin(context.moves[k])]
            if gain > most:
                most = gain
                best = k
        context.line[0].move[0] = context.moves[best]
        context.line[0].length = 1
        return 0

    cdef object result(self, const Line* line, int32_t depth, int32_t score, double seconds):
        """The typed form of a line of at least one move, and the counters."""
        cdef Search* context = self.context
        cdef int32_t k
        moves = tuple([move_of_code(line.move[k]) for k in range(line.length)])
        if is_decided(score):
            margin = points_at_end(score) if context.geometry.scored else None
            typed = Score("win" if score > 0 else "loss", plies_to_end(score), margin)
        else:
            typed = Score("points", score)
        nodes = context.nodes
        nps = int(nodes / seconds) if seconds > 0 else 0
        info = Info(depth, context.seldepth, 1, typed, "exact", nodes, seconds, nps, 0, moves)
        return SearchResult(moves[0], typed, depth, context.seldepth, nodes, seconds, nps, moves, (info,), 0)
