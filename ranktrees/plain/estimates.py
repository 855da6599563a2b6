"""What a tree says of a case: class probabilities (C,), from the nodes of the case's path.

A path is `root.path(case)`: the nodes from the root to where the case stops. n_c are the cases of
class c at a node, N all of them. The tree stays as it is.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ranktrees.plain.criteria import entropy
from ranktrees.plain.tree import Node

Path = list[Node]


def frequency(path: Path) -> np.ndarray:
    """n_c / N: the shares where the case stops."""
    return path[-1].distribution


def laplace(path: Path) -> np.ndarray:
    """(n_c + 1)/(N + C): one imagined case of each class (Provost & Domingos 2003)."""
    n = path[-1].counts
    return (n + 1) / (n.sum() + len(n))


def laplace_of_parent(path: Path) -> np.ndarray:
    """(n_c + 1)/(N + K), where K classes occur in the parent; 1/K in an empty branch.

    Weka before 2007, and the tables of Wang & Zhang (2006). It need not sum to 1.
    """
    parent, last = path[-2:] if len(path) > 1 else (path[-1], path[-1])
    if last.is_leaf:
        return (last.counts + 1) / (last.counts.sum() + np.count_nonzero(parent.counts))
    return np.full(len(last.counts), 1 / np.count_nonzero(last.counts))


def m_estimate(path: Path, m: float = 2.0) -> np.ndarray:
    """(n_c + m p_c)/(N + m), with the shares p_c of the root (Cestnik 1990)."""
    n = path[-1].counts
    return (n + m * path[0].distribution) / (n.sum() + m)


def m_branch(path: Path, m: float = 4.0) -> np.ndarray:
    """(n_c + m_t p_c)/(N + m_t), with the estimate p of the parent (Ferri, Flach & Hernandez 2003).

    m_t = m (1 + (1 - 1/h) sqrt(N of the root)) at height h: the higher, the smoother.
    """
    *above, node = path
    n = node.counts
    p = m_branch(above, m) if above else np.full(len(n), 1 / len(n))
    m_t = m * (1 + (1 - 1 / node.height()) * np.sqrt(path[0].counts.sum()))
    return (n + m_t * p) / (n.sum() + m_t)


def curtailment(path: Path, v: int = 20) -> np.ndarray:
    """The shares of the last node that has at least v cases (Zadrozny & Elkan 2001)."""
    *above, node = path
    return node.distribution if node.counts.sum() >= v or not above else curtailment(above, v)


def shrinking(path: Path, theta: float = 0.5) -> np.ndarray:
    """theta times the node's shares, 1 - theta the parent's estimate (Hastie & Pregibon 1990)."""
    *above, node = path
    p = shrinking(above, theta) if above else node.distribution
    return theta * node.distribution + (1 - theta) * p


def hierarchical_shrinkage(path: Path, lam: float = 1.0) -> np.ndarray:
    """p of the parent + (shares - parent's shares)/(1 + lam / N of the parent) (Agarwal 2022)."""
    *above, node = path
    if not above:
        return node.distribution
    parent = above[-1]
    step = (node.distribution - parent.distribution) / (1 + lam / parent.counts.sum())
    return np.maximum(hierarchical_shrinkage(above, lam) + step, 0)  # rounding may leave less


def ling_yan(
    root: Node, case: Sequence, s: float = 0.4, estimate: Callable = laplace
) -> np.ndarray:
    """All leaves vote, each with weight s ** (tests on its path in which the case differs).

    Ling & Yan (2003): an empty branch votes as a leaf with its parent's estimate.
    """
    votes = leaf_votes([root], case, s, estimate)
    return votes / votes.sum()


def leaf_votes(path: Path, case: Sequence, s: float, estimate: Callable) -> np.ndarray:
    """The sum (C,) of the votes of all leaves below the end of a path."""
    node = path[-1]
    if node.is_leaf:
        return estimate(path)
    votes = np.zeros(len(node.counts))
    for outcome, branch in enumerate(node.branches):
        empty = branch is None
        vote = estimate(path) if empty else leaf_votes([*path, branch], case, s, estimate)
        votes += vote if outcome == node.outcome(case) else s * vote
    return votes


def importances(root: Node, A: int, impurity: Callable = entropy) -> np.ndarray:
    """The share (A,) of each attribute in all that the tests gain (Breiman et al. 1984)."""
    gain = np.zeros(A)
    for node in root.nodes():
        if not node.is_leaf:
            below = sum(child.counts.sum() * impurity(child.counts) for child in node.children)
            gain[node.attribute] += max(node.counts.sum() * impurity(node.counts) - below, 0)
    return gain / (gain.sum() or 1)
