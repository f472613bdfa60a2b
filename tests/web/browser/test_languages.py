"""The page in each language: chosen by the browser or by hand, whole, and said to be in it."""

import json
from importlib.resources import files

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect


def _texts(language):
    return json.loads((files("halma_fast") / "web" / "static" / "texts" / f"{language}.json").read_text("utf-8"))


def test_no_text_is_missing_in_any_language(sit, server):
    table = sit(server)
    table.new_game("both", variant="halma8")
    table.move("h1-f3")
    for language in ("ko", "el", "ja", "da", "en"):
        table.page.select_option("#language", language)
        texts = _texts(language)
        expect(table.find("html")).to_have_attribute("lang", language)
        expect(table.find("#status")).to_have_text(texts["status.turn"].format(side=texts["side.o"]))
        assert table.page.title() == texts["page.title"]
        shown = table.page.evaluate(
            """() => [...document.querySelectorAll("[data-i18n]")].map((one) => [one.dataset.i18n, one.textContent])"""
        )
        assert [key for key, text in shown if text != texts[key]] == []
        expect(table.square("e5")).to_have_attribute("aria-label", texts["square.empty"].format(square="e5"))
        # No key shows itself, no placeholder was left, and no other language is seen.
        everything = table.page.evaluate(
            """() => document.body.textContent + [...document.querySelectorAll("[aria-label]")]
                .map((one) => one.getAttribute("aria-label")).join("\\n")"""
        )
        assert [key for key in texts if key in everything] == []
        assert "{" not in everything
        assert texts["rules.hop"] in everything
        if language != "en":
            assert _texts("en")["rules.hop"] not in everything


@pytest.mark.parametrize(("locale", "language"), [("ko-KR", "ko"), ("fr-FR", "en")])
def test_the_browsers_language_is_taken_if_it_is_there(sit, server, locale, language):
    table = sit(server, locale=locale)
    assert table.find("html").get_attribute("lang") == language
    assert table.find("#language").input_value() == language
    expect(table.find("#open-new")).to_have_text(_texts(language)["new.title"])
    expect(table.find("#status")).to_have_text(_texts(language)["status.your_turn"])


def test_a_language_chosen_by_hand_is_kept(sit, server):
    table = sit(server)
    table.page.select_option("#language", "da")
    expect(table.find("#open-new")).to_have_text("Nyt spil")
    table.page.reload()
    table.page.wait_for_selector("body[data-ready]")
    assert table.find("html").get_attribute("lang") == "da"
    assert table.page.context.cookies() == []
