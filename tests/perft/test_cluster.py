"""Perft on a Dask cluster of real processes: the exact number, with workers killed on the way, or one clear line."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from cli.process import TIMEOUT_SECONDS, run, run_json, start
from properties.effort import FUZZ

from halma_fast import ClusterError, Position, __version__, divide, perft
from halma_fast.cluster import cluster_executor
from halma_fast.perft import Progress
from perft.cluster_process import START_SECONDS, Cluster

pytest.importorskip("distributed")

# Cheap to count, but in 576 parts, which take a cluster a second to hand out: there is a middle to kill something in.
JOB = ("perft", "--variant", "halma8", "--depth", "4")
LEAVES = 699628
PARTS = 576


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of two workers that the tests leave as they found it."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("dask") / "standing", 2)) as cluster:
        yield cluster


@pytest.fixture
def new_cluster(tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """Start a cluster with some workers, that is the test's own."""
    with contextlib.ExitStack() as stack:

        def start_one(workers: int, **environment: str) -> Cluster:
            return stack.enter_context(contextlib.closing(Cluster(tmp_path / "dask", workers, **environment)))

        yield start_one


def at(done: int, action: Callable[[], object]) -> Callable[[Progress], None]:
    """An `on_progress` that does something once, when so many parts are done."""
    waiting = [action]

    def on_progress(progress: Progress) -> None:
        if waiting and progress.done >= done:
            waiting.pop()()

    return on_progress


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that runs, and see that it is gone."""
    assert process.poll() is None
    process.kill()
    assert process.wait() == -signal.SIGKILL


def test_a_cluster_counts_the_number(standing: Cluster) -> None:
    reports: list[Progress] = []
    with cluster_executor(standing.address, timeout=START_SECONDS) as executor:
        assert perft(Position("halma8"), 4, executor=executor, on_progress=reports.append) == LEAVES
        assert perft(Position("halma8"), 3, executor=executor, hash_mb=1) == 20050
        assert perft(Position("4x4:2,1"), 4, executor=executor, bulk=False) == 14721
        assert divide(Position("5x5:3,2,1"), 3, executor=executor) == divide(Position("5x5:3,2,1"), 3)
    assert [report.done for report in reports] == list(range(1, PARTS + 1))
    assert reports[-1].leaves == LEAVES


def test_both_workers_count(standing: Cluster) -> None:
    with cluster_executor(standing.address, timeout=START_SECONDS) as executor:
        seen: set[int] = set()
        end = time.monotonic() + START_SECONDS
        while len(seen) < 2 and time.monotonic() < end:  # the second one may still be starting
            seen |= {future.result() for future in [executor.submit(os.getpid) for _ in range(20)]}
    assert seen == {worker.pid for worker in standing.workers}


def test_the_command_counts_on_a_cluster(standing: Cluster) -> None:
    result = run_json(*JOB, "--scheduler", standing.address)
    assert result["nodes"] == LEAVES
    divided = run_json("perft", "--variant", "halma8", "--depth", "2", "--divide", "--scheduler", standing.address)
    assert divided["divide"] == {move.text: leaves for move, leaves in divide(Position("halma8"), 2).items()}


def test_a_worker_killed_in_the_middle_changes_nothing(new_cluster: Callable[..., Cluster]) -> None:
    cluster = new_cluster(2)
    on_progress = at(PARTS // 4, lambda: kill(cluster.workers[0]))
    with cluster_executor(cluster.address, timeout=START_SECONDS) as executor:
        assert perft(Position("halma8"), 4, executor=executor, on_progress=on_progress) == LEAVES
    assert [worker.poll() for worker in cluster.workers] == [-signal.SIGKILL, None]


def test_a_job_waits_for_new_workers_when_all_are_killed(new_cluster: Callable[..., Cluster]) -> None:
    cluster = new_cluster(1)

    def replace() -> None:
        kill(cluster.workers[0])
        cluster.add_worker()

    with cluster_executor(cluster.address, timeout=START_SECONDS) as executor:
        assert perft(Position("halma8"), 4, executor=executor, on_progress=at(PARTS // 2, replace)) == LEAVES
    assert cluster.workers[0].poll() is not None


@pytest.mark.skipif(FUZZ == 1, reason="takes half a minute: HALMA_FAST_FUZZ=2 or more runs it")
def test_the_command_survives_a_killed_worker(new_cluster: Callable[..., Cluster], tmp_path: Path) -> None:
    cluster = new_cluster(2)
    log = tmp_path / "checkpoint-wal"
    checkpoint = ("--checkpoint", str(tmp_path / "checkpoint"))
    with start(*JOB, "--json", "--scheduler", cluster.address, *checkpoint, stdout=subprocess.PIPE) as process:
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end and process.poll() is None:
            with contextlib.suppress(FileNotFoundError):
                if log.stat().st_size > 50 * 4096:  # a page for each part
                    break
            time.sleep(0.001)
        assert process.poll() is None
        kill(cluster.workers[0])
        out, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, err) == (0, b"")
    assert json.loads(out)["nodes"] == LEAVES


def test_a_lost_scheduler_is_told_and_the_checkpoint_goes_on_without(
    new_cluster: Callable[..., Cluster], tmp_path: Path
) -> None:
    cluster = new_cluster(1)
    path = tmp_path / "checkpoint"
    on_progress = at(PARTS // 4, lambda: kill(cluster.scheduler))
    with (
        pytest.raises(ClusterError, match=f"connection to {cluster.address} was lost"),
        cluster_executor(cluster.address, timeout=START_SECONDS) as executor,
    ):
        perft(Position("halma8"), 4, executor=executor, checkpoint=path, on_progress=on_progress)
    reports: list[Progress] = []
    assert perft(Position("halma8"), 4, checkpoint=path, on_progress=reports.append) == LEAVES
    assert PARTS // 4 <= reports[0].done_before < PARTS


def test_ctrl_c_ends_the_command(standing: Cluster, tmp_path: Path) -> None:
    log = tmp_path / "checkpoint-wal"
    checkpoint = ("--checkpoint", str(tmp_path / "checkpoint"))
    with start(*JOB, "--scheduler", standing.address, *checkpoint, stdout=subprocess.PIPE) as process:
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end and not (log.exists() and log.stat().st_size > 50 * 4096):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, out) == (130, b"")
    assert err.startswith(b"halma-fast: interrupted: ")
    assert err.count(b"\n") == 1
    assert run_json(*JOB, "--scheduler", standing.address, *checkpoint)["nodes"] == LEAVES


def test_a_call_that_fails_fails_in_its_future(standing: Cluster) -> None:
    with cluster_executor(standing.address, timeout=START_SECONDS) as executor:
        future: Future[int] = executor.submit(int, "seven")
        with pytest.raises(ValueError, match="seven"):
            future.result()
        assert list(executor.map(abs, [-1, 2])) == [1, 2]


def test_a_part_that_kills_its_workers_is_given_up(new_cluster: Callable[..., Cluster]) -> None:
    cluster = new_cluster(1, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    with cluster_executor(cluster.address, timeout=START_SECONDS) as executor:
        future: Future[object] = executor.submit(os._exit, 1)
        with pytest.raises(ClusterError, match="several workers were lost"):
            future.result(timeout=TIMEOUT_SECONDS)


def test_nothing_is_printed_and_logging_is_as_before(standing: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    names = ("distributed", "distributed.core", "distributed.client", "tornado.application")
    loggers = [logging.getLogger(name) for name in names]
    with cluster_executor(standing.address, timeout=START_SECONDS):
        assert all(logger.disabled for logger in loggers)
    assert not any(logger.disabled for logger in loggers)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import halma_fast; halma_fast.__version__ = '0.0.9'", f"has halma_fast 0.0.9, expected {__version__}"),
        ("import sys; sys.modules['halma_fast'] = None", "cannot use halma_fast: "),
    ],
)
def test_a_worker_without_this_very_version_is_refused(
    new_cluster: Callable[..., Cluster], code: str, words: str
) -> None:
    cluster = new_cluster(0)
    cluster.add_worker(code)
    with (
        pytest.raises(ClusterError, match=f"its worker tcp://127.0.0.1:[0-9]+ {words}"),
        cluster_executor(cluster.address, timeout=START_SECONDS),
    ):
        pytest.fail("accepted")


def test_a_worker_of_another_version_that_joins_later_is_refused(new_cluster: Callable[..., Cluster]) -> None:
    cluster = new_cluster(1)
    with cluster_executor(cluster.address, timeout=START_SECONDS) as executor:
        cluster.add_worker("import halma_fast; halma_fast.__version__ = '0.0.9'")
        end = time.monotonic() + START_SECONDS

        def until_it_is_asked() -> None:
            while time.monotonic() < end:
                perft(Position("halma8"), 2, executor=executor)

        with pytest.raises(ClusterError, match=f"a worker has halma_fast 0.0.9, expected {__version__}"):
            until_it_is_asked()


def test_a_scheduler_without_workers_is_one_line(new_cluster: Callable[..., Cluster]) -> None:
    cluster = new_cluster(0)
    with pytest.raises(ClusterError, match="has no workers"), cluster_executor(cluster.address, timeout=0.2):
        pytest.fail("accepted")


@contextlib.contextmanager
def server(greeting: bytes) -> Iterator[str]:
    """Something that listens, says `greeting` and nothing more; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        connections = []

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connections.append(listener.accept()[0])
                    connections[-1].sendall(greeting)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in connections:
                connection.close()


@pytest.mark.parametrize(
    ("greeting", "words"),
    [(b"", "no answer in 0.2 s"), (b"SSH-2.0-OpenSSH\r\n", "something else"), (b"\0" * 8, "something else")],
)
def test_what_is_no_scheduler_is_told(greeting: bytes, words: str) -> None:
    with (
        server(greeting) as address,
        pytest.raises(ClusterError, match=f"none at {address}: .*{words}"),
        cluster_executor(address, timeout=0.2),
    ):
        pytest.fail("accepted")


@pytest.mark.parametrize(
    "address",
    [
        *("", "nonsense", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:0", "tcp://127.0.0.1:65536"),
        *("tcp://:8786", "http://127.0.0.1:8786", "tcp://a b:8786", "tcp://127.0.0.1:8786/", "tcp://[::1:8786"),
        *("tcp://127.0.0.1:\u0663", "tcp://127.0.0.1:8786\n", f"tcp://{'a' * 1000}:1"),
        *(None, 8786, True, b"tcp://127.0.0.1:8786"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ClusterError, match="expected an address like tcp://") as caught, cluster_executor(address):
        pytest.fail("accepted")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://127.0.0.1:1", "Connection refused"),
        ("tcp://[::1]:1", ""),  # or no such address, where there is no IPv6
        ("tcp://no-such-host.invalid:8786", ""),
        ("localhost", "expected an address like tcp://"),
    ],
)
def test_a_scheduler_out_of_reach_is_one_line_at_once(address: str, words: str) -> None:
    begin = time.monotonic()
    done = run(*JOB, "--scheduler", address)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("halma-fast: error: --scheduler: ")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert time.monotonic() - begin < 60


def test_threads_and_a_scheduler_exclude_each_other(standing: Cluster) -> None:
    done = run(*JOB, "--threads", "2", "--scheduler", standing.address)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("halma-fast: error: --threads: 2 with an executor")
    assert done.err.count("\n") == 1


def test_without_dask_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['distributed'] = None; from halma_fast.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, *JOB]
    done = subprocess.run([*command, "--scheduler", "tcp://127.0.0.1:1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'halma-fast[cluster]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
