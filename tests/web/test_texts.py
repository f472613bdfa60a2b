"""The page's texts and files: nothing missing or unused, equal placeholders, small, nothing from elsewhere."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

STATIC = files("halma_fast") / "web" / "static"
LANGUAGES = ("en", "ko", "el", "ja", "da")
MOST_BYTES = 150_000

_KEY = r"[a-z]+\.[a-z0-9_]+"


def _texts(language: str) -> dict[str, str]:
    """Return the texts of a language, none of which is there twice."""
    pairs = json.loads((STATIC / "texts" / f"{language}.json").read_text("utf-8"), object_pairs_hook=list)
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


def _sources() -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in STATIC.iterdir() if file.is_file()}


def _used() -> set[str]:
    """Return the keys that the page mentions: in `data-i18n` attributes, and as strings in scripts."""
    keys: set[str] = set()
    for name, text in _sources().items():
        keys |= set(re.findall(r'data-i18n(?:-label)?="([^"]*)"', text))
        if name.endswith(".js"):
            keys |= {key for key in re.findall(rf'"({_KEY})"', text) if not key.startswith("halma.")}
    return keys


def test_every_text_that_the_page_asks_for_is_there_and_every_one_that_is_there_is_asked_for():
    used, there = _used(), set(_texts("en"))
    assert len(used) > 150
    assert (used - there, there - used) == (set(), set())


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_texts_with_the_same_placeholders(language):
    english, other = _texts("en"), _texts(language)
    assert list(other) == list(english)
    for key, text in other.items():
        assert sorted(re.findall(r"\{(\w+)\}", text)) == sorted(re.findall(r"\{(\w+)\}", english[key])), key
        assert text == text.strip() != "", key


def test_every_placeholder_is_one_that_the_page_fills_in():
    scripts = "".join(text for name, text in _sources().items() if name.endswith(".js"))
    for key, text in _texts("en").items():
        for name in re.findall(r"\{(\w+)\}", text):
            assert re.search(rf"\b{name}\b\s*[:,}}]", scripts), (key, name)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_language_is_not_english_under_another_name(language):
    english, other = _texts("en"), _texts(language)
    same = [key for key in english if english[key] == other[key] and len(english[key]) > 12]
    assert same == []


def test_the_page_offers_exactly_the_languages_that_there_are():
    offered = re.search(r"LANGUAGES = \{(.*?)\}", _sources()["i18n.js"])
    assert offered is not None
    assert tuple(re.findall(r"(\w+):", offered[1])) == LANGUAGES
    assert {file.name for file in (STATIC / "texts").iterdir()} == {f"{language}.json" for language in LANGUAGES}


def test_all_files_together_are_small():
    everything = [*STATIC.iterdir(), *(STATIC / "texts").iterdir()]
    assert sum(len(file.read_bytes()) for file in everything if file.is_file()) < MOST_BYTES


def test_nothing_is_inline_or_from_elsewhere():
    for name, text in _sources().items():
        addresses = set(re.findall(r"https?://[^\s\"'`$)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert addresses == set(), name
    page = _sources()["index.html"]
    assert re.findall(r"\s(?:style|on\w+)=", page) == []
    assert "<style" not in page
    assert all(body == "" for body in re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL))


def test_every_file_says_which_tests_guard_it():
    here = Path(__file__).parent
    there = {file.name for file in here.rglob("test_*.py")}
    for name, text in _sources().items():
        if name.endswith((".js", ".css")):
            guards = re.findall(r"\btest_\w+\.py", text.split("*/")[0])
            assert guards, name
            assert set(guards) <= there, name
