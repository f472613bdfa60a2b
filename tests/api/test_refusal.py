"""Why a move is refused: for each rule a position in which it alone forbids the move, and the sentence that says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from properties.drawn import draw
from properties.effort import effort
from properties.strategies import Script, custom_worlds, pulce_worlds, scripts
from properties.worlds import World, to_number
from reference import pulce, write_fen

from api.garbage import check_message
from halma_fast import IllegalMoveError, Move, Position

START8 = "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1"
TRIANGLES = "6x6:3,2,1"


@pytest.mark.parametrize(
    ("variant", "fen", "move", "words"),
    [
        ("halma8", START8, "pass", ("may not pass",)),
        ("halma8", START8, "d4-d5", ("no man stands on d4",)),
        ("halma8", START8, "a5-a4", ("a5", "o's", "x is to move")),
        ("halma8", START8, "h4-h3", ("h3 is occupied",)),
        ("halma8", START8, "h4-e3", ("neither neighbours nor an even number",)),
        ("halma8", START8, "h4-d4", ("no chain of hops leads from h4 to d4",)),
        ("halma8", START8, "i1-h1", ("i1 is not on the board",)),
        (TRIANGLES, "1oo3/1oxx2/x4x/o5/oo4/4xx x 1", "a4-b3", ("a4", "may not leave", "goal_lock='hop'")),
        ("3x3:1", "x2/1o1/3 x 1", "a3-a2", ("must pass",)),
    ],
)
def test_a_refusal_names_the_rule(variant: str, fen: str, move: str, words: tuple[str, ...]) -> None:
    position = Position(variant, fen=fen)
    with pytest.raises(IllegalMoveError) as by_text:
        position.push(move)
    check_message(by_text.value, *words)
    with pytest.raises(IllegalMoveError) as by_move:
        position.push(Move.from_text(move))
    assert str(by_move.value) == str(by_text.value)


def test_a_refused_return_home_names_its_rule() -> None:
    outside = Position(TRIANGLES, fen="ooo3/oo4/o4x/6/5x/2xxxx x 1", home_reentry=False)
    with pytest.raises(IllegalMoveError, match="home_reentry=False"):
        outside.push("f4-f3")


# In the first, a15 may hop over b15 to c15, inside its home; in the second, c15 is taken.
SHUT_IN = "16/xo14/oo14/o1o13/16/16/16/16/xxxxxxxxxxxxxxxx/xxoooooooooooooo/16/16/16/16/16/16 x 9"
STUCK = "16/xoo13/oo14/o1o13/16/16/16/16/xxxxxxxxxxxxxxxx/xx1ooooooooooooo/16/16/16/16/16/16 x 9"


@pytest.mark.parametrize(
    ("fen", "moves", "refused", "words"),
    [
        (None, "e15-f14 m3-l4", "f14-g14", "a man in its home camp can leave it, and has to"),
        (None, "e15-f14 m3-l4", "d14-e15", "a man in its home camp can leave it, and has to"),
        (SHUT_IN, "", "a8-a9", "a man in its home camp can move away from the corner inside it, and has to"),
        (SHUT_IN, "", "a15-b16", "a man in its home camp can move away from the corner inside it, and has to"),
        (STUCK, "", "a15-b16", "may move inside it only away from the corner"),
    ],
)
def test_a_refused_neglect_of_the_home_duty_names_what_is_due(
    fen: str | None, moves: str, refused: str, words: str
) -> None:
    strict, free = (Position("csci561", fen=fen, home_duty=duty) for duty in (True, False))
    for position in (strict, free):
        for move in moves.split():
            position.push(move)
    with pytest.raises(IllegalMoveError) as caught:
        strict.push(refused)
    check_message(caught.value, words, "(home_duty=True)")
    free.push(refused)  # the duty alone forbids it


def test_what_the_home_duty_leaves_is_played() -> None:
    assert [move.text for move in Position("csci561", fen=SHUT_IN).legal_moves] == ["a15-c15"]
    Position("csci561", fen=STUCK).push("a8-a9")


FLEAS = """
    -.....-
    .oo....
    ..xx.o.
    ...x.oo
    .x..xo.
    ....x.o
    -xx..o-
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b1-b2", ("never moves again",)),
        ("b3-a4", ("a4", "orthogonally")),
        ("e3-g3", ("g3", "goal square of o")),
    ],
)
def test_refusals_of_pulce_name_their_rules(text: str, words: tuple[str, ...]) -> None:
    position = Position("pulce", fen=write_fen(pulce(), draw(FLEAS)))
    with pytest.raises(IllegalMoveError) as caught:
        position.push(text)
    check_message(caught.value, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a1-c3-f3-e3", ("hop 2", "c3-f3", "exactly beyond")),
        ("a1-a3-c3-e3", ("hop 1", "a1-a3", "a2", "no man")),
        ("a1-c3-c1-e3", ("hop 2", "c2", "no man")),
    ],
)
def test_a_written_chain_is_refused_at_its_first_wrong_hop(text: str, words: tuple[str, ...]) -> None:
    position = Position(TRIANGLES, fen="oooxxx/o3xx/6/3o2/1o4/x5 x 1")
    with pytest.raises(IllegalMoveError) as caught:
        position.push(text)
    check_message(caught.value, *words)
    assert position.fen() == "oooxxx/o3xx/6/3o2/1o4/x5 x 1"


@effort(30)
@given(world=custom_worlds(5) | pulce_worlds(), script=scripts(12))
def test_every_refusal_is_a_readable_sentence(world: World, script: Script) -> None:
    both = script.end(world)
    for source in both.game.variant.squares:
        for target in both.game.variant.squares:
            if source != target:
                move = Move(to_number(source), to_number(target))
                if not both.position.is_legal(move):
                    with pytest.raises(IllegalMoveError) as caught:
                        both.position.push(move)
                    check_message(caught.value, move.text)
