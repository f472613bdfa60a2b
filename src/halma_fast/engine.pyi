from collections.abc import Callable
from typing import Self

from typing_extensions import disjoint_base

from halma_fast.position import Position
from halma_fast.types import Limit, SearchResult

@disjoint_base
class Engine:
    def __new__(cls, hash_mb: int = 16) -> Self: ...
    @property
    def hash_mb(self) -> int: ...
    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        on_info: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
