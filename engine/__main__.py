"""`python -m engine`: replay workloads, compare outcomes. Needs nothing but Python."""

import sys

from engine.cli import main

if __name__ == "__main__":
    sys.exit(main())
