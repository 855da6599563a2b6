"""Estimates of a finished tree: class probabilities at each node, computed from its counts.

First the formulas, functions `estimate(tree, **params) -> (T, C)` whose rows sum to 1 (except for
one reading of the papers, which says so); then the estimates that models choose by name. A case
that stops at an inner node, because its branch is empty, gets that node's row. As
plain/estimates.py, all nodes at once.
"""

import numpy as np

from ranktrees_engine.basics.arguments import check_number, choose, shown
from ranktrees_engine.estimates.base import Estimate
from ranktrees_engine.estimates.mixing import tree_estimate
from ranktrees_engine.growing.tree import Tree, check_counted


def frequency(tree: Tree) -> np.ndarray:
    """Return n_c / N: the share of each class among the node's training cases."""
    check_counted(tree)
    return tree.counts / tree.counts.sum(axis=1, keepdims=True)


def laplace(tree: Tree, classes: str = "all") -> np.ndarray:
    """Return (n_c + 1) / (N + C): one imagined case of each class (Provost & Domingos 2003).

    With classes="parent" K, the number of classes that occur in the node's parent, stands for C,
    and an empty branch gets 1 / K: Weka before 2007, and the tables of Wang & Zhang (2006). Such
    rows sum to more than one where K < C; only their order within a class is meant.

    >>> import numpy as np
    >>> from ranktrees_engine.growing.tree import single_leaf
    >>> laplace(single_leaf(np.array([3, 0]))).tolist()
    [[0.8, 0.2]]
    """
    check_counted(tree)
    choose("classes", classes, ("all", "parent"))
    counts = tree.counts
    if classes == "all":
        return (counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])
    present = (counts > 0).sum(axis=1, keepdims=True)
    known = present[np.maximum(tree.parent, 0)]
    smooth = (counts + 1) / (counts.sum(axis=1, keepdims=True) + known)
    return np.where(tree.is_leaf[:, None], smooth, 1 / present)


def m_estimate(tree: Tree, m: float = 2.0) -> np.ndarray:
    """Return (n_c + m p_c) / (N + m), with p the class shares at the root (Cestnik 1990)."""
    check_counted(tree)
    check_number("m", m, 0)
    counts, prior = tree.counts, tree.counts[0] / tree.counts[0].sum()
    return (counts + m * prior) / (counts.sum(axis=1, keepdims=True) + m)


def m_branch(tree: Tree, m: float = 4.0) -> np.ndarray:
    """Return (n_c + m_t p_c) / (N + m_t), p the parent's estimate, uniform above the root.

    m_t = m (1 + (1 - 1/h) sqrt(N at the root)) for a node of height h, a leaf's being 1: the higher
    a node, the more it is smoothed (Ferri, Flach & Hernandez-Orallo 2003; they take m = 4).
    """
    check_counted(tree)
    check_number("m", m, 0)
    counts = tree.counts
    n_root, n_classes = counts[0].sum(), counts.shape[1]
    weight = m * (1 + (1 - 1 / tree.heights) * np.sqrt(n_root))[:, None]
    return _top_down(
        tree,
        np.full(n_classes, 1 / n_classes),
        lambda level, above: (
            (counts[level] + weight[level] * above)
            / (counts[level].sum(axis=1, keepdims=True) + weight[level])
        ),
    )


def curtailment(tree: Tree, v: int = 20) -> np.ndarray:
    """Return class shares of the nearest node upwards with v cases (Zadrozny & Elkan 2001).

    If even the root has fewer, the root's. The authors choose v, for example by cross-validation.
    """
    check_number("v", v, 1)
    share = frequency(tree)
    enough = tree.counts.sum(axis=1, keepdims=True) >= v
    return _top_down(
        tree, share[0], lambda level, above: np.where(enough[level], share[level], above)
    )


def shrinking(tree: Tree, theta: float = 0.5) -> np.ndarray:
    """Return theta times the node's share plus 1 - theta times the parent's estimate.

    Recursive shrinking, from the root down, with one parameter (Hastie & Pregibon 1990): 1 keeps
    the frequencies, 0 gives every node the root's.
    """
    check_number("theta", theta, 0)
    if theta > 1:
        raise ValueError(f"theta must lie in [0, 1], not {shown(theta)}")
    share = frequency(tree)
    return _top_down(
        tree, share[0], lambda level, above: theta * share[level] + (1 - theta) * above
    )


def hierarchical_shrinkage(tree: Tree, lam: float = 1.0) -> np.ndarray:
    """Return p_parent + (share - parent's share) / (1 + lam / N_parent), from the root down.

    A step down the path counts less, the fewer cases the parent has: 0 keeps the frequencies, a
    large lam gives every node the root's (Agarwal, Tan, Ronen, Singh & Yu 2022; their package uses
    1).
    """
    check_number("lam", lam, 0)
    share, n = frequency(tree), tree.counts.sum(axis=1, keepdims=True)
    parent = np.maximum(tree.parent, 0)  # the root's own is itself, whose step is 0
    step = (share - share[parent]) * (n / (n + lam))[parent]
    proba = _top_down(tree, share[0], lambda level, above: above + step[level])
    return proba.clip(0)  # rounding may leave less than nothing


def _top_down(tree, start, smooth):
    """Return estimates (T, C) by `smooth(nodes of a level, parents' estimates)`, root first."""
    proba = np.empty(tree.counts.shape)
    proba[:1] = smooth(slice(1), start)
    for level in tree.levels[1:]:
        proba[level] = smooth(level, proba[tree.parent[level]])
    return proba


class Frequency(Estimate):
    """The estimate "frequency"."""

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return frequency(tree)

    def formula(self, node: int, c: int) -> str:
        n = self.tree.counts[node]
        return f"{n[c]:g} / {n.sum():g}"


class Laplace(Estimate):
    """The estimate "laplace"."""

    classes: str = "all"

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return laplace(tree, self.classes)

    def formula(self, node: int, c: int) -> str:
        counts = self.tree.counts
        n, N = counts[node, c], counts[node].sum()
        if self.classes == "all":
            return f"({n:g} + 1) / ({N:g} + {counts.shape[1]})"
        if not self.tree.is_leaf[node]:
            return f"1 / {np.count_nonzero(counts[node])}"
        parent = counts[max(int(self.tree.parent[node]), 0)]
        return f"({n:g} + 1) / ({N:g} + {np.count_nonzero(parent)})"


class MEstimate(Estimate):
    """The estimate "m"."""

    m: float = 2.0

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return m_estimate(tree, self.m)

    def formula(self, node: int, c: int) -> str:
        counts, m = self.tree.counts, self.m
        prior = counts[0, c] / counts[0].sum()
        return f"({counts[node, c]:g} + {m:g} * {prior:.3f}) / ({counts[node].sum():g} + {m:g})"


class MBranch(Estimate):
    """The estimate "m-branch"."""

    m: float = 4.0

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return m_branch(tree, self.m)


class Curtailment(Estimate):
    """The estimate "curtailment"."""

    v: int = 20

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return curtailment(tree, self.v)


class Shrinking(Estimate):
    """The estimate "shrinking"."""

    theta: float = 0.5

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return shrinking(tree, self.theta)


class Prunings(Estimate):
    """The estimate "prunings": class shares, averaged over all prunings of the tree."""

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return tree_estimate(tree)


class HierarchicalShrinkage(Estimate):
    """The estimate "hierarchical-shrinkage"."""

    lam: float = 1.0

    def of_nodes(self, tree: Tree) -> np.ndarray:
        return hierarchical_shrinkage(tree, self.lam)
