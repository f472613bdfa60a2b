"""Position: what it shows, how it is made, how moves are made and taken back, what it equals."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from halma_fast import (
    PASS,
    VARIANTS,
    EmptyStackError,
    FenError,
    GameOverError,
    IllegalMoveError,
    Move,
    Position,
    Reason,
    Side,
    Variant,
    parse_square,
)

START8 = "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1"


def test_the_default_is_halma16_at_its_start() -> None:
    position = Position()
    assert position.variant == VARIANTS["halma16"]
    assert position.fen() == VARIANTS["halma16"].start_fen
    assert (position.turn, position.ply, position.move_number) == (Side.X, 0, 1)
    assert len(position.legal_moves) == 40
    assert position.outcome() is None
    assert position.is_game_over() is False
    assert position.move_stack == []


@pytest.mark.parametrize("name", list(VARIANTS))
def test_every_variant_begins_with_its_string(name: str) -> None:
    position = Position(name)
    assert position.fen() == VARIANTS[name].start_fen
    assert position == Position(VARIANTS[name]) == Position(name, fen=VARIANTS[name].start_fen)
    assert len(position.pieces(Side.X)) == len(position.pieces(Side.O)) == VARIANTS[name].men


def test_a_custom_variant_goes_by_its_name() -> None:
    assert Position("5x5:3,2,1") == Position(Variant.square(5, (3, 2, 1)))
    assert Position("4x4:2,1").fen() == "oo2/o3/3x/2xx x 1"


def test_rules_replace_those_of_the_variant() -> None:
    assert Position("halma8", win="occupied").variant == VARIANTS["halma8"].with_rules(win="occupied")
    assert Position(Variant.named("halma8", win="occupied"), max_turns=3).variant.win == "occupied"
    assert Position("pulce", first="o").turn is Side.O


def test_from_fen_finds_the_variant_by_the_number_of_ranks() -> None:
    for name in ("halma16", "halma10", "halma8", "pulce"):
        assert Position.from_fen(VARIANTS[name].start_fen).variant.name == name
    assert Position.from_fen(START8, win="occupied").variant.win == "occupied"
    assert Position.from_fen("oo2/o3/3x/2xx o 7", "4x4:2,1").move_number == 7
    with pytest.raises(FenError):
        Position.from_fen("oo2/o3/3x/2xx o 7")


def test_position_string_may_be_given_alone_or_with_its_variant() -> None:
    assert Position("halma8", START8) == Position(fen=START8) == Position.from_fen(START8)


def test_a_move_changes_men_side_ply_and_number() -> None:
    position = Position("halma8")
    assert position.push("h4-h5") is None  # type: ignore[func-returns-value]
    assert (position.turn, position.ply, position.move_number) == (Side.O, 1, 1)
    assert position.fen() == "oooo4/ooo5/oo6/o6x/8/6xx/5xxx/4xxxx o 1"
    position.push(Move.from_text("a5-a4"))
    assert (position.turn, position.ply, position.move_number) == (Side.X, 2, 2)
    assert position.move_stack == [Move.from_text("h4-h5"), Move.from_text("a5-a4")]
    assert position.peek() == Move.from_text("a5-a4")
    assert position.pop() == Move.from_text("a5-a4")
    assert position.pop() == Move.from_text("h4-h5")
    assert position == Position("halma8")


@pytest.mark.parametrize("action", ["pop", "peek"])
def test_nothing_to_take_back_is_an_index_error_too(action: str) -> None:
    position = Position.from_fen("oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx o 9")
    with pytest.raises(EmptyStackError) as caught:
        getattr(position, action)()
    assert isinstance(caught.value, IndexError)
    assert isinstance(caught.value, ValueError)
    assert position.fen().endswith("o 9")


def test_the_move_stack_is_a_copy() -> None:
    position = Position("halma8")
    position.push("h4-h5")
    position.move_stack.clear()
    position.move_stack.append(PASS)
    assert position.move_stack == [Move.from_text("h4-h5")]


@pytest.mark.parametrize("text", ["e1-c3", "e1c3", " e1-c3 "])
def test_moves_are_read_from_each_form(text: str) -> None:
    position = Position.from_fen("oooo4/ooo5/oo6/o7/7x/6xx/3x1xxx/4xxx1 x 1")
    assert position.parse_move(text) == Move.from_text("e1-c3")
    assert position.is_legal(text)
    assert text in position.legal_moves


def test_a_chain_is_checked_square_by_square() -> None:
    position = Position.from_fen("oooo4/ooo5/oo6/o2x4/8/3x2xx/5xxx/5xxx x 1")
    assert position.parse_move("g1-e3") == Move.from_text("g1-e3")
    assert position.parse_move("f1-f3") == position.parse_move("f1f3")
    for text in ("f1-h3-f3", "f1-f4-f3", "f1-f2-f3"):
        with pytest.raises(IllegalMoveError, match="hop"):
            position.parse_move(text)


CHAIN = "oooxxx/o3xx/6/3o2/1o4/x5 x 1"  # a1 over b2 to c3, over d3 to e3


def test_a_path_shows_the_landings() -> None:
    position = Position("6x6:3,2,1", fen=CHAIN)
    landings = tuple(parse_square(name) for name in ("a1", "c3", "e3"))
    assert position.path("a1-e3") == position.path(Move.from_text("a1-e3")) == landings
    assert position.path("a1-c3") == landings[:2]


@pytest.mark.parametrize("text", ["a1-c3-e3", "a1c3e3", "a1-c3-a1-c3-e3", "a1-c3-e3-c3-e3"])
def test_a_chain_may_be_written_with_more_landings_than_it_needs(text: str) -> None:
    position = Position("6x6:3,2,1", fen=CHAIN)
    assert position.parse_move(text) == Move.from_text("a1-e3")
    position.push(text)
    assert position.fen() == "oooxxx/o3xx/6/3ox1/1o4/6 o 1"


def test_a_step_has_a_path_of_two_squares() -> None:
    position = Position("halma8")
    assert position.path("h4-h5") == (parse_square("h4"), parse_square("h5"))
    with pytest.raises(IllegalMoveError):
        position.path("h4-h6")
    with pytest.raises(IllegalMoveError):
        position.path(Move.from_text("a1-a2"))


def test_piece_at_takes_numbers_and_names() -> None:
    position = Position("halma8")
    assert position.piece_at("h1") is position.piece_at(7) is position.piece_at(cast(int, np.int16(7))) is Side.X
    assert position.piece_at("a8") is position.piece_at(112) is Side.O
    assert position.piece_at("d4") is None
    assert position.piece_at(0) is None


def test_pieces_are_ascending_square_numbers() -> None:
    position = Position("4x4:2,1")
    assert position.pieces(Side.X) == (2, 3, 19)
    assert position.pieces(Side.O) == (32, 48, 49)
    assert position.pieces(0) == position.pieces(Side.X)
    assert all(type(square) is int for square in position.pieces(Side.O))


def test_squares_are_numbered_alike_on_every_board() -> None:
    for name in VARIANTS:
        assert Position(name).piece_at("d4") == Position(name).piece_at(51)


def test_a_position_equals_one_with_the_same_variant_men_side_and_ply() -> None:
    position = Position("halma8")
    assert position == Position("halma8")
    assert position != Position("halma8", win="occupied")
    assert position != Position("halma10")
    assert position != Position.from_fen(START8.replace("x 1", "x 2"))
    assert position != Position.from_fen(START8.replace("x 1", "o 1"))
    others: list[Any] = [START8, None, 0, position.key()]
    assert all(position != other for other in others)
    for text in ("h4-h5", "a5-a4", "h5-h4", "a4-a5"):
        position.push(text)
    assert position != Position("halma8")  # two moves later
    assert position == Position.from_fen(START8.replace("x 1", "x 3"))  # however it came here


def test_a_position_is_mutable_and_so_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(Position())
    with pytest.raises(TypeError):
        {Position()}
    assert Position.__hash__ is None


@pytest.mark.parametrize("name", ["turn", "ply", "variant", "legal_moves", "zobrist", "move_number", "move_stack"])
def test_what_a_position_shows_cannot_be_set(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Position(), name, 1)


def test_keys_are_plain_values() -> None:
    position = Position("halma8")
    assert type(position.key()) is bytes
    assert type(position.zobrist) is int
    assert {position.key(): 1}[Position("halma8").key()] == 1


def test_types_of_what_is_shown() -> None:
    position = Position("pulce", max_turns=1)
    assert type(position.turn) is Side
    assert type(position.fen()) is str
    position.push("e4-e3")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.points) == (None, Reason.MAX_TURNS, (0, 0))
    assert position.is_game_over() is True


def test_a_finished_game_refuses_moves_with_its_outcome() -> None:
    position = Position("halma8", max_turns=1)
    position.push("h4-h5")
    for move in ("a5-a4", "pass", "h1-a1", Move.from_text("a5-a4"), PASS):
        with pytest.raises(GameOverError, match="max turns"):
            position.push(move)
        assert not position.is_legal(move)
        assert move not in position.legal_moves
    assert position.fen().endswith("o 1")


def test_text_of_a_position_is_readable() -> None:
    text = str(Position("pulce"))
    assert "o o o" in text
    assert "x x x" in text
    assert "a b c d e f g" in text
    assert START8 in repr(Position("halma8"))


def test_the_constructor_called_again_begins_anew_or_changes_nothing() -> None:
    position = Position("halma8")
    position.push("h4-h5")
    with pytest.raises(FenError):
        position.__init__("halma8", fen="nonsense")  # type: ignore[misc]
    assert position.move_stack == [Move.from_text("h4-h5")]
    position.__init__("pulce")  # type: ignore[misc]
    assert position.fen() in (VARIANTS["pulce"].start_fen, "oooo4/ooo5/oo6/o6x/8/6xx/5xxx/4xxxx o 1")
