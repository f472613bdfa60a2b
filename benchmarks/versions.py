"""Play the present version against an older one, each in its own environment, and print what `halma-fast match` prints.

    python benchmarks/versions.py COMMIT [options of halma-fast match]
    python benchmarks/versions.py COMMIT --against OTHER [options of halma-fast match]

A is the installed package, or OTHER; B is COMMIT; both are asked by UGI. A commit is built into build/versions/<its
hash>, once: its files from git, a virtual environment, pip. A version without `halma-fast ugi` speaks through
`ugi_adapter.py`. Like every change to search or evaluation is to be judged:

    python benchmarks/versions.py main --variant halma8 --win occupied --time 0.1 --concurrency 2 --sprt 0 20
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "versions"
ADAPTER = Path(__file__).with_name("ugi_adapter.py")
USAGE = "usage: python benchmarks/versions.py COMMIT [--against COMMIT] [options of halma-fast match]"
# The package that an environment has, and no other: not one of $PYTHONPATH, of this folder or beside a script.
ALONE = ("-E", "-P")
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class BuildError(Exception):
    """What ends the script with one line."""


def git(*arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)
    if done.returncode:
        raise BuildError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}")
    return done.stdout


def resolve(name: str) -> str:
    """The hash of a commit; raises `BuildError` for what is none."""
    if name.startswith("-"):
        raise BuildError(f"commit: {name!r}, expected a commit first; {USAGE}")
    return git("rev-parse", "--verify", f"{name}^{{commit}}").decode().strip()


def build(commit: str) -> Path:
    """The Python of an environment that has this commit installed; built if it is not there yet."""
    folder = FOLDER / commit[:12]
    python = folder / "venv" / "bin" / "python"
    ready = folder / "ready"
    if ready.exists():
        return python
    print(f"building {commit[:12]} in {folder}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    source.mkdir(parents=True)
    with tarfile.open(fileobj=BytesIO(git("archive", commit))) as archive:
        archive.extractall(source, filter="data")
    subprocess.run([sys.executable, *ALONE, "-m", "venv", str(folder / "venv")], check=True)
    with open(folder / "log", "wb") as log:
        pip = [str(python), *ALONE, "-m", "pip", "install", "--disable-pip-version-check", str(source)]
        if subprocess.run(pip, stdout=log, stderr=log, check=False).returncode:
            raise BuildError(f"build: {commit[:12]} cannot be installed, see {folder / 'log'}")
    shutil.rmtree(source)
    ready.touch()
    return python


def player(python: Path) -> str:
    """The name under which `halma-fast match` plays the package of this Python."""
    alone = [str(python), *ALONE]
    knows = subprocess.run([*alone, "-c", "import halma_fast.ugi.server"], check=False, **QUIET)
    if subprocess.run([*alone, "-c", "import halma_fast"], check=False, **QUIET).returncode:
        raise BuildError(f"python: {python} has no halma_fast, expected it installed")
    return f"ugi:{shlex.join([*alone, str(ADAPTER)] if knows.returncode else [*alone, '-m', 'halma_fast', 'ugi'])}"


def main(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    try:
        commit, *options = arguments
        old = resolve(commit)
        new = None
        if "--against" in options:
            at = options.index("--against")
            if at + 1 == len(options):
                raise BuildError(f"--against: nothing, expected a commit; {USAGE}")
            new = resolve(options[at + 1])
            del options[at : at + 2]
        pythons = [Path(sys.executable) if new is None else build(new), build(old)]
        first, second = (player(python) for python in pythons)
    except (BuildError, OSError, subprocess.CalledProcessError) as error:
        print(f"versions: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("versions: interrupted", file=sys.stderr)
        return 130
    command = [sys.executable, *ALONE, "-m", "halma_fast", "match", first, second, *options]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
