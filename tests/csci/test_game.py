"""Whole games through the files, with the reference as the host that checks every move."""

from __future__ import annotations

from pathlib import Path

import reference
from reference import Game, csci561

from csci.host import Host
from halma_fast import Engine, Limit, Position
from halma_fast.csci import read_input, write_output

MOST_TURNS = 500


def test_a_whole_game_through_the_texts_is_legal_and_won() -> None:
    host = Host()
    engine = Engine(hash_mb=1)
    while not host.is_over() and host.turns < MOST_TURNS:
        request = read_input(host.input_text(100.0))
        move = engine.search(request.position, Limit(nodes=300)).best_move
        host.take(write_output(request.position, move))
    assert host.is_over()
    assert host.winner() is not None


def test_a_game_of_two_processes_is_legal(tmp_path: Path) -> None:
    from csci.test_command import answer

    host = Host()
    for _ in range(4):
        (tmp_path / "input.txt").write_text(host.input_text(1.0))
        done = answer(tmp_path, "--nodes", "500", "--hash", "1")
        assert (done.returncode, done.stderr) == (0, b"")
        host.take((tmp_path / "output.txt").read_text())


def test_the_host_refuses_what_the_rules_forbid() -> None:
    host = Host()
    for text in ("E 0,0 1,1\n", "J 4,0 4,1\n", "J 4,0 6,2\n", "E 4,1 6,3\n", "J 4,0 4,2\nJ 4,2 4,0\n"):
        assert not host.is_legal(text), text
    assert host.is_legal("J 4,0 4,2\n")
    assert isinstance(host.game, Game)
    assert host.game.position == reference.start_position(csci561())
    assert Position("csci561").turn.letter == host.game.position.turn
