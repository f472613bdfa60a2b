"""A solution's file gives back what was written, a checkpoint goes on where it was; nothing else is taken for one."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from halma_fast import CheckpointError, HalmaError, OptionError, Position, Score, SolutionError, VariantError
from halma_fast.container import read_file
from halma_fast.solve import Progress, Solution, SolveInterrupted, memory_needed, solve

NAME = "4x4:2,1"
START = Position(NAME, win="occupied")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(NAME, win="occupied")


def test_a_file_gives_back_every_value(solution: Solution, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    solution.save(file)
    assert os.listdir(tmp_path) == ["solution"]
    read = Solution.open(file)
    assert read.variant == solution.variant
    assert np.array_equal(read.values, solution.values)
    assert read.counts == solution.counts
    assert read.probe(START) == Score("win", 13)
    assert read.probe(Position(NAME, win="occupied", repetition=None)) == Score("win", 13)


def test_the_header_says_what_it_is_of(solution: Solution, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    solution.save(file)
    data = file.read_bytes()
    length = int.from_bytes(data[8:16], "little")
    header = json.loads(data[16 : 16 + length])
    assert (header["kind"], header["format"], header["won"]) == ("solution", 2, 108352)
    assert header["variant"]["win"] == "occupied"
    assert (16 + length) % 64 == 0
    assert len(data) == 16 + length + 160160 + 16
    assert hashlib.blake2b(data[:-16], digest_size=16).digest() == data[-16:]


@pytest.mark.parametrize(
    "other",
    [
        Position("4x4:2,1"),
        Position("4x4:2,1", win="occupied", goal_lock="none"),
        Position("4x4:2,1", win="occupied", home_duty=True),
        Position("5x5:2,1"),
        Position(),
        "start",
    ],
)
def test_a_position_of_another_variant_is_refused(solution: Solution, other: Position) -> None:
    with pytest.raises(SolutionError, match="expected"):
        solution.probe(other)


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "foreign": lambda data: b"PNG" + data,
    "cut": lambda data: data[:-1],
    "without its checksum": lambda data: data[:-16],
    "cut in the header": lambda data: data[:40],
    "longer": lambda data: data + b"\0",
    "a value changed": lambda data: flip(data, len(data) - 21),
    "the checksum changed": lambda data: flip(data, len(data) - 5),
    "the header changed": lambda data: flip(data, 16),
    "a count changed": lambda data: data.replace(b'"won": 108352', b'"won": 108353'),
    "a rule changed": lambda data: data.replace(b'"repetition": 3', b'"repetition": 5'),
    "a blank changed": lambda data: data.replace(b'"won": ', b'"won":\t'),
    "a huge header": lambda data: data[:8] + b"\xff" * 8 + data[16:],
    "another kind": lambda data: data.replace(b'"solution"', b'"solutiom"'),
    "another format": lambda data: data.replace(b'"format": 2', b'"format": 3'),
    "no length": lambda data: data.replace(b'"values": 160160', b'"values": "6016"'),
}
# With a checksum that fits, so that it is the content that is refused.
FORGED: dict[str, tuple[bytes, bytes, str]] = {
    "another board": (b'"size": 4', b'"size": 5', "is damaged"),
    "a rule that is none": (b'"occupied"', b'"occupier"', "is damaged: win: 'occupier'"),
    "a field that is none": (b'"scored"', b'"scorex"', "is damaged"),
    "a rule that cannot be solved": (
        *(b'"home_duty": false', b'"home_duty": true ', "is damaged: home_duty: True, expected False"),
    ),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_damaged_file_is_refused(solution: Solution, tmp_path: Path, broken: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "solution"
    solution.save(file)
    whole = file.read_bytes()
    file.write_bytes(broken(whole))
    assert file.read_bytes() != whole
    with pytest.raises(SolutionError, match="solution: "):
        Solution.open(file)


@pytest.mark.parametrize(("old", "new", "words"), FORGED.values(), ids=FORGED)
def test_a_file_of_what_does_not_exist_is_refused(
    solution: Solution, tmp_path: Path, old: bytes, new: bytes, words: str
) -> None:
    file = tmp_path / "solution"
    solution.save(file)
    data = file.read_bytes()[:-16].replace(old, new)
    file.write_bytes(data + hashlib.blake2b(data, digest_size=16).digest())
    with pytest.raises(SolutionError, match=words):
        Solution.open(file)


def test_a_file_of_the_older_format_is_refused_with_its_number(solution: Solution, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    solution.save(file)
    data = file.read_bytes()
    length = int.from_bytes(data[8:16], "little")
    header, values = json.loads(data[16 : 16 + length]), data[16 + length : -16]
    header |= {"format": 1, "checksum": hashlib.blake2b(values, digest_size=16).hexdigest()}
    text = json.dumps(header).encode().ljust(length + 64)
    file.write_bytes(data[:8] + len(text).to_bytes(8, "little") + text + values)
    for verify in (True, False):
        with pytest.raises(SolutionError, match=r"^solution: .* has format 1, expected 2: .* has to be made again$"):
            Solution.open(file, verify=verify)


def test_paths_that_cannot_be_used_are_refused(solution: Solution, tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "folder", tmp_path, "", 7, "a\0b"):
        with pytest.raises(SolutionError, match="out: "):
            solution.save(path)  # type: ignore[arg-type]
        with pytest.raises(SolutionError, match="solution: "):
            Solution.open(path)  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


def test_a_failed_write_leaves_the_old_file(
    solution: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "solution"
    file.write_bytes(b"old")

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SolutionError, match="No space left"):
        solution.save(file)
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["solution"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("plies", [0, 1, 4, 7])
def test_a_stopped_job_goes_on_to_the_same_values(solution: Solution, tmp_path: Path, plies: int, threads: int) -> None:
    file = tmp_path / "checkpoint"

    def interrupt(progress: Progress) -> None:
        if progress.plies >= plies:
            raise KeyboardInterrupt

    with pytest.raises(SolveInterrupted, match="positions decided") as caught:
        solve(NAME, win="occupied", threads=threads, checkpoint=file, on_progress=interrupt)
    _, kept = read_file(file, "checkpoint", CheckpointError, "checkpoint")
    assert caught.value.decided == np.count_nonzero(kept["values"])
    seen: list[Progress] = []
    again = solve(NAME, win="occupied", checkpoint=file, on_progress=seen.append)
    assert np.array_equal(again.values, solution.values)
    assert all(progress.plies >= plies for progress in seen)
    finished = solve(NAME, win="occupied", checkpoint=file)
    assert np.array_equal(finished.values, solution.values)


def test_a_checkpoint_of_something_else_is_refused_and_left(solution: Solution, tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    solve("3x3:2", win="occupied", checkpoint=file)
    whole = file.read_bytes()
    with pytest.raises(CheckpointError, match="of another job"):
        solve(NAME, win="occupied", checkpoint=file)
    with pytest.raises(CheckpointError, match="of another job"):
        solve("3x3:2", checkpoint=file)
    assert file.read_bytes() == whole
    with pytest.raises(SolutionError, match="is a 'checkpoint', expected a solution"):
        Solution.open(file)
    file.write_bytes(flip(whole, len(whole) - 1))
    with pytest.raises(CheckpointError, match="damaged"):
        solve("3x3:2", win="occupied", checkpoint=file)
    file.write_text("notes")
    with pytest.raises(CheckpointError, match="no checkpoint"):
        solve("3x3:2", win="occupied", checkpoint=file)
    assert file.read_text() == "notes"


def test_what_cannot_be_solved_is_refused_at_once() -> None:
    assert memory_needed(NAME) == 2 * 160160
    for variant, rules, message in [
        ("halma16", {}, "GB of memory, expected at most"),
        ("6x6:3,2,1", {}, "GB of memory, expected at most"),
        ("pulce", {}, "ends with points"),
        (NAME, {"max_turns": 9}, "max_turns: 9, expected None"),
        (NAME, {"home_deadline": 9}, "home_deadline: 9, expected None"),
        (NAME, {"home_duty": True}, "home_duty: True, expected False"),
        ("csci561", {}, "home_duty: True, expected False"),
    ]:
        with pytest.raises(SolutionError, match=message):
            solve(variant, **rules)
    for bad, error in (("4x4", VariantError), (7, VariantError)):
        with pytest.raises(error):
            solve(bad)  # type: ignore[arg-type]
    for arguments in ({"threads": 0}, {"threads": True}, {"on_progress": 7}, {"checkpoint": ""}, {"checkpoint": 7}):
        with pytest.raises((OptionError, CheckpointError)):
            solve(NAME, **arguments)  # type: ignore[arg-type]


def test_values_cannot_be_changed(solution: Solution) -> None:
    with pytest.raises(ValueError, match="read-only"):
        solution.values[0] = 1
    for index in (-1, 160160, True, "0"):
        with pytest.raises(HalmaError):
            solution.position(index)  # type: ignore[arg-type]
