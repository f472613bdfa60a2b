"""What an option that is refused leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from halma_fast.ugi import settings as module
from halma_fast.ugi.settings import Settings


def test_a_table_there_is_no_memory_for_leaves_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    settings.set("Hash", "2")
    engine = settings.engine()

    def refuse(*_: Any) -> None:
        raise MemoryError("hash_mb: no memory for a table of 4 MB")

    monkeypatch.setattr(module, "Engine", refuse)
    for name, value in (("Hash", "4"), ("Threads", "2")):
        with pytest.raises(MemoryError):
            settings.set(name, value)
    assert settings.engine() is engine
    assert (engine.hash_mb, engine.threads) == (2, 1)
