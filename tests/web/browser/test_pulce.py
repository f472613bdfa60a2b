"""Pulce at the page: three rounds, the beginner alternating, points added up, and a winner at the end."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from halma_fast import Engine, Position


def test_three_rounds_are_played_with_the_beginner_alternating(sit, server):
    table = sit(server)
    table.new_game("both", variant="pulce", max_turns="2")
    setup = {"variant": "pulce", "rules": {"max_turns": 2}}
    earlier = []
    for number, first in enumerate("xox", start=1):
        view = server.game(setup, earlier=earlier)
        assert view["first"] == first
        for _ in range(2):
            text = view["legal"][0]["move"]
            table.move(text)
            view = server.game(setup, *(move["move"] for move in view["moves"]), text, earlier=earlier)
        earlier.append([move["move"] for move in view["moves"]])
        expect(table.find("#ending-text")).to_contain_text(f"Round {number} of 3: 0 : 0 points.")
        expect(table.find("#rounds-body tr").nth(number - 1).locator("td")).to_have_text([str(number), "0", "0"])
        if number < 3:
            expect(table.find("#rematch")).to_be_hidden()
            table.page.click("#next-round")
            expect(table.find("#moves button")).to_have_count(0)
    expect(table.find("#ending-text")).to_contain_text("The match is a draw, 0 : 0.")
    expect(table.find("#next-round")).to_be_hidden()
    table.page.click("#rematch")
    expect(table.find("#ending")).to_be_hidden()
    expect(table.find("#rounds-body tr").first.locator("td")).to_have_text(["1", "", ""])


def _played(first):
    """Return the moves of a round between two engines, and the points."""
    position = Position("pulce", first=first)
    engine = Engine(hash_mb=1)
    while not position.is_game_over():
        position.push(engine.search(position, depth=2).best_move)
    return [str(move) for move in position.move_stack], position.outcome().points


def test_the_points_of_all_rounds_are_added_up_and_most_points_win(sit, server):
    rounds, points = zip(*(_played(first) for first in "xox"), strict=True)
    assert sum(map(sum, points)) > 0
    view = server.game({"variant": "pulce"}, *rounds[2][:-1], earlier=list(rounds[:2]))
    table = sit(server, f"#g={view['fragment']}")
    for number in (0, 1):
        expected = [str(number + 1), *map(str, points[number])]
        expect(table.find("#rounds-body tr").nth(number).locator("td")).to_have_text(expected)
    table.move(rounds[2][-1])
    x, o = (sum(side) for side in zip(*points, strict=True))
    expect(table.find("#rounds-body tr").last.locator("th")).to_have_text(["Points", str(x), str(o)])
    winner = f"{'Orange' if x > o else 'Blue'} wins the match, {x} : {o}."
    expect(table.find("#ending-text")).to_contain_text(winner if x != o else f"The match is a draw, {x} : {o}.")


def test_missing_corners_are_no_squares_and_frozen_men_cannot_be_chosen(sit, server):
    table = sit(server)
    table.new_game("both", variant="pulce")
    assert table.find(".cell[data-square]").count() == 45
    assert table.find(".cell.hole[aria-hidden=true]").count() == 4
    frozen = server.game({"variant": "pulce", "fen": "-5-/3xxx1/3xxx1/xoo1x2/2ooo2/1ooo3/-5- x 1"})
    table.open(f"#g={frozen['fragment']}")
    table.page.reload()
    table.page.wait_for_selector("body[data-ready]")
    table.tap("a4")
    expect(table.find("#status")).to_contain_text("The man on a4 cannot move.")
    assert table.landings() == set()
