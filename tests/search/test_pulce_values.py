"""Pulce's evaluation: the sum that the search sees is that of its tables, and the tables say what they should."""

from __future__ import annotations

from random import Random

from halma_fast import Engine, Position, Side
from halma_fast._kernel.values_pulce import arrangement_values, entry_values, socket_order

VARIANT = Position("pulce").variant
SOCKETS = [socket_order(VARIANT, side) for side in Side]
ENTRY = [entry_values(VARIANT, side) for side in Side]
ARRANGEMENT = [arrangement_values(VARIANT, side) for side in Side]


def worth(position: Position, side: Side) -> int:
    """The value of a side's men, by a walk over the squares."""
    men = set(position.pieces(side))
    taken = [sum((square in men) << k for k, square in enumerate(edge)) for edge in SOCKETS[side]]
    total = ARRANGEMENT[side][taken[0]][taken[1]]
    for square in men - VARIANT.goal[side]:
        total += max(table[square][mask] for table, mask in zip(ENTRY[side], taken, strict=True))
    return total


def test_the_search_sees_the_sum_of_the_tables() -> None:
    random = Random(4)
    engine = Engine(hash_mb=1)
    checked = 0
    while checked < 150:
        position = Position("pulce", first=random.choice("xo"))
        for _ in range(random.randrange(60)):
            if position.is_game_over():
                break
            # Half of the moves go home, so that there are frozen men.
            moves = sorted(position.legal_moves)
            home = [move for move in moves if move and move.to_square in VARIANT.goal[position.turn]]
            position.push(random.choice(home if home and random.random() < 0.5 else moves))
        if position.is_game_over():
            continue
        best = None
        for move in list(position.legal_moves):
            side = position.turn
            position.push(move)
            if position.is_game_over():
                best = None
                position.pop()
                break
            value = worth(position, side) - worth(position, side.other)
            best = value if best is None else max(best, value)
            position.pop()
        if best is not None:
            assert engine.search(position, depth=1).score.value == best
            checked += 1


def test_both_sides_value_alike() -> None:
    """The board turned by half is the other side's."""

    def turned(square: int) -> int:
        return 16 * (6 - (square >> 4)) + 6 - (square & 15)

    for edge, other in zip(*ENTRY, strict=True):
        for square, row in edge.items():
            # Turning reverses the order of the sockets.
            mirrored = [int(f"{mask:05b}"[::-1], 2) for mask in range(32)]
            assert row == [other[turned(square)][mask] for mask in mirrored]
    assert ARRANGEMENT[Side.X] == ARRANGEMENT[Side.O]


def test_a_way_home_leads_through_the_square_before_the_socket() -> None:
    bottom, left = SOCKETS[Side.X]
    below, beside = ENTRY[Side.X]
    b2, b4, d4 = 16 * 1 + 1, 16 * 3 + 1, 16 * 3 + 3
    assert (bottom, left) == ([1, 2, 3, 4, 5], [16, 32, 48, 64, 80])
    nothing = 0
    assert below[b2][nothing] == beside[b2][nothing]  # one step to b1, or to a2
    assert beside[b4][nothing] > below[b4][nothing]
    only_f1 = 0b01111
    assert below[b2][only_f1] < below[b2][nothing]  # four steps to f2, and one
    for edge in (below, beside):
        for row in edge.values():
            for mask in range(32):
                for k in range(5):
                    assert row[mask | 1 << k] <= row[mask]  # a socket that is taken brings nobody nearer
    assert below[d4][nothing] == beside[d4][nothing]


def test_frozen_men_are_worth_the_points_that_can_still_be_had() -> None:
    table = ARRANGEMENT[Side.X]
    three, two, one = table[0b01111][0b01111], table[0b01111][0b10111], table[0b11111][0b00111]
    assert three > two > one
    assert table[0][0] == table[0b00011][0b00011] == three
    assert table[0b00111][0b11000] == two  # five places on both edges together are one too many for mirror images


def test_more_men_home_are_worth_more() -> None:
    position = Position("pulce", fen="-5-/x1oooo1/x2oo2/x6/x1o1o2/1x5/-1xxx1- x 20")
    before = worth(position, Side.X)
    position.push("b2-b1")
    assert worth(position, Side.X) > before
