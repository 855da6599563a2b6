"""Weights of training cases and of classes, rounded so that their sums are exact.

A case of weight 2 counts as two equal cases. A case of weight 0 is left out, but its class and its
values stay known, as declared ones are. This holds for all counts: of bins, of splits, of least
cases in a branch, and of estimates. Weights with a small sum, such as inverse frequencies or
shares, would leave too few cases for any split, so they are scaled to a mean of 1.
"""

import math

import numpy as np

from ranktrees_engine.basics.arguments import check_number, floats, shown
from ranktrees_engine.basics.kinds import Array, ArrayLike, ClassWeight, Weights
from ranktrees_engine.basics.places import places
from ranktrees_engine.basics.warn import warn

EXACT = 1 << 53  # whole numbers up to here are exact in a double
WHOLE = 1 << 31  # and up to here so are products of two of them in an integer
MUCH = 10  # the mean of weights above which they hardly count equal cases
NEAR = 1e-6  # a mean so close to 1 is 1: weights in single precision reach it no nearer


def read_weights(
    sample_weight: Weights, class_weight: ClassWeight, y: Array, classes: Array
) -> Array | None:
    """Return the weight (n,) of cases of classes y (n,), integers if whole; None if all are 1.

    `sample_weight` (n,) at least 0; if None, every case has weight 1. `class_weight`: {class:
    weight}, 1 for a class that is not named, or "balanced", which gives all classes the same total
    weight. Sample weights, and then their products with class weights, are scaled by
    `at_least_mean_one`. Weights that are not whole are rounded, in their 53rd binary place, so that
    their sums are exact in any order: they are the same on every processor, and a branch weighs
    what its cases weigh. Raises ValueError or TypeError for invalid weights, or if fewer than two
    classes are left.
    """
    if sample_weight is None and class_weight is None:
        return None
    weight = np.ones(len(y)) if sample_weight is None else case_weights(sample_weight, len(y))
    weight = at_least_mean_one(weight)
    present = np.bincount(y, weight, len(classes))
    if class_weight is not None and (weight != np.floor(weight)).any():
        present = [math.fsum(weight[y == c].tolist()) for c in range(len(classes))]  # in any order
    weight = weight * of_classes(class_weight, np.array(present), classes.tolist())[y]
    weight = _exact(at_least_mean_one(weight))
    warn_of_much(weight.sum(), np.count_nonzero(weight))
    if np.count_nonzero(np.bincount(y, weight)) < 2:
        raise ValueError("cases of at least two classes need a weight that is not zero")
    return None if (weight == 1).all() else weight


def at_least_mean_one(weight: np.ndarray) -> np.ndarray:
    """Return weights (n,), scaled so that the mean of those above 0 is at least 1.

    The order of the cases changes nothing, and weights that are whole up to rounding become whole.
    """
    n = np.count_nonzero(weight)
    if not 0 < weight.sum() < (1 - NEAR) * n:
        return weight
    return brought_to_mean_one(weight, math.fsum(weight.tolist()), n)


def brought_to_mean_one(weight: np.ndarray, total: float, n: int) -> np.ndarray:
    """Scale some (m,) of the weights, of which n are above 0 and add up to `total`, to mean 1."""
    weight = weight / total * n
    whole = np.rint(weight)
    return np.where(np.abs(weight - whole) <= 1e-12 * whole, whole, weight)


def warn_of_much(total: float, n: int) -> None:
    """Warn if n weights above 0 add up to many more cases than there are rows."""
    if total > MUCH * n:
        warn(
            f"the weights claim {total:,.0f} cases for {n:,} rows, {total / n:,.0f} for each, and "
            "estimates count that many: unless each row stands for several equal cases, divide "
            "the weights by their mean",
            same="the weights claim more cases than there are rows",
        )


def warn_of_little(total: float, min_parent: int, limit: str) -> None:
    """Warn if weights add up to fewer cases than a node needs to be split; `limit` sets it."""
    if total < min_parent:
        warn(
            f"the weights add up to {total:.6g} cases, but splitting a node needs min_parent = "
            f"{min_parent}: the tree is one leaf; give larger weights or a lower {limit}"
        )


def case_weights(sample_weight: ArrayLike, n: int) -> np.ndarray:
    """Return the weights (n,) of cases; ValueError for an invalid weight, and if all are zero."""
    weight = floats("sample_weight", sample_weight)
    if weight.shape != (n,):
        raise ValueError(
            f"sample_weight must be one number per case: shape ({n},), not {weight.shape}"
        )
    check_weights("sample_weight", weight)
    if not weight.any():
        raise ValueError("sample_weight is zero in all rows: some must not be zero")
    return weight


def check_weights(what: str, weight: np.ndarray) -> None:
    """Raise ValueError, naming the row, unless all are valid weights (n,)."""
    wrong = ~(np.isfinite(weight) & (weight >= 0))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(f"{what} is {weight[row]} in row {row}: weights are finite and at least 0")


def _exact(weight):
    """Return weights (n,) whose sums are exact: whole numbers, or multiples of a power of two."""
    total = weight.sum()
    check_total(total)
    if total <= WHOLE and (weight == np.floor(weight)).all():
        return weight.astype(np.int64)
    return rounded(weight, math.fsum(weight.tolist()))  # the same in any order


def check_total(total: float) -> None:
    """Raise ValueError for weights that add up to more than can be counted exactly."""
    if not total <= EXACT:
        raise ValueError(f"weights add up to {total:.3g}, but no more than 2**53 cases are counted")


def rounded(weight: np.ndarray, total: float) -> np.ndarray:
    """Round some (m,) of the weights that add up to `total` in its 53rd binary place."""
    unit = math.ldexp(1.0, max(math.frexp(total)[1] - 52, -1022))
    return np.rint(weight / unit) * unit


def of_classes(class_weight: ClassWeight, present: np.ndarray, classes: list) -> np.ndarray:
    """Return the weight (C,) of each class, whose cases have the total weight `present` (C,)."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        there = np.maximum(present, 1e-300)
        return np.where(present > 0, present.sum() / np.count_nonzero(present) / there, 1)
    if not isinstance(class_weight, dict | None):
        raise TypeError(
            f'class_weight must be "balanced", None or {{class: weight}}, not {class_weight!r}'
        )
    given = class_weight or {}
    for label, weight in given.items():
        if label not in classes:
            known = ", ".join(map(repr, classes))
            raise ValueError(f"class_weight names {shown(label)}, but the classes are {known}")
        check_number(f"class_weight of {shown(label)}", weight, 0)
    each = np.array([float(given.get(label, 1)) for label in classes])
    return np.where(each < np.finfo(float).tiny, 0, each)  # what lost its digits says nothing


def bincount(index: np.ndarray, weight: np.ndarray | None, size: int) -> np.ndarray:
    """Return `np.bincount` (size,), in int64 if the weights (n,) are whole or all are 1.

    `np.bincount` alone counts in 32 bits where addresses have 32, and products of counts wrap.
    """
    total = np.bincount(places(index), weight, size)
    return total.astype(np.int64 if weight is None else weight.dtype, copy=False)


def class_counts(row: Array, y: Array, weight: Array | None, shape: tuple[int, int]) -> Array:
    """Return a table (R, C): the cases of each class y (n,) in each row (n,), or their weight."""
    return bincount(row * shape[1] + y, weight, math.prod(shape)).reshape(shape)


def as_whole_cases(X: np.ndarray, y: np.ndarray, weight: np.ndarray | None) -> tuple:
    """Return codes X (n, A) and classes y (n,) with each case repeated by its weight.

    Raises ValueError for weights that are not whole numbers, or add up to more than 2**31.
    """
    if weight is None:
        return X, y
    if weight.dtype.kind != "i":
        raise ValueError(
            "estimates that differ by case count whole cases: give weights that are whole numbers, "
            "up to 2**31 in all, or take an estimate per node, such as 'laplace'"
        )
    rows = np.repeat(np.arange(len(y)), places(weight))
    return X[rows], y[rows]
