"""A model that decides at the threshold which was the best on cases that it had not seen."""

from typing import Self

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like, integer
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import (
    ArrayLike,
    Case,
    Classes,
    Explanation,
    Input,
    Weights,
)
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimator.classifier import fits_whole
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.evaluate.decisions import cheapest
from ranktrees_engine.evaluate.fitting import line_up, take_rows, unfitted
from ranktrees_engine.evaluate.folds import fold_rows
from ranktrees_engine.evaluate.ranking import Blocks
from ranktrees_engine.evaluate.task import Task, held_out
from ranktrees_engine.models.around import Around
from ranktrees_engine.reading.columns import refuse_scan
from ranktrees_engine.reading.folds import stratified_folds
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.weights import at_least_mean_one, case_weights


class TunedThreshold(Around):
    """A model of two classes whose threshold is chosen by inner folds, and not on its own cases.

    `fit` predicts each case by a model that was not trained on it, chooses the threshold of least
    mean cost on these predictions, and then trains the model on all cases. `predict` gives the
    second class from this probability on; `predict_proba` and rankings stay the model's.

    Parameters
    ----------
    model : any classifier, `C44()` if None.
    cost : (2, 2), rows true and columns predicted, in the order of the sorted classes, or a
        DataFrame by label. If None, the errors of both classes have the same total cost, so that
        the threshold is the best in balanced accuracy.
    k, seed : the inner folds, which are stratified.

    Attributes: `model_`, `threshold_` (inf if no case is to be called positive), `cost_` (of a case
    on the inner folds), `classes_`. ValueError unless there are two classes. The anchor is
    scikit-learn's `TunedThresholdClassifierCV`, which tries 100 thresholds between those of the
    folds and averages over them; here all predictions are taken together and every one is tried.

    >>> import ranktrees as rt
    >>> data = rt.load("credit-g")
    >>> model = rt.TunedThreshold(rt.C44(), cost=[[0, 5], [1, 0]]).fit(data.X, data.y)
    >>> bool(model.threshold_ > 0.5)  # a good payer must be quite sure: a bad one costs five times
    True
    """

    cost: ArrayLike | None = param(default=None)
    k: int = param(default=5, check=integer(2))
    seed: int = param(default=1, check=integer(0, most=np.inf))
    learnt = "model_ threshold_ cost_"

    @fits_whole
    def fit(self, X: Input, y: Classes = None, sample_weight: Weights = None) -> Self:
        """Choose the threshold by `k` inner folds of X (n, A) and y (n,), and fit the model to all.

        `sample_weight` (n,) weighs the cases for the model and in the mean cost.
        """
        refuse_scan(X, type(self).__name__)
        with WarnOnce():
            task, weight = self._read(X, y, sample_weight)
            proba = self._held_out(task, weight)
            self.threshold_, self.cost_ = _least_cost(task, proba[:, 1], self.cost, weight)
            given = {} if weight is None else {"sample_weight": weight}
            self.model_ = unfitted(self._single()).fit(task.X, task.y, **given)
        return self

    def _read(self, X, y, sample_weight):
        """Return the cases of a weight above 0 as a task, and their weights (n,) or None."""
        _, codes = self._read_training(X, y)
        if len(self.classes_) != 2:
            raise ValueError(
                f"{type(self).__name__} decides between two classes, but y has "
                f"{len(self.classes_)}: Only binary classification is supported. Leave out classes "
                "that never occur by y.remove_unused_categories()"
            )
        classes, X = pd.Index(self.classes_), as_pandas(X)
        task = Task(X, pd.Categorical.from_codes(codes, classes), codes, classes)
        if sample_weight is None:
            return task, None
        weight = at_least_mean_one(case_weights(sample_weight, len(codes)))
        rows = np.flatnonzero(weight)
        task = Task(take_rows(X, rows), task.y[rows], codes[rows], classes)
        return task, weight[rows]

    def _held_out(self, task, weight):
        """Return probabilities (n, 2) of each case by a model that was not trained on it."""
        splits = fold_rows(stratified_folds(task.y, self.k, self.seed))
        if weight is None:
            parts = held_out(self._single(), task, splits)
        else:
            parts = [_weighed(self._single(), task, weight, *split) for split in splits]
        proba = np.empty((len(task.codes), 2))
        for (_, test), part in zip(splits, parts, strict=True):
            proba[test] = part
        return proba

    def predict_proba(self, X: Input) -> np.ndarray:
        """Return the model's class probabilities (n, 2)."""
        check_fitted(self, "model_")
        return line_up(self.model_, self.model_.predict_proba(X), pd.Index(self.classes_))

    def predict(self, X: Input) -> np.ndarray:
        """Predict the second class (n,) from the threshold on, else the first."""
        positive = self.predict_proba(X)[:, 1] >= self.threshold_
        return self.classes_[positive.astype(int)]

    def unseen(self, X: Input) -> pd.Series:
        """Count each column's values that the model did not see in training."""
        check_fitted(self, "model_")
        check_like("a model of the package in TunedThreshold", self.model_, "unseen")
        return self.model_.unseen(X)

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case (1, A), as the model does."""
        check_fitted(self, "model_")
        check_like("a model of the package in TunedThreshold", self.model_, "explain")
        return self.model_.explain(case)

    def summary(self) -> Summary:
        """Return what the model was fitted on, and the threshold."""
        check_fitted(self, "model_")
        check_like("a model of the package in TunedThreshold", self.model_, "summary")
        known = self.model_.summary()
        said = f"from {self.threshold_:.3g} on {self.classes_[1]!r}, cost {self.cost_:.3g}"
        return known._replace(learnt=(*known.learnt, said))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _weighed(model, task, weight, train, test):
    """Return probabilities (m, 2) of test rows by a model of weighed training rows."""
    X, y = take_rows(task.X, train), take_rows(task.y, train)
    fitted = unfitted(model).fit(X, y, sample_weight=weight[train])
    return line_up(fitted, fitted.predict_proba(take_rows(task.X, test)), task.classes)


def _least_cost(task, score, cost, weight):
    """Return the threshold of least mean cost of these scores (n,), and that cost."""
    weight = np.ones(len(score)) if weight is None else weight
    if cost is None:  # what a wrong case of each class costs, so that both classes cost the same
        each = weight.sum() / np.bincount(task.codes, weight, 2) / 2
        cost = [[0, each[0]], [each[1], 0]]
    return cheapest(Blocks.of(task.codes == 1, score, weight), cost, task.classes)
