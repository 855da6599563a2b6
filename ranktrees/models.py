"""The classifiers: scikit-learn's interface over the driver, the proposers and the estimates."""

import numpy as np

from ranktrees.base import Classifier, check_same_length, encode_classes, not_fitted
from ranktrees.criteria import CRITERIA
from ranktrees.estimate import ESTIMATES
from ranktrees.grow import grow
from ranktrees.preprocess import Codes, Encoder, check_number, choose
from ranktrees.propose import BestAttribute, split_kind
from ranktrees.split import SPLITS


class DecisionTree(Classifier):
    """A decision tree grown from the top, one level at a time (R&M 9.2).

    Parameters
    ----------
    criterion : a name in `rt.CRITERIA`; "gain_ratio" goes in two stages, as C4.5 does.
    split : "multiway" (a branch a value), "binary" (a subset and the rest) or "threshold" (all
        attributes cut as if ordered). Ordered attributes are cut, never torn.
    estimate : "frequency", "laplace" or "m", with `estimate_params` such as {"m": 2}.
    numeric : "bins" (`discretize`, `n_bins`) or "thresholds" (binary cuts over `max_codes` codes).
    missing : "impute" (mean, most frequent), "value" (a value of its own) or "error".
    max_depth, min_parent, min_child, min_gain, significance : when to stop: depth, cases of a node
        to be split, cases of a branch, a score (in the criterion's unit) that the best test must
        exceed, highest p-value of chi-squared.
    child_rule : "every" branch needs `min_child` cases, or "two" of them (Quinlan 1993).
    tie : the first attribute within so much of the best score wins.
    seed : part of every model's interface; growing this tree uses no random numbers.

    Attributes: `tree_`, `classes_`, `encoder_`, `n_features_in_`, `feature_names_in_`. A case whose
    value was never seen at a node stops there and gets that node's estimate.

    The classes of a Categorical keep their declared order. scikit-learn's scorers of probabilities
    ("roc_auc") take classes to be sorted: give them y as text, `y.astype(str)`.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.DecisionTree().fit(data.X, data.y).predict_proba(data.X).shape
    (14, 2)
    """

    def __init__(
        self,
        criterion="gain_ratio",
        split="multiway",
        estimate="frequency",
        estimate_params=None,
        numeric="bins",
        discretize="equal-width",
        n_bins=10,
        max_codes=255,
        missing="impute",
        max_depth=None,
        min_parent=2,
        min_child=1,
        child_rule="every",
        min_gain=1e-9,
        significance=None,
        tie=1e-9,
        seed=1,
    ):
        self.criterion, self.split = criterion, split
        self.estimate, self.estimate_params = estimate, estimate_params
        self.numeric, self.discretize, self.n_bins = numeric, discretize, n_bins
        self.max_codes, self.missing = max_codes, missing
        self.max_depth, self.min_parent, self.min_child = max_depth, min_parent, min_child
        self.child_rule, self.min_gain, self.significance = child_rule, min_gain, significance
        self.tie, self.seed = tie, seed

    def fit(self, X, y) -> "DecisionTree":
        """Grow the tree on cases X (n, A) with classes y (n,); X may be a `Codes`, too."""
        self._check_parameters()
        if isinstance(X, Codes):
            codes, y = self._read_codes(X, y)
        else:
            columns, y = self._read_training(X, y)
            self.encoder_ = self._encoder()
            self.encoder_.learn(columns, y)
            codes = self.encoder_.apply(columns)
        self.tree_ = grow(
            codes.values,
            y,
            codes.schema,
            self.classes_.tolist(),
            self._proposer(codes, y),
            max_depth=self.max_depth,
            min_parent=self.min_parent,
            significance=self.significance,
        )
        return self._set_estimate()

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`."""
        node = self.apply(X)
        return self.node_proba_[node]

    def apply(self, X) -> np.ndarray:
        """Node (n,) at which each case ends: a leaf, or where its value has no branch."""
        if not hasattr(self, "tree_"):
            raise not_fitted(self)
        if isinstance(X, Codes):
            X.check(self.tree_.schema, unseen=True)
            return self.tree_.apply(X.values)
        if not hasattr(self, "encoder_"):
            raise TypeError(f"{type(self).__name__} was fitted on Codes: give it Codes again")
        return self.tree_.apply(self.encoder_.apply(self._read_new(X)).values)

    def with_estimate(self, name: str, **params) -> "DecisionTree":
        """A fitted copy with another estimate on the very same tree."""
        if not hasattr(self, "tree_"):
            raise not_fitted(self)
        return self._copy(estimate=name, estimate_params=params or None)._set_estimate()

    def _read_codes(self, codes, y):
        y, self.classes_ = encode_classes(y, type(self).__name__)
        codes.check(codes.schema)
        check_same_length(len(codes), len(y))
        self.n_features_in_ = len(codes.schema)
        for name in ("encoder_", "feature_names_in_"):
            vars(self).pop(name, None)
        return codes, y

    def _set_estimate(self):
        choose("estimate", self.estimate, ESTIMATES)
        self.node_proba_ = ESTIMATES[self.estimate](self.tree_, **(self.estimate_params or {}))
        return self

    def _encoder(self):
        return Encoder(self.numeric, self.discretize, self.n_bins, self.max_codes, self.missing)

    def _proposer(self, codes, y):
        kinds = [split_kind(i, self.split, self.numeric, self.child_rule) for i in codes.schema]
        limits = {"min_child": self.min_child, "min_gain": self.min_gain, "tie": self.tie}
        return BestAttribute(codes.values, y, codes.sizes, kinds, self.criterion, **limits)

    def _check_parameters(self):
        choose("criterion", self.criterion, CRITERIA)
        choose("split", self.split, SPLITS)
        choose("estimate", self.estimate, ESTIMATES)
        choose("child_rule", self.child_rule, ("every", "two"))
        for name, least in {"min_parent": 2, "min_child": 1, "max_depth": 1}.items():
            if name != "max_depth" or self.max_depth is not None:
                check_number(name, getattr(self, name), least, whole=True)
        for name in ("min_gain", "tie"):
            check_number(name, getattr(self, name), 0)
        if self.significance is not None:
            check_number("significance", self.significance, 0)
            if not 0 < self.significance <= 1:
                raise ValueError(f"significance must lie in (0, 1], not {self.significance!r}")
