"""Variants as data: board, camps, rules. The one place to add one: an entry of `_TABLE` at the end.

Invariant: a `Variant` that exists is consistent (camps on the board, disjoint and of the right size, rules with allowed
values), so that whatever is built from one needs no check of its own. Guarded by tests/unit/test_variants.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields, replace
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, Literal, TypedDict, Unpack, cast

from halma_fast.checks import check_bool, check_int, check_text, counted, shorten
from halma_fast.errors import FenError, VariantError
from halma_fast.notation import format_fen, parse_placement, parse_square, split_fen, square_name
from halma_fast.types import Side

__all__ = ["DEFAULT_VARIANT", "VARIANTS", "Rules", "Variant", "resolve"]

MIN_SIZE: Final = 3
MAX_SIZE: Final = 16
DEFAULT_VARIANT: Final = "halma16"
# How messages call the argument; the command line puts its options' names there.
ANY_VARIANT: Final = "a variant given with it"
_MAX_NAME_LENGTH: Final = 80

# Far above any game, and small enough for a 32-bit counter.
_MAX_TURNS: Final = 1_000_000_000

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"goal_lock": ("hop", "move", "none"), "win": ("full", "occupied")}
_RULES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "halma": ("goal_lock", "home_reentry", "home_duty", "win", "home_deadline", "max_turns", "repetition"),
    "pulce": ("max_turns", "repetition", "first"),
}
_PULCE_FLAGS: Final = ("frozen_goal", "orthogonal_entry", "enemy_goal_hops", "reply_move", "scored")
_CUSTOM_NAME: Final = re.compile(r"([1-9][0-9]?)x\1:([1-9][0-9]?(?:,[1-9][0-9]?)*)", re.ASCII)

Pair = tuple[frozenset[int], frozenset[int]]
_NO_SQUARES: Final[Pair] = (frozenset(), frozenset())


class Rules(TypedDict, total=False):
    """The rules that may be given by name; Halma has all but `first`, Pulce only the last three."""

    goal_lock: Literal["hop", "move", "none"]
    home_reentry: bool
    home_duty: bool
    win: Literal["full", "occupied"]
    home_deadline: int | None
    first: Side | Literal["x", "o"]
    max_turns: int | None
    repetition: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Variant:
    """A game as data. Squares are `16 * rank + file`; pairs are indexed by `Side`. Raises `VariantError`.

    Make one with `named`, `square` or `with_rules` rather than field by field.
    """

    name: str
    size: int
    holes: frozenset[int]
    start: Pair
    home: Pair
    goal: Pair
    family: Literal["halma", "pulce"] = "halma"
    # Rules of Halma; Pulce has the values "none", True, False, "full", None.
    goal_lock: Literal["hop", "move", "none"] = "hop"
    home_reentry: bool = True
    home_duty: bool = False  # men at home move first: out of it, else away from its corner, else the others
    win: Literal["full", "occupied"] = "full"
    home_deadline: int | None = None
    # Rules of both.
    max_turns: int | None = None
    repetition: int | None = 3
    # Rules of Pulce; Halma has the values given here.
    first: Side = Side.X
    frozen_goal: bool = False  # a man in its goal never moves again
    orthogonal_entry: bool = False  # no diagonal step or hop lands on an own goal square
    enemy_goal_hops: bool = True  # a hop may land on an enemy goal square
    reply_move: bool = False  # the side that did not begin has one more move
    scored: bool = False  # a round ends with points
    goal_edges: tuple[Pair, Pair] | None = None  # of each side, the two edges of its goal; mirrored by file <-> rank

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", check_text(self.name, "variant name", _MAX_NAME_LENGTH, VariantError))
        object.__setattr__(self, "size", check_int(self.size, "board size", MIN_SIZE, MAX_SIZE, VariantError))
        if not isinstance(self.family, str) or self.family not in _RULES_OF:
            raise VariantError(f"family: {shorten(self.family)}, expected 'halma' or 'pulce'")
        board = frozenset(16 * rank + file for rank in range(self.size) for file in range(self.size))
        object.__setattr__(self, "holes", _check_squares("holes", self.holes, board))
        for field in ("start", "home", "goal"):
            pair = _check_pair(field, getattr(self, field), board - self.holes)
            object.__setattr__(self, field, pair)
        for rule in (*_CHOICES, "home_reentry", "home_duty", "home_deadline", "max_turns", "repetition", "first"):
            object.__setattr__(self, rule, _check_rule(rule, getattr(self, rule)))
        for flag in _PULCE_FLAGS:
            check_bool(getattr(self, flag), flag, VariantError)
        _check_family(self)

    def __repr__(self) -> str:
        """Return the call that makes this variant, or its name if it was made field by field."""
        try:
            plain = Variant.named(self.name)
            rules = {rule: value for rule, value in self.rules.items() if value != plain.rules[rule]}
            if self == plain.with_rules(**cast(Rules, rules)):
                return f"Variant.named({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in rules.items())])})"
        except (VariantError, KeyError):
            pass
        return f"<Variant {self.name!r}, {self.size}x{self.size}, {self.men} men>"

    def __reduce__(self) -> tuple[type[Variant], tuple[Any, ...]]:
        # Through the constructor, so that what comes out of a pickle has been checked too.
        return Variant, tuple(getattr(self, field.name) for field in fields(self))

    @staticmethod
    def named(name: str, **rules: Unpack[Rules]) -> Variant:
        """Return a variant by its name, one of `VARIANTS` or a custom one like "5x5:3,2,1"."""
        text = check_text(name, "variant", _MAX_NAME_LENGTH, VariantError)
        variant = VARIANTS.get(text)
        if variant is None:
            custom = _CUSTOM_NAME.fullmatch(text)
            if custom is None:
                known = ", ".join(VARIANTS)
                raise VariantError(f"variant: {shorten(name)}, expected {known} or a custom board like '5x5:3,2,1'")
            return Variant.square(int(custom[1]), [int(row) for row in custom[2].split(",")], **rules)
        return variant.with_rules(**rules)

    @staticmethod
    def square(size: int, camp: Iterable[int] = (3, 2, 1), **rules: Unpack[Rules]) -> Variant:
        """Return Halma on a `size` x `size` board, 3..16, with `camp` squares a row counted from the corner outward."""
        board = check_int(size, "board size", MIN_SIZE, MAX_SIZE, VariantError)
        rows = _check_camp(board, camp)
        return _halma(f"{board}x{board}:{','.join(map(str, rows))}", board, rows).with_rules(**rules)

    @staticmethod
    def for_fen(fen: str) -> Variant:
        """Return the first named variant whose board has as many ranks as this position string; raises `FenError`.

        Also if its men do not fit that board: then the reason may be that another variant was meant.
        """
        placement = split_fen(fen)[0]
        ranks = placement.count("/") + 1
        for variant in VARIANTS.values():
            if variant.size == ranks:
                try:
                    parse_placement(variant, placement)
                except FenError as error:
                    raise FenError(f"{error} (read as {variant.name}, from its {ranks} ranks)") from None
                return variant
        of_size = {variant.size: variant.name for variant in reversed(_TABLE)}
        known = ", ".join(f"{size} ({of_size[size]})" for size in dict.fromkeys(variant.size for variant in _TABLE))
        has = counted(ranks, "rank")
        raise FenError(f"position string: {shorten(fen)} has {has}, expected {known}, or {ANY_VARIANT}")

    def with_rules(self, **rules: Unpack[Rules]) -> Variant:
        """Return this variant with other rules; raises `VariantError` for a rule the family does not have."""
        if not rules:
            return self
        for rule in rules:
            if rule not in _RULES_OF[self.family]:
                known = ", ".join(_RULES_OF[self.family])
                raise VariantError(f"rule: {shorten(rule)} does not apply to {self.name}, expected one of {known}")
        return replace(self, **rules)  # type: ignore[arg-type]

    @property
    def rules(self) -> dict[str, str | int | bool | None]:
        """The rules of this variant that can be chosen, by name, with their values."""
        values = {rule: getattr(self, rule) for rule in _RULES_OF[self.family]}
        if "first" in values:
            values["first"] = self.first.letter
        return values

    @property
    def men(self) -> int:
        """How many men each side has."""
        return len(self.start[0])

    @property
    def home_corners(self) -> tuple[int, int]:
        """The corner of each side's home camp: the one that its squares are nearest to.

        Between corners as near, x has the bottom-right one if it is among them and o the top-left one.
        """
        last = self.size - 1
        bottom_right, top_left, bottom_left, top_right = last, 16 * last, 0, 17 * last

        def nearest(home: frozenset[int], corners: tuple[int, ...]) -> int:
            return min(corners, key=lambda corner: sum(_distance(square, corner) for square in home))

        return (
            nearest(self.home[Side.X], (bottom_right, top_left, bottom_left, top_right)),
            nearest(self.home[Side.O], (top_left, bottom_right, bottom_left, top_right)),
        )

    @property
    def start_fen(self) -> str:
        """The position string of the start."""
        return format_fen(self, self.start, self.first, 1)


def resolve(variant: Variant | str | None = None, **rules: Unpack[Rules]) -> Variant:
    """Return the variant that a caller named, gave, or left out (then the default one), with the rules given."""
    if variant is None:
        variant = DEFAULT_VARIANT
    if isinstance(variant, Variant):
        return variant.with_rules(**rules)
    return Variant.named(variant, **rules)


def _check_rule(rule: str, value: object) -> object:
    if rule in _CHOICES:
        if not isinstance(value, str) or value not in _CHOICES[rule]:
            expected = " or ".join(map(repr, _CHOICES[rule]))
            raise VariantError(f"{rule}: {shorten(value)}, expected {expected}")
        return value
    if rule in ("home_reentry", "home_duty"):
        return check_bool(value, rule, VariantError)
    if rule == "first":
        if isinstance(value, Side):
            return value
        if not isinstance(value, str) or value not in ("x", "o"):
            raise VariantError(f"first: {shorten(value)}, expected Side.X, Side.O, 'x' or 'o'")
        return Side.from_letter(value)
    if value is None:
        return None
    if rule == "repetition":
        try:
            return check_int(value, rule, 3, 3, VariantError)
        except VariantError:
            raise VariantError(f"repetition: {shorten(value)}, expected 3 or None") from None
    return check_int(value, rule, 1, _MAX_TURNS, VariantError)


def _check_squares(field: str, value: object, board: frozenset[int]) -> frozenset[int]:
    if not isinstance(value, frozenset) or not value <= board:
        raise VariantError(f"{field}: {shorten(value)}, expected a frozenset of squares of the board")
    return frozenset(map(int, value))  # 16.0 and True are equal to squares without being integers


def _check_pair(field: str, value: object, board: frozenset[int]) -> Pair:
    if not isinstance(value, tuple) or len(value) != 2:
        raise VariantError(f"{field}: {shorten(value)}, expected a pair of frozensets of squares")
    first, second = (_check_squares(field, part, board) for part in value)
    if first & second:
        raise VariantError(
            f"{field}: the two sets overlap on {square_name(min(first & second))}, expected none in both"
        )
    return first, second


def _check_family(variant: Variant) -> None:
    """Refuse what the family has no meaning for, so that no rule is ignored silently, and sets of the wrong size."""
    fixed: dict[str, object]
    if variant.family == "halma":
        fixed = {"first": Side.X, "frozen_goal": False, "orthogonal_entry": False, "enemy_goal_hops": True}
        fixed |= {"reply_move": False, "scored": False, "goal_edges": None}
    else:
        fixed = {"goal_lock": "none", "home_reentry": True, "home_duty": False, "win": "full", "home_deadline": None}
        fixed |= {"home": _NO_SQUARES}
    for field, expected in fixed.items():
        value = getattr(variant, field)
        if value != expected:
            raise VariantError(f"{field}: {shorten(value)}, expected {expected!r} in the family {variant.family!r}")
    halma = variant.family == "halma"
    if not 1 <= variant.men == len(variant.start[Side.O]):
        counts = f"{variant.men} and {len(variant.start[Side.O])}"
        raise VariantError(f"start: {counts} men, expected the same number for both sides, at least 1")
    for side in Side:
        goal, home = len(variant.goal[side]), len(variant.home[side])
        if goal < variant.men or (halma and goal > variant.men):
            raise VariantError(f"goal of {side.letter}: {goal} squares, expected room for {variant.men} men")
        if halma and home != variant.men:
            raise VariantError(f"home of {side.letter}: {home} squares, expected {variant.men}, one for each man")
        common = variant.home[side] & variant.goal[side]
        if variant.home_duty and common:
            on = square_name(min(common))
            raise VariantError(f"home of {side.letter}: shares {on} with its goal, expected none with home_duty=True")
    if variant.scored:
        _check_edges(variant)


def _check_edges(variant: Variant) -> None:
    edges = variant.goal_edges
    if not isinstance(edges, tuple) or len(edges) != 2:
        raise VariantError(f"goal_edges: {shorten(edges)}, expected two edges for each side")
    for side in Side:
        first, second = _check_pair("goal_edges", edges[side], variant.goal[side])
        if first | second != variant.goal[side]:
            raise VariantError(f"goal_edges: {shorten(edges[side])}, expected all of the goal of {side.letter}")
        if {16 * (square & 15) + (square >> 4) for square in first} != second:
            raise VariantError(f"goal_edges: {shorten(edges[side])}, expected edges that are mirrored by file <-> rank")


def _check_camp(size: int, camp: object) -> tuple[int, ...]:
    """Return the camp's rows as integers, checked, or raise `VariantError`."""
    expected = f"1 to {size} row lengths from 1 to {size}, none longer than the one before"
    if not isinstance(camp, Iterable) or isinstance(camp, str | bytes | bytearray | Mapping | Set):
        raise VariantError(f"camp: {shorten(camp)}, expected a sequence of {expected}")
    try:
        given = list(islice(camp, MAX_SIZE + 1))  # bounded: the iterable may never end
    except Exception:  # a foreign iterator may raise anything
        raise VariantError(f"camp: {shorten(camp)}, expected a sequence of {expected}") from None
    if not 1 <= len(given) <= size:
        raise VariantError(f"camp: {shorten(camp)}, expected {expected}")
    rows: list[int] = []
    for index, row in enumerate(given):
        length = check_int(row, f"camp, row {index + 1}", 1, size, VariantError)
        if rows and length > rows[-1]:
            longer = f"row {index + 1} is longer than row {index}, {length} > {rows[-1]}"
            raise VariantError(f"camp: {longer}, expected no row longer than the one before")
        rows.append(length)
    o_camp, x_camp = _camps(size, tuple(rows))
    common = o_camp & x_camp
    if common:
        raise VariantError(f"camp: {shorten(tuple(rows))} overlaps on {square_name(min(common))} of a board of {size}")
    return tuple(rows)


def _camps(size: int, rows: tuple[int, ...]) -> Pair:
    """Return the camp in the top-left corner and the one in the bottom-right corner."""
    top = frozenset(16 * (size - 1 - index) + file for index, row in enumerate(rows) for file in range(row))
    bottom = frozenset(16 * index + size - 1 - file for index, row in enumerate(rows) for file in range(row))
    return top, bottom


def _halma(name: str, size: int, rows: tuple[int, ...]) -> Variant:
    """Halma: x from the bottom-right corner to the top-left one, o the reverse."""
    top, bottom = _camps(size, rows)
    return Variant(name, size, frozenset(), start=(bottom, top), home=(bottom, top), goal=(top, bottom))


def _csci561() -> Variant:
    """The rules of a course's homework that many public programs play: the first player, black there, starts top-left.

    Source: University of Southern California, CSCI 561, autumn 2019, homework 2 and its addendum against spoiling.
    """
    top, bottom = _camps(16, (5, 5, 4, 3, 2))
    return Variant(
        "csci561",
        16,
        frozenset(),
        start=(top, bottom),
        home=(top, bottom),
        goal=(bottom, top),
        goal_lock="move",
        home_reentry=False,
        home_duty=True,
        win="occupied",
    )


def _distance(a: int, b: int) -> int:
    return abs((a & 15) - (b & 15)) + abs((a >> 4) - (b >> 4))


def _squares(names: str) -> frozenset[int]:
    return frozenset(map(parse_square, names.split()))


def _pulce() -> Variant:
    edges = (
        (_squares("b1 c1 d1 e1 f1"), _squares("a2 a3 a4 a5 a6")),
        (_squares("b7 c7 d7 e7 f7"), _squares("g2 g3 g4 g5 g6")),
    )
    return Variant(
        "pulce",
        7,
        holes=_squares("a1 g1 a7 g7"),
        start=(_squares("e4 f4 d5 e5 f5 d6 e6 f6"), _squares("b2 c2 d2 b3 c3 d3 b4 c4")),
        home=_NO_SQUARES,
        goal=(edges[0][0] | edges[0][1], edges[1][0] | edges[1][1]),
        family="pulce",
        goal_lock="none",
        frozen_goal=True,
        orthogonal_entry=True,
        enemy_goal_hops=False,
        reply_move=True,
        scored=True,
        goal_edges=edges,
    )


_TABLE: Final[tuple[Variant, ...]] = (
    _halma("halma16", 16, (5, 5, 4, 3, 2)),
    _halma("halma10", 10, (5, 4, 3, 2, 1)),
    _halma("halma8", 8, (4, 3, 2, 1)),
    _pulce(),
    _csci561(),
)

VARIANTS: Final[Mapping[str, Variant]] = MappingProxyType({variant.name: variant for variant in _TABLE})
