"""Parameters that several models share, as mixins; those of a model's last base come first."""

import numpy as np

from ranktrees_engine.basics.arguments import integer, one_of
from ranktrees_engine.basics.kinds import ClassWeight
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.estimator.params import param


def check_estimate(what: str, name: object) -> None:
    """Raise ValueError, listing the known names, unless an estimate has this name."""
    one_of(*ESTIMATES)(what, name)  # asked now, since a reader may have added one


class Estimated(Classifier):
    """What the tree predicts."""

    estimate: str = param(default="frequency", check=check_estimate)
    estimate_params: dict | None = param(default=None)


class Binned(Classifier):
    """How numbers become codes, and what happens to missing values."""

    numeric: str = param(default="bins")
    discretize: str = param(default="equal-width")
    n_bins: int = param(default=10)
    max_codes: int | None = param(default=None)
    missing: str = param(default="impute")


class Weighted(Classifier):
    """The weights of classes, and the seed that is part of every model's interface."""

    class_weight: ClassWeight = param(default=None)
    seed: int = param(default=1, check=integer(0, most=np.inf))
