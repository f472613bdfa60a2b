"""Chains hop by hop: what can be walked is what the rules accept written out, no more and no less."""

import itertools
from random import Random

import pytest

from halma_fast import IllegalMoveError, square_name
from halma_fast.refusal import check_chain
from halma_fast.web.hops import hop_graph, men_of

from .play import SETUPS, random_match

HOPS = [(files, ranks) for files in (-2, 0, 2) for ranks in (-2, 0, 2) if files or ranks]


def positions(setup):
    for seed, plies in itertools.product(range(3), (0, 7, 20, 60)):
        match = random_match(setup, plies, seed)
        if match.current.outcome is None:
            yield match.current.position


def walk_to_each(graph, origin):
    """A walk from the man's square to each square of its graph."""
    walks, waiting = {origin: [origin]}, [origin]
    for square in waiting:
        for target in graph.get(square, ()):
            if target not in walks:
                walks[target] = [*walks[square], target]
                waiting.append(target)
    return walks


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_every_hop_of_the_graph_and_no_other_is_one_of_the_rules(setup):
    for position in positions(setup):
        size = position.variant.size
        hopping = {
            move.from_square for move in position.legal_moves if move and not (move.from_square ^ move.to_square) & 17
        }
        for origin in hopping:
            graph = hop_graph(position, origin, men_of(position))
            for square, walk in walk_to_each(graph, origin).items():
                for files, ranks in HOPS:
                    file, rank = (square & 15) + files, (square >> 4) + ranks
                    if not (0 <= file < size and 0 <= rank < size) or 16 * rank + file in position.variant.holes:
                        continue
                    target = 16 * rank + file
                    try:
                        check_chain(position, [*walk, target])
                        accepted = True
                    except IllegalMoveError:
                        accepted = False
                    assert (target in graph.get(square, ())) == accepted, (position.fen(), walk, target)


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_every_legal_chain_can_be_walked_and_every_walk_to_a_legal_square_is_read_as_that_move(setup):
    numbers = Random(5)
    for position in positions(setup):
        for move in position.legal_moves:
            if not move or (move.from_square ^ move.to_square) & 17:
                continue
            graph = hop_graph(position, move.from_square, men_of(position))
            walks = walk_to_each(graph, move.from_square)
            assert move.to_square in walks
            walk = [move.from_square]
            for _ in range(20):
                if walk[-1] == move.to_square:
                    assert position.parse_move("-".join(map(square_name, walk))) == move
                if walk[-1] not in graph:
                    break
                walk.append(numbers.choice(graph[walk[-1]]))
