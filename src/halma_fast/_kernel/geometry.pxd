# A variant as masks and tables: everything that the hot loops read instead of asking which game it is.
# Owns the struct and its builder. Invariant: built once for a Variant, never changed after; all squares in it lie on
# the board. Guarded by tests/perft/ and tests/properties/.
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from halma_fast._kernel.net cimport Net
from halma_fast._kernel.planes cimport Planes
from halma_fast._kernel.small cimport SmallBoard
from halma_fast._kernel.types cimport MAX_ZONES, SQUARES, square_t

cdef enum:
    # Which men the home duty lets move: the side has zones and steps for each stage (see duty.pxd).
    OUT = 0                 # those at home, to squares outside
    FREE = 1                # those outside
    STAGES = 2

ctypedef struct Zone:
    # Men that stand in `men` move alike: where their chains may pass, where they may end, and how they enter the goal.
    Planes men
    Planes through          # squares a chain may pass before it enters the goal
    Planes land             # of those, the squares where it may end
    Planes enter_orthogonal  # goal squares that a chain from outside may land on by an orthogonal hop
    Planes enter_diagonal   # the same by a diagonal hop
    Planes inside           # squares a chain may pass after it has entered

ctypedef struct SideRules:
    Zone zone[MAX_ZONES]
    int32_t zones
    Planes step_from[SQUARES]   # squares that a man on the index may step to, the board being empty
    Planes step_to[SQUARES]     # squares whose man may step to the index
    Planes goal
    Planes home
    const Planes* onward    # home duty: for a man at home, the home squares no nearer to its corner; NULL: no such rule
    Planes away             # complete: none of the side's men stands here ...
    Planes cover            # ... every square here is occupied ...
    #                         ... and at least one own man is in the goal
    Planes edge[2]          # Pulce: the two edges of the goal camp
    square_t mirror[8][2]   # Pulce: pairs of goal squares that mirror each other in the diagonal through the corner
    int32_t mirrors
    int32_t value[SQUARES]  # evaluation of a man, in points (see evaluate.pxd)
    int32_t goal_class[4]   # goal squares in each plane
    Planes ahead[SQUARES]   # squares that are worth more than the index
    uint64_t zobrist[SQUARES]
    uint64_t proof[SQUARES][6]  # perft's table: three more keys of a man there, and the three of the mirrored square

ctypedef struct EdgeBits:
    # For a square: the bit of each kind of edge that passes over it, in the plane beside, above or at the corner of its
    # own; 0 where an end would be off the board.
    uint64_t east
    uint64_t north
    uint64_t northeast
    uint64_t northwest

ctypedef struct PulceSide:
    # Pulce: the evaluation of a side's men (see values_pulce.py); sets of sockets of an edge are five bits.
    square_t socket[2][5]           # kernel squares of both edges
    int16_t arrangement[32][32]     # by the sets that are taken
    int16_t entry[2][128][32]       # by edge, square (32 * plane + bit) and the set that is taken there

ctypedef struct Geometry:
    SideRules side[2]
    Planes board
    EdgeBits over[SQUARES]  # the edges that exist while a man stands on the square
    uint64_t turn_proof[6]
    bint mirrored           # camps and holes are their own mirror image in the long diagonal
    uint64_t turn_key       # part of the key while o is to move
    uint64_t table_salt     # so that the search's table keeps apart what is scored under different endings
    uint8_t ends[2]         # bit s of ends[mover]: a completed side s ends the game after a move by `mover`
    PulceSide* pulce        # Pulce: of both sides, else NULL
    Net* net                # corrects the linear evaluation; NULL: nothing does
    bint scored             # Pulce: points decide, not completion itself
    int32_t men             # a side
    int32_t tempo           # evaluation: points of being to move, ...
    int32_t class_step      # ... and of each man that must change its plane (see values.py)
    int32_t max_moves       # no position has more
    uint32_t first          # who moves first
    uint32_t home_deadline  # 0: none
    uint32_t max_turns      # 0: none
    int32_t repetition      # 0: none
    const Geometry* stage   # home duty: the same game with x and o at [stage of x * STAGES + stage of o]; NULL: no duty
    SmallBoard small        # the same for boards up to 8x8, where four of them fit in one vector


cdef class Tables:
    """Owns the Geometry of one variant."""
    cdef Geometry geometry
    cdef Geometry* stages
    cdef Geometry* sporting
    cdef Planes* onward
    cdef readonly object variant
    cdef readonly object start      # the Setup of the first position

    cdef const Geometry* sporting_for(self, uint32_t side) except NULL


cdef Tables tables_of(object variant)
