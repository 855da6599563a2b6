"""Bagging with the samples that Weka drew, so that published cells can be reproduced."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ranktrees_engine.basics.kinds import Array, ArrayLike, Input
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.evaluate.fitting import fit_each, line_up
from ranktrees_engine.evaluate.folds import JavaRandom
from ranktrees_engine.models import Bagging
from ranktrees_engine.models.bagging import Bag
from ranktrees_files.storage import FIELDS
from ranktrees_files.stored_checks import CHECKS


class WekaBagging(Bag):
    """Bagging on the bootstrap samples of Weka 3.4, with predictions added as in Weka.

    Every training set is sampled with the same seed, in the order in which it is given (see
    `rt.evaluate.weka_splits`). The models' predictions need not sum to 1 (C4.4 by "wang2006" rules)
    and are added as they are; the sum is normalised.
    """

    def fit(self, X: Input, y: ArrayLike) -> "WekaBagging":
        """Fit `n_models` models to samples of cases X (n, A), classes y (n,), in their order."""
        (fitted,) = self.fit_folds(X, y, [np.arange(len(y))])
        vars(self).update(vars(fitted))
        return self

    def fit_folds(self, X: Input, y: ArrayLike, training: Sequence[Array]) -> list["WekaBagging"]:
        """Fit a copy for each array of training rows; all models of all copies grow together."""
        self._check_parameters()
        samples = [weka_samples(rows, self.n_models, self.seed) for rows in training]
        with WarnOnce():
            models = fit_each(self._single(), X, y, [rows for some in samples for rows in some])
        parts = [models[i : i + self.n_models] for i in range(0, len(models), self.n_models)]
        return [self._copy(models_=part, classes_=part[0].classes_) for part in parts]

    def predict_proba(self, X: Input) -> np.ndarray:
        """Return the sum (n, C) of what the models predict, normalised."""
        classes = pd.Index(self.classes_)
        total = sum(line_up(m, m.predict_proba(X), classes) for m in self.models_)
        return total / total.sum(axis=1, keepdims=True)


FIELDS[WekaBagging], CHECKS[WekaBagging] = FIELDS[Bagging], CHECKS[Bagging]


def weka_samples(rows: np.ndarray, n_samples: int, seed: int) -> list[np.ndarray]:
    """Draw samples of rows (n,), with replacement, by Java's `Random(seed)` (resampleWithWeights).

    n sorted numbers between 0 and n, distributed like n sorted uniform ones, fall on the rows' unit
    intervals.
    """
    random, n = JavaRandom(seed), len(rows)
    samples = []
    for _ in range(n_samples):
        ends = np.cumsum(random.doubles(n))
        ends /= ends[-1] / n
        ends[-1] = n
        samples.append(rows[np.arange(1, n + 1).searchsorted(ends)])
    return samples
