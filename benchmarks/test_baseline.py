"""The baseline counts right: every number of the package's perft file up to thirty million leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from baseline import BaselineError, array_perft, executable
from cases import ROOT

MOST_LEAVES = 30_000_000
POSITIONS: list[dict[str, Any]] = json.loads(
    (ROOT / "src" / "halma_fast" / "data" / "perft.json").read_text(encoding="utf-8")
)["positions"]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    try:
        executable()
    except BaselineError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("bulk", [True, False], ids=["bulk", "every leaf made"])
@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry["fen"] or entry["source"])
def test_counts(entry: dict[str, Any], bulk: bool) -> None:
    variant = entry.get("variant") or f"{entry['board']}x{entry['board']}:{','.join(map(str, entry['camp']))}"
    fens = [entry["fen"]] if entry["fen"] else []
    expected = [leaves for leaves in entry["perft"] if leaves <= MOST_LEAVES]
    counted = [
        array_perft(depth, variant=variant, fens=fens, bulk=bulk, **entry.get("rules", {})).nodes
        for depth in range(1, len(expected) + 1)
    ]
    assert counted == expected
