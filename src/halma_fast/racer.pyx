"""The search for the fewest moves of one army: the memory of its two ends, and the loop over limits and layers.

Owns the way in and out of the kernel. Invariant: what comes back is a shortest way, or the search says why there is
none. Guarded by tests/race/.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from halma_fast._kernel.control cimport control_start
from halma_fast._kernel.dispatch cimport kernel, require_kernel
from halma_fast._kernel.geometry cimport Tables, tables_of
from halma_fast._kernel.planes cimport Planes, hf_popcount
from halma_fast._kernel.race cimport (
    RACE_APART, RACE_MET, RACE_OUT_OF_MEMORY, RACE_WORDS, Race, RaceResult, hf_race_find,
    hf_race_free, race_begin, race_bound, race_distance, race_pack, race_plane, race_toggle, race_turn)
from halma_fast._kernel.types cimport (
    PLANES, SQUARES, kernel_square, move_origin, move_t, move_target, public_square)
from halma_fast.interrupts cimport Interrupts, look_at_signals

from halma_fast.checks import check_int
from halma_fast.errors import RaceError

# States between two looks at the clock: some 5 us each.
cdef enum:
    BEAT = 64

# 3/4 of the slots of 4 bytes are used at most, and both arrays grow by copying.
cdef int BYTES_BESIDE_STATE = 20


cdef class Racer:
    """Racer(variant, side, men, memory_mb): the army of `side` on the public squares `men`, nobody else on the board.

    A single search: `run` once. Arguments are checked by the callers, but for those that index memory.
    """

    cdef Tables tables
    cdef Race* race
    cdef object layers      # of each end, where its layers begin
    cdef bint busy
    cdef bint has_way

    def __cinit__(self, variant, int side, men, uint64_t memory_mb):
        cdef Race* race
        cdef Planes planes[2]
        cdef int32_t square, which, k, byte, bit, plane, size = variant.size
        cdef uint64_t word
        require_kernel()
        self.race = NULL
        self.tables = tables_of(variant)
        self.race = race = <Race*> calloc(1, sizeof(Race))
        if race == NULL:
            raise MemoryError
        race.geometry = &self.tables.geometry
        race.side = side & 1
        race.men = self.tables.geometry.men
        race.words = 1 if size <= 8 else RACE_WORDS
        memset(planes, 0, sizeof(planes))
        goal = variant.goal[side]
        for which, squares in enumerate((men, goal)):
            for public in squares:
                square = kernel_square(check_int(public, "square", 0, SQUARES - 1, RaceError))
                planes[which].w[square >> 6] |= <uint64_t> 1 << (square & 63)
        if len(set(men)) != race.men or len(goal) != race.men:
            raise RaceError(f"men: {len(set(men))}, expected {race.men}")
        race.moves = <move_t*> malloc(race.men * SQUARES * sizeof(move_t))
        if race.moves == NULL:
            raise MemoryError
        for which in range(2):
            # The target of an end is the root of the other.
            race_pack(race, &planes[1 - which], race.end[which].target)
            near = neighbours_of(goal if which == 0 else men)
            for public in near:
                square = kernel_square(public)
                if (race.geometry.board.w[square >> 6] >> (square & 63)) & 1:
                    race_toggle(race, race.end[which].near, square)
            for plane in range(PLANES):
                race.end[which].in_class[plane] = hf_popcount(race_plane(race, race.end[which].target, plane))
            race.end[which].set.words = race.words
        # Without locks every move can be taken back, and then the way back from the goal is the way from the start
        # turned by half, if start and goal are.
        turned_men = {16 * (size - 1 - (s >> 4)) + size - 1 - (s & 15) for s in men}
        race.turned = (size <= 8 and turned_men == set(goal) and variant.goal_lock == "none" and variant.home_reentry
                       and not variant.holes and variant.family == "halma")
        if race.turned:
            for rank in range(size):
                for file in range(size):
                    memset(&word, 0, sizeof(word))
                    race_toggle(race, &word, kernel_square(16 * rank + file))
                    k = 0
                    while not (word >> k) & 1:
                        k += 1
                    memset(&word, 0, sizeof(word))
                    race_toggle(race, &word, kernel_square(16 * (size - 1 - rank) + size - 1 - file))
                    bit = k & 7
                    for byte in range(256):
                        if (byte >> bit) & 1:
                            race.turn[k >> 3][byte] |= word
        for which in range(2):
            race.end[which].set.most = min(
                (1 << 32) - 2, max(1024, (memory_mb << 20) // (2 if not race.turned else 1)
                                   // (2 * 8 * race.words + BYTES_BESIDE_STATE)))
        self.layers = ([], [])

    def __dealloc__(self):
        cdef int which
        if self.race != NULL:
            for which in range(2):
                hf_race_free(&self.race.end[which].set)
            free(self.race.moves)
            free(self.race)

    def __reduce__(self):
        raise TypeError("a Racer cannot be pickled: it is memory, make another one")

    @property
    def bound(self):
        """At least so many moves are needed."""
        return race_bound(self.race, &self.race.end[0], self.race.end[1].target)

    def run(self, int most, on_layer):
        """Return the fewest moves, at most `most`, or `None` if no way is that short or there is none at all.

        on_layer: called with (limit, layers made, states kept) after each layer. Raises `RaceError` if memory ends, and
        whatever a signal handler raises.
        """
        cdef Interrupts interrupts = Interrupts()
        cdef int32_t limit = self.bound
        if self.busy:
            raise RaceError("race: is being searched already, expected one search at a time")
        self.busy = True
        self.has_way = False
        try:
            return self.search(most, limit, on_layer, interrupts)
        finally:
            self.busy = False

    cdef object search(self, int most, int32_t limit, object on_layer, Interrupts interrupts):
        cdef Race* race = self.race
        cdef RaceResult result
        cdef int32_t which
        control_start(&race.control, BEAT, 0, look_at_signals, <void*> interrupts)
        while limit <= most:
            self.layers = ([0], [0])
            result = race_begin(race, limit)
            while result == RACE_APART and self.depth() < limit:
                which = 0
                if not race.turned and self.width(1) < self.width(0):
                    which = 1
                if self.width(which) == 0:
                    if not race.pruned:
                        return None      # everything that can be reached has been
                    break
                self.layers[which].append(race.end[which].set.count)
                with nogil:
                    result = kernel.race_layer(race, which)
                interrupts.raise_error()
                if on_layer is not None:
                    on_layer(limit, self.depth(), race.end[0].set.count + race.end[1].set.count)
            if result == RACE_MET:
                self.has_way = True
                return limit
            if result == RACE_OUT_OF_MEMORY:
                raise RaceError(
                    f"memory_mb: too few for {race.end[0].set.count + race.end[1].set.count} placements, with at least"
                    f" {limit} moves needed, expected more")
            limit += 1
        return None

    cdef uint64_t width(self, int which):
        return self.race.end[which].set.count - self.race.end[which].layer

    cdef int32_t depth(self):
        """How long the ways are that have been looked at."""
        if self.race.turned:
            return 2 * self.race.end[0].depth
        return self.race.end[0].depth + self.race.end[1].depth

    def moves(self):
        """Return the shortest way that `run` found: a list of (from, to), public squares."""
        cdef uint64_t other[RACE_WORDS]
        cdef Race* race = self.race
        cdef int last = self.tables.variant.size - 1
        if self.busy or not self.has_way:
            raise RaceError("race: no way has been found, expected a search before")
        way = self.way_to(0, race.met)
        if not race.turned:
            return way + self.way_to(1, race.met)
        race_turn(race, race.met, other)
        for origin, target in reversed(self.way_to(0, other)):
            way.append(tuple(16 * (last - (s >> 4)) + last - (s & 15) for s in (target, origin)))
        return way

    cdef list way_to(self, int which, const uint64_t* end):
        """The moves between an end's root and a state of its set, in the order in which they are played."""
        cdef Race* race = self.race
        cdef uint64_t state[RACE_WORDS]
        cdef uint64_t before[RACE_WORDS]
        cdef int32_t k, count
        cdef uint64_t found, begin
        memcpy(state, end, sizeof(state))
        begins = self.layers[which]
        index = hf_race_find(&race.end[which].set, state) - 1
        layer = max(k for k in range(len(begins)) if begins[k] <= index)
        way = []
        while layer > 0:
            begin = begins[layer - 1]
            count = kernel.race_neighbours(race, which == 0, state, race.moves)
            for k in range(count):
                memcpy(before, state, sizeof(state))
                race_toggle(race, before, move_origin(race.moves[k]))
                race_toggle(race, before, move_target(race.moves[k]))
                found = hf_race_find(&race.end[which].set, before)
                if begin < found <= <uint64_t> begins[layer]:
                    break
            else:
                raise AssertionError("a state without one before it")
            here, there = public_square(move_origin(race.moves[k])), public_square(move_target(race.moves[k]))
            way.append((there, here) if which == 0 else (here, there))
            memcpy(state, before, sizeof(state))
            layer -= 1
        return way[::-1] if which == 0 else way


def army_distance(men, others):
    """Return the king's moves between the closest of two sets of public squares, 15 if one is empty."""
    cdef Planes planes[2]
    cdef int32_t which, square
    memset(planes, 0, sizeof(planes))
    for which, squares in enumerate((men, others)):
        for public in squares:
            square = kernel_square(check_int(public, "square", 0, SQUARES - 1, RaceError))
            planes[which].w[square >> 6] |= <uint64_t> 1 << (square & 63)
    return race_distance(&planes[0], &planes[1])


def neighbours_of(squares):
    """Return the squares beside some squares, numbers of 16x16; some may lie beyond the board."""
    found = set()
    for square in squares:
        for d_file in (-1, 0, 1):
            for d_rank in (-1, 0, 1):
                file, rank = (square & 15) + d_file, (square >> 4) + d_rank
                if (d_file or d_rank) and 0 <= file < 16 and 0 <= rank < 16:
                    found.add(16 * rank + file)
    return found
