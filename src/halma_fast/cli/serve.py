"""`halma-fast serve`: the board in the browser. Guarded by tests/web/test_command.py."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Final

import click

from halma_fast import OptionError
from halma_fast.checks import check_int, shorten
from halma_fast.cli.options import integer, seconds

__all__ = ["serve"]

_PORT: Final = "8642"
_NEEDED: Final = ("msgspec", "starlette", "uvicorn", "websockets")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", callback=integer, default=_PORT, show_default=True, metavar="N", help="0 for any free one.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@click.option("--db", metavar="FILE", help="Where games by link are kept. Default: in the user's data folder.")
@click.option(
    "--keep", callback=seconds, default="30", show_default=True, metavar="DAYS", help="Then they are removed."
)
@click.option("--threads", callback=integer, metavar="N", help="Searches at once. Default: four a processor.")
@click.option(
    "--seconds", callback=seconds, default="60", show_default=True, metavar="S", help="Of the longest search."
)
@click.option("--hash", "hash_mb", callback=integer, default="16", show_default=True, metavar="MB", help="Of a search.")
@click.option(
    "--sockets", callback=integer, default="1000", show_default=True, metavar="N", help="Open at once in all."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="A name by which the server is reached, repeatable.")
@click.option("--behind-proxy", is_flag=True, help="Believe a proxy on this machine whose address a client has.")
def serve(
    host: str,
    port: int,
    open_page: bool,
    db: str | None,
    keep: float,
    threads: int | None,
    seconds: float,
    hash_mb: int,
    sockets: int,
    allow_host: tuple[str, ...],
    behind_proxy: bool,
) -> None:
    """Serve the board as a page: play, analyse, share a link.

    Prints the address. Ctrl-C ends it; games by link are kept.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise click.UsageError(f"{missing[0]} is not installed, expected pip install 'halma-fast[web]'")
    from halma_fast.web.limits import Settings, default_threads
    from halma_fast.web.server import bind
    from halma_fast.web.server import serve as run

    check_int(port, "port", 0, 65_535, OptionError)
    settings = Settings(
        threads=default_threads() if threads is None else threads,
        seconds=seconds,
        hash_mb=hash_mb,
        keep_days=keep,
        sockets=sockets,
    )
    listening, address = bind(host, port)

    def on_start() -> None:
        print(address, flush=True)
        if open_page:
            # Beside the loop: a browser in this terminal would not return.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    run(listening, _file(db), settings, hosts=allow_host, behind_proxy=behind_proxy, on_start=on_start)


def _file(name: str | None) -> str:
    if name is None:
        base = os.environ.get("XDG_DATA_HOME") or (
            "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
        )
        return str(Path(base).expanduser() / "halma-fast" / "games.sqlite")
    if not name or "\0" in name:
        raise OptionError(f"db: {shorten(name)}, expected the name of a file")
    return name
