"""The terms of an evaluation add up to what the kernel gives, in every variant, and say what their names say."""

from __future__ import annotations

from random import Random

import pytest

from halma_fast import Engine, OptionError, Position, Side, Variant
from halma_fast.evaluation import evaluate, square_values

VARIANTS = ["halma16", "halma10", "halma8", "pulce", "csci561", "5x5:3,2,1", "12x12:4,3,2,1", "7x7:3,2,1"]


def walk(name: str, random: Random, plies: int) -> Position:
    """A position some moves from the start, half of them forward, so that men come to all parts of the board."""
    position = Position(name, **({"win": "occupied"} if name[0].isdigit() or name.startswith("halma") else {}))
    for _ in range(plies):
        if position.is_game_over():
            position.pop()
            break
        values = square_values(position, position.turn)
        moves = sorted(position.legal_moves)
        ahead = [m for m in moves if m and values.get(m.to_square, 1) > values.get(m.from_square, 1)]
        position.push(random.choice(ahead if ahead and random.random() < 0.7 else moves))
    return position


@pytest.mark.parametrize("name", VARIANTS)
def test_the_total_is_the_kernels_value(name: str) -> None:
    random, engine, seen = Random(name), Engine(1), set()
    for _ in range(25):
        position = walk(name, random, random.randrange(100))
        if position.is_game_over():
            continue
        found = evaluate(position)
        # A search of one node has looked at nothing but the root.
        assert found.total == engine.search(position, nodes=1).score.value, position.fen()
        seen.add(found.total)
    assert len(seen) > 10


@pytest.mark.parametrize("name", VARIANTS)
def test_the_total_is_the_movers(name: str) -> None:
    position = walk(name, Random(7), 20)
    found = evaluate(position)
    other = evaluate(Position(position.variant, fen=f"{position.fen().split()[0]} {'xo'[1 - position.turn]} 9"))
    assert found.turn == position.turn != other.turn
    mover = {term.name: term.of(found.turn) - term.of(found.turn.other) for term in found.terms}
    assert found.total == sum(mover.values())
    # Whose move it is changes the tempo and the net's word alone, and the view.
    beside = mover.pop("tempo", 0) + mover.pop("net", 0)
    others = {term.name: term.of(other.turn) - term.of(other.turn.other) for term in other.terms}
    assert found.total - beside == -(other.total - others.pop("tempo", 0) - others.pop("net", 0))


def test_each_term_of_halma_says_what_its_name_says() -> None:
    variant = Variant.named("12x12:4,3,2,1")
    position = Position(variant)
    start = {term.name: term for term in evaluate(position).terms}
    assert list(start) == ["squares", "class steps", "tempo"]
    assert start["squares"].x == start["squares"].o
    assert (start["tempo"].o, start["tempo"].x > 0) == (0, True)
    values = square_values(position, Side.X)
    move = next(iter(position.legal_moves))
    position.push(move)
    after = {term.name: term for term in evaluate(position).terms}
    assert after["squares"].x - start["squares"].x == values[move.to_square] - values[move.from_square]
    assert after["squares"].o == start["squares"].o


def test_frozen_men_of_pulce_count_by_their_arrangement_alone() -> None:
    # Five men of x on one edge and none on the other: at most one point is left.
    position = Position("pulce", fen="-5-/7/7/2xx3/3xoo1/oooooo1/-xxxxx- x 9")
    found = {term.name: term for term in evaluate(position).terms}
    assert list(found) == ["arrangement", "entries"]
    assert found["arrangement"].x < 0 == found["arrangement"].o
    assert not set(square_values(position, Side.X)) & position.variant.goal[0]


def test_what_is_no_position_is_refused() -> None:
    for thing in (None, "halma8", 3):
        with pytest.raises(OptionError, match=r"^position: .*, expected a Position$"):
            evaluate(thing)  # type: ignore[arg-type]
        with pytest.raises(OptionError, match=r"^position: .*, expected a Position$"):
            square_values(thing, Side.X)  # type: ignore[arg-type]
