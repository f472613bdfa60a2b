"""A job in parts is the job: split at any ply, merged, counted by threads, processes or whatever runs functions."""

import pickle
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from halma_fast import OptionError, Position, divide, perft
from halma_fast.parts import split
from halma_fast.perft import count_part


@pytest.mark.parametrize("by_move", [False, True])
@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize(
    ("variant", "depth", "leaves"),
    [("halma8", 4, 699628), ("pulce", 4, 2437914), ("4x4:2,1", 5, 198722), ("4x4:2,1", 3, 1116)],
)
def test_weights_times_leaves_add_up_whatever_the_split(variant, depth, leaves, plies, by_move):
    parts = split(Position(variant), depth, plies, by_move)
    assert [part.index for part in parts] == list(range(len(parts)))
    assert sum(part.weight * count_part(part, True, None) for part in parts) == leaves


def test_transpositions_are_merged_and_counted_with_their_multiplicity():
    parts = split(Position("halma8"), 3, 3, by_move=False)
    assert len({part.position.key() for part in parts}) == len(parts)
    assert len(parts) < 20050
    assert sum(part.weight for part in parts) == 20050


def test_the_same_job_is_split_in_the_same_way_every_time():
    def described(parts):
        return [(part.index, part.position.fen(), part.depth, part.weight, part.move) for part in parts]

    again = described(split(Position("halma10"), 4, 2, by_move=True))
    assert described(split(Position("halma10"), 4, 2, by_move=True)) == again


def test_parts_survive_pickling():
    for part in split(Position("pulce"), 3, 2, by_move=True)[:20]:
        copy = pickle.loads(pickle.dumps(part))
        assert copy == part
        assert count_part(copy, True, None) == count_part(part, True, None)


def test_positions_history_and_rules_that_need_one_do_not_reach_the_parts():
    position = Position("4x4:2,1", max_turns=2, home_deadline=1)
    position.push(next(iter(position.legal_moves)))
    assert position.is_game_over()
    plain = Position.from_fen(position.fen(), "4x4:2,1")
    assert perft(position, 4) == perft(plain, 4) > 0


class Here(Executor):
    """Runs each function when it is submitted: the least that an executor may be."""

    def submit(self, function, /, *arguments, **keywords):
        future: Future = Future()
        try:
            future.set_result(function(*arguments, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.mark.parametrize("hash_mb", [None, 2])
@pytest.mark.parametrize("make", [Here, lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2)])
def test_any_executor_counts_the_same(make, hash_mb):
    with make() as executor:
        assert perft(Position("halma8"), 5, executor=executor, hash_mb=hash_mb) == 28572441
        assert divide(Position("halma8"), 4, executor=executor) == divide(Position("halma8"), 4)


class Failing(Here):
    def submit(self, function, /, *arguments, **keywords):
        future: Future = Future()
        future.set_exception(RuntimeError("from a worker"))
        return future


def test_an_error_of_a_worker_reaches_the_caller():
    with pytest.raises(RuntimeError, match="from a worker"):
        perft(Position("halma8"), 4, executor=Failing())


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize(("variant", "depth", "leaves"), [("halma16", 5, 289844520), ("pulce", 4, 2437914)])
def test_threads_count_the_same(variant, depth, leaves, threads):
    assert perft(Position(variant), depth, threads=threads) == leaves


@pytest.mark.parametrize("threads", [0, -1, 1025, 1.0, "2", None, True])
def test_threads_out_of_range_name_the_field(threads):
    with pytest.raises(OptionError, match=r"threads: .*from 1 to 1024"):
        perft(Position("halma8"), 2, threads=threads)


@pytest.mark.parametrize("executor", [3, "pool", object()])
def test_executor_of_another_kind_is_refused(executor):
    with pytest.raises(OptionError, match="executor: "):
        perft(Position("halma8"), 2, executor=executor)


def test_threads_and_an_executor_exclude_each_other():
    with pytest.raises(OptionError, match="threads: 2 with an executor"):
        perft(Position("halma8"), 2, executor=Here(), threads=2)
