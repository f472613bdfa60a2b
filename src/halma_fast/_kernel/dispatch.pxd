from halma_fast._kernel.kernel cimport Kernel

cdef const Kernel* kernel
