"""Fields that several models declare: each is one function, with the default of that model."""

from typing import Any

import numpy as np

from ranktrees_engine.basics.arguments import integer, one_of
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.estimator.params import param


def check_estimate(what: str, name: object) -> None:
    """Raise ValueError, listing the known names, unless an estimate has this name."""
    one_of(*ESTIMATES)(what, name)  # asked now, since a reader may have added one


def estimate_field(default: str = "frequency") -> Any:
    """Declare the name of the estimate, one of `rt.estimate.ESTIMATES`."""
    return param(default=default, check=check_estimate)


def estimate_params_field() -> Any:
    """Declare the parameters of the estimate, such as {"m": 2}; `fit` checks them with it."""
    return param(default=None)


def numeric_field(default: str = "bins") -> Any:
    """Declare how numbers become codes, "bins" or "thresholds"; the encoder checks it."""
    return param(default=default)


def discretize_field(default: str = "equal-width") -> Any:
    """Declare how numbers are cut into bins; the encoder checks it."""
    return param(default=default)


def n_bins_field(default: int = 10) -> Any:
    """Declare the number of bins; the encoder checks it."""
    return param(default=default)


def max_codes_field(default: int | None = None) -> Any:
    """Declare the most codes of a number with thresholds; the encoder checks it."""
    return param(default=default)


def missing_field(default: str = "impute") -> Any:
    """Declare what happens to missing values; the encoder checks it."""
    return param(default=default)


def max_depth_field() -> Any:
    """Declare the most tests on a path, None for no limit."""
    return param(default=None, check=integer(1, none=True))


def max_leaf_nodes_field() -> Any:
    """Declare the most leaves of a tree, None for no limit."""
    return param(default=None, check=integer(2, none=True))


def class_weight_field() -> Any:
    """Declare the weights of classes; `fit` checks them with the classes."""
    return param(default=None)


def seed_field() -> Any:
    """Declare the seed, which is part of every model's interface."""
    return param(default=1, check=integer(0, most=np.inf))
