"""The reference, rule by rule: how games end, who has won, and the points of Pulce.

The numbers are those of reference/RULES.md. Each case is small enough to check by eye.
"""

import pytest
from reference import (
    PASS,
    Game,
    Outcome,
    Side,
    halma8,
    is_blocked,
    legal_moves,
    moves_of_side,
    pulce,
    read_fen,
    square_board,
    start_position,
)
from reference.ending import points

from properties.drawn import draw, game, move_named, play

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


def test_rule_13_the_deadline_comes_before_repetition_and_repetition_before_the_cap() -> None:
    moves = f"{SHUFFLE} {SHUFFLE}"
    drawn = play(Game(square_board(4, (2, 1), max_turns=8)), moves)
    assert drawn.outcome() == Outcome(None, "repetition", None)
    lost = play(Game(square_board(4, (2, 1), max_turns=8, home_deadline=4)), moves[: -len(" d3-d2 a2-a3")])
    assert lost.outcome() is None
    lost.push(move_named("d3-d2"))
    assert lost.outcome() == Outcome("o", "home deadline", None)


def test_rule_13_the_cap_comes_before_blockage() -> None:
    variant = square_board(4, (4, 4), max_turns=10)
    assert game(variant, "oooo oooo xxxx xxxx", "x", 5).outcome() == Outcome(None, "blocked", None)
    assert game(variant, "oooo oooo xxxx xxxx", "x", 6).outcome() == Outcome(None, "max turns", None)


# Rules 17 to 20: the end of a round of Pulce.


def test_rule_18_the_beginners_completion_gives_the_second_player_one_more_move() -> None:
    a_game = game(
        pulce(),
        """
        -.....-
        .......
        xx..oo.
        x...oo.
        x...oo.
        ....oo.
        -xxxx.-
        """,
    )
    play(a_game, "b5-b6 e5-e6 b6-a6")
    assert a_game.outcome() is None
    assert len(a_game.legal_moves()) > 1
    play(a_game, "f5-f6")
    assert a_game.outcome() == Outcome("x", "round over", (2, 0))
    assert a_game.legal_moves() == set()


def test_rule_18_the_second_players_completion_ends_the_round_at_once() -> None:
    a_game = game(
        pulce(first="o"),
        """
        -.....-
        .......
        xx..oo.
        x...oo.
        x...oo.
        ....oo.
        -xxxx.-
        """,
    )
    play(a_game, "b5-b6 e5-e6 b6-a6")
    assert a_game.outcome() == Outcome("x", "round over", (2, 0))


def test_rule_18_both_sides_may_complete() -> None:
    a_game = game(
        pulce(),
        """
        -oooo.-
        ......o
        x.....o
        x.....o
        x....o.
        xx.....
        -.xxx.-
        """,
    )
    play(a_game, "b2-b1 f3-g3")
    assert a_game.outcome() == Outcome("x", "round over", (3, 2))


def test_rule_18_the_beginner_does_not_move_after_its_completion() -> None:
    a_game = game(
        pulce(),
        """
        -.....-
        .......
        xo.....
        x......
        x......
        x......
        -xxxx.-
        """,
    )
    assert a_game.outcome() == Outcome("x", "round over", (3, 0))


def test_rule_17_a_side_without_a_move_passes_in_pulce() -> None:
    # Seven men are frozen, the eighth is walled in on g6; over g5 lies an enemy socket.
    stuck = game(
        pulce(),
        """
        -....o-
        ....oox
        x.oo.oo
        x...o..
        x......
        .......
        -xxxx.-
        """,
    )
    assert stuck.legal_moves() == {PASS}


def test_rule_17_the_round_ends_when_neither_side_can_move() -> None:
    # It takes more men than Pulce has to block both sides: these drawings are full.
    nobody = """
        -ooooo-
        xxxxxxx
        ooooooo
        xxxxxxx
        ooooooo
        xxxxxxx
        -ooooo-
    """
    assert game(pulce(), nobody).outcome() == Outcome(None, "blocked", (0, 0))
    x_home = """
        -ooooo-
        ooooooo
        xoooooo
        xoooooo
        xoooooo
        xoooooo
        -xxxxo-
    """
    assert game(pulce(), x_home, "o").outcome() == Outcome("x", "round over", (3, 0))  # no extra move to make


@pytest.mark.parametrize(
    ("bottom", "left", "worth"),
    [
        ("xxxxx", "xxx..", 1),
        ("x.x.x", "xxxxx", 1),
        ("xxxx.", "xxxx.", 3),
        ("xxxx.", ".xxxx", 2),
        ("x.xxx", "x.xxx", 3),
        ("x.xxx", "xx.xx", 2),
        ("xxxxx", "xx...", 0),
    ],
)
@pytest.mark.parametrize("side", ["x", "o"])
def test_rule_19_points_by_edge_and_symmetry(bottom: str, left: str, worth: int, side: Side) -> None:
    """`bottom` counts from b1 eastward, `left` from a2 northward; for `o` the picture is turned by half a turn."""
    rows = [f"{letter}......" for letter in reversed(left)]
    rows = ["-.....-", *rows, f"-{bottom}-"]
    if (bottom + left).count("x") < 8:
        rows[1] = rows[1][:5] + "x."  # the eighth man is on its way
    if side == "o":
        rows = [row[::-1].replace("x", "o") for row in reversed(rows)]
    position = draw("\n".join(rows))
    assert points(pulce(), position, side) == worth


def test_rule_20_repetition_and_the_cap_end_the_round_with_the_points_as_they_stand() -> None:
    assert play(Game(pulce(max_turns=1)), "e4-e3").outcome() == Outcome(None, "max turns", (0, 0))
    shuffle = "e4-e3 c4-c5 e3-e4 c5-c4"
    assert play(Game(pulce()), f"{shuffle} {shuffle}").outcome() == Outcome(None, "repetition", (0, 0))
    assert play(Game(pulce(repetition=None)), f"{shuffle} {shuffle}").outcome() is None
    capped = game(
        pulce(max_turns=7),
        """
        -.....-
        .......
        xx..oo.
        x...oo.
        x...oo.
        ....oo.
        -xxxx.-
        """,
        "x",
        3,
    )
    play(capped, "b5-b6 e5-e6 b6-a6")
    assert capped.outcome() == Outcome("x", "max turns", (2, 0))  # the cap takes the extra move


def test_the_side_that_begins_a_round_is_the_variants() -> None:
    a_game = Game(pulce(first="o", max_turns=2))
    assert (a_game.position.turn, a_game.turns_made) == ("o", 0)
    assert a_game.legal_moves() == moves_of_side(pulce(), a_game.position, "o")
    play(a_game, "c4-c5")
    assert a_game.outcome() is None
    play(a_game, "e4-e3")
    assert a_game.outcome() is not None
