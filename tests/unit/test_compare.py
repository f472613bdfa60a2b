"""Divides of other programs are read in the forms that generators print, and refused line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from halma_fast import PASS, DivideError, Move, Position, divide
from halma_fast.compare import Difference, differences, parse_divide, read_divide


def move(text: str) -> Move:
    return Move.from_text(text)


@pytest.mark.parametrize(
    "line",
    [
        *("h1-f3: 12", "h1f3: 12", "h1-f3 : 12", "h1-f3:12", "h1-f3 12", "h1f3\t12", "h1-f3 = 12", "  h1-f3: 12  \r"),
        *("H1-F3: 12", "h1-f1-f3: 12", "h1-f3: 00012"),
    ],
)
def test_a_move_and_its_count_in_many_forms(line: str) -> None:
    assert parse_divide([line]).counts == {move("h1-f3"): 12}


@pytest.mark.parametrize(
    ("text", "count"), [("1,234", 1234), ("1_234_567", 1234567), ("1'000", 1000), ("9" * 40, int("9" * 40))]
)
def test_counts_may_have_separators_and_any_size(text: str, count: int) -> None:
    assert parse_divide([f"pass: {text}"]).counts == {PASS: count}


@pytest.mark.parametrize(
    "line",
    ["Nodes: 30", "nodes 30", "Nodes searched: 30", "Total: 30", "total nodes: 30", "nodes     30", "Leaves = 30"],
)
def test_totals_are_read_and_are_no_moves(line: str) -> None:
    divided = parse_divide(["a1-a2: 10", "", "a1-b1: 20", line])
    assert (divided.total, divided.sum, len(divided.counts)) == (30, 30, 2)


def test_blank_lines_and_comments_are_let_through() -> None:
    assert parse_divide(["# by hand", "", "   ", "a1-a2: 1", "\t"]).counts == {move("a1-a2"): 1}


def test_a_file_without_moves_is_no_divide_unless_it_states_a_total() -> None:
    with pytest.raises(DivideError, match="no line"):
        parse_divide([])
    assert parse_divide(["Nodes: 0"]).counts == {}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("h1-f3", "expected 'move: count'"),
        ("h1-f3:", "expected 'move: count'"),
        ("h1-f3: many", "expected 'move: count'"),
        ("h1-f3: -5", "expected 'move: count'"),
        ("h1-f3: 1.5", "expected 'move: count'"),
        ("h1-f3: 12 nodes", "expected 'move: count'"),
        ("h1-f3: 1,23", "expected 'move: count'"),
        ("h1-f3: ١٢", "expected 'move: count'"),
        ("<html>", "expected 'move: count'"),
        ("z1-f3: 12", "z1-f3"),
        ("h1-h1: 12", "stays on h1"),
        ("h1: 12", "h1"),
        ("a1-a2: 7", "again after line 1"),
        ("a1a2: 7", "again after line 1"),
        ("x" * 100_000, "characters"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(line: str, complaint: str) -> None:
    with pytest.raises(DivideError, match=r"^mine, line 3: ") as caught:
        parse_divide(["a1-a2: 1", "", line], "mine")
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 400


def test_differences_are_in_order_and_name_what_is_missing() -> None:
    ours = {move("a1-a2"): 1, move("b1-b2"): 2, move("c1-c2"): 3}
    theirs = {move("c1-c2"): 4, move("b1-b2"): 2, move("d1-d2"): 5}
    assert differences(ours, theirs) == [
        Difference(move("a1-a2"), 1, None),
        Difference(move("c1-c2"), 3, 4),
        Difference(move("d1-d2"), None, 5),
    ]
    assert differences(ours, dict(ours)) == []


def test_a_divide_printed_line_by_line_reads_back_as_itself() -> None:
    divided = divide(Position("halma10"), 2)
    lines = [f"{first}: {leaves}" for first, leaves in divided.items()]
    assert parse_divide([*lines, f"Nodes: {sum(divided.values())}"]).counts == divided


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    for content, complaint in (
        (b"a1-a2: 1\n\xff\xfe\n", r"line 2: not text in UTF-8$"),
        (b"\n" * (5 << 20), r"more than 4 MB"),
        (b"", r"no line"),
    ):
        bad.write_bytes(content)
        with pytest.raises(DivideError, match=complaint):
            read_divide(str(bad))
    for path in (str(tmp_path / "none"), str(tmp_path), "a\0b", ""):
        with pytest.raises(DivideError, match="cannot be read"):
            read_divide(path)


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path: Path) -> None:
    file = tmp_path / "divide.txt"
    file.write_bytes(b"\xef\xbb\xbfa1-a2: 1\r\n\r\nNodes: 1\r\n")
    assert read_divide(str(file)).counts == {move("a1-a2"): 1}
