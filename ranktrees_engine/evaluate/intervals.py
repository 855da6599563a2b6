"""How far chance in the choice of test cases moves an AUC: DeLong's interval and test.

A case's component is the share of the opposite class that it is ranked right against. The AUC is
their mean, and its variance that of the components, class by class, divided by the class's cases.
Hand and Till's M is a mean of AUCs, so that its components are means of theirs.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_dict, check_number, choose
from ranktrees_engine.basics.kinds import ArrayLike, Classes, Scores, Weights
from ranktrees_engine.basics.warn import WarnOnce, warn
from ranktrees_engine.evaluate.inputs import UndefinedMeasure, class_scores, positive_scores
from ranktrees_engine.reading.weights import at_least_mean_one, case_weights

METHODS = ("delong", "hanley-mcneil")


class AUCInterval(NamedTuple):
    """An AUC, or Hand and Till's M, with the ends of its interval and its standard error."""

    auc: float
    low: float
    high: float
    se: float


class Components(NamedTuple):
    """The parts of an AUC: cases' `classes` (n,), `weight` (n,), `value` (n,), and the `auc`."""

    classes: np.ndarray
    weight: np.ndarray
    value: np.ndarray
    auc: float

    @property
    def sizes(self) -> np.ndarray:
        """Total weight (C,) of the cases of each class."""
        return np.bincount(self.classes, self.weight)

    def variance(self, value: np.ndarray) -> float:
        """Return the variance of a sum over classes of the mean of each class's values (n,)."""
        n = np.maximum(self.sizes, 1)  # a class without cases has no values
        mean = np.bincount(self.classes, self.weight * value) / n
        squares = np.bincount(self.classes, self.weight * (value - mean[self.classes]) ** 2)
        there = squares > 0
        return float((squares[there] / (n[there] - 1) / n[there]).sum())


def auc_interval(
    y: ArrayLike,
    score: ArrayLike,
    pos_label: object = None,
    *,
    classes: Classes = None,
    sample_weight: Weights = None,
    confidence_level: float = 0.95,
    method: str = "delong",
) -> AUCInterval:
    """Return an AUC with its confidence interval: `auc`, `low`, `high` and the standard error `se`.

    `y` (n,) classes; `score` (n,) of the positive class, by default the last, as in `auc`; or
    probabilities (n, C) of all `classes`, for the interval of Hand and Till's M. It is about the
    choice of test cases, and not about that of training cases. `method`: "delong", or
    "hanley-mcneil", which needs the AUC and the classes' sizes alone, for two classes.
    `sample_weight` (n,) counts equal cases; weights of a mean below 1 are scaled to 1. Ends are cut
    to 0 and 1. UndefinedMeasure for a class of a single case; warns of an AUC of 0 or 1, whose
    interval has no width. Source: DeLong, DeLong & Clarke-Pearson 1988; Hanley & McNeil 1982.

    >>> found = auc_interval(["no", "yes", "no", "yes"], [0.1, 0.4, 0.4, 0.8])
    >>> [round(value, 2) for value in found]
    [0.88, 0.53, 1.0, 0.18]
    """
    choose("method", method, METHODS)
    _check_level(confidence_level)
    parts = components(y, score, pos_label, classes, sample_weight)
    if method == "delong":
        variance = parts.variance(parts.value)
    else:
        variance = _hanley_mcneil(parts.auc, parts.sizes)
    if not variance > 0:
        warn(
            f"the AUC is {parts.auc:.3g}, and its interval has no width: this says that the cases "
            "are few, or are easy, and not that the AUC is certain"
        )
    return _interval(parts.auc, variance, confidence_level)


def delong(hits: np.ndarray, score: np.ndarray) -> AUCInterval:
    """Return DeLong's interval of 95 % for cases, positive or not (n,), without any warning."""
    parts = components(hits, score)
    return _interval(parts.auc, parts.variance(parts.value), 0.95)


def _interval(auc, variance, level):
    return AUCInterval(auc, *_ends(auc, variance, level), variance**0.5)


def compare_auc(
    y: ArrayLike,
    scores: Scores,
    pos_label: object = None,
    *,
    classes: Classes = None,
    sample_weight: Weights = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Test by DeLong's test whether rankings {name: score} of the same cases differ in AUC.

    A row for each pair, with columns a, b, auc_a, auc_b, difference (a - b), its interval low to
    high, statistic (z) and p, two-sided; correct many pairs by `holm`. Scores are those of
    `auc_interval`, (n,) or (n, C), whose other arguments these are. Rankings that are the same have
    p = 1. TypeError or ValueError for fewer than two rankings. Source: DeLong, DeLong &
    Clarke-Pearson 1988.

    >>> rankings = {"a": [0.1, 0.7, 0.4, 0.8], "b": [0.6, 0.3, 0.2, 0.9]}
    >>> compare_auc(["no", "yes", "no", "yes"], rankings)["p"].round(2).tolist()
    [0.48]
    """
    from scipy.special import ndtr

    check_dict("scores", scores, "{name: scores}")
    _check_level(confidence_level)
    scores = dict(scores)
    if len(scores) < 2:
        raise ValueError(f"scores has {len(scores)} rankings, but a comparison needs at least two")
    given = {}
    for name, score in scores.items():
        with WarnOnce(str(name)):
            given[str(name)] = components(y, score, pos_label, classes, sample_weight)
    rows = []
    for (a, one), (b, other) in combinations(given.items(), 2):
        difference, variance = one.auc - other.auc, one.variance(one.value - other.value)
        z = _in_deviations(difference, variance)
        ends = _ends(difference, variance, confidence_level, least=-1.0)
        rows.append((a, b, one.auc, other.auc, difference, *ends, z, float(2 * ndtr(-abs(z)))))
    head = ["a", "b", "auc_a", "auc_b", "difference", "low", "high", "statistic", "p"]
    return pd.DataFrame(rows, columns=head)


def components(y, score, pos_label=None, classes=None, weight=None) -> Components:
    """Return the components of the AUC of scores (n,), or of M of scores (n, C), in O(n log n).

    UndefinedMeasure unless at least two classes have cases, and all of these more than one.
    """
    if np.ndim(score) == 2:
        if pos_label is not None:
            raise ValueError("pos_label is for scores (n,), but score has a column per class")
        codes, score = class_scores(y, score, classes)
        ranked = range(score.shape[1])
    else:
        if classes is not None:
            raise ValueError(
                "classes names the columns of scores (n, C), but score is a single row"
            )
        hits, score = positive_scores(y, score, pos_label, "AUC")
        codes, score, ranked = hits.astype(int), score[:, None], [1]
    weight = np.ones(len(codes)) if weight is None else case_weights(weight, len(codes))
    weight = at_least_mean_one(weight)
    _check_sizes(np.bincount(codes, weight))
    return _components(codes, score, ranked, weight)


def _components(codes, score, ranked, weight):
    """Return the components of the mean over pairs of classes, ranked by the columns of `score`."""
    present = np.flatnonzero(np.bincount(codes, weight))
    value, ways = np.zeros(len(codes)), 0
    for column, c in zip(score.T, ranked, strict=True):
        if c in present:
            value += _placed(codes, column, c, present, weight)
            ways += len(present) - 1
    value /= ways
    size = np.bincount(codes, weight)[codes]
    twice = (value * weight / np.where(weight > 0, size, 1)).sum()  # by winners and by losers
    return Components(codes, weight, value, float(twice / 2))


def _placed(codes, score, c, present, weight):
    """Return, for cases of class c, how many of each other class they beat, in shares, summed.

    For cases of another class: the share of class c that beats them. Ties count half.
    """
    levels, block = np.unique(score, return_inverse=True)
    own = codes == c
    share = _shares(block, weight * own, len(levels))
    value = np.where(own, 0.0, (1 - share)[block])  # of class c above each block
    for j in present[present != c]:
        value[own] += _shares(block, weight * (codes == j), len(levels))[block[own]]
    return value


def _shares(block, weight, size):
    """Return the share (B,) of this weight in the blocks below each one, and half of its own."""
    total = np.bincount(block, weight, size)
    return (np.cumsum(total) - total / 2) / total.sum()


def _check_sizes(sizes):
    there = sizes[sizes > 0]
    if len(there) < 2:
        raise UndefinedMeasure("AUC is undefined: a single class has cases whose weight is not 0")
    if there.min() <= 1:
        raise UndefinedMeasure(
            f"the variance of an AUC is undefined: a class has {there.min():g} cases of y, but "
            "needs more than one"
        )


def _check_level(level):
    check_number("confidence_level", level, 0)
    if not 0 < level < 1:
        raise ValueError(f"confidence_level must lie between 0 and 1, as in 0.95, not {level!r}")


def _ends(value, variance, level, least=0.0):
    """Return the ends of the normal interval around a value, cut to `least` and 1."""
    from scipy.special import ndtri

    half = float(ndtri((1 + level) / 2)) * variance**0.5
    return max(value - half, least), min(value + half, 1.0)


def _in_deviations(difference, variance):
    """Return a difference in standard errors; 0 for none, inf for one that never varies."""
    if variance > 0:
        return difference / variance**0.5
    return 0.0 if abs(difference) < 1e-12 else float(np.copysign(np.inf, difference))


def _hanley_mcneil(auc, sizes):
    """Return the variance of an AUC by Hanley and McNeil's formula, from the classes' sizes."""
    if np.count_nonzero(sizes) > 2:
        raise ValueError('method="hanley-mcneil" is for two classes: take "delong" for several')
    m, n = sizes[sizes > 0]
    spread = (n - 1) * (auc / (2 - auc) - auc**2) + (m - 1) * (2 * auc**2 / (1 + auc) - auc**2)
    return float((auc * (1 - auc) + spread) / (n * m))
