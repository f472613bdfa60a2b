"""The Universal Game Interface: a client for engines that are processes of their own, and the engine as such a process.

Invariant: the names here are the client's; the server is `halma_fast.ugi.server`. Guarded by tests/ugi/test_client.py.
"""

from halma_fast.ugi.client import Analysis, Client
from halma_fast.ugi.reading import UgiOption

__all__ = ["Analysis", "Client", "UgiOption"]
