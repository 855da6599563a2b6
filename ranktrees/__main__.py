"""The command line: python -m ranktrees lessons FOLDER, student, lecture, reproduce, generate."""

import sys

from ranktrees_lab.command import main

if __name__ == "__main__":
    sys.exit(main())
