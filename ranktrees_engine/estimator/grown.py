"""What all models with a tree share, and how the trees of many training sets grow together."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Array, ArrayLike, Input
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.criteria.criteria import entropy
from ranktrees_engine.estimates import make_estimate
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.estimator.params import check_parameters
from ranktrees_engine.evaluate.fitting import unfitted
from ranktrees_engine.growing.forest import TrainingSets, check_training, in_batches
from ranktrees_engine.reading.columns import Column
from ranktrees_engine.reading.encoder import Codes


class TreeModel(Classifier):
    """A model with a `tree_` and its `estimate_`, which knows the probabilities of each node."""

    learnt = "tree_ estimate_ cases_"
    estimate_params = None  # of an estimate that is not the model's own, see `with_estimate`
    cases_ = None  # `TrainingCases`, for estimates that ask for more than the tree's counts

    def with_estimate(self, name: str, **params: Any) -> "TreeModel":
        """Return a fitted copy with another estimate on the same tree."""
        check_fitted(self, "tree_")
        return self._copy(estimate=name, estimate_params=params or None)._set_estimate()

    def _set_tree(self, tree):
        self.tree_ = tree
        return self._set_estimate()

    def _set_estimate(self):
        check_parameters(self, "estimate")
        params = self._estimate_params()
        self.estimate_ = make_estimate(self.estimate, params).learn(self.tree_, self.cases_)
        return self

    def _estimate_params(self):
        """Return the estimate's parameters, as given."""
        return self.estimate_params

    @property
    def node_proba_(self) -> np.ndarray:
        """Estimate (T, C) of each node."""
        return self.estimate_.node_proba

    @property
    @tiny_is_zero()
    def feature_importances_(self) -> np.ndarray:
        """Share (A,) of each attribute in the total gain of all tests, in Gini index or entropy.

        For path Bayes: its share of all changes of log odds, by its factor and by tests of it, over
        the training cases and pairs of classes.
        """
        check_fitted(self, "tree_")
        return self.estimate_.importances(self.n_features_in_, self._impurity())

    def _impurity(self):
        """Return the impurity of which importances are shares."""
        return entropy


class FoldsTogether(TreeModel):
    """A tree model whose copies grow together, each on its own cases."""

    @tiny_is_zero()
    def fit_folds(self, X: Input, y: ArrayLike, training: Sequence[Array]) -> list["FoldsTogether"]:
        """Return a fitted copy for each array of training rows (which may repeat), grown together.

        The trees equal those of single fits; they share the passes over the data, level by level.
        Every copy knows all classes of y, and all values of a nominal column of X.
        """
        whole = unfitted(self)
        whole._check_parameters()
        with WarnOnce():
            cases, y = whole._read_training(X, y)
            each = [whole._weigh(rows, y[rows]) for rows in check_training(training, y)]
            training, classes, weights = ([fold[part] for fold in each] for part in range(3))
            models, parts = whole._learn_folds(cases, y, training, weights)
        for few in in_batches(parts):
            sets = TrainingSets.of(parts[few], classes[few], weights[few])
            trees = whole._grow(sets, whole.classes_.tolist())
            for model, tree, (codes, rows), *known in zip(
                models[few], trees, parts[few], classes[few], weights[few], strict=True
            ):
                model._finish(tree, codes.take(rows), *known)
        return models

    @tiny_is_zero()
    def predict_folds(self, models: Sequence, X: Input, tests: Sequence[Array]) -> list[Array]:
        """Return probabilities (n_f, C) of each array of test rows by its model; X is read once.

        `models` come from `fit_folds`, and X holds the same cases.
        """
        pairs = list(zip(models, tests, strict=True))
        if isinstance(X, Codes) or not pairs:
            return [model.predict_proba(X.take(rows)) for model, rows in pairs]
        columns = pairs[0][0]._read_new(X)
        if alike(columns):
            whole = pairs[0][0].encoder_.apply(columns)
            return [model._proba(whole.take(rows)) for model, rows in pairs]
        each = [(model, [column.take(rows) for column in columns]) for model, rows in pairs]
        return [model._proba(model.encoder_.apply(mine)) for model, mine in each]

    def _learn_folds(self, columns, y, training, weights):
        """Return a model for each training set, and its codes with the rows of them that it takes.

        Where no bin or filled value depends on the training set, all take rows of the same codes.
        """
        models = [self._copy() for _ in training]
        if isinstance(columns, Codes):
            return models, [(columns, rows) for rows in training]
        each = [[column.take(rows) for column in columns] for rows in training]
        for model, mine, rows, weight in zip(models, each, training, weights, strict=True):
            model.encoder_ = self.make_rules().encoder
            model.encoder_.learn(mine, y[rows], weight)
        if models and alike(columns):
            codes = models[0].encoder_.apply(columns)
            return models, [(codes, rows) for rows in training]
        coded = [model.encoder_.apply(mine) for model, mine in zip(models, each, strict=True)]
        return models, [(codes, np.arange(len(codes))) for codes in coded]


def alike(columns: Sequence[Column]) -> bool:
    """Return whether codes are the same for every training set: no bins, nothing filled in."""
    return all(column.kind != "numeric" and not column.missing.any() for column in columns)
