"""Estimates that differ from case to case, though the cases end at the same node.

Contract: `casewise(tree, X_train, y_train, X, **params) -> (m, C)` for codes X (m, A), -1 where a
value was never seen; rows sum to 1 but for one reading that says so. The tree stays as it is. All
of `LOCAL` take the tree's `PathCounts` in place of X_train, so that nothing is counted twice.
"""

from collections.abc import Callable

from ranktrees.casewise.estimates import (
    LOCAL,
    READINGS,
    leaf_naive_bayes,
    local_of,
    naive_bayes,
    shrinkage,
    shrinkage_naive_bayes,
    shrinkage_wpe,
    wpe,
)
from ranktrees.casewise.leaf_votes import ling_yan
from ranktrees.casewise.local import LeafNaiveBayes, Local, NaiveBayes, Share, Similarity, smoothed
from ranktrees.casewise.mixing import (
    diw_weights,
    find_weights,
    mix,
    mixed,
    path_of,
    stack,
    uniform_weights,
)
from ranktrees.casewise.path_counts import PathCounts, value_tables

CASEWISE: dict[str, Callable] = {
    "ling-yan": ling_yan,
    "shrinkage": shrinkage,
    "wpe": wpe,
    "shrinkage+wpe": shrinkage_wpe,
    "naive-bayes": naive_bayes,
    "leaf-naive-bayes": leaf_naive_bayes,
    "shrinkage+naive-bayes": shrinkage_naive_bayes,
}

__all__ = [
    "CASEWISE",
    "LOCAL",
    "READINGS",
    "LeafNaiveBayes",
    "Local",
    "NaiveBayes",
    "PathCounts",
    "Share",
    "Similarity",
    "diw_weights",
    "find_weights",
    "leaf_naive_bayes",
    "ling_yan",
    "local_of",
    "mix",
    "mixed",
    "naive_bayes",
    "path_of",
    "shrinkage",
    "shrinkage_naive_bayes",
    "shrinkage_wpe",
    "smoothed",
    "stack",
    "uniform_weights",
    "value_tables",
    "wpe",
]
