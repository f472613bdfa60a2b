"""What must not work: taps on what is no landing, men of the other side, messages that the page would never send."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect


def test_taps_that_are_no_move_are_refused_with_the_reason(sit, server):
    table = sit(server)
    table.new_game(variant="halma8", level="1")
    before = table.men()
    refused = {
        ("h1", "c3"): "The man on h1 cannot go to c3.",
        ("a8",): "The man on a8 is not of the side to move.",
        ("h1", "a8"): "The man on a8 is not of the side to move.",
        ("h2", "h1", "e5"): "The man on h1 cannot go to e5.",
    }
    for squares, reason in refused.items():
        table.tap(*squares)
        expect(table.find("#status")).to_contain_text(reason)
        table.page.keyboard.press("Escape")
        table.square("h1").focus()
        table.page.keyboard.press("Escape")
    assert table.men() == before
    assert table.moves() == []


def test_the_engines_men_are_not_moved_for_it(sit, server):
    table = sit(server)
    table.new_game(variant="halma8", side="o", level="10")
    # Paused while it thinks, so that it is still the engine's turn.
    table.page.click("#pause")
    expect(table.find("#status")).to_contain_text("The computer is paused.")
    for name in ("h1", "a8"):
        table.tap(name)
        expect(table.find("#status")).to_contain_text("It is not your move.")
        assert table.landings() == set()
    assert table.moves() == []


def test_a_move_that_the_rules_forbid_is_refused_by_the_server_whatever_the_page_says(sit, server):
    table = sit(server, expected="Failed to load resource: the server responded with a status of 400")
    answer = table.page.evaluate(
        """async () => {
            const body = JSON.stringify({ setup: { variant: "halma8" }, moves: ["h1-a8"] });
            const headers = { "Content-Type": "application/json" };
            const answer = await fetch("/api/game", { method: "POST", headers, body });
            return [answer.status, (await answer.json()).error.code];
        }"""
    )
    assert answer == [400, "illegal"]


FORGED = """([token, key, messages]) => new Promise((resolve) => {
    const heard = [];
    const socket = new WebSocket(`ws://${location.host}/ws/room`);
    socket.onopen = () => socket.send(JSON.stringify({ type: "join", token, key }));
    socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "state" && heard.length === 0) messages.forEach((one) => socket.send(JSON.stringify(one)));
        if (message.type === "error") heard.push(message.code);
        if (heard.length === messages.length) resolve(heard);
    };
})"""


def test_forged_messages_move_nothing_in_a_game_by_link(sit, server):
    x = sit(server)
    x.new_game("room", variant="halma8")
    expect(x.find("#room-links input")).to_have_count(3)
    other = x.find("#room-links input").first.input_value()
    o = sit(server, other)
    x.move("h1-f3")
    expect(o.find("#moves button")).to_have_count(1)
    token = x.page.url.rpartition("=")[2]
    key = x.page.evaluate("(token) => localStorage.getItem(`halma.key.${token}`)", token)
    game = {"type": "move", "game": 0, "ply": 1}
    mine = [
        game | {"id": 1, "move": "a8-c6"},  # o's man, sent by x
        game | {"id": 2, "move": "f3-e4"},  # x again
        game | {"id": 3, "ply": 7, "move": "h2-f4"},
        {"type": "move", "id": 4, "game": 0, "ply": 1, "move": "a8-c6", "side": "o"},
    ]
    assert x.page.evaluate(FORGED, [token, key, mine]) == ["turn", "turn", "stale", "schema"]
    # Somebody who found the player's link but not the key only watches.
    assert x.page.evaluate(FORGED, [other.rpartition("=")[2], "0" * 32, [game | {"id": 1, "move": "a8-c6"}]]) == [
        "role"
    ]
    assert [table.moves() for table in (x, o)] == [["h1-f3"]] * 2
    o.move("a8-c6")
    expect(x.find("#moves button")).to_have_count(2)


def test_a_hostile_file_or_link_cannot_put_markup_into_the_page(sit, server, tmp_path):
    table = sit(server)
    file = tmp_path / "game.txt"
    file.write_text(
        '[Variant "halma8"]\n[X "<img src=x onerror=alert(1)>"]\n[Reason "<b id=forged>b</b>"]\n'
        '[Result "1-0"]\n\n1. h1-f3 1-0\n'
    )
    table.page.set_input_files("#load-file", file)
    expect(table.find("#ending-text")).to_contain_text("<b id=forged>")
    assert table.find("#forged, img").count() == 0
