"""Position: the thin skin between Python and the kernel's state.

Owns the stack of states of one game. Invariant: every state in it was reached by a legal move from the one below, so
that the kernel never sees anything else; a refused call changes nothing. Guarded by tests/api/ and tests/properties/.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from halma_fast._kernel.chain cimport MAX_CHAIN, shortest_chain
from halma_fast._kernel.dispatch cimport kernel, require_kernel
from halma_fast._kernel.ending cimport (
    is_completed_game, is_deadline_missed, is_turn_cap_reached, side_points)
from halma_fast._kernel.geometry cimport tables_of
from halma_fast._kernel.planes cimport Planes
from halma_fast._kernel.state cimport state_fill, state_move
from halma_fast._kernel.types cimport (
    O, PASS_MOVE, SQUARES, X, kernel_square, move_origin, move_target, public_square, square_t)
from halma_fast.move cimport Move, move_of_code

import numpy as np

from halma_fast.checks import check_bool, check_int, shorten
from halma_fast.errors import (
    EmptyStackError, FenError, GameOverError, IllegalMoveError, MoveError, OptionError, SquareError,
    VariantError)
from halma_fast.move import PASS
from halma_fast.notation import format_fen, parse_fen, parse_move_text, parse_square, square_name
from halma_fast.refusal import check_chain, refusal
from halma_fast.types import Outcome, Reason, Side
from halma_fast.variants import DEFAULT_VARIANT, VARIANTS, Variant, resolve

cdef object SIDES = (Side.X, Side.O)

cdef dict REASONS = {
    COMPLETED: Reason.CAMP_FULL, DEADLINE: Reason.HOME_DEADLINE, REPETITION: Reason.REPETITION,
    TURN_CAP: Reason.MAX_TURNS, BLOCKED: Reason.BLOCKED}


cdef Tables DEFAULT_TABLES = tables_of(VARIANTS[DEFAULT_VARIANT])


cdef class Position:
    """A game in progress: men, side to move, and how it came here.

    Position(variant=None, fen=None, **rules): `variant` is a name of `VARIANTS`, a custom one like "5x5:3,2,1", or a
    `Variant`; without it, the named variant whose board the position string `fen` fits, else "halma16". Without `fen`
    the start of the game. `rules` replace the variant's (`win="occupied"`, ...). Mutable, so not hashable: use `key()`
    or `zobrist`. Raises `VariantError` or `FenError`. Not for use by two threads at once.
    """

    __hash__ = None

    def __cinit__(self, *args, **kwargs):
        # Whatever a subclass does with __init__, there is a position: the default variant's start.
        require_kernel()
        self.frames = NULL
        self.start(DEFAULT_TABLES, DEFAULT_TABLES.start)

    def __init__(self, variant=None, fen=None, **rules):
        if variant is None and fen is not None:
            variant = Variant.for_fen(fen)
        tables = tables_of(resolve(variant, **rules))
        self.start(tables, tables.start if fen is None else parse_fen(tables.variant, fen))

    def __dealloc__(self):
        free(self.frames)

    cdef int start(self, Tables tables, object setup) except -1:
        """Begin a new stack with a checked set-up."""
        cdef Planes men[2]
        cdef int32_t square, side
        cdef Frame* frames
        # The kernel's buffers are made for this many men: a variant that was tampered with must not bring others.
        if len(setup.men[X]) != tables.geometry.men or len(setup.men[O]) != tables.geometry.men:
            raise VariantError(f"variant: {shorten(tables.variant.name)} has changed since its first use")
        frames = <Frame*> malloc(16 * sizeof(Frame))
        if frames == NULL:
            raise MemoryError
        free(self.frames)
        self.frames = frames
        self.capacity = 16
        self.length = 0
        self.tables = tables
        self.geometry = &tables.geometry
        memset(men, 0, sizeof(men))
        for side in range(2):
            for public in setup.men[side]:
                square = kernel_square(public)
                men[side].w[square >> 6] |= <uint64_t> 1 << (square & 63)
        state_fill(self.geometry, &frames[0].state, &men[X], &men[O], setup.turn, 2 * (setup.number - 1) + setup.turn)
        frames[0].move = PASS_MOVE
        frames[0].ending = UNKNOWN
        return 0

    @classmethod
    def from_fen(cls, fen, variant=None, **rules):
        """Return the position of a position string; without `variant`, the named one with a board of that size."""
        if not isinstance(fen, str):
            raise FenError(f"position string: {shorten(fen)}, expected a string")
        return cls(variant, fen, **rules)

    # What stands where.

    @property
    def variant(self):
        """The `Variant`: board and rules."""
        return self.tables.variant

    @property
    def turn(self):
        """The `Side` to move."""
        return SIDES[self.frames[self.length].state.turn]

    @property
    def ply(self):
        """Turns since move number 1 of `x`: 2 * (move number - 1), and 1 more while `o` is to move."""
        return self.frames[self.length].state.ply

    @property
    def move_number(self):
        """The number in the position string: from 1, it goes up after each move of `o`."""
        return self.frames[self.length].state.ply // 2 + 1

    def fen(self):
        """Return the position string."""
        return format_fen(self.variant, (self.pieces(X), self.pieces(O)), self.turn, self.move_number)

    def piece_at(self, square):
        """Return the `Side` whose man stands on a square (number or name), or `None`; raises `SquareError`."""
        cdef int32_t at = kernel_square(self.check_square(square))
        cdef State state = self.frames[self.length].state
        if (state.men[X].w[at >> 6] >> (at & 63)) & 1:
            return Side.X
        if (state.men[O].w[at >> 6] >> (at & 63)) & 1:
            return Side.O
        return None

    cdef int32_t check_square(self, object square) except -1:
        """The number of a square of this board given by number or name, or `SquareError`."""
        cdef int32_t public, at
        public = parse_square(square) if isinstance(square, str) else check_int(square, "square", 0, 255, SquareError)
        at = kernel_square(public)
        if not (self.geometry.board.w[at >> 6] >> (at & 63)) & 1:
            raise SquareError(f"square: {square_name(public)} is not on the board of {self.variant.name}")
        return public

    def pieces(self, side):
        """Return the squares of a side's men, ascending, as a tuple of numbers.

        side: `Side.X`, `Side.O`, or its letter; raises `OptionError`.
        """
        cdef int32_t which = (
            Side.from_letter(side) if isinstance(side, str) else check_int(side, "side", 0, 1, OptionError))
        cdef int32_t public, at
        # By value: foreign code that runs while the list grows (a finalizer) may push and move the frames.
        cdef State state = self.frames[self.length].state
        men = []
        for public in range(SQUARES):
            at = kernel_square(public)
            if (state.men[which].w[at >> 6] >> (at & 63)) & 1:
                men.append(public)
        return tuple(men)

    def to_numpy(self):
        """Return a new int8 array of shape (size, size), [rank, file] from a1: 0 empty, 1 x, 2 o, -1 no square."""
        board = np.zeros((self.variant.size, self.variant.size), dtype=np.int8)
        for hole in self.variant.holes:
            board[hole >> 4, hole & 15] = -1
        for side in range(2):
            for square in self.pieces(side):
                board[square >> 4, square & 15] = side + 1
        return board

    def key(self):
        """Return 65 bytes that are equal exactly for equal men and side to move: what repetition compares."""
        cdef State state = self.frames[self.length].state
        return PyBytes_FromStringAndSize(<char*> state.men, sizeof(state.men)) + (b"\1" if state.turn else b"\0")

    @property
    def zobrist(self):
        """The 64-bit Zobrist key of men and side to move, as an `int`; the same on every machine and board size."""
        return self.frames[self.length].state.key

    # Moves.

    @property
    def legal_moves(self):
        """A live view of the legal moves: iteration (over those of that moment), `len`, `bool`, `in`."""
        return LegalMoves.__new__(LegalMoves, self)

    def legal_moves_array(self):
        """Return the legal moves as a new uint8 array of shape (n, 2): from, to. The pass is (0, 0).

        A row is a move's arguments: `Move(*row)`.
        """
        cdef Py_buffer view
        cdef int32_t k, count
        cdef uint8_t* cells
        cdef move_t* moves = <move_t*> malloc(self.geometry.max_moves * sizeof(move_t))
        if moves == NULL:
            raise MemoryError
        try:
            count = self.generate(moves)
            array = np.empty((count, 2), dtype=np.uint8)
            PyObject_GetBuffer(array, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)
            cells = <uint8_t*> view.buf
            for k in range(count):
                cells[2 * k] = public_square(move_origin(moves[k]))
                cells[2 * k + 1] = public_square(move_target(moves[k]))
            PyBuffer_Release(&view)
        finally:
            free(moves)
        return array

    def is_legal(self, move):
        """Return whether a `Move` or move text is legal here; malformed text is not legal."""
        if type(move) is Move:
            return self.is_legal_code(
                kernel_square((<Move> move).from_square), kernel_square((<Move> move).to_square))
        try:
            self.parse_move(move)
        except MoveError:
            return False
        return True

    def parse_move(self, text):
        """Return the legal `Move` that a text names: "h1-f3", "h1f3", a full chain "h1-f3-f5", or "pass".

        A chain of three or more squares is checked hop by hop. Raises `MoveError` for a text that names no move and
        `IllegalMoveError`, with the rule that forbids it, for a move that is not legal.
        """
        return self.parsed(text)

    cdef Move parsed(self, object text):
        squares = parse_move_text(text)
        outcome = self.current_outcome()
        if outcome is not None:
            raise GameOverError(f"move: {shorten(text)} after the end of the game, {outcome}")
        if not squares:
            move = PASS
        else:
            for square in squares:
                self.check_move_square(square)
            move = Move(squares[0], squares[len(squares) - 1])
        self.check_legal(move)
        if len(squares) > 2:
            check_chain(self, squares)
        return move

    cdef int check_move_square(self, object square) except -1:
        """`IllegalMoveError` for the number of a square that this board does not have."""
        try:
            self.check_square(square)
        except SquareError as error:
            raise IllegalMoveError(f"move: {error}") from None
        return 0

    cdef int check_legal(self, object move) except -1:
        """`IllegalMoveError` with the reason unless `move` is a legal `Move`."""
        if type(move) is not Move:
            raise MoveError(f"move: {shorten(move)}, expected a Move or a text like 'h1-f3'")
        if self.is_legal_code(kernel_square((<Move> move).from_square), kernel_square((<Move> move).to_square)):
            return 0
        outcome = self.current_outcome()
        if outcome is not None:
            raise GameOverError(f"move: {move} after the end of the game, {outcome}")
        if move:
            self.check_move_square(move.from_square)
            self.check_move_square(move.to_square)
        raise IllegalMoveError(f"move: {move} is not legal, {refusal(self, move)}")

    def push(self, move):
        """Make a legal move, a `Move` or its text. Raises `MoveError` or `IllegalMoveError` and changes nothing."""
        # Only calls below that no subclass can override: what comes back from them is made without another check.
        if type(move) is not Move:
            move = self.parsed(move)
        elif not self.is_legal_code(
                kernel_square((<Move> move).from_square), kernel_square((<Move> move).to_square)):
            self.check_legal(move)
        self.make((<Move> move).code())

    def pop(self):
        """Take back the last move and return it. Raises `EmptyStackError` if there is none."""
        if self.length == 0:
            raise EmptyStackError("pop: no move to take back")
        self.length -= 1
        return move_of_code(self.frames[self.length + 1].move)

    def peek(self):
        """Return the last move. Raises `EmptyStackError` if there is none."""
        if self.length == 0:
            raise EmptyStackError("peek: no move has been made")
        return move_of_code(self.frames[self.length].move)

    @property
    def move_stack(self):
        """A new list of the moves made, the first one first."""
        cdef Py_ssize_t k
        return [move_of_code(self.frames[k].move) for k in range(1, self.length + 1)]

    def path(self, move):
        """Return the squares a legal move passes, both ends included, with as few hops as possible.

        A step, and a chain of one hop, have two squares; a pass has none. Raises `MoveError` or `IllegalMoveError`.
        """
        cdef square_t squares[MAX_CHAIN]
        cdef int32_t k, count
        if type(move) is not Move:
            move = self.parsed(move)
        self.check_legal(move)
        if not move:
            return ()
        count = shortest_chain(
            self.geometry, &self.frames[self.length].state,
            kernel_square((<Move> move).from_square), kernel_square((<Move> move).to_square), squares)
        if count == 0:
            return (move.from_square, move.to_square)
        return tuple([public_square(squares[k]) for k in range(count)])

    # The end of the game.

    def is_game_over(self):
        """Return whether the game is over: then there is no legal move."""
        return self.ending() != UNDECIDED

    def outcome(self):
        """Return the `Outcome` (winner, reason, points), or `None` while the game goes on."""
        return self.current_outcome()

    cdef object current_outcome(self):
        cdef int32_t ending = self.ending()
        cdef State state = self.frames[self.length].state
        if ending == UNDECIDED:
            return None
        mover = SIDES[1 - state.turn]
        if not self.geometry.scored:
            winner = mover if ending == COMPLETED else mover.other if ending == DEADLINE else None
            return Outcome(winner, REASONS[ending], None)
        points = (side_points(self.geometry, &state, X), side_points(self.geometry, &state, O))
        winner = None if points[0] == points[1] else Side.X if points[0] > points[1] else Side.O
        over = ending == COMPLETED or (ending == BLOCKED and points != (0, 0))
        return Outcome(winner, Reason.ROUND_OVER if over else REASONS[ending], points)

    # Copies and comparison.

    def copy(self, *, stack=True):
        """Return an independent copy, a plain `Position`; `stack=False`: one that forgets the moves before this one."""
        cdef bint whole = check_bool(stack, "stack", OptionError)
        cdef Position other = Position.__new__(Position)
        cdef Py_ssize_t first = 0 if whole else self.length
        cdef Py_ssize_t frames = self.length + 1 - first
        cdef Frame* copied = <Frame*> malloc((frames + 8) * sizeof(Frame))
        if copied == NULL:
            raise MemoryError
        memcpy(copied, self.frames + first, frames * sizeof(Frame))
        free(other.frames)
        other.frames = copied
        other.capacity = frames + 8
        other.length = frames - 1
        other.tables = self.tables
        other.geometry = self.geometry
        if first:
            other.frames[0].ending = UNKNOWN   # repetition looked at what the copy does not have
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef Position root = self.copy()
        root.length = 0
        ply = root.ply
        root.frames[0].state.ply = root.frames[0].state.turn   # strings have no number as large as play may reach
        return _restore, (self.variant, root.fen(), ply, tuple(self.move_stack))

    def __eq__(self, other):
        cdef State* a
        cdef State* b
        if not isinstance(other, Position):
            return NotImplemented
        a = &self.frames[self.length].state
        b = &(<Position> other).frames[(<Position> other).length].state
        return (a.ply == b.ply and a.turn == b.turn and memcmp(a.men, b.men, sizeof(a.men)) == 0
                and self.variant == other.variant)

    def __str__(self):
        from halma_fast.render import board_text
        return board_text(self)

    def to_svg(self, *, size=480, last_move=True, arrows=(), coordinates=True, flip=False, colours=None):
        """Return the board as an SVG picture, a string.

        size: pixels of the longer side, 16..10000, or `None` for a picture as large as its place; last_move: the move
        to mark, a `Move` or text, `True` for the last one made, `False` for none; arrows: moves or pairs of a move and
        a colour ("green", "red", "blue", "yellow", "purple", "black" or "#rrggbb"), chains as text with their landings;
        coordinates: files, ranks and whose turn it is in the margin; flip: seen from the other side; colours:
        replacements, "#rrggbb", of x, o, square, frame, line, text and last_move. Raises `OptionError`.
        """
        from halma_fast.svg import board_svg
        return board_svg(
            self, size=size, last_move=last_move, arrows=arrows, coordinates=coordinates, flip=flip, colours=colours)

    def _repr_svg_(self):
        return self.to_svg()

    def __repr__(self):
        plain = VARIANTS.get(self.variant.name) or Variant.named(self.variant.name)
        rules = [f"{name}={value!r}" for name, value in self.variant.rules.items() if plain.rules[name] != value]
        return f"Position.from_fen({', '.join([repr(self.fen()), repr(self.variant.name), *rules])})"

    # Below the skin: no check, no Python object.

    cdef int make(self, move_t move) except -1:
        """Make a move that is known to be legal."""
        cdef Frame* grown
        cdef Frame* frame
        if self.length + 1 == self.capacity:
            grown = <Frame*> realloc(self.frames, 2 * self.capacity * sizeof(Frame))
            if grown == NULL:
                raise MemoryError
            self.frames = grown
            self.capacity *= 2
        frame = &self.frames[self.length + 1]
        frame.state = self.frames[self.length].state
        state_move(self.geometry, &frame.state, move)
        frame.move = move
        frame.ending = UNKNOWN
        self.length += 1
        return 0

    cdef int32_t occurrences(self) noexcept:
        """How often the present position has occurred in this game, now included."""
        cdef State* now = &self.frames[self.length].state
        cdef Py_ssize_t k = self.length - 2
        cdef int32_t count = 1
        while k >= 0:
            # The same side is to move two turns earlier; the key rules out nearly all, the men decide.
            if self.frames[k].state.key == now.key and memcmp(
                    self.frames[k].state.men, now.men, sizeof(now.men)) == 0:
                count += 1
            k -= 2
        return count

    cdef int32_t decided(self) noexcept:
        """The ending that shows without generating moves, remembered in the frame."""
        cdef Frame* frame = &self.frames[self.length]
        cdef const Geometry* g = self.geometry
        if frame.ending == UNKNOWN:
            if is_completed_game(g, &frame.state):
                frame.ending = COMPLETED
            elif is_deadline_missed(g, &frame.state):
                frame.ending = DEADLINE
            elif g.repetition != 0 and self.occurrences() >= g.repetition:
                frame.ending = REPETITION
            elif is_turn_cap_reached(g, &frame.state):
                frame.ending = TURN_CAP
            else:
                frame.ending = UNDECIDED
        return frame.ending

    cdef int32_t ending(self) noexcept:
        """The ending, also the one in which neither side can move."""
        cdef Frame* frame = &self.frames[self.length]
        if self.decided() == UNDECIDED:
            if not kernel.can_move(self.geometry, &frame.state, X) and not kernel.can_move(
                    self.geometry, &frame.state, O):
                frame.ending = BLOCKED
        return frame.ending

    cdef int32_t generate(self, move_t* moves) noexcept:
        """Write the legal moves, a pass included, none if the game is over; room for max_moves."""
        cdef Frame* frame = &self.frames[self.length]
        cdef int32_t count
        if self.decided() != UNDECIDED:
            return 0
        count = kernel.generate(self.geometry, &frame.state, moves)
        if count == 0 and self.ending() == UNDECIDED:
            moves[0] = PASS_MOVE
            count = 1
        return count

    cdef bint is_legal_code(self, int32_t origin, int32_t target) noexcept:
        """Whether origin-target, any two kernel squares, is legal; equal ones are the pass if both are 0."""
        cdef State* state = &self.frames[self.length].state
        if self.decided() != UNDECIDED:
            return False
        if origin == target:
            return (origin == 0 and not kernel.can_move(self.geometry, state, state.turn)
                    and self.ending() == UNDECIDED)
        return kernel.is_move(self.geometry, state, origin, target)

    cdef list moves_list(self):
        cdef int32_t k, count
        cdef move_t* moves = <move_t*> malloc(self.geometry.max_moves * sizeof(move_t))
        if moves == NULL:
            raise MemoryError
        try:
            count = self.generate(moves)
            return [move_of_code(moves[k]) for k in range(count)]
        finally:
            free(moves)


def _restore(variant, fen, ply, moves):
    """Rebuild a pickled position: through the checks, so that a damaged pickle raises instead of harming."""
    cdef Position position = Position(variant, fen=fen)
    cdef int32_t plies = check_int(ply, "ply", 0, 2**30, OptionError)
    if plies % 2 != <int32_t> position.frames[0].state.turn:
        raise OptionError(f"ply: {plies}, expected an even number for x to move and an odd one for o")
    position.frames[0].state.ply = plies
    for move in moves:
        position.push(move)
    return position


@cython.final
cdef class LegalMoves:
    """The legal moves of a position, as they are when asked."""

    cdef Position position

    def __cinit__(self, Position position not None):
        self.position = position

    def __iter__(self):
        return iter(self.position.moves_list())

    def __len__(self):
        cdef Position p = self.position
        cdef State* state = &p.frames[p.length].state
        cdef int32_t count
        if p.decided() != UNDECIDED:
            return 0
        count = kernel.count_moves(p.geometry, state, state.turn)
        return count if count else 1 if p.ending() == UNDECIDED else 0

    def __bool__(self):
        return self.position.ending() == UNDECIDED

    def __contains__(self, move):
        return (type(move) is Move or isinstance(move, str)) and self.position.is_legal(move)

    def __reduce__(self):
        raise TypeError("LegalMoves cannot be pickled: it is a view, make a list of it")

    def __repr__(self):
        return f"<LegalMoves: {', '.join([move.text for move in self])}>"
