"""Makes a version of the package that has no `halma-fast ugi` speak UGI: what `versions.py` starts in its environment.

    python benchmarks/ugi_adapter.py

Uses nothing but `Position(variant, fen, **rules)`, `push`, `Engine(hash_mb).clear()` and
`.search(position, depth=, nodes=, time=)`, which every version has. A clock becomes a time for the move: a thirtieth of
what is left and most of the increment.
"""

from __future__ import annotations

import sys
import threading
from itertools import pairwise

from halma_fast import Engine, HalmaError, Position

OPTIONS = (
    "Hash type spin default 16 min 1 max 1048576",
    "Variant type string default halma16",
    "Win type combo default full var full var occupied",
    "GoalLock type combo default hop var hop var move var none",
    "HomeReentry type check default true",
    "HomeDeadline type spin default 0 min 0 max 1000000000",
    "MaxTurns type spin default 0 min 0 max 1000000000",
    "Repetition type combo default 3 var 3 var none",
    "First type combo default x var x var o",
)
RULES = {
    "win": ("win", str),
    "goallock": ("goal_lock", str),
    "homereentry": ("home_reentry", lambda text: text == "true"),
    "homedeadline": ("home_deadline", lambda text: int(text) or None),
    "maxturns": ("max_turns", lambda text: int(text) or None),
    "repetition": ("repetition", lambda text: None if text == "none" else int(text)),
    "first": ("first", str),
}


def say(text: str) -> None:
    print(text, flush=True)


class Adapter:
    """The state of the protocol: options, position, and the thread that searches."""

    def __init__(self) -> None:
        self.engine = Engine(hash_mb=16)
        self.variant = "halma16"
        self.rules: dict[str, object] = {}
        self.position = Position(self.variant)
        self.thread: threading.Thread | None = None

    def set_option(self, words: list[str]) -> None:
        name, value = " ".join(words).removeprefix("name ").split(" value ", 1)
        key = name.lower()
        if key == "hash":
            self.engine = Engine(hash_mb=int(value))
        elif key == "variant":
            if value != self.variant:
                self.variant, self.rules = value, {}
        elif key in RULES:
            rule, read = RULES[key]
            self.rules[rule] = read(value)

    def set_position(self, words: list[str]) -> None:
        text, _, moves = " ".join(words).partition(" moves ")
        # Rules that the variant does not have were not meant for it.
        plain = Position(self.variant).variant.rules
        rules = {rule: value for rule, value in self.rules.items() if rule in plain}
        fen = None if text == "startpos" else text.removeprefix("fen ")
        position = Position(self.variant, fen=fen, **rules)
        for move in moves.split():
            position.push(move)
        self.position = position

    def go(self, words: list[str]) -> None:
        given = {name: int(value) for name, value in pairwise(words) if value.isdigit()}
        me = "p1" if self.position.turn == 0 else "p2"
        seconds = given["movetime"] / 1000 if "movetime" in given else None
        if f"{me}time" in given:
            left, increment = given[f"{me}time"] / 1000, given.get(f"{me}inc", 0) / 1000
            share = max(0.001, min(left / given.get("movestogo", 30) + 0.8 * increment, 0.5 * left))
            seconds = share if seconds is None else min(share, seconds)
        limits = {"depth": given.get("depth"), "nodes": given.get("nodes"), "time": seconds}
        position = self.position.copy()

        def search() -> None:
            try:
                result = self.engine.search(position, **limits)
            except HalmaError as error:
                say(f"info string {error}")
                say("bestmove 0000")
                return
            score = f"cp {result.score.value}"
            if result.score.kind != "points":
                mate = (result.score.value + 1) // 2
                score = f"mate {mate if result.score.kind == 'win' else -mate}"
            say(
                f"info depth {result.depth} seldepth {result.seldepth} score {score} nodes {result.nodes}"
                f" nps {result.nps} time {round(1000 * result.seconds)} pv {' '.join(move.text for move in result.pv)}"
            )
            say(f"bestmove {result.best_move.text}")

        self.thread = threading.Thread(target=search, daemon=True)
        self.thread.start()

    def wait(self) -> None:
        if self.thread is not None:
            self.thread.join()
            self.thread = None

    def answer(self, line: str) -> bool:
        """Obey one line; returns whether there may be more."""
        command, *words = line.split() or [""]
        if command == "quit":
            return False
        if command == "ugi":
            say("id name halma_fast through an adapter")
            say("id author halma_fast")
            for option in OPTIONS:
                say(f"option name {option}")
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif command == "stop":
            self.engine.stop()
            self.wait()
        elif command == "setoption":
            self.wait()
            self.set_option(words)
        elif command == "uginewgame":
            self.wait()
            self.engine.clear()
        elif command == "position":
            self.wait()
            self.set_position(words)
        elif command == "go":
            self.wait()
            self.go(words)
        return True


def main() -> int:
    adapter = Adapter()
    for line in sys.stdin:
        try:
            if not adapter.answer(line):
                break
        except (HalmaError, ValueError) as error:
            say(f"info string {error}")
    adapter.engine.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
