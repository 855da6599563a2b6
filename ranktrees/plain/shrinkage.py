"""Shrinkage and WPE (Wang & Zhang 2006): the estimate of one node, and of all nodes of a path.

A local estimate is a function of a node's training cases D and of a case e. With a `label` e is a
training case of that class, which has been left out of D. Shrinkage mixes local estimates,

    P(c | e) = sum_i w_i P_i(c | e)        (Eq. 2)

over the nodes N_1, the root, to N_k, where the case stops; N_0 gives every class 1/|D_1|.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ranktrees.plain.tree import Array, Cases, Node, Vector, training_cases

Local = Callable[..., Array]  # (D, e) or (D, e, label), as below
Rows = list[list[int]]  # of the training cases D_1 ... D_k of a path's nodes


def smoothed(weight: Array) -> Array:
    """Return (w_c + 1/C)/(W + 1), where w_c is the weight of class c."""
    return (weight + 1 / len(weight)) / (weight.sum() + 1)


def class_share(D: Cases, e: Vector, label: int | None = None) -> Array:
    """Return (n_c + 1/C)/(|D| + 1): the same for all cases of a node (Eq. 1)."""
    return smoothed(np.bincount(D.y, minlength=D.C))


def wpe(D: Cases, e: Vector, label: int | None = None) -> Array:
    """Let each case vote for its class with weight sim + 1; a label is one more value (Eq. 6)."""
    weight = np.zeros(D.C)
    for x, c in zip(D.X, D.y, strict=True):
        similarity = sum(int(a == b and a >= 0) for a, b in zip(x, e, strict=True))  # Eq. 5
        weight[c] += similarity + (c == label) + 1
    return smoothed(weight)


def wpe_without_label(D: Cases, e: Vector, label: int | None = None) -> Array:
    """Compute WPE, comparing two training cases by their attributes alone as well."""
    return wpe(D, e)


def last_node(root: Node, train: Cases, X: Array, local: Local = wpe) -> Array:
    """Return the local estimate (m, C) of the node where each case stops."""
    rows = training_cases(root, train.X)
    return np.array([local(train.take(rows[root.leaf_of(e)]), e) for e in X])


def local_estimates(
    train: Cases, D: Rows, local: Local, e: Vector, label: int | None = None
) -> Array:
    """Return P_i(c | e), (k + 1, C), of N_0 ... N_k."""
    uniform = np.full(train.C, 1 / len(train.y))
    return np.array([uniform, *(local(train.take(rows), e, label) for rows in D)])


def diw(train: Cases, D: Rows, local: Local, leave_out: bool, iterations: int) -> Array:
    """Return the weights (k + 1, C) of N_0 ... N_k by Algorithm DIW, on N_k's training cases."""
    w = np.full((len(D) + 1, train.C), 1 / (len(D) + 1))  # Step 1
    for _ in range(iterations):
        beta = np.zeros(w.shape)
        for x in D[-1]:
            rest = [[i for i in rows if i != x or not leave_out] for rows in D]  # Step 2
            P = local_estimates(train, rest, local, train.X[x], train.y[x])  # Step 3
            beta += w * P / (w * P).sum(axis=0)  # Step 4, Eq. 3
        w = beta / beta.sum(axis=0)  # Steps 5 and 6, Eq. 4
    return w


def shrinkage(
    root: Node, train: Cases, X: Array, local: Local = class_share,
    leave_out: bool = True, normalise: bool = True, iterations: int = 1,
) -> Array:  # fmt: skip
    """Return P(c | e), (m, C), of codes X (m, A) by the paper's text; see `READINGS` for others."""
    rows, weights = training_cases(root, train.X), dict[Node, Array]()
    proba = np.zeros((len(X), train.C))
    for i, e in enumerate(X):
        path = root.path(e)
        D = [rows[node] for node in path]
        if path[-1] not in weights:
            weights[path[-1]] = diw(train, D, local, leave_out, iterations)
        P = local_estimates(train, D, local, e)
        proba[i] = (weights[path[-1]] * P).sum(axis=0)  # Eq. 2
    return proba / proba.sum(axis=1, keepdims=True) if normalise else proba


# What the package's estimates and readings are as arguments of `shrinkage`. The paper's text comes
# first; its tables leave no case out in Step 2 for S, and do not normalise for C.
READINGS: dict[tuple[str, str], dict[str, Any]] = {
    ("shrinkage", "as_written"): {"local": class_share},
    ("shrinkage", "as_published"): {"local": class_share, "leave_out": False},
    ("shrinkage", "consistent"): {"local": class_share},
    ("shrinkage+wpe", "as_written"): {"local": wpe},
    ("shrinkage+wpe", "as_published"): {"local": wpe, "normalise": False},
    ("shrinkage+wpe", "consistent"): {"local": wpe_without_label},
}

if __name__ == "__main__":
    train = Cases(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 0]), [2, 2], 2)
    leaves: list[Node | None] = [Node(np.array([2, 0])), Node(np.array([1, 1]))]
    root = Node(np.array([3, 1]), attribute=0, branches=leaves)
    print("WPE", last_node(root, train, train.X[2:3])[0].round(3))
    print("shrinkage", shrinkage(root, train, train.X[2:3])[0].round(3))
    print("both", shrinkage(root, train, train.X[2:3], local=wpe)[0].round(3))
    # WPE [0.417 0.583]
    # shrinkage [0.595 0.405]
    # both [0.533 0.467]
