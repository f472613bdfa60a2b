"""A scripted engine: answers the protocol as told by its argument, well or badly. Knows no rules and imports nothing.

python fake_engine.py MODE [MOVE [LOG]]
"""

import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
MOVE = sys.argv[2] if len(sys.argv) > 2 else "h4-h5"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def sleep() -> None:
    time.sleep(600)


def introduce() -> None:
    say("id name Fake Engine")
    say("id author Nobody")
    if MODE == "ataxx":
        say("hello there")
        say("option name Ataxx Rules type combo default Classic var Classic var New Style")
        say("option name Ponder type check default false")
        say("option name Level type spin default 3 min 1 max 10")
        say("option name Clear type button")
        say("option name Book type string default <empty>")
        say("option name Odd type surprise")
        say("option")
    elif MODE != "plain":
        say("option name Variant type string default halma16")
        say("option name Win type combo default full var full var occupied")
        say("option name HomeDeadline type spin default 0 min 0 max 1000000")
        say("option name HomeReentry type check default true")
        say("option name MultiPV type spin default 1 min 1 max 64")
    say("ugiok")


def search(words: list[str]) -> None:
    """Answer `go`; with `infinite` wait for `stop`."""
    if MODE == "dies in search":
        print("Segmentation", "fault", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    elif MODE == "hangs in search":
        sleep()
    elif MODE == "floods":
        while True:
            say("info depth 3 score cp 12 nodes 500 pv " + MOVE)
    elif MODE == "closes stdout":
        os.close(1)
        sleep()
    elif MODE == "slow":
        time.sleep(0.3)
    elif MODE == "endless line":
        while True:
            sys.stdout.write("info " * 1000)
    elif MODE == "garbage":
        sys.stdout.buffer.write(
            b"\xff\xfe\x00 info score\ninfo depth x score cp\ninfo score mate 99999999999999999999\n"
        )
        say("info depth -3 multipv 9999 score cp 5 pv a1-a2 nonsense")
        say("\t \r")
    elif MODE == "ataxx":
        say("info string searching depth 3 score cp 99 pv " + MOVE)
        say(f"info depth 7 wdl 10 20 30 score cp -15 lowerbound tbhits 5 time 250 currmove {MOVE} pv {MOVE}")
        say(f"bestmove {MOVE} ponder a7-c5")
        return
    else:
        later = "seldepth 4 nodes 500 nps 5000 hashfull 1002 time 100"
        say(f"info depth 1 seldepth 2 score cp 10 nodes 24 nps 2400 hashfull 1 time 10 pv {MOVE}")
        say(f"info depth 2 multipv 1 score mate 3 {later} pv {MOVE} a7-c5 h1-h9")
        say(f"info depth 2 multipv 2 score mate -2 upperbound {later} pv {MOVE}")
    if "infinite" in words:
        for line in sys.stdin:
            if line.strip() == "stop":
                break
            if line.strip() == "isready":
                say("readyok")
    say(f"bestmove {MOVE}")
    if MODE == "answers twice":
        say("bestmove a1-a2")


def main() -> None:
    if MODE == "dies at start":
        print("cannot find my network", file=sys.stderr)
        sys.exit(3)
    if MODE == "leaves a child":
        subprocess.Popen(["sleep", "600"])
    if MODE == "noise":
        sys.stderr.write("x" * 1_000_000)
        sys.stderr.flush()
    log = open(sys.argv[3], "w", buffering=1) if len(sys.argv) > 3 else None  # noqa: SIM115 - as long as the process
    while True:
        line = sys.stdin.readline()
        if log:
            log.write(line)
        if not line or line.strip() == "quit":
            break
        words = line.split()
        if words[0] == "ugi":
            if MODE == "hangs at start":
                sleep()
            introduce()
        elif words[0] == "isready":
            if MODE == "hangs when ready" and hasattr(main, "once"):
                sleep()
            main.once = True
            say("readyok")
        elif words[0] == "go":
            search(words)
        elif words[0] == "query":
            say("response nothing at all" if MODE == "garbage" else "response none")
    if MODE == "does not quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep()


main()
