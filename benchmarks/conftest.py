"""Fixtures of the benchmark suites, and the ratios at the end of the terminal report."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The suites import their neighbours by name, as the scripts of this directory do, whatever pytest's import mode is.
if str(Path(__file__).parent) not in sys.path:
    sys.path.insert(0, str(Path(__file__).parent))

from contest import BASELINES, RESULTS, Contest
from pytest_benchmark.fixture import BenchmarkFixture


@pytest.fixture
def contest(benchmark: BenchmarkFixture) -> Contest:
    return Contest(benchmark)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    groups = {name: group for name, group in RESULTS.items() if group.rates}
    if not groups:
        return
    terminalreporter.section("rates and ratios, from medians")
    width = max(len(contender) for group in groups.values() for contender in group.rates)
    for name, group in groups.items():
        terminalreporter.write_line(name)
        baselines = [contender for contender in BASELINES if contender in group.rates]
        for contender, rate in group.rates.items():
            others = [other for other in baselines if other != contender and contender not in BASELINES]
            ratios = ", ".join(f"{rate / group.rates[other]:,.2f} x {other}" for other in others)
            terminalreporter.write_line(f"    {contender:<{width}} {rate:>18,.0f} {group.unit}/s   {ratios}".rstrip())
