"""Newton trees, and their antecedents: distance-based trees and centre splitting."""

import numpy as np

from ranktrees.arguments import choose
from ranktrees.blocks import blocks
from ranktrees.models.prototypes import _PrototypeModel, leaf_sums
from ranktrees.newton.centres import CentreAttraction, NearestCentre


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
        super().__init__(distances, estimate, estimate_params, missing, max_depth, min_parent, seed)
        self.reading, self.split_mass, self.criterion = reading, split_mass, criterion
        self.eps, self.exponent, self.stochastic = eps, exponent, stochastic

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities (n, C), one column for each of `classes_`.

        With `stochastic` paths they are the mean of the leaves at their ends.
        """
        if self.stochastic is None:
            return super().predict_proba(X)
        columns, leaf = self._columns(X), self.tree_.is_leaf
        rng, proba = np.random.default_rng(self.seed), []
        for rows in blocks(len(columns[0].values), len(leaf)):
            p = self._dense_reach([column.take(rows) for column in columns])[:, leaf]
            ends = rng.multinomial(self.stochastic, p / p.sum(axis=1, keepdims=True))
            proba.append(leaf_sums(ends.T / self.stochastic, self.node_proba_[leaf]).T)
        return np.concatenate(proba)


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
        super().__init__(distances, estimate, estimate_params, missing, max_depth, min_parent, seed)
        self.criterion = criterion

    _share = _PrototypeModel._crisp


class CentreSplitting(_PrototypeModel):
    """Centre splitting (Thornton 2000): cases go, as a whole, to the nearest centre of a class.

    The centre of a class has the mean of its numbers and the prototypes of its other attributes;
    an attribute's distances are divided by the largest one and their squares added. Where cases of
    several classes are nearest to one centre, they are divided anew. Parameters as in `NewtonTree`.
    """

    _share = _PrototypeModel._crisp

    def _proposer(self, data, y):
        return NearestCentre(data, y)

    def _attract(self, columns, share):
        return CentreAttraction(self.tree_, self.attributes_, columns, share, self.span_)

    def _check_parameters(self):
        super()._check_parameters()
        choose("missing", self.missing, ("impute", "error"))
