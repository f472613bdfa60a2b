"""A long job tells on a terminal how far it is, and a short one or a program's is left in peace."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable

from cli.process import Terminal, run


def test_a_short_job_shows_nothing(on_terminal: Callable[..., Terminal]) -> None:
    job = on_terminal("perft", "--depth", "2", output="stderr")
    assert job.finish() == 0
    assert job.text == ""


def test_a_long_job_shows_how_far_it_is_and_tidies_up(on_terminal: Callable[..., Terminal]) -> None:
    job = on_terminal("bestmove", "--time", "1.6", output="stderr")
    assert job.finish() == 0
    assert "depth" in job.text
    assert "nodes" in job.text
    assert "\x1b[2K" in job.text.rsplit("nodes", 1)[1]  # the line is erased


def test_perft_counts_its_parts(on_terminal: Callable[..., Terminal]) -> None:
    job = on_terminal("perft", "--depth", "7", "--variant", "pulce", output="stderr")
    assert job.read_until(" parts, ")
    job.process.send_signal(signal.SIGINT)
    assert job.finish() == 130


def test_the_time_goes_on_while_nothing_else_is_known(on_terminal: Callable[..., Terminal]) -> None:
    job = on_terminal("perft", "--depth", "16", "--variant", "halma8", "--no-bulk", output="stderr")
    assert job.read_until(" counting")
    time.sleep(2.5)  # far from enough for the first part
    job.process.send_signal(signal.SIGINT)
    assert job.finish() == 130
    assert len(set(re.findall(r"\b[0-9]+:[0-9]{2} counting", job.text))) >= 2


def test_without_a_terminal_a_long_job_is_silent() -> None:
    assert run("bestmove", "--time", "1.3").err == ""
