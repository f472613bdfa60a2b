"""The search is what a search without bounds, table or order would be: scores, lines, and what is left of them when it
is stopped. The plain one here uses `Position` and, for the worth of a position, a search of a single node."""

import itertools
import random

import pytest
from properties.effort import FUZZ
from properties.worlds import World

from halma_fast import PASS, Engine, Position, Score, Variant
from halma_fast._kernel.values import formula_values


@pytest.fixture(scope="module")
def engine():
    return Engine(hash_mb=1, spoil=True)  # by the letter of the rules


def static(engine: Engine, position: Position) -> int:
    """The evaluation, from a position that was set up and not reached by moves."""
    score = engine.search(Position(position.variant, fen=position.fen()), nodes=1).score
    assert score.kind == "points"
    return score.value


def plain(engine: Engine, position: Position, depth: int, line: list[bytes]) -> int:
    """Minimax to a depth: a win is 1000000 less the plies; a position that stood before in the line is a draw."""
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return 0
        size = 1_000_000 - len(line)
        return size if outcome.winner is position.turn else -size
    if position.variant.repetition and position.key() in line:
        return 0
    if depth == 0:
        return static(engine, position)
    best = -10_000_000
    line.append(position.key())
    for move in position.legal_moves:
        position.push(move)
        best = max(best, -plain(engine, position, depth - 1, line))
        position.pop()
    line.pop()
    return best


def as_number(score: Score) -> int:
    size = 1_000_000 - score.value
    return score.value if score.kind == "points" else size if score.kind == "win" else -size


def random_game(variant: Variant, plies: int, seed: int) -> Position:
    chance = random.Random(seed)
    position = Position(variant)
    for _ in range(plies):
        moves = list(position.legal_moves)
        if not moves:
            position.pop()
            break
        position.push(chance.choice(moves))
    if position.is_game_over():
        position.pop()
    return Position(variant, fen=position.fen())


# Not halma8 itself: a move that futility leaves out there might be better by what a net says after it.
@pytest.mark.parametrize("seed", range(3 if FUZZ == 1 else 8))
@pytest.mark.parametrize(("name", "depth"), [("4x4:2,1", 4), ("5x5:3,2,1", 3), ("8x8:4,3,2,1", 2), ("3x3:2,1", 5)])
def test_score_is_that_of_plain_minimax(engine, name, depth, seed):
    position = random_game(Variant.named(name, win="occupied"), 10 + seed, seed)
    assert as_number(engine.search(position, depth=depth).score) == plain(engine, position, depth, [])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "depth"), [("4x4:3,2,1", 4), ("5x5:3,2,1", 3)])
def test_score_under_the_home_duty_is_that_of_plain_minimax(engine, name, depth, seed):
    variant = Variant.named(name, win="occupied", goal_lock="move", home_reentry=False, home_duty=True)
    position = random_game(variant, 4 + seed, seed)
    assert as_number(engine.search(position, depth=depth).score) == plain(engine, position, depth, [])


# Here a position can come back within the line, and that changes the score. (Not in every such position is the search
# as exact as plain minimax: a draw by repetition depends on the line, and the table hands it to other lines too.)
REPEATING = [("2x/xoo/xo1 x 5", 4), ("1xx/1oo/xo1 x 5", 4), ("2o/xoo/x1x x 5", 4), ("o2/xxo/1xo x 5", 5)]


@pytest.mark.parametrize(("fen", "depth"), REPEATING)
def test_position_that_recurs_in_the_line_is_a_draw(engine, fen, depth):
    position = Position(Variant.named("3x3:2,1"), fen=fen)
    without = Position(Variant.named("3x3:2,1", repetition=None), fen=fen)
    score = engine.search(position, depth=depth).score
    assert as_number(score) == plain(engine, position, depth, [])
    assert engine.search(without, depth=depth).score != score
    assert as_number(engine.search(without, depth=depth).score) == plain(engine, without, depth, [])


PASSING = ["xx1/xo1/oo1 x 5", "xx1/x1o/oo1 x 5", "xx2/xx1o/xoo1/o2o x 5"]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("fen", PASSING)
def test_forced_pass_is_searched_like_a_move(engine, fen, depth):
    position = Position("3x3:2,1" if fen.count("/") == 2 else "4x4:2,2,1", fen=fen)
    result = engine.search(position, depth=depth)
    assert result.best_move == PASS
    assert as_number(result.score) == plain(engine, position, depth, [])


BEHIND = "xxxx4/xxx5/x1xx4/8/oooooooo/oo6/8/8 x 30"


def test_second_occurrence_in_the_game_is_no_draw_yet(engine):
    position = Position.from_fen(BEHIND, "halma8")
    for text in ("d6-e6", "a3-a2", "e6-d6"):
        position.push(text)
    result = engine.search(position, depth=1)
    assert result.score.kind == "points"
    assert result.score.value < 0


@pytest.mark.parametrize("variant", ["halma8", "5x5:3,2,1", "pulce"])
@pytest.mark.parametrize("seed", range(3))
def test_interrupted_search_returns_a_line_that_is_worth_its_score(engine, variant, seed):
    position = random_game(Variant.named(variant), 16, seed)
    partial = 0
    for nodes in range(100, 6000, 97):
        result = engine.search(position, nodes=nodes)
        if result.score.kind != "points" or result.depth == 0:
            continue
        assert len(result.pv) <= result.depth + 1
        if len(result.pv) < result.depth:
            continue  # a move beyond the window: a bound, whose line ends where it was proven
        partial += len(result.pv) > result.depth
        end = Position(position.variant, fen=position.fen())
        for move in result.pv:
            end.push(move)
        worth = static(engine, end) if not end.is_game_over() else 0
        assert result.score.value == (worth if len(result.pv) % 2 == 0 else -worth), nodes
    assert partial > 0


@pytest.mark.parametrize("variant", ["halma16", "halma10", "halma8", "pulce", "4x4:2,1"])
def test_moves_change_the_evaluation_as_setting_the_position_up_does(engine, variant):
    position = random_game(Variant.named(variant), 8, 1)
    children = []
    for move in position.legal_moves:
        position.push(move)
        if not position.is_game_over():
            children.append(-static(engine, position))
        position.pop()
    score = engine.search(position, depth=1).score
    assert score.kind == "points"
    assert score.value == max(children)


@pytest.mark.parametrize("name", ["halma16", "halma10", "halma8", "5x5:3,2,1", "pulce"])
def test_formula_grows_towards_the_goal_and_pulls_the_straggler_most(name):
    variant = Variant.named(name)
    for side in range(2):
        values = formula_values(variant, side)
        goal = variant.goal[side]
        assert set(values) == {s for s in range(256) if s >> 4 < variant.size > s & 15} - variant.holes
        assert min(values[s] for s in goal) > max(v for s, v in values.items() if s not in goal)

        def away(square, goal=goal):
            return min(abs((square & 15) - (g & 15)) + abs((square >> 4) - (g >> 4)) for g in goal)

        by_distance: dict[int, list[int]] = {}
        for square, value in values.items():
            by_distance.setdefault(away(square), []).append(value)
        least = [min(by_distance[d]) for d in sorted(by_distance)]
        most = [max(by_distance[d]) for d in sorted(by_distance)]
        assert least == sorted(least, reverse=True)
        assert most == sorted(most, reverse=True)
        # A half-step far from the goal gains at least as much as one near it.
        gains = [near - far for near, far in itertools.pairwise(most[1:])]
        assert gains == sorted(gains)
        assert gains[-1] > gains[0]


def test_engine_does_not_take_one_games_table_for_anothers():
    engine = Engine(1)
    assert engine.search(Position("4x4:2,1", win="occupied"), time=5).score == Score("win", 13)
    assert engine.search(Position("4x4:2,1", win="full"), time=0.2).score.kind == "points"
    capped = Position("4x4:2,1", win="occupied", max_turns=5)
    assert engine.search(Position("4x4:2,1", win="occupied"), time=5).score == Score("win", 13)
    assert engine.search(capped, time=0.2).score == Score("points", 0)


def test_distances_stay_right_when_the_table_is_kept_from_move_to_move():
    engine = Engine(1)
    position = Position("4x4:2,1", win="occupied")
    left = 13
    while not position.is_game_over():
        result = engine.search(position, time=30)
        assert result.score == Score("win" if left % 2 else "loss", left)
        position.push(result.best_move)
        left -= 1
    assert left == 0


def test_pulce_goes_for_more_points_rather_than_the_first_win(engine):
    position = Position.from_fen("-5-/x1oooo1/x1oooo1/x6/x6/2x4/-xxx2- x 20")
    assert engine.search(position, depth=4).score == Score("win", 4, margin=1)
    deep = engine.search(position, depth=8)
    assert deep.score == Score("win", 6, margin=2)
    assert engine.search(position, time=0.3).best_move == deep.best_move
    assert Score("win", 6, margin=2) > Score("win", 4, margin=1) > Score("points", 10**6) > Score("loss", 2, margin=1)
    assert Score("loss", 2, margin=1) > Score("loss", 9, margin=2)


def test_pulce_cap_ends_the_round_with_the_points_as_they_stand(engine):
    # x is one move from completing; the cap falls before o's extra move.
    fen = "-1oooo-/6o/4o1o/x5o/x6/x1x4/-x1xxx- x 90"
    world = World(name="pulce")
    assert engine.search(Position(world.variant(), fen=fen), depth=1).score.kind == "points"
    capped = Position(world.variant().with_rules(max_turns=179), fen=fen)
    assert engine.search(capped, depth=1).score == Score("win", 1, margin=1)
