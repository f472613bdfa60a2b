"""Under `win="full"` the engine does not save a game by men that it keeps at home, and is not hurt by one who does."""

import random

import pytest

from halma_fast import Engine, Limit, OptionError, Position, Variant

# x has filled the goal but for the man of o that stands in it, and waits beside it with its last man.
HELD = "xxox4/xxxx4/xx6/x7/8/6oo/5ooo/4oooo o 40"


def advanced(variant: Variant, square: int, side: int) -> int:
    """Files and ranks between a square and the corner of the side's own home."""
    file, rank = square & 15, square >> 4
    last = variant.size - 1
    return (last - file) + rank if side == 0 else file + (last - rank)


def holder(position: Position, held: int, chance: random.Random) -> str:
    """A move that brings a man far forward, but none of the last `held` men at home as long as others can move."""
    variant, side = position.variant, int(position.turn)
    home = [square for square in position.pieces(side) if square in variant.home[side]]
    kept = sorted(home, key=lambda square: advanced(variant, square, side))[:held]
    moves = list(position.legal_moves)
    free = [move for move in moves if move.from_square not in kept] or moves

    def gain(move):
        entry = move.to_square in variant.goal[side] and move.from_square not in variant.goal[side]
        return (entry, advanced(variant, move.to_square, side) - advanced(variant, move.from_square, side))

    most = max(map(gain, free))
    return str(chance.choice([move for move in free if gain(move) == most]))


def test_a_game_that_only_held_men_could_save_counts_as_lost():
    position = Position.from_fen(HELD, "halma8")
    lost = Engine(1).search(position, depth=4)
    assert lost.score.kind == "loss"
    assert lost.best_move.from_square in position.variant.home[1]
    assert lost.best_move.to_square not in position.variant.home[1]
    saved = Engine(1, spoil=True).search(position, depth=4)
    assert saved.score.kind == "points"


def test_only_moves_that_bring_a_held_man_out_are_searched():
    position = Position.from_fen(HELD, "halma8")
    out = {
        move
        for move in position.legal_moves
        if move.from_square in position.variant.home[1] and move.to_square not in position.variant.home[1]
    }
    assert out
    ranked = Engine(1).search(position, depth=2, multipv=50).lines
    assert {line.pv[0] for line in ranked} == out
    everything = Engine(1, spoil=True).search(position, depth=2, multipv=50).lines
    assert len(everything) == min(50, len(position.legal_moves))
    # What somebody asks for is searched all the same.
    other = next(move for move in position.legal_moves if move not in out)
    assert Engine(1).search(position, depth=2, root_moves=[other]).best_move == other


def test_a_win_is_claimed_only_by_the_rule_itself():
    # The same with x to move: o could still hold, so that x has not won, though it will not lose.
    position = Position.from_fen(HELD.replace(" o ", " x "), "halma8")
    for depth in range(1, 6):
        assert Engine(1).search(position, depth=depth).score.kind == "points"


def test_the_option_can_be_set_between_searches_of_one_engine():
    engine = Engine(1)
    position = Position.from_fen(HELD, "halma8")
    limit = Limit(depth=4, time=600)  # with a limit of time the table is kept
    for spoil in (False, True, False, True):
        engine.spoil = spoil
        assert engine.spoil is spoil
        assert (engine.search(position, limit).score.kind == "loss") is not spoil
    with pytest.raises(OptionError, match=r"^spoil: 1, expected True or False"):
        engine.spoil = 1
    with pytest.raises(OptionError, match=r"^spoil: "):
        Engine(1, spoil="no")
    assert engine.spoil is True


@pytest.mark.parametrize(("name", "games"), [("halma8", 8), ("halma10", 4), ("halma16", 2)])
def test_games_against_itself_end_with_a_winner(name, games):
    engine = Engine(2)
    for seed in range(games):
        chance, position = random.Random(seed), Position(name)
        for _ in range(8):
            position.push(chance.choice(list(position.legal_moves)))
        while not position.is_game_over() and len(position.move_stack) < 800:
            position.push(engine.search(position, Limit(nodes=800, time=1e6)).best_move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is not None


@pytest.mark.parametrize(("name", "held", "games"), [("halma8", 1, 6), ("halma8", 2, 2), ("halma10", 1, 2)])
def test_a_holder_does_not_win_and_the_goal_stays_full(name, held, games):
    engine = Engine(2)
    for seed in range(games):
        chance, position = random.Random(seed), Position(name)
        me = seed % 2
        for _ in range(6):
            position.push(chance.choice(list(position.legal_moves)))
        full = 0
        while not position.is_game_over() and len(position.move_stack) < 300:
            if int(position.turn) == me:
                position.push(engine.search(position, Limit(nodes=500, time=1e6)).best_move)
                inside = len(position.variant.goal[me].intersection(position.pieces(me)))
                assert inside >= full - 1
                full = max(full, inside)
            else:
                position.push(holder(position, held, chance))
        assert full >= position.variant.men - held
        outcome = position.outcome()
        assert outcome is None or outcome.winner is None or int(outcome.winner) == me
