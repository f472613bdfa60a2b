"""Checks what is in the sdist and the wheel of a folder: sources here, binaries there, nothing generated in either."""

import sys
import tarfile
import zipfile
from pathlib import Path


def main(folder: Path) -> None:
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    with tarfile.open(sdist) as archive:
        sources = [name.split("/", 1)[1] for name in archive.getnames() if "/" in name]
    with zipfile.ZipFile(wheel) as archive:
        installed = archive.namelist()

    # The plain C baseline of the benchmarks is a source of its own; every other .c would be Cython's output.
    generated = [name for name in sources if name.endswith((".c", ".so")) and not name.startswith("benchmarks/")]
    assert not generated, f"generated files in the sdist: {generated}"
    for needed in ("position.pyx", "position.pxd", "position.pyi", "py.typed", "_kernel/planes.h", "_kernel/level.pxi"):
        assert f"src/halma_fast/{needed}" in sources, f"not in the sdist: {needed}"
    assert any(name.startswith("tests/") for name in sources), "no tests in the sdist"

    unwanted = [name for name in installed if name.endswith((".c", ".h", ".pyx", ".pxd", ".pxi"))]
    assert not unwanted, f"sources in the wheel: {unwanted}"
    for needed in ("py.typed", "position.pyi", "move.pyi", "engine.pyi", "count.pyi", "data/perft.json"):
        assert f"halma_fast/{needed}" in installed, f"not in the wheel: {needed}"
    page = {name.removeprefix("src/") for name in sources if name.startswith("src/halma_fast/web/static/")}
    absent = {name for name in page if "." in name.rsplit("/", 1)[1]} - set(installed)
    assert not absent, f"parts of the page that are not in the wheel: {absent}"
    assert any(name.startswith("halma_fast/position.") and name.endswith(".so") for name in installed)
    print(f"{sdist.name}: {len(sources)} files, {wheel.name}: {len(installed)} files, as they should be")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
