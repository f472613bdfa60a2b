# Everything hot, compiled once more for the instruction set of the unit that includes this file (level_*.pyx).
# The kernel is inline functions of .pxd files, so a unit is whole: no call inside it leaves it.
from cpython.pycapsule cimport PyCapsule_New

from halma_fast._kernel.duty cimport count_legal_moves, is_legal_move, legal_moves
from halma_fast._kernel.ending cimport can_move
from halma_fast._kernel.kernel cimport Kernel
from halma_fast._kernel.perft cimport perft
from halma_fast._kernel.search cimport search_depth

cdef Kernel entry_points

entry_points.generate = legal_moves
entry_points.is_move = is_legal_move
entry_points.can_move = can_move
entry_points.count_moves = count_legal_moves
entry_points.perft = perft
entry_points.search_depth = search_depth

capsule = PyCapsule_New(&entry_points, "halma_fast.Kernel", NULL)
