"""Rankings by a score, two classes: blocks of ties, ROC curve and hull, AUC, gains."""

from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import check_number, even, number_row
from ranktrees_engine.basics.kinds import Array, ArrayLike, Weights
from ranktrees_engine.evaluate.inputs import UndefinedMeasure, positive_scores, score_row
from ranktrees_engine.reading.weights import case_weights

STRAIGHT = 1e-13  # rounding makes no corner of a straight line


class Blocks(NamedTuple):
    """Cases of equal score, highest first: `score`, positive and negative cases (B,)."""

    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray

    @classmethod
    def of(cls, hits: np.ndarray, score: np.ndarray, weight: np.ndarray | float = 1.0) -> "Blocks":
        """Return the blocks of scores (n,) of cases, positive or not (n,), with weights (n,)."""
        levels, block = np.unique(-score, return_inverse=True)
        counts = (np.bincount(block, part * weight, len(levels)) for part in (hits, ~hits))
        return cls(-levels, *counts)

    @property
    def size(self) -> np.ndarray:
        """Cases (B,) of each block."""
        return self.positive + self.negative

    @property
    def auc(self) -> float:
        """Share of pairs ranked right, ties counting half; UndefinedMeasure if there is no pair."""
        positive, negative = self.positive.sum(), self.negative.sum()
        if not positive or not negative:
            raise _no_pairs(positive, negative)
        below = negative - np.cumsum(self.negative) + self.negative / 2
        return float((self.positive * below).sum() / (positive * negative))

    @property
    def accuracy(self) -> float:
        """Share of cases on the right side of 0.5."""
        right = np.where(self.score > 0.5, self.positive, self.negative)
        return float(right.sum() / self.size.sum())

    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """Return shares (B + 1,) of all cases and of positive ones, from the top rank down."""
        return _running(self.size), _running(self.positive)

    def precision_recall(self) -> tuple[np.ndarray, np.ndarray]:
        """Return precision and recall (B,) of calling each block and those above it positive."""
        found = np.cumsum(self.positive)
        return found / np.maximum(np.cumsum(self.size), 1e-300), found / found[-1]

    @property
    def average_precision(self) -> float:
        """Mean precision over recall, each block of ties a single step."""
        precision, recall = self.precision_recall()
        return float((precision * np.diff(recall, prepend=0.0)).sum())

    def roc(self) -> tuple[np.ndarray, np.ndarray]:
        """Return false and true positive rates (B + 1,)."""
        return _running(self.negative), _running(self.positive)


def _running(n):
    return np.concatenate([[0.0], np.cumsum(n) / n.sum()])


def expected_hits(hits: np.ndarray, score: np.ndarray, letters: float) -> float:
    """Return the expected number of positive cases among the `letters` highest scores."""
    hits = even("hits", hits)
    if hits.ndim != 1 or hits.dtype != bool or not hits.any():
        raise ValueError("hits must say for each case whether it is positive; one must be")
    score = score_row("score", score, len(hits))
    check_number("letters", letters, 0)
    x, reached = Blocks.of(hits, score).gains()
    return float(np.interp(letters / len(hits), x, reached) * hits.sum())


# AUC


def auc(
    y: ArrayLike, score: ArrayLike, pos_label: object = None, *, sample_weight: Weights = None
) -> float:
    """Return the chance that a positive case has a higher score than a negative one, a tie half.

    `y` (n,) classes, `score` (n,); the positive class defaults to the last. `sample_weight` (n,)
    weighs the cases, or each counts 1 if it is None. Nothing is rounded. UndefinedMeasure for a
    single class.

    >>> auc(["no", "yes", "no", "yes"], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    hits, score = positive_scores(y, score, pos_label, "AUC")
    weight = 1.0 if sample_weight is None else case_weights(sample_weight, len(hits))
    return Blocks.of(hits, score, weight).auc


def midranks(score: ArrayLike) -> np.ndarray:
    """Return ranks (n,) of scores (n,), the lowest is 1; equal scores share their mean rank.

    >>> midranks([0.3, 0.1, 0.3, 0.9]).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, block, size = np.unique(number_row("score", score), return_inverse=True, return_counts=True)
    return (np.cumsum(size) - (size - 1) / 2)[block]


def auc_from_ranks(positive_rank_sum: float, n_positive: int, n_negative: int) -> float:
    """Return the AUC from the sum S of the n positive cases' ranks: (S - n(n + 1)/2) / (n m).

    Su & Zhang 2004, Eq. 1, call n "the numbers of negative examples", but it is the number of
    positive ones, whose ranks are summed. UndefinedMeasure if n or m is 0.
    """
    check_number("positive_rank_sum", positive_rank_sum, 0)
    check_number("n_positive", n_positive, 0, whole=True)
    check_number("n_negative", n_negative, 0, whole=True)
    if n_positive < 1 or n_negative < 1:
        raise _no_pairs(n_positive, n_negative)
    n, m = int(n_positive), int(n_negative)  # NumPy's own integers may have 32 bits
    return float((positive_rank_sum - n * (n + 1) / 2) / (n * m))


def _no_pairs(n_positive, n_negative):
    return UndefinedMeasure(f"AUC is undefined for {n_positive:g} against {n_negative:g} cases")


# Curves


def roc_curve(
    y: ArrayLike, score: ArrayLike, pos_label: object = None
) -> tuple[Array, Array, Array]:
    """Return false and true positive rates and thresholds, each (B + 1,): a corner per score.

    Cases that score at least the threshold are called positive; the first threshold, inf, calls
    none. Errors as in `auc`.
    """
    blocks = Blocks.of(*positive_scores(y, score, pos_label, "the ROC curve"))
    return *blocks.roc(), np.concatenate([[np.inf], blocks.score])


def convex_hull(fpr: ArrayLike, tpr: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the ROC convex hull of points (n,), from (0, 0) to (1, 1).

    A classifier below it is not the best for any costs or class shares (Provost & Fawcett 1998).
    ValueError for lengths that differ and for rates outside 0 to 1.
    """
    fpr, tpr = number_row("fpr", fpr), number_row("tpr", tpr)
    if len(fpr) != len(tpr):
        raise ValueError(f"there are {len(fpr)} false and {len(tpr)} true positive rates")
    points = np.array([fpr, tpr]).T
    inside = (points >= 0) & (points <= 1)
    if not inside.all():
        row = int((~inside.all(axis=1)).argmax())
        raise ValueError(f"point {row} is {tuple(points[row].tolist())}: rates lie between 0 and 1")
    hull: list[list[float]] = []
    for point in sorted([[0.0, 0.0], *points.tolist(), [1.0, 1.0]]):
        while len(hull) > 1 and not _turn(hull[-2], hull[-1], point) < -STRAIGHT:
            hull.pop()
        hull.append(point)
    x, y = np.array(hull).T
    return x, y


def _turn(a, b, c):
    """Return below 0 where the way from a over b to c turns right, above 0 where left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def pr_curve(
    y: ArrayLike, score: ArrayLike, pos_label: object = None, *, sample_weight: Weights = None
) -> tuple[Array, Array, Array]:
    """Return precision and recall (B + 1,) and thresholds (B,), ascending: a step per score.

    Cases that score at least the threshold are called positive; the last point, of precision 1 and
    recall 0, calls none and has no threshold. `sample_weight` (n,) as in `auc`, and so the errors.

    >>> precision, recall, thresholds = pr_curve(["no", "yes", "no", "yes"], [0.1, 0.4, 0.4, 0.8])
    >>> precision.round(2).tolist(), recall.tolist(), thresholds.tolist()
    ([0.5, 0.67, 1.0, 1.0], [1.0, 1.0, 0.5, 0.0], [0.1, 0.4, 0.8])
    """
    blocks = _weighted(y, score, pos_label, sample_weight, "the precision-recall curve")
    precision, recall = (rate[::-1] for rate in blocks.precision_recall())
    return np.append(precision, 1.0), np.append(recall, 0.0), blocks.score[::-1]


def average_precision(
    y: ArrayLike, score: ArrayLike, pos_label: object = None, *, sample_weight: Weights = None
) -> float:
    """Return the mean of the precision over the positive cases, ties as a single step.

    It sums (R_t - R_(t-1)) P_t over the scores from the highest down; nothing is interpolated
    between two points, which would be too optimistic (Davis & Goadrich 2006). A random ranking has
    about the share of positive cases. Arguments and errors as in `auc`.

    >>> round(average_precision(["no", "yes", "no", "yes"], [0.1, 0.4, 0.4, 0.8]), 3)
    0.833
    """
    return _weighted(y, score, pos_label, sample_weight, "average precision").average_precision


def _weighted(y, score, pos_label, sample_weight, measure):
    """Return the blocks of cases that weigh something."""
    hits, score = positive_scores(y, score, pos_label, measure)
    if sample_weight is None:
        return Blocks.of(hits, score)
    weight = case_weights(sample_weight, len(hits))
    some = weight > 0
    blocks = Blocks.of(hits[some], score[some], weight[some])
    if not blocks.positive.any():
        raise UndefinedMeasure(f"{measure} is undefined: no positive case has a weight above 0")
    return blocks


def gains_curve(y: ArrayLike, score: ArrayLike, pos_label: object = None) -> tuple[Array, Array]:
    """Return shares (B + 1,) of the cases written to and of the positive ones reached, best first.

    Ties are broken at random, so the curve is straight between corners. Errors as in `auc`.
    """
    return Blocks.of(*positive_scores(y, score, pos_label, "the gains curve")).gains()
