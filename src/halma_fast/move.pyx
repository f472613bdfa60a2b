"""A move as the pair (from, to): what a player does in one turn, or the pass.

Owns the value type. Invariant: immutable; from == to only in the pass, which is (0, 0).
Guarded by tests/api/test_move.py.
"""

cimport cython
from libc.stdint cimport int32_t

from halma_fast._kernel.types cimport kernel_square, make_move, move_origin, move_target, public_square

from halma_fast.checks import check_int
from halma_fast.errors import MoveError, SquareError
from halma_fast.notation import parse_move_text, square_name


@cython.freelist(1024)
@cython.final
cdef class Move:
    """One turn of a side, whatever the hops between: Move(from_square, to_square).

    Squares are `16 * rank + file`, 0..255, the same on every board. The pass is `PASS`, Move(0, 0), which is false.
    Hashable, ordered by (from_square, to_square). Raises `SquareError` for a number out of range and `MoveError` for
    a move that ends where it begins.
    """

    def __init__(self, from_square, to_square):
        if self.made:
            raise TypeError("a Move cannot be changed")
        cdef int32_t origin = check_int(from_square, "from_square", 0, 255, SquareError)
        cdef int32_t target = check_int(to_square, "to_square", 0, 255, SquareError)
        if origin == target and origin != 0:
            raise MoveError(f"move: from {square_name(origin)} to itself, expected two different squares")
        self.from_square = origin
        self.to_square = target
        self.made = True

    @staticmethod
    def from_text(text):
        """Return the move that a text names: "h1-f3", "h1f3", a chain "h1-f3-f5" (its ends), or "pass".

        Knows no board: `Position.parse_move` also checks that the move is legal. Raises `MoveError`.
        """
        squares = parse_move_text(text)
        return move_of_ends(squares[0], squares[len(squares) - 1]) if squares else PASS

    @property
    def text(self):
        """The move as written: "h1-f3", or "pass"."""
        if self.from_square == self.to_square:
            return "pass"
        return f"{square_name(self.from_square)}-{square_name(self.to_square)}"

    cdef move_t code(self) noexcept:
        return make_move(kernel_square(self.from_square), kernel_square(self.to_square))

    def __bool__(self):
        return self.from_square != self.to_square

    def __str__(self):
        return self.text

    def __format__(self, str spec):
        return format(self.text, spec)

    def __repr__(self):
        return f"Move.from_text({self.text!r})"

    def __hash__(self):
        return 256 * self.from_square + self.to_square

    def __richcmp__(self, other, int op):
        cdef int a, b
        if type(other) is not Move:
            return NotImplemented
        a = 256 * self.from_square + self.to_square
        b = 256 * (<Move> other).from_square + (<Move> other).to_square
        if op == 0:
            return a < b
        if op == 1:
            return a <= b
        if op == 2:
            return a == b
        if op == 3:
            return a != b
        if op == 4:
            return a > b
        return a >= b

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return Move, (self.from_square, self.to_square)


cdef Move move_of_ends(int32_t origin, int32_t target):
    """Make a move without the checks of the constructor."""
    cdef Move move = Move.__new__(Move)
    move.from_square = origin
    move.to_square = target
    move.made = True
    return move


cdef Move move_of_code(move_t code):
    return move_of_ends(public_square(move_origin(code)), public_square(move_target(code)))


PASS = Move(0, 0)
