"""What the search leaves out never makes a false claim, and each idea that leaves something out is there at all.

Decided scores of positions with many men are held against `Position` itself: the line is played to its end.
"""

import random

import pytest

from halma_fast import Engine, Position, Variant

NAMES = ["halma8", "halma10", "8x8:4,3,2,1"]


def near_the_end(variant: Variant, seed: int) -> Position:
    """A position in which both sides have few men left to bring home: some men of full goals set back a little."""
    chance = random.Random(seed)
    men = [set(variant.goal[0]), set(variant.goal[1])]
    size = variant.size
    for side in range(2):
        free = [s for s in range(256) if s >> 4 < size > s & 15 and s not in men[0] | men[1]]
        for man in chance.sample(sorted(men[side]), 3):
            near = [s for s in free if max(abs((s & 15) - (man & 15)), abs((s >> 4) - (man >> 4))) <= 3]
            target = chance.choice(near or free)
            men[side] = men[side] - {man} | {target}
            free.remove(target)
    rows = []
    for rank in reversed(range(size)):
        row = "".join("x" if 16 * rank + f in men[0] else "o" if 16 * rank + f in men[1] else "." for f in range(size))
        for run in range(size, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    return Position(variant, fen=f"{'/'.join(rows)} {chance.choice('xo')} 40")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(12))
def test_a_claimed_win_is_kept_against_every_reply_that_the_search_would_give(name, seed):
    # Won in n plies: after the best move the other side has lost in at most n - 1 whatever it does, as a search at that
    # depth finds, and so on until the game is over.
    position = near_the_end(Variant.named(name, win="occupied"), seed)
    if position.is_game_over():
        pytest.skip("this seed begins after the end")
    engine = Engine(4)
    result = engine.search(position, depth=7)
    if result.score.kind == "points":
        return
    left = result.score.value
    winner = position.turn if result.score.kind == "win" else type(position.turn)(1 - position.turn)
    chance = random.Random(seed)
    while not position.is_game_over():
        assert left > 0
        if position.turn == winner:
            move = engine.search(position, depth=left).best_move
        else:
            move = chance.choice(list(position.legal_moves))
        position.push(move)
        left -= 1
    assert position.outcome().winner == winner


@pytest.mark.parametrize("name", ["halma8", "halma10", "halma16"])
def test_far_fewer_nodes_than_moves_are_looked_at(name):
    # Six plies of all moves, with the best bounds that there are, would be twice the cube of their number.
    position = Position(name)
    moves = len(position.legal_moves)
    assert Engine(4).search(position, depth=6).nodes < moves**3


def test_the_turn_before_a_cap_is_searched_whole():
    # The cap makes a draw of what the evaluation takes for lost: nothing may be left out on its word.
    fen = "xxxx4/xxx5/x1xx4/8/oooooooo/oo6/8/8 o 30"
    for turns in range(60, 64):
        position = Position.from_fen(fen, "halma8", max_turns=turns, win="occupied")
        result = Engine(1).search(position, depth=6)
        if turns - position.ply < 3:
            assert result.score.value == 0
