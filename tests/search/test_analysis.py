"""A search in the background: read while it runs, stopped by anybody at any time, its errors raised in who waits."""

import gc
import pickle
import subprocess
import sys
import threading
import time

import pytest

from halma_fast import (
    Engine,
    EngineBusyError,
    GameOverError,
    IllegalMoveError,
    Limit,
    LimitError,
    OptionError,
    Position,
)

PATIENCE = 60


@pytest.fixture
def engine():
    return Engine(hash_mb=4)


def test_infos_come_while_the_search_runs_and_the_context_ends_it(engine):
    position = Position("halma8")
    with engine.analysis(position) as analysis:
        for info in analysis:
            assert info.pv[0] in position.legal_moves
            if info.depth >= 3:
                break
        assert analysis.running
    assert not analysis.running
    assert engine.search(position, depth=1).depth == 1


def test_iteration_ends_with_the_search_and_gives_what_a_listener_gets(engine):
    expected = []
    result = engine.search(Position("halma8"), depth=5, multipv=2, on_info=expected.append)
    analysis = engine.analysis(Position("halma8"), Limit(depth=5), multipv=2)
    infos = list(analysis)
    assert [(i.depth, i.multipv, i.score, i.bound, i.nodes, i.pv) for i in infos] == [
        (i.depth, i.multipv, i.score, i.bound, i.nodes, i.pv) for i in expected
    ]
    assert analysis.wait().best_move == result.best_move
    assert [line.pv for line in analysis.multipv] == [line.pv for line in result.lines]
    assert list(analysis) == []


def test_ranked_lines_are_always_those_of_one_depth(engine):
    with engine.analysis(Position("halma8"), Limit(depth=10), multipv=3) as analysis:
        seen = set()
        while analysis.running:
            lines = analysis.multipv
            seen.add(len(lines))
            assert [line.multipv for line in lines] == list(range(1, len(lines) + 1))
            assert len({line.depth for line in lines}) <= 1
        assert len(analysis.wait().lines) == 3
        assert seen - {0, 1, 2} == {3}


def test_a_stop_at_once_is_not_lost(engine):
    for _ in range(50):
        analysis = engine.analysis(Position("halma16"))
        analysis.stop()
        assert analysis.wait(PATIENCE).best_move in Position("halma16").legal_moves
    for _ in range(20):
        with engine.analysis(Position("halma16")):
            pass


def test_stops_from_many_threads_do_no_harm_to_the_next_search(engine):
    analysis = engine.analysis(Position("halma8"))
    stoppers = [threading.Thread(target=lambda: [analysis.stop() for _ in range(200)]) for _ in range(4)]
    for stopper in stoppers:
        stopper.start()
    analysis.wait(PATIENCE)
    # Late stops of the first analysis must not reach this one.
    assert engine.search(Position("halma8"), depth=6).depth == 6
    for stopper in stoppers:
        stopper.join(PATIENCE)


def test_several_threads_may_read_and_wait(engine):
    analysis = engine.analysis(Position("halma8"), Limit(depth=6))
    infos, results = [], []
    workers = [threading.Thread(target=lambda: infos.extend(analysis)) for _ in range(3)]
    workers += [threading.Thread(target=lambda: results.append(analysis.wait(PATIENCE))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
    assert sorted(info.depth for info in infos if info.bound == "exact") == [1, 2, 3, 4, 5, 6]
    assert len(results) == 3
    assert len({id(result) for result in results}) == 1


def test_the_engine_is_busy_until_the_end(engine):
    with engine.analysis(Position("halma8")):
        with pytest.raises(EngineBusyError, match="searching"):
            engine.search(Position("halma8"), depth=1)
        with pytest.raises(EngineBusyError, match="searching"):
            engine.analysis(Position("halma8"))
        with pytest.raises(EngineBusyError, match="searching"):
            engine.clear()
    engine.clear()


def test_the_engine_s_own_stop_ends_it_too(engine):
    analysis = engine.analysis(Position("halma8"))
    engine.stop()
    assert analysis.wait(PATIENCE).depth >= 0


def test_waiting_has_an_end(engine):
    with engine.analysis(Position("halma16")) as analysis:
        with pytest.raises(TimeoutError, match=r"analysis: .*0\.05 s"):
            analysis.wait(0.05)
        with pytest.raises(OptionError, match=r"^timeout: "):
            analysis.wait("soon")
        assert analysis.running


def test_the_position_may_change_meanwhile(engine):
    position = Position("halma8")
    with engine.analysis(position, Limit(depth=5)) as analysis:
        position.push("e1-d2")
        best = analysis.wait(PATIENCE).best_move
    assert best == engine.search(Position("halma8"), depth=5).best_move


@pytest.mark.parametrize(
    ("arguments", "keywords", "error"),
    [
        ((3,), {}, OptionError),
        ((Position("halma8"), 3), {}, LimitError),
        ((Position("halma8"),), {"multipv": 0}, OptionError),
        ((Position("halma8"),), {"root_moves": ["a1-a2"]}, IllegalMoveError),
        ((Position.from_fen("xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3oooo1 o 60", "halma8"),), {}, GameOverError),
    ],
)
def test_bad_arguments_raise_at_once_and_leave_the_engine_free(engine, arguments, keywords, error):
    with pytest.raises(error):
        engine.analysis(*arguments, **keywords)
    assert engine.search(Position("halma8"), depth=1).depth == 1


def test_an_analysis_is_no_data(engine):
    with engine.analysis(Position("halma8")) as analysis, pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(analysis)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_forgotten_analysis_does_not_keep_the_process(threads):
    code = (
        "import halma_fast, time\n"
        f"halma_fast.Engine(4, {threads}).analysis(halma_fast.Position('halma16'))\n"
        "time.sleep(0.2)\n"
    )
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - begin < PATIENCE


def test_a_forgotten_analysis_leaves_the_engine_free(engine):
    analysis = engine.analysis(Position("halma16"))
    next(analysis)
    del analysis
    gc.collect()
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            engine.clear()
            break
        except EngineBusyError:
            time.sleep(0.01)
    assert engine.search(Position("halma8"), depth=1).depth == 1
