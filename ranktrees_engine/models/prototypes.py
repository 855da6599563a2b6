"""What trees of prototypes share: reading columns of any type, growing, and shares of nodes."""

from typing import Any, Self

import numpy as np

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.kinds import Case, Classes, Explanation, Input
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.basics.warn import progress_bar, warn_of_time
from ranktrees_engine.estimates import ESTIMATES, estimate_names
from ranktrees_engine.estimator.classifier import fits_whole
from ranktrees_engine.estimator.elsewhere import ELSEWHERE
from ranktrees_engine.estimator.grown import TreeModel
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.refusals import refuse_weights
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.explain.votes import explain_prototypes
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.grow import Stop, grow
from ranktrees_engine.growing.rows import Cases
from ranktrees_engine.newton import attraction
from ranktrees_engine.newton.measured import Measured, as_categories, as_known, filled, unseen
from ranktrees_engine.newton.prototypes import NearestPrototype, whole_prototypes
from ranktrees_engine.reading.encoder import Codes


def check_counts_estimate(what, name) -> None:
    """Raise ValueError, saying why, unless an estimate of this name needs only counts."""
    known = estimate_names("counts")
    if isinstance(name, str) and name in ESTIMATES and name not in known:
        raise ValueError(
            f"estimate {name!r} compares the codes of cases, but a tree of prototypes "
            f"knows distances only: choose one of {', '.join(map(repr, known))}"
        )
    choose(what, name, known)


def counts_estimate_field() -> Any:
    """Declare the name of an estimate that needs only counts."""
    return param(default="laplace", check=check_counts_estimate)


class PrototypeModel(TreeModel):
    """The common part of trees of prototypes: reading any columns, growing, shares of nodes."""

    learnt = "attributes_ fill_ span_"
    _instead = 'missing="mass" or missing="impute"'

    @fits_whole
    def fit(
        self, X: Input, y: Classes = None, *, progress: bool | None = False, **options: object
    ) -> Self:
        """Grow the tree on cases X (n, A) with classes y (n,), which all count the same.

        With `progress` a bar shows the progress.
        """
        why = f"a prototype is a case, whatever it weighs; {ELSEWHERE['class_weight']}"
        refuse_weights(self, why, **options)
        columns, y = self._read_training(X, y)
        data = Measured.of(columns, self.distances)
        if self.missing == "impute":
            data = data.filled(whole_prototypes(data))
        proposer = self._proposer(data, y)
        codes = np.zeros((len(y), 1), np.int8)  # none is read: it says itself where cases go
        sets = TrainingSets([], codes, None, y, np.zeros(len(y), np.intp), proposer.weight)
        rows = Cases(sets, len(self.classes_))
        stop = Stop(self.max_depth, self.min_parent - TIE)  # what cases weigh may be rounded
        pace = 5e-8 * min(self.max_depth or 6, 6)  # as measured; half of the work is in six levels
        warn_of_time(pace * data.code.size * (1 + len(self.classes_) / 6))
        with progress_bar(None, progress, "levels") as advance:
            tree = grow(rows, proposer, self.classes_.tolist(), stop, advance)
        tree, self.fill_, self.span_ = proposer.finish(tree), data.fill, data.span
        self.attributes_ = tuple(attribute.for_new_values() for attribute in data.attributes)
        return self._set_tree(tree)

    def _proposer(self, data, y):
        """Return the proposer of the open nodes' tests, made of the training cases."""
        return NearestPrototype(data, y, self.criterion, self._power())

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return class probabilities (n, C), one column for each of `classes_`.

        They are the estimates of all leaves, weighted by the probability of reaching them. The sum
        is exact, except that nodes reached with a probability of at most 1e-18 may be skipped.
        """
        columns, is_leaf = self._columns(X), self.tree_.is_leaf
        proba = np.zeros((len(self.classes_), len(columns[0].values)))
        for node, cases, reach in self._reaches(columns, self._share):
            leaf = is_leaf[node]
            proba[:, cases] += attraction.leaf_sums(reach[leaf], self.node_proba_[node[leaf]])
        return np.ascontiguousarray(proba.T)

    def reach(self, X: Input) -> np.ndarray:
        """Return the probability (n, T) that each case reaches each node."""
        return self._reach(self._columns(X))

    def attraction(self, X: Input) -> np.ndarray:
        """Return the share (n, T) of each node in the attraction of its siblings; 1 at the root."""
        columns = self._columns(X)
        attract, cases = self._attract(columns, self._share), slice(0, len(columns[0].values))
        return np.ascontiguousarray(attraction.all_shares(self.tree_, attract, cases).T)

    def apply(self, X: Input) -> np.ndarray:
        """Return the leaf (n,) of each case if it takes one child per node, as in training.

        That is the nearest child or, with reading="talk", the one that attracts the case most; if
        the value is missing, the heaviest.
        """
        columns = self._columns(X)
        leaf, is_leaf = np.zeros(len(columns[0].values), np.intp), self.tree_.is_leaf
        for node, cases, reach in self._reaches(columns, self._to_one):
            leaf[cases] += (reach * (node * is_leaf[node])[:, None]).sum(axis=0).astype(np.intp)
        return leaf

    def summary(self) -> Summary:
        """Return what the model was fitted on and what it learnt."""
        said = super().summary()._replace(reads="values", attributes=self.attributes_)
        return said._replace(n_cases=self.tree_.counts[0].sum(), learnt=(repr(self.tree_),))

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case: attraction on the way, leaves, estimates."""
        return explain_prototypes(self, case)

    def _new_values(self, X):
        columns = self._read_new(as_categories(X))
        return np.stack([*map(unseen, columns, self.attributes_)], axis=1)

    def _columns(self, X):
        """Return the columns of new cases, as they were in training."""
        columns = self._read_new(as_categories(X))
        self._refuse_missing(columns)
        known = self.tree_.known(len(columns)), self.fill_
        columns = [as_known(*one) for one in zip(columns, self.attributes_, *known, strict=True)]
        if self.missing == "impute":
            columns = [filled(c, fill) for c, fill in zip(columns, self.fill_, strict=True)]
        return columns

    def _reach(self, columns):
        reach = np.zeros((len(columns[0].values), len(self.tree_)))
        for node, cases, part in self._reaches(columns, self._share):
            reach[cases if isinstance(cases, slice) else cases[:, None], node] = part.T
        return reach

    def _reaches(self, columns, share):
        attract, n = self._attract(columns, share), len(columns[0].values)
        return attraction.reaches(self.tree_, attract, n)

    def _attract(self, columns, share):
        """Return how the nodes attract these cases."""
        return attraction.Attraction(self.tree_, self.attributes_, columns, share)

    def _share(self, distance, mass):
        """Return each branch's share in a case, all of which goes to one branch."""
        return self._crisp(distance, mass)

    def _crisp(self, distance, mass):
        return attraction.crisp_shares(distance, mass, self._power())

    def _to_one(self, distance, mass):
        return attraction.only(self._crisp(distance, mass).argmax(axis=0), len(distance))

    def _power(self):
        """Return the power of a prototype's mass by which a split divides its distances."""
        return 0.0

    def _read_training(self, X, y):
        if isinstance(X, Codes):
            raise TypeError(f"{type(self).__name__} measures values, not Codes: give it X")
        return super()._read_training(as_categories(X), y)
