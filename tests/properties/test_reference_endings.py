"""The reference, rule by rule: how games of Halma end and who has won.

The numbers are those of reference/RULES.md. Each case is small enough to check by eye. Rounds of Pulce
are in test_reference_rounds.py.
"""

import pytest
from reference import (
    PASS,
    Game,
    Outcome,
    halma8,
    is_blocked,
    legal_moves,
    read_fen,
    square_board,
    start_position,
)

from properties.drawn import game, play

SMALL = square_board(4, (2, 1))  # goal of x: a4 b4 a3
X_WINS = Outcome("x", "camp full", None)
O_WINS = Outcome("o", "camp full", None)


# Rule 8: the goal camp is full.

NEARLY_HOME = """
    xx..
    .x..
    ..oo
    ...o
"""


def test_rule_8_a_side_wins_when_its_goal_camp_is_full_right_after_its_move() -> None:
    a_game = game(SMALL, NEARLY_HOME)
    assert a_game.outcome() is None
    play(a_game, "b3-a3")
    assert a_game.outcome() == X_WINS
    assert a_game.legal_moves() == set()


def test_rule_8_the_second_player_wins_alike() -> None:
    a_game = game(
        SMALL,
        """
        xx..
        .x..
        ..o.
        ..oo
        """,
        "o",
    )
    assert play(a_game, "c2-d2").outcome() == O_WINS


@pytest.mark.parametrize(("win", "ended"), [("full", None), ("occupied", X_WINS)])
def test_rule_8_with_occupied_anybodys_men_fill_the_camp(win: str, ended: Outcome | None) -> None:
    a_game = game(
        square_board(4, (2, 1), win=win),
        """
        oo..
        .x..
        ..xx
        ...o
        """,
    )
    assert play(a_game, "b3-a3").outcome() == ended


@pytest.mark.parametrize("win", ["full", "occupied"])
def test_rule_8_with_occupied_one_man_at_least_is_the_winners_own(win: str) -> None:
    variant = square_board(4, (2, 1), win=win)
    assert Game(variant).outcome() is None  # the goal of each is full of the men of the other
    a_game = game(
        variant,
        """
        oo..
        o.x.
        ..xx
        ....
        """,
    )
    assert play(a_game, "c3-b3").outcome() is None


def test_rule_8_a_camp_that_the_other_side_fills_wins_only_after_the_next_own_move() -> None:
    a_game = game(
        square_board(4, (2, 1), win="occupied"),
        """
        xo..
        .o..
        ..xx
        ...o
        """,
        "o",
    )
    play(a_game, "b3-a3")  # fills the goal of x
    assert a_game.outcome() is None
    assert play(a_game, "d2-d3").outcome() == X_WINS


def test_rule_8_a_full_camp_of_the_side_to_move_is_no_win_yet() -> None:
    full = NEARLY_HOME.replace(".x..", "x...")
    assert game(SMALL, full, "o").outcome() == X_WINS
    assert game(SMALL, full, "x").outcome() is None


def test_rule_8_a_pass_is_a_move_of_the_side() -> None:
    a_game = game(
        square_board(3, (1,)),
        """
        x..
        .o.
        ...
        """,
    )
    assert a_game.legal_moves() == {PASS}  # locked in its goal of one square
    assert play(a_game, "pass").outcome() == X_WINS


# Rule 9: the deadline.


def test_rule_9_a_side_with_a_man_at_home_after_its_nth_move_loses() -> None:
    a_game = Game(square_board(4, (2, 1), home_deadline=2))
    play(a_game, "d2-d3 a3-a2 d3-d2")
    assert a_game.outcome() == Outcome("o", "home deadline", None)
    assert a_game.legal_moves() == set()


def test_rule_9_is_asked_of_the_side_that_has_moved() -> None:
    variant = square_board(3, (1,), home_deadline=1)
    a_game = play(Game(variant), "c1-c2")
    assert a_game.outcome() is None  # o is still at home, but has not moved yet
    assert play(a_game, "a3-a2").outcome() is None
    late = game(
        variant,
        """
        o..
        ..x
        ...
        """,
        "o",
        9,
    )
    assert late.outcome() is None
    assert play(late, "a3-b3 c2-b1 b3-a3").outcome() == Outcome("x", "home deadline", None)  # back home later


def test_rule_9_the_second_side_has_its_own_count() -> None:
    a_game = Game(square_board(3, (1,), home_deadline=2))
    play(a_game, "c1-c2 a3-b3 c2-b1 b3-a3")
    assert a_game.outcome() == Outcome("x", "home deadline", None)


def test_rule_9_counts_from_the_number_of_the_move() -> None:
    variant = square_board(4, (2, 1), home_deadline=30)
    assert play(Game(variant, [read_fen(variant, "oo2/o3/3x/2xx x 29")]), "d2-d3").outcome() is None
    assert play(Game(variant, [read_fen(variant, "oo2/o3/3x/2xx x 30")]), "d2-d3").outcome() is not None


def test_rule_9_is_off_by_default() -> None:
    assert play(Game(SMALL, [read_fen(SMALL, "oo2/o3/3x/2xx x 500")]), "d2-d3").outcome() is None


# Rule 10: repetition.

SHUFFLE = "d2-d3 a3-a2 d3-d2 a2-a3"


def test_rule_10_the_third_occurrence_of_a_position_is_a_draw() -> None:
    a_game = play(Game(SMALL), f"{SHUFFLE} d2-d3 a3-a2 d3-d2")
    assert a_game.outcome() is None
    play(a_game, "a2-a3")
    assert a_game.outcome() == Outcome(None, "repetition", None)
    assert a_game.legal_moves() == set()
    a_game.pop()
    assert a_game.outcome() is None


def test_rule_10_the_side_to_move_belongs_to_the_position() -> None:
    # With x to move, with o to move, and again with x to move: the men are the same three times, the position twice.
    triangle = "d2-d3 a3-a2 d3-c3 a2-a3 c3-d2"
    a_game = play(Game(SMALL), triangle)
    assert (a_game.position.x, a_game.position.o) == (a_game.positions[0].x, a_game.positions[0].o)
    assert a_game.position.ply == 5  # o to move
    play(a_game, "a3-a2 d2-d3 a2-b3 d3-d2 b3-a3")
    assert a_game.position.ply == 10
    assert a_game.outcome() is None


def test_rule_10_the_occurrences_need_not_follow_each_other() -> None:
    a_game = play(Game(SMALL), f"{SHUFFLE} d2-c2 a3-b3 c2-d2 b3-a3")
    assert a_game.outcome() == Outcome(None, "repetition", None)


def test_rule_10_counts_from_the_position_that_the_game_was_set_up_with() -> None:
    a_game = play(Game(SMALL), SHUFFLE)
    later = Game(SMALL, [a_game.position])
    assert play(later, SHUFFLE).outcome() is None
    assert play(later, SHUFFLE).outcome() is not None


def test_rule_10_may_be_off() -> None:
    a_game = Game(square_board(4, (2, 1), repetition=None))
    assert play(a_game, " ".join([SHUFFLE] * 5)).outcome() is None


# Rule 11: a cap on turns.


def test_rule_11_a_draw_when_both_sides_together_have_made_so_many_moves() -> None:
    a_game = play(Game(square_board(4, (2, 1), max_turns=3)), "d2-d3 a3-a2")
    assert a_game.outcome() is None
    assert play(a_game, "d3-d2").outcome() == Outcome(None, "max turns", None)
    assert a_game.legal_moves() == set()


def test_rule_11_counts_from_the_number_of_the_move() -> None:
    variant = square_board(4, (2, 1), max_turns=400)
    assert game(variant, NEARLY_HOME, "o", 200).outcome() is None
    assert game(variant, NEARLY_HOME, "x", 201).outcome() == Outcome(None, "max turns", None)


# Rule 12: passes and blockage.

FULL_BOARD = square_board(4, (4, 4))


def test_rule_12_a_side_without_a_move_passes() -> None:
    a_game = game(
        square_board(5, (1,)),
        """
        .....
        .....
        ooo..
        ooo..
        xoo..
        """,
    )
    assert a_game.legal_moves() == {PASS}
    play(a_game, "pass")
    assert (a_game.position.turn, a_game.position.number) == ("o", 1)
    assert PASS not in a_game.legal_moves()


def test_rule_12_no_pass_while_there_is_a_move() -> None:
    assert PASS not in legal_moves(halma8(), start_position(halma8()))


def test_rule_12_a_draw_when_neither_side_has_a_move() -> None:
    assert is_blocked(FULL_BOARD, start_position(FULL_BOARD))
    assert Game(FULL_BOARD).outcome() == Outcome(None, "blocked", None)
    assert Game(FULL_BOARD).legal_moves() == set()


# Rule 13: several at once.


def test_rule_13_completion_comes_before_the_deadline() -> None:
    # x wins by occupation while another of its men is still at home.
    a_game = game(
        square_board(4, (2, 1), win="occupied", home_deadline=1, max_turns=1),
        """
        oo..
        .x..
        .x.x
        ...o
        """,
    )
    assert play(a_game, "b3-a3").outcome() == X_WINS


def test_rule_13_the_deadline_comes_before_repetition() -> None:
    # All at once after the eighth move: the start for the third time, and o's fourth move with men at home.
    variant = square_board(4, (2, 1), home_deadline=4)
    a_game = game(
        variant,
        """
        oo..
        ox..
        .x..
        x...
        """,
    )
    play(a_game, "a1-b1 a3-a2 b1-a1 a2-a3 a1-b1 a3-a2 b1-a1")
    assert a_game.outcome() is None
    assert play(a_game, "a2-a3").outcome() == Outcome("x", "home deadline", None)
    assert a_game.positions[0].same_for_repetition(a_game.position)


def test_rule_13_repetition_comes_before_the_cap() -> None:
    a_game = play(Game(square_board(4, (2, 1), max_turns=8)), f"{SHUFFLE} {SHUFFLE}")
    assert a_game.outcome() == Outcome(None, "repetition", None)


def test_rule_13_the_deadline_comes_before_the_cap() -> None:
    a_game = play(Game(square_board(4, (2, 1), max_turns=1, home_deadline=1)), "d2-d3")
    assert a_game.outcome() == Outcome("o", "home deadline", None)


def test_rule_13_the_cap_comes_before_blockage() -> None:
    variant = square_board(4, (4, 4), max_turns=10)
    assert game(variant, "oooo oooo xxxx xxxx", "x", 5).outcome() == Outcome(None, "blocked", None)
    assert game(variant, "oooo oooo xxxx xxxx", "x", 6).outcome() == Outcome(None, "max turns", None)
