"""The root moves of a search: which of the legal ones are searched, and in what order.

Owns their memory. Invariant: each is legal and there once; a search without a choice has all of them, except where a
sportsman owes the other side a man at home. Guarded by tests/search/test_lines.py and
tests/search/test_sportsmanship.py.
"""

cimport cython
from libc.stdlib cimport free, malloc

from halma_fast._kernel.dispatch cimport kernel
from halma_fast._kernel.ending cimport is_complete
from halma_fast._kernel.planes cimport Planes
from halma_fast._kernel.types cimport PASS_MOVE, move_origin, move_target
from halma_fast.move cimport Move

from halma_fast.checks import shorten
from halma_fast.errors import OptionError


@cython.final
cdef class Roots:

    def __cinit__(self, Py_ssize_t room):
        self.moves = <move_t*> malloc(room * sizeof(move_t))
        self.rest = <move_t*> malloc(room * sizeof(move_t))
        if self.moves == NULL or self.rest == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.moves)
        free(self.rest)

    cdef int choose(self, const Geometry* g, const State* s, list choice, bint spoil) except -1:
        """Take the chosen moves, or all if there is no choice."""
        cdef const int32_t* value = &g.side[s.turn].value[0]
        cdef int32_t k, count = kernel.generate(g, s, self.rest)
        if count == 0:
            self.rest[0] = PASS_MOVE
            count = 1
        if not choice and not spoil and is_complete(g, s, s.turn ^ 1):
            choice = moves_owed(&g.side[s.turn].home, self.rest, count)
        chosen = set(choice)
        ranked = []
        for k in range(count):
            if not chosen or self.rest[k] in chosen:
                gain = value[move_target(self.rest[k])] - value[move_origin(self.rest[k])]
                ranked.append((-gain, k, self.rest[k]))
        # What was checked is looked up again in the copy that is searched: foreign code may have run since.
        if len(ranked) < len(chosen):
            raise OptionError("root_moves: not legal any more, expected the position to stay as it is")
        codes = [code for _, _, code in sorted(ranked)]
        self.total = len(codes)
        for k in range(self.total):
            self.moves[k] = codes[k]
        # To choose all moves is to choose none; so a forced pass, the only one, is never a choice either.
        self.chosen = self.total < count
        return 0

    cdef int give(self, Search* context, set taken) except -1:
        """Let a context search all but those taken."""
        cdef int32_t k, count = 0
        if not taken:
            context.root_moves = self.moves if self.chosen else NULL
            context.root_count = self.total if self.chosen else 0
            return 0
        for k in range(self.total):
            if self.moves[k] not in taken:
                self.rest[count] = self.moves[k]
                count += 1
        context.root_moves = self.rest
        context.root_count = count
        return 0


cdef bint holds(const Planes* planes, int32_t square) noexcept:
    return (planes.w[square >> 6] >> (square & 63)) & 1


cdef list moves_owed(const Planes* home, const move_t* moves, int32_t count):
    """The moves that take a man out of home: the other side waits for nothing else."""
    cdef int32_t k
    return [moves[k] for k in range(count)
            if holds(home, move_origin(moves[k])) and not holds(home, move_target(moves[k]))]


cdef list checked_moves(Position position, object root_moves):
    """The codes of the moves to choose from, each once, or an error that names the one that is not legal."""
    cdef list codes = []
    if isinstance(root_moves, str):
        raise OptionError(f"root_moves: {shorten(root_moves)}, expected several moves or None")
    try:
        moves = list(root_moves)
    except TypeError:
        raise OptionError(f"root_moves: {shorten(root_moves)}, expected moves or None") from None
    for move in moves:
        if type(move) is not Move:
            move = position.parsed(move)
        position.check_legal(move)
        code = (<Move> move).code()
        if code not in codes:
            codes.append(code)
    if not codes:
        raise OptionError("root_moves: none, expected at least one legal move")
    return codes
