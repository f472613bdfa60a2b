"""What all tests share: the import path of the test helpers and how much hypothesis tries.

The runs are the same every time, so that a failure is one for everybody; HALMA_FAST_FUZZ=N tries N times as
many examples, with fresh seeds, for a nightly run.
"""

import signal
import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings

# Whatever pytest's import mode, `reference` and `properties` are packages beside this file.
sys.path.insert(0, str(Path(__file__).parent))

from properties.effort import FUZZ

# A shell that runs the tests in the background lets them ignore Ctrl-C, and so the commands that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


settings.register_profile(
    "halma-fast",
    derandomize=FUZZ == 1,
    max_examples=100 * FUZZ,
    database=None,
    deadline=None,  # a time limit an example would make results depend on the machine
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.generate, Phase.target, Phase.shrink],
)
settings.load_profile("halma-fast")
