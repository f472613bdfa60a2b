/*
 * Perft on a plain array board: the yardstick that the package's speed is printed beside.
 *
 * One byte a square with a border of wall squares, a list of men a side, chains by breadth-first search with a visited
 * array, a move list, make and unmake. No bitboards, no table, no threads; no code or data in common with the package.
 * Guarded by benchmarks/test_baseline.py, which compares its counts with the package's perft file.
 *
 *   array_perft --variant halma16 --depth 5 [--fen F]... [--goal-lock hop|move|none] [--win full|occupied]
 *               [--no-home-reentry] [--home-duty] [--board N --camp a,b,c] [--first x|o] [--no-bulk] [--repeat N]
 *               [--divide]
 *
 * prints "<nodes> <seconds>": the leaves of all positions given, counted `repeat` times, and the time that took without
 * the set-up. Exit status 2 and a line on standard error for anything it does not understand.
 */

#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SIZE = 16, STRIDE = MAX_SIZE + 2, CELLS = STRIDE * STRIDE };
enum { MAX_MEN = 128, MAX_MOVES = 64 * 128, MAX_DEPTH = 32, MAX_FENS = 256 };

/* Values of a board cell. The men come first, so that "a man of either side" is one comparison. */
enum { X, O, EMPTY, WALL };

enum lock { LOCK_HOP, LOCK_MOVE, LOCK_NONE };
enum win { WIN_FULL, WIN_OCCUPIED };
enum family { HALMA, PULCE };

struct rules {
    enum family family;
    enum lock goal_lock;
    enum win win;
    int home_reentry;
    int home_duty;
    int first;  /* Pulce: who began the round */
    int size;
    int men;  /* a side; also the size of a Halma camp */
    uint8_t hole[CELLS];
    uint8_t start[2][CELLS];
    uint8_t home[2][CELLS];
    uint8_t goal[2][CELLS];
    int corner[2];  /* the cell at the corner of a Halma home */
};

struct move {
    uint16_t from, to;
};

struct position {
    uint8_t board[CELLS];
    int turn;
    uint16_t men[2][MAX_MEN];
    uint8_t slot[CELLS];      /* where in men[] the man on this cell is listed */
    int own_in_goal[2];       /* men of a side in its goal */
    int occupied_in_goal[2];  /* men of either side in that goal */
};

static const int DIRECTIONS[8] = {1, STRIDE, -1, -STRIDE, STRIDE + 1, STRIDE - 1, -STRIDE + 1, -STRIDE - 1};
enum { ORTHOGONAL = 4 }; /* the first four directions are */

static struct rules rules;
static struct move move_lists[MAX_DEPTH + 1][MAX_MOVES];

/* A cell was visited by this chain if it carries the chain's number; so nothing is cleared between chains. */
static uint32_t visited[CELLS];
static uint32_t chain;

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("array_perft: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static int cell(int file, int rank)
{
    return (rank + 1) * STRIDE + file + 1;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static uint32_t next_chain(void)
{
    if (++chain == 0) { /* after four thousand million chains the old numbers would look like new ones */
        memset(visited, 0, sizeof visited);
        chain = 1;
    }
    return chain;
}

static int halma_moves(struct position *position, struct move *moves)
{
    const int side = position->turn;
    const uint8_t *goal = rules.goal[side], *home = rules.home[side];
    uint8_t *board = position->board;
    uint16_t queue[CELLS];
    int count = 0;

    for (int i = 0; i < rules.men; i++) {
        const int from = position->men[side][i];
        const int stays_in_goal = goal[from] && rules.goal_lock != LOCK_NONE;
        const int stays_out_of_home = !home[from] && !rules.home_reentry;

        for (int d = 0; d < 8; d++) {
            const int to = from + DIRECTIONS[d];
            if (board[to] != EMPTY || (stays_in_goal && !goal[to]) || (stays_out_of_home && home[to]))
                continue;
            moves[count++] = (struct move){(uint16_t)from, (uint16_t)to};
        }

        const uint32_t mark = next_chain();
        int head = 0, tail = 0;
        board[from] = EMPTY; /* the man's own square counts as empty during its chain */
        visited[from] = mark;
        queue[tail++] = (uint16_t)from;
        while (head < tail) {
            const int at = queue[head++];
            const int locked = goal[at] && rules.goal_lock == LOCK_HOP;
            for (int d = 0; d < 8; d++) {
                if (board[at + DIRECTIONS[d]] >= EMPTY)
                    continue;
                const int to = at + 2 * DIRECTIONS[d];
                if (board[to] != EMPTY || visited[to] == mark || (locked && !goal[to]))
                    continue;
                visited[to] = mark;
                queue[tail++] = (uint16_t)to;
                if ((stays_in_goal && !goal[to]) || (stays_out_of_home && home[to]))
                    continue;
                moves[count++] = (struct move){(uint16_t)from, (uint16_t)to};
            }
        }
        board[from] = (uint8_t)side;
    }
    return count;
}

static int pulce_moves(struct position *position, struct move *moves)
{
    const int side = position->turn;
    const uint8_t *goal = rules.goal[side], *enemy_goal = rules.goal[!side];
    uint8_t *board = position->board;
    uint16_t queue[CELLS];
    int count = 0;

    for (int i = 0; i < rules.men; i++) {
        const int from = position->men[side][i];
        if (goal[from]) /* frozen */
            continue;

        for (int d = 0; d < 8; d++) {
            const int to = from + DIRECTIONS[d];
            if (board[to] != EMPTY || (d >= ORTHOGONAL && goal[to]))
                continue;
            moves[count++] = (struct move){(uint16_t)from, (uint16_t)to};
        }

        const uint32_t mark = next_chain();
        int head = 0, tail = 0;
        board[from] = EMPTY;
        visited[from] = mark;
        queue[tail++] = (uint16_t)from;
        while (head < tail) {
            const int at = queue[head++];
            for (int d = 0; d < 8; d++) {
                if (board[at + DIRECTIONS[d]] >= EMPTY)
                    continue;
                const int to = at + 2 * DIRECTIONS[d];
                if (board[to] != EMPTY || visited[to] == mark || enemy_goal[to] || (d >= ORTHOGONAL && goal[to]))
                    continue;
                visited[to] = mark;
                if (!goal[to]) /* a chain that lands in the goal ends there */
                    queue[tail++] = (uint16_t)to;
                moves[count++] = (struct move){(uint16_t)from, (uint16_t)to};
            }
        }
        board[from] = (uint8_t)side;
    }
    return count;
}

/* How the home duty ranks a move: out of home, away from its corner, of a man outside; and those never allowed. */
enum { DUTY_OUT, DUTY_ONWARD, DUTY_OUTSIDE, DUTY_NONE };

static int duty_rank(int side, struct move move)
{
    const uint8_t *home = rules.home[side];
    const int file = rules.corner[side] % STRIDE, rank = rules.corner[side] / STRIDE;
    if (!home[move.from])
        return DUTY_OUTSIDE;
    if (!home[move.to])
        return DUTY_OUT;
    if (abs(move.to % STRIDE - file) < abs(move.from % STRIDE - file))
        return DUTY_NONE;
    return abs(move.to / STRIDE - rank) < abs(move.from / STRIDE - rank) ? DUTY_NONE : DUTY_ONWARD;
}

static int keep_dutiful(int side, struct move *moves, int count)
{
    int best = DUTY_OUTSIDE, kept = 0;
    for (int i = 0; i < count; i++)
        if (duty_rank(side, moves[i]) < best)
            best = duty_rank(side, moves[i]);
    for (int i = 0; i < count; i++)
        if (duty_rank(side, moves[i]) == best)
            moves[kept++] = moves[i];
    return kept;
}

static int generate(struct position *position, struct move *moves)
{
    if (rules.family == PULCE)
        return pulce_moves(position, moves);
    const int count = halma_moves(position, moves);
    return rules.home_duty ? keep_dutiful(position->turn, moves, count) : count;
}

/* Moves a man without changing the turn; unmake is the same call with the ends exchanged. */
static void shift_man(struct position *position, int side, int from, int to)
{
    const int slot = position->slot[from];
    position->board[from] = EMPTY;
    position->board[to] = (uint8_t)side;
    position->slot[to] = (uint8_t)slot;
    position->men[side][slot] = (uint16_t)to;
    position->own_in_goal[side] += rules.goal[side][to] - rules.goal[side][from];
    for (int owner = X; owner <= O; owner++)
        position->occupied_in_goal[owner] += rules.goal[owner][to] - rules.goal[owner][from];
}

static void make(struct position *position, struct move move)
{
    shift_man(position, position->turn, move.from, move.to);
    position->turn = !position->turn;
}

static void unmake(struct position *position, struct move move)
{
    position->turn = !position->turn;
    shift_man(position, position->turn, move.to, move.from);
}

static int complete(const struct position *position, int side)
{
    if (rules.family == HALMA && rules.win == WIN_OCCUPIED)
        return position->occupied_in_goal[side] == rules.men && position->own_in_goal[side] > 0;
    return position->own_in_goal[side] == rules.men;
}

static int is_over(const struct position *position)
{
    const int mover = position->turn;
    if (rules.family == HALMA)
        return complete(position, !mover);
    /* The side that did not begin the round has one more move after the other one is home. */
    return complete(position, !rules.first) || (mover == rules.first && complete(position, mover));
}

/* ---- Perft ------------------------------------------------------------------------------------------------------- */

static uint64_t perft(struct position *position, int depth, int bulk)
{
    if (depth == 0)
        return 1;
    if (is_over(position))
        return 0;
    struct move *moves = move_lists[depth];
    const int count = generate(position, moves);
    if (count == 0) {
        position->turn = !position->turn;
        /* This depth's list is empty, so the other side's moves may overwrite it. */
        const uint64_t nodes = generate(position, moves) == 0 ? 0 : perft(position, depth - 1, bulk);
        position->turn = !position->turn;
        return nodes;
    }
    if (bulk && depth == 1)
        return (uint64_t)count;
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        make(position, moves[i]);
        nodes += perft(position, depth - 1, bulk);
        unmake(position, moves[i]);
    }
    return nodes;
}

static void print_square(int at)
{
    printf("%c%d", 'a' + at % STRIDE - 1, at / STRIDE);
}

static void divide(struct position *position, int depth, int bulk)
{
    if (depth == 0 || is_over(position))
        return;
    const int count = generate(position, move_lists[depth]);
    for (int i = 0; i < count; i++) {
        const struct move move = move_lists[depth][i];
        make(position, move);
        const uint64_t nodes = perft(position, depth - 1, bulk);
        unmake(position, move);
        print_square(move.from);
        putchar('-');
        print_square(move.to);
        printf(" %llu\n", (unsigned long long)nodes);
    }
}

/* ---- Variants and positions -------------------------------------------------------------------------------------- */

/* x is at home in the bottom-right corner, o in the top-left one, or the reverse; each goes to the other's. */
static void set_square_board(int size, const int *camp, int rows, int reversed)
{
    const int right = reversed ? O : X, left = !right;
    memset(&rules.hole, 0, sizeof rules.hole);
    rules.family = HALMA;
    rules.size = size;
    rules.corner[right] = cell(size - 1, 0);
    rules.corner[left] = cell(0, size - 1);
    rules.men = 0;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < camp[row]; column++) {
            const int r = cell(size - 1 - column, row), l = cell(column, size - 1 - row);
            rules.start[right][r] = rules.home[right][r] = rules.goal[left][r] = 1;
            rules.start[left][l] = rules.home[left][l] = rules.goal[right][l] = 1;
            rules.men++;
        }
    }
    for (int at = 0; at < CELLS; at++)
        if (rules.start[X][at] && rules.start[O][at])
            fail("the camps overlap");
}

static void set_pulce(void)
{
    static const char *const X_START[] = {"e4", "f4", "d5", "e5", "f5", "d6", "e6", "f6"};
    static const char *const O_START[] = {"b2", "c2", "d2", "b3", "c3", "d3", "b4", "c4"};
    static const char *const HOLES[] = {"a1", "g1", "a7", "g7"};
    rules.family = PULCE;
    rules.size = 7;
    rules.men = 8;
    for (int i = 0; i < 8; i++) {
        rules.start[X][cell(X_START[i][0] - 'a', X_START[i][1] - '1')] = 1;
        rules.start[O][cell(O_START[i][0] - 'a', O_START[i][1] - '1')] = 1;
    }
    for (int i = 0; i < 4; i++)
        rules.hole[cell(HOLES[i][0] - 'a', HOLES[i][1] - '1')] = 1;
    for (int i = 1; i <= 5; i++) {
        rules.goal[X][cell(i, 0)] = rules.goal[X][cell(0, i)] = 1;
        rules.goal[O][cell(i, 6)] = rules.goal[O][cell(6, i)] = 1;
    }
}

static void clear_board(struct position *position)
{
    memset(position, 0, sizeof *position);
    memset(position->board, WALL, sizeof position->board);
    for (int rank = 0; rank < rules.size; rank++)
        for (int file = 0; file < rules.size; file++)
            if (!rules.hole[cell(file, rank)])
                position->board[cell(file, rank)] = EMPTY;
}

static void list_men(struct position *position)
{
    int count[2] = {0, 0};
    for (int at = 0; at < CELLS; at++) {
        const int side = position->board[at];
        if (side >= EMPTY)
            continue;
        if (count[side] == rules.men)
            fail("more than %d men of side %c", rules.men, "xo"[side]);
        position->slot[at] = (uint8_t)count[side];
        position->men[side][count[side]++] = (uint16_t)at;
        position->own_in_goal[side] += rules.goal[side][at];
        for (int owner = X; owner <= O; owner++)
            position->occupied_in_goal[owner] += rules.goal[owner][at];
    }
    for (int side = X; side <= O; side++)
        if (count[side] != rules.men)
            fail("%d men of side %c, expected %d", count[side], "xo"[side], rules.men);
}

static void start_position(struct position *position)
{
    clear_board(position);
    position->turn = rules.family == PULCE ? rules.first : X;
    for (int at = 0; at < CELLS; at++)
        for (int side = X; side <= O; side++)
            if (rules.start[side][at])
                position->board[at] = (uint8_t)side;
    list_men(position);
}

/* The move number after the side is not read: nothing here depends on it. */
static void read_fen(struct position *position, const char *fen)
{
    const char *text = fen;
    clear_board(position);
    for (int rank = rules.size - 1; rank >= 0; rank--) {
        int file = 0;
        while (*text && *text != '/' && *text != ' ') {
            if (*text >= '0' && *text <= '9') {
                char *end;
                const long empty = strtol(text, &end, 10);
                if (empty < 1 || empty > rules.size - file)
                    fail("bad run of empty squares on rank %d: %s", rank + 1, fen);
                for (long i = 0; i < empty; i++, file++)
                    if (position->board[cell(file, rank)] == WALL)
                        fail("a missing square is written as an empty one on rank %d: %s", rank + 1, fen);
                text = end;
                continue;
            }
            if (file == rules.size)
                fail("too many squares on rank %d: %s", rank + 1, fen);
            uint8_t *at = &position->board[cell(file, rank)];
            if (*text == '-' && *at == WALL)
                ; /* the corner stays as it is */
            else if (*text == 'x' && *at == EMPTY)
                *at = X;
            else if (*text == 'o' && *at == EMPTY)
                *at = O;
            else
                fail("unexpected '%c' on rank %d: %s", *text, rank + 1, fen);
            text++;
            file++;
        }
        if (file != rules.size)
            fail("%d squares on rank %d, expected %d: %s", file, rank + 1, rules.size, fen);
        if (rank > 0 && *text++ != '/')
            fail("fewer than %d ranks: %s", rules.size, fen);
    }
    if (text[0] != ' ' || (text[1] != 'x' && text[1] != 'o') || (text[2] && text[2] != ' '))
        fail("expected a space and the side to move, x or o, after the placement: %s", fen);
    position->turn = text[1] == 'x' ? X : O;
    list_men(position);
}

/* ---- Command line ------------------------------------------------------------------------------------------------ */

static long read_number(const char *option, const char *text, long least, long most)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most)
        fail("%s: '%s' is not a number from %ld to %ld", option, text, least, most);
    return value;
}

static int read_choice(const char *option, const char *text, const char *const *choices)
{
    for (int i = 0; choices[i]; i++)
        if (strcmp(text, choices[i]) == 0)
            return i;
    fail("%s: '%s' is not known", option, text);
    return 0;
}

static void set_variant(const char *name)
{
    static const char *const NAMES[] = {"halma16", "halma10", "halma8", "pulce", "csci561", NULL};
    static const int CAMP_16[] = {5, 5, 4, 3, 2}, CAMP_10[] = {5, 4, 3, 2, 1}, CAMP_8[] = {4, 3, 2, 1};
    switch (read_choice("--variant", name, NAMES)) {
    case 0: set_square_board(16, CAMP_16, 5, 0); break;
    case 1: set_square_board(10, CAMP_10, 5, 0); break;
    case 2: set_square_board(8, CAMP_8, 4, 0); break;
    case 3: set_pulce(); break;
    default: set_square_board(16, CAMP_16, 5, 1);
    }
}

static void set_custom(const char *board, const char *camp)
{
    const int size = (int)read_number("--board", board, 3, MAX_SIZE);
    int rows[MAX_SIZE], count = 0;
    for (const char *text = camp; text;) {
        char *end;
        const long squares = strtol(text, &end, 10);
        const long most = count ? rows[count - 1] : size;
        if (end == text || (*end && *end != ',') || count == size || squares < 1 || squares > most)
            fail("--camp: '%s' is not a staircase for a board of %d", camp, size);
        rows[count++] = (int)squares;
        text = *end ? end + 1 : NULL;
    }
    set_square_board(size, rows, count, 0);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    static const char *const LOCKS[] = {"hop", "move", "none", NULL};
    static const char *const WINS[] = {"full", "occupied", NULL};
    static const char *const SIDES[] = {"x", "o", NULL};
    static struct position positions[MAX_FENS];
    const char *variant = "halma16", *board = NULL, *camp = NULL, *fens[MAX_FENS];
    int count = 0, depth = -1, bulk = 1, divided = 0;
    long repeat = 1;

    rules.home_reentry = 1;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--no-bulk") == 0) {
            bulk = 0;
            continue;
        }
        if (strcmp(option, "--no-home-reentry") == 0) {
            rules.home_reentry = 0;
            continue;
        }
        if (strcmp(option, "--home-duty") == 0) {
            rules.home_duty = 1;
            continue;
        }
        if (strcmp(option, "--divide") == 0) {
            divided = 1;
            continue;
        }
        if (i + 1 == argc)
            fail("'%s' is not an option, or lacks its value", option);
        const char *value = argv[++i];
        if (strcmp(option, "--variant") == 0) {
            variant = value;
            if (strcmp(value, "csci561") == 0) { /* options behind it may change its rules */
                rules.goal_lock = LOCK_MOVE;
                rules.win = WIN_OCCUPIED;
                rules.home_reentry = 0;
                rules.home_duty = 1;
            }
        } else if (strcmp(option, "--depth") == 0)
            depth = (int)read_number(option, value, 0, MAX_DEPTH);
        else if (strcmp(option, "--fen") == 0 && count < MAX_FENS)
            fens[count++] = value;
        else if (strcmp(option, "--goal-lock") == 0)
            rules.goal_lock = (enum lock)read_choice(option, value, LOCKS);
        else if (strcmp(option, "--win") == 0)
            rules.win = (enum win)read_choice(option, value, WINS);
        else if (strcmp(option, "--first") == 0)
            rules.first = read_choice(option, value, SIDES);
        else if (strcmp(option, "--board") == 0)
            board = value;
        else if (strcmp(option, "--camp") == 0)
            camp = value;
        else if (strcmp(option, "--repeat") == 0)
            repeat = read_number(option, value, 1, 1000000000);
        else
            fail("unknown option '%s', or too many of it", option);
    }
    if (depth < 0)
        fail("--depth is missing");
    if (!board != !camp)
        fail("--board and --camp go together");
    if (board)
        set_custom(board, camp);
    else
        set_variant(variant);
    for (int i = 0; i < count; i++)
        read_fen(&positions[i], fens[i]);
    if (count == 0)
        start_position(&positions[count++]);

    if (divided)
        for (int i = 0; i < count; i++)
            divide(&positions[i], depth, bulk);
    uint64_t nodes = 0;
    const double start = now();
    for (long round = 0; round < repeat; round++)
        for (int i = 0; i < count; i++)
            nodes += perft(&positions[i], depth, bulk);
    const double seconds = now() - start;
    printf("%llu %.9f\n", (unsigned long long)nodes, seconds);
    return 0;
}
