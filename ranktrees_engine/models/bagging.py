"""Bagging: the average of models fitted to bootstrap samples."""

from itertools import pairwise
from typing import Self

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_jobs, integer
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import (
    Case,
    Classes,
    ClassWeight,
    Explanation,
    Input,
    Weights,
)
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.basics.places import places
from ranktrees_engine.basics.processes import in_processes, n_processes
from ranktrees_engine.basics.warn import WarnOnce, warn
from ranktrees_engine.estimator.classifier import Classifier, fits_whole
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.evaluate.fitting import fit_each, line_up
from ranktrees_engine.explain.votes import explain_bag
from ranktrees_engine.models.around import Around
from ranktrees_engine.newton.measured import as_categories
from ranktrees_engine.reading.weights import read_weights

MOST_DRAWN = 10**8  # cases of a sample by weight
TRIES = 10_000  # of a sample with two classes


class Bag(Around):
    """Models fitted to samples of the same cases, drawn in any way."""

    n_models: int = param(default=10, check=integer(1))
    seed: int = param(default=1, check=integer(0, most=float("inf")))
    learnt = "models_"
    _takes_unseen = True  # each model says what it takes

    def _read_training(self, X, y):
        return super()._read_training(as_categories(X), y)  # each model says if it takes sets

    def _refuse_missing(self, columns):
        if isinstance(self.model, Classifier):
            self.model._refuse_missing(columns)

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return the mean (n, C) of the models' class probabilities."""
        check_fitted(self, "models_")
        return self.each_proba(X).mean(axis=0)

    def each_proba(self, X: Input) -> np.ndarray:
        """Return each of K models' probabilities (K, n, C), 0 for classes that its sample lacks."""
        classes = pd.Index(self.classes_)
        with WarnOnce():
            return np.stack([line_up(m, m.predict_proba(X), classes) for m in self.models_])

    def _new_values(self, X):
        """Return which values (n, A) no model saw in training."""
        check_fitted(self, "models_")
        return np.all([model._new_values(X) for model in self.models_], axis=0)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean (A,) of the models' importances, if they have any."""
        check_fitted(self, "models_")
        return np.mean([model.feature_importances_ for model in self.models_], axis=0)

    def summary(self) -> Summary:
        """Return what the models were fitted on."""
        models = f"{len(self.models_)} models, such as {self.models_[0]!r}"
        return super().summary()._replace(learnt=(models,))

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case (1, A) by what each model predicts for it."""
        return explain_bag(self, case)


class Bagging(Bag):
    """The mean of the probabilities of models fitted to bootstrap samples (Breiman 1996).

    Parameters: `model`, any classifier of the package, `C44()` if None; `n_models`, ten as in Weka;
    `seed` of the samples; `class_weight` as in `DecisionTree`; `n_jobs` processes that fit models,
    -1 for one per processor, None for one or joblib's context. It does not change the models.
    Trees, which all have `fit_folds`, grow together in each process. Attributes: `models_`,
    `classes_`, `n_features_in_`, `feature_names_in_`.

    >>> import ranktrees as rt
    >>> data = rt.load("iris")
    >>> rt.Bagging(rt.C45(), seed=3).fit(data.X, data.y).predict_proba(data.X).shape
    (150, 3)
    """

    class_weight: ClassWeight = param(default=None)
    n_jobs: int | None = param(default=None, check=check_jobs)

    @fits_whole
    def fit(self, X: Input, y: Classes = None, sample_weight: Weights = None) -> Self:
        """Fit `n_models` models to samples, with replacement, of cases X (n, A), classes y (n,).

        A case is drawn in proportion to its weight (see `rt.weights`), and the size of a sample is
        the total weight.
        """
        with WarnOnce():
            _, codes = self._read_training(X, y)
            weight = read_weights(sample_weight, self.class_weight, codes, self.classes_)
            rng = np.random.default_rng(self.seed)
            samples = bootstrap_samples(codes, self.n_models, rng, weight)
            y = pd.Categorical.from_codes(codes, pd.Index(self.classes_))  # all for all models
            self.models_ = fit_in_processes(self._single(), X, y, samples, self.n_jobs)
        return self


def fit_in_processes(model, X, y, samples: list[np.ndarray], n_jobs: int | None) -> list:
    """Fit models as `fit_each` does, in several processes with equal parts of the samples."""
    n_parts = n_processes(n_jobs, len(samples))
    if n_parts == 1:
        return fit_each(model, X, y, samples)
    ends = [part * len(samples) // n_parts for part in range(n_parts + 1)]
    parts = [samples[i:j] for i, j in pairwise(ends)]
    fitted = list(in_processes(_fit_some, parts, (model, X, y), n_jobs))
    for (same, category), message in (said for _, kept in fitted for said in kept.items()):
        warn(message, category, same=same)
    return [one for models, _ in fitted for one in models]


def _fit_some(samples, model, X, y):
    """Fit models by `fit_each`; return them and its warnings, which the first process repeats."""
    with WarnOnce(without=("",)) as said:
        models = fit_each(model, X, y, samples)
    return models, said.kept


def bootstrap_samples(
    y, n_samples: int, rng: np.random.Generator, weight: np.ndarray | None = None
) -> list[np.ndarray]:
    """Draw rows of n cases with replacement; draw a sample of a single class again.

    Weights (n,) are the numbers of copies of each case to draw from. Raises ValueError if hardly
    any sample holds two classes.
    """
    samples, up_to = [], None if weight is None else np.cumsum(weight)
    n = len(y) if weight is None else max(2, round(float(up_to[-1])))
    if n > MOST_DRAWN and weight is not None:
        raise ValueError(
            f"a sample has as many cases as they weigh, here {n:,}: divide weights by their mean"
        )
    for _ in range(TRIES * n_samples):
        rows = places(rng.integers(0, n, n))
        if weight is not None:
            copy = rows if weight.dtype.kind == "i" else rng.random(n) * up_to[-1]
            rows = np.searchsorted(up_to, copy, side="right")
        if (y[rows] != y[rows[0]]).any():
            samples.append(rows)
        if len(samples) == n_samples:
            return samples
    raise ValueError("hardly any sample holds two classes: the others weigh too little")
