"""What trees of prototypes share: columns of any type, growth, shares of nodes, estimates."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number, choose
from ranktrees.base import Classifier, not_fitted
from ranktrees.columns import Column
from ranktrees.estimate import ESTIMATES
from ranktrees.forest import TrainingSets
from ranktrees.grow import Stop, grow
from ranktrees.newton.attraction import crisp_shares, reached, shares, walk
from ranktrees.newton.attributes import Attribute, check_distance
from ranktrees.newton.measured import Measured, as_categories
from ranktrees.newton.propose import CRITERIA, NearestPrototype
from ranktrees.newton.prototypes import best_values
from ranktrees.newton.tree import prototype_tree
from ranktrees.newton.use import Distances
from ranktrees.rows import Cases
from ranktrees.shrinkage import CASEWISE, checked_params

READINGS = {"standard": "unit", "as_slides": "class"}  # and what their prototypes weigh in a split


class _PrototypeModel(Classifier):
    """What trees of prototypes share: reading columns of any type, growth, and shares of nodes."""

    exponent, eps, reading, split_mass, criterion = 2.0, 0.0, "standard", None, "gain_ratio"

    def fit(self, X, y) -> "_PrototypeModel":
        """Grow the tree on cases X (n, A) with classes y (n,)."""
        self._check_parameters()
        columns, y = self._read_training(as_categories(X), y)
        data = Measured.of(columns, self._distances(columns))
        self._refuse_missing(columns)
        if self.missing == "impute":
            data = data.filled(whole_prototypes(data))
        self._grow(data, y)
        return self._set_estimate()

    def _grow(self, data, y):
        proposer = NearestPrototype(data, y, self.criterion, self._power())
        stop = Stop(self.max_depth, self.min_parent)
        tree = grow(self._cases(data, y), proposer, self.classes_.tolist(), stop)
        self.tree_ = prototype_tree(tree, np.concatenate([[], *proposer.found]).astype(int), data)
        self._keep(data, [info.values for info in self.tree_.schema])

    def _cases(self, data, y):
        """The cases as they are grown on; they have a weight where values are missing."""
        weight = np.ones(len(y)) if data.has_missing else None
        sets = TrainingSets([], data.code.T, None, y, np.zeros(len(y), np.intp))
        return Cases(sets, len(self.classes_), weight)

    def _keep(self, data, prototypes):
        """What prediction needs of the attributes: their distances, and values that are used."""
        self.fill_, self.span_ = data.fill, data.span
        self.attributes_ = tuple(
            a if a.is_declared else Attribute(used, a.distance, a.name, a.scale)
            for a, used in zip(data.attributes, prototypes, strict=True)
        )

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`."""
        leaf = self._leaves()
        proba = np.zeros_like(self.node_proba_.T)  # with inner nodes: to pick the leaves costs more
        proba[:, leaf] = self.node_proba_[leaf].T
        return self._by_case(X, lambda p: (proba @ reached(self.tree_, p)).T)

    def reach(self, X) -> np.ndarray:
        """Probability (n, T) that each case comes to each node."""
        return self._by_case(X, lambda p: reached(self.tree_, p).T)

    def attraction(self, X) -> np.ndarray:
        """Share (n, T) of the attraction that each node has among its siblings; 1 at the root."""
        return self._by_case(X, lambda p: p.T)

    def apply(self, X) -> np.ndarray:
        """Leaf (n,) of a case that goes to one child at each node, as training cases do.

        That is the nearest, or under reading="as_slides" the one that attracts it most; where the
        value is missing, the heaviest.
        """
        return self._by_case(X, lambda p: walk(self.tree_, p), self._crisp)

    def with_estimate(self, name: str, **params) -> "_PrototypeModel":
        """A fitted copy with another estimate on the very same tree."""
        if not hasattr(self, "tree_"):
            raise not_fitted(self)
        return self._copy(estimate=name, estimate_params=params or None)._set_estimate()

    def explain(self, case):
        """One prediction in words and numbers: attraction on the way, leaves, estimates."""
        from ranktrees.explain import explain_prototypes

        return explain_prototypes(self, case)

    def _by_case(self, X, of, share=None):
        """`of` the shares (T, n') of some cases at a time, for all of them."""
        columns = self._read_new(as_categories(X))
        self._refuse_missing(columns)
        if self.missing == "impute":
            columns = [_filled(c, fill) for c, fill in zip(columns, self.fill_, strict=True)]
        return np.concatenate(
            [of(p) for p in self._measure().shares(columns, share or self._shares)]
        )

    def _leaves(self):
        if not hasattr(self, "tree_"):
            raise not_fitted(self)
        return np.flatnonzero(self.tree_.is_leaf)

    def _measure(self):
        return Distances(self.tree_, self.attributes_, self.span_, self.eps)

    def _shares(self, tree, distance):
        return shares(tree, distance, self.exponent)

    def _crisp(self, tree, distance):
        return crisp_shares(tree, distance, self.exponent, self._power() > 0)

    def _power(self):
        """The power of a prototype's mass by which its distances are divided in a split."""
        mass = READINGS[self.reading] if self.split_mass is None else self.split_mass
        return 1 / self.exponent if mass == "class" else 0.0

    def _allows_missing(self):
        return self.missing != "error"

    def _refuse_missing(self, columns):
        for column in columns if self.missing == "error" else ():
            if (gap := column.missing).any():
                raise ValueError(
                    f"column {column.name!r} contains NaN (missing) in row {gap.argmax()}: "
                    'fill it, or use missing="mass" or missing="impute"'
                )

    def _distances(self, columns):
        """The distances named, by column; ValueError for a column that is not there."""
        given = {} if self.distances is None else self.distances
        if not isinstance(given, Mapping):
            raise TypeError(
                f'distances must be a dict such as {{"basket": "jaccard"}}, not {given!r}'
            )
        names = [column.name for column in columns]
        for name, distance in given.items():
            if name not in names:
                raise ValueError(
                    f"distances names the column {name!r}, but the columns are {', '.join(names)}"
                )
            if isinstance(distance, list | np.ndarray | pd.DataFrame):
                raise TypeError(
                    f"column {name!r}: say the values that a matrix of distances is of: "
                    f"rt.Attribute(values, matrix)"
                )
            if not isinstance(distance, Attribute):
                check_distance(distance, name)
        return given

    def _set_estimate(self):
        self._check_estimate()
        params = checked_params(self.estimate, self.estimate_params)
        self.node_proba_ = ESTIMATES[self.estimate](self.tree_, **params)
        return self

    def _check_estimate(self):
        if isinstance(self.estimate, str) and self.estimate in CASEWISE:
            raise ValueError(
                f"estimate {self.estimate!r} compares the codes of cases, but a tree of prototypes "
                f"knows distances only: choose one of {', '.join(map(repr, ESTIMATES))}"
            )
        choose("estimate", self.estimate, ESTIMATES)

    def _check_parameters(self):
        choose("criterion", self.criterion, CRITERIA)
        choose("missing", self.missing, ("mass", "impute", "error"))
        choose("reading", self.reading, READINGS)
        if self.split_mass is not None:
            choose("split_mass", self.split_mass, ("unit", "class"))
        self._check_estimate()
        check_number("min_parent", self.min_parent, 2, whole=True)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, whole=True)
        check_number("seed", self.seed, 0, whole=True)
        check_number("eps", self.eps, 0)
        check_number("exponent", self.exponent, 0)
        if not self.exponent > 0:
            raise ValueError(f"exponent must exceed 0, but it is {self.exponent!r}")


def whole_prototypes(data: Measured) -> np.ndarray:
    """(A,) value code of the prototype of each whole column, -1 where it has no value."""
    return best_values(data, data.code, np.zeros(data.code.shape[1], np.intp), 1)[:, 0]


def _filled(column, fill):
    """A column with `fill` where a value is missing; None: the column has no value to fill in."""
    gap = column.missing
    if fill is None or not gap.any():
        return column
    if column.kind == "numeric":
        return Column(column.name, "numeric", np.where(gap, fill, column.values))
    categories = [*column.categories, fill]
    values = np.where(gap, len(column.categories), column.values)
    return Column(column.name, column.kind, values, categories)
