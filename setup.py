"""The extension modules; everything else is in pyproject.toml.

Environment: HALMA_FAST_NATIVE=1 builds the generic kernel for this very processor (never for distribution),
HALMA_FAST_DEBUG=1 adds assertions and full validation after each move, HALMA_FAST_SANITIZE=1 adds the address and
undefined-behaviour sanitizers.
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGE = Path("src/halma_fast")
KERNEL = PACKAGE / "_kernel"

# Each flag here is one that platform.h asks the processor for before the level is used.
LEVEL_FLAGS = {
    "generic": [],
    "v2": ["-mssse3", "-msse4.1", "-msse4.2", "-mpopcnt"],
    "v3": ["-mssse3", "-msse4.1", "-msse4.2", "-mpopcnt", "-mavx2", "-mbmi", "-mbmi2"],
}


def switched_on(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def compile_flags() -> list[str]:
    flags = ["-O3", "-std=c11", "-fno-strict-overflow", "-Wno-psabi", "-Wno-unused-function"]
    if switched_on("HALMA_FAST_DEBUG"):
        flags += ["-DHALMA_FAST_DEBUG", "-UNDEBUG", "-g", "-O1"]
    if switched_on("HALMA_FAST_SANITIZE"):
        flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]
    return flags


def link_flags() -> list[str]:
    return ["-fsanitize=address,undefined"] if switched_on("HALMA_FAST_SANITIZE") else []


def levels() -> dict[str, list[str]]:
    if switched_on("HALMA_FAST_NATIVE"):
        return {"generic": ["-march=native"]}
    if platform.machine().lower() in ("x86_64", "amd64"):
        return LEVEL_FLAGS
    return {"generic": []}


def extension(path: Path, extra: list[str]) -> Extension:
    name = ".".join(path.relative_to("src").with_suffix("").parts)
    return Extension(
        name,
        [str(path)],
        include_dirs=[str(KERNEL)],
        extra_compile_args=compile_flags() + extra,
        extra_link_args=link_flags(),
        depends=[str(header) for header in sorted(KERNEL.glob("*.h"))],
    )


extensions = [extension(KERNEL / f"level_{level}.pyx", flags) for level, flags in levels().items()]
extensions += [
    extension(path, [])
    for path in sorted([*KERNEL.glob("*.pyx"), *PACKAGE.glob("*.pyx")])
    if not path.stem.startswith("level_")
]


def flavour() -> str:
    """Return a name for the switches: objects of one flavour must not be taken for another's, which look as recent."""
    switches = ("NATIVE", "DEBUG", "SANITIZE")
    return "-".join(name.lower() for name in switches if switched_on(f"HALMA_FAST_{name}")) or "plain"


setup(
    options={"build": {"build_base": f"build/{flavour()}"}, "build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        extensions,
        include_path=["src"],
        build_dir="build/cython",
        compiler_directives={
            "language_level": "3",
            "cdivision": True,
            "initializedcheck": False,
            "binding": True,
        },
    ),
)
