"""Shrinkage (Wang & Zhang 2006, sections 3 to 5): all nodes of a case's path have their say.

    P(c | e) = sum_i w_i P_i(c | e)        (Eq. 2)

over the nodes N_1, the root, to N_k, where the case stops, and N_0 above them, which gives every
class 1/|D_1|. Algorithm DIW finds weights for each class from the training cases of N_k.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ranktrees.plain.tree import Node
from ranktrees.plain.wpe import Cases, class_share, training_cases, wpe

Rows = list[list[int]]  # of the training cases D_1 ... D_k of a path's nodes


def local_estimates(
    train: Cases, D: Rows, local: Callable, e: Sequence, label: int | None = None
) -> np.ndarray:
    """P_i(c | e), (k + 1, C), of N_0 ... N_k."""
    uniform = np.full(train.C, 1 / len(train.y))
    return np.array([uniform, *(local(train.take(rows), e, label) for rows in D)])


def diw(train: Cases, D: Rows, local: Callable, leave_out: bool, iterations: int) -> np.ndarray:
    """Algorithm DIW: the weights (k + 1, C) of N_0 ... N_k, by the training cases of N_k."""
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
    root: Node,
    train: Cases,
    X: np.ndarray,
    local: Callable = class_share,
    published: bool = False,
    iterations: int = 1,
) -> np.ndarray:
    """P(c | e), (m, C), of codes X (m, A), as the paper is written.

    As `published` in its tables, Step 2 leaves nothing out for class shares, and with WPE the
    result is not normalised. No iteration at all gives all nodes of a path the same weight.
    """
    rows, weights, proba = training_cases(root, train.X), {}, []
    leave_out = not (published and local is class_share)
    for e in X:
        path = root.path(e)
        D = [rows[node] for node in path]
        if path[-1] not in weights:
            weights[path[-1]] = diw(train, D, local, leave_out, iterations)
        P = local_estimates(train, D, local, e)
        proba.append((weights[path[-1]] * P).sum(axis=0))  # Eq. 2
    proba = np.array(proba)
    return proba if published and local is wpe else proba / proba.sum(axis=1, keepdims=True)
