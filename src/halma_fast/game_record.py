"""One recorded game: what is kept of it, its text in PGN's manner, and whether it is true.

Invariant: a `GameRecord` that exists can be written, and what is written is read back equal; whether its moves are
legal and its result follows is asked of `position` and `check`. Guarded by tests/records/test_game_record.py.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, cast

from halma_fast.checks import check_int, shorten
from halma_fast.errors import FenError, MoveError, RecordError, VariantError
from halma_fast.notation import format_fen, parse_fen
from halma_fast.position import Position
from halma_fast.recorded_move import (
    MAX_COMMENT,
    UNWRITABLE,
    RecordedMove,
    check_line,
    info_text,
    json_line,
    json_object,
    looks_like_info,
    move_object,
    parse_json,
    read_move_object,
)
from halma_fast.types import Outcome, Reason, Side
from halma_fast.variants import VARIANTS, Rules, Variant

__all__ = [
    "DRAW",
    "MAX_MOVES",
    "MAX_TAGS",
    "RESERVED",
    "RESULTS",
    "RESULT_OF",
    "UNFINISHED",
    "WINNER_OF",
    "GameRecord",
    "RecordedMoveError",
    "changed_rules",
    "check_tag",
    "first_ply",
    "place_of",
    "replay",
    "rule_tag",
    "variant_of",
]

DRAW: Final = "1/2-1/2"
UNFINISHED: Final = "*"
# Of x first.
RESULTS: Final = ("1-0", "0-1", DRAW, UNFINISHED)
RESULT_OF: Final[Mapping[Side | None, str]] = {Side.X: "1-0", Side.O: "0-1", None: DRAW}
# Of games that are finished.
WINNER_OF: Final[Mapping[str, Side | None]] = {result: winner for winner, result in RESULT_OF.items()}

MAX_MOVES: Final = 100_000
MAX_TAGS: Final = 256
_MAX_VALUE: Final = 4096
_WIDTH: Final = 80
_JSON_KEYS: Final = ("tags", "variant", "rules", "fen", "result", "reason", "points", "comment", "moves")

_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)


def rule_tag(rule: str) -> str:
    """Return the name of the tag that tells a rule: "goal_lock" is "GoalLock"."""
    return "".join(word.capitalize() for word in rule.split("_"))


_RULE_OF: Final = {rule_tag(rule): rule for variant in VARIANTS.values() for rule in variant.rules}
# The tags that say what fields of a record say.
RESERVED: Final = frozenset({"Variant", "Result", "Reason", "Points", "SetUp", "FEN", *_RULE_OF})


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it is kept; in Pulce a round. Raises `RecordError`.

    tags: names and values in their order (Event, Date, Round, X, O, ...), without those that the other fields are
    (`RESERVED`: Variant, Result, Reason, Points, SetUp, FEN and the rules); start_fen: where the game began, `None` for
    the variant's start; result: "1-0", "0-1", "1/2-1/2" or "*", x first; reason: a `Reason`'s value if the rules ended
    the game, or any other text; points: (x, o) of a round of Pulce; comment: what is said before the first move.
    """

    tags: Mapping[str, str] = field(hash=False)
    variant: Variant
    start_fen: str | None = None
    moves: tuple[RecordedMove, ...] = ()
    result: str = UNFINISHED
    reason: str | None = None
    points: tuple[int, int] | None = None
    comment: str = ""

    def __post_init__(self) -> None:
        set_ = functools.partial(object.__setattr__, self)
        set_("tags", _check_tags(self.tags))
        if type(self.variant) is not Variant:
            raise RecordError(f"variant: {shorten(self.variant)}, expected a Variant")
        changed_rules(self.variant)
        if self.start_fen is not None:
            set_("start_fen", _check_start(self.variant, self.start_fen))
        try:
            moves = tuple(self.moves)
        except Exception:  # a foreign iterable may raise anything
            moves = (None,)  # type: ignore[assignment]
        if len(moves) > MAX_MOVES or not all(type(move) is RecordedMove for move in moves):
            raise RecordError(f"moves: {shorten(self.moves)}, expected at most {MAX_MOVES} RecordedMove")
        set_("moves", moves)
        if not isinstance(self.result, str) or self.result not in RESULTS:
            raise RecordError(f"result: {shorten(self.result)}, expected one of {', '.join(RESULTS)}")
        if self.reason is not None:
            reason = check_line("reason", str(self.reason) if isinstance(self.reason, str) else self.reason, _MAX_VALUE)
            set_("reason", reason or None)
        if self.points is not None:
            set_("points", _check_points(self.variant, self.points))
        set_("comment", check_line("comment", self.comment, MAX_COMMENT))

    def __reduce__(self) -> tuple[Any, ...]:
        values = (self.variant, self.start_fen, self.moves, self.result, self.reason, self.points, self.comment)
        return GameRecord, (dict(self.tags), *values)

    @staticmethod
    def from_position(
        position: Position,
        tags: Mapping[str, str] | None = None,
        *,
        moves: Iterable[RecordedMove] | None = None,
        result: str | None = None,
        reason: str | None = None,
    ) -> GameRecord:
        """Return the record of a game as far as it was played: all moves that `position` remembers.

        moves: the same moves with what is told of them; result: default, and only possible value if the rules have
        ended the game, is the outcome's, else "*"; reason: default the outcome's; points: the outcome's.
        """
        if not isinstance(position, Position):
            raise RecordError(f"position: {shorten(position)}, expected a Position")
        played = position.move_stack
        recorded = tuple(RecordedMove(move) for move in played) if moves is None else tuple(moves)
        if moves is not None and [getattr(move, "move", None) for move in recorded] != played:
            raise RecordError(f"moves: {shorten(recorded)}, expected the {len(played)} moves of the position")
        root = position.copy()
        for _ in played:
            root.pop()
        outcome = position.outcome()
        if outcome is not None:
            if result is None:
                result = RESULT_OF[outcome.winner]
            if reason is None:
                reason = outcome.reason.value
        record = GameRecord(
            {} if tags is None else tags,
            position.variant,
            root.fen(),
            recorded,
            UNFINISHED if result is None else result,
            reason,
            None if outcome is None else outcome.points,
        )
        _check_outcome(record, outcome)
        return record

    def start(self) -> Position:
        """Return a new position, where the game began."""
        return Position(self.variant, fen=self.start_fen)

    def position(self) -> Position:
        """Return a new position at the end of the game, which remembers the moves.

        Raises `RecordError` that names the first move that is not legal.
        """
        return replay(self, {})

    def check(self) -> Position:
        """Return `position()` if result, reason and points agree with it, else raise `RecordError`.

        A game that the rules have ended has the result, reason and points (where told) of that outcome; one that they
        have not has no reason that is a `Reason`, and no points but (0, 0) unless somebody gave up.
        """
        position = self.position()
        self.check_outcome(position)
        return position

    def check_outcome(self, position: Position) -> None:
        """Raise `RecordError` unless result, reason and points agree with `position`, which the game came to."""
        _check_outcome(self, position.outcome())

    @property
    def rules(self) -> dict[str, str | int | bool | None]:
        """The rules that are not the variant's own, by name."""
        return dict(changed_rules(self.variant))

    def __str__(self) -> str:
        """Return the text in PGN's manner, which ends with a newline and has no blank line at its end."""
        lines = [f"[{name} {_quoted(value)}]" for name, value in self._all_tags()]
        return "\n".join([*lines, "", *_wrapped(self._words()), ""])

    def _all_tags(self) -> Iterable[tuple[str, str]]:
        yield from self.tags.items()
        yield "Result", self.result
        yield "Variant", self.variant.name
        for rule, value in changed_rules(self.variant):
            yield rule_tag(rule), str(value).lower()
        if self.start_fen is not None:
            yield "SetUp", "1"
            yield "FEN", self.start_fen
        if self.reason is not None:
            yield "Reason", self.reason
        if self.points is not None:
            yield "Points", f"{self.points[0]}-{self.points[1]}"

    def _words(self) -> Iterable[str]:
        """What may stand between blanks or line ends; a word that ends with a newline must end its line."""
        if self.comment:
            yield _comment_word(self.comment)
        ply = first_ply(self.variant, self.start_fen)
        for index, (move, score, depth, seconds, comment) in enumerate(self.moves, ply):
            if index % 2 and index > ply:
                yield move.text
            else:
                yield f"{index // 2 + 1}{'...' if index % 2 else '.'} {move.text}"
            info = info_text(score, depth, seconds)
            if info and comment and "}" not in comment:
                yield f"{{{info}, {comment}}}"
                continue
            if info:
                yield f"{{{info}}}"
            if comment:
                # A text that would be read as an info is marked as one that follows an empty info.
                plain = info or "}" in comment or not looks_like_info(comment)
                yield _comment_word(comment if plain else f", {comment}")
        yield self.result

    def to_json(self) -> str:
        """Return the record as one line of JSON, in ASCII, without a newline."""
        value = {
            "tags": dict(self.tags),
            "variant": self.variant.name,
            "rules": self.rules,
            "fen": self.start_fen,
            "result": self.result,
            "reason": self.reason,
            "points": self.points,
            "comment": self.comment,
            "moves": [move_object(move) for move in self.moves],
        }
        return json_line(value)

    @staticmethod
    def from_json(line: str | bytes) -> GameRecord:
        """Return the record that `to_json` wrote. Only "variant" must be there; raises `RecordError`."""
        value = json_object("record", parse_json(line), _JSON_KEYS)
        rules = json_object("rules", value.get("rules", {}), None)
        name = value.get("variant")
        if not isinstance(name, str):
            raise RecordError(f"variant: {shorten(name)}, expected the name of a variant")
        moves = value.get("moves", [])
        if not isinstance(moves, list):
            raise RecordError(f"moves: {shorten(moves)}, expected a list")
        points = value.get("points")
        return GameRecord(
            value.get("tags", {}),
            _made_variant(name, rules),
            value.get("fen"),
            tuple(read_move_object(index, move) for index, move in enumerate(moves)),
            value.get("result", UNFINISHED),
            value.get("reason"),
            tuple(points) if isinstance(points, list) else points,
            value.get("comment", ""),
        )


# Tags, variants and rules.


def check_tag(name: object, value: object) -> None:
    """Raise `RecordError` unless this may be a tag beside those of the fields."""
    if not isinstance(name, str) or not _TAG_NAME.fullmatch(name):
        raise RecordError(f"tag: {shorten(name)}, expected a name of up to 64 letters, digits and '_'")
    if name in RESERVED:
        raise RecordError(f"tag: {name} is told by a field of the record, expected another name")
    if not isinstance(value, str) or len(value) > _MAX_VALUE or UNWRITABLE.search(value):
        raise RecordError(
            f"tag {name}: {shorten(value)}, expected one line of at most {_MAX_VALUE} characters"
            " without control characters"
        )


def _check_tags(tags: object) -> Mapping[str, str]:
    try:
        checked = dict(tags) if isinstance(tags, Mapping) else None
    except Exception:  # a foreign mapping may raise anything
        checked = None
    if checked is None:
        raise RecordError(f"tags: {shorten(tags)}, expected a mapping of names to texts")
    if len(checked) > MAX_TAGS:
        raise RecordError(f"tags: {len(checked)} of them, expected at most {MAX_TAGS}")
    for name, value in checked.items():
        check_tag(name, value)
    return MappingProxyType(checked)


@functools.lru_cache(256)
def changed_rules(variant: Variant) -> tuple[tuple[str, str | int | bool | None], ...]:
    """Return the rules by which a variant differs from the one of its name, and in Pulce always who begins."""
    try:
        plain = Variant.named(variant.name)
        rules = variant.rules
        changed = tuple((rule, rules[rule]) for rule in rules if rule == "first" or rules[rule] != plain.rules[rule])
        if variant == plain.with_rules(**cast(Rules, dict(changed))):
            return changed
    except (VariantError, KeyError):
        pass
    raise RecordError(f"variant: {shorten(variant)}, expected one that its name and rules make again")


@functools.lru_cache(256)
def variant_of(name: str, tags: tuple[tuple[str, str], ...]) -> Variant:
    """Return the variant of the tags Variant and those of rules; raises `RecordError`."""
    try:
        plain = Variant.named(name).rules
    except VariantError as error:
        raise RecordError(f"tag Variant: {str(error).removeprefix('variant: ')}") from None
    rules: dict[str, object] = {}
    for tag, text in tags:
        rule = _RULE_OF[tag]
        # A rule whose default is a number or none takes a number or "none", and so on.
        default = plain.get(rule, "")
        if isinstance(default, bool):
            rules[rule] = {"true": True, "false": False}.get(text, text)
        elif isinstance(default, str):
            rules[rule] = text
        elif text == "none":
            rules[rule] = None
        else:
            rules[rule] = int(text) if re.fullmatch(r"[0-9]{1,12}", text, re.ASCII) else text
    return _made_variant(name, rules)


def _made_variant(name: str, rules: Mapping[str, object]) -> Variant:
    try:
        return Variant.named(name, **cast(Rules, dict(rules)))
    except VariantError as error:
        raise RecordError(str(error)) from None


def _check_start(variant: Variant, fen: object) -> str | None:
    """Return a position string in the form in which it is written, `None` for the start, or raise `RecordError`."""
    try:
        setup = parse_fen(variant, cast(str, fen))
    except FenError as error:
        raise RecordError(f"FEN: {error}") from None
    text = format_fen(variant, setup.men, setup.turn, setup.number)
    return None if text == variant.start_fen else text


def first_ply(variant: Variant, start_fen: str | None) -> int:
    """Return the ply of the first move: 2 * (move number - 1), and 1 more if `o` begins."""
    if start_fen is None:
        return int(variant.first)
    _, side, number = start_fen.split(" ")
    return 2 * (int(number) - 1) + (side == "o")


def _check_points(variant: Variant, points: object) -> tuple[int, int]:
    if not variant.scored:
        raise RecordError(f"points: {shorten(points)} in {variant.name}, expected none in a game without points")
    if not isinstance(points, tuple | list) or len(points) != 2:
        raise RecordError(f"points: {shorten(points)}, expected those of x and of o")
    return check_int(points[0], "points of x", 0, 3, RecordError), check_int(
        points[1], "points of o", 0, 3, RecordError
    )


# Whether a record is true.


def replay(record: GameRecord, chains: Mapping[int, str]) -> Position:
    """Return the position at the end; `chains` has the moves, by index, whose landings were written and are checked."""
    position = record.start()
    index = 0
    try:
        for index, recorded in enumerate(record.moves):
            position.push(recorded.move)
            if index in chains:
                position.pop()
                position.push(chains[index])
    except MoveError as error:
        place = place_of(first_ply(record.variant, record.start_fen) + index)
        raise RecordedMoveError(index, place, str(error).removeprefix("move: ")) from None
    return position


class RecordedMoveError(RecordError):
    """What is wrong with the move of this index, for whoever knows its line."""

    def __init__(self, index: int, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.index = index

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordError, (str(self),)


def place_of(ply: int) -> str:
    """Return how a message names the move of a ply, counted like `first_ply`: "move 12 of o"."""
    return f"move {ply // 2 + 1} of {'xo'[ply % 2]}"


def _check_outcome(record: GameRecord, outcome: Outcome | None) -> None:
    result, reason, points = record.result, record.reason, record.points
    if outcome is None:
        if reason is not None and reason in set(Reason):
            raise RecordError(f"reason: {reason!r}, expected another one, for the rules have not ended this game")
        return
    if result != RESULT_OF[outcome.winner]:
        raise RecordError(f"result: {result}, expected {RESULT_OF[outcome.winner]}, for {outcome}")
    if reason is not None and reason != outcome.reason.value:
        raise RecordError(f"reason: {shorten(reason)}, expected {outcome.reason.value!r}")
    if points is not None and points != outcome.points:
        raise RecordError(f"points: {points[0]}-{points[1]}, expected those of the end, {outcome}")


# The text.


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _comment_word(comment: str) -> str:
    """A comment in braces, or up to the end of the line if it has the brace that would end it."""
    return f";{comment}\n" if "}" in comment else f"{{{comment}}}"


def _wrapped(words: Iterable[str]) -> Iterable[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
        if line.endswith("\n"):
            yield line[:-1]
            line = ""
    if line:
        yield line
