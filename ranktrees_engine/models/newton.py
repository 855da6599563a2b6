"""Newton trees and their predecessors: distance-based trees and centre splitting."""

from typing import NoReturn, Self

import numpy as np

from ranktrees_engine.basics.arguments import check_positive, choose, integer, one_of
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Case, Classes, Explanation, Input
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.basics.warn import progress_bar, warn_of_time
from ranktrees_engine.estimates import ESTIMATES, estimate_names
from ranktrees_engine.estimator.classifier import ELSEWHERE, Classifier, fits_whole, refuse_weights
from ranktrees_engine.estimator.grown import TreeModel
from ranktrees_engine.estimator.params import param
from ranktrees_engine.explain.votes import explain_prototypes
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.grow import Stop, grow
from ranktrees_engine.growing.rows import Cases
from ranktrees_engine.newton import attraction
from ranktrees_engine.newton.centres import CentreAttraction, NearestCentre
from ranktrees_engine.newton.measured import Measured, as_categories, as_known, filled, unseen
from ranktrees_engine.newton.prototypes import CRITERIA, NearestPrototype, whole_prototypes
from ranktrees_engine.reading.encoder import Codes

MOST_PATHS = 10**9  # drawn for a case
READINGS = ("nearest", "talk")
RENAMED = {"standard": "nearest", "as_slides": "talk"}


def check_counts_estimate(what, name) -> None:
    """Raise ValueError, saying why, unless an estimate of this name needs only counts."""
    known = estimate_names("counts")
    if isinstance(name, str) and name in ESTIMATES and name not in known:
        raise ValueError(
            f"estimate {name!r} compares the codes of cases, but a tree of prototypes "
            f"knows distances only: choose one of {', '.join(map(repr, known))}"
        )
    choose(what, name, known)


def check_reading(what, name) -> None:
    """Raise TypeError or ValueError unless in `READINGS`; for an old name, give the new one."""
    if isinstance(name, str) and name in RENAMED:
        raise ValueError(f"{what} {name!r} is now called {RENAMED[name]!r}: write that")
    choose(what, name, READINGS)


class PrototypeModel(TreeModel):
    """What trees of prototypes share: reading columns of any type, growing, and shares of nodes."""

    exponent, stochastic, criterion, reading = 2.0, None, "gain_ratio", "nearest"
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
        return NearestPrototype(data, y, self.criterion, self._power())

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`.

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
        """Probability (n, T) that each case reaches each node."""
        return self._reach(self._columns(X))

    def attraction(self, X: Input) -> np.ndarray:
        """Share (n, T) of each node in the attraction of its siblings; 1 at the root."""
        columns = self._columns(X)
        attract, cases = self._attract(columns, self._share), slice(0, len(columns[0].values))
        return np.ascontiguousarray(attraction.all_shares(self.tree_, attract, cases).T)

    def apply(self, X: Input) -> np.ndarray:
        """Leaf (n,) of a case that goes to one child at each node, as training cases do.

        That is the nearest child, or with reading="talk" the one that attracts it most; if the
        value is missing, the heaviest.
        """
        columns = self._columns(X)
        leaf, is_leaf = np.zeros(len(columns[0].values), np.intp), self.tree_.is_leaf
        for node, cases, reach in self._reaches(columns, self._to_one):
            leaf[cases] += (reach * (node * is_leaf[node])[:, None]).sum(axis=0).astype(np.intp)
        return leaf

    def explain(self, case: Case) -> Explanation:
        """One prediction in words and numbers: attraction on the way, leaves, estimates."""
        return explain_prototypes(self, case)

    def _new_values(self, X):
        columns = self._read_new(as_categories(X))
        return np.stack([*map(unseen, columns, self.attributes_)], axis=1)

    def _columns(self, X):
        """The columns of new cases, as they were in training."""
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
        """How the nodes attract these cases."""
        return attraction.Attraction(self.tree_, self.attributes_, columns, share)

    def _share(self, distance, mass):
        return attraction.shares(distance, mass, self.exponent)

    def _crisp(self, distance, mass):
        return attraction.crisp_shares(distance, mass, self._power())

    def _to_one(self, distance, mass):
        return attraction.only(self._crisp(distance, mass).argmax(axis=0), len(distance))

    def _power(self):
        """The power of a prototype's mass by which its distances are divided in a split."""
        return 1 / self.exponent if self.reading == "talk" else 0.0

    def _read_training(self, X, y):
        if isinstance(X, Codes):
            raise TypeError(f"{type(self).__name__} measures values, not Codes: give it X")
        return super()._read_training(as_categories(X), y)


class Distances(Classifier):
    """How far apart values are."""

    distances: dict | None = param(default=None)


class PrototypeLeaves(Classifier):
    """What leaves predict, missing values, when growing stops, and the seed."""

    estimate: str = param(default="laplace", check=check_counts_estimate)
    estimate_params: dict | None = param(default=None)
    missing: str = param(default="mass", check=one_of("mass", "impute", "error"))
    max_depth: int | None = param(default=None, check=integer(1, none=True))
    min_parent: int = param(default=2, check=integer(2))
    seed: int = param(default=1, check=integer(0, most=np.inf))


class Drawing(Classifier):
    """How prototypes draw cases, in training and in use, and which attribute is best."""

    reading: str = param(default="nearest", check=check_reading)
    exponent: float = param(default=2.0, check=check_positive)
    stochastic: int | None = param(default=None, check=integer(1, none=True, most=MOST_PATHS))
    criterion: str = param(default="gain_ratio", check=one_of(*CRITERIA))


class Choice(Classifier):
    """Which attribute is best."""

    criterion: str = param(default="gain_ratio", check=one_of(*CRITERIA))


class NewtonTree(PrototypeLeaves, Drawing, Distances, PrototypeModel):
    """A Newton tree: each node draws a case to the prototypes of the classes (Martinez 2010).

    Parameters
    ----------
    distances : {column: distance}; see `Attribute` for what a distance is, and for the default.
        Categories are names, even if they look like numbers; ordered ones are compared by rank.
    reading : "nearest": a training case goes to the nearest prototype; or "talk": it goes to the
        prototype of greatest mass / distance ** exponent, as step 3 of the slides says; the mass is
        that of the prototype's class in the node.
    exponent : of the distance in the attraction.
    stochastic : number of paths drawn at random for each case, instead of the exact sum over all.
    criterion : "gain_ratio", or "auc": the mean over pairs of classes.
    estimate : a name in `rt.estimate.ESTIMATES` with `estimate_params`.
    missing : "mass" (a case goes down every branch in proportion to its mass), "impute" (the
        column's own prototype) or "error".
    max_depth, min_parent : greatest depth, and least number of cases to split a node.
    seed : of the paths drawn.

    Attributes: `tree_`, `attributes_`, `classes_`, `n_features_in_`, `feature_names_in_`.

    >>> import ranktrees as rt
    >>> data = rt.load("iris")
    >>> NewtonTree(max_depth=1).fit(data.X, data.y).tree_.conditions[1:]
    ('nearest to 0.2', 'nearest to 1.3', 'nearest to 2')
    """

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`.

        With `stochastic` they are the mean over the leaves at the ends of the paths.
        """
        if self.stochastic is None:
            return super().predict_proba(X)
        columns, leaf = self._columns(X), self.tree_.is_leaf
        rng, proba = np.random.default_rng(self.seed), []
        for rows in blocks(len(columns[0].values), len(leaf)):
            p = self._reach([column.take(rows) for column in columns])[:, leaf]
            ends = rng.multinomial(self.stochastic, p / p.sum(axis=1, keepdims=True))
            paths = ends.T / self.stochastic
            proba.append(attraction.leaf_sums(paths, self.node_proba_[leaf]).T)
        return np.concatenate(proba)


class DistanceTree(PrototypeLeaves, Choice, Distances, PrototypeModel):
    """A distance-based decision tree (Estruch 2008): the tree of `NewtonTree`, used crisply.

    A case goes to the nearest prototype at each node, and gets the estimate of one leaf. Parameters
    as in `NewtonTree`; nothing is random.
    """

    _share = PrototypeModel._crisp


class CentreSplitting(PrototypeLeaves, Distances, PrototypeModel):
    """Centre splitting (Thornton 2000): cases go, as a whole, to the nearest centre of a class.

    The centre of a class has the mean of its numbers and the prototypes of its other attributes;
    an attribute's distances are divided by the largest one and their squares added. If cases of
    several classes share a nearest centre, they are divided again. Parameters as in `NewtonTree`.
    """

    _share = PrototypeModel._crisp
    missing: str = param(default="impute", check=one_of("impute", "error"))

    @property
    def feature_importances_(self) -> NoReturn:
        """Raises AttributeError, since a test compares all attributes at once."""
        raise AttributeError("centre splitting has no importances: it compares all attributes")

    def _proposer(self, data, y):
        return NearestCentre(data, y)

    def _attract(self, columns, share):
        return CentreAttraction(self.tree_, self.attributes_, columns, share, self.span_)
