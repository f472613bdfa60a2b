"""Chooses, at import, which build of the kernel this processor runs.

Owns the pointer that the skin calls through. Invariant: a level runs only where the processor has its instructions;
`HALMA_FAST_KERNEL` forces a lower one. Guarded by tests/unit/test_kernel_levels.py.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer

from halma_fast._kernel.planes cimport hf_processor_level

import importlib.util
import os

from halma_fast.checks import shorten
from halma_fast.errors import OptionError

VARIABLE = "HALMA_FAST_KERNEL"
# Best last; the number is what hf_processor_level must report at least.
LEVELS = {"generic": 0, "v2": 2, "v3": 3}


def _built():
    """Return the levels in this installation: an ARM build has the generic one only."""
    spec_of = importlib.util.find_spec
    return [level for level in LEVELS if spec_of(f"halma_fast._kernel.level_{level}") is not None]


def _choose():
    """Return the level to run, those that could run, and the reason or, if what was asked for cannot be, the fault."""
    has = hf_processor_level()
    runnable = [level for level in _built() if LEVELS[level] <= has]
    forced = os.environ.get(VARIABLE)
    if not forced:
        return max(runnable, key=LEVELS.get), runnable, "the best that this processor runs", None
    if forced in runnable:
        return forced, runnable, f"forced by {VARIABLE}", None
    what = "does not run here" if forced in LEVELS else "is no kernel level"
    return "generic", runnable, "", f"{VARIABLE}: {shorten(forced)} {what}, expected {' or '.join(runnable)}"


LEVEL, AVAILABLE, REASON, FAULT = _choose()
kernel = <const Kernel*> PyCapsule_GetPointer(
    importlib.import_module(f"halma_fast._kernel.level_{LEVEL}").capsule, "halma_fast.Kernel")


cdef int require_kernel() except -1:
    # Not at import: a command line, too, has to be able to say it in its own way.
    if FAULT is not None:
        raise OptionError(FAULT)
    return 0


def kernel_info():
    """Return which kernel runs: level, available levels (worst first), whether it was forced, and the reason.

    Raises `OptionError` if HALMA_FAST_KERNEL asks for a level that cannot run; so does making a `Position` or `Engine`.
    """
    require_kernel()
    return {"level": LEVEL, "available": list(AVAILABLE), "forced": bool(os.environ.get(VARIABLE)), "reason": REASON}
