"""How good is a set of would-be leaves: naive Bayes in each, cross-validated, and all pooled.

The first part of CITree and NBTree (Su & Zhang 2004; Kohavi 1996); the second is `citree.py`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ranktrees.plain import measures
from ranktrees.plain.naive_bayes import learn, posterior

DECIMALS = 9  # logarithms that agree so far are equal

Leaf = tuple[np.ndarray, list[int]]  # the rows of a would-be leaf, and the attributes of its path


def auc(proba: np.ndarray, y: np.ndarray) -> float:
    """Area under the ROC curve of P(c), (m, C); of more classes Hand and Till's M."""
    log_p = np.log(proba)
    if proba.shape[1] > 2:
        return measures.hand_till(y, log_p.round(DECIMALS))
    log_odds = (log_p[:, 1] - log_p[:, 0]).round(DECIMALS)
    return measures.auc(log_odds[y == 1], log_odds[y == 0])


def accuracy(proba: np.ndarray, y: np.ndarray) -> float:
    """The share of cases whose most probable class, the first of equals, is right."""
    return float(np.mean(np.log(proba).round(DECIMALS).argmax(axis=1) == y))


def log_likelihood(proba: np.ndarray, y: np.ndarray) -> float:
    """The mean logarithm of the probability of a case's class."""
    return float(np.mean(np.log(proba[np.arange(len(y)), y])))


class Search(NamedTuple):
    """Training cases, and how candidates are judged.

    `place` (2, n): the place of each case in two shuffles, class after class: the folds that choose
    and those that prune. A would-be leaf deals its cases `anew`, or each keeps the fold it had.
    """

    X: np.ndarray
    y: np.ndarray
    sizes: np.ndarray
    C: int
    place: np.ndarray
    k: int = 5
    anew: bool = True
    score: Callable = auc
    min_cases: int = 5


def deal(s: Search, rows: np.ndarray, t: int) -> np.ndarray:
    """The fold (m,) of each case of a would-be leaf: t = 0 chooses, t = 1 prunes."""
    place = s.place[t][rows]
    return (place.argsort().argsort() if s.anew else place) % s.k


def cross_validated(s: Search, rows: np.ndarray, path: list[int], t: int) -> np.ndarray:
    """P(c | case), (m, C), of each case of a would-be leaf by the leaf's cases in other folds.

    It is naive Bayes over the attributes that are not on the path. Fewer than five cases give no
    ranking, but 1/C to each class.
    """
    if len(rows) < s.min_cases:
        return np.full((len(rows), s.C), 1 / s.C)
    fold = deal(s, rows, t)
    off = [a for a in range(len(s.sizes)) if a not in path]
    X, y, sizes = s.X[rows][:, off], s.y[rows], s.sizes[off]
    models = [learn(X[fold != f], y[fold != f], sizes, s.C) for f in range(s.k)]
    return np.array([posterior(models[f], x) for f, x in zip(fold, X, strict=True)])


def score(s: Search, leaves: list[Leaf], t: int) -> float:
    """What would-be leaves are worth: the score of all their cases together."""
    proba = [cross_validated(s, rows, path, t) for rows, path in leaves]
    return s.score(np.concatenate(proba), s.y[np.concatenate([rows for rows, _ in leaves])])
