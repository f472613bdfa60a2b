"""The command `halma-fast`: one file a command, `options` for what they share, `app` for how they end."""

from halma_fast.cli.app import main

__all__ = ["main"]
