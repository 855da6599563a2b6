"""Ling and Yan's estimate: every leaf votes."""

import numpy as np

from ranktrees.arguments import check_number, choose
from ranktrees.estimate import ESTIMATES
from ranktrees.tree import Tree, outcome_of

BLOCK_CELLS = 1 << 20  # cases times nodes that are weighed at once


def ling_yan(tree: Tree, X_train, y_train, X, s: float = 0.4, leaf: str = "laplace") -> np.ndarray:
    """All leaves vote, each with weight s to the number of tests in which the case differs.

    Ling & Yan (2003): a case need not follow its own branch; for every test on a leaf's path that
    would send it elsewhere, the leaf counts s times less. `leaf` names the leaves' own estimate; an
    empty branch votes as a leaf with its parent's estimate. The training data is not looked at.
    """
    check_number("s", s, 0)
    if s > 1:
        raise ValueError(f"s must lie in [0, 1], not {s!r}")
    choose("leaf", leaf, ESTIMATES)
    proba, votes = ESTIMATES[leaf](tree), np.empty((len(X), tree.counts.shape[1]))
    step = max(1, BLOCK_CELLS // len(tree))
    for start in range(0, len(X), step):
        block = slice(start, start + step)
        votes[block] = _votes(tree, np.asarray(X[block]), s, proba)
    total = votes.sum(axis=1, keepdims=True)
    if (none := total[:, 0] == 0).any():  # s = 0 and a value that was never seen: it stops there
        votes[none], total[none] = proba[tree.apply(X[none])], 1
    return votes / total


def _votes(tree, X, s, proba):
    """Sum over all leaves, empty branches too, of weight times estimate (m, C)."""
    weight, vote = np.ones((len(X), len(tree))), np.zeros(len(tree))
    result = np.zeros((len(X), proba.shape[1]))
    for node in tree.nodes():
        if node.is_leaf:
            vote[node.id] = 1
            continue
        start, stop = tree.offset[node.id : node.id + 2]
        to, code = tree.child[start:stop], X[:, tree.attribute[node.id]]
        outcome = np.where(code < 0, -1, outcome_of(code, tree.cut[node.id]))
        branch = np.where(outcome < 0, -2, to[np.maximum(outcome, 0)])
        here = weight[:, node.id]
        below = np.unique(to[to >= 0])
        weight[:, below] = here[:, None] * np.where(branch[:, None] == below, 1, s)
        if (n_empty := int((to < 0).sum())) > 0:
            empty = here * np.where(branch == -1, 1 + (n_empty - 1) * s, n_empty * s)
            result += empty[:, None] * proba[node.id]
    return result + (weight * vote) @ proba
