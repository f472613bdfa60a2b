"""The pool of searches: budgets are kept, everybody has a turn, and what is cancelled ends."""

import asyncio
import time

import pytest

from halma_fast import Engine, Limit, Position
from halma_fast.levels import LevelPlayer
from halma_fast.web.engines import Job, Pool
from halma_fast.web.limits import Settings

from .loop import in_loop

POSITION = Position("halma10", win="occupied")


class Watched:
    """A job with what became of it."""

    def __init__(self, client="me", limit=None, *, quick=False, **options):
        self.job = Job(client, POSITION, limit, **options)
        self.job.quick = quick
        self.infos, self.ahead, self.starts = [], [], []
        self.end = asyncio.get_running_loop().create_future()
        self.job.on_queue, self.job.on_info = self.ahead.append, self.infos.append
        self.job.on_start = lambda: self.starts.append(time.monotonic())
        self.job.on_end = lambda found, ended: self.end.set_result((found, ended))
        self.job.on_error = self.end.set_exception


def in_pool(use, **settings):
    async def run():
        pool = Pool(Settings(**{"threads": 1, "seconds": 30.0} | settings))
        try:
            return await asyncio.wait_for(use(pool), 60)
        finally:
            await asyncio.wait_for(pool.close(), 10)
            assert pool.running == pool.waiting == 0

    return in_loop(run)


def test_numbers_are_those_of_a_search():
    async def use(pool):
        jobs = [Watched(limit=Limit(depth=5), multipv=3), Watched("you", Limit(nodes=5000))]
        for watched in jobs:
            pool.submit(watched.job)
        return [((await watched.end)[0], watched.infos) for watched in jobs]

    def numbers(infos):
        return [(i.depth, i.seldepth, i.multipv, i.score, i.bound, i.nodes, i.hashfull, i.pv) for i in infos]

    for (found, infos), asked in zip(in_pool(use), [{"depth": 5, "multipv": 3}, {"nodes": 5000}], strict=True):
        expected = []
        result = Engine().search(POSITION, on_info=expected.append, **asked)
        assert numbers(infos) == numbers(expected)
        assert numbers(found.lines) == numbers(result.lines)
        assert found.move == result.best_move


def test_a_level_plays_its_move():
    async def use(pool):
        jobs = [Watched(str(level), level=level, seed=7, quick=True) for level in (1, 4, 6)]
        for watched in jobs:
            pool.submit(watched.job)
        return [(await watched.end)[0].move for watched in jobs]

    assert in_pool(use) == [LevelPlayer(level, seed=7).play(POSITION).move for level in (1, 4, 6)]


def test_the_longest_time_ends_a_job():
    async def use(pool):
        watched = Watched()
        pool.submit(watched.job)
        return await watched.end

    began = time.monotonic()
    found, ended = in_pool(use, seconds=0.3)
    assert ended == "budget"
    assert found.move in list(POSITION.legal_moves)
    assert 0.3 <= time.monotonic() - began < 20


def test_a_stop_ends_a_job_whenever_it_comes():
    async def use(pool):
        for delay in (None, 0, 0.001, 0.01, 0.1):
            running, waiting = Watched(), Watched("you")
            pool.submit(running.job)
            pool.submit(waiting.job)
            assert (running.ahead, waiting.ahead) == ([], [0])
            if delay is not None:
                await asyncio.sleep(delay)
            pool.stop(waiting.job)
            assert waiting.end.done()
            assert (waiting.end.result()[0].move, waiting.end.result()[1]) == (None, "stopped")
            pool.stop(running.job)
            pool.stop(running.job)
            found, ended = await running.end
            assert ended == "stopped"
            assert found.move is not None
            assert running.infos == sorted(running.infos, key=lambda info: info.nodes)

    in_pool(use)


def test_closing_ends_what_runs_and_what_waits():
    async def use(pool):
        for client in range(5):
            pool.submit(Watched(str(client)).job)
        assert (pool.running, pool.waiting) == (2, 3)

    in_pool(use, threads=2)


def test_an_analysis_makes_room_after_its_share_if_others_wait_and_only_then():
    async def use(pool):
        alone = Watched()
        pool.submit(alone.job)
        await asyncio.sleep(0.6)
        assert not alone.end.done()
        clients = [Watched(str(number)) for number in range(2)]
        for watched in clients:
            pool.submit(watched.job)
        assert (await alone.end)[1] == "share"
        assert (await clients[0].end)[1] == "share"
        assert len(clients[1].starts) == 1
        await asyncio.sleep(0.6)
        assert not clients[1].end.done()

    in_pool(use, share=0.2)


def test_who_waits_for_a_move_comes_before_analyses():
    async def use(pool):
        first, analysis, move = Watched(), Watched("you"), Watched("they", Limit(depth=1), quick=True)
        for watched in (first, analysis, move):
            pool.submit(watched.job)
        pool.stop(first.job)
        await move.end
        assert not analysis.end.done()
        assert not analysis.infos

    in_pool(use)


def test_a_flood_of_moves_does_not_starve_an_analysis():
    async def use(pool):
        pool.submit((first := Watched()).job)
        pool.submit((analysis := Watched("you", Limit(depth=1))).job)
        moves = [Watched(str(number), Limit(depth=1), quick=True) for number in range(10)]
        for watched in moves:
            pool.submit(watched.job)
        pool.stop(first.job)
        await analysis.end
        assert sum(watched.end.done() for watched in moves) < 6
        await asyncio.gather(*(watched.end for watched in moves))

    in_pool(use)


def test_a_client_has_at_most_half_of_the_searches_and_does_not_push_others_out():
    async def use(pool):
        mine = [Watched() for _ in range(4)]
        for watched in mine:
            pool.submit(watched.job)
        assert (pool.running, pool.waiting) == (2, 2)
        pool.submit((other := Watched("you")).job)
        assert pool.running == 3
        await asyncio.sleep(0.8)
        assert not other.end.done()
        assert not any(watched.end.done() for watched in mine)

    in_pool(use, threads=4, share=0.3)


def test_an_error_of_a_search_is_told_and_the_pool_goes_on():
    async def use(pool):
        watched = Watched()
        watched.job.position = None
        pool.submit(watched.job)
        with pytest.raises(ValueError, match="expected a Position"):
            await watched.end
        pool.submit((after := Watched(limit=Limit(depth=1))).job)
        assert (await after.end)[1] == "finished"

    in_pool(use)
