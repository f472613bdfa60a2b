"""Builds the masks and tables of a variant (see geometry.pxd): the one place where rules turn into data."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from halma_fast._kernel.net cimport HF_NET_UNITS, Net
from halma_fast._kernel.planes cimport Planes, hf_popcount
from halma_fast._kernel.small cimport SMALL_SQUARES, SmallRules, SmallZone, hf_small
from halma_fast._kernel.types cimport MAX_ZONES, PLANES, SQUARES, kernel_square

from halma_fast._kernel.nets import net_of
from halma_fast._kernel.values import man_values, terms
from halma_fast._kernel.values_pulce import arrangement_values, entry_values, socket_order
from halma_fast.checks import check_int
from halma_fast.errors import VariantError
from halma_fast.notation import parse_fen
from halma_fast.variants import Variant

cdef uint64_t ZOBRIST_SEED = 0x48616C6D61313838   # any number does; fixed, so that keys are the same everywhere


# Any two numbers do.
cdef uint64_t[2] SPORTING_SALT = [<uint64_t> 0xA0761D6478BD642F, <uint64_t> 0xE7037ED1A0B428DB]


cdef uint64_t splitmix64(uint64_t* counter) noexcept nogil:
    """Sebastiano Vigna's generator (2015): every seed gives a full-period sequence of well-mixed words."""
    cdef uint64_t z
    counter[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = counter[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef int32_t checked_square(object public) except -1:
    """A square as it may be used as an index, whatever a tampered-with variant holds."""
    return check_int(public, "square", 0, SQUARES - 1, VariantError)


cdef Planes planes_of(object squares) except *:
    """Return a set of public squares as planes."""
    cdef Planes planes
    cdef int32_t square
    memset(&planes, 0, sizeof(planes))
    for public in squares:
        square = kernel_square(checked_square(public))
        planes.w[square >> 6] |= <uint64_t> 1 << (square & 63)
    return planes


cdef int add_zone(SideRules* rules, object men, object through, object land, object enter_orthogonal,
                  object enter_diagonal, object inside) except -1:
    cdef Zone* zone
    if rules.zones >= MAX_ZONES:
        raise VariantError(f"zones: more than {MAX_ZONES}, expected at most one each for home, goal and the rest")
    zone = &rules.zone[rules.zones]
    rules.zones += 1
    zone.men = planes_of(men)
    zone.through = planes_of(through)
    zone.land = planes_of(land)
    zone.enter_orthogonal = planes_of(enter_orthogonal)
    zone.enter_diagonal = planes_of(enter_diagonal)
    zone.inside = planes_of(inside)
    return 0


cdef object neighbours(int square, object board, bint diagonal):
    cdef int file = square & 15
    cdef int rank = square >> 4
    found = []
    for d_file in (-1, 0, 1):
        for d_rank in (-1, 0, 1):
            if (d_file or d_rank) and (d_file != 0 and d_rank != 0) == diagonal:
                if 0 <= file + d_file < 16 and 0 <= rank + d_rank < 16:
                    found.append(16 * (rank + d_rank) + file + d_file)
    return board.intersection(found)


cdef int add_steps(SideRules* rules, object men, object board, object land, object land_diagonal) except -1:
    """Let men on the squares of `men` step to neighbours in `land`, diagonally in `land_diagonal`."""
    cdef int32_t origin, target
    for public in men:
        targets = (neighbours(public, board, False) & land) | (neighbours(public, board, True) & land_diagonal)
        origin = kernel_square(checked_square(public))
        rules.step_from[origin] = planes_of(targets)
        for public_target in targets:
            target = kernel_square(public_target)
            rules.step_to[target].w[origin >> 6] |= <uint64_t> 1 << (origin & 63)
    return 0


cdef int build_moves(SideRules* rules, object variant, int side, object movers, object banned) except -1:
    """Translate the rules about where men on `movers` go, none of them to end on `banned`, into zones and step tables.
    """
    board = board_squares(variant)
    home, goal = variant.home[side], variant.goal[side]
    nothing = frozenset()
    passable = board if variant.enemy_goal_hops else board - variant.goal[1 - side]
    locked = variant.goal_lock != "none" or variant.frozen_goal
    # Chains that cross into the goal are looked at landing by landing if what they may do there differs from outside.
    staged = variant.goal_lock == "hop" or variant.frozen_goal or variant.orthogonal_entry
    through = passable - goal if staged else passable
    enter = goal if staged else nothing
    enter_diagonal = nothing if variant.orthogonal_entry else enter
    inside = nothing if variant.frozen_goal else enter
    open_men = board - goal if locked else board

    groups = [(open_men & movers, banned)]
    if not variant.home_reentry:
        groups = [(open_men & movers & home, banned), ((open_men & movers) - home, banned | home)]
    for men, closed in groups:
        add_zone(rules, men, through, through - closed, enter, enter_diagonal, inside)
        land = board - closed
        add_steps(rules, men, board, land, land - goal if variant.orthogonal_entry else land)
    if locked and not variant.frozen_goal:
        add_zone(rules, goal & movers, goal if staged else passable, goal, nothing, nothing, nothing)
        add_steps(rules, goal & movers, board, goal, goal)
    return 0


cdef int build_stages(Geometry* g, Geometry* stages, Planes* onward, object variant) except -1:
    """Write the game at each pair of stages of the home duty, and where men at home may go inside it."""
    cdef SideRules* rules
    cdef int side, k, stage
    board = board_squares(variant)
    for side in range(2):
        home = variant.home[side]
        for public in home:
            onward[SQUARES * side + kernel_square(checked_square(public))] = planes_of(
                farther(home, public, variant.home_corners[side]))
        g.side[side].onward = &onward[SQUARES * side]
    for k in range(STAGES * STAGES):
        stages[k] = g[0]
        for side in range(2):
            home = variant.home[side]
            stage = k % STAGES if side else k // STAGES
            rules = &stages[k].side[side]
            rules.zones = 0
            memset(rules.zone, 0, sizeof(rules.zone))
            memset(rules.step_from, 0, sizeof(rules.step_from))
            memset(rules.step_to, 0, sizeof(rules.step_to))
            if stage == OUT:
                build_moves(rules, variant, side, home, home)
            else:
                build_moves(rules, variant, side, board - home, frozenset())
        build_small(&stages[k], variant.size)
    g.stage = stages
    return 0


cdef object farther(object home, int square, int corner):
    """The other squares of a home camp that lie no nearer to its corner, neither by file nor by rank."""
    cdef int file = square & 15
    cdef int rank = square >> 4
    cdef int corner_file = corner & 15
    cdef int corner_rank = corner >> 4
    return {
        other for other in home
        if other != square
        and abs((other & 15) - corner_file) >= abs(file - corner_file)
        and abs((other >> 4) - corner_rank) >= abs(rank - corner_rank)
    }


cdef int build_ending(SideRules* rules, object variant, int side) except -1:
    """Translate the winning rule into the squares that must be left and covered, and the goal's edges for points."""
    board = board_squares(variant)
    cdef int plane
    goal = variant.goal[side]
    rules.goal = planes_of(goal)
    rules.home = planes_of(variant.home[side])
    for plane in range(PLANES):
        rules.goal_class[plane] = hf_popcount(rules.goal.w[plane])
    if variant.win == "occupied":
        rules.cover = planes_of(goal)
    else:
        # A side has as many men as its Halma goal has squares: all men inside and all squares filled are the same.
        rules.away = planes_of(board - goal)
    if variant.goal_edges is not None:
        first, second = variant.goal_edges[side]
        rules.edge[0] = planes_of(first)
        rules.edge[1] = planes_of(second)
        build_mirrors(rules, variant, first, second)
    return 0


cdef int build_mirrors(SideRules* rules, object variant, object first, object second) except -1:
    """Pair the squares of two edges that lie alike on both sides of the diagonal through their common corner."""
    # Both goals of Pulce lie at a corner of the diagonal a1-g7, so the mirror swaps file and rank.
    for public in sorted(first):
        mirrored = 16 * (public & 15) + (public >> 4)
        if mirrored not in second or rules.mirrors == 8:
            raise VariantError("goal_edges: expected edges of at most 8 squares each that mirror each other")
        rules.mirror[rules.mirrors][0] = kernel_square(public)
        rules.mirror[rules.mirrors][1] = kernel_square(mirrored)
        rules.mirrors += 1
    return 0


cdef uint64_t edge_bit(object board, int file, int rank, int d_file, int d_rank):
    """The bit, in its plane, of the end from which the edge over a square is named, if both ends are on the board."""
    if not 0 <= file - d_file < 16 or not 0 <= file + d_file < 16 or rank - d_rank < 0 or rank + d_rank > 15:
        return 0
    if 16 * (rank - d_rank) + file - d_file not in board or 16 * (rank + d_rank) + file + d_file not in board:
        return 0
    return <uint64_t> 1 << (kernel_square(16 * (rank - d_rank) + file - d_file) & 63)


cdef object diagonal_mirror(object variant):
    """The reflection, square to square, that leaves the game as it is, or None: across the line through both goals."""
    last = variant.size - 1
    for mirror in (
        lambda square: 16 * (last - (square & 15)) + last - (square >> 4),
        lambda square: 16 * (square & 15) + (square >> 4),
    ):
        parts = [variant.holes, *variant.home, *variant.goal]
        if variant.home_duty:
            parts += [{corner} for corner in variant.home_corners]
        if all(set(map(mirror, part)) == part for part in parts):
            return mirror
    return None


cdef int build_proof(Geometry* g, object variant, uint64_t* counter) except -1:
    """Draw the keys by which a table entry of perft proves its position, mirrored squares beside them."""
    cdef int side, k, public, image
    mirror = diagonal_mirror(variant)
    g.mirrored = mirror is not None
    for side in range(2):
        for public in range(SQUARES):
            for k in range(3):
                g.side[side].proof[kernel_square(public)][k] = splitmix64(counter)
        for square in board_squares(variant) if mirror is not None else ():
            image = mirror(square)
            for k in range(3):
                g.side[side].proof[kernel_square(square)][3 + k] = g.side[side].proof[kernel_square(image)][k]
    for k in range(3):
        g.turn_proof[k] = g.turn_proof[3 + k] = splitmix64(counter)
    return 0


cdef int build_edges(Geometry* g, object board) except -1:
    cdef EdgeBits* bits
    cdef int file, rank
    for public in board:
        file = public & 15
        rank = public >> 4
        bits = &g.over[kernel_square(public)]
        bits.east = edge_bit(board, file, rank, 1, 0)
        bits.north = edge_bit(board, file, rank, 0, 1)
        bits.northeast = edge_bit(board, file, rank, 1, 1)
        bits.northwest = edge_bit(board, file, rank, -1, 1)
    return 0


cdef int build_pulce(PulceSide* table, object variant, int side) except -1:
    """Fill the tables of Pulce's evaluation; edges have 5 squares, and the board is at most 8 x 8."""
    cdef int edge, k, taken, other, square, index
    for edge, sockets in enumerate(socket_order(variant, side)):
        for k in range(5):
            table.socket[edge][k] = kernel_square(checked_square(sockets[k]))
    arrangement = arrangement_values(variant, side)
    for taken in range(32):
        for other in range(32):
            table.arrangement[taken][other] = arrangement[taken][other]
    for edge, values in enumerate(entry_values(variant, side)):
        for public, row in values.items():
            square = kernel_square(checked_square(public))
            index = 32 * (square >> 6) + (square & 63)
            for taken in range(32):
                table.entry[edge][index][taken] = row[taken]
    return 0


cdef int build_net(Net* net, object weights, int size) except -1:
    """Lay out the rows of a net by kernel square; those that are no square of the board stay empty."""
    cdef int whose, rank, file, k, square, last = size - 1
    for rank in range(size):
        for file in range(size):
            square = kernel_square(16 * rank + file)
            net.view[0][square] = square
            net.view[1][square] = kernel_square(16 * (last - rank) + last - file)
            for whose in range(2):
                row = weights.rows[whose, rank * size + file]
                for k in range(HF_NET_UNITS):
                    net.row[whose][square][k] = row[k]
    for k in range(HF_NET_UNITS):
        net.bias[k] = weights.bias[k]
        net.output[k] = weights.output[k]
    net.output_bias = weights.output_bias
    net.bound = weights.bound
    return 0


cdef void build_small_rules(SmallRules* small, const SideRules* rules) noexcept:
    cdef SmallZone* zone
    cdef int z, square, wide
    small.zones = rules.zones
    for z in range(rules.zones):
        zone = &small.zone[z]
        zone.men = hf_small(&rules.zone[z].men)
        zone.through = hf_small(&rules.zone[z].through)
        zone.land = hf_small(&rules.zone[z].land)
        zone.enter_orthogonal = hf_small(&rules.zone[z].enter_orthogonal)
        zone.enter_diagonal = hf_small(&rules.zone[z].enter_diagonal)
        zone.inside = hf_small(&rules.zone[z].inside)
    for square in range(SMALL_SQUARES):
        wide = (square >> 4) * 64 + ((square >> 2) & 3) * 8 + (square & 3)
        small.step_from[square] = hf_small(&rules.step_from[wide])
        small.step_to[square] = hf_small(&rules.step_to[wide])


cdef void build_small(Geometry* g, int size) noexcept:
    cdef int side
    if size > 8:
        return
    g.small.fits = True
    g.small.board = hf_small(&g.board)
    for side in range(2):
        build_small_rules(&g.small.side[side], &g.side[side])


def board_squares(variant):
    """Return all squares of the variant's board, without its holes."""
    return frozenset(
        16 * rank + file for rank in range(variant.size) for file in range(variant.size)
    ) - variant.holes


cdef class Tables:

    def __cinit__(self, variant):
        cdef Geometry* g = &self.geometry
        cdef uint64_t counter = ZOBRIST_SEED
        cdef int side, public
        memset(g, 0, sizeof(Geometry))
        self.variant = variant
        self.start = parse_fen(variant, variant.start_fen)
        board = board_squares(variant)
        g.board = planes_of(board)
        build_edges(g, board)
        g.men = variant.men
        # A man has at most 8 steps and the other 63 squares of its plane, and never more than there are empty squares.
        g.max_moves = max(1, g.men * min(71, len(board) - 2 * g.men))
        beside = terms(variant)
        g.tempo = beside.tempo
        g.class_step = beside.class_step
        g.first = variant.first
        g.scored = variant.scored
        g.home_deadline = variant.home_deadline or 0
        g.max_turns = variant.max_turns or 0
        g.repetition = variant.repetition or 0
        for side in range(2):
            for public in range(SQUARES):
                # Drawn for all squares in a fixed order: a square has the same key on every board.
                g.side[side].zobrist[kernel_square(public)] = splitmix64(&counter)
            values = man_values(variant, side)
            for square, points in values.items():
                g.side[side].value[kernel_square(square)] = points
                g.side[side].ahead[kernel_square(square)] = planes_of(
                    [other for other, worth in values.items() if worth > points])
            build_moves(&g.side[side], variant, side, board, frozenset())
            build_ending(&g.side[side], variant, side)
            # Halma: the mover's own camp counts. Pulce: the beginner's completion waits for the other's extra move.
            g.ends[side] = 1 << side
            if variant.reply_move:
                g.ends[side] = 1 << (1 - g.first) if side == <int> g.first else 3
        # What the tables are made for; anything else that has edges is valued by the squares of its men alone.
        if variant.goal_edges is not None and variant.size <= 8 and all(
                len(edge) == 5 for edges in variant.goal_edges for edge in edges):
            g.pulce = <PulceSide*> calloc(2, sizeof(PulceSide))
            if g.pulce == NULL:
                raise MemoryError
            for side in range(2):
                build_pulce(&g.pulce[side], variant, side)
        weights = net_of(variant)
        if weights is not None:
            g.net = <Net*> calloc(1, sizeof(Net))
            if g.net == NULL:
                raise MemoryError
            build_net(g.net, weights, variant.size)
        g.turn_key = splitmix64(&counter)
        build_proof(g, variant, &counter)
        build_small(g, variant.size)
        if variant.home_duty:
            self.stages = <Geometry*> calloc(STAGES * STAGES, sizeof(Geometry))
            self.onward = <Planes*> calloc(2 * SQUARES, sizeof(Planes))
            if self.stages == NULL or self.onward == NULL:
                raise MemoryError
            build_stages(g, self.stages, self.onward, variant)

    cdef const Geometry* sporting_for(self, uint32_t side) except NULL:
        """The game as a sportsman on `side` sees it: the other has won once its goal is full, whoever's men fill it.

        That is the game itself where this is its rule, or where no man can be held at home to any purpose.
        """
        cdef int other
        if self.variant.family != "halma" or self.variant.win != "full":
            return &self.geometry
        if self.sporting == NULL:
            self.sporting = <Geometry*> calloc(2, sizeof(Geometry))
            if self.sporting == NULL:
                raise MemoryError
            for other in range(2):
                self.sporting[1 - other] = self.geometry
                self.sporting[1 - other].table_salt = SPORTING_SALT[other]
                memset(&self.sporting[1 - other].side[other].away, 0, sizeof(Planes))
                self.sporting[1 - other].side[other].cover = self.geometry.side[other].goal
        return &self.sporting[side]

    def __dealloc__(self):
        free(self.stages)
        free(self.sporting)
        free(self.onward)
        free(self.geometry.pulce)
        free(self.geometry.net)


cdef dict known = {}


cdef Tables tables_of(object variant):
    """Return the tables of a variant, built at its first use and kept: 70 KB each, three to five times that where the
    search needs more than one view of it."""
    if type(variant) is not Variant:
        raise VariantError(f"variant: an object of type {type(variant).__name__[:40]}, expected a Variant")
    tables = known.get(variant)
    if tables is None:
        # A program that makes up thousands of variants must not keep them all; whoever uses one holds a reference.
        if len(known) >= 256:
            known.clear()
        tables = known.setdefault(variant, Tables(variant))
    return tables
