"""The form of a new game: every board and every rule can be chosen, and reaches the game; nonsense is told."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect


def _setup(table):
    """Return the set-up of the present game as the server understood it: from its link."""
    fragment = table.page.evaluate("() => JSON.parse(sessionStorage.getItem('halma.game')).fragment")
    _, view, _ = table.server.ask("/api/share", {"fragment": fragment})
    return view["setup"]


def test_every_board_and_rule_reaches_the_game(sit, server):
    table = sit(server)
    rules = {
        "win": "occupied",
        "goal_lock": "move",
        "home_reentry": "false",
        "home_duty": "true",
        "home_deadline": "30",
        "max_turns": "200",
        "repetition": "null",
    }
    chosen = {
        "win": "occupied",
        "goal_lock": "move",
        "home_reentry": False,
        "home_duty": True,
        "home_deadline": 30,
        "max_turns": 200,
        "repetition": None,
    }
    for variant in ("halma16", "halma10", "halma8"):
        table.new_game("both", variant=variant, **rules)
        assert (_setup(table)["variant"], _setup(table)["rules"]) == (variant, chosen)
    table.new_game("both", variant="custom", size="5", camp="3 2 1", win="full")
    assert _setup(table)["variant"] == "5x5:3,2,1"
    assert table.find(".cell").count() == 25
    table.new_game("both", variant="pulce", first="o")
    setup = _setup(table)
    assert (setup["variant"], setup["rules"]["first"], setup["rounds"]) == ("pulce", "o", 3)


def test_a_board_comes_with_its_usual_rules(sit, server):
    table = sit(server)
    variants = {variant["name"]: variant["rules"] for variant in server.ask("/api/info")[1]["variants"]}
    for name in ("csci561", "halma8"):
        table.new_game("both", variant=name)
        assert (_setup(table)["variant"], _setup(table)["rules"]) == (name, variants[name])


def test_a_board_that_cannot_be_is_refused_in_the_form(sit, server):
    table = sit(server, expected="Failed to load resource: the server responded with a status of 400")
    table.page.click("#open-new")
    table.page.select_option("#new-form [name=variant]", "custom")
    table.page.fill("#new-form [name=size]", "4")
    table.page.fill("#new-form [name=camp]", "4,4,4,4")
    table.page.click("#new-form [type=submit]")
    expect(table.find("#new-error")).to_contain_text("There is no such board or rule.")
    expect(table.find("#new-dialog")).to_be_visible()
    assert len(table.men()) == 38
