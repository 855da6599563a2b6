"""Newton trees, and their antecedents: distance-based trees and centre splitting."""

import numpy as np

from ranktrees.arguments import check_number, choose
from ranktrees.grow import Stop, grow
from ranktrees.models.prototypes import _PrototypeModel
from ranktrees.newton.attraction import reached
from ranktrees.newton.centres import CentreDistances, NearestCentre, centre_tree


class NewtonTree(_PrototypeModel):
    """A Newton tree: each node draws a case to the prototypes of the classes (Martinez 2010).

    Parameters
    ----------
    distances : {column: distance}; see `Attribute` for what a distance is, and for the default.
        Categories are names, even if they are spelt as numbers; ordered ones go by their ranks.
    reading : "standard", in which a training case goes to the nearest prototype, or "as_slides", to
        the one of greatest mass / distance ** 2, the mass being that of its class in the node.
    split_mass : "unit" or "class"; None: as the reading has it.
    eps : least distance, as a share of the largest one in the attribute.
    exponent : of the distance in the attraction.
    stochastic : number of paths drawn by chance for each case, instead of the exact sum over all.
    criterion : "gain_ratio", or "auc": the mean over pairs of classes.
    estimate : a name in `rt.estimate.ESTIMATES` with `estimate_params`.
    missing : "mass" (a case goes down every branch, by the mass there), "impute" (the column's own
        prototype) or "error".
    max_depth, min_parent : depth, and cases of a node to be split.
    seed : of the paths drawn.

    Attributes: `tree_`, `attributes_`, `classes_`, `n_features_in_`, `feature_names_in_`.

    >>> import ranktrees as rt
    >>> data = rt.load("iris")
    >>> NewtonTree(max_depth=1).fit(data.X, data.y).tree_.conditions[1:]
    ('nearest to 0.2', 'nearest to 1.3', 'nearest to 2')
    """

    def __init__(
        self,
        distances=None,
        reading="standard",
        split_mass=None,
        eps=0.0,
        exponent=2.0,
        stochastic=None,
        criterion="gain_ratio",
        estimate="laplace",
        estimate_params=None,
        missing="mass",
        max_depth=None,
        min_parent=2,
        seed=1,
    ):
        self.distances, self.reading, self.split_mass = distances, reading, split_mass
        self.eps, self.exponent, self.stochastic = eps, exponent, stochastic
        self.criterion, self.estimate, self.estimate_params = criterion, estimate, estimate_params
        self.missing, self.max_depth, self.min_parent = missing, max_depth, min_parent
        self.seed = seed

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`.

        With `stochastic` paths they are the mean of the leaves at their ends.
        """
        if self.stochastic is None:
            return super().predict_proba(X)
        check_number("stochastic", self.stochastic, 1, whole=True)
        rng = np.random.default_rng(self.seed)
        leaf = self._leaves()

        def drawn(p):
            p = reached(self.tree_, p)[leaf].T
            ends = rng.multinomial(self.stochastic, p / p.sum(axis=1, keepdims=True))
            return ends @ self.node_proba_[leaf] / self.stochastic

        return self._by_case(X, drawn)

    def _check_parameters(self):
        super()._check_parameters()
        if self.stochastic is not None:
            check_number("stochastic", self.stochastic, 1, whole=True)


class DistanceTree(_PrototypeModel):
    """A distance-based decision tree (Estruch 2008): the tree of `NewtonTree`, used crisply.

    A case goes to the nearest prototype at each node, and gets the estimate of one leaf. Parameters
    as in `NewtonTree`; nothing is drawn by chance.
    """

    def __init__(
        self,
        distances=None,
        criterion="gain_ratio",
        estimate="laplace",
        estimate_params=None,
        missing="mass",
        max_depth=None,
        min_parent=2,
        seed=1,
    ):
        self.distances, self.criterion = distances, criterion
        self.estimate, self.estimate_params = estimate, estimate_params
        self.missing, self.max_depth, self.min_parent = missing, max_depth, min_parent
        self.seed = seed

    def _shares(self, tree, distance):
        return self._crisp(tree, distance)


class CentreSplitting(_PrototypeModel):
    """Centre splitting (Thornton 2000): cases go, as a whole, to the nearest centre of a class.

    The centre of a class has the mean of its numbers and the prototypes of its other attributes;
    an attribute's distances are divided by the largest one and their squares added. Where cases of
    several classes are nearest to one centre, they are divided anew. Parameters as in `NewtonTree`.
    """

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
        self.distances = distances
        self.estimate, self.estimate_params = estimate, estimate_params
        self.missing, self.max_depth, self.min_parent = missing, max_depth, min_parent
        self.seed = seed

    def _grow(self, data, y):
        proposer, stop = NearestCentre(data, y), Stop(self.max_depth, self.min_parent)
        tree = grow(self._cases(data, y), proposer, self.classes_.tolist(), stop)
        found = np.concatenate([np.empty((0, len(data.code))), *proposer.found])
        self.tree_ = centre_tree(tree, found, data)
        centres = self.tree_.schema[0].values
        self._keep(
            data, [[c[a] for c in centres if c[a] is not None] for a in range(len(data.code))]
        )

    def _measure(self):
        return CentreDistances(self.tree_, self.attributes_, self.span_)

    def _shares(self, tree, distance):
        return self._crisp(tree, distance)

    def _check_parameters(self):
        super()._check_parameters()
        choose("missing", self.missing, ("impute", "error"))
