"""The home duty: case by case in the reference, and the kernel against it wherever the rule is on."""

import reference
from hypothesis import given
from hypothesis import strategies as st
from reference import csci561, name_of, square_board

from halma_fast import Engine, Move, Position, perft
from properties.drawn import draw, targets
from properties.effort import effort
from properties.strategies import HALMA_RULES, Script, custom_worlds, scripts
from properties.worlds import World, to_moves, to_pair

DUTY = square_board(6, (3, 2, 1), home_duty=True, home_reentry=False, goal_lock="move", win="occupied")
DUTY_RULES = HALMA_RULES | {"home_duty": st.just(True)}


def moves(diagram: str, turn: reference.Side = "x") -> set[str]:
    found = reference.legal_moves(DUTY, draw(diagram, turn))
    return {"pass" if move is None else f"{name_of(move[0])}-{name_of(move[1])}" for move in found}


def test_rule_23_a_man_at_home_that_can_leave_does() -> None:
    diagram = """
        ......
        ......
        .x....
        .....x
        ......
        .....x
    """
    # f1 stays at home with any step; f3 may not go to f2, e2 or e3 of which the first two are at home.
    assert moves(diagram) == {"f3-f4", "f3-e4", "f3-e3"}


def test_rule_23_a_only_the_end_of_a_chain_counts() -> None:
    diagram = """
        ......
        ......
        ......
        ....o.
        ....ox
        ...oox
    """
    # f1-d3-f3 goes out and comes home again: no move out.
    assert moves(diagram) == {"f1-d3", "f2-d2", "f2-d4", "f2-f4"}


def test_rule_23_b_a_man_that_cannot_leave_goes_away_from_the_corner() -> None:
    diagram = """
        x.....
        .....o
        ...ooo
        ..ooo.
        .oo..x
        ...o.o
    """
    # f2 may step to e2, f3, but not to e1: a rank nearer, although a file farther. d1 is o's, c2 blocks.
    assert moves(diagram) == {"f2-e2", "f2-f3"}


def test_rule_23_c_the_others_move_where_no_man_at_home_can_go_on() -> None:
    diagram = """
        x.....
        .....o
        ...ooo
        ..oooo
        ..ooox
        ..oo.o
    """
    # f2 could only go to e1, nearer to the corner: a6 is free to move.
    assert moves(diagram) == {"a6-b6", "a6-a5", "a6-b5"}


def test_rule_23_without_anything_else_to_move_the_side_passes() -> None:
    diagram = """
        ......
        .....o
        ...ooo
        ..oooo
        ..ooox
        ..oo.o
    """
    assert moves(diagram) == {"pass"}


def test_rule_24_the_homework_starts_at_top_left_and_has_the_known_counts() -> None:
    variant = csci561()
    start = reference.start_position(variant)
    assert name_of(variant.corner["x"]) == "a16"
    assert (0, 15) in start.x
    assert (15, 0) in start.o
    assert start.turn == "x"
    assert [reference.perft(variant, start, depth) for depth in (1, 2, 3)] == [40, 1600, 62240]


def test_rule_23_holds_for_both_corners() -> None:
    position = draw("\n".join(["." * 16] * 13 + ["." * 13 + "..o", "." * 13 + ".o.", "." * 16]), "o")
    assert targets(csci561(), position, "p3") == {"o3", "o4", "p4"}
    assert targets(csci561(), position, "o2") == {"n2", "n3", "o3"}


@effort(120)
@given(custom_worlds(7, DUTY_RULES), scripts())
def test_the_kernel_has_the_moves_of_the_reference(world: World, script: Script) -> None:
    for both in script.play(world):
        expected = to_moves(both.game.legal_moves())
        assert set(both.position.legal_moves) == expected, both.position.fen()
        assert len(list(both.position.legal_moves)) == len(both.position.legal_moves) == len(expected)


@effort(60)
@given(custom_worlds(5, DUTY_RULES), scripts(12))
def test_is_legal_agrees_with_the_list_on_every_move_there_could_be(world: World, script: Script) -> None:
    both = script.end(world)
    legal = both.game.legal_moves()
    for move in reference.every_move(both.game.variant):
        (origin, target) = move
        number = Move(16 * origin[1] + origin[0], 16 * target[1] + target[0])
        assert both.position.is_legal(number) == (move in legal), (both.position.fen(), number)


@effort(100)
@given(custom_worlds(6, DUTY_RULES), scripts(16))
def test_perft_is_that_of_the_reference_in_bulk_and_leaf_by_leaf_and_with_a_table(world: World, script: Script) -> None:
    both = script.end(world)
    for depth in (1, 2):
        expected = reference.perft(both.game.variant, both.game.position, depth)
        assert perft(both.position, depth) == expected, both.position.fen()
        assert perft(both.position, depth, bulk=False) == expected, both.position.fen()
    for depth in (3, 4):
        if perft(both.position, 1) ** depth > 200_000:
            break
        leaf_by_leaf = perft(both.position, depth, bulk=False)
        assert perft(both.position, depth) == leaf_by_leaf, both.position.fen()
        assert perft(both.position, depth, hash_mb=1) == leaf_by_leaf, both.position.fen()


@effort(40)
@given(custom_worlds(5, DUTY_RULES), scripts(16))
def test_the_lines_of_a_search_are_legal(world: World, script: Script) -> None:
    both = script.end(world)
    if both.position.is_game_over():
        return
    for move in Engine(hash_mb=1).search(both.position, nodes=400).pv:
        assert to_pair(move) in both.game.legal_moves(), (both.position.fen(), move)
        both.push(to_pair(move))


def test_the_properties_see_every_stage_of_the_duty() -> None:
    """Scripts that end where a man must leave, must go on inside, and where others move while men are at home."""
    seen = set()
    for seed in range(6):
        world = World(size=4, camp=(3, 2, 1), rules={"home_duty": True, "goal_lock": "none"})
        for both in Script(seed, "at home", ("uniform", "forward"), 20).play(world):
            home = both.game.variant.home[both.game.position.turn]
            legal = [move for move in both.game.legal_moves() if move is not None]
            if legal and both.game.position.men(both.game.position.turn) & home:
                seen.add((legal[0][0] in home, legal[0][1] in home))
    assert seen >= {(True, False), (True, True), (False, False)}


def test_paths_of_moves_from_home_are_found() -> None:
    position = Position("csci561")
    for move in position.legal_moves:
        path = position.path(move)
        assert (path[0], path[-1]) == (move.from_square, move.to_square)
        assert to_pair(move) is not None
