"""What one node says of a case: the local estimates of Wang & Zhang (2006).

A node's training cases D are codes X (n, A) with classes y (n,). With a `label` the case e is a
training case itself, of that class, which has been left out of D. All have the same arguments, so
that `shrinkage` takes any of them.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ranktrees.plain.estimates import training_cases
from ranktrees.plain.naive_bayes import learn, posterior
from ranktrees.plain.tree import Node


def smoothed(weight: np.ndarray) -> np.ndarray:
    """(w_c + 1/C)/(W + 1), of what each class weighs."""
    return (weight + 1 / len(weight)) / (weight.sum() + 1)


def class_share(
    X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, e: Sequence, label: int | None = None
) -> np.ndarray:
    """(n_c + 1/C)/(|D| + 1): the same for all cases of a node (Eq. 1)."""
    return smoothed(np.bincount(y, minlength=C))


def similarity(x: Sequence, e: Sequence) -> int:
    """The number of attributes in which two cases agree (Eq. 5)."""
    return sum(int(a == b and a >= 0) for a, b in zip(x, e, strict=True))


def wpe(
    X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, e: Sequence, label: int | None = None
) -> np.ndarray:
    """Weighted probability estimation: each case votes for its class with sim + 1 (Eq. 6).

    Two training cases are compared by "all of the attribute values and the class labels".
    """
    weight = np.zeros(C)
    for x, c in zip(X, y, strict=True):
        weight[c] += similarity(x, e) + (c == label) + 1
    return smoothed(weight)


def wpe_without_label(
    X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, e: Sequence, label: int | None = None
) -> np.ndarray:
    """WPE that compares training cases as it does a new one, by their attributes alone."""
    return wpe(X, y, sizes, C, e)


def naive_bayes(
    X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, e: Sequence, label: int | None = None
) -> np.ndarray:
    """P(c | e) of a naive Bayes that learnt from D, with Laplace (section 7, as future work)."""
    return posterior(learn(X, y, sizes, C), e)


def at_end(root: Node, train: tuple, X: np.ndarray, local: Callable = wpe) -> np.ndarray:
    """The local estimate (m, C) of the node where each of the codes X (m, A) stops."""
    X_train, y, sizes, C = train
    cases, rows = training_cases(root, X_train), []
    for e in X:
        D = cases[root.leaf_of(e)]
        rows.append(local(X_train[D], y[D], sizes, C, e))
    return np.array(rows)


def leaf_naive_bayes(root: Node, train: tuple, X: np.ndarray) -> np.ndarray:
    """Naive Bayes (m, C) where cases stop, over the attributes that the path leaves open.

    Kohavi (1996), Su & Zhang (2004): all cases at the end of a path have the same tested values.
    """
    X_train, y, sizes, C = train
    cases, rows = training_cases(root, X_train), []
    for e in X:
        path = root.path(e)
        D = cases[path[-1]]
        rows.append(naive_bayes(X_train[D], y[D], sizes, C, without_path(path, e)))
    return np.array(rows)


def without_path(path: list[Node], e: Sequence) -> list[int]:
    """The case e with -1 for what the path settles, by tests that do not join its values."""
    settled = set()
    for node in path[:-1]:
        joined = node.groups is not None and list(node.groups).count(node.outcome(e)) > 1
        if node.threshold is None and not joined:
            settled.add(node.attribute)
    return [-1 if a in settled else value for a, value in enumerate(e)]
