"""How well a ranking ranks: AUC by pairs and by ranks, the ROC curve, Hand and Till's M."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np


def auc_by_pairs(positive: Sequence, negative: Sequence) -> float:
    """How often a positive case has a higher score than a negative one; a tie counts half."""
    right = sum((p > q) + (p == q) / 2 for p in positive for q in negative)
    return right / (len(positive) * len(negative))


def midranks(score: Sequence) -> list[float]:
    """The rank of each score, the lowest is 1; equal scores share the mean of their ranks."""
    ordered = sorted(score)
    return [ordered.index(s) + (ordered.count(s) + 1) / 2 for s in score]


def auc(positive: Sequence, negative: Sequence) -> float:
    """(S - n (n + 1) / 2) / (n m), S the rank sum of the n positives (Su & Zhang 2004, Eq. 1)."""
    n, m = len(positive), len(negative)
    S = sum(midranks([*positive, *negative])[:n])
    return (S - n * (n + 1) / 2) / (n * m)


def roc(positive: Sequence, negative: Sequence) -> list[tuple[float, float]]:
    """False and true positive rates: a corner for each score from which on cases are positive."""
    corners = [(0.0, 0.0)]
    for least in sorted({*positive, *negative}, reverse=True):
        false, true = (sum(s >= least for s in part) for part in (negative, positive))
        corners.append((false / len(negative), true / len(positive)))
    return corners


def area_under(corners: list[tuple[float, float]]) -> float:
    """The area under a curve, by trapezia: that of the ROC curve is the AUC."""
    return sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(corners))


def hand_till(y: np.ndarray, proba: np.ndarray) -> float:
    """The mean over pairs of classes of (A(i|j) + A(j|i)) / 2 (Hand & Till 2001, Eq. 7).

    A(i|j) ranks the cases of two classes by P(c_i). Classes that do not occur take no part.
    """

    def A(i, j):
        return auc(proba[y == i, i], proba[y == j, i])

    pairs = list(combinations(np.unique(y), 2))
    return sum((A(i, j) + A(j, i)) / 2 for i, j in pairs) / len(pairs)


def hand_till_of_papers(y: np.ndarray, proba: np.ndarray, count_absent: bool) -> float:
    """The mean of A(i|j), i < j alone, of rounded scores: that of the ranking papers' tables.

    With `count_absent` (Wang & Zhang 2006) a pair that lacks a class counts 1, or 1/2 where the
    other's scores are all tied; without (Su & Zhang 2004) it takes no part.
    """
    proba, areas = proba.round(10), []
    for i, j in combinations(range(proba.shape[1]), 2):
        one, other = proba[y == i, i], proba[y == j, i]
        if len(one) and len(other):
            areas.append(auc(one, other))
        elif count_absent:
            areas.append(1.0 if len({*one, *other}) > 1 else 0.5)
    return sum(areas) / len(areas)
