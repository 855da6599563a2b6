"""C4.5's pruning by the upper confidence limit of the error, and raising, equal to Weka's J48.

Source: Quinlan 1993, chapter 4; Weka 3.6.14 (J48), whose ties and tolerances these are.
"""

from statistics import NormalDist

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.count import tally
from ranktrees.prune.rule import Costs, bottom_up
from ranktrees.prune.surgery import (
    Links,
    branches,
    cases_reaching,
    check_tree,
    read_cases,
    rebuild,
    route,
    step,
    with_empty_leaves,
)
from ranktrees.tree import Tree

TOLERANCE = 1e-6  # Weka's "smaller or equal"


def added_errors(cases, errors, confidence: float = 0.25) -> np.ndarray:
    """Errors to add so that they are the upper limit at this confidence; arrays of any shape.

    Below one error exact or interpolated, then the normal approximation with a continuity
    correction (Quinlan 1993). 0 where there is no case.

    >>> round(float(added_errors(6, 0)), 3)
    1.238
    """
    check_confidence(confidence)
    N, e = np.broadcast_arrays(np.asarray(cases, float), np.asarray(errors, float))
    occupied = np.where(N > 0, N, 1.0)
    none = occupied * (1 - confidence ** (1 / occupied))
    upper = _normal_limit(occupied, np.maximum(e, 1.0), confidence)
    return np.where(N > 0, np.where(e < 1, none + e * (upper - none), upper), 0.0)


def _normal_limit(N, e, confidence):
    z2 = (z := NormalDist().inv_cdf(1 - confidence)) ** 2
    f = np.minimum((e + 0.5) / N, 1.0)
    root = np.sqrt(f / N - f**2 / N + z2 / (4 * N**2))
    rate = (f + z2 / (2 * N) + z * root) / (1 + z2 / N)
    return np.where(e + 0.5 >= N, np.maximum(N - e, 0), rate * N - e)


def check_confidence(confidence) -> None:
    """Raise TypeError or ValueError unless `confidence` is a number in (0, 0.5]."""
    check_number("confidence", confidence, 0)
    if not 0 < confidence <= 0.5:
        raise ValueError(f"confidence must lie in (0, 0.5], not {confidence!r}")


def estimated_errors(counts: np.ndarray, confidence: float = 0.25) -> np.ndarray:
    """Pessimistic errors (...) of leaves with class counts (..., C): errors, and those added."""
    cases = counts.sum(axis=-1)
    wrong = cases - counts.max(axis=-1)
    return wrong + added_errors(cases, wrong, confidence)


def c45(
    tree: Tree,
    codes=None,
    y=None,
    confidence: float = 0.25,
    raising: bool = True,
    slack: float = 0.1,
) -> Tree:
    """Prune as C4.5 does: a node becomes a leaf or, with `raising`, its largest branch.

    From the bottom: the estimated errors of a node's leaf, of its subtree and, all its cases sent
    down, of its largest branch are compared; the leaf, then the branch, is taken where it is at
    most `slack` errors worse than the subtree. A raised branch gets all the node's cases and is
    pruned anew; a branch of it that was empty becomes a leaf where it now has cases. `codes` (n, A)
    and class codes `y` (n,) are the training cases, which only raising needs.

    Raises ValueError for a confidence outside (0, .5] and for cases that did not grow the tree.
    """
    check_tree(tree)
    check_confidence(confidence)
    check_number("slack", slack, 0)
    if not raising:
        return bottom_up(tree, Costs(estimated_errors(tree.counts, confidence)), slack + TOLERANCE)
    codes, y = _training_cases(tree, codes, y)
    pruner = _Pruner(tree, codes, y, confidence, slack)
    pruner.prune(np.arange(len(y)), np.zeros(len(y), np.intp))
    return rebuild(pruner.links, tree, pruner.counts)


def _training_cases(tree, codes, y):
    if codes is None or y is None:
        raise ValueError("raising sends the training cases down the tree: give their codes and y")
    codes, y = read_cases(tree, codes, y)
    if not np.array_equal(cases_reaching(tree, codes, y)[0], tree.counts):
        raise ValueError("these are not the cases on which the tree was grown: its counts differ")
    return codes, y


class _Pruner:
    """The tree while it changes: its links, and of each node class counts and estimated errors."""

    def __init__(self, tree, codes, y, confidence, slack):
        self.codes, self.y, self.confidence = codes, y, confidence
        self.slack = slack
        self.links, self.counts = with_empty_leaves(tree)
        self.errors = np.zeros(len(self.counts))

    def prune(self, cases, node):
        """Prune what hangs from the nodes (m,) at which the cases (m,) are, counting them anew."""
        passed = []
        while len(cases):
            self._count(cases, node)
            inner = self.links.attribute[node] >= 0
            passed.append((cases[inner], node[inner]))
            cases = cases[inner]
            node = step(self.links, self.codes, *passed[-1])
        for cases, node in reversed(passed):
            if len(cases):
                self._decide(cases, node)

    def _count(self, cases, node):
        ids, row = np.unique(node, return_inverse=True)
        self.counts[ids] = tally((len(ids), self.counts.shape[1]), row, self.y[cases])
        self.errors[ids] = estimated_errors(self.counts[ids], self.confidence)

    def _decide(self, cases, node):
        """Make leaves of nodes of one level, or raise their largest branches."""
        ids, row = np.unique(node, return_inverse=True)
        as_leaf = self.errors[ids].copy()
        as_tree, son = self._subtrees(ids)
        as_son = self._largest_branch(cases, row, son)
        leaf = self._no_worse(as_leaf, as_tree) & self._no_worse(as_leaf, as_son)
        raised = ~leaf & self._no_worse(as_son, as_tree)
        self.links.attribute[ids[leaf]] = -1
        self.errors[ids] = np.where(leaf, as_leaf, as_tree)
        if raised.any():
            for part in self.links[: Links._fields.index("child")]:
                part[ids[raised]] = part[son[raised]]
            again = raised[row]
            self.prune(cases[again], node[again])

    def _no_worse(self, one, other):
        return one - (other + self.slack) < TOLERANCE

    def _subtrees(self, ids):
        """Errors (S,) of the subtrees of nodes (S,), and the child of most cases, the last one."""
        row, at = branches(self.links, ids)
        child = self.links.child[at]
        once, first = np.unique(child, return_index=True)
        errors = np.bincount(row[first], self.errors[once], minlength=len(ids))
        largest = np.lexsort((np.arange(len(child)), self.counts[child].sum(axis=1), row))
        last = np.cumsum(self.links.width[ids]) - 1
        return errors, child[largest[last]]

    def _largest_branch(self, cases, row, son):
        """Errors (S,) of the subtrees `son` (S,) when all cases of their parents go there."""
        end, at = np.unique(route(self.links, self.codes, cases, son[row]), return_inverse=True)
        counts = tally((len(end), self.counts.shape[1]), at, self.y[cases])
        owner = np.empty(len(end), np.intp)
        owner[at] = row
        return np.bincount(owner, estimated_errors(counts, self.confidence), minlength=len(son))
