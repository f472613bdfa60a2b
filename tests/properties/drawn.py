"""Positions drawn as diagrams, so that a hand-made case can be checked by eye.

A diagram has one line a rank, from the top, with `x`, `o`, `.` for an empty square and `-` for a missing one. The
number of men is free, as a case about two men needs no more. Guarded by test_reference_rules.py, written with it.
"""

from textwrap import dedent

from reference import Game, Move, Position, Side, Square, Variant, moves_of_side, name_of, square_named


def draw(diagram: str, turn: Side = "x", number: int = 1) -> Position:
    men: dict[str, set[Square]] = {"x": set(), "o": set(), ".": set(), "-": set()}
    for rank, row in enumerate(reversed(dedent(diagram).split())):
        for file, letter in enumerate(row):
            men[letter].add((file, rank))
    return Position(frozenset(men["x"]), frozenset(men["o"]), turn, number)


def game(variant: Variant, diagram: str, turn: Side = "x", number: int = 1) -> Game:
    return Game(variant, [draw(diagram, turn, number)])


def play(a_game: Game, moves: str) -> Game:
    """Play "a1-b2 c3-c4 ..."; each move must be legal."""
    for text in moves.split():
        move = None if text == "pass" else move_named(text)
        assert move in a_game.legal_moves(), text
        a_game.push(move)
    return a_game


def move_named(text: str) -> Move:
    source, target = text.split("-")
    return square_named(source), square_named(target)


def targets(variant: Variant, position: Position, man: str) -> set[str]:
    """Names of the squares that the man of the side to move may go to."""
    moves = moves_of_side(variant, position, position.turn)
    return {name_of(target) for source, target in moves if source == square_named(man)}
