"""Colour is for terminals, JSON for programs, and neither depends on the encoding of the output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from cli.process import Terminal, environment, run
from halma_fast.cli.output import duration

COMMANDS = [
    ("show",),
    ("moves", "--variant", "pulce"),
    ("perft", "--depth", "2", "--divide", "--variant", "halma8"),
    ("bestmove", "--depth", "2", "--variant", "halma8"),
    ("info",),
    ("--help",),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_without_a_terminal_there_is_no_colour(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.status, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert done.out.endswith("\n")


def test_the_board_is_coloured_on_a_terminal(on_terminal: Callable[..., Terminal]) -> None:
    terminal = on_terminal("show")
    assert terminal.finish() == 0
    assert "\x1b[" in terminal.text


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
@pytest.mark.parametrize("arguments", [("show",), ("info",), ("moves",)], ids=lambda arguments: arguments[0])
def test_no_colour_is_respected(
    on_terminal: Callable[..., Terminal], arguments: tuple[str, ...], env: dict[str, str]
) -> None:
    terminal = on_terminal(*arguments, env=env)
    assert terminal.finish() == 0
    assert "\x1b" not in terminal.text


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"LC_ALL": "C"},
    ],
    ids=["C", "ascii", "coerced"],
)
def test_any_encoding_will_do(arguments: tuple[str, ...], env: dict[str, str]) -> None:
    done = run(*arguments, env=env)
    assert (done.status, done.err) == (0, "")
    assert done.out.isascii()


def test_a_message_prints_in_any_encoding() -> None:
    done = run("show", "--variant", "\u265f", env={"PYTHONIOENCODING": "ascii:strict"})
    assert done.status == 2
    assert "\\u265f" in done.err


@pytest.mark.parametrize("columns", ["20", "80", "200"])
def test_lines_are_not_broken_to_fit(columns: str) -> None:
    fen = "1o1o12/5x2o1o5/6oxx7/1x3x2o2o1o2/2xoxx7o2/6o1x6o/6xx6o1/6xoxx6/5x8o1/9x6/9oo3x1/11x2oo/12x3/16/16/16 x 35"
    assert fen in run("show", "--fen", fen, env={"COLUMNS": columns}).out


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        *((0.0, "0.000 s"), (1.6e-9, "0.000000002 s"), (0.0000123, "0.0000123 s"), (0.0456, "0.0456 s")),
        *((0.1, "0.100 s"), (0.99999, "1.000 s"), (12.3456, "12.346 s"), (86400.0, "86400.000 s")),
    ],
)
def test_a_time_has_digits_that_say_something(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_json_on_a_terminal_has_no_colour(on_terminal: Callable[..., Terminal]) -> None:
    terminal = on_terminal("show", "--json")
    assert terminal.finish() == 0
    assert json.loads(terminal.text)["variant"] == "halma16"


def test_the_package_loads_without_the_libraries_of_the_command_line() -> None:
    code = "import sys, halma_fast; print(sorted({'click', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True, timeout=60)
    assert done.stdout.strip() == b"[]"


def test_json_is_printed_without_loading_rich() -> None:
    code = "import sys; from halma_fast.cli import main; main(['show', '--json']); print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True, timeout=60)
    assert done.stdout.split()[-1] == b"False"
