"""`python -m halma_fast` is the command `halma-fast`."""

import sys

from halma_fast.cli import main

if __name__ == "__main__":
    sys.exit(main())
