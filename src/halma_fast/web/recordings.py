"""Record files for the page: games to text, and text to games, by the package's own reader and writer.

Invariant: a text that is read holds legal games whose results are true; what is written is read back equal.
Guarded by tests/web/test_recordings.py.
"""

from __future__ import annotations

import io
from typing import Any

from halma_fast.errors import HalmaError
from halma_fast.records import GameRecord, RecordedMove, read_json, read_records, write_record
from halma_fast.web.faults import Fault, fault_of
from halma_fast.web.games import Match, setup_of
from halma_fast.web.limits import MAX_MOVES, MAX_RECORDS
from halma_fast.web.messages import ReadRecords, RecordedGame, WriteRecords

__all__ = ["read_text", "write_text"]


def read_text(request: ReadRecords) -> dict[str, Any]:
    """Return the games of a text, at least one; raises `Fault` that names the line."""
    text = request.text
    games: list[dict[str, Any]] = []
    try:
        reader = read_json if text.lstrip("\ufeff \t\r\n").startswith("{") else read_records
        for record in reader(io.StringIO(text)):
            if len(games) == MAX_RECORDS:
                raise Fault("record", f"text: more than {MAX_RECORDS} games, expected at most so many", field="text")
            if len(record.moves) > MAX_MOVES:
                raise Fault(
                    "record", f"text: a game of more than {MAX_MOVES} moves, expected shorter ones", field="text"
                )
            games.append(_game(record))
    except HalmaError as error:
        raise fault_of(error, field="text") from None
    if not games:
        raise Fault("record", "text: no game in it, expected a record", field="text")
    return {"games": games}


def _game(record: GameRecord) -> dict[str, Any]:
    rules = record.rules
    setup = setup_of(record.variant, record.start_fen, 1)
    return {
        "setup": {"variant": setup.variant, "rules": rules, "fen": setup.fen, "rounds": 1},
        "moves": [recorded.move.text for recorded in record.moves],
        "tags": dict(record.tags),
        "result": record.result,
        "reason": record.reason,
    }


def write_text(request: WriteRecords) -> dict[str, Any]:
    """Return the text of a file of records; raises `Fault` whose index is that of the game."""
    out = io.StringIO()
    for index, game in enumerate(request.games):
        write_record(out, _record(index, game))
    return {"text": out.getvalue()}


def _record(index: int, game: RecordedGame) -> GameRecord:
    try:
        round_ = Match.build(game.setup, game.earlier, game.moves).current
    except Fault as fault:
        raise Fault(fault.code, fault.message, field=f"games[{index}].{fault.field}", index=fault.index) from None
    try:
        return GameRecord.from_position(
            round_.position,
            game.tags,
            moves=[RecordedMove(made.move) for made in round_.made],
            result=game.result,
            reason=game.reason,
        )
    except HalmaError as error:
        raise fault_of(error, field=f"games[{index}]", index=index) from None
