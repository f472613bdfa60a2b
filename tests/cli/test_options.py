"""Options choose the position and the rules, in every command, and only those given are applied."""

from __future__ import annotations

from typing import Any

import pytest

from cli.process import run, run_json
from halma_fast import VARIANTS, Variant

COMMANDS = ("perft", "bestmove", "moves", "show")


def board_of(*arguments: str) -> dict[str, Any]:
    return run_json("show", *arguments)


def test_the_default_is_the_start_of_halma16() -> None:
    shown = board_of()
    assert shown["variant"] == "halma16"
    assert shown["fen"] == VARIANTS["halma16"].start_fen
    assert shown["rules"] == VARIANTS["halma16"].rules


@pytest.mark.parametrize("name", ["halma16", "halma10", "halma8", "pulce"])
def test_a_position_alone_tells_its_variant(name: str) -> None:
    shown = board_of("--fen", VARIANTS[name].start_fen)
    assert (shown["variant"], shown["fen"]) == (name, VARIANTS[name].start_fen)


def test_csci561_has_its_own_start_and_rules() -> None:
    shown = board_of("--variant", "csci561")
    assert shown["fen"] == VARIANTS["csci561"].start_fen
    assert shown["rules"] == VARIANTS["csci561"].rules


def test_a_custom_board_is_given_by_size_and_camp_or_by_name() -> None:
    shown = board_of("--board", "4", "--camp", "2,1")
    assert (shown["variant"], shown["fen"]) == ("4x4:2,1", "oo2/o3/3x/2xx x 1")
    assert board_of("--variant", "4x4:2,1") == shown
    assert board_of("--board", "5")["variant"] == "5x5:3,2,1"
    assert board_of("--board", "4", "--camp", "2,1", "--fen", "oo2/o3/2x1/2xx o 3")["move_number"] == 3


def test_every_rule_reaches_the_variant() -> None:
    shown = board_of(
        *("--variant", "halma8", "--win", "occupied", "--goal-lock", "move", "--no-home-reentry"),
        *("--home-duty", "--home-deadline", "30", "--max-turns", "400", "--repetition", "none"),
    )
    assert shown["rules"] == {
        "goal_lock": "move",
        "home_reentry": False,
        "home_duty": True,
        "win": "occupied",
        "home_deadline": 30,
        "max_turns": 400,
        "repetition": None,
    }


def test_the_beginner_of_a_pulce_round_can_be_chosen() -> None:
    shown = board_of("--variant", "pulce", "--first", "o")
    assert shown["turn"] == "o"
    assert shown["rules"] == {"max_turns": None, "repetition": 3, "first": "o"}


def test_names_and_choices_may_be_in_upper_case() -> None:
    rules = ("--win", "Full", "--goal-lock", "Hop", "--repetition", "None")
    shown = board_of("--variant", "Halma8", *rules)
    assert (shown["variant"], shown["rules"]["win"], shown["rules"]["goal_lock"]) == ("halma8", "full", "hop")
    assert shown["rules"]["repetition"] is None
    assert board_of("--variant", "PULCE", "--first", "O")["turn"] == "o"
    assert board_of("--variant", "4X4:2,1")["variant"] == "4x4:2,1"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_plays_moves_first(command: str) -> None:
    more = {"perft": ["--depth", "1"], "bestmove": ["--depth", "1"]}.get(command, [])
    result = run_json(command, "--variant", "halma8", "--moves", "h4-h5  a5-a4 h1-f3", *more)
    assert result["fen"] == "oooo4/ooo5/oo6/7x/o7/5xxx/5xxx/4xxx1 o 2"
    assert run_json(command, "--variant", "halma8", "--moves", " ", *more)["fen"] == VARIANTS["halma8"].start_fen


def test_moves_are_played_from_the_position_and_count_for_its_history() -> None:
    fen = "oo2/o3/3x/2xx x 7"
    assert board_of("--board", "4", "--camp", "2,1", "--fen", fen, "--moves", "d2-d3")["fen"] == "oo2/o2x/4/2xx o 7"
    there_and_back = " ".join(["h4-h5 a5-a4 h5-h4 a4-a5"] * 2)
    shown = board_of("--variant", "halma8", "--moves", there_and_back)
    assert (shown["legal_moves"], shown["outcome"]["reason"]) == (0, "repetition")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("h4-h5 a5-a3", "move 2 of 2: a5-a3 is not legal, no chain of hops leads from a5 to a3"),
        (
            "h4-h5 nonsense a5-a4",
            "move 2 of 3: 'nonsense', expected squares like 'h1-f3', 'h1f3' or 'h1-f3-f5', or 'pass'",
        ),
        ("H4-H5", "move 1 of 1: 'H4-H5', expected lower case, 'h4-h5'"),
        ("h4-h9", "move 1 of 1: square: h9 is not on the board of halma8"),
        (
            " ".join(["h4-h5 a5-a4 h5-h4 a4-a5"] * 3),
            "move 9 of 12: 'h4-h5' after the end of the game, draw (repetition)",
        ),
    ],
)
def test_a_wrong_move_is_named_with_its_number(moves: str, message: str) -> None:
    done = run("show", "--variant", "halma8", "--moves", moves)
    assert (done.status, done.out, done.err) == (2, "", f"halma-fast: error: --moves, {message}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_the_options_of_position_and_rules(command: str) -> None:
    more = {"perft": ["--depth", "1"], "bestmove": ["--depth", "1"]}.get(command, [])
    rules = [
        "--win",
        "occupied",
        "--goal-lock",
        "none",
        "--no-home-reentry",
        "--home-deadline",
        "9",
        "--max-turns",
        "9",
    ]
    result = run_json(command, "--board", "5", "--camp", "3,2,1", *rules, "--repetition", "3", *more)
    assert (result["variant"], result["fen"]) == ("5x5:3,2,1", Variant.square(5, (3, 2, 1)).start_fen)


@pytest.mark.parametrize("command", [*COMMANDS, "bench", "info"])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_explains_itself(command: str, flag: str) -> None:
    done = run(command, flag)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"Usage: halma-fast {command} ")
    assert "--json" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_without_a_command_the_commands_are_listed() -> None:
    done = run()
    assert (done.status, done.err) == (0, "")
    assert done.out == run("--help").out
    for command in (*COMMANDS, "bench", "info"):
        assert f"\n  {command} " in done.out


def test_the_version_is_the_one_of_the_package() -> None:
    import halma_fast

    assert run("--version").out == f"halma-fast {halma_fast.__version__}\n"
