"""Ranked lines and chosen root moves: exact, ordered, different, and the same as searches of each move alone."""

import pytest

from halma_fast import PASS, Engine, IllegalMoveError, Limit, Move, OptionError, Position, SearchResult

MIDGAME = "xxo5/xx6/x7/xo2xo2/2x5/1xox1o2/3o1oo1/4o1o1 x 21"


@pytest.fixture
def engine():
    return Engine(hash_mb=4)


def positions():
    return [Position("halma8"), Position("pulce"), Position.from_fen(MIDGAME), Position("halma16")]


@pytest.mark.parametrize("position", positions(), ids=lambda position: position.fen().split()[0])
@pytest.mark.parametrize("depth", [1, 2])
def test_every_line_has_the_score_of_a_search_of_its_move_alone(engine, position, depth):
    moves = list(position.legal_moves)
    alone = {move: engine.search(position, depth=depth, root_moves=[move]).score for move in moves}
    count = min(8, len(moves))
    result = engine.search(position, depth=depth, multipv=count)
    assert len(result.lines) == count
    assert [line.score for line in result.lines] == sorted(alone.values(), reverse=True)[:count]
    for line in result.lines:
        assert line.score == alone[line.pv[0]]


@pytest.mark.parametrize("position", positions(), ids=lambda position: position.fen().split()[0])
def test_lines_are_ranked_different_and_legal(engine, position):
    result = engine.search(position, depth=4, multipv=5)
    assert [line.multipv for line in result.lines] == [1, 2, 3, 4, 5]
    assert len({line.pv[0] for line in result.lines}) == 5
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)
    best = result.lines[0]
    assert (result.best_move, result.score, result.pv) == (best.pv[0], best.score, best.pv)
    for line in result.lines:
        assert (line.depth, line.bound) == (4, "exact")
        game = position.copy()
        for move in line.pv:
            game.push(move)


def test_more_lines_than_moves_are_as_many_as_there_are_moves(engine):
    position = Position("4x4:2,1")
    moves = set(position.legal_moves)
    result = engine.search(position, depth=3, multipv=1000)
    assert {line.pv[0] for line in result.lines} == moves
    two = sorted(moves)[:2]
    assert {line.pv[0] for line in engine.search(position, depth=3, multipv=9, root_moves=two).lines} == set(two)


def test_one_line_is_what_a_search_for_one_finds(engine):
    def fields(result: SearchResult):
        return result.best_move, result.score, result.nodes, result.pv

    plain = engine.search(Position.from_fen(MIDGAME), depth=5)
    assert fields(engine.search(Position.from_fen(MIDGAME), depth=5, multipv=1)) == fields(plain)
    ranked = [engine.search(Position.from_fen(MIDGAME), depth=4, multipv=3) for _ in range(2)]
    assert fields(ranked[0]) == fields(ranked[1])


@pytest.mark.parametrize("nodes", [1, 50, 300, 1000, 5000, 20000])
def test_lines_of_a_search_cut_short_are_different_and_begin_with_the_best_move(engine, nodes):
    position = Position("halma8")
    result = engine.search(position, nodes=nodes, multipv=4)
    assert result.nodes == nodes
    assert [line.multipv for line in result.lines] == [1, 2, 3, 4]
    assert len({line.pv[0] for line in result.lines}) == 4
    assert result.lines[0].pv[0] == result.best_move
    assert all(line.pv[0] in position.legal_moves for line in result.lines)
    assert all(line.depth in (result.depth, result.depth + 1) for line in result.lines)


def test_only_the_chosen_moves_are_considered(engine):
    position = Position("halma8")
    best = engine.search(position, depth=4).best_move
    others = [move for move in position.legal_moves if move != best]
    result = engine.search(position, depth=4, root_moves=others)
    assert result.best_move in others
    chosen = [others[3].text, others[5], others[3]]
    assert engine.search(position, depth=4, root_moves=chosen).best_move in {others[3], others[5]}
    assert engine.search(position, nodes=1, root_moves=[others[-1]]).best_move == others[-1]
    assert engine.search(position, depth=4).best_move == best


def test_a_search_of_some_moves_leaves_nothing_wrong_in_the_table(engine):
    # With a time that is never used up, so that a search finds what those before have left: the worst reply to a
    # position two plies on must not stand for all replies. The best move of depth 3 is not the one tried first.
    position = Position.from_fen("ooo2/5/oo2x/o2xx/2xxx o 3", "5x5:3,2,1")
    truth = Engine(4).search(position, depth=3)
    assert Engine(4).search(position, depth=2).best_move != truth.best_move
    for first in list(position.legal_moves):
        position.push(first)
        position.push(next(iter(position.legal_moves)))
        worst = Engine(1).search(position, depth=1, multipv=1000).lines[-1].pv[0]
        engine.search(position, Limit(depth=1, time=1000), root_moves=[worst])
        position.pop()
        position.pop()
    result = engine.search(position, Limit(depth=3, time=1000))
    assert (result.score, result.best_move) == (truth.score, truth.best_move)


@pytest.mark.parametrize("move", ["e1-e3", "a8-a7", "h9-h8", "nonsense", Move(0, 255)])
def test_a_root_move_that_is_not_legal_is_refused_and_named(engine, move):
    with pytest.raises(ValueError, match=r"^move: "):
        engine.search(Position("halma8"), depth=1, root_moves=["e1-d2", move])
    assert engine.search(Position("halma8"), depth=1).depth == 1


def test_a_position_changed_while_its_moves_are_read_is_not_searched_with_them(engine):
    position = Position("halma8")

    class Sly(str):
        def strip(self, *_):
            position.push("e1-d2")
            return "h1-f3"

    with pytest.raises((OptionError, IllegalMoveError)):
        engine.search(position, depth=2, root_moves=["h1-f3", Sly("h1-f3")])
    assert engine.search(position, depth=2).depth == 2


def test_bounds_come_between_exact_scores_and_hold(engine):
    infos = []
    for position in (*positions(), Position("5x5:3,2,1")):
        infos.clear()
        engine.search(position, depth=6 if position.variant.size < 16 else 4, on_info=infos.append)
        # Where late moves are reduced a bound is what the search thought then, and it may think again.
        full_width = position.variant.men <= 6
        assert [info.depth for info in infos] == sorted(info.depth for info in infos)
        for k, info in enumerate(infos):
            exact = next(later for later in infos[k:] if later.bound == "exact")
            assert exact.depth == info.depth
            if full_width and info.bound == "lower":
                assert exact.score >= info.score
            if full_width and info.bound == "upper":
                assert exact.score <= info.score
            assert info.pv
            assert info.pv[0] in position.legal_moves
            assert info.seldepth >= (info.depth if info.bound == "exact" else 0)
            assert 0 <= info.hashfull <= 1000
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)


@pytest.mark.parametrize("depth", [1, 3])
def test_to_choose_all_moves_is_to_choose_none_also_where_all_is_a_pass(engine, depth):
    passing = Position("3x3:2,1", fen="xx1/xo1/oo1 x 5")
    for position in (Position("halma8"), passing):
        free = engine.search(position, depth=depth)
        chosen = engine.search(position, depth=depth, root_moves=list(position.legal_moves) or [PASS])
        assert (chosen.best_move, chosen.score, chosen.nodes) == (free.best_move, free.score, free.nodes)


def test_a_move_that_was_found_better_is_not_given_up_for_the_one_before(engine):
    # A board without learned numbers: new ones would lead elsewhere.
    fen = "8/1xox4/ooo1o3/2o5/xoxx3x/2o1x1xo/5x2/4xo2 x 11"
    position = Position.from_fen(fen, "8x8:4,3,2,1", win="occupied")
    infos = []
    engine.search(position, depth=9, on_info=infos.append)
    found = 0
    for before, better, after in zip(infos, infos[1:], infos[2:], strict=False):
        if better.bound == "lower" and better.pv[0] != before.pv[0] and after.pv[0] == better.pv[0]:
            found += 1
            for nodes in range(better.nodes + 1, after.nodes, (after.nodes - better.nodes) // 20 + 1):
                assert engine.search(position, nodes=nodes).best_move == better.pv[0]
    assert found
