"""What the server gives to whom: the numbers that bound messages, games, sockets and searches.

Owns those numbers and the token bucket that slows whoever asks too often. Invariant: nothing that a client can send
makes the server hold more than these bounds. Guarded by tests/web/test_limits.py.
"""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from halma_fast.checks import check_int, check_memory, check_seconds
from halma_fast.errors import OptionError

__all__ = [
    "BYTES_A_TOKEN",
    "MAX_BODY",
    "MAX_MESSAGE",
    "MAX_MOVES",
    "MAX_MULTIPV",
    "MAX_NAME",
    "MAX_RECORDS",
    "MAX_ROUNDS",
    "Bucket",
    "Buckets",
    "Settings",
    "default_threads",
]

MAX_BODY: Final = 256 * 1024
MAX_MESSAGE: Final = 64 * 1024
MAX_MOVES: Final = 2000
MAX_ROUNDS: Final = 9
MAX_RECORDS: Final = 9
MAX_MULTIPV: Final = 10
MAX_NAME: Final = 200
# What is long takes longer to answer: so many bytes count as one message more.
BYTES_A_TOKEN: Final = 2048


def default_threads() -> int:
    """Return how many searches run at once unless told otherwise: four a processor, which they share."""
    return min(32, 4 * (os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class Settings:
    """The bounds of a server that can be chosen; raises `OptionError`.

    threads: searches at once, 1..256; seconds: of the longest search, above 0 to 86400; share: seconds of an analysis
    after which it makes room if others wait; hash_mb: MB of each search's table; keep_days: days after its last move
    that a game by link is kept; sockets: open at once in all, and a_client: of one address that is not the loopback's;
    rooms: games by link at once; quiet: seconds without a message after which a socket is closed.
    """

    threads: int
    seconds: float = 60.0
    share: float = 10.0
    hash_mb: int = 16
    keep_days: float = 30.0
    sockets: int = 1000
    a_client: int = 50
    rooms: int = 100_000
    quiet: float = 60.0

    def __post_init__(self) -> None:
        check_int(self.threads, "threads", 1, 256, OptionError)
        check_seconds(self.seconds, "seconds", OptionError, high=86_400.0, above=True)
        check_seconds(self.share, "share", OptionError, high=86_400.0, above=True)
        check_memory(self.hash_mb)
        keep = self.keep_days
        if isinstance(keep, bool) or not isinstance(keep, int | float) or not 0 < keep <= 36_500:
            raise OptionError(f"keep: {keep!r}, expected a number of days above 0 to 36500")
        check_int(self.sockets, "sockets", 1, 100_000, OptionError)
        check_int(self.a_client, "a_client", 1, 100_000, OptionError)
        check_int(self.rooms, "rooms", 1, 100_000_000, OptionError)
        check_seconds(self.quiet, "quiet", OptionError, high=86_400.0, above=True)


class Bucket:
    """A token bucket: Bucket(rate, burst, *, now=time.monotonic), full at first."""

    def __init__(self, rate: float, burst: float, *, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._level, self._at = burst, now()

    def take(self, tokens: float = 1.0) -> float:
        """Take tokens, which may leave a debt, and return the seconds until that debt is paid, 0 if there is none."""
        now = self._now()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate) - tokens
        self._at = now
        return max(0.0, -self._level / self._rate)

    def allows(self, tokens: float = 1.0) -> bool:
        """Take tokens if that leaves no debt, and return whether it did."""
        if self.take(0.0) > 0.0 or self._level < tokens:
            return False
        self._level -= tokens
        return True


class Buckets:
    """A bucket for each client, of which the `most` that asked last are remembered."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Return whether this client may ask once more now."""
        return self._of(client).allows()

    def charge(self, client: str, tokens: float) -> None:
        """Take tokens from a client, who waits until they are paid."""
        self._of(client).take(tokens)

    def _of(self, client: str) -> Bucket:
        bucket = self._buckets.pop(client, None) or Bucket(self._rate, self._burst)
        self._buckets[client] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket
