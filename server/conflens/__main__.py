"""``python -m conflens``: the command line without its script."""

import sys

from conflens.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
