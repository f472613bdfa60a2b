"""Lends a Dask cluster as a `concurrent.futures.Executor`, which is all that perft knows of it.

Owns the connection. Invariant: a part is only ever counted by a worker with this very version of the package, and what
goes wrong with the cluster is a `ClusterError` of one sentence. Guarded by tests/perft/test_cluster.py.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import socket
import sys
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
_ADDRESS: Final = re.compile(r"tcp://([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5})", re.ASCII)
# A scheduler speaks first, with a message of some hundred bytes behind its length in 8 bytes.
_LENGTH_SIZE: Final = 8
_MAX_GREETING: Final = 2**20
_IMPATIENCE: Final = 0.02  # seconds
# How the names of the loggers begin that would print what is told by an exception here already.
_TALKATIVE: Final = ("distributed", "tornado", "asyncio")


@contextlib.contextmanager
def cluster_executor(address: str, *, timeout: float = DEFAULT_TIMEOUT) -> Iterator[Executor]:
    """Connect to the scheduler at `address`, like "tcp://10.0.0.1:8786"; yields an executor and disconnects at the end.

    timeout: seconds for the scheduler to answer, and again for a first worker to be there. The cluster needs the same
    version of this package, and counts a part anew that it lost with a worker. Raises `ClusterError`.
    """
    match = _ADDRESS.fullmatch(address) if isinstance(address, str) else None
    if match is None or not 0 < int(match[2]) < 2**16:
        raise ClusterError(f"scheduler: {shorten(address)}, expected an address like tcp://10.0.0.1:8786")
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError("scheduler: Dask is missing, expected it from: pip install 'halma-fast[cluster]'") from error
    _knock(address, match[1].strip("[]"), int(match[2]), timeout)
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            client = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ImportError) as error:  # a TimeoutError is an OSError
            raise ClusterError(f"scheduler: no connection to {address}: {error}") from error
        # When the client has gone the scheduler forgets all that was still to be done.
        stack.push(functools.partial(_leave, client))
        _check_workers(client, address, timeout)
        yield _ClusterExecutor(client, address)


def _leave(client: Client, kind: type[BaseException] | None, *_: object) -> None:
    # A person who pressed Ctrl-C does not wait for the parting, which takes a second with many parts under way.
    interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
    with contextlib.suppress(TimeoutError):
        client.close(timeout=_IMPATIENCE if interrupted else None)


def _knock(address: str, host: str, port: int, timeout: float) -> None:
    """See if a scheduler is there: Dask's client goes on trying what is refused, and waits for what is silent."""
    try:
        with socket.create_connection((host, port), timeout) as connection:
            greeting = connection.recv(_LENGTH_SIZE, socket.MSG_WAITALL)
    except OSError as error:
        reason = f"no answer in {timeout:g} s" if isinstance(error, TimeoutError) else error.strerror or error
        raise ClusterError(f"scheduler: none at {address}: {reason}") from error
    if not 0 < int.from_bytes(greeting, sys.byteorder) < _MAX_GREETING:
        raise ClusterError(f"scheduler: none at {address}: what answers there is something else")


def _check_workers(client: Client, address: str, timeout: float) -> None:
    try:
        client.wait_for_workers(1, timeout=timeout)
    except OSError as error:
        raise ClusterError(f"scheduler: {address} has no workers") from error
    for worker, version in client.run(_version, on_error="return").items():
        if isinstance(version, BaseException):
            raise ClusterError(f"scheduler: its worker {worker} cannot use halma_fast: {shorten(version)}")
        if version != _version():
            raise ClusterError(f"scheduler: its worker {worker} has halma_fast {version}, expected {_version()}")


class _ClusterExecutor(Executor):
    """Dask's own executor, whose workers look at their version before each call, since they may join at any time."""

    def __init__(self, client: Client, address: str) -> None:
        # Not pure: to find a name for a call from its arguments would take longer than to send it.
        self._executor: Executor = client.get_executor(pure=False)
        self._address = address

    def submit(
        self, function: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        # Not Dask's future itself: to cancel those takes a conversation with the scheduler each, a second for all.
        future: Future[Result] = Future()
        sent = self._executor.submit(_call, _version(), function, *args, **kwargs)
        sent.add_done_callback(functools.partial(self._hand_over, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)

    def _hand_over(self, future: Future[Result], sent: Future[Result]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(sent.result())
        except CancelledError:  # by nobody here: what Dask does when the connection breaks
            future.set_exception(ClusterError(f"scheduler: the connection to {self._address} was lost"))
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                error = ClusterError("scheduler: several workers were lost, one after the other, with the same part")
            future.set_exception(error)


def _call(
    version: str, function: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    if version != _version():
        raise ClusterError(f"scheduler: a worker has halma_fast {_version()}, expected {version}")
    return function(*args, **kwargs)


def _version() -> str:
    import halma_fast

    return halma_fast.__version__


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
