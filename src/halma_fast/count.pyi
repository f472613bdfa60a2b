from typing import Self

from typing_extensions import disjoint_base

from halma_fast.position import Position

@disjoint_base
class PerftTable:
    def __new__(cls, hash_mb: int) -> Self: ...
    @property
    def hash_mb(self) -> int: ...

@disjoint_base
class Stopper:
    def stop(self) -> None: ...

def count_leaves(
    position: Position, depth: int, bulk: bool, table: PerftTable | None, stopper: Stopper | None
) -> tuple[int, BaseException | None]: ...
