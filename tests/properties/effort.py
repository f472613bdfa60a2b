"""How many examples a property is tried on: the number it asks for, times HALMA_FAST_FUZZ."""

import os

from hypothesis import settings

FUZZ = max(1, int(os.environ.get("HALMA_FAST_FUZZ") or 1))


def effort(examples: int) -> settings:
    """Decorator: try a property on this many examples, or a multiple of it in a nightly run."""
    return settings(max_examples=examples * FUZZ)
