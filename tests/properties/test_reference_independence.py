"""The reference and the package know nothing of each other: two programs that share a line can share a mistake."""

import subprocess
import sys
from pathlib import Path

import reference

TESTS = Path(__file__).parents[1]


def test_the_reference_needs_the_standard_library_only() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); import reference; "
        "strangers = {name.split('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names; "
        "assert strangers == {'reference'}, strangers"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script, str(TESTS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_reference_does_not_name_the_package() -> None:
    for file in Path(reference.__file__).parent.glob("*.py"):
        assert "halma_fast" not in file.read_text(encoding="utf-8"), file.name
