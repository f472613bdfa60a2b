"""Everything that a Position shows, as one value, to see whether anything at all has changed."""

from typing import Any

from halma_fast import Position, Side


def state_of(position: Position) -> dict[str, Any]:
    return {
        "fen": position.fen(),
        "key": position.key(),
        "zobrist": position.zobrist,
        "turn": position.turn,
        "ply": position.ply,
        "move_number": position.move_number,
        "move_stack": position.move_stack,
        "men": [position.pieces(side) for side in Side],
        "board": position.to_numpy().tolist(),
        "legal_moves": sorted(position.legal_moves),
        "legal_moves_array": position.legal_moves_array().tolist(),
        "outcome": position.outcome(),
        "text": str(position),
    }
