"""Files of game records, read as streams and written one game at a time: in PGN's manner, or a line of JSON a game.

Invariant: reading holds one game at a time, and whatever the file holds, the only exception is a `RecordError` that
names the line, and the move if there is one. Guarded by tests/records/. The format: docs/records.md.
"""

from __future__ import annotations

import bisect
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import IO, Any, Final, Literal, Protocol

from halma_fast.checks import shorten
from halma_fast.errors import HalmaError, OptionError, RecordError
from halma_fast.game_record import (
    MAX_MOVES,
    MAX_TAGS,
    RESERVED,
    RESULTS,
    GameRecord,
    RecordedMoveError,
    check_tag,
    first_ply,
    place_of,
    replay,
    rule_tag,
    variant_of,
)
from halma_fast.move import Move
from halma_fast.notation import parse_move_text
from halma_fast.recorded_move import MAX_COMMENT, RecordedMove, with_info
from halma_fast.variants import VARIANTS, Variant

__all__ = ["Check", "GameRecord", "RecordedMove", "read_json", "read_records", "write_json", "write_record"]

# What is checked beyond the form: that moves are legal and the result is theirs, only the former, or nothing.
Check = Literal["result", "moves", "none"]
_CHECKS: Final = ("result", "moves", "none")

_LONGEST_LINE: Final = 1 << 20
_LONGEST_JSON: Final = 1 << 26
# A word ends before a blank or whatever begins another word.
_END: Final = r"(?=[\s{;\[(]|$)"
# A move with its number and the comment after it is one token, because that is what nearly all of a file is.
_TOKEN: Final = re.compile(
    r"(?:([0-9]{1,9}\.(?:\.\.)?)[ \t]*)?([a-p][0-9]{1,2}(?:-?[a-p][0-9]{1,2})+|pass)" + _END + r"(?:[ \t]*\{([^}]*)\})?"
    r"|\{(?P<comment>[^}]*)\}"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)" + _END + r"|(?P<number>[0-9]{1,9}(?:\.(?:\.\.)?)?)(?![0-9./-])"
    r'|(?P<tag>\[[ \t]*[A-Za-z][A-Za-z0-9_]*[ \t]+"(?:[^"\\]|\\["\\])*"[ \t]*\])'
    r"|\{(?P<open>[^}]*)$|;(?P<rest>.*)$|(?P<fault>[^\s;{]+|\S)",
    re.ASCII,
)
_TAG: Final = re.compile(r'\[[ \t]*([A-Za-z0-9_]+)[ \t]+"(.*)"[ \t]*\]', re.DOTALL)
_ESCAPED: Final = re.compile(r'\\(["\\])')
_POINTS: Final = re.compile(r"([0-3])-([0-3])", re.ASCII)
_EXPECTED: Final = "a move, a move number, a comment or the result"
_FIRST_OF_MOVES: Final = frozenset("0123456789abcdefghijklmnop*")
_RULE_TAGS: Final = frozenset(rule_tag(rule) for variant in VARIANTS.values() for rule in variant.rules)

File = str | os.PathLike[str] | IO[str] | IO[bytes]
OnError = Callable[[RecordError], object]


class Writable(Protocol):
    """A text file that is written to."""

    def write(self, text: str, /) -> object: ...


def write_record(file: Writable, record: GameRecord) -> None:
    """Write a record and the blank line that follows it, in one call of `file.write`."""
    _check_written(file, record)
    file.write(f"{record}\n")


def write_json(file: Writable, record: GameRecord) -> None:
    """Write a record as one line of JSON."""
    _check_written(file, record)
    file.write(f"{record.to_json()}\n")


def read_records(file: File, *, check: Check = "result", on_error: OnError | None = None) -> Iterator[GameRecord]:
    """Yield the games of a file in PGN's manner one by one.

    file: a path, or a file open for reading, text or UTF-8 bytes; check: "result": the moves are legal and result,
    reason and points agree with them; "moves": only the former; "none": only the form, several times as fast.
    Raises `RecordError` at the first fault; with `on_error`, that is called with it instead, the game is left out, and
    reading goes on with the next one. `OSError` if the file cannot be read, `OptionError` for an unknown `check`.
    """
    _check_arguments(file, check, on_error)
    return _Reader(check, on_error).games(_lines(file, _LONGEST_LINE))


def read_json(file: File, *, check: Check = "result", on_error: OnError | None = None) -> Iterator[GameRecord]:
    """Yield the games of a file that has one line of JSON for each; blank lines are skipped. Else as `read_records`."""
    _check_arguments(file, check, on_error)
    return _json_games(file, check, on_error)


def _check_written(file: object, record: object) -> None:
    if not isinstance(record, GameRecord):
        raise OptionError(f"record: {shorten(record)}, expected a GameRecord")
    if not callable(getattr(file, "write", None)):
        raise OptionError(f"file: {shorten(file)}, expected a text file open for writing")


def _check_arguments(file: object, check: Check, on_error: OnError | None) -> None:
    named = isinstance(file, str | os.PathLike)
    if (named and "\0" in str(file)) or not (named or callable(getattr(file, "readline", None))):
        raise OptionError(f"file: {shorten(file)}, expected a path or a file open for reading")
    if not isinstance(check, str) or check not in _CHECKS:
        raise OptionError(f"check: {shorten(check)}, expected one of {', '.join(map(repr, _CHECKS))}")
    if on_error is not None and not callable(on_error):
        raise OptionError(f"on_error: {shorten(on_error)}, expected a function of an error")


def _json_games(file: File, check: Check, on_error: OnError | None) -> Iterator[GameRecord]:
    for number, raw in _lines(file, _LONGEST_JSON):
        try:
            line = _decoded(raw, number == 1)
            if not line.strip(" \t\r\n"):
                continue
            record = GameRecord.from_json(line)
            _verify(record, check, {})
        except RecordError as error:
            fault = _at(number, error)
            if on_error is None:
                raise fault from None
            on_error(fault)
            continue
        yield record


def _lines(file: File, longest: int) -> Iterator[tuple[int, str | bytes | None]]:
    """Yield numbered lines; `None` for one that is too long to be one."""
    with ExitStack() as stack:
        source: Any = stack.enter_context(open(file, "rb")) if isinstance(file, str | os.PathLike) else file
        readline = source.readline
        number = 0
        while line := readline(longest):
            number += 1
            if len(line) < longest:
                yield number, line
                continue
            newline = b"\n" if isinstance(line, bytes) else "\n"
            while line and not line.endswith(newline):
                line = readline(longest)
            yield number, None


def _decoded(raw: str | bytes | None, first: bool) -> str:
    if raw is None:
        raise RecordError("a line without end, expected game records")
    if isinstance(raw, str):
        return raw.removeprefix("\ufeff") if first else raw
    try:
        return raw.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1}: {raw[error.start]:#04x}, expected UTF-8") from None


def _at(line: int, error: RecordError) -> RecordError:
    return RecordError(f"line {line}{',' if str(error).startswith('move ') else ':'} {error}")


def _verify(record: GameRecord, check: Check, chains: dict[int, str]) -> None:
    if check != "none":
        position = replay(record, chains)
        if check == "result":
            record.check_outcome(position)


# The moves of two squares that have been read, by their text: never more than there are such texts.
_KNOWN: Final[dict[str, RecordedMove]] = {}


def _move_of(text: str) -> tuple[RecordedMove, bool]:
    """Return the move that a text names, and whether its landings are written."""
    squares = parse_move_text(text)
    recorded = RecordedMove(Move.from_text(text))
    if len(squares) <= 2:
        _KNOWN[text] = recorded
    return recorded, len(squares) > 2


class _Game:
    """What has been read of a game."""

    __slots__ = (
        *("chains", "comment", "commented", "marks", "moves"),
        *("ply", "start_fen", "tag_lines", "tags", "variant"),
    )

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.variant: Variant | None = None  # known from the first word after the tags on
        self.start_fen: str | None = None
        self.ply = 0  # of the next move
        self.moves: list[RecordedMove] = []
        self.marks: list[tuple[int, int]] = []  # of each line, how many moves stand before it, and its number
        self.chains: dict[int, str] = {}
        self.comment = ""  # before the first move
        self.commented = False  # since the last move


class _Reader:
    """Reads word by word; the one state between lines is the game and a comment that has not ended."""

    def __init__(self, check: Check, on_error: OnError | None) -> None:
        self.check: Check = check
        self.on_error = on_error
        self.game = _Game()
        self.line = 0
        self.comment: list[str] | None = None  # the parts of one that is still open
        self.comment_line = self.comment_length = 0

    def games(self, lines: Iterator[tuple[int, str | bytes | None]]) -> Iterator[GameRecord]:
        # After a fault: whether words other than tags have been seen, so that the next tag begins a game.
        skipping: bool | None = None
        for number, raw in lines:
            self.line = number
            try:
                line = _decoded(raw, number == 1)
                if skipping is not None:
                    if line[:1] != "[":
                        skipping = skipping or not line.isspace()
                        continue
                    if not skipping:
                        continue
                    skipping = None
                if self.comment is not None:
                    line = self._go_on(line)
                elif line[:1] == "%":
                    continue
                elif line[:1] == "[" and self.game.variant is not None:
                    unended, self.game = self._place(), _Game()  # with `on_error`, this line begins the next game
                    fault = RecordError(f"{unended}the next game begins, expected the result before it")
                    if self.on_error is None:
                        raise fault
                    self._report(fault)
                yield from self._words(line)
            except RecordError as error:
                self._report(error)
                if skipping is None:
                    skipping = self.game.variant is not None or (raw is not None and raw[:1] not in ("[", b"["))
                self.game = _Game()
                self.comment = None
        if skipping is None:
            self._end()

    def _report(self, error: RecordError) -> None:
        """Hand a fault to `on_error`, with its line, or raise it."""
        fault = error if isinstance(error, _LocatedError) else _at(self.line, error)
        plain = RecordError(str(fault))
        if self.on_error is None:
            raise plain from None
        self.on_error(plain)

    def _end(self) -> None:
        """The end of the file, which must not be within a game."""
        if self.comment is not None:
            self._report(_LocatedError(f"line {self.comment_line}: a comment without its '}}'"))
        elif self.game.tags:
            self._report(RecordError(f"{self._place()}the file ends within a game, expected {_EXPECTED}"))

    def _go_on(self, line: str) -> str:
        """Add a line to the open comment; returns what follows it."""
        assert self.comment is not None
        text, brace, rest = line.partition("}")
        self.comment.append(text.strip(" \t\r\n"))
        self.comment_length += len(text) + 1
        if self.comment_length > MAX_COMMENT:
            raise _LocatedError(f"line {self.comment_line}: a comment of more than {MAX_COMMENT} characters")
        if not brace:
            return ""
        whole = " ".join(part for part in self.comment if part)
        self.comment = None
        self._add_comment(whole)
        return rest

    def _only_moves(self, line: str) -> str | None:
        """Read a line of nothing but numbers, known moves and a result at the end, several times as fast as by tokens.

        Returns the result, "" if there is none, `None` for another line, of which nothing has been read then.
        """
        game = self.game
        if game.variant is None:
            if not game.tags:
                return None
            self._begin()
        ply = game.ply
        moves = []
        words = line.split()
        result = words.pop() if words and words[-1] in RESULTS else ""
        for word in words:
            recorded = _KNOWN.get(word)
            if recorded is not None:
                moves.append(recorded)
                ply += 1
            elif ply % 2 or word != f"{ply // 2 + 1}.":
                return None
        if len(game.moves) + len(moves) > MAX_MOVES:
            return None
        if moves:
            game.moves += moves
            game.ply = ply
            game.commented = False
        return result

    def _words(self, line: str) -> Iterator[GameRecord]:
        game = self.game
        game.marks.append((len(game.moves), self.line))
        if line[:1] in _FIRST_OF_MOVES and "{" not in line and line.isascii():
            result = self._only_moves(line)
            if result:
                yield self._finish(result)
                self.game = _Game()
            if result is not None:
                return
        for match in _TOKEN.finditer(line):
            number, move, comment = match.group(1, 2, 3)
            if move is not None:
                if number is not None:
                    self._check_number(number)
                self._add_move(move)
                if comment is not None:
                    self._add_comment(comment.strip(" \t"))
                continue
            kind = match.lastgroup
            if kind == "number":
                self._check_number(match["number"])
            elif kind == "comment":
                self._add_comment(match["comment"].strip(" \t"))
            elif kind == "result":
                yield self._finish(match["result"])
                game = self.game = _Game()
                game.marks.append((0, self.line))
            elif kind == "tag":
                self._add_tag(match["tag"])
            elif kind == "rest":
                self._add_text(match["rest"].strip(" \t\r\n"))
            elif kind == "open":
                self.comment = [match["open"].strip(" \t\r\n")]
                self.comment_line, self.comment_length = self.line, 0
            else:
                word = match["fault"]
                if word[0] == "[":
                    raise RecordError(f'{shorten(word)}, expected a tag like [Name "text"]')
                raise RecordError(f"{self._place()}{shorten(word)}, expected {_EXPECTED if game.tags else 'a tag'}")

    def _place(self) -> str:
        """Where in the game the next move belongs, for messages."""
        game = self.game
        return "" if game.variant is None else f"{place_of(game.ply)}: "

    def _add_tag(self, text: str) -> None:
        game = self.game
        match = _TAG.fullmatch(text)
        assert match is not None
        name, value = match[1], match[2]
        if "\\" in value:
            value = _ESCAPED.sub(r"\1", value)
        if game.variant is not None:
            raise RecordError(f"{self._place()}tag {name}, expected the result before the next game")
        if name in game.tags:
            raise RecordError(f"tag {name}: twice, first on line {game.tag_lines[name]}")
        if name not in RESERVED:
            check_tag(name, value)
        if len(game.tags) >= 2 * MAX_TAGS:  # those of the fields included
            raise RecordError(f"tag {name}: one of more than {2 * MAX_TAGS}, expected fewer")
        game.tags[name] = value
        game.tag_lines[name] = self.line

    def _begin(self) -> None:
        """Understand the tags, at the first word after them."""
        game = self.game
        tags = game.tags
        if "Variant" not in tags:
            raise RecordError("the moves of a game without a tag Variant, expected one")
        rules = tuple((name, value) for name, value in tags.items() if name in _RULE_TAGS)
        variant = variant_of(tags["Variant"], rules)
        setup, fen = tags.get("SetUp"), tags.get("FEN")
        if setup is not None and setup != ("0" if fen is None else "1"):
            raise _LocatedError(
                f"line {game.tag_lines['SetUp']}: tag SetUp: {shorten(setup)}, expected '1' with a tag FEN, else '0'"
            )
        if fen is not None:
            try:
                game.start_fen = GameRecord({}, variant, fen).start_fen
            except RecordError as error:
                raise _LocatedError(f"line {game.tag_lines['FEN']}: tag {error}") from None
        game.ply = first_ply(variant, game.start_fen)
        game.variant = variant

    def _check_number(self, text: str) -> None:
        game = self.game
        if game.variant is None:
            self._begin()
        if game.ply % 2 == 0 and text == f"{game.ply // 2 + 1}.":
            return
        number = text.rstrip(".")
        dots = len(text) - len(number)
        if int(number) != game.ply // 2 + 1 or (dots == 3) != (game.ply % 2 == 1):
            expected = f"{game.ply // 2 + 1}{'.' if game.ply % 2 == 0 else '...'}"
            raise RecordError(f"{self._place()}number {text}, expected {expected}")

    def _add_move(self, text: str) -> None:
        game = self.game
        if game.variant is None:
            self._begin()
        recorded = _KNOWN.get(text)
        if recorded is None:
            try:
                recorded, is_chain = _move_of(text)
            except HalmaError as error:
                raise RecordError(f"{self._place()}{str(error).removeprefix('move: ')}") from None
            if is_chain:
                game.chains[len(game.moves)] = text
        if len(game.moves) >= MAX_MOVES:
            raise RecordError(f"{self._place()}a game of more than {MAX_MOVES} moves")
        game.moves.append(recorded)
        game.ply += 1
        game.commented = False

    def _add_comment(self, text: str) -> None:
        """A comment in braces: the first one after a move may begin with score, depth and time."""
        game = self.game
        if game.moves and not game.commented:
            try:
                game.moves[-1] = with_info(game.moves[-1].move, text.replace("\t", " "))
            except RecordError as error:
                raise RecordError(f"{self._last_place()}{error}") from None
            game.commented = True
        else:
            self._add_text(text)

    def _add_text(self, text: str) -> None:
        """What is said of the last move, or of the game if there is none yet; between games it is about the file."""
        game = self.game
        text = text.replace("\t", " ")
        if game.moves:
            move, score, depth, seconds, comment = game.moves[-1]
            whole = f"{comment} {text}" if comment else text
            try:
                game.moves[-1] = RecordedMove(move, score, depth, seconds, whole)
            except RecordError as error:
                raise RecordError(f"{self._last_place()}{error}") from None
            game.commented = True
        elif game.tags:
            game.comment = f"{game.comment} {text}".strip(" ")
            if len(game.comment) > MAX_COMMENT:
                raise RecordError(f"a comment of more than {MAX_COMMENT} characters")

    def _last_place(self) -> str:
        ply = self.game.ply - 1
        return f"move {ply // 2 + 1} of {'xo'[ply % 2]}: "

    def _finish(self, result: str) -> GameRecord:
        game = self.game
        if game.variant is None:
            self._begin()
        assert game.variant is not None
        tags = game.tags
        told = tags.get("Result", result)
        if told != result:
            raise RecordError(
                f"result: {result}, expected {shorten(told)} as in the tag of line {game.tag_lines['Result']}"
            )
        points = None
        if "Points" in tags:
            match = _POINTS.fullmatch(tags["Points"])
            if match is None:
                raise _LocatedError(
                    f"line {game.tag_lines['Points']}: tag Points: {shorten(tags['Points'])}, expected those of x"
                    " and of o, like '2-0'"
                )
            points = int(match[1]), int(match[2])
        record = GameRecord(
            {name: value for name, value in tags.items() if name not in RESERVED},
            game.variant,
            game.start_fen,
            tuple(game.moves),
            result,
            tags.get("Reason"),
            points,
            game.comment,
        )
        try:
            _verify(record, self.check, game.chains)
        except RecordedMoveError as error:
            line = game.marks[bisect.bisect_right(game.marks, (error.index, sys.maxsize)) - 1][1]
            raise _LocatedError(f"line {line}, {error}") from None
        return record


class _LocatedError(RecordError):
    """A fault whose message has its line already."""
