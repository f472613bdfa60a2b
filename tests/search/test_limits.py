"""Limits, stopping and reuse of an engine: every way a search can end leaves a typed result and a usable engine."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from halma_fast import (
    Engine,
    EngineBusyError,
    GameOverError,
    Limit,
    LimitError,
    OptionError,
    Position,
    Score,
    SearchResult,
)


@pytest.fixture
def engine():
    return Engine(hash_mb=4)


@pytest.mark.parametrize("nodes", [1, 2, 3, 7, 100, 1023, 1024, 1025, 54321])
@pytest.mark.parametrize("variant", ["halma16", "halma8", "pulce", "4x4:2,1"])
def test_node_limit_is_exact(engine, nodes, variant):
    position = Position(variant)
    result = engine.search(position, nodes=nodes)
    assert result.nodes == nodes
    assert result.best_move in position.legal_moves
    assert result.pv[0] == result.best_move


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_depth_limit_completes_exactly_that_depth(engine, depth):
    result = engine.search(Position("halma8"), depth=depth)
    assert result.depth == depth
    assert len(result.pv) == depth
    assert result.seldepth >= depth


def test_first_limit_reached_ends_the_search(engine):
    assert engine.search(Position("halma8"), Limit(depth=3, nodes=10**9, time=1000.0)).depth == 3
    assert engine.search(Position("halma8"), Limit(depth=90, nodes=500, time=1000.0)).nodes == 500
    result = engine.search(Position("halma8"), Limit(depth=100, nodes=10**12, time=0.05))
    assert 0 < result.depth < 100


def test_shortest_time_still_gives_a_legal_move(engine):
    position = Position("halma16")
    assert engine.search(position, time=1e-9).best_move in position.legal_moves


@pytest.mark.parametrize("hash_mb", [1, 4])
@pytest.mark.parametrize("variant", ["halma16", "halma10", "halma8", "pulce"])
def test_same_position_and_limits_give_the_same_result_every_time(variant, hash_mb):
    def fields(result: SearchResult):
        return result.best_move, result.score, result.depth, result.seldepth, result.nodes, result.pv

    used = Engine(hash_mb)
    used.search(Position("halma8"), time=0.05)
    first = fields(used.search(Position(variant), depth=4))
    assert fields(used.search(Position(variant), depth=4)) == first
    assert fields(Engine(hash_mb).search(Position(variant), depth=4)) == first
    by_nodes = fields(used.search(Position(variant), nodes=20000))
    assert fields(used.search(Position(variant), nodes=20000)) == by_nodes


def test_stop_from_another_thread_ends_an_endless_search(engine):
    begun = threading.Event()
    results = []
    thread = threading.Thread(
        target=lambda: results.append(engine.search(Position("halma16"), on_info=lambda _: begun.set()))
    )
    thread.start()
    assert begun.wait(timeout=60)
    for _ in range(5):
        engine.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert results[0].best_move in Position("halma16").legal_moves


def test_stop_without_a_search_does_nothing(engine):
    engine.stop()
    assert engine.search(Position("halma8"), depth=3).depth == 3


def test_second_search_at_the_same_time_is_refused_and_the_first_goes_on(engine):
    begun = threading.Event()
    results = []
    thread = threading.Thread(
        target=lambda: results.append(engine.search(Position("halma8"), on_info=lambda _: begun.set()))
    )
    thread.start()
    assert begun.wait(timeout=60)
    with pytest.raises(EngineBusyError, match="searching"):
        engine.search(Position("halma8"), depth=1)
    with pytest.raises(EngineBusyError, match="searching"):
        engine.clear()
    engine.stop()
    thread.join(timeout=60)
    assert results[0].depth >= 1
    assert engine.search(Position("halma8"), depth=2).depth == 2


def test_position_may_change_during_a_search(engine):
    position = Position("halma8")
    begun = threading.Event()
    results = []
    thread = threading.Thread(
        target=lambda: results.append(engine.search(position, depth=6, on_info=lambda _: begun.set()))
    )
    thread.start()
    assert begun.wait(timeout=60)
    for _ in range(200):
        position.push(next(iter(position.legal_moves)))
        if position.is_game_over():
            break
    thread.join(timeout=60)
    assert results[0].best_move == Engine(4).search(Position("halma8"), depth=6).best_move


def test_info_is_given_for_every_depth_and_its_error_reaches_the_caller(engine):
    infos = []
    result = engine.search(Position("halma8"), depth=4, on_info=infos.append)
    assert [info.depth for info in infos if info.bound == "exact"] == [1, 2, 3, 4]
    assert infos[-1].pv == result.pv

    def fail(info):
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        engine.search(Position("halma8"), depth=4, on_info=fail)
    assert engine.search(Position("halma8"), depth=2).depth == 2


def test_finished_game_is_refused(engine):
    over = Position.from_fen("xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3oooo1 o 60", "halma8")
    with pytest.raises(GameOverError, match="camp full"):
        engine.search(over, depth=1)


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"depth": 0}, LimitError),
        ({"depth": 101}, LimitError),
        ({"depth": "3"}, LimitError),
        ({"nodes": 0}, LimitError),
        ({"nodes": -5}, LimitError),
        ({"nodes": 2**63}, LimitError),
        ({"time": 0}, LimitError),
        ({"time": -1.0}, LimitError),
        ({"time": float("nan")}, LimitError),
        ({"time": float("inf")}, LimitError),
        ({"limit": 3}, LimitError),
        ({"limit": Limit(depth=1), "depth": 1}, LimitError),
        ({"depth": 1, "on_info": 3}, OptionError),
        ({"multipv": 0}, OptionError),
        ({"multipv": 1001}, OptionError),
        ({"multipv": True}, OptionError),
        ({"root_moves": ()}, OptionError),
        ({"root_moves": "e1-d2"}, OptionError),
        ({"root_moves": 3}, OptionError),
    ],
)
def test_bad_limits_name_the_field(engine, keywords, error):
    with pytest.raises(error, match=next(iter(keywords)) if len(keywords) == 1 else "limit|on_info"):
        engine.search(Position("halma8"), **keywords)
    assert engine.search(Position("halma8"), depth=1).depth == 1


@pytest.mark.parametrize("threads", [0, -1, 257, 1.0, "2", None, True])
def test_bad_number_of_threads_names_the_field_and_the_range(threads):
    with pytest.raises(OptionError, match=r"^threads: .*from 1 to 256"):
        Engine(1, threads)


@pytest.mark.parametrize("seconds", [-0.1, 61, float("nan"), "0", None, True])
def test_bad_overhead_names_the_field_and_is_not_taken(seconds):
    engine = Engine(1, move_overhead=0.5)
    with pytest.raises(OptionError, match=r"^move_overhead: .*from 0 to 60"):
        engine.move_overhead = seconds
    assert engine.move_overhead == 0.5
    with pytest.raises(OptionError, match=r"^move_overhead: "):
        Engine(1, move_overhead=seconds)


def test_a_search_by_the_clock_ends_well_before_it(engine):
    position = Position("halma8")
    for limit in (Limit(x_clock=0.5), Limit(x_clock=0.2, x_inc=0.05), Limit(x_clock=0.2, moves_to_go=1)):
        begin = time.monotonic()
        result = engine.search(position, limit)
        assert time.monotonic() - begin < limit.x_clock + 0.05
        assert result.depth >= 1
    assert engine.search(position, Limit(x_clock=0)).best_move in position.legal_moves


def test_the_clock_is_that_of_the_side_to_move(engine):
    begin = time.monotonic()
    assert engine.search(Position("halma8"), Limit(o_clock=0.001, depth=5)).depth == 5
    position = Position("halma8")
    position.push("e1-d2")
    engine.search(position, Limit(x_clock=1000, o_clock=0.2))
    assert time.monotonic() - begin < 20


def test_the_only_move_takes_no_time_off_the_clock(engine):
    result = engine.search(Position("halma8"), Limit(x_clock=1000), root_moves=["e1-d2"])
    assert (result.best_move.text, result.depth) == ("e1-d2", 1)


def test_a_mate_limit_ends_with_the_first_win_that_is_short_enough(engine):
    position = Position("4x4:2,1", win="occupied")
    assert engine.search(position, depth=14).score == Score("win", 13)
    result = engine.search(position, Limit(mate=7, depth=90))
    assert (result.score, result.depth) == (Score("win", 13), 13)
    assert engine.search(position, Limit(mate=6, nodes=20_000)).score.kind == "points"


def test_hashfull_grows_with_the_work_and_stays_in_range():
    engine = Engine(1)
    few, many = (engine.search(Position("halma8"), nodes=nodes).hashfull for nodes in (2000, 400_000))
    assert 0 <= few < 100 < many <= 1000


@pytest.mark.parametrize("hash_mb", [0, -1, 2**40, 1.5, "16", None, True])
def test_bad_table_size_names_the_field_and_the_range(hash_mb):
    with pytest.raises(OptionError, match=r"hash_mb: .*from 1 to"):
        Engine(hash_mb)


def test_interrupt_raises_and_leaves_the_engine_usable():
    code = (
        "import signal, halma_fast\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent in the background may have it ignored\n"
        "engine = halma_fast.Engine(4)\n"
        "print('searching', flush=True)\n"
        "try:\n    engine.search(halma_fast.Position('halma16'))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', engine.search(halma_fast.Position('halma8'), depth=2).depth)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "searching\n"
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted 2\n"


def test_table_memory_stays_within_its_size_and_a_small_constant():
    # Peak memory of a process before and after a search that fills the table.
    code = (
        "import resource, halma_fast\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "before = peak()\n"
        "halma_fast.Engine(64).search(halma_fast.Position('halma16'), nodes=3_000_000)\n"
        "print(peak() - before)\n"
    )
    env = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    if "LD_PRELOAD" in os.environ:
        pytest.skip("a sanitizer's allocator keeps memory of its own")
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 64 + 8


def test_what_was_found_under_another_history_of_repetitions_is_forgotten(engine):
    limit = Limit(depth=6, time=600)  # with a limit of time the table is kept
    fresh, repeated = Position("halma8"), Position("halma8")
    fresh.push("e1-d2")
    for move in ("e1-d2", "d8-e7", "d2-e1", "e7-d8", "e1-d2"):
        repeated.push(move)
    assert fresh.key() == repeated.key()
    first, again = (engine.search(fresh, limit).nodes for _ in range(2))
    assert again < first
    # Here the start is drawn if it comes once more, so the same position is another question.
    assert engine.search(repeated, limit).nodes == Engine(4).search(repeated, limit).nodes
