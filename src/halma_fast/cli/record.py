"""`halma-fast record`: files of games checked, converted and counted. Guarded by tests/cli/test_record.py."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, Literal

import click

from halma_fast import RecordError, Side
from halma_fast.checks import shorten
from halma_fast.cli.files import whole_file
from halma_fast.cli.options import json_option
from halma_fast.cli.output import Disagreement, count, print_fields, print_json, print_table, print_text
from halma_fast.cli.progress import ProgressLine
from halma_fast.game_record import RESULTS, UNFINISHED, WINNER_OF
from halma_fast.records import Check, GameRecord, read_json, read_records, write_json, write_record

__all__ = ["record"]

Format = Literal["text", "json"]
OnError = Callable[[RecordError], object]

_UPDATE_EVERY: Final = 64  # games
_MOST_FAULTS: Final = 1000  # kept for JSON
_MOST_ROWS: Final = 30

_file_argument: Final = click.argument("file", default="-")
_from_option: Final = click.option(
    "--from",
    "source",
    type=click.Choice(["text", "json"]),
    help="The file's format: tags and numbered moves as in PGN, or a line of JSON a game. Default: as it looks.",
)
_check_option: Final = click.option(
    "--check",
    type=click.Choice(["result", "moves", "none"]),
    default="result",
    help="Also check that results follow from the moves (default), only that moves are legal, or only the form.",
)


@click.group(invoke_without_command=True)
@click.pass_context
def record(context: click.Context) -> None:
    """Check, convert and count files of game records."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@record.command()
@_file_argument
@_from_option
@_check_option
@json_option
def check(file: str, source: Format | None, check: Check, as_json: bool) -> None:
    """Check every game of FILE ("-": standard input).

    Prints each fault with its line and move; exit status 1 if there is one.
    """
    faults: list[str] = []
    bad = 0

    def fault(error: RecordError) -> None:
        nonlocal bad
        bad += 1
        if not as_json:
            print_text(str(error))
        elif len(faults) < _MOST_FAULTS:
            faults.append(str(error))

    good = sum(1 for _ in _games(file, source, check, fault))
    if as_json:
        print_json({"ok": bad == 0, "games": good, "faults": bad, "messages": faults})
    else:
        print_text(f"{count(good)} good {'game' if good == 1 else 'games'}, {count(bad)} with a fault")
    if bad:
        raise Disagreement(f"{count(bad)} of {count(good + bad)} games have a fault")


@record.command()
@_file_argument
@_from_option
@click.option("--to", "target", type=click.Choice(["text", "json"]), help="Default: the other format.")
@_check_option
@click.option(
    "--out", default="-", metavar="FILE", help="Where to write, whole or not at all. Default: standard output."
)
@click.option("--skip", is_flag=True, help="Leave games with a fault out instead of stopping at the first one.")
def convert(file: str, source: Format | None, target: Format | None, check: Check, out: str, skip: bool) -> None:
    """Write the games of FILE ("-": standard input) in another format."""
    left_out: list[int] = [0]

    def fault(error: RecordError) -> None:
        left_out[0] += 1

    with _opened(file) as opened:
        format_ = source or _format_of(file, opened)
        write = write_json if (target or ("text" if format_ == "json" else "json")) == "json" else write_record
        with whole_file(out) as destination:
            for game in _games_of(file, opened, format_, check, fault if skip else None):
                write(destination, game)
    if left_out[0]:
        raise Disagreement(f"left out {count(left_out[0])} {'game' if left_out[0] == 1 else 'games'} with a fault")


@record.command()
@_file_argument
@_from_option
@_check_option
@json_option
def stats(file: str, source: Format | None, check: Check, as_json: bool) -> None:
    """Count the games of FILE ("-": standard input): results, reasons, lengths, variants and players."""
    counted = Counted()
    for game in _games(file, source, check, None):
        counted.add(game)
    if as_json:
        print_json(counted.as_object())
    else:
        counted.show()


# Reading.


@contextlib.contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise click.UsageError("standard input cannot be read: it is closed")
        yield sys.stdin.buffer
        return
    try:
        file = open(path, "rb")  # noqa: SIM115 - the context below
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise click.UsageError(f"{_name(path)} cannot be read: {reason}") from None
    with file:
        yield file


def _format_of(path: str, file: IO[bytes]) -> Format:
    """Return what the first bytes look like, without taking them; a record in JSON begins with a quoted name."""
    try:
        head = file.peek(4096)[:4096]  # type: ignore[attr-defined]
    except OSError as error:
        raise click.UsageError(f"{_name(path)} cannot be read: {error.strerror or error}") from None
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "json" if head[:1] == b"{" and head[1:].lstrip()[:1] in (b'"', b"}") else "text"


def _games(path: str, source: Format | None, check: Check, on_error: OnError | None) -> Iterator[GameRecord]:
    with _opened(path) as file:
        yield from _games_of(path, file, source or _format_of(path, file), check, on_error)


def _games_of(
    path: str, file: IO[bytes], source: Format, check: Check, on_error: OnError | None
) -> Iterator[GameRecord]:
    """Yield the games and show how far the file is read."""
    read = read_json if source == "json" else read_records
    size = _size(file)
    with ProgressLine("reading") as line:
        number = 0
        try:
            for number, game in enumerate(read(file, check=check, on_error=on_error), 1):
                if line.wanted and number % _UPDATE_EVERY == 0:
                    line.update(f"{count(number)} games{f', {100 * file.tell() // size} %' if size else ''}")
                yield game
        except RecordError as error:
            raise RecordError(str(error) if path == "-" else f"{path}, {error}") from None
        except OSError as error:  # of reading: what happens where the games go does not come in here
            raise click.UsageError(f"{_name(path)} cannot be read: {error.strerror or error}") from None


def _name(path: str) -> str:
    return "standard input" if path == "-" else shorten(path)


def _size(file: IO[bytes]) -> int:
    """Return the bytes of a regular file, 0 for a pipe."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


# Counting.


class Counted:
    """What is counted of games; it grows with the players, variants and reasons and not with the games."""

    def __init__(self) -> None:
        self.results: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()
        self.variants: dict[str, Counter[str]] = {}
        self.players: dict[str, Counter[str]] = {}
        self.points = [0, 0]
        self.rounds = 0

    def add(self, game: GameRecord) -> None:
        """Count a game."""
        self.results[game.result] += 1
        self.reasons[game.reason or "none told"] += 1
        self.lengths[len(game.moves)] += 1
        rules = [f"{name}={str(value).lower()}" for name, value in game.rules.items()]
        title = " ".join([game.variant.name, *rules])
        variant = self.variants.setdefault(title, Counter())
        variant.update({game.result: 1, "games": 1, "moves": len(game.moves)})
        if game.points is not None:
            self.rounds += 1
            self.points[0] += game.points[0]
            self.points[1] += game.points[1]
        winner = WINNER_OF.get(game.result)
        for side in Side:
            name = game.tags.get(side.letter.upper())
            if name is not None:
                player = self.players.setdefault(name, Counter())
                player["games"] += 1
                if game.result != UNFINISHED:
                    player["draws" if winner is None else "wins" if winner is side else "losses"] += 1
                if game.points is not None:
                    player["points"] += game.points[side]

    def length(self) -> dict[str, float | int | None]:
        """Return the least, greatest, mean and median number of turns."""
        games = self.lengths.total()
        if not games:
            return {"least": None, "median": None, "mean": None, "greatest": None}
        ordered = sorted(self.lengths.items())
        middle, seen = (games + 1) // 2, 0
        for median, number in ordered:  # noqa: B007 - used after the loop
            seen += number
            if seen >= middle:
                break
        mean = sum(length * number for length, number in ordered) / games
        return {"least": ordered[0][0], "median": median, "mean": round(mean, 2), "greatest": ordered[-1][0]}

    def as_object(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return {
            "games": self.results.total(),
            "results": {result: self.results[result] for result in RESULTS},
            "reasons": dict(self.reasons.most_common()),
            "turns": self.length(),
            "points": {"rounds": self.rounds, "x": self.points[0], "o": self.points[1]},
            "variants": [
                {
                    "variant": title,
                    "games": each["games"],
                    "results": {result: each[result] for result in RESULTS},
                    "mean_turns": round(each["moves"] / each["games"], 2),
                }
                for title, each in _by_games(self.variants)
            ],
            "players": [
                {"name": name}
                | {key: each[key] for key in ("games", "wins", "draws", "losses")}
                | {"score": _score(each), "points": each["points"]}
                for name, each in _by_games(self.players)
            ],
        }

    def show(self) -> None:
        """Print the tables."""
        games = self.results.total()
        turns = self.length()
        fields = [
            ("games", count(games)),
            ("x wins", _part(self.results["1-0"], games)),
            ("o wins", _part(self.results["0-1"], games)),
            ("draws", _part(self.results["1/2-1/2"], games)),
            ("unfinished", _part(self.results["*"], games)),
        ]
        if games:
            fields.append(("turns", ", ".join(f"{name} {value}" for name, value in turns.items())))
        if self.rounds:
            fields.append(
                ("points", f"x {count(self.points[0])}, o {count(self.points[1])} in {count(self.rounds)} rounds")
            )
        print_fields(fields)
        self._table("reason", ("games",), [(name, count(number)) for name, number in self.reasons.most_common()])
        rows = []
        for title, each in _by_games(self.variants):
            numbers = (each["games"], each["1-0"], each["0-1"], each["1/2-1/2"])
            rows.append((title, *map(count, numbers), f"{each['moves'] / each['games']:.1f}"))
        self._table("variant", ("games", "x wins", "o wins", "draws", "turns"), rows)
        rows = []
        for name, each in _by_games(self.players):
            score = _score(each)
            numbers = (each["games"], each["wins"], each["draws"], each["losses"])
            rows.append((name, *map(count, numbers), "" if score is None else f"{100 * score:.1f} %"))
        self._table("player", ("games", "wins", "draws", "losses", "score"), rows)

    @staticmethod
    def _table(name: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
        if rows:
            print_text("")
            short = [(row[0] if len(row[0]) <= 60 else f"{row[0][:57]}...", *row[1:]) for row in rows[:_MOST_ROWS]]
            print_table((name, *header), short, "<" + ">" * len(header))
            if len(rows) > _MOST_ROWS:
                print_text(f"and {count(len(rows) - _MOST_ROWS)} more, all with --json")


def _by_games(counters: dict[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    return sorted(counters.items(), key=lambda item: (-item[1]["games"], item[0]))


def _score(player: Counter[str]) -> float | None:
    """Return the share of the points of decided games: a win 1, a draw a half."""
    decided = player["wins"] + player["draws"] + player["losses"]
    return round((player["wins"] + player["draws"] / 2) / decided, 4) if decided else None


def _part(number: int, games: int) -> str:
    return f"{count(number)} ({100 * number / games:.1f} %)" if games else count(number)
