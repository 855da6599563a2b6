"""Comparison of methods: the same folds for all, tests, ranks."""

from ranktrees.comparison.compare import compare
from ranktrees.comparison.results import Results
from ranktrees.comparison.significance import (
    Friedman,
    Significance,
    average_ranks,
    corrected_t,
    critical_difference,
    friedman,
    groups,
    paired_t,
    rank_rows,
    rank_sums,
    wilcoxon,
)

__all__ = [
    "Friedman",
    "Results",
    "Significance",
    "average_ranks",
    "compare",
    "corrected_t",
    "critical_difference",
    "friedman",
    "groups",
    "paired_t",
    "rank_rows",
    "rank_sums",
    "wilcoxon",
]
