"""What a finished tree says: class probabilities at each node, computed from its counts.

An estimate never changes the tree. Contract: `estimate(tree, **params) -> (T, C)`, rows sum to 1.
"""

from collections.abc import Callable

import numpy as np

from ranktrees.tree import Tree


def frequency(tree: Tree) -> np.ndarray:
    """n_c / N: the share of each class among the node's training cases."""
    return tree.counts / tree.counts.sum(axis=1, keepdims=True)


def laplace(tree: Tree) -> np.ndarray:
    """(n_c + 1) / (N + C): one imagined case of each class (Provost & Domingos 2003).

    >>> import numpy as np
    >>> from ranktrees.tree import single_leaf
    >>> laplace(single_leaf(np.array([3, 0]))).tolist()
    [[0.8, 0.2]]
    """
    counts = tree.counts
    return (counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])


def m_estimate(tree: Tree, m: float = 2.0) -> np.ndarray:
    """(n_c + m p_c) / (N + m), with p the class shares at the root (Cestnik 1990)."""
    if not m >= 0:
        raise ValueError(f"the m-estimate needs m >= 0, but m is {m}")
    counts, prior = tree.counts, tree.counts[0] / tree.counts[0].sum()
    return (counts + m * prior) / (counts.sum(axis=1, keepdims=True) + m)


ESTIMATES: dict[str, Callable] = {"frequency": frequency, "laplace": laplace, "m": m_estimate}
