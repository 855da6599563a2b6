"""What trees of prototypes share: columns of any type, growth, use by attraction, estimates."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number, choose
from ranktrees.base import Classifier, not_fitted
from ranktrees.columns import Column
from ranktrees.estimate import ESTIMATES
from ranktrees.forest import TrainingSets
from ranktrees.grow import Stop, grow
from ranktrees.newton.attraction import Attraction, all_shares, crisp_shares, only, reaches, shares
from ranktrees.newton.attributes import Attribute, check_distance
from ranktrees.newton.measured import Measured, as_categories
from ranktrees.newton.prototypes import CRITERIA, NearestPrototype, whole_prototypes
from ranktrees.rows import Cases
from ranktrees.shrinkage import CASEWISE, checked_params

READINGS = {"standard": "unit", "as_slides": "class"}  # and what their prototypes weigh in a split


class _PrototypeModel(Classifier):
    """What trees of prototypes share: reading columns of any type, growth, and shares of nodes."""

    exponent, eps, stochastic, criterion = 2.0, 0.0, None, "gain_ratio"
    reading, split_mass = "standard", None

    def __init__(
        self,
        distances=None,
        estimate="laplace",
        estimate_params=None,
        missing="impute",
        max_depth=None,
        min_parent=2,
        seed=1,
    ):
        self.distances, self.estimate, self.estimate_params = distances, estimate, estimate_params
        self.missing, self.max_depth, self.min_parent = missing, max_depth, min_parent
        self.seed = seed

    def fit(self, X, y) -> "_PrototypeModel":
        """Grow the tree on cases X (n, A) with classes y (n,)."""
        self._check_parameters()
        columns, y = self._read_training(as_categories(X), y)
        data = Measured.of(columns, self._named_distances(columns))
        self._refuse_missing(columns)
        if self.missing == "impute":
            data = data.filled(whole_prototypes(data))
        proposer = self._proposer(data, y)
        codes = np.zeros((len(y), 1), np.int8)  # none is read: it says itself where cases go
        sets = TrainingSets([], codes, None, y, np.zeros(len(y), np.intp))
        rows = Cases(sets, len(self.classes_), proposer.weight)
        stop = Stop(self.max_depth, self.min_parent)
        tree = grow(rows, proposer, self.classes_.tolist(), stop)
        self.tree_, self.fill_, self.span_ = proposer.finish(tree), data.fill, data.span
        self.attributes_ = tuple(map(_for_new_values, data.attributes))
        return self._set_estimate()

    def _proposer(self, data, y):
        return NearestPrototype(data, y, self.criterion, self._power())

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`.

        They are the estimates of all leaves by the probability of coming there: the exact sum, but
        that a case need not be followed where it comes with a probability of at most 1e-18.
        """
        columns, is_leaf = self._columns(X), self.tree_.is_leaf
        proba = np.zeros((len(self.classes_), len(columns[0].values)))
        for node, cases, reach in self._reaches(columns, self._share):
            leaf = is_leaf[node]
            proba[:, cases] += leaf_sums(reach[leaf], self.node_proba_[node[leaf]])
        return np.ascontiguousarray(proba.T)

    def reach(self, X) -> np.ndarray:
        """Probability (n, T) that each case comes to each node."""
        return self._dense_reach(self._columns(X))

    def attraction(self, X) -> np.ndarray:
        """Share (n, T) of the attraction that each node has among its siblings; 1 at the root."""
        columns = self._columns(X)
        attract, cases = self._attract(columns, self._share), slice(0, len(columns[0].values))
        return np.ascontiguousarray(all_shares(self.tree_, attract, cases).T)

    def apply(self, X) -> np.ndarray:
        """Leaf (n,) of a case that goes to one child at each node, as training cases do.

        That is the nearest, or under reading="as_slides" the one that attracts it most; where the
        value is missing, the heaviest.
        """
        columns = self._columns(X)
        leaf, is_leaf = np.zeros(len(columns[0].values), np.intp), self.tree_.is_leaf
        for node, cases, reach in self._reaches(columns, self._to_one):
            leaf[cases] += (reach * (node * is_leaf[node])[:, None]).sum(axis=0).astype(np.intp)
        return leaf

    def with_estimate(self, name: str, **params) -> "_PrototypeModel":
        """A fitted copy with another estimate on the very same tree."""
        if not hasattr(self, "tree_"):
            raise not_fitted(self)
        return self._copy(estimate=name, estimate_params=params or None)._set_estimate()

    def explain(self, case):
        """One prediction in words and numbers: attraction on the way, leaves, estimates."""
        from ranktrees.explain import explain_prototypes

        return explain_prototypes(self, case)

    def _columns(self, X):
        """The columns of new cases, as they were in training."""
        columns = self._read_new(as_categories(X))
        self._refuse_missing(columns)
        if self.missing == "impute":
            columns = [_filled(c, fill) for c, fill in zip(columns, self.fill_, strict=True)]
        return columns

    def _dense_reach(self, columns):
        """(n, T) the probability that each case comes to each node."""
        reach = np.zeros((len(columns[0].values), len(self.tree_)))
        for node, cases, part in self._reaches(columns, self._share):
            reach[cases if isinstance(cases, slice) else cases[:, None], node] = part.T
        return reach

    def _reaches(self, columns, share) -> Iterator:
        return reaches(self.tree_, self._attract(columns, share), len(columns[0].values))

    def _attract(self, columns, share):
        """How the nodes attract these cases, whose distances are at least `eps` times the span."""
        with np.errstate(over="ignore"):  # where nothing is farther, the masses decide
            least = self.eps * self.span_ if self.eps else None
        return Attraction(self.tree_, self.attributes_, columns, share, least)

    def _share(self, distance, mass):
        return shares(distance, mass, self.exponent)

    def _crisp(self, distance, mass):
        return crisp_shares(distance, mass, self._power())

    def _to_one(self, distance, mass):
        return only(self._crisp(distance, mass).argmax(axis=0), len(distance))

    def _power(self):
        """The power of a prototype's mass by which its distances are divided in a split."""
        mass = READINGS[self.reading] if self.split_mass is None else self.split_mass
        return 1 / self.exponent if mass == "class" else 0.0

    def _refuse_missing(self, columns):
        for column in columns if self.missing == "error" else ():
            if (gap := column.missing).any():
                raise ValueError(
                    f"column {column.name!r} contains NaN (missing) in row {gap.argmax()}: "
                    'fill it, or use missing="mass" or missing="impute"'
                )

    def _named_distances(self, columns):
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
        if self.stochastic is not None:
            check_number("stochastic", self.stochastic, 1, whole=True)
        check_number("eps", self.eps, 0)
        check_number("exponent", self.exponent, 0)
        if not self.exponent > 0:
            raise ValueError(f"exponent must exceed 0, but it is {self.exponent!r}")


def leaf_sums(reach: np.ndarray, estimate: np.ndarray) -> np.ndarray:
    """(C, m) the estimates (q, C) of leaves by the probability (q, m) of coming there, in order."""
    return np.array([(column[:, None] * reach).sum(axis=0) for column in estimate.T])


def _for_new_values(attribute):
    """An attribute as it is needed for prediction: the prototypes stand in the tree."""
    if attribute.is_declared:
        return attribute
    return Attribute((), attribute.distance, attribute.name, attribute.scale)


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
