"""The casewise estimates of Wang & Zhang (2006) by name, in three readings of their paper.

"as_written": the paper's text. A training case is left out of the counts while the weights are
found (Step 2), two training cases are compared by their classes, too, and the result is normalised.
"as_published": what meets the paper's tables. Shrinkage alone leaves nothing out; with WPE the
result is not normalised, so that rows need not sum to 1. "consistent": as written, but two training
cases are compared by their attributes alone, as a test case is.
"""

import numpy as np

from ranktrees.arguments import choose
from ranktrees.casewise.local import LeafNaiveBayes, Local, NaiveBayes, Share, Similarity
from ranktrees.casewise.mixing import mixed
from ranktrees.casewise.path_counts import PathCounts
from ranktrees.tree import Tree

READINGS = ("as_written", "as_published", "consistent")
LOCAL = (
    "shrinkage",
    "wpe",
    "shrinkage+wpe",
    "naive-bayes",
    "leaf-naive-bayes",
    "shrinkage+naive-bayes",
)


def shrinkage(
    tree: Tree, X_train, y_train, X, reading="as_written", weights="diw", iterations=1
) -> np.ndarray:
    """The class shares of all nodes on the path, mixed (m, C) (Wang & Zhang 2006, section 3).

    `weights` "diw" or "uniform"; `iterations` of Algorithm DIW. The paper's Note rules out more
    than one here. In the reading "as_published" all cases of a leaf say the same and t iterations
    only raise the estimates to the power t, until one node has all the weight; where a case is left
    out, a mixed leaf's cases differ by class, and iterations find weights as they do with WPE.
    """
    local = local_of("shrinkage", PathCounts.of(tree, X_train, y_train), reading)
    return mixed(local, X, weights, iterations)


def wpe(tree: Tree, X_train, y_train, X) -> np.ndarray:
    """Weighted probability estimation at the node where a case ends (m, C): Eq. 6, section 4."""
    return _at_the_end(Similarity(PathCounts.of(tree, X_train, y_train)), X)


def shrinkage_wpe(
    tree: Tree, X_train, y_train, X, reading="as_written", weights="diw", iterations=1
) -> np.ndarray:
    """WPE at all nodes on the path, mixed (m, C) (Wang & Zhang 2006, section 5)."""
    local = local_of("shrinkage+wpe", PathCounts.of(tree, X_train, y_train), reading)
    return mixed(local, X, weights, iterations, normalise=reading != "as_published")


def naive_bayes(tree: Tree, X_train, y_train, X) -> np.ndarray:
    """A naive Bayes of the cases at the node where a case ends (m, C)."""
    return _at_the_end(NaiveBayes(PathCounts.of(tree, X_train, y_train)), X)


def leaf_naive_bayes(tree: Tree, X_train, y_train, X) -> np.ndarray:
    """A naive Bayes of the node's cases over the attributes not settled above (m, C)."""
    return _at_the_end(LeafNaiveBayes(PathCounts.of(tree, X_train, y_train)), X)


def shrinkage_naive_bayes(
    tree: Tree, X_train, y_train, X, weights="diw", iterations=1
) -> np.ndarray:
    """A naive Bayes at all nodes on the path, mixed (m, C) (section 7, as future work)."""
    return mixed(NaiveBayes(PathCounts.of(tree, X_train, y_train)), X, weights, iterations)


def local_of(estimate: str, counts: PathCounts, reading: str = "as_written") -> Local:
    """What a single node is asked by a casewise estimate of this name; not for "ling-yan"."""
    choose("estimate", estimate, LOCAL)
    choose("reading", reading, READINGS)
    if estimate == "shrinkage":
        return Share(counts, leave_out=reading != "as_published")
    if estimate in ("wpe", "shrinkage+wpe"):
        return Similarity(counts, label=reading != "consistent")
    return LeafNaiveBayes(counts) if estimate == "leaf-naive-bayes" else NaiveBayes(counts)


def _at_the_end(local, X):
    return local.at(local.tree.apply(X), local.counts.cells_of(X))
