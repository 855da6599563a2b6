"""How CITree and NBTree compare tests: naive Bayes at possible leaves, in cross-validation.

The paper's details are those of Su & Zhang (2004), section 3.
"""

from typing import NamedTuple

import numpy as np

from ranktrees.plain.bayes import learn, posterior
from ranktrees.plain.evaluate import hand_till, stratified_order
from ranktrees.plain.tree import Array, Sizes

DECIMALS = 9  # logarithms that agree so far are equal
Leaf = tuple[Array, list[int]]  # the rows of a possible leaf, and the attributes on its path


def auc(proba: Array, y: Array) -> float:
    """Return the area under the ROC curve of P(c), (m, C); of several classes Hand & Till's M."""
    log_p = np.log(proba)
    if proba.shape[1] == 2:
        log_p = log_p - log_p[:, ::-1]  # the log odds
    return hand_till(y, log_p.round(DECIMALS))


def accuracy(proba: Array, y: Array) -> float:
    """Return the share of cases whose most probable class, the first of several, is right."""
    return float((np.log(proba).round(DECIMALS).argmax(axis=1) == y).mean())


def log_likelihood(proba: Array, y: Array) -> float:
    """Return the mean logarithm of the probability of a case's class."""
    return float(np.log(proba[np.arange(len(y)), y]).mean())


SCORINGS = {"auc": auc, "accuracy": accuracy, "log_loss": log_likelihood}


class Search(NamedTuple):
    """Training cases, and how tests are compared.

    The paper deals the cases of each leaf into folds of their own, `folds="leaf"`; by default,
    `folds="global"`, a case keeps its fold in every node.
    """

    X: Array
    y: Array
    sizes: Sizes
    C: int
    choosing: Array  # `stratified_order` of the cases, from which they are dealt to folds: once
    pruning: Array  # for the choice of tests, and once for pruning
    scoring: str = "auc"
    inner_folds: int = 5
    folds: str = "global"
    min_cases: int = 5


def search(X: Array, y: Array, sizes: Sizes, C: int, seed: int = 1) -> Search:
    """Return a search, which shuffles the cases twice."""
    random = np.random.default_rng(seed)
    return Search(X, y, sizes, C, stratified_order(y, random), stratified_order(y, random))


def branches(s: Search, rows: Array, path: list[int], a: int) -> list[Leaf]:
    """Return a leaf for each value of attribute a that occurs."""
    codes = s.X[rows, a]
    return [(rows[codes == v], [*path, a]) for v in np.unique(codes)]


def pooled_score(s: Search, leaves: list[Leaf], order: Array) -> float:
    """Score the pooled cases of all leaves, in folds dealt by `order` (section 3, 1.)."""
    proba = np.concatenate([cross_validated(s, rows, path, order) for rows, path in leaves])
    return SCORINGS[s.scoring](proba, s.y[np.concatenate([rows for rows, _ in leaves])])


def cross_validated(s: Search, rows: Array, path: list[int], order: Array) -> Array:
    """Return P(c | case), (m, C), by naive Bayes without the path from the leaf's other folds."""
    if len(rows) < s.min_cases:  # the random probability of section 3, 2.
        return np.full((len(rows), s.C), 1 / s.C)
    fold, free = deal(s, rows, order), [a for a in range(len(s.sizes)) if a not in path]
    X, y, sizes = s.X[rows][:, free], s.y[rows], [s.sizes[a] for a in free]
    models = [learn(X[fold != f], y[fold != f], sizes, s.C) for f in range(s.inner_folds)]
    return np.array([posterior(models[int(f)], x) for f, x in zip(fold, X, strict=True)])


def deal(s: Search, rows: Array, order: Array) -> Array:
    """Deal a leaf's cases, or all cases, in turn; return the fold (m,) of each of the leaf's."""
    if s.folds == "global":
        return order[rows] % s.inner_folds
    fold = np.zeros(len(rows), int)
    fold[np.argsort(order[rows])] = np.arange(len(rows)) % s.inner_folds
    return fold


if __name__ == "__main__":
    first, second = np.array([0, 0, 1, 1] * 5), np.array([0, 1] * 10)
    s = search(np.stack([first, second], axis=1), first ^ second, [2, 2], C=2)
    every = np.arange(20)
    print(pooled_score(s, [(every, [])], s.choosing), "as one leaf")
    print(pooled_score(s, branches(s, every, [], 0), s.choosing), "below a test of the first")
    # 0.1 as one leaf
    # 1.0 below a test of the first
