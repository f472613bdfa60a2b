"""Whatever comes in, and whenever it ends: a line of remark, a whole answer, a clean exit."""

from __future__ import annotations

import os
import random
import signal
import string
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from halma_fast import Position
from ugi.engine_process import COMMAND, PATIENCE, EngineProcess, exit_of, wait_for

MALFORMED = [
    "foo",
    "GO depth 1",
    "ugi now",
    "isready yet",
    "uginewgame 1",
    "stop it",
    "d d",
    "setoption",
    "setoption name",
    "setoption name Hash",
    "setoption name Hash value",
    "setoption Hash 16",
    "setoption name Hash value 0",
    "setoption name Hash value -1",
    "setoption name Hash value 99999999999999999999999",
    "setoption name Hash value 1.5",
    "setoption name Hash value ٣",
    "setoption name Threads value 0",
    "setoption name Threads value 257",
    "setoption name MultiPV value 0",
    "setoption name Variant value chess",
    "setoption name Variant value 99x99:3,2,1",
    "setoption name Win value never",
    "setoption name GoalLock value 1",
    "setoption name HomeReentry value maybe",
    "setoption name MaxTurns value x",
    "setoption name OwnBook value true",
    "setoption name Unknown value 1",
    "position",
    "position fen",
    "position fen moves e1-d2",
    "position fen 8/8/8/8/8/8/8/8 x 1",
    "position fen xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/4oooo",
    "position fen nonsense x 1",
    "position startpos e1-d2",
    "position startpos moves e1-e8",
    "position startpos moves e1-d2 e1-d2",
    "position startpos moves pass",
    "position middle",
    "go depth",
    "go depth x",
    "go depth 0",
    "go p1time 500",  # the other side is to move
    "go depth -3",
    "go nodes 0",
    "go nodes 1e6",
    "go movetime soon",
    "go p1time",
    "go depth 1 depth 2",
    "go fast",
    "go mate 0",
    "go movestogo -1",
    "go depth 1 searchmoves a8-a7",
    "go depth 1 searchmoves",
    "query",
    "query who",
    "query p1turn now",
    "query islegal",
    "query islegal e1-d2 e1-d2",
    "perft",
    "perft 0",
    "perft 101",
    "perft -1",
    "perft 1 2",
    "perft ²",
    "\x00\x01\x02",
    "\x1b[31mred",
    "é" * 100,
    "x" * 100_000,
]


@pytest.fixture(scope="module")
def shared() -> Iterator[EngineProcess]:
    with EngineProcess() as engine:
        engine.ask("setoption name Variant value halma8", "setoption name Hash value 1")
        yield engine


@pytest.mark.parametrize("line", MALFORMED, ids=lambda line: repr(line[:40]))
def test_a_malformed_line_is_one_remark_and_changes_nothing(shared: EngineProcess, line: str) -> None:
    before = shared.ask("position startpos moves e1-d2", "query fen")
    said = shared.ask(line)
    assert len(said) == 1, said
    assert said[0].startswith("info string ")
    assert "expected" in said[0] or "illegal" in said[0] or "not" in said[0] or "after the end" in said[0]
    assert len(said[0]) < 600
    assert shared.ask("query fen") == before
    if line.startswith("position"):
        # What was searched is the position that was there.
        shared.send("go depth 1")
        game = Position("halma8")
        game.push("e1-d2")
        assert shared.until("bestmove")[-1].split()[1] in game.legal_moves


def test_empty_lines_say_nothing(shared: EngineProcess) -> None:
    assert shared.ask("", "   ", "\t", "\r") == []


def test_bytes_that_are_no_text_and_endless_lines_are_remarks(shared: EngineProcess) -> None:
    for data in (b"\xff\xfe\xfd", b"query \xff", b"go depth \x80", b"x" * 3_000_000, b"position " + b"y" * 2_000_000):
        shared.send(data)
        said = shared.ask()
        assert len(said) == 1
        assert said[0].startswith("info string ")


VOCABULARY = """
ugi isready setoption name value uginewgame position startpos fen moves go p1time p2time p1inc p2inc movestogo
movetime depth nodes infinite mate searchmoves query p1turn gameover result islegal stop perft d Hash Threads MultiPV
Variant Win GoalLock HomeReentry HomeDeadline MaxTurns MoveOverhead Spoil OwnBook Repetition First
true false full occupied none hop move halma8 pulce 4x4:2,1 e1-d2 a7-c5 h1-f3 pass x o 0 1 2 3 -1 50 99999999999
oooo4/ooo5/oo6/o7/7x/6xx/5xxx/4xxxx
"""
WORDS = VOCABULARY.split()
COMMANDS = ("ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "perft", "d")
KNOWN = ("info", "id", "option", "ugiok", "readyok", "bestmove", "response")


def random_line(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.1:
        return "".join(chance.choices(string.printable.replace("\n", ""), k=chance.randrange(40)))
    if kind < 0.5:
        return " ".join(chance.choices(WORDS, k=chance.randrange(1, 8)))
    first = chance.choice(["go", "position startpos moves", "position fen", "setoption name", "query", "stop", "perft"])
    rest = chance.choices(WORDS, k=chance.randrange(4))
    if first == "setoption name" and len(rest) > 1:
        rest[1] = "value"
    return " ".join([first, *rest])


def too_much(line: str) -> bool:
    """Whether a line asks for more memory, threads or text than a test should take."""
    return ("99999999999" in line and ("Hash" in line or "Threads" in line)) or line.split()[:1] == ["quit"]


def assert_nothing_is_dropped(lines: list[str], said: list[str]) -> None:
    """Each line that must be answered has been: those of no command, and those that are answered in one way only."""
    words = [line.split() for line in lines if line.split()]
    unknown = [first for first, *_ in words if first not in COMMANDS]
    remarks = [line for line in said if line.startswith("info string command: ")]
    assert len(remarks) == len(unknown)
    for remark, first in zip(remarks, unknown, strict=True):
        if first.isascii() and first.isprintable():
            assert repr(first)[:50] in remark
    assert said.count("ugiok") == words.count(["ugi"])
    for command in ("isready", "ugi", "stop", "uginewgame", "d"):
        with_more = [line for line in words if line[0] == command and len(line) > 1]
        refused = [line for line in said if line.startswith(f"info string {command}: ") and "expected nothing" in line]
        assert len(refused) == len(with_more)
    queries = sum(line[0] == "query" for line in words)
    answers = [line for line in said if line.startswith(("response ", "info string query: "))]
    assert len(answers) == queries


def test_ten_thousand_random_lines_do_it_no_harm() -> None:
    chance = random.Random(20250730)
    with EngineProcess() as engine:
        engine.ask("setoption name Variant value halma8", "setoption name Hash value 1")
        total = 0
        for _ in range(20):
            lines = [line for _ in range(500) if not too_much(line := random_line(chance))]
            lines += ["stop", "setoption name Threads value 1", "setoption name MultiPV value 1"]
            engine.send(*lines)
            total += len(lines)
            # One `readyok` for each `isready` of the lines, the last for that of `ask`: none is left for later.
            said = [
                line
                for _ in range(sum(line.split() == ["isready"] for line in lines))
                for line in engine.until("readyok")
            ]
            said += engine.ask()
            assert_nothing_is_dropped(lines, said)
        assert total > 9_900
        assert all(line.split()[0] in KNOWN for line in engine.seen)
        assert all(len(line.split()) == 2 for line in engine.seen if line.startswith("bestmove"))
        assert sum(line.startswith("bestmove") for line in engine.seen) > 50
        engine.ask("stop", "setoption name Variant value halma8", "uginewgame", "position startpos")
        engine.send("go depth 2")
        assert engine.until("bestmove")[-1].split()[1] in Position("halma8").legal_moves
        engine.send("quit")
        assert engine.end()[0] == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_storm_of_stops_gives_one_move_a_search(threads: int) -> None:
    with EngineProcess() as engine:
        engine.ask("setoption name Variant value halma8", f"setoption name Threads value {threads}", "stop", "stop")
        for pause in (0.0, 0.0, 0.001, 0.01):
            engine.send("go infinite")
            time.sleep(pause)
            engine.send(*["stop"] * 300)
            engine.until("bestmove")
            assert not any(line.startswith("bestmove") for line in engine.ask("stop"))
        engine.send(*["go infinite", "stop"] * 50)
        for _ in range(50):
            engine.until("bestmove")
        assert engine.ask("stop") == []


@pytest.mark.parametrize("work", ["go infinite", "go depth 50", "perft 100", "isready"])
@pytest.mark.parametrize("how", ["quit", "end of input"])
def test_it_ends_at_once_whatever_it_does(work: str, how: str) -> None:
    with EngineProcess() as engine:
        engine.send("setoption name Threads value 2", work)
        engine.until("readyok" if work == "isready" else "info")
        begin = time.monotonic()
        if how == "quit":
            engine.send("quit")
        else:
            engine.close_input()
        status, last = engine.end()
        assert status == 0
        assert time.monotonic() - begin < 20
        # The search that was cut short has its answer.
        assert sum(line.startswith("bestmove") for line in last) == work.startswith("go")


def test_what_follows_quit_is_left_alone() -> None:
    done = exit_of(b"isready\nquit\nisready\nfoo\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"readyok\n", b"")


def test_an_input_that_ends_within_a_line_is_obeyed_to_its_end() -> None:
    done = exit_of(b"position startpos\nquery p1turn")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"response true\n", b"")
    assert exit_of(b"").returncode == 0


@pytest.mark.parametrize("data", [b"isready\n" * 3, b"go infinite\n", b"perft 100\n"])
def test_an_output_that_nobody_reads_ends_it_silently(data: bytes) -> None:
    # The input stays open as long as the process lives, so that it is the output that ends it.
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(data)
    process.stdin.flush()
    assert wait_for(lambda: process.poll() is not None)
    assert process.stderr.read() == b""
    assert process.returncode == 128 + signal.SIGPIPE
    process.stdin.close()
    process.stderr.close()


@pytest.mark.parametrize("last", [b"quit\n", b"", b"go infinite\nquit\n"])
def test_it_ends_though_its_output_is_open_and_nobody_reads_it(last: bytes) -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"ugi\n" * 200 + last)
        process.stdin.flush()
        if not last:
            process.stdin.close()
        try:
            assert process.wait(30) == 0
            assert process.stderr.read() == b""
        finally:
            process.kill()


def test_all_answers_reach_a_reader_that_begins_late() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"ugi\n" * 200 + b"isready\nquit\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"id name")
        time.sleep(0.5)
        rest = process.stdout.read()
        assert rest.count(b"ugiok\n") == 200
        assert rest.endswith(b"readyok\n")
        assert process.wait(PATIENCE) == 0


def test_an_input_that_was_never_open_has_ended() -> None:
    done = subprocess.run(
        f"exec {' '.join(COMMAND)} <&-", shell=True, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_interrupt_is_one_line_and_status_130() -> None:
    with EngineProcess() as engine:
        engine.send("go infinite")
        engine.until("info")
        engine.process.send_signal(signal.SIGINT)
        while engine.line() is not None:
            pass
        assert engine.process.wait(PATIENCE) == 130
        assert wait_for(lambda: engine.errors != b"")
        assert engine.errors == b"halma-fast: interrupted\n"


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer itself needs more memory")
def test_without_memory_for_a_table_it_answers_and_gives_no_move() -> None:
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
    run = "from halma_fast.cli import main; sys.argv = ['halma-fast', 'ugi']; sys.exit(main())"
    lines = "setoption name Hash value 2000\nisready\ngo depth 1\nquit\n"
    done = subprocess.run(
        [sys.executable, "-c", limit + run], input=lines, capture_output=True, text=True, timeout=60, check=True
    )
    assert "not enough memory" in done.stdout
    assert "readyok" in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1].startswith("bestmove ")
    assert done.stderr == ""
