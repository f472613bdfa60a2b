"""`halma-fast bench` does the same work everywhere, and its signature says so."""

from __future__ import annotations

import re

import pytest

from cli.process import run, run_json


@pytest.fixture(scope="module")
def result() -> dict[str, object]:
    return run_json("bench")


def test_the_signature_is_the_total_of_nodes(result: dict[str, object]) -> None:
    tasks = result["tasks"]
    assert isinstance(tasks, list)
    assert result["signature"] == sum(task["nodes"] for task in tasks)
    assert {task["kind"] for task in tasks} == {"perft", "search"}
    assert {task["variant"] for task in tasks} == {"halma16", "halma10", "halma8", "pulce"}


def test_the_signature_is_the_one_on_record(result: dict[str, object]) -> None:
    # Whoever changes the search tree on purpose writes the new signature here, and into the commit's message.
    assert result["signature"] == 356068778


def test_the_signature_is_the_same_with_every_kernel(result: dict[str, object]) -> None:
    tasks = result["tasks"]
    assert isinstance(tasks, list)
    done = run("bench", env={"HALMA_FAST_KERNEL": "generic"})
    assert re.search(rf"^signature  {result['signature']}$", done.out, re.M)
    assert re.search(r"^search     [0-9,]+ nodes/s$", done.out, re.M)
    assert re.search(r"^task +variant +position +depth +nodes +seconds +nodes/s$", done.out, re.M)
    rows = re.findall(
        r"^(perft|search) +(\w+) +(start|mid [0-9]+) +[0-9]+ +[0-9,]+ +([0-9.]+) +[0-9,]+$", done.out, re.M
    )
    assert len(rows) == len(tasks) == len({row[:3] for row in rows})
    assert [row[2] == "start" for row in rows] == [task["fen"].endswith(" x 1") for task in tasks]
    # Rows of one position have one name, and no time is as good as none.
    assert len({(row[1], row[2]) for row in rows}) == len({task["fen"] for task in tasks})
    assert all(len(row[3].replace(".", "").lstrip("0")) >= 3 for row in rows)
