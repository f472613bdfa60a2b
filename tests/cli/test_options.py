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


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_a_position_alone_tells_its_variant(variant: Variant) -> None:
    shown = board_of("--fen", variant.start_fen)
    assert (shown["variant"], shown["fen"]) == (variant.name, variant.start_fen)


def test_a_custom_board_is_given_by_size_and_camp_or_by_name() -> None:
    shown = board_of("--board", "4", "--camp", "2,1")
    assert (shown["variant"], shown["fen"]) == ("4x4:2,1", "oo2/o3/3x/2xx x 1")
    assert board_of("--variant", "4x4:2,1") == shown
    assert board_of("--board", "5")["variant"] == "5x5:3,2,1"
    assert board_of("--board", "4", "--camp", "2,1", "--fen", "oo2/o3/2x1/2xx o 3")["move_number"] == 3


def test_every_rule_reaches_the_variant() -> None:
    shown = board_of(
        *("--variant", "halma8", "--win", "occupied", "--goal-lock", "move", "--no-home-reentry"),
        *("--home-deadline", "30", "--max-turns", "400", "--repetition", "none"),
    )
    assert shown["rules"] == {
        "goal_lock": "move",
        "home_reentry": False,
        "win": "occupied",
        "home_deadline": 30,
        "max_turns": 400,
        "repetition": None,
    }


def test_the_beginner_of_a_pulce_round_can_be_chosen() -> None:
    shown = board_of("--variant", "pulce", "--first", "o")
    assert shown["turn"] == "o"
    assert shown["rules"] == {"max_turns": None, "repetition": 3, "first": "o"}


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
