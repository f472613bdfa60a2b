"""The fixture that must tidy up: commands on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from cli.process import Terminal


@pytest.fixture
def on_terminal() -> Iterator[Callable[..., Terminal]]:
    """Start `halma-fast` with `stdout` or `stderr` on a terminal; what still runs at the end is killed."""
    started: list[Terminal] = []

    def start(*arguments: str, output: str = "stdout", env: Mapping[str, str] | None = None) -> Terminal:
        started.append(Terminal(arguments, output, env))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()
