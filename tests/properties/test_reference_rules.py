"""The reference, rule by rule: boards, steps, chains, camps of Halma.

Each case is small enough to check by eye.
The numbers are those of reference/RULES.md. Endings are in test_reference_endings.py.
"""

import pytest
from reference import (
    Position,
    Variant,
    VariantError,
    halma8,
    halma10,
    halma16,
    hops_needed,
    is_shortest_path,
    legal_moves,
    pulce,
    square_board,
    square_named,
    start_position,
    write_fen,
)

from properties.drawn import draw, game, move_named, targets

CORNERS = square_board(5, (1,))  # goal of x: a5
TRIANGLES = square_board(6, (3, 2, 1))  # goal of x: a6 b6 c6 a5 b5 a4


def test_start_positions_are_those_of_the_rules() -> None:
    fens = {variant.name: write_fen(variant, start_position(variant)) for variant in (halma8(), halma16(), pulce())}
    assert fens == {
        "halma8": "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1",
        "halma16": "ooooo11/ooooo11/oooo12/ooo13/oo14/16/16/16/16/16/16/14xx/13xxx/12xxxx/11xxxxx/11xxxxx x 1",
        "pulce": "-5-/3xxx1/3xxx1/1oo1xx1/1ooo3/1ooo3/-5- x 1",
    }
    assert write_fen(halma10(), start_position(halma10())).startswith("ooooo5/oooo6/ooo7/oo8/o9/9x/8xx/")


@pytest.mark.parametrize(
    ("variant", "squares", "men"), [(halma16(), 256, 19), (halma10(), 100, 15), (halma8(), 64, 10), (pulce(), 45, 8)]
)
def test_boards_have_the_squares_and_men_of_the_table(variant: Variant, squares: int, men: int) -> None:
    assert (len(variant.squares), variant.men) == (squares, men)
    assert len(variant.start["o"]) == men
    assert start_position(variant).turn == "x"


def test_halma_goal_is_the_home_of_the_other_side() -> None:
    variant = square_board(4, (2, 1))
    assert variant.home["x"] == variant.start["x"] == {square_named(name) for name in ("d1", "c1", "d2")}
    assert variant.home["o"] == variant.start["o"] == {square_named(name) for name in ("a4", "b4", "a3")}
    assert variant.goal == {"x": variant.home["o"], "o": variant.home["x"]}


@pytest.mark.parametrize(("size", "camp"), [(3, (3, 1)), (4, (4, 4)), (16, (16,) * 8), (5, (1, 1, 1, 1, 1))])
def test_any_staircase_camp_is_a_board_while_the_camps_do_not_overlap(size: int, camp: tuple[int, ...]) -> None:
    assert square_board(size, camp).men == sum(camp)


@pytest.mark.parametrize(
    ("size", "camp"),
    [(2, (1,)), (17, (1,)), (4, ()), (4, (5,)), (4, (0,)), (4, (1, 2)), (3, (2, 2)), (4, (1, 1, 1, 1, 1)), (3, (3, 2))],
)
def test_other_camps_are_refused(size: int, camp: tuple[int, ...]) -> None:
    with pytest.raises(VariantError):
        square_board(size, camp)


# Rules 1 to 4: steps and chains.

OPEN = """
    .....
    .....
    ..x..
    .....
    o....
"""


def test_rule_2_a_step_goes_to_any_empty_neighbour() -> None:
    assert targets(CORNERS, draw(OPEN), "c3") == {"b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"}
    assert targets(CORNERS, draw(OPEN, "o"), "a1") == {"a2", "b1", "b2"}


def test_rule_2_a_step_needs_an_empty_square() -> None:
    crowded = draw("""
        .....
        .....
        ...o.
        ...xx
        .o.xo
    """)
    assert targets(CORNERS, crowded, "e2") == {"e3", "c2", "c4", "e4"}  # over d2, over d3, and on from c2


def test_rule_1_a_step_and_a_hop_are_never_one_turn() -> None:
    position = draw("""
        .....
        .....
        .....
        .....
        x.o..
    """)
    assert targets(CORNERS, position, "a1") == {"a2", "b1", "b2"}  # not d1, a step and a hop away


def test_rule_1_only_one_man_moves() -> None:
    position = draw(OPEN).after(move_named("c3-c4"))
    assert position == Position(frozenset({square_named("c4")}), frozenset({square_named("a1")}), "o")


@pytest.mark.parametrize("over", ["x", "o"])
def test_rule_3_a_hop_goes_over_one_man_of_either_colour_exactly_beyond(over: str) -> None:
    diagram = """
        .....
        .....
        .....
        .....
        x?...
    """.replace("?", over)
    assert targets(CORNERS, draw(diagram), "a1") == {"a2", "b2", "c1"}


@pytest.mark.parametrize("row", ["xoo..", "x.o..", "xo.o.", "xox.."])
def test_rule_3_no_hop_over_two_men_or_a_gap_or_onto_a_man(row: str) -> None:
    position = draw(f"""
        .....
        .....
        .....
        .....
        {row}
    """)
    expected = {"xoo..": set(), "x.o..": {"b1"}, "xo.o.": {"c1", "e1"}, "xox..": set()}[row]
    assert targets(CORNERS, position, "a1") == {"a2", "b2"} | expected


CHAIN = """
    .......
    .......
    ..oo...
    .......
    ...o...
    .o.....
    x......
"""


def test_rule_3_a_chain_mixes_directions_and_may_stop_after_any_hop() -> None:
    # a1 over b2 to c3, over d3 to e3; c3 over ... nothing above; e3 has no further man beside it.
    variant = square_board(7, (1,))
    assert targets(variant, draw(CHAIN), "a1") == {"a2", "b1", "c3", "e3"}


def test_rule_3_a_chain_may_turn_back_at_any_angle() -> None:
    variant = square_board(7, (1,))
    position = draw("""
        .......
        .......
        .......
        ...oo..
        ...o...
        .o.....
        x......
    """)
    # a1-c3 over b2; c3-e3 over d3 and c3-e5 over d4; e3-c5 over d4 and e5-c3 again.
    assert targets(variant, position, "a1") == {"a2", "b1", "c3", "e3", "e5", "c5"}
    assert hops_needed(variant, position, move_named("a1-e5")) == 2
    assert hops_needed(variant, position, move_named("a1-c5")) == 3


def test_rule_3_nothing_is_captured() -> None:
    position = draw(CHAIN)
    after = position.after(move_named("a1-e3"))
    assert after.o == position.o
    assert len(after.x) == 1


RING = """
    .......
    .......
    .......
    ...o...
    ..o.o..
    ..xo...
    .......
"""


def test_rule_4_a_chain_that_ends_where_it_began_is_no_move() -> None:
    reached = targets(square_board(7, (1,)), draw(RING), "c2")  # c2-c4-e4-e2-c2 is a round trip
    assert {"c4", "e4", "e2"} <= reached
    assert "c2" not in reached


def test_rule_4_the_start_square_counts_as_empty_during_the_chain() -> None:
    variant = square_board(7, (1,))
    assert hops_needed(variant, draw(RING), move_named("c2-e2")) == 1
    assert hops_needed(variant, draw(RING), move_named("c2-e4")) == 2
    # So the same round trip may go on from its start, though such a chain is never the shortest.
    round_trip = [square_named(name) for name in ("c2", "c4", "e4", "e2", "c2", "c4")]
    assert not is_shortest_path(variant, draw(RING), move_named("c2-c4"), round_trip)


# Rule 5: the goal lock.

INTO = """
    ......
    ......
    .o....
    x.....
    x.....
    ......
"""


def locked(lock: str) -> Variant:
    return square_board(6, (3, 2, 1), goal_lock=lock)


@pytest.mark.parametrize(("lock", "leaves"), [("hop", False), ("move", False), ("none", True)])
def test_rule_5_a_man_in_its_goal_leaves_it_by_step_only_without_a_lock(lock: str, leaves: bool) -> None:
    position = draw("""
        ......
        ......
        x.....
        ......
        ......
        ......
    """)
    outside = {"b4", "a3", "b3"} if leaves else set()
    assert targets(locked(lock), position, "a4") == {"a5", "b5"} | outside


@pytest.mark.parametrize(("lock", "leaves"), [("hop", False), ("move", False), ("none", True)])
def test_rule_5_a_man_in_its_goal_leaves_it_by_hop_only_without_a_lock(lock: str, leaves: bool) -> None:
    position = draw("""
        ......
        ......
        xo....
        ......
        ......
        ......
    """)
    assert ("c4" in targets(locked(lock), position, "a4")) == leaves


@pytest.mark.parametrize(("lock", "goes_on"), [("hop", False), ("move", True), ("none", True)])
def test_rule_5_a_chain_that_lands_in_the_goal_goes_on_outside_only_without_the_hop_lock(
    lock: str, goes_on: bool
) -> None:
    reached = targets(locked(lock), draw(INTO), "a2")
    assert "a4" in reached
    assert ("c4" in reached) == goes_on


@pytest.mark.parametrize(("lock", "returns"), [("hop", False), ("move", True), ("none", True)])
def test_rule_5_a_chain_from_the_goal_may_go_round_outside_only_without_the_hop_lock(lock: str, returns: bool) -> None:
    position = draw("""
        ......
        ..o...
        xo....
        ......
        ......
        ......
    """)
    assert ("c6" in targets(locked(lock), position, "a4")) == returns  # a4-c4-c6


@pytest.mark.parametrize("lock", ["hop", "move", "none"])
def test_rule_5_chains_go_on_inside_the_goal(lock: str) -> None:
    position = draw("""
        .o....
        x.....
        ......
        o.....
        x.....
        ......
    """)
    assert {"a4", "a6", "c6"} <= targets(locked(lock), position, "a2")


def test_rule_5_the_goal_of_the_other_side_does_not_lock() -> None:
    position = draw("""
        ......
        ......
        o.....
        ......
        ......
        .....o
    """, "o")  # fmt: skip
    assert targets(TRIANGLES, position, "a4") == {"a5", "b5", "b4", "a3", "b3"}
    assert targets(TRIANGLES, position, "f1") == {"e1", "e2", "f2"}


# Rule 6: the own home camp.

HOMEWARD = """
    ......
    .....x
    .....o
    ....o.
    ......
    ......
"""


@pytest.mark.parametrize("reentry", [True, False])
def test_rule_6_home_reentry(reentry: bool) -> None:
    variant = square_board(6, (3, 2, 1), home_reentry=reentry)
    reached = targets(variant, draw(HOMEWARD), "f5")
    assert ("f3" in reached) == reentry  # f5-f3 ends in the home camp
    assert "d3" in reached  # f5-f3-d3 only passes through it


def test_rule_6_without_reentry_men_at_home_move_freely() -> None:
    variant = square_board(6, (3, 2, 1), home_reentry=False)
    position = draw("""
        ......
        ......
        ......
        .....x
        ......
        ......
    """)
    assert targets(variant, position, "f3") == {"f2", "e2", "e3", "e4", "f4"}


# Rule 7: moves are pairs, paths are short.


def test_rule_7_two_chains_with_the_same_ends_are_one_move() -> None:
    position = draw("""
        .....
        .....
        .o...
        o.o..
        xo...
    """)
    moves = [move for move in legal_moves(CORNERS, position) if move == move_named("a1-c3")]
    assert len(moves) == 1  # a1-c1-c3 and a1-a3-c3
    for way in (("a1", "c1", "c3"), ("a1", "a3", "c3")):
        assert is_shortest_path(CORNERS, position, moves[0], [square_named(name) for name in way])


def test_rule_7_a_path_is_refused_if_a_hop_is_wrong_or_it_is_too_long() -> None:
    position = draw("""
        .....
        .....
        .oo..
        ooo..
        xo...
    """)
    move = move_named("a1-c1")
    assert hops_needed(CORNERS, position, move) == 1

    def good(*names: str) -> bool:
        return is_shortest_path(CORNERS, position, move, [square_named(name) for name in names])

    assert good("a1", "c1")
    assert not good("a1", "a3", "c1")
    assert not good("a1")
    assert not good("a1", "b1", "c1")


def test_hops_keep_the_parity_of_file_and_rank_and_steps_do_not() -> None:
    position = start_position(halma8())
    for source, target in legal_moves(halma8(), position):  # type: ignore[misc]  # no pass at the start
        is_step = max(abs(source[0] - target[0]), abs(source[1] - target[1])) == 1
        same = (source[0] - target[0]) % 2 == 0 and (source[1] - target[1]) % 2 == 0
        assert same != is_step


def test_a_pass_only_changes_the_side_and_the_number() -> None:
    position = draw(OPEN, "o", 7)
    assert position.after(None) == Position(position.x, position.o, "x", 8)
    assert game(CORNERS, OPEN).position == draw(OPEN)
