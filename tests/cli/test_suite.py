"""`halma-fast perft --suite` counts all known numbers, ends at the first mismatch, and says which depth comes next."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace

import pytest

import halma_fast.cli.suite
from cli.process import COMMAND, Terminal, environment, run, run_json
from halma_fast.cli import main
from halma_fast.suite import known_numbers

NUMBERS = known_numbers()


def test_the_suite_of_a_variant() -> None:
    result = run_json("perft", "--suite", "--variant", "halma8", "--max-leaves", "1e6")
    known = [(n, d, leaves) for n in NUMBERS if n.variant.name == "halma8" for d, leaves in enumerate(n.leaves, 1)]
    small = [(n.rules, n.fen, d, leaves) for n, d, leaves in known if leaves <= 10**6]
    rows = result["results"]
    assert [(row["rules"], row["fen"], row["depth"], row["nodes"]) for row in rows] == small
    assert all(row["variant"] == "halma8" and row["nodes"] == row["expected"] for row in rows)
    assert (result["ok"], result["numbers"], result["left_out"]) == (True, len(small), len(known) - len(small))
    assert result["nodes"] == sum(row["nodes"] for row in rows)
    ahead = result["next"][0]
    assert (ahead["variant"], ahead["rules"], ahead["fen"]) == ("halma8", {}, None)
    assert ahead["depth"] == 1 + max(d for n, d, _ in known if n.fen is None and not n.rules)


def test_the_suite_of_all_variants_as_a_table() -> None:
    done = run("perft", "--suite", "--max-leaves", "100000", "--hash", "1", "--threads", "2")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].split() == ["variant", "position", "depth", "nodes", "seconds", "nodes/s"]
    assert lines[1].split()[:4] == ["halma16", "start", "1", "40"]
    wanted = sum(leaves <= 100_000 for known in NUMBERS for leaves in known.leaves)
    left_out = sum(len(known.leaves) for known in NUMBERS) - wanted
    assert f"\nnumbers  {wanted} of {wanted} agree, {left_out} larger than --max-leaves 100,000\n" in done.out
    following = next(line for line in lines[lines.index("") :] if line.startswith("halma16 "))
    assert following.split()[1] == str(NUMBERS[0].next_depth)


def test_a_mismatch_ends_the_run_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    wrong = [replace(NUMBERS[0], leaves=(40, 1601, 85440)), *NUMBERS[1:]]
    monkeypatch.setattr(halma_fast.cli.suite, "known_numbers", lambda: wrong)
    assert main(["perft", "--suite"]) == 1
    out, err = capfd.readouterr()
    assert err == "halma-fast: halma16, start, depth 2: counted 1,600, known 1,601\n"
    assert out.splitlines()[2].split()[:4] == ["halma16", "start", "2", "1,600"]
    assert "\nnumbers  1 of " in out
    assert main(["perft", "--suite", "--json"]) == 1
    out, err = capfd.readouterr()
    value = json.loads(out)
    assert (value["ok"], value["numbers"], value["results"][-1]["nodes"], value["results"][-1]["expected"]) == (
        *(False, 2),
        *(1600, 1601),
    )
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--depth", "3"),
        ("--divide",),
        ("--fen", "oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx x 1"),
        ("--board", "5"),
        ("--win", "full"),
        ("--no-bulk",),
        ("--compare", "-"),
        ("--max-leaves", "0"),
        ("--max-leaves", "-5"),
        ("--max-leaves", "1.5e9"),
        ("--max-leaves", "1e99"),
        ("--max-leaves", "9" * 5000),
        ("--hash", "0"),
        ("--threads", "0"),
        ("--variant", "halma9"),
        ("--variant", "16x16:1"),
    ],
)
def test_what_the_suite_does_not_take_is_one_line(arguments: tuple[str, ...]) -> None:
    done = run("perft", "--suite", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def test_the_limit_needs_the_suite() -> None:
    done = run("perft", "--depth", "1", "--max-leaves", "10")
    assert (done.status, done.out, done.err) == (2, "", "halma-fast: error: --max-leaves needs --suite\n")


def test_an_interrupted_suite_prints_what_it_has(on_terminal: Callable[..., Terminal]) -> None:
    terminal = on_terminal("perft", "--suite", "--max-leaves", "1e30", output="stderr")
    assert terminal.read_until("numbers, ")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.finish() == 130
    assert "halma-fast: interrupted" in terminal.text


def test_a_reader_that_went_away_is_no_error() -> None:
    command = f"{shlex.join([*COMMAND, 'perft', '--suite', '--max-leaves', '1000'])} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment(), check=False)
    assert (done.stdout.split()[0], done.stderr) == ("variant", "")
