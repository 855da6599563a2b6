"""What one node says of a case: the local estimates of Wang & Zhang (2006).

A local estimate is a function of a node's training cases D and of a case e. With a `label` e is a
training case of that class, which has been left out of D.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ranktrees.plain.naive_bayes import learn, posterior
from ranktrees.plain.tree import Node


class Cases(NamedTuple):
    """Training cases: codes X (n, A) below sizes (A,), classes y (n,) below C."""

    X: np.ndarray
    y: np.ndarray
    sizes: Sequence[int]
    C: int

    def take(self, rows: list[int]) -> "Cases":
        """Some of the cases."""
        return self._replace(X=self.X[rows], y=self.y[rows])


def class_share(D: Cases, e: Sequence, label: int | None = None) -> np.ndarray:
    """(n_c + 1/C)/(|D| + 1): the same for all cases of a node (Eq. 1)."""
    return smoothed(np.bincount(D.y, minlength=D.C))


def smoothed(weight: np.ndarray) -> np.ndarray:
    """(w_c + 1/C)/(W + 1), of what each class weighs."""
    return (weight + 1 / len(weight)) / (weight.sum() + 1)


def similarity(x: Sequence, e: Sequence) -> int:
    """The number of attributes in which two cases agree (Eq. 5)."""
    return sum(int(a == b and a >= 0) for a, b in zip(x, e, strict=True))


def wpe(D: Cases, e: Sequence, label: int | None = None) -> np.ndarray:
    """Each case votes for its class, with sim + 1 (Eq. 6).

    Two training cases are compared by "all of the attribute values and the class labels".
    """
    weight = np.zeros(D.C)
    for x, c in zip(D.X, D.y, strict=True):
        weight[c] += similarity(x, e) + (c == label) + 1
    return smoothed(weight)


def naive_bayes(D: Cases, e: Sequence, label: int | None = None) -> np.ndarray:
    """P(c | e) of a naive Bayes that learnt from D (section 7, as future work)."""
    return posterior(learn(*D), e)


def training_cases(root: Node, X: np.ndarray) -> dict[Node, list[int]]:
    """The rows of the training cases X (n, A) that come to each node."""
    rows: dict[Node, list[int]] = {node: [] for node in root.nodes()}
    for i, x in enumerate(X):
        for node in root.path(x):
            rows[node].append(i)
    return rows


def at_end(
    root: Node, train: Cases, X: np.ndarray, local: Callable = wpe, known: Callable | None = None
) -> np.ndarray:
    """The local estimate (m, C) where cases stop; of a case e, `known(path, e)` is looked at."""
    rows, proba = training_cases(root, train.X), []
    for e in X:
        path = root.path(e)
        values = known(path, e) if known else e
        proba.append(local(train.take(rows[path[-1]]), values))
    return np.array(proba)


def leaf_naive_bayes(root: Node, train: Cases, X: np.ndarray) -> np.ndarray:
    """Naive Bayes where cases stop, of what their paths leave open (Kohavi 1996)."""
    return at_end(root, train, X, naive_bayes, without_path)


def without_path(path: list[Node], e: Sequence) -> list[int]:
    """The case e with -1 for what the path settles, by tests that do not join its values."""
    settled = set()
    for node in path[:-1]:
        joined = node.groups is not None and list(node.groups).count(node.outcome(e)) > 1
        if node.threshold is None and not joined:
            settled.add(node.attribute)
    return [-1 if a in settled else value for a, value in enumerate(e)]
