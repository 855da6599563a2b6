"""The quality of a ranking: AUC, ROC curve, Hand and Till's M; folds, cross-validation."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from ranktrees.plain.tree import Array, Vector

Fit = Callable[[Array, Array], Callable[[Array], Array]]  # of cases and classes: a model


def auc(positive: Vector, negative: Vector) -> float:
    """Return how often a positive case scores higher than a negative one; a tie counts half."""
    right = sum((p > q) + (p == q) / 2 for p in positive for q in negative)
    return right / (len(positive) * len(negative))


def roc(positive: Vector, negative: Vector) -> list[tuple[float, float]]:
    """Return false and true positive rates: a corner for each score as the lowest positive one."""
    corners = [(0.0, 0.0)]
    for least in sorted({*positive, *negative}, reverse=True):
        false, true = (sum(s >= least for s in part) for part in (negative, positive))
        corners.append((false / len(negative), true / len(positive)))
    return corners


def hand_till(y: Array, proba: Array) -> float:
    """Average (A(i|j) + A(j|i)) / 2 over pairs of classes that occur (Hand & Till 2001)."""

    def A(i: int, j: int) -> float:  # ranks the cases of two classes by P(c_i)
        return auc(proba[y == i, i], proba[y == j, i])

    pairs = list(combinations(np.unique(y), 2))
    return sum((A(i, j) + A(j, i)) / 2 for i, j in pairs) / len(pairs)


def stratified_order(y: Array, random: np.random.Generator) -> Array:
    """Return the position (n,) of each case, sorted by class and shuffled within a class."""
    shuffled = random.permutation(len(y))
    position = np.zeros(len(y), int)
    position[sorted(shuffled, key=lambda case: y[case])] = np.arange(len(y))
    return position


def stratified_folds(y: Array, k: int = 10, seed: int = 1) -> Array:
    """Return the fold (n,) of each case: in a stratified order the cases are dealt in turn."""
    return stratified_order(y, np.random.default_rng(seed)) % k


def cross_validate(fit: Fit, X: Array, y: Array, fold: Array, C: int) -> Array:
    """Return P(c | x) (n, C) of each case by the model `fit(X, y)(cases)` of the other folds."""
    proba = np.zeros((len(y), C))
    for f in range(fold.max() + 1):
        test = fold == f
        proba[test] = fit(X[~test], y[~test])(X[test])
    return proba


if __name__ == "__main__":
    print("AUC", auc([0.9, 0.6, 0.4], [0.5, 0.4]))
    print("ROC", *roc([2, 1], [1, 0]))
    print("folds", stratified_folds(np.array([0, 0, 0, 0, 1, 1]), k=2))
    # AUC 0.75
    # ROC (0.0, 0.0) (0.0, 0.5) (0.5, 1.0) (1.0, 1.0)
    # folds [0 0 1 1 0 1]
