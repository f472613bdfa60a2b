"""However a command fails, it says so in one line on standard error, with a status, and without a traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable

import pytest

from cli.process import COMMAND, TIMEOUT_SECONDS, Terminal, environment, run, start
from halma_fast import VARIANTS

START8 = VARIANTS["halma8"].start_fen
OVER8 = "xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3o1ooo o 60"

BAD = {
    "an unknown command": ["nonsense"],
    "an unknown option": ["perft", "--nonsense"],
    "an unknown option before the command": ["--nonsense"],
    "a command's option before the command": ["--json", "info"],
    "a missing required option": ["perft"],
    "a missing value": ["perft", "--depth"],
    "an argument too many": ["show", "halma8"],
    "a depth that is no number": ["perft", "--depth", "x"],
    "a depth that is empty": ["perft", "--depth", ""],
    "a depth in other digits": ["perft", "--depth", "\u0663"],
    "a depth with an underscore": ["perft", "--depth", "1_0"],
    "a depth with a fraction": ["perft", "--depth", "1.5"],
    "a negative depth": ["perft", "--depth", "-1"],
    "a huge depth": ["perft", "--depth", "9" * 30],
    "a depth of a million digits": ["perft", "--depth", "9" * 100_000],
    "a depth 0 of divide": ["perft", "--depth", "0", "--divide"],
    "an unknown variant": ["show", "--variant", "chess"],
    "an empty variant": ["show", "--variant", ""],
    "two boards": ["show", "--variant", "halma8", "--board", "5"],
    "a camp without a board": ["show", "--camp", "3,2,1"],
    "a camp beside a variant": ["show", "--variant", "halma8", "--camp", "3,2,1"],
    "a camp that is no list": ["show", "--board", "5", "--camp", "3;2"],
    "a camp that grows": ["show", "--board", "5", "--camp", "1,2"],
    "an empty camp": ["show", "--board", "5", "--camp", ""],
    "overlapping camps": ["show", "--board", "3", "--camp", "3,2,1"],
    "a board too small": ["show", "--board", "2", "--camp", "1"],
    "a board too large": ["show", "--board", "17"],
    "a position that is no position": ["show", "--fen", "nonsense"],
    "an empty position": ["show", "--fen", ""],
    "a position of another variant": ["show", "--variant", "halma16", "--fen", START8],
    "a position with a man too many": ["show", "--fen", START8.replace("7x", "6xx")],
    "a position with many characters": ["show", "--fen", "x" * 100_000],
    "a position with control characters": ["show", "--fen", "\x1b[31m\n\r/ x"],
    "a move that is none": ["show", "--moves", "h4-h5 nonsense"],
    "a move that is not legal": ["show", "--moves", "h4-h9"],
    "a move after the end": ["show", "--fen", OVER8, "--moves", "h1-g1"],
    "a custom position without its board": ["show", "--fen", "oo2/o3/3x/2xx x"],
    "a choice that is none": ["show", "--win", "half"],
    "a goal lock that is none": ["show", "--goal-lock", ""],
    "a repetition that is none": ["show", "--repetition", "4"],
    "a deadline of 0": ["show", "--home-deadline", "0"],
    "a turn cap of 0": ["show", "--max-turns", "0"],
    "a rule that Pulce does not have": ["show", "--variant", "pulce", "--win", "full"],
    "a rule that Halma does not have": ["show", "--first", "o"],
    "a search depth of 0": ["bestmove", "--depth", "0"],
    "a search of no nodes": ["bestmove", "--nodes", "0"],
    "a search of no time": ["bestmove", "--time", "0"],
    "a search of negative time": ["bestmove", "--time", "-1"],
    "a time that is no number": ["bestmove", "--time", "nan"],
    "a time that never ends": ["bestmove", "--time", "1e999"],
    "a table of no size": ["bestmove", "--hash", "0"],
    "a table of half a size": ["bestmove", "--hash", "0.5"],
    "a table larger than any machine": ["bestmove", "--hash", "99999999999"],
    "a table beyond all numbers": ["bestmove", "--hash", "9" * 30],
    "a search of a finished game": ["bestmove", "--fen", OVER8],
    "an argument that is no text": [b"show", b"--variant", b"\xff\xfe"],
    "a command that is no text": [b"\xff"],
    "an option that is no text": [b"show", b"--\xff"],
    "an option with control characters": ["show", "--\x1b[31m"],
    "an option that is too long": ["show", "--" + "x" * 100_000],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_status_2(arguments: list[str | bytes]) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("halma-fast: error: ")
    assert done.err.count("\n") == 1
    assert done.err.endswith("\n")
    assert done.err[:-1].isprintable()
    assert len(done.err) < 600


@pytest.mark.parametrize("command", ["perft", "bestmove", "moves", "show"])
def test_json_mode_fails_the_same_way(command: str) -> None:
    depth = ["--depth", "1"] if command == "perft" else []
    done = run(command, *depth, "--json", "--fen", "nonsense")
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(r"halma-fast: error: position string: .*\n", done.err)


def test_a_message_names_the_field_the_value_and_the_expectation() -> None:
    assert run("show", "--variant", "chess").err == (
        "halma-fast: error: variant: 'chess', expected halma16, halma10, halma8, pulce, csci561"
        " or a custom board like '5x5:3,2,1'\n"
    )


MEMORY = r"expected an integer from 1 to [0-9]+, the MB of this machine's memory"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bestmove", "--hash", "-1"), f"--hash: -1, {MEMORY}"),
        (("perft", "--depth", "1", "--hash", "0"), f"--hash: 0, {MEMORY}"),
        (("perft", "--depth", "1", "--hash", "1", "--no-bulk"), "--hash: given with --no-bulk, expected one or .*"),
        (("perft", "--depth", "1", "--threads", "0"), "--threads: 0, expected an integer from 1 to 1024"),
        (("perft", "--depth", "-1"), "--depth: -1, expected an integer from 0 to 100"),
        (("bestmove", "--nodes", "0"), "--nodes: 0, expected .*"),
        (("bestmove", "--time", "0"), "--time: 0.0, expected .*"),
        (("show", "--max-turns", "0"), "--max-turns: 0, expected an integer from 1 to 1000000000"),
        (("show", "--home-deadline", "0"), "--home-deadline: 0, expected an integer from 1 to 1000000000"),
        (
            ("show", "--fen", "8 x 1"),
            r"position string: '8 x 1' has 1 rank, expected 16 \(halma16\), .*, or --variant, or --board with --camp",
        ),
        (
            ("show", "--fen", "8/8/8/8/8/8/8/8 x"),
            r"placement: 0 men of x, expected 10 \(read as halma8, from its 8 ranks\)",
        ),
        (("show", "--fen", ""), "position string: '' is empty, expected 'placement side' or .*"),
        (("show", "--fen", f"{START8}  1  1"), f"position string: '{START8}  1  1' has 5 fields, expected .*"),
        (("show", "--variant", "5x5:1,2,3"), "camp: row 2 is longer than row 1, 2 > 1, expected .*"),
        (("show", "--variant", "Chess"), "variant: 'Chess', expected halma16, .*"),
    ],
)
def test_a_message_names_the_option_that_was_typed(arguments: tuple[str, ...], message: str) -> None:
    assert re.fullmatch(f"halma-fast: error: {message}\n", run(*arguments).err)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--json", "--json stands before the command, expected after it: halma-fast COMMAND --json"),
        ("--depth", "--depth stands before the command, expected after it: halma-fast COMMAND --depth"),
        ("--jsn", "no such option --jsn; the options of a command belong after it"),
    ],
)
def test_an_option_before_the_command_is_sent_behind_it(option: str, message: str) -> None:
    done = run(option, "info")
    assert (done.status, done.err) == (2, f"halma-fast: error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "sign", "message"),
    [
        (
            ("perft", "--variant", "halma16", "--depth", "9"),
            "counting",
            "[0-9]+ leaves counted so far, [0-9]+ of [0-9]+ parts done",
        ),
        (("bestmove", "--depth", "100"), "depth", "best move so far [a-p][0-9]+-[a-p][0-9]+, [+-][0-9]+, depth [0-9]+"),
    ],
    ids=["perft", "bestmove"],
)
def test_ctrl_c_ends_a_long_job_with_one_line_and_status_130(
    on_terminal: Callable[..., Terminal], arguments: tuple[str, ...], sign: str, message: str
) -> None:
    job = on_terminal(*arguments, output="stderr")
    assert job.read_until(sign)  # the progress line: by now it is at work
    job.process.send_signal(signal.SIGINT)
    assert job.finish() == 130
    assert re.search(rf"halma-fast: interrupted: {message}\r\n\Z", job.text)
    assert "Traceback" not in job.text


def test_ctrl_c_tells_the_best_move_to_a_program_too() -> None:
    process = start("bestmove", "--variant", "halma8", "--depth", "100", "--json", stdout=subprocess.PIPE)
    time.sleep(3)  # some depths, even with a sanitizer
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, out) == (130, b"")
    assert re.fullmatch(rb"halma-fast: interrupted: best move so far [a-h][1-8]-[a-h][1-8], .*, depth [0-9]+\n", err)


@pytest.mark.parametrize(
    "arguments", [("moves",), ("show",), ("show", "--json"), ("perft", "--depth", "1", "--divide"), ("--help",)]
)
def test_a_reader_that_went_away_is_no_error(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start(*arguments, stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert err == b""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [("show",), ("show", "--json")])
def test_a_full_disk_is_one_line_and_status_1(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        process = start(*arguments, stdout=full.fileno())
        _, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 1
    assert re.fullmatch(rb"halma-fast: error: cannot write the result: [^\n]*\n", err)


def test_closed_outputs_do_no_harm() -> None:
    for closing in (">&-", "2>&-", ">&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closing}', "sh", *COMMAND, "show"],
            capture_output=True,
            env=environment(),
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        assert done.returncode == 0
        assert done.stderr == b""
