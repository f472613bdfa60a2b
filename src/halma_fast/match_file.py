"""The file of a match: each finished game appended at once as game records, and read again to go on.

Invariant: a game is in the file as a whole or it is played again, no game is there twice, and a file that is not of
this very match is refused and left as it is. Guarded by tests/match/test_match_file.py.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import astuple
from types import TracebackType
from typing import IO, Final

from halma_fast.checks import shorten
from halma_fast.errors import MatchError, RecordError
from halma_fast.game import Effort, Round, Thought
from halma_fast.game_record import RESULT_OF, WINNER_OF, GameRecord, check_tag
from halma_fast.match import MatchSettings
from halma_fast.recorded_move import RecordedMove
from halma_fast.records import read_records
from halma_fast.standing import Game
from halma_fast.types import Played, Side

__all__ = ["MatchFile"]

_EVENT: Final = "halma-fast match"
_HEAD: Final = f'[Event "{_EVENT}"]\n'.encode()
_ROUND: Final = re.compile(r"([1-9][0-9]{0,8})\.([12])(?:\.([1-9][0-9]?))?", re.ASCII)
# Of the numbers of an `Effort`, the most digits that are written and read: a player may claim anything.
_EFFORT_DIGITS: Final = (9, 9, 12, 18, 18)
_EFFORT: Final = re.compile(" ".join(f"([0-9]{{1,{digits}}})" for digits in _EFFORT_DIGITS), re.ASCII)
_COUNT: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_MATCH_LINE: Final = re.compile(rb'^\[Match "(.*)"\]\n', re.MULTILINE)
_LONGEST_DETAIL: Final = 400


class MatchFile:
    """A file of game records, open for appending, and locked against a second match. Use as a context.

    resume: whether a file that is there already is gone on with; `games` are those it has. What a crash left of the
    last game is cut off. Raises `MatchError` for a file that cannot be opened, is in use, holds anything else, or is
    there without `resume`.
    """

    def __init__(self, path: str | os.PathLike[str], settings: MatchSettings, *, resume: bool = False) -> None:
        self._settings = settings
        self._starts = settings.starts()
        self._path = os.fspath(path)
        self.games: list[Game] = []
        _check_names(settings)
        mode = stat.S_IFREG
        with contextlib.suppress(OSError, ValueError):  # of what is not there or is no path: `open` says what is wrong
            mode = os.stat(self._path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise MatchError(f"out: {shorten(self._path)} is no regular file, expected one, or a new name")
        try:
            self._file: IO[bytes] = open(self._path, "a+b", buffering=0)  # noqa: SIM115 - as long as this object
        except (OSError, ValueError) as error:  # a null character is a ValueError
            reason = getattr(error, "strerror", None) or error
            raise MatchError(f"out: {shorten(self._path)} cannot be opened, {reason}") from None
        try:
            self._lock()
            self._file.seek(0)
            if not resume and self._file.read(1):
                raise MatchError(f"out: {shorten(self._path)} is there already, expected a new file, or to resume it")
            self._file.seek(0)
            end, lacking = self._read()
            self._file.truncate(end)
            self._file.seek(0, os.SEEK_END)
            while lacking:
                lacking = lacking[self._file.write(lacking) :]
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> MatchFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, game: Game) -> None:
        """Write a game, all or nothing of it as far as this process is concerned; raises `OSError`."""
        text = "".join(f"{record}\n" for record in records_of(game, self._settings)).encode()
        end = self._file.seek(0, os.SEEK_END)
        try:
            while text:
                text = text[self._file.write(text) :]
        except BaseException:
            with contextlib.suppress(OSError):  # a half-written game is cut off when the file is resumed
                self._file.truncate(end)
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise MatchError(
                f"out: {shorten(self._path)} is in use by another match, expected a file of its own"
            ) from None

    def _read(self) -> tuple[int, bytes]:
        """Fill `games`; return where the last whole game ends, and what the file lacks of its end."""
        end = good = 0
        lacking = b""
        rounds: list[Round] = []
        current: tuple[int, int] | None = None
        seen: set[tuple[int, int]] = set()
        with open(self._path, "rb") as reader:
            for line, text, whole in _chunks(reader):
                end += len(text)
                if not whole:
                    lacking = self._lacking(line, text)
                    if not lacking:
                        break
                    text += lacking
                key, number, round_ = self._round(line, text)
                if number != len(rounds) or (rounds and key != current):
                    raise self._fault(
                        line, f"round {number + 1} of game {_name(*key)}, expected round {len(rounds) + 1}"
                    )
                if key in seen:
                    raise self._fault(line, f"game {_name(*key)} for the second time, expected it once")
                current = key
                rounds.append(round_)
                if round_.fault is not None or len(rounds) == len(self._starts):
                    seen.add(key)
                    self.games.append(Game(*key, tuple(rounds)))
                    rounds, good = [], end
        return good, lacking if good == end else b""

    def _lacking(self, line: int, text: bytes) -> bytes:
        """What makes the last, unfinished record whole; nothing if it lacks more than its last line's end and blank.

        Raises `MatchError` if it is not of this match, as far as can be told.
        """
        if not _HEAD.startswith(text[: len(_HEAD)]):
            raise MatchError(f"out: {shorten(self._path)} ends with something else, expected games of this match only")
        match = _MATCH_LINE.search(text)
        if match is not None:
            self._check_match(line, re.sub(r"\\(.)", r"\1", match[1].decode("utf-8", "replace")))
        lacking = b"\n" if text.endswith(b"\n") else b"\n\n"
        try:
            (record,) = read_records(io.BytesIO(text + lacking))
        except ValueError:
            return b""
        # The result is also a tag: only as the last word it says that no move is missing.
        return lacking if text.split()[-1] == record.result.encode() else b""

    def _round(self, line: int, text: bytes) -> tuple[tuple[int, int], int, Round]:
        """Read a record: pair and leg of the game, and number of the round, all from 0, and the round."""
        try:
            (record,) = read_records(io.BytesIO(text))
        except ValueError as error:  # a RecordError is one, and so is another number of records
            raise self._fault(line, f"{error}, expected a game of a match") from None
        tags = record.tags
        place = _ROUND.fullmatch(tags.get("Round", ""))
        if tags.get("Event") != _EVENT or place is None or record.result not in WINNER_OF or record.reason is None:
            raise self._fault(line, "no game of a match, expected only those")
        self._check_match(line, tags.get("Match", ""))
        number = int(place[3] or 1) - 1
        try:
            if number >= len(self._starts) or record.variant != self._starts[number].variant:
                raise MatchError(f"rules: {shorten(record.rules)}")
            return (int(place[1]) - 1, int(place[2]) - 1), number, _round_of(record)
        except ValueError as error:
            raise self._fault(line, f"{error}, expected a game as a match writes it") from None

    def _check_match(self, line: int, text: str) -> None:
        # What JSON makes of the values is what was written.
        mine = json.loads(self._settings.describe())
        try:
            theirs = json.loads(text)
        except (ValueError, RecursionError):
            theirs = None
        if not isinstance(theirs, dict):
            raise self._fault(line, "no settings of a match, expected a game as a match writes it")
        for key in sorted(mine.keys() | theirs.keys()):
            if mine.get(key) != theirs.get(key):
                told = f"{shorten(theirs.get(key))}, expected {shorten(mine.get(key))}"
                raise self._fault(line, f"a game of another match: {key} is {told}")

    def _fault(self, line: int, what: str) -> MatchError:
        return MatchError(f"out: {shorten(self._path)}, line {line}: {what}")


def records_of(game: Game, settings: MatchSettings) -> Iterator[GameRecord]:
    """Yield the records of a game's rounds, with all that is needed to read it again."""
    names = (settings.first, settings.second)
    for number, round_ in enumerate(game.rounds, 1):
        place = _name(game.pair, game.leg)
        tags = {
            "Event": _EVENT,
            "Round": f"{place}.{number}" if round_.variant.scored else place,
            "X": names[game.first_side],
            "O": names[game.first_side.other],
            "Seed": f"{settings.seed}/{game.pair}",
            "Opening": str(round_.opening),
            "XEffort": _effort_text(round_.efforts[Side.X]),
            "OEffort": _effort_text(round_.efforts[Side.O]),
        }
        if round_.detail:
            tags["Detail"] = "".join(c if c.isprintable() else " " for c in round_.detail)[:_LONGEST_DETAIL].strip()
        tags["Match"] = settings.describe()
        moves = tuple(
            RecordedMove.of(
                thought.played.move, thought.played.info, thought.seconds if ply >= round_.opening else None
            )
            for ply, thought in enumerate(round_.thoughts)
        )
        result = RESULT_OF[round_.winner]
        start = None if round_.start == round_.variant.start_fen else round_.start
        yield GameRecord(tags, round_.variant, start, moves, result, round_.reason, round_.points)


def _check_names(settings: MatchSettings) -> None:
    """Raise `MatchError` for players whose names, or settings that, cannot be written as tags."""
    for letter, tag, name in (("A", "X", settings.first), ("B", "O", settings.second)):
        try:
            check_tag(tag, name)
        except RecordError as error:
            raise MatchError(f"player {letter}: cannot be written to a file, {error}") from None
    try:
        check_tag("Match", settings.describe())
    except RecordError as error:
        letter, name = max(("A", settings.first), ("B", settings.second), key=lambda player: len(player[1]))
        raise MatchError(
            f"player {letter}: {shorten(name)} cannot be written to a file with the other settings, {error}"
        ) from None


def _name(pair: int, leg: int) -> str:
    return f"{pair + 1}.{leg + 1}"


def _round_of(record: GameRecord) -> Round:
    tags = record.tags
    moves = tuple(Thought(Played(move.move), move.seconds or 0.0) for move in record.moves)
    text = tags.get("Opening", "")
    opening = int(text) if _COUNT.fullmatch(text) else -1
    if not 0 <= opening <= len(moves):
        raise MatchError(f"Opening: {shorten(text)} of {len(moves)} moves")
    return Round(
        record.variant,
        record.start_fen or record.variant.start_fen,
        moves,
        opening,
        WINNER_OF[record.result],
        record.reason or "",
        tags.get("Detail", ""),
        record.points,
        (_read_effort(tags.get("XEffort", "")), _read_effort(tags.get("OEffort", ""))),
    )


def _effort_text(effort: Effort) -> str:
    numbers = zip(astuple(effort), _EFFORT_DIGITS, strict=True)
    return " ".join(str(min(max(number, 0), 10**digits - 1)) for number, digits in numbers)


def _read_effort(text: str) -> Effort:
    match = _EFFORT.fullmatch(text)
    if match is None:
        raise MatchError(f"effort: {shorten(text)}")
    return Effort(*map(int, match.groups()))


def _chunks(file: IO[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the number of its first line, the text, and whether it is whole, of each record.

    A whole one has two blocks, of tags and of moves, each with a blank line behind it.
    """
    block: list[bytes] = []
    blanks = 0
    first = 1
    for number, line in enumerate(file, 1):
        block.append(line)
        blanks += line == b"\n"
        if blanks == 2:
            yield first, b"".join(block), True
            block, blanks, first = [], 0, number + 1
    if block:
        yield first, b"".join(block), False
