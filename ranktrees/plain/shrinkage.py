"""Shrinkage (Wang & Zhang 2006, sections 3 to 5): all nodes of a case's path have their say.

    P(c | e) = sum_i w_i P_i(c | e)        (Eq. 2)

over the nodes N_1, the root, to N_k, where the case stops, and N_0 above them, which gives every
class 1/|D_1|. Algorithm DIW finds weights for each class from the training cases of N_k.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ranktrees.plain.estimates import training_cases
from ranktrees.plain.tree import Node
from ranktrees.plain.wpe import class_share, wpe

Training = tuple[np.ndarray, np.ndarray, Sequence, int]  # X (n, A), y (n,), sizes (A,), C


def local_estimates(
    train: Training, D: list[list[int]], local: Callable, e: Sequence, label: int | None = None
) -> np.ndarray:
    """P_i(c | e), (k + 1, C), of N_0 and of nodes with the training cases D_1 ... D_k."""
    X, y, sizes, C = train
    uniform = np.full(C, 1 / len(y))
    return np.array([uniform, *(local(X[rows], y[rows], sizes, C, e, label) for rows in D)])


def diw(
    train: Training, D: list[list[int]], local: Callable, leave_out: bool, iterations: int
) -> np.ndarray:
    """Algorithm DIW: the weights (k + 1, C) of N_0 ... N_k, by the training cases of N_k."""
    X, y, _, C = train
    w = np.full((len(D) + 1, C), 1 / (len(D) + 1))  # Step 1
    for _ in range(iterations):
        beta = np.zeros(w.shape)
        for x in D[-1]:
            rest = [[i for i in rows if i != x or not leave_out] for rows in D]  # Step 2
            P = local_estimates(train, rest, local, X[x], y[x])  # Step 3
            beta += w * P / (w * P).sum(axis=0)  # Step 4, Eq. 3
        w = beta / beta.sum(axis=0)  # Steps 5 and 6, Eq. 4
    return w


def shrinkage(
    root: Node,
    train: Training,
    X: np.ndarray,
    local: Callable = class_share,
    published: bool = False,
    iterations: int = 1,
) -> np.ndarray:
    """P(c | e), (m, C), of codes X (m, A), as the paper is written.

    As `published` in its tables, Step 2 leaves nothing out for class shares, and with WPE the
    result is not normalised. No iteration at all gives all nodes of a path the same weight.
    """
    cases, weights, rows = training_cases(root, train[0]), {}, []
    leave_out = not (published and local is class_share)
    for e in X:
        path = root.path(e)
        D = [cases[node] for node in path]
        if path[-1] not in weights:
            weights[path[-1]] = diw(train, D, local, leave_out, iterations)
        P = local_estimates(train, D, local, e)
        rows.append((weights[path[-1]] * P).sum(axis=0))  # Eq. 2
    proba = np.array(rows)
    return proba if published and local is wpe else proba / proba.sum(axis=1, keepdims=True)
