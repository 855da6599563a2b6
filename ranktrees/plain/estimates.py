"""A tree's estimate for a case: class probabilities (C,), from the nodes of `root.path(case)`.

n_c is the number of cases of class c at a node, N that of all its cases.
"""

from collections.abc import Callable

import numpy as np

from ranktrees.plain.tree import Array, Node, Vector

Path = list[Node]
Estimate = Callable[[Path], Array]


def frequency(path: Path) -> Array:
    """Return n_c / N: the shares of the node where the case stops."""
    return path[-1].distribution


def laplace(path: Path) -> Array:
    """Return (n_c + 1)/(N + C): one imagined case of each class (Provost & Domingos 2003)."""
    n = path[-1].counts
    return (n + 1) / (n.sum() + len(n))


def m_estimate(path: Path, m: float = 2.0) -> Array:
    """Return (n_c + m p_c)/(N + m), with the shares p_c of the root (Cestnik 1990)."""
    n = path[-1].counts
    return (n + m * path[0].distribution) / (n.sum() + m)


def m_branch(path: Path, m: float = 4.0) -> Array:
    """Return (n_c + m_t p_c)/(N + m_t), p the parent's estimate (Ferri, Flach & Hernandez 2003).

    m_t = m (1 + (1 - 1/h) sqrt(N of the root)) at height h: the higher, the smoother.
    """
    *above, node = path
    n = node.counts
    p = m_branch(above, m) if above else np.full(len(n), 1 / len(n))
    m_t = m * (1 + (1 - 1 / node.height()) * np.sqrt(path[0].counts.sum()))
    return (n + m_t * p) / (n.sum() + m_t)


def curtailment(path: Path, v: int = 20) -> Array:
    """Return the shares of the last node that has at least v cases (Zadrozny & Elkan 2001)."""
    *above, node = path
    return node.distribution if node.counts.sum() >= v or not above else curtailment(above, v)


def shrinking(path: Path, theta: float = 0.5) -> Array:
    """Return theta * the node's shares + (1 - theta) * the parent's p (Hastie & Pregibon 1990)."""
    *above, node = path
    p = shrinking(above, theta) if above else node.distribution
    return theta * node.distribution + (1 - theta) * p


def hierarchical_shrinkage(path: Path, lam: float = 1.0) -> Array:
    """Return parent's p + (shares - parent's shares)/(1 + lam / N of the parent) (Agarwal 2022)."""
    *above, node = path
    if not above:
        return node.distribution
    parent = above[-1]
    step = (node.distribution - parent.distribution) / (1 + lam / parent.counts.sum())
    return np.maximum(hierarchical_shrinkage(above, lam) + step, 0)  # rounding may leave less


def ling_yan(root: Node, case: Vector, s: float = 0.4, leaf: Estimate = laplace) -> Array:
    """Average all leaves' estimates, each with weight s ** (tests where the case differs).

    An empty branch votes as a leaf with its parent's estimate (Ling & Yan 2003).
    """
    votes = leaf_votes([root], case, s, leaf)
    return votes / votes.sum()


def leaf_votes(path: Path, case: Vector, s: float, leaf: Estimate) -> Array:
    """Return the weighted sum (C,) of the estimates of all leaves below the end of a path."""
    node = path[-1]
    if node.is_leaf:
        return leaf(path)
    votes = np.zeros(len(node.counts))
    for outcome, branch in enumerate(node.branches):
        vote = leaf(path) if branch is None else leaf_votes([*path, branch], case, s, leaf)
        votes += vote if outcome == node.outcome(case) else s * vote
    return votes


if __name__ == "__main__":
    left, right = Node(np.array([4, 0])), Node(np.array([1, 3]))
    root = Node(np.array([5, 3]), attribute=0, branches=[left, right])
    for estimate in frequency, laplace, m_branch, shrinking:
        print(estimate.__name__, estimate(root.path([0])).round(3))
    print("ling_yan", ling_yan(root, [0]).round(3))
    # frequency [1. 0.]
    # laplace [0.833 0.167]
    # m_branch [0.778 0.222]
    # shrinking [0.812 0.188]
    # ling_yan [0.69 0.31]
