"""Lends a Dask cluster as a `concurrent.futures.Executor`, which is all that perft knows of it.

Owns the connection. Invariant: a part is only ever counted by a worker with this very version of the package, and what
goes wrong with the cluster is a `ClusterError` of one sentence. Guarded by tests/perft/test_cluster.py.
"""

from __future__ import annotations

import contextlib
import logging
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from halma_fast.checks import shorten
from halma_fast.errors import ClusterError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["cluster_executor"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

DEFAULT_TIMEOUT: Final = 10.0  # seconds
_ADDRESS: Final = re.compile(r"(?:tcp|tls)://(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5})", re.ASCII)
# How the names of the loggers begin that would print what is told by an exception here already.
_TALKATIVE: Final = ("distributed", "tornado", "asyncio")


@contextlib.contextmanager
def cluster_executor(address: str, *, timeout: float = DEFAULT_TIMEOUT) -> Iterator[Executor]:
    """Connect to the scheduler at `address`, like "tcp://10.0.0.1:8786"; yields an executor and disconnects at the end.

    timeout: seconds for the scheduler to answer, and again for a first worker to be there. The cluster needs the same
    version of this package, and counts a part anew that it lost with a worker. Raises `ClusterError`.
    """
    match = _ADDRESS.fullmatch(address) if isinstance(address, str) else None
    if match is None or not 0 < int(match[1]) < 2**16:
        raise ClusterError(f"cluster: {shorten(address)}, expected an address like tcp://10.0.0.1:8786")
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ClusterError("cluster: Dask is missing, expected the extra: pip install 'halma-fast[cluster]'") from error
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            client = stack.enter_context(Client(address, timeout=timeout, set_as_default=False))
        except (OSError, ImportError, ValueError) as error:  # a TimeoutError is an OSError
            raise ClusterError(f"cluster: no scheduler answers at {address} within {timeout:g} s") from error
        _check_workers(client, address, timeout)
        executor = _SameVersion(client)
        try:
            yield executor
        except CancelledError as error:
            raise ClusterError(f"cluster: the scheduler at {address} was lost") from error
        except KilledWorker as error:
            raise ClusterError("cluster: several workers were lost one after the other with the same part") from error
        finally:
            executor.shutdown(wait=False)


class _SameVersion(Executor):
    """An executor that has each worker look at its version first: workers may join at any time."""

    def __init__(self, client: Client) -> None:
        # Not pure: to find a name for a call from its arguments would take longer than to send it.
        self._executor: Executor = client.get_executor(pure=False)

    def submit(
        self, function: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        return self._executor.submit(_call, _version(), function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)


def _call(
    version: str, function: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    if version != _version():
        raise ClusterError(f"cluster: a worker has halma_fast {_version()}, expected {version}")
    return function(*args, **kwargs)


def _version() -> str:
    import halma_fast

    return halma_fast.__version__


def _check_workers(client: Client, address: str, timeout: float) -> None:
    try:
        client.wait_for_workers(1, timeout=timeout)
    except OSError as error:
        raise ClusterError(f"cluster: the scheduler at {address} has no workers") from error
    for worker, version in client.run(_version, on_error="return").items():
        if isinstance(version, Exception):
            raise ClusterError(f"cluster: worker {worker} cannot use halma_fast: {shorten(version)}")
        if version != _version():
            raise ClusterError(f"cluster: worker {worker} has halma_fast {version}, expected {_version()}")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from printing: its loggers come with handlers of their own, which write to standard error."""
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if name.split(".", 1)[0] in _TALKATIVE and isinstance(logger, logging.Logger)
    ]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "Mismatched versions found", of packages that do not matter here
            yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled
