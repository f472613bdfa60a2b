"""Perft on a Dask cluster of real processes: the exact number, with workers killed on the way, or one clear line."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cli.process import TIMEOUT_SECONDS, run, run_json, start
from halma_fast import ClusterError, Position, divide, perft
from halma_fast.cluster import _call, cluster_executor
from halma_fast.perft import Progress
from perft.cluster_process import START_SECONDS, Cluster

pytest.importorskip("distributed")

# Small to count, but of 1600 parts, which take the cluster seconds to hand out: time to kill something.
JOB = ("perft", "--variant", "halma16", "--depth", "4")
LEAVES = 4562496
PARTS = 1600


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Callable[[int], Cluster]]:
    """Start a cluster of some workers."""
    with contextlib.ExitStack() as stack:

        def start_cluster(workers: int) -> Cluster:
            return stack.enter_context(contextlib.closing(Cluster(tmp_path, workers)))

        yield start_cluster
