"""The array-board perft in C as a Python function: compiles array_perft.c on first use and runs it.

The program times itself, so that starting a process is never part of a measurement. Guarded by
benchmarks/test_baseline.py.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["BaselineError", "Count", "array_perft", "executable"]

SOURCE = Path(__file__).with_name("array_perft.c")
# No -march, like the package's portable build.
FLAGS = ("-O3", "-std=c11")

_CUSTOM_NAME = re.compile(r"(\d+)x\1:([\d,]+)")

# Held for the life of the process, and gone with it: a compiled program is never older than its source.
_directory: tempfile.TemporaryDirectory[str] | None = None


class BaselineError(RuntimeError):
    """The baseline could not be compiled, or refused its arguments."""


class Count(NamedTuple):
    """Leaves counted and the seconds that took, by the program's own clock."""

    nodes: int
    seconds: float


def _compiler() -> list[str]:
    """The C compiler as a command: $CC, or the one this Python was built with, or `cc`."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC")):
        if command:
            return shlex.split(command)
    return ["cc"]


@cache
def executable() -> Path:
    """Compile the program and return its path. Raises `BaselineError`."""
    global _directory
    _directory = tempfile.TemporaryDirectory(prefix="array_perft-")
    program = Path(_directory.name, "array_perft")
    _output([*_compiler(), *FLAGS, "-o", str(program), str(SOURCE)])
    return program


def array_perft(
    depth: int,
    *,
    variant: str = "halma16",
    fens: Iterable[str] = (),
    goal_lock: str | None = None,
    home_reentry: bool = True,
    home_duty: bool = False,
    win: str | None = None,
    first: str = "x",
    bulk: bool = True,
    repeat: int = 1,
) -> Count:
    """Count the leaves of all `fens` together (default: the start position), `repeat` times over.

    `variant` is a name or a custom board like "5x5:3,2,1"; the rules are those of the package, by the same names.
    Those not given are the variant's. Without `bulk` the moves to the leaves are made too. Raises `BaselineError`.
    """
    custom = _CUSTOM_NAME.fullmatch(variant)
    arguments = ["--board", custom[1], "--camp", custom[2]] if custom else ["--variant", variant]
    arguments += ["--depth", str(depth), "--repeat", str(repeat), "--first", first]
    if goal_lock is not None:
        arguments += ["--goal-lock", goal_lock]
    if win is not None:
        arguments += ["--win", win]
    if home_duty:
        arguments.append("--home-duty")
    if not home_reentry:
        arguments.append("--no-home-reentry")
    if not bulk:
        arguments.append("--no-bulk")
    for fen in fens:
        arguments += ["--fen", fen]
    nodes, seconds = _output([str(executable()), *arguments]).split()
    return Count(int(nodes), float(seconds))


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except OSError as error:
        raise BaselineError(f"{command[0]}: {error.strerror}; set CC to a C compiler") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip() or f"exit status {error.returncode}"
        raise BaselineError(f"{shlex.join(command)}: {reason}") from error
