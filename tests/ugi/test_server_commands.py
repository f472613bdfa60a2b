"""Every command of the protocol, answered by the real process as documented."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator

import pytest

from halma_fast import Position, perft
from halma_fast.ugi import server
from ugi.engine_process import EngineProcess

WON = "xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/3oooo1 o 60"
NEAR = "xxxx4/xxx5/xx6/1x6/7o/6oo/5ooo/3o1ooo x 60"
INFO = re.compile(
    r"info depth (\d+) seldepth (\d+) multipv (\d+) score (cp|mate) (-?\d+)( lowerbound| upperbound)?"
    r" nodes (\d+) nps (\d+) hashfull (\d+) time (\d+) pv( [a-p]\d+-[a-p]\d+| pass)+"
)


@pytest.fixture(scope="module")
def shared() -> Iterator[EngineProcess]:
    with EngineProcess() as engine:
        yield engine


@pytest.fixture
def engine(shared: EngineProcess) -> EngineProcess:
    """The same process, set back: its start takes longer than a test."""
    reset = ["Variant value halma8", "Win value full", "GoalLock value hop", "HomeReentry value true"]
    reset += ["Repetition value 3", "First value x", "HomeDeadline value 0", "MaxTurns value 0"]
    reset += ["Hash value 1", "Threads value 1", "MultiPV value 1"]
    shared.ask("stop", *(f"setoption name {option}" for option in reset), "uginewgame")
    return shared


def response(engine: EngineProcess, *lines: str) -> str:
    said = engine.ask(*lines)
    assert len(said) == 1, said
    assert said[0].startswith("response ")
    return said[0].removeprefix("response ")


def go(engine: EngineProcess, limits: str) -> tuple[list[str], str]:
    """The info lines and the move."""
    engine.send(f"go {limits}")
    *infos, last = engine.until("bestmove")
    words = last.split()
    assert len(words) == 2
    return infos, words[1]


def test_it_names_itself_and_its_options(engine: EngineProcess) -> None:
    engine.send("ugi")
    lines = engine.until("ugiok")
    assert lines[0].startswith("id name halma_fast ")
    assert lines[1].startswith("id author ")
    options = [line.split() for line in lines[2:-1]]
    assert all(words[:2] == ["option", "name"] and words[3] == "type" for words in options)
    types = {words[2]: words[4] for words in options}
    expected = (
        "Hash Threads MultiPV Variant Win GoalLock HomeReentry HomeDuty HomeDeadline MaxTurns MoveOverhead OwnBook"
    )
    assert set(expected.split()) <= set(types)
    assert types["Hash"] == types["HomeDeadline"] == "spin"
    assert types["HomeReentry"] == types["HomeDuty"] == types["OwnBook"] == "check"
    assert types["Win"] == types["GoalLock"] == "combo"
    assert "option name OwnBook type check default false" in lines
    assert lines[-1] == "ugiok"


def test_every_offered_default_can_be_set(engine: EngineProcess) -> None:
    engine.send("ugi")
    for line in engine.until("ugiok")[2:-1]:
        words = line.split()
        default = words[words.index("default") + 1]
        said = engine.ask(f"setoption name {words[2]} value {default}", "setoption name Variant value halma8")
        assert all("no such rule" in remark for remark in said)


def test_positions_and_queries(engine: EngineProcess) -> None:
    assert response(engine, "position startpos", "query fen") == Position("halma8").fen()
    assert response(engine, "query p1turn") == "true"
    assert response(engine, "query gameover") == "false"
    assert response(engine, "query result") == "none"
    assert response(engine, "query islegal e1-d2") == "true"
    assert response(engine, "query islegal e1d2") == "true"
    assert response(engine, "query islegal a8-a7") == "false"
    assert response(engine, "query islegal xyz") == "false"
    assert response(engine, "position startpos moves e1-d2", "query p1turn") == "false"
    position = Position("halma8")
    for move in ("e1-d2", "a7-c5", "h1f3"):
        position.push(move)
    assert response(engine, "position startpos moves e1-d2 a7-c5 h1f3", "query fen") == position.fen()
    fen = position.fen()
    assert response(engine, f"position fen {fen}", "query fen") == fen
    move = next(iter(position.legal_moves))
    position.push(move)
    assert response(engine, f"position  fen {fen} \t moves   {move} \r", "query fen") == position.fen()


def test_the_end_of_a_game_is_declared(engine: EngineProcess) -> None:
    won = f"position fen {WON}"
    assert response(engine, won, "query gameover") == "true"
    assert response(engine, won, "query result") == "p1win"
    infos, move = go(engine, "depth 3")
    assert (move, len(infos)) == ("0000", 1)
    assert infos[0].startswith("info string the game is over, x wins")


def test_the_second_player_wins_too(engine: EngineProcess) -> None:
    engine.ask("setoption name Win value occupied")
    fen = "8/xxxx4/xxx5/xx5o/x7/6oo/5ooo/4oooo x 60"
    assert Position.from_fen(fen, "halma8", win="occupied").outcome() is None
    over = "8/xxxx4/xxx5/xx6/x6o/6oo/5ooo/4oooo x 60"
    assert response(engine, f"position fen {over}", "query result") == "p2win"
    assert response(engine, "query gameover") == "true"


def test_the_third_repetition_is_declared_a_draw(engine: EngineProcess) -> None:
    there_and_back = " e1-d2 a7-c5 d2-e1 c5-a7"
    game = "position startpos moves" + there_and_back
    assert response(engine, game, "query gameover") == "false"
    game += there_and_back
    assert response(engine, game, "query gameover") == "true"
    assert response(engine, "query result") == "draw"
    assert response(engine, "setoption name Repetition value none", game, "query gameover") == "false"


def test_the_cap_on_turns_is_declared_a_draw(engine: EngineProcess) -> None:
    engine.ask("setoption name MaxTurns value 2")
    assert response(engine, "position startpos moves e1-d2", "query gameover") == "false"
    assert response(engine, "position startpos moves e1-d2 a7-c5", "query gameover") == "true"
    assert response(engine, "query result") == "draw"


def test_the_deadline_is_declared_a_loss(engine: EngineProcess) -> None:
    engine.ask("setoption name HomeDeadline value 1")
    assert response(engine, "position startpos moves e1-d2", "query result") == "p2win"


@pytest.mark.parametrize("variant", ["halma16", "halma10", "halma8", "pulce", "5x5:3,2,1"])
def test_variants_have_their_start_and_play(engine: EngineProcess, variant: str) -> None:
    assert response(engine, f"setoption name Variant value {variant}", "query fen") == Position(variant).fen()
    _, move = go(engine, "depth 2")
    assert move in Position(variant).legal_moves


def test_rules_reach_the_game_and_outlive_a_change_of_variant(engine: EngineProcess) -> None:
    engine.ask("setoption name Win value occupied", "setoption name goallock value NONE")
    engine.ask("setoption name Variant value pulce", "setoption name Variant value halma8")
    fen = "8/xxxx4/xxx5/xx6/x6o/6oo/5ooo/4oooo x 60"
    assert response(engine, f"position fen {fen}", "query result") == "p2win"
    engine.ask("setoption name HomeReentry value false")
    position = Position("halma8", home_reentry=False, goal_lock="none", win="occupied")
    for move in ("e1-d2", "a7-c5"):
        position.push(move)
    line = "position startpos moves e1-d2 a7-c5"
    assert response(engine, line, "query islegal d2-e1") == ("true" if position.is_legal("d2-e1") else "false")
    assert not position.is_legal("d2-e1")
    remark = engine.ask("setoption name Variant value pulce", "setoption name Win value full")
    assert remark == ["info string Win: kept, but pulce has no such rule"]


def test_pulce_s_beginner_can_be_chosen(engine: EngineProcess) -> None:
    engine.ask("setoption name Variant value pulce", "setoption name First value o")
    assert response(engine, "query p1turn") == "false"


@pytest.mark.parametrize("limits", ["depth 4", "nodes 5000", "movetime 50", "p1time 500 p2time 1 p1inc 10 p2inc 1"])
def test_a_search_tells_its_lines_and_then_its_move(engine: EngineProcess, limits: str) -> None:
    infos, move = go(engine, limits)
    assert all(INFO.fullmatch(line) for line in infos), infos
    assert f"pv {move}" in infos[-1]
    matches = [match for line in infos if (match := INFO.fullmatch(line))]
    exact = [int(match[1]) for match in matches[:-1] if not match[6]]
    assert exact == list(range(1, len(exact) + 1))
    # The last line is said once more before the end.
    assert int(matches[-1][1]) in (exact[-1], exact[-1] + 1)
    assert all(int(match[9]) <= 1000 for match in matches)


def test_limits_combine_and_the_first_one_ends_the_search(engine: EngineProcess) -> None:
    infos, _ = go(engine, "infinite p1time 900000 movestogo 40 depth 3 nodes 100000000 movetime 100000")
    assert infos[-1].startswith("info depth 3 ")
    infos, _ = go(engine, "depth 90 nodes 2000")
    assert " nodes 2000 " in infos[-1]


def test_a_flag_that_has_fallen_still_gets_a_move(engine: EngineProcess) -> None:
    for limits in ("p1time 0 p2time 0", "p1time -500 p2time 100", "movetime 0", "p1time 1 movestogo 1"):
        _, move = go(engine, limits)
        assert move in Position("halma8").legal_moves


def test_wins_are_counted_in_own_moves(engine: EngineProcess) -> None:
    engine.ask(f"position fen {NEAR}")
    assert " score mate 1 " in go(engine, "depth 2")[0][-1]
    # One move away for the other side, whatever is played here.
    engine.ask("setoption name Variant value 4x4:2,1", "setoption name HomeDeadline value 2")
    assert " score mate -2 " in go(engine, "depth 6")[0][-1]
    engine.ask("setoption name HomeDeadline value 0", "setoption name Win value occupied")
    assert " score mate 7 " in go(engine, "mate 7")[0][-1]


def test_ranked_lines_are_told_in_their_order(engine: EngineProcess) -> None:
    engine.ask("setoption name MultiPV value 3")
    infos, move = go(engine, "depth 3")
    last = [match for line in infos[-3:] if (match := INFO.fullmatch(line))]
    assert [match[3] for match in last] == ["1", "2", "3"]
    assert [int(match[5]) for match in last] == sorted((int(match[5]) for match in last), reverse=True)
    assert f"pv {move}" in infos[-3]


def test_chosen_moves_and_threads(engine: EngineProcess) -> None:
    engine.ask("setoption name Threads value 2", "setoption name Hash value 2")
    assert go(engine, "depth 3 searchmoves e1-d2")[1] == "e1-d2"
    _, move = go(engine, "nodes 20000")
    assert move in Position("halma8").legal_moves


def test_perft_counts_every_depth(engine: EngineProcess) -> None:
    engine.send("perft 4")
    nodes = []
    while len(nodes) < 4:
        line = engine.line()
        assert line is not None
        match = re.fullmatch(r"info depth (\d+) nodes (\d+) nps \d+ time \d+", line)
        assert match, line
        nodes.append((int(match[1]), int(match[2])))
    assert nodes == [(depth, perft(Position("halma8"), depth)) for depth in range(1, 5)]


def test_a_long_perft_can_be_stopped(engine: EngineProcess) -> None:
    engine.send("perft 100")
    assert any("not during a search" in line for line in engine.ask("go depth 1"))
    engine.send("stop", "go depth 1")
    assert " pv " in engine.until("bestmove")[-2]


def test_the_board_is_shown_in_info_strings(engine: EngineProcess) -> None:
    said = engine.ask("position startpos moves e1-d2", "d")
    assert all(line.startswith("info string") for line in said)
    position = Position("halma8")
    position.push("e1-d2")
    assert said[-1] == f"info string fen {position.fen()}"
    assert len(said) > 8


def test_commands_are_answered_during_a_search(engine: EngineProcess) -> None:
    engine.send("position startpos moves e1-d2", "go infinite")
    engine.until("info")
    for query, answer in (("p1turn", "false"), ("gameover", "false"), ("result", "none")):
        engine.send(f"query {query}")
        assert engine.until("response")[-1] == f"response {answer}"
    engine.send("isready")
    engine.until("readyok")
    for refused in ("go depth 1", "setoption name Hash value 2", "uginewgame", "perft 2"):
        said = [line for line in engine.ask(refused) if line.startswith("info string")]
        assert len(said) == 1
        assert f"{refused.split()[0]}: not during a search" in said[0]
    # A new position is that of the next queries and searches; the search that runs has its own.
    engine.send("position startpos", "query p1turn")
    assert engine.until("response")[-1] == "response true"
    engine.send("stop")
    move = engine.until("bestmove")[-1].split()[1]
    position = Position("halma8")
    position.push("e1-d2")
    assert move in position.legal_moves


def test_an_endless_search_waits_for_stop_even_if_there_is_nothing_left_to_find(engine: EngineProcess) -> None:
    # The only move is a pass, and after it the game is over: all hundred depths take no time.
    engine.ask("setoption name Variant value 4x4:2,1", "setoption name MaxTurns value 1")
    for command in ("go infinite", "go"):
        engine.send(command)
        while not (line := engine.line() or "").startswith("info depth 100 "):
            assert line.startswith("info depth")
        assert not any(line.startswith("bestmove") for line in engine.ask())
        engine.send("stop")
        assert len(engine.until("bestmove")) == 2


def test_infinite_makes_up_for_a_limit_that_ends_nothing(engine: EngineProcess) -> None:
    for command in ("go infinite p2time 500", "go infinite", "go p2inc 500", "go infinite movestogo 3"):
        engine.send(command)
        engine.until("info")
        assert not any(line.startswith(("bestmove", "info string")) for line in engine.ask())
        engine.send("stop")
        engine.until("bestmove")
    assert engine.ask("go p2time 500")[0].startswith("info string go: no clock for the side to move, x, expected")


def test_a_count_that_has_ended_leaves_the_next_job_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    # In this process, to hold the count where it has said its last line: what comes then is another job.
    write = server._Server._write

    def slow(self: server._Server, *lines: str, ends_job: bool = False) -> None:
        write(self, *lines, ends_job=ends_job)
        if any(line.startswith("info depth 1 nodes") for line in lines):
            assert begun.wait(20)

    monkeypatch.setattr(server._Server, "_write", slow)
    begun = threading.Event()
    pipes = [os.pipe() for _ in range(2)]
    with (
        open(pipes[0][0], "rb") as source,
        open(pipes[0][1], "wb", buffering=0) as commands,
        open(pipes[1][0], "rb") as answers,
        open(pipes[1][1], "wb") as sink,
    ):
        serving = threading.Thread(target=server.serve, args=(source, sink), daemon=True)
        serving.start()
        commands.write(b"setoption name Variant value halma8\nsetoption name Hash value 1\nperft 1\n")
        assert answers.readline().startswith(b"info depth 1 nodes")
        commands.write(b"go infinite\n")
        while b"multipv" not in answers.readline():
            pass
        begun.set()
        time.sleep(0.2)
        commands.write(b"stop\nisready\nquit\n")
        serving.join(20)
        sink.close()
        said = answers.read().split()
    assert not serving.is_alive()
    assert said.count(b"bestmove") == 1


def test_stop_and_go_need_no_pause_between_them(engine: EngineProcess) -> None:
    for _ in range(20):
        engine.send("go infinite", "stop", "position startpos moves e1-d2", "go depth 2")
        engine.until("bestmove")
        assert all(line.startswith("info depth") for line in engine.until("bestmove")[:-1])


def test_the_next_command_may_follow_the_move_at_once(engine: EngineProcess) -> None:
    for _ in range(50):
        infos, _ = go(engine, "depth 1")
        assert not any("string" in line for line in infos)


def test_a_game_between_two_engines_ends_by_the_rules(engine: EngineProcess) -> None:
    # As the known match runner does it: no checks of its own, queries to both, no `isready` between.
    with EngineProcess() as other:
        for player in (engine, other):
            player.send("setoption name Variant value 4x4:2,1", "setoption name Win value occupied")
        moves: list[str] = []
        players = (engine, other)
        while len(moves) < 200:
            line = "position startpos" + (" moves " + " ".join(moves) if moves else "")
            for player in players:
                player.send(line, "query gameover", "query p1turn")
                over = player.until("response")[-1]
                assert player.until("response")[-1] == f"response {'true' if len(moves) % 2 == 0 else 'false'}"
            if over == "response true":
                break
            moves.append(go(players[len(moves) % 2], "nodes 2000")[1])
        engine.send("query result")
        assert engine.until("response")[-1] in ("response p1win", "response p2win", "response draw")
        position = Position("4x4:2,1", win="occupied")
        for move in moves:
            position.push(move)
        assert position.is_game_over()
