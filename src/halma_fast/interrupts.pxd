from libc.stdint cimport int32_t


cdef class Interrupts:
    cdef object error       # what a signal handler raised while the kernel worked
    cdef int raise_error(self) except -1


cdef int32_t look_at_signals(void* interrupts) noexcept with gil
