"""Measures of probabilities: squared error, log loss, calibration; and measures by name."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import check_number, shown
from ranktrees_engine.basics.kinds import ArrayLike, Classes, Weights
from ranktrees_engine.basics.logarithms import log, tiny_is_zero
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.evaluate.inputs import (
    NotProbabilities,
    UndefinedMeasure,
    check_probabilities,
    class_scores,
    positive_scores,
)
from ranktrees_engine.evaluate.multiclass import hand_till
from ranktrees_engine.evaluate.ranking import Blocks
from ranktrees_engine.reading.weights import case_weights


@tiny_is_zero()
def brier(
    y: ArrayLike, proba: ArrayLike, classes: Classes = None, *, sample_weight: Weights = None
) -> float:
    """Return the squared error of the probability vectors, per case and divided by the C classes.

    `y` (n,), `proba` (n, C) with rows that sum to 1, `classes` (C,) as in `hand_till`;
    `sample_weight` (n,) weighs the cases, or each counts 1 if it is None. This is Martinez' MSE
    (2010). Brier's own score (1950) is C times as large, and so is scikit-learn's for three classes
    or more; for two classes scikit-learn gives this one.

    >>> round(brier(["a", "b"], [[0.8, 0.2], [0.4, 0.6]]), 3)
    0.1
    """
    codes, proba = class_scores(y, proba, classes)
    check_probabilities(proba)
    true = proba[np.arange(len(codes)), codes]
    return _mean((proba**2).sum(axis=1) - 2 * true + 1, sample_weight) / proba.shape[1]


def _mean(values, sample_weight):
    """Return the mean over the cases (n,), each as often as it weighs."""
    if sample_weight is None:
        return float(values.mean())
    weight = case_weights(sample_weight, len(values))
    rows = np.flatnonzero(weight)
    return float(np.average(values[rows], weights=weight[rows]))


@tiny_is_zero()
def log_loss(
    y: ArrayLike,
    proba: ArrayLike,
    classes: Classes = None,
    eps: float = 0.0,
    *,
    sample_weight: Weights = None,
) -> float:
    """Average -ln P(true class) over the cases, in nats; arguments as in `brier`.

    It is inf as soon as one true class has probability 0, which can happen without smoothing.
    Probabilities below `eps` (0 to 1) are raised to it, without normalising again.
    """
    check_number("eps", eps, 0)
    if eps > 1:
        raise ValueError(f"eps is a probability, at most 1, not {shown(eps)}: try 1e-15")
    codes, proba = class_scores(y, proba, classes)
    check_probabilities(proba)
    true = np.maximum(proba[np.arange(len(codes)), codes], eps)
    return _mean(-log(true), sample_weight)


CLIP = 1e-15  # the least probability that "log-loss-clipped" knows


class Calibration(NamedTuple):
    """Occupied bins (B,): mean predicted probability, observed share, number of cases."""

    predicted: np.ndarray
    observed: np.ndarray
    count: np.ndarray


def calibration_curve(
    y: ArrayLike, score: ArrayLike, bins: int = 10, pos_label: object = None
) -> Calibration:
    """Return predicted probability and observed share, in bins of equal width over 0 to 1.

    Empty bins are left out. `y` (n,), `score` (n,) probabilities of the positive class (default the
    last); a score on a cut goes to the lower bin. Raises ValueError for a score that is not a
    probability.
    """
    check_number("bins", bins, 1, whole=True)
    return _in_bins(*positive_scores(y, score, pos_label), bins)


def _in_bins(hits, score, bins):
    if (outside := (score < 0) | (score > 1)).any():
        row = int(outside.argmax())
        raise NotProbabilities(f"score is {score[row]:g} in row {row}: no probability of 0 to 1")
    place = np.linspace(0, 1, bins + 1)[1:-1].searchsorted(score)
    count, predicted, observed = (np.bincount(place, w, bins) for w in (None, score, hits))
    full = count > 0
    count = count[full]
    return Calibration(predicted[full] / count, observed[full] / count, count)


def _mean_gap(curve):
    """The mean over cases of the gap between predicted and observed (Naeini et al. 2015)."""
    gaps = np.abs(curve.predicted - curve.observed)
    return float((gaps * curve.count).sum() / curve.count.sum())


def classwise_calibration_error(
    y: ArrayLike, proba: ArrayLike, classes: Classes = None, bins: int = 10
) -> float:
    """Return the mean over the declared classes of each one's calibration error against the rest.

    The error is the mean over cases of the gap between predicted probability and observed share in
    their bin. Arguments as in `brier`, rows that sum to 1; each class has `bins` bins of equal
    width; 0 is perfect. Source: classwise-ECE, Kull et al. 2019, Eq. 3.
    """
    check_number("bins", bins, 1, whole=True)
    codes, proba = class_scores(y, proba, classes)
    check_probabilities(proba)
    columns = enumerate(np.minimum(proba, 1).T)  # rounding may leave a little more than 1
    return float(np.mean([_mean_gap(_in_bins(codes == c, p, bins)) for c, p in columns]))


# Measures by name, each on the cases of one test fold


def _accuracy(y, proba, classes):
    codes, proba = class_scores(y, proba, classes)
    return float(np.mean(first_best(proba) == codes))  # as `predict` does


def _auc(y, proba, classes):
    codes, proba = class_scores(y, proba, classes)
    if len(classes) > 2:
        return hand_till(codes, proba, classes)
    return Blocks.of(codes == len(classes) - 1, proba[:, -1]).auc


def _average_precision(y, proba, classes):
    """Average precision of the last of two classes, else the mean of those that occur."""
    codes, proba = class_scores(y, proba, classes)
    occur = np.bincount(codes, minlength=len(classes)) > 0
    ranked = [len(classes) - 1] if len(classes) == 2 else np.flatnonzero(occur)
    if occur.sum() < 2:
        raise UndefinedMeasure("average precision is undefined on a single class")
    return float(np.mean([Blocks.of(codes == c, proba[:, c]).average_precision for c in ranked]))


def _on_codes(name, measure):
    """Return the measure as a function of class codes; nan where it is undefined."""

    def measured(y, proba):
        try:
            return measure(np.asarray(y), proba, range(np.shape(proba)[-1]))
        except UndefinedMeasure:
            return np.nan
        except NotProbabilities as error:
            warn(f"{name} is nan here: {error}")
            return np.nan

    return measured


MEASURES: dict[str, Callable] = {
    name: _on_codes(name, measure)
    for name, measure in {
        "accuracy": _accuracy,
        "auc": _auc,
        "average_precision": _average_precision,
        "auc-wang2006": partial(hand_till, convention="wang2006"),
        "auc-su2004": partial(hand_till, convention="su2004"),
        "brier": brier,
        "log_loss": log_loss,
        "log-loss-clipped": partial(log_loss, eps=CLIP),
        "calibration-error": classwise_calibration_error,
    }.items()
}
"""Name -> function(class codes (n,), scores (n, C)) -> float, for one test fold.

Codes are places in the sorted classes, as in `classes_`; "auc" is the binary AUC of the last of two
classes, else Hand and Till's M, and "average_precision" that class's, else the mean over classes
that occur. A measure that the fold leaves undefined (no case, a single class) is nan; so are, with
a warning, "brier", the log losses and "calibration-error" (classwise, in ten bins) of scores that
are no probabilities. "log-loss-clipped" raises them to at least `CLIP`: one 0
for a true class makes "log_loss" infinite, and its cost here depends on the clip. NaN scores and
codes without a column are errors all the same.
"""
