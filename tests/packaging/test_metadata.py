"""The installed package is what pyproject.toml and the sources say, and importing it costs numpy only."""

import importlib.metadata
import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import halma_fast

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def test_version_is_the_same_everywhere():
    assert halma_fast.__version__ == PROJECT["project"]["version"] == importlib.metadata.version("halma-fast")


def test_build_requirements_are_pinned():
    assert all("==" in requirement for requirement in PROJECT["build-system"]["requires"])


def test_import_needs_numpy_and_nothing_else_from_outside():
    code = (
        "import sys, halma_fast\n"
        "files = {name: getattr(module, '__file__', '') or '' for name, module in sys.modules.items()}\n"
        "outside = {name.split('.')[0] for name, file in files.items() if 'site-packages' in file}\n"
        "print(sorted(outside - {'numpy', 'halma_fast'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Coverage and editable installs load start-up modules of their own; none of them is a dependency.
    names = [n for n in done.stdout.strip("[]\n").replace("'", "").split(", ") if n]
    assert not {"click", "rich"} & set(names)
    assert not [n for n in names if not n.startswith(("_", "coverage", "distutils", "a1_", "mkl", "pip", "sitecustom"))]


def test_types_and_data_are_shipped():
    package = files("halma_fast")
    for name in ("py.typed", "position.pyi", "move.pyi", "engine.pyi", "count.pyi", "data/perft.json"):
        assert (package / name).is_file(), name


def test_public_names_exist_and_are_documented():
    for name in halma_fast.__all__:
        value = getattr(halma_fast, name)
        assert callable(value) is False or value.__doc__, name


def test_readme_examples_run(tmp_path):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    blocks = [block.split("```", 1)[0] for block in readme.split("```python\n")[1:]]
    assert blocks
    path = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    )  # of the command as installed
    for block in blocks:
        subprocess.run(
            [sys.executable, "-c", block],
            check=True,
            cwd=tmp_path,
            capture_output=True,
            env={**os.environ, "PATH": path},
        )
