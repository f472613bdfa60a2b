"""Nothing that Python passes in ends the process: objects made in odd ways, and arguments that act back.

Each case runs in a process of its own, since what it guards against takes the whole process down.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

ODD_OBJECTS = {
    "no constructor": "p = h.Position.__new__(h.Position)",
    "a constructor that does not call its base": "\n".join(
        ["class P(h.Position):", "    def __init__(self): pass", "try: p = P()", "except Exception: sys.exit()"]
    ),
    "a constructor that fails": "\n".join(
        [
            "class P(h.Position):",
            "    def __init__(self):",
            "        caught.append(self)",
            "        super().__init__('halma8', fen='nonsense')",
            "try: P()",
            "except h.FenError: pass",
            "p = caught[0]",
        ]
    ),
}
USES = {
    "turn": "p.turn",
    "variant": "p.variant",
    "fen": "p.fen()",
    "moves": "list(p.legal_moves), len(p.legal_moves), bool(p.legal_moves)",
    "array": "p.legal_moves_array()",
    "board": "p.to_numpy()",
    "push": "p.push('h4-h5')",
    "pop": "p.pop()",
    "peek": "p.peek()",
    "path": "p.path('h4-h5')",
    "stack": "p.move_stack",
    "equal": "p == h.Position(), h.Position() == p, p == p",
    "copy": "p.copy(), p.copy(stack=False)",
    "pickle": "pickle.dumps(p)",
    "keys": "p.key(), p.zobrist, p.ply, p.move_number",
    "pieces": "p.pieces(0), p.piece_at(7)",
    "outcome": "p.outcome(), p.is_game_over()",
    "text": "str(p), repr(p)",
    "perft": "h.perft(p, 2)",
    "divide": "h.divide(p, 2)",
    "search": "h.Engine(hash_mb=1).search(p, depth=2)",
}


def survives(code: str) -> None:
    """Run a script; an exception is fine, a signal is not."""
    script = f"import pickle, sys\nimport halma_fast as h\ncaught = []\n{code}\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode >= 0, (done.returncode, done.stderr)


@pytest.mark.parametrize("make", ODD_OBJECTS.values(), ids=ODD_OBJECTS.keys())
def test_a_position_that_was_never_set_up_harms_nothing(make: str) -> None:
    uses = "\n".join(f"try: {use}\nexcept Exception: pass" for use in USES.values())
    survives(f"try:\n    exec({make!r})\nexcept TypeError: sys.exit()\n{uses}")


@pytest.mark.parametrize("view", ["h.LegalMoves()", "h.LegalMoves(None)", "h.LegalMoves(h.Position())"])
def test_a_view_made_by_hand_harms_nothing(view: str) -> None:
    survives(f"try: v = {view}\nexcept Exception: sys.exit()\nlist(v), len(v), bool(v), h.PASS in v, repr(v)")


ACTING_BACK = """
class Acts:
    def __index__(self):
        for _ in range(3000):
            for move in ("h4-h5", "a5-a4", "h5-h4", "a4-a5"):
                p.push(move)
        return {number}
p = h.Position("halma8", repetition=None)
got = {call}
assert got == {expected}, got
"""


@pytest.mark.parametrize(
    ("call", "number", "expected"),
    [
        ("p.pieces(Acts())", 0, "p.pieces(0)"),
        ("p.piece_at(Acts())", 7, "h.Side.X"),
        ("h.perft(p, Acts())", 1, "len(p.legal_moves)"),
    ],
)
def test_an_argument_that_makes_moves_while_it_is_read_meets_the_position_as_it_is_then(
    call: str, number: int, expected: str
) -> None:
    script = ACTING_BACK.format(call=call, number=number, expected=expected)
    done = subprocess.run(
        [sys.executable, "-c", f"import halma_fast as h\n{script}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_callback_may_change_the_position_that_is_counted() -> None:
    survives(
        "p = h.Position('halma8')\n"
        "count = h.perft(p, 2, on_progress=lambda *_: p.push(next(iter(p.legal_moves))))\n"
        "sys.exit(0 if count == 576 else -1)"
    )


def test_an_exception_of_a_callback_comes_out_and_leaves_everything_usable() -> None:
    survives(
        "p = h.Position('halma8')\n"
        "try: h.perft(p, 2, on_progress=lambda *_: 1 / 0)\n"
        "except ZeroDivisionError: pass\n"
        "sys.exit(0 if h.perft(p, 2) == 576 else -1)"
    )


def test_very_long_games_are_kept_and_taken_back() -> None:
    survives(
        "p = h.Position('halma8', repetition=None)\n"
        "for _ in range(25_000):\n"
        "    for move in ('h4-h5', 'a5-a4', 'h5-h4', 'a4-a5'): p.push(move)\n"
        "q = pickle.loads(pickle.dumps(p))\n"
        "while q.move_stack[-1:] and q.ply > 99_990: q.pop()\n"
        "sys.exit(0 if p.ply == 100_000 and q.ply == 99_990 else -1)"
    )


# Subclasses that answer otherwise than their base: what the package makes of its own must not pass through them.
HOSTILE_SUBCLASSES = {
    "parse_move returns no move": """
class P(h.Position):
    def parse_move(self, text): return 5
p = P('halma8'); p.push('h4-h5'); p.path('a5-a4'); list(p.legal_moves)
""",
    "parse_move returns an illegal move": """
class P(h.Position):
    def parse_move(self, text): return h.Move(0, 255)
p = P('halma8')
try: p.push('h4-a8')
except h.IllegalMoveError: pass
assert p.fen() == h.Position('halma8').fen()
""",
    "outcome denies the end": """
class P(h.Position):
    def outcome(self): return None
    def is_game_over(self): return False
p = P('halma8', 'xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3oooo1 o 60')
try: h.Engine(1).search(p, depth=3)
except h.GameOverError: pass
else: raise SystemExit('searched a finished game')
""",
    "a limit without its checks": """
class L(h.Limit):
    def __post_init__(self): pass
for limit in (L(depth=1000), L(depth=-5), L(nodes=-1), L(time=float('nan'))):
    try: h.Engine(1).search(h.Position('halma8'), limit)
    except h.LimitError: pass
    else: raise SystemExit(f'accepted {limit}')
""",
    "a variant without its checks": """
class V(h.Variant):
    def __post_init__(self): pass
v = h.Variant.named('halma8')
bad = V('x', 99, frozenset(), start=(frozenset({4000}), frozenset({-7})), home=v.home, goal=v.goal)
try: h.Position(bad)
except h.VariantError: pass
else: raise SystemExit('accepted')
""",
    "a variant that is changed after its first use": """
import dataclasses
v = dataclasses.replace(h.Variant.named('halma8'), name='mine')
h.Position(v)
for field, value in (('size', 200), ('start', (frozenset(range(200)), frozenset())), ('goal', (frozenset({999}),) * 2)):
    w = dataclasses.replace(v)
    object.__setattr__(w, field, value)
    try: list(h.Position(w).legal_moves)
    except Exception: pass
""",
    "a copy of another kind": """
class P(h.Position):
    def copy(self, **k): return 7
    @property
    def variant(self): return None
    def fen(self): return 'x'
try: h.perft(P('halma8'), 3, threads=2)
except Exception: pass
""",
    "an info callback that sets the position up anew": """
p = h.Position('halma8')
def again(info):
    for n in range(3, 17):
        for row in range(1, n // 2):
            p.__init__(h.Variant.square(n, (row,)))
result = h.Engine(1).search(p, depth=5, on_info=again)
assert result.score == h.Engine(1).search(h.Position('halma8'), depth=5).score
""",
}


@pytest.mark.parametrize("name", HOSTILE_SUBCLASSES)
def test_subclasses_cannot_break_the_kernels_trust(name: str) -> None:
    script = f"import sys\nimport halma_fast as h\n{HOSTILE_SUBCLASSES[name]}\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
