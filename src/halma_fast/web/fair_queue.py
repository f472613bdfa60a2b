"""A queue in which clients take turns, however much each of them asks for.

Invariant: between two items of one client that are taken, each other client that waits has been served once, unless it
was passed over as not eligible. Guarded by tests/web/test_fair_queue.py.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["FairQueue"]

_T = TypeVar("_T")


class FairQueue(Generic[_T]):
    """Items in the order of their clients' turns; within a client in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Hashable, deque[_T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, client: Hashable, item: _T) -> None:
        """Add an item of a client."""
        self._waiting.setdefault(client, deque()).append(item)

    def take(self, eligible: Callable[[Hashable], bool] = lambda client: True) -> _T | None:
        """Remove and return the next item of a client that is eligible, `None` if there is none."""
        for client, items in self._waiting.items():
            if eligible(client):
                item = items.popleft()
                # Its next turn comes after everybody's who waits now.
                del self._waiting[client]
                if items:
                    self._waiting[client] = items
                return item
        return None

    def remove(self, client: Hashable, item: _T) -> bool:
        """Remove an item that still waits; returns whether it did."""
        items = self._waiting.get(client)
        if items is None or item not in items:
            return False
        items.remove(item)
        if not items:
            del self._waiting[client]
        return True

    def order(self) -> list[_T]:
        """Return all items in the order in which they will be taken if all clients are eligible."""
        queues = [deque(items) for items in self._waiting.values()]
        ordered = []
        while queues:
            for items in list(queues):
                ordered.append(items.popleft())
                if not items:
                    queues.remove(items)
        return ordered
