"""The check of the exercise on data larger than memory."""

from ranktrees_lab.check.answers import numbers
from ranktrees_lab.check.base import exercise, same

OPEN, NODE, BUDGET = (1, 2, 4, 8, 16, 26), 96_960, 250_000  # nodes by level, bytes of one, of all


@exercise("how many whole nodes fit in the budget? Each scan takes so many of a level")
def scans_per_level(answer):
    """Check RF-Read's scans at each of six levels, two nodes at a time: 1, 1, 2, 4, 8, 13."""
    scans = numbers(answer, len(OPEN), f"Give {len(OPEN)} numbers, one for each level.")
    slips = [
        (
            [-(-n * NODE // BUDGET) for n in OPEN],
            "That divides bytes by bytes. A node's tables are counted in one scan, so that only "
            "whole nodes fit: two.",
        ),
        ([n * NODE / BUDGET for n in OPEN], "There is no part of a scan, and no part of a node."),
        ([n / (BUDGET // NODE) for n in OPEN], "There is no part of a scan: round up."),
        (OPEN, "That is a scan for each node. Two nodes fit at once."),
        ([-(-n // 3) for n in OPEN], "Three nodes take 290,880 bytes, which is too much."),
    ]
    here = "The open nodes are 1, 2, 4, 8, 16 and 26, and each takes 96,960 bytes."
    same(scans, [-(-n // (BUDGET // NODE)) for n in OPEN], slips, here)
    return "Two whole nodes in each scan, and whole scans: 29 in place of 6."
