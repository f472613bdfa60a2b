"""`halma-fast info` tells what is installed and which kernel runs."""

from __future__ import annotations

import halma_fast
from cli.process import run, run_json


def test_the_object_tells_versions_and_kernel() -> None:
    result = run_json("info")
    assert result["version"] == halma_fast.__version__
    assert result["variants"] == list(halma_fast.VARIANTS)
    assert result["kernel"]["level"] in result["kernel"]["available"]
    assert result["kernel"]["forced"] is False


def test_a_person_reads_the_kernel_and_why_it_runs() -> None:
    kernel = run_json("info")["kernel"]
    assert f"\nkernel      {kernel['level']} ({kernel['reason']})\n" in run("info").out


def test_a_kernel_can_be_forced() -> None:
    done = run("info", env={"HALMA_FAST_KERNEL": "generic"})
    assert done.status == 0
    assert "\nkernel      generic (forced by HALMA_FAST_KERNEL)\n" in done.out
