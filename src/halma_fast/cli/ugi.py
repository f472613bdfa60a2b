"""`halma-fast ugi`: the engine as a program that other programs talk to. Guarded by tests/ugi/."""

from __future__ import annotations

import sys

import click

from halma_fast import __version__
from halma_fast.ugi.server import serve

__all__ = ["ugi"]


@click.command()
def ugi() -> None:
    """Speak the Universal Game Interface (UGI).

    Reads commands from standard input until 'quit' or its end, and writes nothing but answers. 'ugi' lists the options.
    """
    if sys.stdin is not None:  # closed by the caller: no input is an input that has ended
        serve(sys.stdin, sys.stdout, name=f"halma_fast {__version__}")
