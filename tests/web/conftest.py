"""One server for all tests that leave nothing behind in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .host import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving("--db", ":memory:", "--threads", "2", "--seconds", "20") as server:
        yield server
        assert server.process.poll() is None, "the server ended during the tests"
