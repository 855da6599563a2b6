"""What must end, and what is said, where a browser ends: run in Pyodide."""

import ranktrees as rt
from ranktrees_lab.check import challenges


def endless(counts):
    """Never return; no call of a function is made."""
    while True:
        counts += 1


challenges.SECONDS = 1
print(rt.check.challenge("08.leaves", endless))
