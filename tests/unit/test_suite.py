"""The file of known numbers keeps its promises, and a run through them counts each once and reports what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from halma_fast import VARIANTS, OptionError
from halma_fast.suite import Known, known_numbers, run

TABLE = json.loads((files("halma_fast") / "data" / "perft.json").read_text(encoding="utf-8"))
NUMBERS = known_numbers()


def name(known: Known) -> str:
    return f"{known.variant.name} {known.rules} {known.fen or 'start'}"


def test_every_entry_of_the_file_is_a_position_and_none_is_there_twice() -> None:
    assert len(NUMBERS) == len(TABLE["positions"]) == len({name(known) for known in NUMBERS})


@pytest.mark.parametrize("known", NUMBERS, ids=name)
def test_every_number_was_counted_by_two_different_paths(known: Known) -> None:
    assert len(known.confirmed) == len(known.leaves)
    for paths in known.confirmed:
        assert len(set(paths)) == len(paths) >= 2
        assert set(paths) <= set(TABLE["paths"])


def test_all_variants_have_start_positions() -> None:
    starts = {known.variant.name for known in NUMBERS if known.fen is None and not known.rules}
    assert starts > set(VARIANTS)


def test_the_next_depth_is_the_first_without_a_number() -> None:
    known = replace(NUMBERS[0], leaves=(10, 100, 2000))
    assert (known.next_depth, known.next_leaves) == (4, 40_000)
    assert replace(known, leaves=()).next_leaves == 1
    assert replace(known, leaves=(10, 0, 0)).next_leaves == 0


@pytest.mark.parametrize("options", [{}, {"hash_mb": 1}, {"threads": 2}, {"threads": 2, "hash_mb": 1}])
def test_a_run_counts_each_number_up_to_the_limit_once(options: dict[str, int]) -> None:
    limit = 100_000
    done = list(run(NUMBERS, max_leaves=limit, **options))  # type: ignore[arg-type]
    assert [(counted.known, counted.depth) for counted in done] == [
        (known, depth) for known in NUMBERS for depth, leaves in enumerate(known.leaves, 1) if leaves <= limit
    ]
    assert all(counted.agrees and counted.seconds >= 0 for counted in done)


def test_a_wrong_number_does_not_agree() -> None:
    wrong = replace(NUMBERS[0], leaves=(40, 1601))
    assert [counted.agrees for counted in run([wrong], max_leaves=10**6)] == [True, False]


def test_bad_options_are_refused() -> None:
    with pytest.raises(OptionError):
        next(run(NUMBERS, max_leaves=10**6, threads=0))
