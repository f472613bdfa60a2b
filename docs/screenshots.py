"""Draws the pictures in docs/img anew: PYTHONPATH=tests python docs/screenshots.py, with what tests need and Pillow.

They are taken of the real page, of games between two engines, and stored with few colours.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright
from web.browser.table import Table
from web.host import Server, serving

from halma_fast import Engine, Position

IMAGES = Path(__file__).parent / "img"
DESKTOP = {"viewport": {"width": 1120, "height": 760}, "device_scale_factor": 1}
PHONE = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
COLOURS = 48


def game(variant: str, plies: int, **rules: Any) -> list[str]:
    """Return the moves of a game between two engines."""
    position, engine = Position(variant, **rules), Engine(hash_mb=8)
    while position.ply < plies and not position.is_game_over():
        position.push(engine.search(position, nodes=4000).best_move)
    return [str(move) for move in position.move_stack]


def keep(table: Table, name: str) -> None:
    """Store what is to be seen."""
    # Nothing of the server's own address belongs into a picture, and no focus.
    table.page.evaluate("() => document.activeElement.blur()")
    image = Image.open(io.BytesIO(table.page.screenshot()))
    image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


def sit(browser: Browser, server: Server, moves: list[str], variant: str, **settings: Any) -> Table:
    """Open the page at a game."""
    context = browser.new_context(**({"locale": "en-GB", "reduced_motion": "reduce"} | settings))
    view = server.game({"variant": variant}, *moves)
    table = Table(context.new_page(), server, "", "")
    table.open(f"#g={view['fragment']}")
    return table


def main() -> None:
    """Draw all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, serving("--db", ":memory:") as server:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        table = sit(browser, server, game("halma16", 44), "halma16", **DESKTOP)
        table.page.select_option("#limit", "depth")
        table.page.fill("#limit-value", "10")
        table.page.click("#analyse")
        expect(table.find("#analysis-state")).to_contain_text("Done.", timeout=60_000)
        keep(table, "board")
        table = sit(browser, server, game("halma10", 24), "halma10", **PHONE)
        table.find(".cell.can").nth(5).tap()
        keep(table, "phone")
        table = sit(browser, server, game("pulce", 22), "pulce", color_scheme="dark", **DESKTOP)
        table.find(".cell.can").nth(2).click()
        keep(table, "pulce")
        browser.close()


if __name__ == "__main__":
    main()
