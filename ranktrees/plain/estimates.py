"""What a tree says of a case: class probabilities (C,), from the nodes of `root.path(case)`.

n_c are the cases of class c at a node, N all of them.
"""

import numpy as np

from ranktrees.plain.tree import Array, Node

Path = list[Node]


def frequency(path: Path) -> Array:
    """n_c / N: the shares where the case stops."""
    return path[-1].distribution


def laplace(path: Path) -> Array:
    """(n_c + 1)/(N + C): one imagined case of each class (Provost & Domingos 2003)."""
    n = path[-1].counts
    return (n + 1) / (n.sum() + len(n))


def m_estimate(path: Path, m: float = 2.0) -> Array:
    """(n_c + m p_c)/(N + m), with the shares p_c of the root (Cestnik 1990)."""
    n = path[-1].counts
    return (n + m * path[0].distribution) / (n.sum() + m)


def m_branch(path: Path, m: float = 4.0) -> Array:
    """(n_c + m_t p_c)/(N + m_t), with the estimate p of the parent (Ferri, Flach & Hernandez 2003).

    m_t = m (1 + (1 - 1/h) sqrt(N of the root)) at height h: the higher, the smoother.
    """
    *above, node = path
    n = node.counts
    p = m_branch(above, m) if above else np.full(len(n), 1 / len(n))
    m_t = m * (1 + (1 - 1 / node.height()) * np.sqrt(path[0].counts.sum()))
    return (n + m_t * p) / (n.sum() + m_t)


def curtailment(path: Path, v: int = 20) -> Array:
    """The shares of the last node that has at least v cases (Zadrozny & Elkan 2001)."""
    *above, node = path
    return node.distribution if node.counts.sum() >= v or not above else curtailment(above, v)


def shrinking(path: Path, theta: float = 0.5) -> Array:
    """theta times the node's shares, 1 - theta the parent's estimate (Hastie & Pregibon 1990)."""
    *above, node = path
    p = shrinking(above, theta) if above else node.distribution
    return theta * node.distribution + (1 - theta) * p


def hierarchical_shrinkage(path: Path, lam: float = 1.0) -> Array:
    """p of the parent + (shares - parent's shares)/(1 + lam / N of the parent) (Agarwal 2022)."""
    *above, node = path
    if not above:
        return node.distribution
    parent = above[-1]
    step = (node.distribution - parent.distribution) / (1 + lam / parent.counts.sum())
    return np.maximum(hierarchical_shrinkage(above, lam) + step, 0)  # rounding may leave less
