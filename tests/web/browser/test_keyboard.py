"""The page without a mouse: everything can be reached, is seen to be reached, done by keys and told in words."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect


def _focused(table):
    return table.page.evaluate("() => document.activeElement.dataset.square ?? document.activeElement.id")


def _walk(table, target):
    """Go by arrow keys from the focused square to another one."""
    for _ in range(40):
        here = _focused(table)
        if here == target:
            return
        files, ranks = ord(target[0]) - ord(here[0]), int(target[1:]) - int(here[1:])
        table.page.keyboard.press(
            "ArrowRight" if files > 0 else "ArrowLeft" if files < 0 else "ArrowUp" if ranks > 0 else "ArrowDown"
        )
    raise AssertionError(f"{target} was not reached from {here}")


def test_a_game_is_begun_and_moves_are_made_by_keys_alone(sit, server):
    table = sit(server)
    press = table.page.keyboard.press
    press("Tab")
    assert _focused(table) == "open-new"
    press("Enter")
    expect(table.find("#new-dialog")).to_be_visible()
    for _ in range(20):
        if table.page.evaluate("() => document.activeElement.name") == "variant":
            break
        press("Tab")
    press("ArrowDown")
    press("ArrowDown")
    assert table.page.evaluate("() => document.activeElement.value") == "halma8"
    # As anywhere, Enter in a field sends the form; in a list it does not, so on to the button.
    for _ in range(20):
        if table.page.evaluate("() => document.activeElement.type") == "submit":
            break
        press("Tab")
    press("Enter")
    expect(table.find("#new-dialog")).to_be_hidden()
    expect(table.find(".cell[data-square]")).to_have_count(64)
    for _ in range(20):
        if table.page.evaluate("() => document.activeElement.getAttribute('role')") == "gridcell":
            break
        press("Tab")
    _walk(table, "h1")
    press("Enter")
    assert table.landings() == {"f3"}
    expect(table.find("#announcer")).to_have_text("h1 chosen. Landings: 1. f3")
    press("Escape")
    assert table.landings() == set()
    press(" ")
    _walk(table, "f3")
    press("Enter")
    expect(table.find("#moves button")).to_have_count(2)
    expect(table.find("#announcer")).to_contain_text("Blue: ")
    expect(table.find("#announcer")).to_contain_text("Your move.")
    # The focus has stayed on the board, where the next man can be looked for.
    assert _focused(table) == "f3"


def test_every_control_is_reached_by_tab_and_shows_it(sit, server):
    table = sit(server)
    table.new_game("both", variant="halma8")
    table.move("h1-f3")
    there = table.page.evaluate(
        """() => [...document.querySelectorAll("button, select, input")]
            .filter((one) => one.checkVisibility() && !one.disabled && !one.closest(".moves")).map((one) => one.id)"""
    )
    assert len(there) > 15
    table.page.evaluate("() => document.activeElement.blur()")
    reached, unseen = set(), []
    for _ in range(len(there) + 10):
        table.page.keyboard.press("Tab")
        name, outline = table.page.evaluate(
            """() => [document.activeElement.id, getComputedStyle(document.activeElement).outlineWidth]"""
        )
        reached.add(name)
        if outline != "3px":
            unseen.append(name)
    assert set(there) - reached == set()
    # The document itself, between the last control and the first, shows nothing.
    assert set(unseen) <= {""}


def test_keys_of_the_board_go_where_they_are_seen_to_go(sit, server):
    table = sit(server)
    table.new_game("both", variant="pulce")
    board = table.page.evaluate("() => document.querySelector('[tabindex=\"0\"][data-square]').dataset.square")
    table.square(board).focus()
    _walk(table, "d4")
    keys = [("Home", "a4"), ("End", "g4"), ("ArrowRight", "g4"), ("Control+Home", "b7"), ("Control+End", "f1")]
    for key, square in keys:
        table.page.keyboard.press(key)
        assert _focused(table) == square, key
    # Only one square is a stop of the Tab key.
    assert table.find("[data-square][tabindex='0']").count() == 1
    table.page.click("#flip")
    table.square("d4").focus()
    table.page.keyboard.press("ArrowUp")
    assert _focused(table) == "d3"
    table.page.keyboard.press("ArrowLeft")
    assert _focused(table) == "e3"


def test_squares_and_moves_are_told_in_words(sit, server):
    table = sit(server)
    table.new_game(variant="halma8", level="1")
    label = lambda name: table.square(name).get_attribute("aria-label")  # noqa: E731 - it is read once a line
    assert label("e5") == "e5, empty"
    assert label("h1") == "h1, your man, their goal camp"
    assert label("a8") == "a8, their man, your goal camp"
    table.tap("h1")
    assert label("h1") == "h1, your man, their goal camp, chosen"
    assert label("f3") == "f3, empty, can land here"
    table.tap("f3")
    expect(table.find("#announcer")).to_contain_text("Blue: ")
    assert label("f3").startswith("f3, your man")
    roles = table.page.evaluate(
        """() => ["grid", "row", "gridcell"].map((role) => document.querySelectorAll(`[role=${role}]`).length)"""
    )
    assert roles == [1, 8, 64]
    assert table.find("#announcer").get_attribute("aria-live") == "polite"
    theirs = next(name for name, side in table.men().items() if side == "o")
    table.tap(theirs)
    expect(table.find("#announcer")).to_have_text(f"The man on {theirs} is not of the side to move.")
