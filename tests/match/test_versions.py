"""Old versions as opponents: the adapter plays what the engine plays, and the script refuses what is no commit."""

from __future__ import annotations

import importlib
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from halma_fast import Limit, Position
from halma_fast.players import make_player

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.exists(), reason="not in a checkout")


def test_the_adapter_plays_what_the_engine_plays() -> None:
    program = make_player(f"ugi:{shlex.join([sys.executable, str(BENCHMARKS / 'ugi_adapter.py')])};Hash=1")
    engine = make_player("engine:hash=1")
    try:
        for start in (Position("halma8", win="occupied"), Position("pulce", first="o", max_turns=99)):
            position = start.copy()
            for player in (program, engine):
                player.new_game(position.variant)
            for _ in range(4):
                told, own = (player.play(position.copy(), Limit(depth=2)) for player in (program, engine))
                assert told.move == own.move
                assert told.info is not None
                assert own.info is not None
                assert (told.info.nodes, told.info.depth) == (own.info.nodes, own.info.depth)
                position.push(told.move)
            on_clock = program.play(position, Limit(x_clock=0.3, o_clock=0.3, x_inc=0.01, o_inc=0.01))
            assert position.is_legal(on_clock.move)
    finally:
        program.close()


def test_a_version_is_the_one_of_its_environment_wherever_it_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A package of the same name, in the way of every import that looks at the folder or at $PYTHONPATH.
    (tmp_path / "halma_fast").mkdir()
    (tmp_path / "halma_fast" / "__init__.py").write_text("raise SystemExit(7)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    versions = importlib.import_module("versions")
    name = versions.player(Path(sys.executable))
    command = shlex.split(name.removeprefix("ugi:"))
    done = subprocess.run(command, input=b"isready\nquit\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [b"readyok"], b"")


@pytest.mark.parametrize("arguments", [("no-such-commit",), ("--games", "4")])
def test_what_is_no_commit_is_one_line(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, str(BENCHMARKS / "versions.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("versions: ")
    assert done.stderr.count("\n") == 1
