"""The reference, rule by rule: how rounds of Pulce end, and their points.

The numbers are those of reference/RULES.md. Each case is small enough to check by eye.
"""

import pytest
from reference import PASS, Game, Outcome, Side, moves_of_side, pulce
from reference.ending import points

from properties.drawn import draw, game, play


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


@pytest.mark.parametrize("turn", ["x", "o"])
def test_rule_18_a_complete_second_player_has_ended_the_round_whoever_is_to_move(turn: Side) -> None:
    x_home = """
        -.....-
        .......
        xo..oo.
        x...oo.
        x...oo.
        x....o.
        -xxxx.-
    """
    assert game(pulce(first="o"), x_home, turn).outcome() == Outcome("x", "round over", (3, 0))
    assert (game(pulce(first="x"), x_home, turn).outcome() is None) == (turn == "o")


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
