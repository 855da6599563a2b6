"""Adopting as an estimator of scikit-learn: a tree or forest is fitted, and gets our estimate."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import (
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from ranktrees_engine.basics.kinds import Classes, Frame, Weights
from ranktrees_files.adopted.accepted import find_trees
from ranktrees_files.adopted.adopt import adopt


class Reestimated(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier that fits a tree or forest of scikit-learn, and estimates on it as we do.

    It is used as `CalibratedClassifierCV` is: in pipelines, searches and cross-validation. All
    cases of the fit are also those of the estimates, without folds.

    Parameters
    ----------
    estimator : what `rt.adopt` takes, not fitted; `DecisionTreeClassifier(random_state=0)` if None.
        A fitted one inside a `FrozenEstimator` is not fitted again, and the cases may be others.
    estimate, estimate_params : as in `rt.adopt`.

    Attributes: `estimator_`, fitted; `model_`, what `rt.adopt` makes of it; `classes_`,
    `n_features_in_`, `feature_names_in_`.

    >>> import ranktrees as rt
    >>> data = rt.load("iris")
    >>> rt.Reestimated().fit(data.X, data.y).predict_proba(data.X)[0].round(1).tolist()
    [1.0, 0.0, 0.0]
    """

    def __init__(
        self, estimator: Any = None, estimate: str = "path", estimate_params: dict | None = None
    ):
        self.estimator = estimator
        self.estimate = estimate
        self.estimate_params = estimate_params

    def fit(self, X: Frame, y: Classes, sample_weight: Weights = None, **fit_params: Any) -> Self:
        """Fit the estimator on cases X (n, A) with classes y (n,), and adopt it.

        `sample_weight` (n,) weighs the cases in both; with metadata routing, the estimator gets
        what it asks for. Raises TypeError or ValueError as `rt.adopt` and the estimator do.
        """
        validate_data(self, X, y, skip_check_array=True)
        single, fresh = self._single(), isinstance(self.estimator, FrozenEstimator)
        self.estimator_ = single if fresh else clone(single)
        self.estimator_.fit(X, y, **self._passed(single, sample_weight, fit_params))
        weight = _with_classes(self.estimator_, y, sample_weight)
        how = {"estimate": self.estimate, "estimate_params": self.estimate_params, "fresh": fresh}
        self.model_ = adopt(self.estimator_, X, y, weight, **how)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: Frame) -> np.ndarray:
        """Return class probabilities (n, C), one column for each of `classes_`."""
        return self._model_for(X).predict_proba(X)

    def predict(self, X: Frame) -> np.ndarray:
        """Predict the most probable class (n,) of each case."""
        return self._model_for(X).predict(X)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return scikit-learn's `MetadataRouter`: weights are for both estimators."""
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(estimator=self._single(), method_mapping=to_fit)

    def _model_for(self, X):
        """Return the adopted model, with X checked for the names and number of its columns."""
        check_is_fitted(self)
        if getattr(X, "ndim", 2) != 1:  # of which the model says more
            validate_data(self, X, skip_check_array=True, reset=False)
        return self.model_

    def _single(self):
        """Return the estimator of which a copy is fitted."""
        if self.estimator is not None:
            return self.estimator
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(random_state=0)

    def _passed(self, single, sample_weight, fit_params) -> dict:
        """Return what the estimator's `fit` is given besides X and y."""
        from sklearn import get_config

        if get_config()["enable_metadata_routing"]:
            given = {} if sample_weight is None else {"sample_weight": sample_weight}
            return process_routing(self, "fit", **given, **fit_params).estimator.fit
        if sample_weight is not None and has_fit_parameter(single, "sample_weight"):
            return fit_params | {"sample_weight": sample_weight}
        return fit_params

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self._single())
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = False
        return tags


def _with_classes(fitted, y, sample_weight):
    """Return the weights of cases times those of classes with which a model was fitted."""
    given = find_trees(fitted).class_weight
    if given is None:
        return sample_weight
    weight = compute_sample_weight("balanced" if given == "balanced_subsample" else given, y)
    return weight if sample_weight is None else weight * np.asarray(sample_weight, float)
