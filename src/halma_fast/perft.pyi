from collections.abc import Callable

from halma_fast.move import Move
from halma_fast.position import Position

def perft(
    position: Position,
    depth: int,
    *,
    bulk: bool = True,
    on_progress: Callable[[int, int, int], object] | None = None,
) -> int: ...
def divide(
    position: Position,
    depth: int,
    *,
    bulk: bool = True,
    on_progress: Callable[[int, int, int], object] | None = None,
) -> dict[Move, int]: ...
