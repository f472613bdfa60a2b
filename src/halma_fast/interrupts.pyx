"""Ctrl-C while the kernel works without the GIL: the poll function of control.pxd and the exception it keeps.

Owns the hand-over. Invariant: an exception of a signal handler stops the work and is raised in the caller, never lost.
Guarded by tests/search/test_limits.py and tests/cli/.
"""

from cpython.exc cimport PyErr_CheckSignals


cdef class Interrupts:

    cdef int raise_error(self) except -1:
        """Raise what a handler raised, if one did."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0


cdef int32_t look_at_signals(void* interrupts) noexcept with gil:
    """Run pending signal handlers; nonzero if one raised. The context is an `Interrupts` that the caller holds."""
    try:
        PyErr_CheckSignals()
    except BaseException as error:   # KeyboardInterrupt is no Exception
        (<Interrupts> interrupts).error = error
        return 1
    return 0
