"""Scores of decided games are true: against solved boards and against an exhaustive search by the slow reference."""

import random

import pytest
from properties.worlds import World, to_move
from reference import Game, read_fen

from halma_fast import Engine, Position, Score, Side, Variant

SMALL = Variant.square(4, (2, 1), win="occupied")


@pytest.fixture(scope="module")
def engine():
    return Engine(hash_mb=8, spoil=True)  # by the letter of the rules


@pytest.mark.parametrize("depth", range(1, 13))
def test_no_win_is_claimed_before_the_solved_length(engine, depth):
    assert engine.search(Position(SMALL), depth=depth).score.kind == "points"


@pytest.mark.parametrize("depth", range(13, 21))
def test_solved_win_is_found_at_its_length_and_stays(engine, depth):
    result = engine.search(Position(SMALL), depth=depth)
    assert result.score == Score("win", 13)
    assert result.depth == depth


def test_line_of_a_forced_win_is_legal_and_ends_in_it(engine):
    position = Position(SMALL)
    result = engine.search(position, depth=14)
    for move in result.pv:
        position.push(move)
    assert len(result.pv) == 13
    assert position.outcome().winner == 0


@pytest.mark.parametrize("depth", [4, 8, 12, 13, 16, 18])
def test_no_win_is_claimed_where_the_game_is_a_draw(engine, depth):
    assert engine.search(Position(SMALL.with_rules(win="full")), depth=depth).score.kind == "points"


def test_small_tables_and_large_ones_agree_on_the_solved_win():
    assert {Engine(hash_mb=mb).search(Position(SMALL), depth=14).score for mb in (1, 2, 32)} == {Score("win", 13)}


def exhaustive(game: Game, depth: int, ply: int = 0) -> int:
    """Minimax without bounds, table or order: 0 if undecided, else points * 1000 less the plies, as a win or a loss."""
    outcome = game.outcome()
    if outcome is not None:
        mover = game.position.turn
        if outcome.points is not None:
            ahead = outcome.points[0] - outcome.points[1]
            ahead = ahead if mover == "x" else -ahead
        else:
            ahead = 0 if outcome.winner is None else 1 if outcome.winner == mover else -1
        return 0 if ahead == 0 else ahead * 1000 - ply if ahead > 0 else ahead * 1000 + ply
    if depth == 0:
        return 0
    best = -10_000
    for move in game.legal_moves():
        game.push(move)
        best = max(best, -exhaustive(game, depth - 1, ply + 1))
        game.pop()
    return best


def as_exhaustive(score: Score) -> tuple[str, int, int]:
    return (score.kind, score.value, score.margin or 1) if score.kind != "points" else ("points", 0, 0)


def decided_kind(value: int) -> tuple[str, int, int]:
    if value == 0:
        return "points", 0, 0
    return ("win" if value > 0 else "loss"), -abs(value) % 1000, -(-abs(value) // 1000)


def shuffled_end(size: int, men: int, seed: int) -> str:
    """A position string with men strewn so that goals fill soon: each side's near its goal corner."""
    chance = random.Random(seed)
    squares = [(file, rank) for rank in range(size) for file in range(size)]
    x_men: set = set()
    while len(x_men) < men:
        x_men.add(min(chance.sample(squares, 3), key=lambda s: s[0] + size - 1 - s[1]))
    o_men: set = set()
    while len(o_men) < men:
        square = min(chance.sample(squares, 3), key=lambda s: size - 1 - s[0] + s[1])
        if square not in x_men:
            o_men.add(square)
    ranks = []
    for rank in reversed(range(size)):
        row = "".join("x" if (f, rank) in x_men else "o" if (f, rank) in o_men else "." for f in range(size))
        for run in range(size, 0, -1):
            row = row.replace("." * run, str(run))
        ranks.append(row)
    return f"{'/'.join(ranks)} {chance.choice('xo')} 9"


@pytest.mark.parametrize("win", ["full", "occupied"])
@pytest.mark.parametrize("rules", [{}, {"goal_lock": "none"}, {"goal_lock": "move", "home_duty": True}])
@pytest.mark.parametrize("seed", range(6))
def test_decided_scores_are_those_of_an_exhaustive_search(engine, win, rules, seed):
    world = World(size=4, camp=(2, 1), rules={"win": win, **rules})
    fen = shuffled_end(4, 3, seed)
    game = Game(world.reference(), [read_fen(world.reference(), fen)])
    if game.outcome():
        pytest.skip("this seed begins after the end")
    value = exhaustive(game, 3)
    result = engine.search(Position(world.variant(), fen=fen), depth=3)
    assert as_exhaustive(result.score) == decided_kind(value)


PULCE_ENDS = [
    "-2ooo-/6o/4ooo/x5o/x6/xxx4/-xxx2- x 61",
    "-1oooo-/5oo/6o/x5o/x6/x1x4/-xxxx1- x 161",
    "-1oooo-/6o/4o1o/x5o/x6/x1x4/-xxxx1- x 90",
    "-1oooo-/6o/4o1o/x5o/x6/x1x4/-xxxx1- o 90",
    "-o1ooo-/4o1o/6o/x5o/x6/xxx4/-xxx2- x 101",
]


@pytest.mark.parametrize("fen", PULCE_ENDS)
@pytest.mark.parametrize("turns", [None, 1, 2])
@pytest.mark.parametrize("first", ["x", "o"])
@pytest.mark.parametrize("depth", [2, 3])
def test_pulce_rounds_end_as_an_exhaustive_search_says(engine, fen, first, depth, turns):
    number = int(fen.split()[2])
    made = 2 * (number - 1) + (fen.split()[1] == "o") - (first == "o")
    rules = {"first": first} if turns is None else {"first": first, "max_turns": made + turns}
    world = World(name="pulce", rules=rules)
    game = Game(world.reference(), [read_fen(world.reference(), fen)])
    value = exhaustive(game, depth)
    result = engine.search(Position(world.variant(), fen=fen), depth=depth)
    assert as_exhaustive(result.score) == decided_kind(value)


def test_best_move_of_a_decided_score_keeps_it(engine):
    position = Position(SMALL)
    left = 13
    while not position.is_game_over():
        result = engine.search(position, depth=max(left, 1))
        assert result.score == Score("win" if position.turn is Side.X else "loss", left)
        position.push(result.best_move)
        left -= 1
    assert left == 0
    assert to_move(None).text == "pass"


# The third occurrence of a position, the cap on turns and the deadline, met inside the search.

BEHIND = "xxxx4/xxx5/x1xx4/8/oooooooo/oo6/8/8 x 30"  # x is nearly home, o is far from it


def game_about_to_repeat(**rules) -> Position:
    position = Position.from_fen(BEHIND, "halma8", **rules)
    for text in ("d6-e6", "a3-a2", "e6-d6", "a2-a3", "d6-e6", "a3-a2", "e6-d6"):
        position.push(text)
    return position


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_side_that_is_behind_takes_the_draw_by_third_repetition(engine, depth):
    result = engine.search(game_about_to_repeat(), depth=depth)
    assert result.best_move.text == "a2-a3"
    assert result.score == Score("points", 0)


def test_without_the_repetition_rule_the_same_move_is_no_draw(engine):
    assert engine.search(game_about_to_repeat(repetition=None), depth=2).score.value < 0


def test_cap_on_turns_is_a_draw_inside_the_search(engine):
    position = Position.from_fen(BEHIND, "halma8", max_turns=60)
    assert engine.search(position, depth=4).score == Score("points", 0)
    position = Position.from_fen(BEHIND, "halma8", max_turns=400)
    assert engine.search(position, depth=4).score.value > 0


def test_missed_deadline_is_a_loss_inside_the_search(engine):
    assert engine.search(Position("4x4:2,1", home_deadline=1), depth=3).score == Score("loss", 1)
    assert engine.search(Position("4x4:2,1", home_deadline=2), depth=6).score == Score("loss", 3)


def test_same_position_at_another_ply_is_another_one_under_a_cap(engine):
    # With the ply left out of the table's key the deeper search would believe scores from beyond the cap.
    for turns in range(58, 66):
        position = Position.from_fen(BEHIND, "halma8", max_turns=turns, win="occupied")
        if position.is_game_over():
            continue
        result = engine.search(position, depth=5)
        if turns - position.ply < 3:
            assert result.score == Score("points", 0)
