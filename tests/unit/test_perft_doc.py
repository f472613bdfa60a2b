"""docs/perft.md is what its script prints, and the file of numbers is in the one form in which it is written."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def numbers_file() -> ModuleType:
    """benchmarks/numbers_file.py, which is not installed."""
    spec = importlib.util.spec_from_file_location("numbers_file", ROOT / "benchmarks" / "numbers_file.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_script_prints() -> None:
    script = ROOT / "benchmarks" / "perft_doc.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, encoding="utf-8", check=True)
    page = (ROOT / "docs" / "perft.md").read_text(encoding="utf-8")
    assert page == done.stdout, "python benchmarks/perft_doc.py --write"


def test_the_file_of_numbers_is_written_in_its_one_form(numbers_file: ModuleType) -> None:
    assert numbers_file.NUMBERS.read_text(encoding="ascii") == numbers_file.as_text(numbers_file.load())


def test_only_known_paths_have_a_name(numbers_file: ModuleType) -> None:
    assert numbers_file.path_name("v3", "with table") == "v3 with table"
    with pytest.raises(ValueError, match="v4"):
        numbers_file.path_name("v4")


def test_saving_replaces_the_file_as_a_whole(
    numbers_file: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = numbers_file.load()
    monkeypatch.setattr(numbers_file, "NUMBERS", tmp_path / "perft.json")
    numbers_file.save(entries)
    assert numbers_file.load() == entries
    assert [path.name for path in tmp_path.iterdir()] == ["perft.json"]
