from halma_fast._kernel.kernel cimport Kernel

cdef const Kernel* kernel


cdef int require_kernel() except -1
