"""The kernel levels: which one runs, how to force one, and that all give the same search."""

import os
import subprocess
import sys

import pytest

from halma_fast._kernel.dispatch import kernel_info

LEVELS = kernel_info()["available"]


def run(code: str, level: str) -> subprocess.CompletedProcess:
    env = {**os.environ, "HALMA_FAST_KERNEL": level}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


def test_generic_level_runs_everywhere_and_the_best_one_is_chosen():
    assert LEVELS[0] == "generic"
    if not os.environ.get("HALMA_FAST_KERNEL"):
        assert kernel_info()["level"] == LEVELS[-1]
        assert kernel_info()["forced"] is False


@pytest.mark.parametrize("level", LEVELS)
def test_environment_forces_a_level(level):
    code = "from halma_fast._kernel.dispatch import kernel_info; i = kernel_info(); print(i['level'], i['forced'])"
    assert run(code, level).stdout == f"{level} True\n"


@pytest.mark.parametrize("use", ["Position()", "Engine(1)"])
def test_level_that_cannot_run_is_a_clear_error_at_first_use(use):
    done = run(
        f"import halma_fast\ntry:\n    halma_fast.{use}\nexcept halma_fast.OptionError as e:\n    print(e)", "v9"
    )
    assert done.stdout == f"HALMA_FAST_KERNEL: 'v9' is no kernel level, expected {' or '.join(LEVELS)}\n"


@pytest.mark.parametrize("command", ["info", "show", "perft --depth 1", "bestmove --depth 1", "bench"])
def test_command_line_says_so_in_one_line(command):
    env = {**os.environ, "HALMA_FAST_KERNEL": "v9"}
    done = subprocess.run(
        [sys.executable, "-m", "halma_fast", *command.split()], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "HALMA_FAST_KERNEL: 'v9'" in done.stderr


def test_every_level_searches_the_same_tree():
    code = (
        "from halma_fast import Engine, Position\n"
        "engine = Engine(2)\n"
        "for v in ('halma16', 'halma10', 'halma8', 'pulce', '5x5:3,2,1'):\n"
        "    r = engine.search(Position(v), depth=4)\n"
        "    print(v, r.best_move, r.score, r.nodes, *r.pv)\n"
    )
    printed = [run(code, level).stdout for level in LEVELS]
    assert printed[0]
    assert len(set(printed)) == 1
