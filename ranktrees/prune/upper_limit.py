"""C4.5's pruning by the upper confidence limit of the error, and raising, equal to Weka's J48.

Source: Quinlan 1993, chapter 4; Weka 3.6.14 (J48), whose ties and tolerances these are.
"""

from statistics import NormalDist

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.prune.raising import Raising, rebuild
from ranktrees.prune.rule import Costs, bottom_up
from ranktrees.prune.surgery import cases_reaching, check_tree, read_cases
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

    def estimate(counts):
        return estimated_errors(counts, confidence)

    if not raising:
        return bottom_up(tree, Costs(estimate(tree.counts)), slack + TOLERANCE)
    if codes is None or y is None:
        raise ValueError("raising sends the training cases down the tree: give their codes and y")
    codes, y = read_cases(tree, codes, y)
    if not np.array_equal(cases_reaching(tree, codes, y)[0], tree.counts):
        raise ValueError("these are not the cases on which the tree was grown: its counts differ")
    changing = Raising(tree, codes, y, estimate, slack + TOLERANCE)
    changing.prune(np.arange(len(y)), np.zeros(len(y), np.intp))
    return rebuild(changing.links, tree, changing.counts)
