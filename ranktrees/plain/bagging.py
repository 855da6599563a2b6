"""Bagging: the mean of models that learn from bootstrap samples (Breiman 1996)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ranktrees.plain.evaluate import Fit
from ranktrees.plain.growing import id3
from ranktrees.plain.tree import Array, predict


def bagging(fit: Fit, X: Array, y: Array, cases: Array, n_models: int = 10, seed: int = 1) -> Array:
    """Return P(c | x) (m, C) of cases (m, A): the mean over samples' models `fit(X, y)(cases)`."""
    samples = bootstrap_samples(y, n_models, np.random.default_rng(seed))
    return np.mean([fit(X[rows], y[rows])(cases) for rows in samples], axis=0)


def bootstrap_samples(y: Array, n_models: int, random: np.random.Generator) -> list[Array]:
    """Draw rows (n,) with replacement from n cases, for each model.

    Breiman keeps every sample; here one that has a single class is drawn again, since a classifier
    needs two.
    """
    samples: list[Array] = []
    while len(samples) < n_models:
        rows = random.integers(0, len(y), len(y))
        if len(set(y[rows])) > 1:
            samples.append(rows)
    return samples


if __name__ == "__main__":

    def fit_id3(X: Array, y: Array) -> Callable[[Array], Array]:
        return partial(predict, id3(X, y, [3], 2))

    X, y = np.array([[0], [0], [1], [1], [2], [2]]), np.array([0, 0, 0, 1, 1, 1])
    print("one tree", fit_id3(X, y)(X[::2]).tolist())
    print("a bag of ten", bagging(fit_id3, X, y, X[::2]).round(2).tolist())
    # one tree [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    # a bag of ten [[1.0, 0.0], [0.53, 0.47], [0.0, 1.0]]
