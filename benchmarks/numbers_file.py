"""The package's file of known perft numbers as text: what it holds, and how it is written.

Invariant: one form of writing, an entry a line, so that a new number changes one line; a write is whole or not at all.
Guarded by tests/unit/test_perft_doc.py.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

__all__ = ["FORMAT", "NUMBERS", "OTHER_PATHS", "as_text", "load", "path_name", "save"]

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = ROOT / "src" / "halma_fast" / "data" / "perft.json"
FORMAT = 2

MODES = {
    "": "the last plies counted together, no table",
    "leaf by leaf": "every leaf made, no table",
    "with table": "the last plies counted together, transpositions counted once",
}
# Paths that share no code with the package.
OTHER_PATHS = {
    "array board": "the C program of benchmarks/baseline",
    "reference": "the Python program of tests/reference",
}
PATHS = {
    f"{level} {mode}".rstrip(): f"{level} kernel, {meaning}"
    for level in ("generic", "v2", "v3")
    for mode, meaning in MODES.items()
} | OTHER_PATHS


def path_name(level: str, mode: str = "") -> str:
    """The name under which the file knows a kernel level with a mode of `MODES`."""
    name = f"{level} {mode}".rstrip()
    if name not in PATHS:
        raise ValueError(f"{name!r}, expected one of {', '.join(PATHS)}")
    return name


def load() -> list[dict[str, Any]]:
    """The entries of the file."""
    table = json.loads(NUMBERS.read_text(encoding="utf-8"))
    if table["format"] != FORMAT:
        raise ValueError(f"{NUMBERS}: format {table['format']}, expected {FORMAT}")
    positions: list[dict[str, Any]] = table["positions"]
    return positions


def as_text(positions: list[dict[str, Any]]) -> str:
    """The file that holds these entries."""
    lines = ",\n".join(f"    {json.dumps(entry)}" for entry in positions)
    paths = ",\n".join(f"    {json.dumps(name)}: {json.dumps(meaning)}" for name, meaning in PATHS.items())
    return f'{{\n  "format": {FORMAT},\n  "paths": {{\n{paths}\n  }},\n  "positions": [\n{lines}\n  ]\n}}\n'


def save(positions: list[dict[str, Any]]) -> None:
    """Replace the file."""
    new = NUMBERS.with_suffix(".json.new")
    new.write_text(as_text(positions), encoding="ascii")
    os.replace(new, NUMBERS)
