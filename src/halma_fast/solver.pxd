from halma_fast._kernel.geometry cimport Tables
from halma_fast._kernel.placement cimport Placements
from halma_fast._kernel.solve cimport Solve


cdef class Numbering:
    cdef Tables tables
    cdef Placements* placements
    cdef readonly object variant
    cdef readonly object total


cdef class Solver:
    cdef readonly Numbering numbering
    cdef readonly object values
    cdef readonly object left
    cdef Py_buffer views[2]
    cdef int held
    cdef Solve job
