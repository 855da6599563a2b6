"""Newton trees: each node draws a case to the prototypes of the classes."""

import numpy as np

from ranktrees_engine.basics.arguments import check_positive, choose, integer, one_of
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Input
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.estimator.params import param
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.prototypes import PrototypeModel, counts_estimate_field
from ranktrees_engine.newton import attraction
from ranktrees_engine.newton.prototypes import CRITERIA

MOST_PATHS = 10**9  # drawn for a case
READINGS = ("nearest", "talk")
RENAMED = {"standard": "nearest", "as_slides": "talk"}


def check_reading(what, name) -> None:
    """Raise TypeError or ValueError unless in `READINGS`; for an old name, give the new one."""
    if isinstance(name, str) and name in RENAMED:
        raise ValueError(f"{what} {name!r} is now called {RENAMED[name]!r}: write that")
    choose(what, name, READINGS)


class NewtonTree(PrototypeModel):
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

    distances: dict | None = param(default=None)
    reading: str = param(default="nearest", check=check_reading)
    exponent: float = param(default=2.0, check=check_positive)
    stochastic: int | None = param(default=None, check=integer(1, none=True, most=MOST_PATHS))
    criterion: str = param(default="gain_ratio", check=one_of(*CRITERIA))
    estimate: str = counts_estimate_field()
    estimate_params: dict | None = fields.estimate_params_field()
    missing: str = param(default="mass", check=one_of("mass", "impute", "error"))
    max_depth: int | None = fields.max_depth_field()
    min_parent: int = param(default=2, check=integer(2))
    seed: int = fields.seed_field()

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return class probabilities (n, C), one column for each of `classes_`.

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

    def _share(self, distance, mass):
        return attraction.shares(distance, mass, self.exponent)

    def _power(self):
        return 1 / self.exponent if self.reading == "talk" else 0.0
