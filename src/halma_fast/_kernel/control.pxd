# How long work in the kernel is told to stop: by another thread, by a limit, by Ctrl-C.
# Owns the flag and the beat at which it is looked at. Invariant: the GIL is taken at most every POLL_MILLISECONDS, and
# a raised flag ends the work within one beat, which is shortened where it takes more than a millisecond.
# Guarded by tests/search/test_limits.py and tests/cli/.
from libc.stdint cimport int32_t, uint32_t

from halma_fast._kernel.planes cimport hf_flag_read, hf_flag_write, hf_now

cdef enum:
    POLL_MILLISECONDS = 25
    SLOW_MICROSECONDS = 1000    # a beat that takes longer is halved

# Returns nonzero to stop; takes the GIL to look at signals.
ctypedef int32_t (*poll_t)(void* context) noexcept nogil

ctypedef struct Control:
    int32_t stop            # atomic; any thread may raise it
    const int32_t* shared   # a flag that stops several jobs at once, looked at beat by beat; NULL: none
    uint32_t beats_left     # calls of control_beat until the clock is read
    uint32_t beat           # how many calls that is at present
    uint32_t full_beat      # and at most: the owner of the loop knows what its unit of work costs
    double deadline         # seconds on hf_now's clock; 0: none
    double last_look
    double next_poll
    poll_t poll             # NULL: nobody to ask
    void* context


cdef inline void control_start(Control* c, uint32_t beat, double deadline, poll_t poll, void* context) noexcept nogil:
    # Work begins slowly where the pages of a large table are touched for the first time, and grows faster.
    c.beat = 1
    c.full_beat = beat
    c.beats_left = 1
    c.deadline = deadline
    c.last_look = hf_now()
    c.next_poll = c.last_look + POLL_MILLISECONDS * 1e-3
    c.poll = poll
    c.context = context


cdef inline void control_look(Control* c) noexcept nogil:
    """Read the clock and ask the poll function; raises the flag if either says so."""
    cdef double now = hf_now()
    if now - c.last_look > SLOW_MICROSECONDS * 1e-6:
        c.beat = c.beat // 2 if c.beat > 1 else 1
    elif c.beat < c.full_beat:
        c.beat = 2 * c.beat if c.beat < c.full_beat // 2 else c.full_beat
    c.last_look = now
    c.beats_left = c.beat
    if c.shared != NULL and hf_flag_read(c.shared):
        hf_flag_write(&c.stop, 1)
    if c.deadline != 0 and now >= c.deadline:
        hf_flag_write(&c.stop, 1)
    elif c.poll != NULL and now >= c.next_poll:
        if c.poll(c.context):
            hf_flag_write(&c.stop, 1)
        c.next_poll = hf_now() + POLL_MILLISECONDS * 1e-3


cdef inline bint control_beat(Control* c) noexcept nogil:
    """Count one unit of work; whether to stop."""
    c.beats_left -= 1
    if c.beats_left == 0:
        control_look(c)
    return hf_flag_read(&c.stop) != 0
