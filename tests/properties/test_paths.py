"""The path of a move: a way to play it, square by square, with the fewest hops."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from reference import is_shortest_path, name_of, square_named
from reference.board import DIRECTIONS
from reference.moves import hops

from properties.effort import effort
from properties.strategies import Script, scripts, worlds
from properties.worlds import World, to_move, to_square


@effort(200)
@given(worlds(), scripts(30))
def test_paths_are_valid_and_have_the_fewest_hops(world: World, script: Script) -> None:
    both = script.end(world)
    for move in both.game.legal_moves():
        if move is not None:
            path = both.position.path(to_move(move))
            assert isinstance(path, tuple)
            squares = [to_square(number) for number in path]
            assert is_shortest_path(both.game.variant, both.game.position, move, squares), (both.position.fen(), move)


@effort(100)
@given(worlds(), scripts(30))
def test_a_chain_written_out_is_read_as_its_move(world: World, script: Script) -> None:
    both = script.end(world)
    position = both.position
    for move in position.legal_moves:
        if move:
            names = ["abcdefghijklmnop"[number % 16] + str(number // 16 + 1) for number in position.path(move)]
            assert position.parse_move("-".join(names)) == move
            assert square_named(names[0]) == to_square(move.from_square)


@effort(200)
@given(worlds(8), scripts(20), st.integers(0, 2**32 - 1))
def test_a_written_chain_is_read_exactly_if_every_hop_of_it_is_allowed(world: World, script: Script, seed: int) -> None:
    both = script.end(world)
    variant, position = both.game.variant, both.game.position
    random = Random(seed)
    legal = both.game.legal_moves()
    for _ in range(10):
        man = random.choice(sorted(position.men(position.turn)))
        occupied = position.occupied - {man}
        chain, allowed = [man], True
        for _ in range(random.randint(2, 5)):
            right = hops(variant, occupied, position.turn, chain[-1])
            wrong = {(chain[-1][0] + 2 * east, chain[-1][1] + 2 * north) for east, north in DIRECTIONS}
            onward = wrong & variant.squares if not right or random.random() < 0.15 else right
            if not onward:
                break
            following = random.choice(sorted(onward))
            allowed = allowed and following in right
            chain.append(following)
        if chain[0] == chain[-1]:  # no move, or a board without a hop
            continue
        text = "-".join(name_of(square) for square in chain)
        # Two squares say nothing of the hops between, so the move may be legal by another way.
        expected = (allowed or len(chain) == 2) and (chain[0], chain[-1]) in legal
        assert both.position.is_legal(text) == expected, (both.position.fen(), text)
