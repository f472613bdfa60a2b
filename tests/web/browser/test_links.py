"""Links that hold a game, and files that do: what comes back is what went out, and damage is told."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

REFUSED = "Failed to load resource: the server responded with a status of 400"


def _link(table):
    table.page.click("#share")
    link = table.find("#link-box input").input_value()
    table.page.click("#link-dialog .close")
    return link


def test_a_shared_link_shows_the_same_game_elsewhere(sit, server):
    here = sit(server)
    here.new_game("both", variant="custom", size="6", camp="3,2,1", win="occupied", repetition="null")
    for move in ("f1-d3", "a6-c4", "e1-d2"):
        here.move(move)
    link = _link(here)
    assert link.startswith(f"{server.address}#g=")
    there = sit(server, link)
    assert there.moves() == here.moves()
    assert there.men() == here.men()
    there.move("a5-b4")
    # The game has gone on from the link, which therefore leaves the address.
    assert there.page.url == server.address
    assert _link(there) != link


def test_a_damaged_link_says_so_and_shows_a_game_all_the_same(sit, server):
    fragment = server.game({"variant": "halma8"}, "h1-f3")["fragment"]
    table = sit(server, "#g=", expected=REFUSED)
    for damaged in (None, fragment[:-3], fragment[:9] + "AAAA" + fragment[13:], "?"):
        if damaged is not None:
            table.page.evaluate("(hash) => { location.hash = hash; }", f"g={damaged}")
        expect(table.find("#notice")).to_contain_text("The link is damaged.")
        expect(table.find("#status")).to_have_text("Your move.")
        assert len(table.men()) == 38
        assert table.moves() == []
        table.move("n3-l3")
        expect(table.find("#notice")).to_be_hidden()
        expect(table.find("#moves button")).to_have_count(2)
        table.page.click("#undo")
        expect(table.find("#moves button")).to_have_count(0)


def test_a_saved_game_is_read_again(sit, server, tmp_path):
    table = sit(server)
    table.new_game("both", variant="halma8", win="occupied")
    for move in ("h1-f3", "a8-c6", "h2-f4"):
        table.move(move)
    moves, men = table.moves(), table.men()
    table.page.click("#resign")
    table.page.click("#ask-choices [data-value=yes]")
    with table.page.expect_download() as download:
        table.page.click("#save")
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    assert '[Variant "halma8"]' in file.read_text()
    assert "1-0" in file.read_text()
    table.new_game("both", variant="halma10")
    table.page.set_input_files("#load-file", file)
    expect(table.find("#moves button")).to_have_count(3)
    assert (table.moves(), table.men()) == (moves, men)
    expect(table.find("#ending-text")).to_contain_text("Orange wins. The other side resigned.")


def test_a_file_that_is_no_record_is_refused_and_changes_nothing(sit, server, tmp_path):
    table = sit(server)
    table.new_game("both", variant="halma8")
    table.move("h1-f3")
    table.expected = REFUSED
    file = tmp_path / "game.txt"
    file.write_text('[Variant "halma8"]\n\n1. h1-a8 *\n')
    table.page.set_input_files("#load-file", file)
    expect(table.find("#notice")).to_contain_text("The file is no game record.")
    assert table.moves() == ["h1-f3"]
