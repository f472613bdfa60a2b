"""A variant that exists is consistent, and every inconsistent one is refused with a message that says what is wrong."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from halma_fast.checks import shorten
from halma_fast.errors import FenError, VariantError
from halma_fast.notation import parse_square
from halma_fast.types import Side
from halma_fast.variants import DEFAULT_VARIANT, VARIANTS, Variant, resolve

START_FENS = {
    "halma16": "ooooo11/ooooo11/oooo12/ooo13/oo14/16/16/16/16/16/16/14xx/13xxx/12xxxx/11xxxxx/11xxxxx x 1",
    "halma10": "ooooo5/oooo6/ooo7/oo8/o9/9x/8xx/7xxx/6xxxx/5xxxxx x 1",
    "halma8": "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1",
    "pulce": "-5-/3xxx1/3xxx1/1oo1xx1/1ooo3/1ooo3/-5- x 1",
    "csci561": "xxxxx11/xxxxx11/xxxx12/xxx13/xx14/16/16/16/16/16/16/14oo/13ooo/12oooo/11ooooo/11ooooo x 1",
}

HUGE = 10**5000  # Python refuses to print it
ALL = list(VARIANTS.values())
CUSTOM = [
    Variant.square(3, camp=(1,)),
    Variant.square(4, camp=(2, 1)),
    Variant.square(5),
    Variant.square(4, camp=(4, 4)),
    Variant.square(16, camp=(16, 16, 3)),
]


def squares(names: str) -> frozenset[int]:
    return frozenset(parse_square(name) for name in names.split())


@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.name)
def test_a_named_variant_starts_as_the_rules_say(variant: Variant) -> None:
    assert variant.start_fen == START_FENS[variant.name]
    assert Variant.named(variant.name) is variant


def test_a_position_string_alone_is_of_the_first_variant_with_its_board() -> None:
    for name in ("halma16", "halma10", "halma8", "pulce"):
        assert Variant.for_fen(START_FENS[name]) is VARIANTS[name]
    assert Variant.for_fen(START_FENS["csci561"]) is VARIANTS["halma16"]


def test_the_table_of_variants_cannot_be_changed() -> None:
    assert list(VARIANTS) == ["halma16", "halma10", "halma8", "pulce", "csci561"]
    with pytest.raises(TypeError):
        VARIANTS["x"] = ALL[0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "men"), [("halma16", 19), ("halma10", 15), ("halma8", 10), ("pulce", 8), ("csci561", 19)]
)
def test_a_named_variant_has_its_number_of_men(name: str, men: int) -> None:
    assert VARIANTS[name].men == men
    assert all(len(start) == men for start in VARIANTS[name].start)


@pytest.mark.parametrize("variant", [v for v in ALL if v.family == "halma"] + CUSTOM, ids=lambda v: v.name)
def test_in_halma_each_side_starts_at_home_and_its_goal_is_the_home_of_the_other(variant: Variant) -> None:
    assert variant.start == variant.home
    assert variant.goal == (variant.home[1], variant.home[0])
    corner = 16 * (variant.size - 1) + variant.size - 1
    assert {corner - square for square in variant.home[0]} == variant.home[1]


def test_a_camp_is_counted_in_rows_from_the_corner_outward() -> None:
    variant = Variant.square(5, camp=(3, 2, 1))
    assert variant.home[Side.X] == squares("c1 d1 e1 d2 e2 e3")
    assert variant.home[Side.O] == squares("a5 b5 c5 a4 b4 a3")
    assert Variant.square(4, camp=(3,)).home[Side.X] == squares("b1 c1 d1")


def test_csci561_is_halma16_with_the_sides_exchanged_under_the_rules_of_the_homework() -> None:
    homework, plain = VARIANTS["csci561"], VARIANTS["halma16"]
    assert homework.home == homework.start == homework.goal[::-1] == plain.home[::-1]
    changed = {rule: value for rule, value in homework.rules.items() if value != plain.rules[rule]}
    assert changed == {"goal_lock": "move", "home_reentry": False, "home_duty": True, "win": "occupied"}


@pytest.mark.parametrize("variant", [v for v in ALL if v.family == "halma"] + CUSTOM, ids=lambda v: v.name)
def test_the_corner_of_a_home_is_the_one_its_camp_is_counted_from(variant: Variant) -> None:
    bottom_right, top_left = variant.size - 1, 16 * (variant.size - 1)
    expected = (top_left, bottom_right) if variant.name == "csci561" else (bottom_right, top_left)
    assert variant.home_corners == expected


def test_pulce_is_the_board_of_the_rule_sheet() -> None:
    pulce = VARIANTS["pulce"]
    assert pulce.holes == squares("a1 g1 a7 g7")
    assert pulce.goal[Side.X] == squares("b1 c1 d1 e1 f1 a2 a3 a4 a5 a6")
    assert pulce.goal[Side.O] == squares("b7 c7 d7 e7 f7 g2 g3 g4 g5 g6")
    assert pulce.home == (frozenset(), frozenset())
    assert (pulce.frozen_goal, pulce.orthogonal_entry, pulce.reply_move, pulce.scored) == (True, True, True, True)
    assert pulce.enemy_goal_hops is False


def test_the_edges_of_a_pulce_goal_are_mirror_images_in_the_diagonal() -> None:
    edges = VARIANTS["pulce"].goal_edges
    assert edges is not None
    for first, second in edges:
        assert {16 * (square & 15) + (square >> 4) for square in first} == second


def test_rules_default_to_the_documented_ones() -> None:
    assert VARIANTS["halma8"].rules == {
        "goal_lock": "hop",
        "home_reentry": True,
        "home_duty": False,
        "win": "full",
        "home_deadline": None,
        "max_turns": None,
        "repetition": 3,
    }
    assert VARIANTS["pulce"].rules == {"max_turns": None, "repetition": 3, "first": "x"}


def test_rules_change_only_what_they_name() -> None:
    variant = Variant.named("halma8", win="occupied", home_deadline=np.int32(30))  # type: ignore[arg-type]
    assert variant == dataclasses.replace(VARIANTS["halma8"], win="occupied", home_deadline=30)
    assert type(variant.home_deadline) is int
    assert variant.with_rules(win="full", home_deadline=None) == VARIANTS["halma8"]
    assert variant.with_rules() is variant


@pytest.mark.parametrize("first", [Side.O, "o"])
def test_in_pulce_either_side_may_begin(first: Any) -> None:
    variant = Variant.named("pulce", first=first)
    assert variant.first is Side.O
    assert variant.start_fen.endswith(" o 1")


@pytest.mark.parametrize(
    ("rule", "value"),
    [("goal_lock", value) for value in ("Hop", "", None, 1, ["hop"])]
    + [("win", value) for value in ("FULL", None, True, "x" * 10**6)]
    + [(rule, value) for rule in ("home_reentry", "home_duty") for value in (0, 1, None, "yes")]
    + [(rule, value) for rule in ("home_deadline", "max_turns") for value in (0, -1, True, 1.0, "5", 10**10, HUGE)]
    + [("repetition", value) for value in (0, 1, 2, 4, True, 3.0, "3")],
    ids=shorten,
)
def test_a_rule_with_a_wrong_value_is_refused_by_name(rule: str, value: object) -> None:
    rules: Any = {rule: value}
    for make in (lambda: Variant.named("halma8", **rules), lambda: VARIANTS["halma8"].with_rules(**rules)):
        with pytest.raises(VariantError, match=f"^{rule}: .*expected"):
            make()


@pytest.mark.parametrize("first", ["X", "", 0, 1, None, True, "xo"])
def test_a_wrong_beginner_is_refused(first: Any) -> None:
    with pytest.raises(VariantError, match=r"^first: "):
        Variant.named("pulce", first=first)


@pytest.mark.parametrize(
    "rule", ["goal_lock", "home_reentry", "home_duty", "win", "home_deadline", "frozen_goal", "size", "nonsense"]
)
def test_pulce_refuses_the_rules_it_does_not_have(rule: str) -> None:
    rules: Any = {rule: VARIANTS["pulce"].rules.get(rule)}
    with pytest.raises(VariantError, match=f"'{rule}' does not apply to pulce"):
        Variant.named("pulce", **rules)


@pytest.mark.parametrize("rule", ["first", "frozen_goal", "scored", "size", "nonsense"])
def test_halma_refuses_the_rules_it_does_not_have(rule: str) -> None:
    rules: Any = {rule: Side.X}
    with pytest.raises(VariantError, match=f"'{rule}' does not apply to halma8"):
        Variant.named("halma8", **rules)


@pytest.mark.parametrize(
    "name", ["", "halma", "Halma16", "x" * 10**6, None, 16, b"pulce", "5x6:2,1", "5x5", "5x5:"], ids=shorten
)
def test_an_unknown_name_is_refused_with_the_known_ones(name: Any) -> None:
    with pytest.raises(VariantError, match=r"^variant: .*expected"):
        Variant.named(name)


@pytest.mark.parametrize("variant", CUSTOM, ids=lambda variant: variant.name)
def test_the_name_of_a_custom_board_names_it(variant: Variant) -> None:
    assert Variant.named(variant.name) == variant


@pytest.mark.parametrize("camp", [(3, 2, 1), [3, 2, 1], np.array([3, 2, 1]), iter((3, 2, 1)), range(3, 0, -1)])
def test_a_camp_may_be_any_sequence_of_integers(camp: Any) -> None:
    assert Variant.square(5, camp=camp).name == "5x5:3,2,1"


@pytest.mark.parametrize("size", [2, 17, 0, -5, True, 5.0, "5", None, HUGE], ids=shorten)
def test_a_board_size_out_of_range_is_refused(size: Any) -> None:
    with pytest.raises(VariantError, match=r"^board size: .*from 3 to 16"):
        Variant.square(size, camp=(1,))


@pytest.mark.parametrize(
    "camp",
    [
        *((), (0,), (-1,), (6,), (1, 2), (2, 2, 3), (1, 1, 1, 1, 1, 1), iter(lambda: 1, 0)),
        *("321", b"321", {3, 2, 1}, {3: 1}, OrderedDict({2: 0, 1: 0}), None, 3),
        *((True,), (1.0,), ("1",), (None,), ((1,),), (HUGE,)),
    ],
    ids=lambda camp: shorten(camp).split(" at 0x")[0],  # an address would name the test anew in every process
)
def test_a_camp_that_is_no_staircase_is_refused(camp: Any) -> None:
    with pytest.raises(VariantError, match=r"^camp"):
        Variant.square(5, camp=camp)


def test_a_row_that_is_too_long_is_named_with_the_one_before() -> None:
    for make in (lambda: Variant.square(5, (1, 2, 3)), lambda: Variant.named("5x5:1,2,3")):
        with pytest.raises(VariantError, match=r"^camp: row 2 is longer than row 1, 2 > 1, expected no row longer"):
            make()


@pytest.mark.parametrize(
    ("size", "camp", "square"), [(3, (3, 2, 1), "a1"), (4, (4, 4, 1), "a2"), (16, (9,) * 8 + (8,), "h8")]
)
def test_overlapping_camps_are_refused_with_the_first_common_square(size: int, camp: Any, square: str) -> None:
    with pytest.raises(VariantError, match=f"overlaps on {square} "):
        Variant.square(size, camp=camp)


@pytest.mark.parametrize("fen", ["", "8", "8/8 x 1", "/" * 16, "x" * 10**7, None, b"", 5], ids=shorten)
def test_a_string_that_fits_no_named_board_is_refused(fen: Any) -> None:
    with pytest.raises(FenError, match=r"^position string: "):
        Variant.for_fen(fen)


def test_a_string_that_fits_no_named_board_names_those_that_there_are() -> None:
    with pytest.raises(FenError) as caught:
        Variant.for_fen("8 x 1")
    assert str(caught.value) == (
        "position string: '8 x 1' has 1 rank, expected 16 (halma16), 10 (halma10), 8 (halma8), 7 (pulce),"
        " or a variant given with it"
    )


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("7/7/7/7/7/7/7 x 1", "placement, rank 7, column 1: '7', expected '-' for the missing square a7"),
        ("-5-/7/7/7/7/5x1/-5- x 1", "placement: 1 man of x, expected 8"),
    ],
)
def test_men_that_do_not_fit_the_guessed_variant_say_that_it_was_guessed(fen: str, fault: str) -> None:
    with pytest.raises(FenError) as caught:
        Variant.for_fen(fen)
    assert str(caught.value) == f"{fault} (read as pulce, from its 7 ranks)"


def test_resolve_takes_a_variant_a_name_or_nothing() -> None:
    assert resolve() is VARIANTS[DEFAULT_VARIANT]
    assert resolve(None, win="occupied") == Variant.named("halma16", win="occupied")
    assert resolve("pulce") is VARIANTS["pulce"]
    assert resolve(VARIANTS["pulce"], max_turns=5).max_turns == 5
    with pytest.raises(VariantError):
        resolve(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (VARIANTS["halma8"], "Variant.named('halma8')"),
        (Variant.square(4, (2, 1), win="occupied"), "Variant.named('4x4:2,1', win='occupied')"),
        (Variant.named("csci561", home_duty=False), "Variant.named('csci561', home_duty=False)"),
        (Variant.named("pulce", first="o", repetition=None), "Variant.named('pulce', repetition=None, first='o')"),
    ],
    ids=["plain", "custom", "homework", "pulce"],
)
def test_a_variant_shows_the_call_that_makes_it(variant: Variant, text: str) -> None:
    assert repr(variant) == text
    assert eval(text) == variant


@pytest.mark.parametrize("name", ["odd", "halma8", "pulce"])
def test_a_variant_made_field_by_field_shows_its_name(name: str) -> None:
    variant = dataclasses.replace(Variant.square(4, camp=(2,)), name=name)
    assert repr(variant) == f"<Variant '{name}', 4x4, 2 men>"


@pytest.mark.parametrize("variant", ALL + CUSTOM, ids=lambda variant: variant.name)
def test_variants_are_values(variant: Variant) -> None:
    for twin in (copy.copy(variant), copy.deepcopy(variant), pickle.loads(pickle.dumps(variant))):
        assert twin == variant
        assert hash(twin) == hash(variant)
    with pytest.raises(dataclasses.FrozenInstanceError):
        variant.size = 9  # type: ignore[misc]
    assert variant != variant.with_rules(max_turns=7)


@pytest.mark.parametrize(
    ("base", "field", "value"),
    [
        ("halma8", "name", 5),
        ("halma8", "family", "chess"),
        ("halma8", "family", ["halma"]),
        ("halma8", "holes", {1}),
        ("halma8", "holes", frozenset({8})),
        ("halma8", "holes", frozenset({0, "a"})),
        ("halma8", "holes", frozenset({7})),
        ("halma8", "start", frozenset({1})),
        ("halma8", "start", (frozenset(), frozenset())),
        ("halma8", "start", (frozenset({1}), frozenset({1}))),
        ("halma8", "start", (frozenset({1}), frozenset({2, 3}))),
        ("halma8", "start", (frozenset({1}), frozenset({2}))),
        ("halma8", "start", ([1], [2])),
        ("halma8", "home", (frozenset(), frozenset())),
        ("halma8", "goal", (frozenset({1}), frozenset({2}))),
        ("halma8", "goal", (frozenset({1}), frozenset({256}))),
        ("halma8", "frozen_goal", True),
        ("halma8", "scored", True),
        ("halma8", "first", Side.O),
        ("halma8", "size", 7),
        ("pulce", "frozen_goal", 1),
        ("pulce", "goal_edges", None),
        ("pulce", "goal_edges", ((frozenset(), frozenset()), (frozenset(), frozenset()))),
        ("pulce", "goal_edges", (1, 2)),
        ("pulce", "goal_edges", tuple((goal, frozenset()) for goal in VARIANTS["pulce"].goal)),
        ("csci561", "goal", VARIANTS["csci561"].home),
        ("pulce", "goal_lock", "hop"),
        ("pulce", "home_duty", True),
        ("pulce", "home", (frozenset({1}), frozenset({2}))),
    ],
)
def test_no_inconsistent_variant_can_be_made_field_by_field(base: str, field: str, value: object) -> None:
    changes: Any = {field: value}
    with pytest.raises(VariantError):
        dataclasses.replace(VARIANTS[base], **changes)


def test_squares_that_only_equal_integers_become_integers() -> None:
    start: Any = (frozenset({1.0, np.int64(2)}), frozenset({16.0, np.uint8(17)}))
    variant = dataclasses.replace(Variant.square(4, camp=(2,)), start=start)
    assert variant.start == (frozenset({1, 2}), frozenset({16, 17}))
    assert all(type(square) is int for part in variant.start for square in part)
