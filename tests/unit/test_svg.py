"""The picture of a board: valid XML that stands alone, everything where it belongs, and arguments that are checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.effort import effort

from halma_fast import PASS, VARIANTS, Move, OptionError, Position, Side, Variant, parse_square
from halma_fast.svg import ARROW_COLOURS, COLOURS, board_svg

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = [*VARIANTS, "3x3:1", "5x5:3,2,1"]
CELL = 40


def tree(position: Position, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(position.to_svg(**options))


def men(root: ElementTree.Element, side: str) -> set[tuple[float, float]]:
    """The centres of the men on the board: not that of the small one in the margin."""
    discs = [group[0] for group in root.findall(f"{SVG}g[@class='{side}']")]
    return {(float(disc.get("cx", "")), float(disc.get("cy", ""))) for disc in discs if disc.get("r") == "14.5"}


def cells(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [rect for rect in root.iter(f"{SVG}rect") if rect.get("width") == str(CELL)]


def centre(square: str, size: int, left: int = 22) -> tuple[float, float]:
    number = parse_square(square)
    return left + (number & 15) * CELL + CELL / 2, 6 + (size - 1 - (number >> 4)) * CELL + CELL / 2


@pytest.mark.parametrize("name", BOARDS)
def test_the_men_stand_on_their_squares_and_missing_corners_have_none(name: str) -> None:
    position = Position(name)
    root = tree(position)
    size = position.variant.size
    for side in Side:
        squares = [f"{'abcdefghijklmnop'[square & 15]}{(square >> 4) + 1}" for square in position.pieces(side)]
        assert men(root, side.letter) == {centre(square, size) for square in squares}
    assert len(cells(root)) == size * size - len(position.variant.holes)
    assert len({(rect.get("x"), rect.get("y")) for rect in cells(root)}) == len(cells(root))


@pytest.mark.parametrize("name", BOARDS)
def test_the_picture_stands_alone(name: str) -> None:
    text = Position(name).to_svg()
    assert text.isascii()
    assert not re.search(r"href|url\(|\bid=|<script|<style|<image|@import|<!|<\?", text)
    assert text.count("http") == 1  # the name of the format


def drawn(variant: Variant) -> list[int]:
    """The squares in the order in which they are drawn."""
    every = [16 * rank + file for rank in range(variant.size) for file in range(variant.size)]
    return [square for square in every if square not in variant.holes]


def plain(variant: Variant) -> set[int]:
    return set(drawn(variant)) - variant.goal[0] - variant.goal[1]


def loops(path: str) -> Iterator[list[tuple[float, float]]]:
    for loop in path.split("Z")[:-1]:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", loop)]
        yield list(zip(numbers[::2], numbers[1::2], strict=True))


def areas(path: str) -> Iterator[float]:
    for points in loops(path):
        if points:
            pairs = zip(points, points[1:] + points[:1], strict=True)
            yield sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("flip", [False, True])
def test_the_outlines_enclose_the_board_and_the_goals_also_under_men(name: str, flip: bool) -> None:
    position = Position(name)
    variant = position.variant
    root = tree(position, flip=flip)
    board, goal_x, goal_o = (path.get("d", "") for path in root.findall(f"{SVG}path"))
    assert sum(areas(board)) == CELL * CELL * (variant.size**2 - len(variant.holes))
    for path, side in ((goal_x, Side.X), (goal_o, Side.O)):
        whole = CELL * CELL * len(variant.goal[side])
        assert 0.85 * whole < sum(areas(path)) < whole
        # Two edges of Pulce touch at a corner that does not exist: two loops, not one that crosses itself.
        assert len(list(areas(path))) == (2 if name == "pulce" else 1)
        assert all(area > 0 for area in areas(path))
        corners = {
            (float(rect.get("x", "")), float(rect.get("y", "")))
            for square, rect in zip(drawn(variant), cells(root), strict=True)
            if square in variant.goal[side]
        }
        for x, y in (point for points in loops(path) for point in points):
            beside = [(x - cx, y - cy) for cx, cy in corners if 0 <= x - cx <= CELL and 0 <= y - cy <= CELL]
            assert [(a % CELL, b % CELL) for a, b in beside if 0 < a < CELL and 0 < b < CELL], "outside, or on an edge"
    fills = {square: rect.get("fill") for square, rect in zip(drawn(variant), cells(root), strict=True)}
    grounds = [{fills[square] for square in squares} for squares in (*variant.goal, plain(variant))]
    assert len(set().union(*grounds)) == sum(map(len, grounds))


def test_the_sides_differ_by_shape_and_not_only_by_colour() -> None:
    root = tree(Position("halma8"))
    assert all(group[1].tag == f"{SVG}path" for group in root.findall(f"{SVG}g[@class='x']"))
    assert all(group[1].get("fill") == "none" for group in root.findall(f"{SVG}g[@class='o']"))
    x, o = root.findall(f"{SVG}path")[1:]
    assert (x.get("stroke-dasharray"), o.get("stroke-dasharray")) == (None, "7 4")


def test_it_says_what_it_shows() -> None:
    position = Position("halma8")
    position.push("e1-d2")
    root = tree(position)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == root.get("aria-label") == "halma8, o to move, move 1"
    description = root.findtext(f"{SVG}desc") or ""
    assert "x on f1 g1 h1 d2 f2" in description
    assert "goal of x a5 a6 b6" in description


def test_the_size_is_that_of_the_longer_side_or_of_the_place() -> None:
    position = Position("halma8")
    root = tree(position, size=300)
    box = root.get("viewBox", "").split()
    assert (root.get("width"), root.get("height"), box) == ("300", "300", ["0", "0", "348", "348"])
    root = tree(position, size=None)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (None, None, "0 0 348 348")


def test_coordinates_can_be_left_out_and_turn_with_the_board() -> None:
    position = Position("halma8")
    labels = {text.text: (text.get("x"), text.get("y")) for text in tree(position).iter(f"{SVG}text")}
    assert list(labels) == [each for pair in zip("abcdefgh", "12345678", strict=True) for each in pair]
    turned = {text.text: (text.get("x"), text.get("y")) for text in tree(position, flip=True).iter(f"{SVG}text")}
    assert (turned["a"], turned["1"]) == (labels["h"], labels["8"])
    plain = tree(position, coordinates=False)
    assert not list(plain.iter(f"{SVG}text"))
    assert len(plain.findall(f"{SVG}g[@class='x']")) == 10
    assert len(tree(position).findall(f"{SVG}g[@class='x']")) == 11  # in the margin, to move


@pytest.mark.parametrize("name", BOARDS)
def test_flipping_turns_the_board_by_half(name: str) -> None:
    position = Position(name)
    size = position.variant.size * CELL
    for side in "xo":
        turned = {(44 + size - x, 12 + size - y) for x, y in men(tree(position), side)}
        assert men(tree(position, flip=True), side) == turned


def marked(root: ElementTree.Element) -> set[tuple[float, float]]:
    """The centres of the cells in the colour of the last move: the yellow ones."""
    found = set()
    for rect in cells(root):
        red, green, blue = (int(rect.get("fill", "")[at : at + 2], 16) for at in (1, 3, 5))
        if blue + 80 < min(red, green) and abs(red - green) < 60:
            found.add((float(rect.get("x", "")) + CELL / 2, float(rect.get("y", "")) + CELL / 2))
    return found


def way(root: ElementTree.Element) -> list[tuple[float, float]]:
    line = root.find(f"{SVG}polyline")
    points = "" if line is None else line.get("points", "")
    return [(float(x), float(y)) for x, y in (point.split(",") for point in points.split())]


def test_the_last_move_is_marked_with_its_landings() -> None:
    position = Position("halma8")
    assert (marked(tree(position)), way(tree(position))) == (set(), [])
    for move in ("e1-d2", "a7-c5", "g1-c1"):
        position.push(move)
    assert marked(tree(position)) == {centre("g1", 8), centre("c1", 8)}
    assert way(tree(position)) == [centre(square, 8) for square in ("g1", "e3", "c1")]
    for none in (False, None):
        assert (marked(tree(position, last_move=none)), way(tree(position, last_move=none))) == (set(), [])
    assert marked(tree(position, last_move="h8-h6-f6")) == {centre("h8", 8), centre("f6", 8)}
    assert way(tree(position, last_move="h8-h6-f6")) == [centre(square, 8) for square in ("h8", "h6", "f6")]
    assert way(tree(position, last_move=Move.from_text("a1-b1"))) == [centre("a1", 8), centre("b1", 8)]
    assert way(tree(position, last_move=PASS)) == []
    assert position.peek() == Move.from_text("g1-c1")


def test_arrows_lead_from_the_first_square_to_the_last_in_their_colour() -> None:
    arrows = ["h1-g2", ("a1-a3-c3", "purple"), (Move.from_text("b1-b2"), "#123456")]
    groups = tree(Position("halma8"), arrows=arrows).findall(f"{SVG}g[@class='arrow']")
    colours = [(group[0].get("stroke"), group[1].get("fill")) for group in groups]
    assert colours == [(colour, colour) for colour in (ARROW_COLOURS["green"], ARROW_COLOURS["purple"], "#123456")]
    for group, squares in zip(groups, (["h1"], ["a1", "a3"], ["b1"]), strict=True):
        points = [tuple(map(float, point.split(","))) for point in group[0].get("points", "").split()]
        assert points[:-1] == [centre(square, 8) for square in squares]
    tips = [group[1].get("points", "").split()[1] for group in groups]
    ends = [centre(square, 8) for square in ("g2", "c3", "b2")]
    assert [tuple(map(float, tip.split(","))) for tip in tips] == ends


def test_colours_can_be_replaced() -> None:
    text = Position("halma8").to_svg(colours={"x": "#012345"})
    assert "#012345" in text
    assert COLOURS["x"] not in text
    assert COLOURS["o"] in text


def test_notebooks_show_the_picture() -> None:
    position = Position("pulce")
    assert position._repr_svg_() == position.to_svg() == board_svg(position)


@pytest.mark.parametrize("name", ["<&\">]]>'", "a\0b\x1b", "\ud800", "\ufffe", "\U0001f600"])
def test_any_name_of_a_variant_leaves_the_xml_valid(name: str) -> None:
    root = ElementTree.fromstring(Position(replace(Variant.named("5x5:3,2,1"), name=name)).to_svg().encode())
    assert (root.findtext(f"{SVG}title") or "").endswith(", x to move, move 1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size: 0, expected an integer from 16 to 10000"),
        ({"size": "5"}, "size: '5', expected an integer"),
        ({"size": True}, "size: True, expected an integer"),
        ({"last_move": 5}, "last_move: 5, expected a Move"),
        ({"last_move": "e9-e1"}, "last_move: e9 is not on the board of halma8"),
        ({"last_move": "e1"}, "last_move: 'e1', expected squares"),
        ({"arrows": "e1-e2"}, "arrows: 'e1-e2', expected at most 1000 moves"),
        ({"arrows": 5}, "arrows: 5, expected at most"),
        ({"arrows": ["e1-e2"] * 1001}, "expected at most 1000 moves"),
        ({"arrows": ["e1-e2", "e1-q2"]}, "arrows, entry 2: 'e1-q2', expected squares"),
        ({"arrows": ["pass"]}, "arrows, entry 1: a pass, expected a move"),
        ({"arrows": [("e1-e2", "pink")]}, "arrows, entry 1: 'pink', expected green, red"),
        ({"arrows": [("e1-e2", "green", 3)]}, "arrows, entry 1: ('e1-e2', 'green', 3), expected a Move"),
        ({"arrows": [("e1-e2", '#fff" onload="')]}, "arrows, entry 1: '#fff"),
        ({"arrows": (1 // 0 for _ in "a")}, "arrows: <generator object"),
        ({"coordinates": 1}, "coordinates: 1, expected True or False"),
        ({"flip": None}, "flip: None, expected True or False"),
        ({"colours": "#ffffff"}, "colours: '#ffffff', expected a mapping"),
        ({"colours": {"y": "#ffffff"}}, "colours: 'y', expected only x, o, square"),
        ({"colours": {"x": "red"}}, "colours, x: 'red', expected '#rrggbb'"),
        ({"colours": {"x": "#ffffff\n"}}, "colours, x: '#ffffff\\n', expected '#rrggbb'"),
    ],
)
def test_a_bad_argument_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Position("halma8").to_svg(**options)
    assert message in str(caught.value)


THINGS = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=4)),
    st.sampled_from(["e1-e2", "a1-a3-c3", "pass", "green", PASS, Move(0, 1), Move(0, 255)]),
)


DEEP = st.recursive(
    THINGS, lambda t: st.lists(t, max_size=3) | st.tuples(t, t) | st.dictionaries(st.text(max_size=3), t)
)
NAMES = st.sampled_from(["size", "last_move", "arrows", "coordinates", "flip", "colours"])


@effort(30)
@given(options=st.dictionaries(NAMES, DEEP))
def test_whatever_is_given_the_picture_is_valid_or_the_error_one_of_ours(options: dict[str, Any]) -> None:
    try:
        text = Position("5x5:3,2,1").to_svg(**options)
    except OptionError:
        return
    ElementTree.fromstring(text)
