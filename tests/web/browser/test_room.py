"""Games by link: two browsers, a server that is killed and comes back, two tabs, lost answers, watchers, rematch."""

import json

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from web.host import Server, serving


def _links(table):
    """Return the links on a player's page: for the other player, for watching, and the own one."""
    expect(table.find("#room-links input")).to_have_count(3)
    return [field.input_value() for field in table.find("#room-links input").all()]


def _wait_for(table, moves):
    expect(table.find("#moves button")).to_have_count(len(moves))
    assert [_ends(move) for move in table.moves()] == moves


def _ends(move):
    squares = move.split("-")
    return f"{squares[0]}-{squares[-1]}"


def test_two_browsers_play_on_through_the_death_of_the_server(sit, database):
    server = Server("--db", database)
    port = server.place.rpartition(":")[2]
    x = sit(server)
    x.new_game("room", variant="halma8")
    expect(x.find("#room-state")).to_contain_text("Your side: Orange. Blue has not come yet.")
    o = sit(server, _links(x)[0])
    expect(x.find("#room-state")).to_contain_text("Blue is here.")
    expect(x.page).to_have_title("● Halma")
    x.move("h1-f3")
    _wait_for(o, ["h1-f3"])
    expect(x.page).to_have_title("Halma")
    o.move("a8-c6")
    _wait_for(x, ["h1-f3", "a8-c6"])
    x.expected = o.expected = "WebSocket connection to"
    server.kill()
    for table in (x, o):
        expect(table.find("#status")).to_have_text("Connecting again…")
    # A move while there is no server: kept, and sent when there is one.
    x.tap("h2", "f4")
    with serving("--db", database, "--port", port):
        moves = ["h1-f3", "a8-c6", "h2-f4"]
        for table in (x, o):
            _wait_for(table, moves)
        o.move("a7-c5")
        _wait_for(x, [*moves, "a7-c5"])
        for table in (x, o):
            assert table.men()["f4"] == "x"
        for table in (x, o):
            table.spent = True
            table.page.close()


def test_a_move_whose_answer_was_lost_is_sent_again_and_counts_once(sit, server):
    x = sit(server)
    x.spent = True  # its sockets are not the usual ones
    sent = []

    def lose(route):
        there = route.connect_to_server()

        def to_server(text):
            if json.loads(text)["type"] == "move":
                sent.append(text)
            there.send(text)

        def to_page(text):
            if len(sent) == 1 and json.loads(text)["type"] in ("moved", "ack", "state"):
                if json.loads(text)["type"] == "ack":
                    route.close(code=1001)
                    sent.append("lost")
                return
            route.send(text)

        route.on_message(to_server)
        there.on_message(to_page)

    x.page.route_web_socket("**/ws/room", lose)
    x.new_game("room", variant="halma8")
    o = sit(server, _links(x)[0])
    x.move("h1-f3")
    expect(x.find("#status")).to_have_text("The other side is to move.")
    assert len(sent) == 3
    assert sent[0] == sent[2]
    _wait_for(o, ["h1-f3"])
    o.move("a8-c6")
    _wait_for(x, ["h1-f3", "a8-c6"])


def test_two_tabs_are_in_step_and_others_only_watch(sit, server):
    x = sit(server)
    x.new_game("room", variant="halma8")
    other, watch, own = _links(x)
    tab = sit(server, x.page.url, beside=x)
    x.move("h1-f3")
    _wait_for(tab, ["h1-f3"])
    o = sit(server, other)
    o.move("a8-c6")
    for table in (x, tab):
        _wait_for(table, ["h1-f3", "a8-c6"])
    tab.move("h2-f4")
    _wait_for(x, ["h1-f3", "a8-c6", "h2-f4"])
    # The same person on another device, and one who has no place.
    device = sit(server, own)
    expect(device.find("#room-state")).to_contain_text("Your side: Orange.")
    assert own.rpartition(".")[2] not in device.page.url
    watcher = sit(server, watch)
    expect(watcher.find("#room-state")).to_contain_text("You are watching.")
    _wait_for(watcher, ["h1-f3", "a8-c6", "h2-f4"])
    watcher.tap("a7")
    assert watcher.landings() == set()
    late = sit(server, other)
    expect(late.find("#room-state")).to_contain_text("Somebody else has this side already. You are watching.")


def test_who_resigns_loses_and_another_game_has_the_sides_swapped(sit, server):
    x = sit(server)
    x.new_game("room", variant="halma8")
    o = sit(server, _links(x)[0])
    x.move("h1-f3")
    expect(o.find("#status")).to_have_text("Your move.")
    expect(o.find("#hint")).to_be_hidden()
    expect(o.find("#analysis")).to_be_hidden()
    o.page.click("#resign")
    o.page.click("#ask-choices [data-value=yes]")
    expect(o.find("#ending-text")).to_have_text("You lose. The other side resigned.")
    expect(x.find("#ending-text")).to_have_text("You win. The other side resigned.")
    x.page.click("#rematch")
    expect(o.find("#rematch")).to_have_text("Accept another game")
    o.page.click("#rematch")
    expect(o.find("#room-state")).to_contain_text("Your side: Orange.")
    expect(x.find("#room-state")).to_contain_text("Your side: Blue.")
    o.move("h1-f3")
    _wait_for(x, ["h1-f3"])
    o.page.click("#draw")
    expect(x.find("#draw")).to_have_text("Accept the draw")
    x.page.click("#draw")
    expect(o.find("#ending-text")).to_have_text("A draw. Both agreed on a draw.")


def test_a_game_that_is_not_there_says_so(sit, server):
    table = sit(server, "#t=" + "A" * 32)
    expect(table.find("#notice")).to_contain_text("This game is not there, or no longer.")
    expect(table.find("#room-state")).to_contain_text("This game is not there, or no longer.")
