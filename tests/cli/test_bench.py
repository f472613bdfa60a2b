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


def test_the_signature_is_the_same_with_every_kernel(result: dict[str, object]) -> None:
    done = run("bench", env={"HALMA_FAST_KERNEL": "generic"})
    assert re.search(rf"^signature  {result['signature']}$", done.out, re.M)
    assert re.search(r"^search     [0-9,]+ nodes/s$", done.out, re.M)
    assert re.search(r"^task +variant +depth +nodes +seconds +nodes/s$", done.out, re.M)
