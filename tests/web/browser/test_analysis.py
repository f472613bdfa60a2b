"""The analysis at the page: live, stopped at will, with the command line's numbers and an arrow for each line."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

DEPTH = 4


def test_the_lines_are_those_of_the_command_line(sit, server):
    command = [sys.executable, "-m", "halma_fast", "bestmove", "--variant", "halma8", "--depth", str(DEPTH)]
    answer = subprocess.run([*command, "--multipv", "3", "--json"], check=True, capture_output=True, text=True)
    expected = json.loads(answer.stdout)
    table = sit(server)
    table.new_game("both", variant="halma8")
    table.page.select_option("#limit", "depth")
    table.page.fill("#limit-value", str(DEPTH))
    table.page.click("#analyse")
    expect(table.find("#analysis-state")).to_contain_text("Done.")
    expect(table.find("#lines-body tr")).to_have_count(3)
    rows = [row.locator("td").all_inner_texts() for row in table.find("#lines-body tr").all()]
    for row, line in zip(rows, expected["lines"], strict=True):
        score = line["score"]
        assert row[0] == (
            f"{score['value']:+d}" if score["kind"] == "points" else f"{score['kind']} in {score['value']}"
        )
        assert row[1].split("/")[0] == str(line["depth"]) == str(DEPTH)
        assert row[2].split() == line["pv"][:8]
    assert table.find(".arrow-head").count() == 3
    expect(table.find("#score-bar")).to_be_visible()


def test_it_is_live_follows_the_position_and_stops(sit, server):
    table = sit(server)
    table.new_game("analysis", variant="halma8")
    expect(table.find("#analyse")).to_have_attribute("aria-pressed", "true")
    expect(table.find("#lines-body tr")).to_have_count(3)
    expect(table.find("#analysis-state")).to_contain_text("Thinking…")
    depths = [row.split("/")[0] for row in table.find("#lines-body td:nth-child(2)").all_inner_texts()]
    expect(table.find("#lines-body td:nth-child(2)").first).not_to_contain_text(f"{depths[0]}/")
    table.move("h1-f3")
    # Now it is o's moves that are looked at.
    men = {f"{name}-" for name, side in table.men().items() if side == "o"}
    expect(table.find("#lines-body tr")).to_have_count(3)
    assert all(line[:3] in men for line in table.find("#lines-body td:nth-child(3)").all_inner_texts())
    table.page.click("#analyse")
    expect(table.find("#lines-body tr")).to_have_count(0)
    expect(table.find(".arrow-head")).to_have_count(0)
