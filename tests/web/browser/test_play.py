"""A game at one board: a whole one against the engine, chains, looking back, undo, hint, two people, two engines."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from halma_fast import Engine, Position, Side, square_name
from web.browser.table import forward
from web.host import Server, serving


def test_a_whole_game_against_the_engine_ends_with_its_reason_and_can_be_had_again(sit, server):
    table = sit(server)
    table.new_game(variant="halma8", level="1", max_turns="120")
    # The person thinks two plies ahead and the engine hardly at all: the person fills the camp.
    person = Engine(hash_mb=1)
    position = Position("halma8", max_turns=120)
    while True:
        for text in table.moves()[position.ply :]:
            position.push(text)
        if position.is_game_over():
            break
        assert position.turn is Side.X
        table.move(str(person.search(position, depth=2).best_move))
        # The engine answers, or the game is over.
        table.page.wait_for_selector(f"#ending:visible, #moves [data-ply='{position.ply + 2}']", state="attached")
    outcome = position.outcome()
    reasons = {"camp full": "The goal camp is full.", "max turns": "The limit of turns is reached."}
    wins = {Side.X: "You win.", Side.O: "You lose.", None: "A draw."}
    expected = f"{wins[outcome.winner]} {reasons[outcome.reason]}"
    expect(table.find("#ending-text")).to_have_text(expected)
    expect(table.find("#announcer")).to_contain_text(expected)
    assert table.men() == {square_name(square): side.letter for side in Side for square in position.pieces(side)}
    table.tap(square_name(position.pieces(Side.X)[0]))
    assert table.landings() == set()
    table.page.click("#rematch")
    expect(table.find("#moves button")).to_have_count(0)
    expect(table.find("#ending")).to_be_hidden()


def test_a_tap_shows_exactly_where_a_man_can_go_and_a_tap_there_moves_it(sit, server):
    table = sit(server)
    table.new_game("both", variant="halma10")
    view = server.game({"variant": "halma10"})
    for start in ("f1", "h2", "j5"):
        table.tap(start)
        assert table.landings() == {move["path"][-1] for move in view["legal"] if move["path"][0] == start}
    table.tap("f1")
    table.tap("f1")
    assert table.landings() == set()
    table.move("h1-f3")
    assert table.moves() == ["h1-f3"]
    assert table.men()["f3"] == "x"
    expect(table.find(".cell.last")).to_have_count(2)


def test_a_chain_is_built_hop_by_hop_taken_back_and_confirmed(sit, server):
    setup = {"variant": "halma8"}
    view = server.game(setup)
    while not (found := _two_hops(view)):
        view = server.game(setup, *(move["move"] for move in view["moves"]), forward(view))
    start, over, end = found
    table = sit(server, f"#g={view['fragment']}")
    before = table.moves()
    table.page.check("#hop-by-hop")
    table.tap(start)
    first = table.landings()
    assert set(view["chains"][start][start]) <= first
    table.tap(over)
    assert table.landings() == set(view["chains"][start][over]) - {start}
    table.page.keyboard.press("Escape")
    assert table.landings() == first
    table.tap(over, end)
    assert table.moves() == before
    table.page.click("#confirm")
    expect(table.find("#moves button")).to_have_count(len(before) + 1)
    expect(table.square(end)).to_be_focused()
    assert table.moves()[-1] == f"{start}-{over}-{end}"


def _two_hops(view):
    """Return the landings of a chain of two hops, or nothing."""
    for start, hops in sorted(view["chains"].items()):
        for over in hops[start]:
            for end in hops.get(over, []):
                if end != start and any(move["move"] == f"{start}-{end}" for move in view["legal"]):
                    return start, over, end
    return None


def test_a_chain_is_animated_hop_by_hop_unless_motion_is_not_wanted(sit, server):
    table = sit(server)
    table.page.emulate_media(reduced_motion="no-preference")
    table.new_game("both", variant="halma8")
    table.page.evaluate(
        """() => {
            window.seen = [];
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (frames, options) {
                window.seen.push([frames.length, options.duration]);
                return animate.call(this, frames, options);
            };
        }"""
    )
    for move in ("f2-e3", "a7-c5", "h1-f3", "a8-c6"):
        table.move(move)
    lengths = [len(move.split("-")) - 1 for move in table.moves()]
    seen = table.page.evaluate("() => window.seen")
    assert [duration for _, duration in seen] == [hops * seen[0][1] / lengths[0] for hops in lengths]
    table.page.emulate_media(reduced_motion="reduce")
    table.move("h2-f4")
    assert table.page.evaluate("() => [window.seen.length, document.getAnimations().length]") == [len(lengths), 0]


def test_looking_back_changes_nothing_and_playing_from_there_asks_first(sit, server):
    table = sit(server)
    table.new_game("both", variant="halma8")
    moves = ["f2-e3", "a7-c5", "g2-g4", "b7-d5"]
    for move in moves:
        table.move(move)
    after = table.men()
    table.page.click("#moves [data-ply='2']")
    expect(table.find("#status")).to_have_text("Looking at move 2 of 4.")
    expect(table.find("#announcer")).to_have_text("Looking at move 2 of 4.")
    at_two = server.game({"variant": "halma8"}, *moves[:2])
    assert table.men() == {name: side for side in "xo" for name in at_two["men"][side]}
    table.page.click("#go-back")
    table.page.click("#go-on")
    table.page.click("#go-last")
    assert table.men() == after
    assert len(table.moves()) == 4
    table.page.click("#moves [data-ply='2']")
    expect(table.find(".cell.can").first).to_be_visible()
    table.tap("h1", "f3")
    table.page.click("#ask-choices [data-value='']")
    assert len(table.moves()) == 4
    table.tap("f3")
    table.page.click("#ask-choices [data-value=end]")
    assert table.men() == after
    table.page.click("#moves [data-ply='2']")
    expect(table.find(".cell.can").first).to_be_visible()
    table.tap("h1", "f3")
    table.page.click("#ask-choices [data-value=branch]")
    expect(table.find("#moves button")).to_have_count(3)
    assert table.moves() == [*moves[:2], "h1-f3"]


def test_undo_goes_back_to_the_persons_own_move(sit, server):
    table = sit(server)
    table.new_game(variant="halma8", level="4")
    start = table.men()
    expect(table.find("#undo")).to_be_disabled()
    table.move("h1-f3")
    expect(table.find("#moves button")).to_have_count(2)
    table.page.click("#undo")
    expect(table.find("#moves button")).to_have_count(0)
    assert table.men() == start


def test_a_hint_shows_a_legal_move_and_makes_none(sit, server):
    table = sit(server)
    table.new_game("both", variant="halma8")
    table.page.click("#hint")
    expect(table.find(".mark.hint")).to_have_count(2)
    ends = set(table.landings())
    legal = [{move["path"][0], move["path"][-1]} for move in server.game({"variant": "halma8"})["legal"]]
    assert ends in legal
    expect(table.find("#announcer")).to_contain_text("Hint: Orange: ")
    assert table.moves() == []


def test_the_person_sits_at_the_bottom_right_whichever_side_it_has_and_the_board_turns(sit, server):
    table = sit(server)

    def bottom_right() -> str:
        return table.page.evaluate("() => [...document.querySelectorAll('.cell[data-square]')].at(-1).dataset.square")

    assert bottom_right() == "p1"
    table.new_game(variant="halma8", side="o", level="1")
    assert bottom_right() == "a8"
    # The engine begins for the other side.
    expect(table.find("#moves button")).to_have_count(1)
    table.page.click("#flip")
    assert bottom_right() == "h1"


def test_a_side_without_a_move_passes_by_a_button(sit, server):
    view = server.game({"variant": "4x4:3,2,1", "rules": {"win": "full"}, "fen": "xxxo/xx1o/xo1o/o2o x 1"})
    assert [move["move"] for move in view["legal"]] == ["pass"]
    table = sit(server, f"#g={view['fragment']}")
    expect(table.find("#status")).to_have_text("You have no move and must pass.")
    table.move("pass")
    assert table.moves() == ["pass"]
    assert table.men() == {name: side for side in "xo" for name in view["men"][side]}
    expect(table.find("#announcer")).to_contain_text("Orange passes.")


def test_two_engines_play_a_game_out_by_themselves(sit, server):
    table = sit(server)
    table.new_game("watch", variant="custom", size="4", camp="2,1", level="6", level_o="6", max_turns="6")
    expect(table.find("#ending")).to_be_visible()
    assert 1 <= len(table.moves()) <= 6


def test_a_game_survives_a_reload_of_the_page(sit, server):
    table = sit(server)
    table.new_game("both", variant="halma8")
    table.move("h1-f3")
    table.page.reload()
    table.page.wait_for_selector("body[data-ready]")
    expect(table.find("#moves button")).to_have_count(1)
    assert table.moves() == ["h1-f3"]


def test_a_server_that_is_away_for_a_while_costs_no_move(sit, database):
    server = Server("--db", database)
    table = sit(server, expected="Failed to load resource: net::ERR_CONNECTION_REFUSED")
    table.new_game("both", variant="halma8")
    table.move("h1-f3")
    server.kill()
    table.tap("a8", "c6")
    expect(table.find("#notice")).to_contain_text("The server cannot be reached.")
    assert table.moves() == ["h1-f3"]
    with serving("--db", database, "--port", server.place.rpartition(":")[2]):
        table.tap("c6")
        expect(table.find("#moves button")).to_have_count(2)
        expect(table.find("#notice")).to_be_hidden()
        table.spent = True
        table.page.close()


def test_resigning_asks_first_and_says_who_won(sit, server):
    table = sit(server)
    table.new_game(variant="halma8")
    table.page.click("#resign")
    table.page.click("#ask-choices [data-value='']")
    expect(table.find("#ending")).to_be_hidden()
    table.page.click("#resign")
    table.page.click("#ask-choices [data-value=yes]")
    expect(table.find("#ending-text")).to_contain_text("You lose.")
