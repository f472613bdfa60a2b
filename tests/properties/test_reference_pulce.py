"""The reference, rule by rule: moves of Pulce. Each case is small enough to check by eye.

The numbers are those of reference/RULES.md. How rounds end is in test_reference_rounds.py.
"""

from reference import legal_moves, pulce

from properties.drawn import draw, targets


def test_rule_14_entry_to_the_own_goal_is_orthogonal() -> None:
    position = draw("""
        -.....-
        .......
        .......
        .......
        ...x...
        .xoo...
        -.....-
    """)
    assert targets(pulce(), position, "b2") == {"b1", "a2", "b3", "c3"}
    # d3: over d2 to d1 is orthogonal, over c2 to b1 is diagonal.
    reached = targets(pulce(), position, "d3")
    assert "d1" in reached
    assert "b1" not in reached


def test_rule_14_does_not_concern_the_goal_of_the_enemy() -> None:
    position = draw("""
        -.....-
        .....x.
        .......
        .......
        .......
        .......
        -.....-
    """)
    assert targets(pulce(), position, "f6") == {"e5", "f5", "g5", "e6", "g6", "e7", "f7"}


def test_rule_15_men_on_their_goal_are_frozen() -> None:
    position = draw("""
        -.....-
        .......
        .......
        .......
        .......
        x......
        -xx...-
    """)
    assert not legal_moves(pulce(), position)
    assert targets(pulce(), position.with_turn("x"), "b1") == set()


def test_rule_15_a_chain_ends_on_the_own_goal() -> None:
    position = draw("""
        -.....-
        .......
        ...x...
        ...o...
        .......
        ...o...
        -...x.-
    """)
    reached = targets(pulce(), position, "d5")
    assert {"d3", "d1"} <= reached
    assert "f1" not in reached  # over e1 from d1


def test_rule_16_no_hop_lands_on_an_enemy_goal_socket_but_a_step_may() -> None:
    position = draw("""
        -.....-
        .......
        .......
        .......
        ....xo.
        .....x.
        -.....-
    """)
    assert "g3" not in targets(pulce(), position, "e3")  # over f3
    assert "g1" not in targets(pulce(), position, "e3")  # a corner without a hole, over f2
    assert {"g2", "g3"} <= targets(pulce(), position, "f2")


def test_rule_16_no_hop_lands_there_in_the_middle_of_a_chain_either() -> None:
    position = draw("""
        -.....-
        .......
        .......
        ......o
        ....xo.
        .......
        -.....-
    """)
    assert "g5" not in targets(pulce(), position, "e3")  # e3-g3-g5


def test_rule_16_a_man_on_an_enemy_socket_is_not_frozen() -> None:
    position = draw("""
        -.....-
        .......
        .......
        .......
        .....ox
        .......
        -.....-
    """)
    assert targets(pulce(), position, "g3") == {"g2", "g4", "f2", "f4", "e3"}
