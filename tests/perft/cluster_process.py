"""A Dask cluster for tests: a scheduler and workers as processes of their own on the loopback address."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

START_SECONDS = 120  # with a sanitizer everything takes many times as long
_SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
# Whatever happens to the tests, nothing stays behind.
_SCHEDULER += ["--no-dashboard", "--idle-timeout", "300"]
_WORKER = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60"]


class Cluster:
    """A scheduler and `workers` workers with one thread each; `close` ends them all.

    environment: for all of them, like DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES.
    """

    def __init__(self, folder: Path, workers: int, **environment: str) -> None:
        folder.mkdir()
        self._folder = folder
        self._environment = {**os.environ, **environment}
        self._log = open(folder / "log", "ab")  # noqa: SIM115 - as long as the cluster
        contact = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start([*_SCHEDULER, "--scheduler-file", str(contact)])
        end = time.monotonic() + START_SECONDS
        while not contact.exists() or not contact.read_text(encoding="utf-8").endswith("}"):
            assert self.scheduler.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        self.address: str = json.loads(contact.read_text(encoding="utf-8"))["address"]
        for _ in range(workers):
            self.add_worker()

    def add_worker(self, code: str = "") -> None:
        """Start a worker, whose process runs `code` first."""
        program = f"{code}\nfrom distributed.cli.dask_worker import main\nmain()"
        place = ["--local-directory", str(self._folder)]
        self.workers.append(self._start([sys.executable, "-c", program, self.address, *_WORKER, *place]))

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, env=self._environment
        )

    def close(self) -> None:
        """Kill what still runs."""
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()
        self._log.close()
