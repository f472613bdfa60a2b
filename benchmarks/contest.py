"""One measurement beside others of the same work: groups, rates and ratios on top of pytest-benchmark.

Invariant: all contenders of a group do the same work, and its amount is checked; nothing is asserted about time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from baseline import BaselineError, Count, executable
from pytest_benchmark.fixture import BenchmarkFixture

__all__ = ["ARRAY_C", "BASELINES", "PACKAGE", "REFERENCE", "RESULTS", "Contest", "Group", "reported_clock"]


@dataclass
class Group:
    """Rates of one group, units a second, in the order they were measured."""

    unit: str
    work: int
    rates: dict[str, float] = field(default_factory=dict)


RESULTS: dict[str, Group] = {}

_reported_seconds = 0.0


def reported_clock() -> float:
    """A clock that advances by what the C program reports, so that starting a process is not measured."""
    return _reported_seconds


ARRAY_C = pytest.param("array board in C", marks=pytest.mark.benchmark(timer=reported_clock))
REFERENCE = "reference in Python"
PACKAGE = "halma_fast"
BASELINES = (REFERENCE, "array board in C")


class Contest:
    """Measures one contender and files its rate under a group."""

    def __init__(self, benchmark: BenchmarkFixture) -> None:
        self.benchmark = benchmark

    def run(
        self,
        group: str,
        contender: str,
        unit: str,
        target: Callable[[], int],
        *,
        rounds: int = 5,
        iterations: int = 1,
    ) -> None:
        """Measure `target`, which returns how many units of work it did, `iterations` times a round."""
        self.benchmark.group = group
        work: int = self.benchmark.pedantic(  # type: ignore[no-untyped-call]
            target, rounds=rounds, iterations=iterations, warmup_rounds=1
        )
        result = RESULTS.setdefault(group, Group(unit, work))
        assert work == result.work, f"{group}: {contender} did {work:,} {unit}, the others {result.work:,}"
        if self.benchmark.stats is None:  # --benchmark-disable: only the work is checked
            return
        rate = work / self.benchmark.stats.stats.median
        self.benchmark.extra_info["unit"] = unit
        self.benchmark.extra_info["rate"] = rate
        self.benchmark.extra_info["times as fast as"] = {other: rate / theirs for other, theirs in result.rates.items()}
        result.rates[contender] = rate

    def run_program(
        self, group: str, contender: str, unit: str, target: Callable[[], Count], *, rounds: int = 5, repeat: int = 1
    ) -> None:
        """Measure the C program: `target` runs it with `repeat`, and its own seconds are what counts."""

        try:
            executable()
        except BaselineError as error:
            pytest.skip(str(error))

        def advance() -> int:
            global _reported_seconds
            count = target()
            _reported_seconds += count.seconds / repeat
            return count.nodes // repeat

        self.run(group, contender, unit, advance, rounds=rounds)
