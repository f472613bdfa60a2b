"""A headless Chromium, the real server, and pages of it that are watched for faults.

Without Chromium or Playwright these tests are skipped with the reason; HALMA_FAST_BROWSER=1 makes that a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.browser.table import TIMEOUT_MS, Table
from web.host import Server, serving

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def _missing(reason: str) -> Any:
    if os.environ.get("HALMA_FAST_BROWSER") == "1":
        pytest.fail(f"HALMA_FAST_BROWSER=1, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed")
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        _missing(f"none of {', '.join(_NAMES)} is installed")
    # Chromium's sandbox refuses root, which is who runs things in a container.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*options, "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving("--db", str(tmp_path_factory.mktemp("web") / "games.sqlite")) as server:
        yield server


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "games.sqlite")


@pytest.fixture(scope="session")
def idle() -> dict[str, list[Any]]:
    """Browsers that earlier tests have left clean, by their settings: a new one costs as much as three reloads."""
    return {}


@pytest.fixture
def sit(browser: Any, idle: dict[str, list[Any]], request: pytest.FixtureRequest) -> Iterator[Callable[..., Table]]:
    """Give `sit(server, path="", **context)`: a page in a browser of its own. At the end no page may have had a fault.

    beside: another table, whose browser opens a second tab; expected: how a console message begins that is no fault.
    """
    from playwright.sync_api import expect

    expect.set_options(timeout=TIMEOUT_MS)
    tables: list[Table] = []
    failures = request.session.testsfailed

    def sit(
        server: Server, path: str = "", *, beside: Table | None = None, expected: str = "", **context: Any
    ) -> Table:
        settings = {"locale": "en-GB", "reduced_motion": "reduce", "viewport": {"width": 1280, "height": 900}} | context
        kind = repr(sorted(settings.items()))
        if beside is not None:
            page = beside.page.context.new_page()
        elif idle.get(kind):
            page = idle[kind].pop()
        else:
            page = browser.new_context(**settings).new_page()
        table = Table(page, server, kind if beside is None else "", expected)
        tables.append(table)
        table.open(path)
        return table

    yield sit
    faults = [fault for table in tables for fault in table.faults]
    for table in tables:
        if faults or request.session.testsfailed > failures or not table.leave():
            table.page.context.close()
        elif table.kind:
            idle.setdefault(table.kind, []).append(table.page)
        else:
            table.page.close()
    assert faults == []
