from collections.abc import Callable, Iterable
from typing import Final, Self

from typing_extensions import disjoint_base

from halma_fast.analysis import Analysis
from halma_fast.move import Move
from halma_fast.position import Position
from halma_fast.types import Info, Limit, SearchResult

MAX_LINES: Final = 1000
MAX_THREADS: Final = 256

@disjoint_base
class Engine:
    def __new__(cls, hash_mb: int = 16, threads: int = 1, move_overhead: float = 0.02, spoil: bool = False) -> Self: ...
    @property
    def hash_mb(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def move_overhead(self) -> float: ...
    @move_overhead.setter
    def move_overhead(self, value: float) -> None: ...
    @property
    def spoil(self) -> bool: ...
    @spoil.setter
    def spoil(self, value: bool) -> None: ...
    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        on_info: Callable[[Info], object] | None = None,
    ) -> SearchResult: ...
    def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Iterable[Move | str] | None = None,
    ) -> Analysis: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
