"""Threads of one search agree with one thread; of several searches of one engine all but one are refused."""

import threading
import time

import pytest

from halma_fast import Engine, EngineBusyError, Limit, Position, Score

SOLVED = Position("3x3:2,1", win="occupied")


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_find_the_proven_win_of_one_thread(threads):
    truth = Engine(1).search(SOLVED, depth=14)
    for _ in range(3):
        result = Engine(1, threads).search(SOLVED, depth=14)
        assert (result.score, result.depth) == (truth.score, 14)


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("nodes", [1, 300, 5000, 100_000])
def test_threads_keep_a_common_node_limit(threads, nodes):
    result = Engine(4, threads).search(Position("halma8"), nodes=nodes)
    assert nodes - 256 * threads <= result.nodes <= nodes
    assert result.best_move in Position("halma8").legal_moves


def test_nodes_of_all_threads_are_counted():
    engine = Engine(4, 2)
    # The helper alone goes on while the first thread is kept in the callback.
    seen = []
    engine.search(Position("halma16"), depth=2, on_info=lambda info: (seen.append(info.nodes), time.sleep(0.2)))
    alone = Engine(4).search(Position("halma16"), depth=2).nodes
    assert seen[-1] > 2 * alone


@pytest.mark.parametrize("threads", [1, 2, 6])
def test_stop_and_time_end_all_threads(threads):
    engine = Engine(4, threads)
    before = threading.active_count()
    for _ in range(5):
        begin = time.monotonic()
        engine.search(Position("halma10"), time=0.02)
        assert time.monotonic() - begin < 5
        # A stop before the search has begun would be none.
        engine.search(Position("halma10"), on_info=lambda _: threading.Timer(0.01, engine.stop).start())
    time.sleep(0.1)
    assert threading.active_count() <= before


def test_error_of_a_listener_ends_all_threads():
    engine = Engine(4, 3)

    def fail(info):
        raise RuntimeError(info.depth)

    for _ in range(5):
        with pytest.raises(RuntimeError, match="1"):
            engine.search(Position("halma8"), on_info=fail)
    assert engine.search(Position("halma8"), depth=2).depth == 2


def test_error_of_a_listener_told_of_a_bound_reaches_the_caller():
    def fail(info):
        if info.bound != "exact":
            raise RuntimeError("bound")

    engine = Engine(4)
    # Where no net calms the scores.
    restless = Position("8x8:4,3,2,1", fen="o2oo3/o2o4/1oo1o3/o7/o6x/6xx/4x1xx/2x2xxx x 13", win="occupied")
    with pytest.raises(RuntimeError, match="bound"):
        engine.search(restless, depth=9, on_info=fail)
    assert engine.search(Position("halma8"), depth=2).depth == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_of_searches_from_many_threads_each_is_whole_or_refused(threads):
    engine = Engine(1, threads)
    truth = Engine(1).search(SOLVED, depth=14).score
    done: list[Score] = []
    refused: list[EngineBusyError] = []
    wrong: list[BaseException] = []

    def work():
        for _ in range(30):
            try:
                done.append(engine.search(SOLVED, depth=14).score)
            except EngineBusyError as error:
                refused.append(error)
                time.sleep(0.001)
            except BaseException as error:
                wrong.append(error)

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
    assert not wrong
    assert len(done) + len(refused) == 180
    assert done
    assert set(done) == {truth}


def test_engines_of_different_threads_do_not_disturb_each_other():
    results = []
    limit = Limit(depth=5)

    def work():
        results.append(Engine(1).search(Position("halma8"), limit).nodes)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
    assert results == [Engine(1).search(Position("halma8"), limit).nodes] * 4


def test_where_the_system_gives_no_threads_those_that_run_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("halma_fast.engine.start_new_thread", refuse)
    position = Position("halma8")
    alone = Engine().search(position, depth=4)
    assert Engine(threads=8).search(position, depth=4).best_move == alone.best_move
