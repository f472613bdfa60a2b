include "level.pxi"
