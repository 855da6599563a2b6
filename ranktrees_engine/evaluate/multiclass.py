"""AUC of more than two classes: Hand and Till's M; the cases are sorted once for each class."""

import numpy as np

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.kinds import ArrayLike, Classes
from ranktrees_engine.evaluate.inputs import UndefinedMeasure, class_scores

CONVENTIONS = ("standard", "wang2006", "su2004")
DECIMALS = 10  # what the papers' tables count as equal scores


def pairwise_auc(y: ArrayLike, proba: ArrayLike, classes: Classes = None) -> np.ndarray:
    """Return A(i|j) (C, C): the chance that a case of i has a higher P(c_i) than one of j.

    `y` (n,), `proba` (n, C), `classes` as in `hand_till`; ties count half. NaN on the diagonal and
    for pairs in which a class has no case (Hand & Till 2001).
    """
    return _pairwise(*class_scores(y, proba, classes))


def _pairwise(codes, proba):
    C = proba.shape[1]
    size = np.bincount(codes, minlength=C)
    losses = np.array([lost_pairs(codes, score, c, C) for c, score in enumerate(proba.T)])
    pairs = np.outer(size, size.astype(float))
    pairs[(pairs == 0) | np.eye(C, dtype=bool)] = np.nan
    return 1 - losses / pairs


def lost_pairs(codes, score, c, C) -> np.ndarray:
    """Count pairs (C,) in which a case of class j scores higher than one of c; ties count half."""
    order = score.argsort()
    codes, score = codes[order], score[order]
    before = np.append(0, np.cumsum(codes == c))  # cases of class c before each place
    edges = np.flatnonzero(score[1:] != score[:-1]) + 1
    start, end = np.append(0, edges), np.append(edges, len(score))  # of each block of ties
    twice = np.repeat(before[start] + before[end], end - start)  # those below and those not above
    return np.bincount(codes, twice, minlength=C) / 2


def hand_till(
    y: ArrayLike, proba: ArrayLike, classes: Classes = None, convention: str = "standard"
) -> float:
    """Return Hand and Till's M, the AUC of several classes: a mean over pairs of classes.

    `y` (n,) labels, a Categorical or codes; `proba` (n, C) scores that need not sum to 1; `classes`
    (C,) names its columns (default: the sorted classes, all that a Categorical declares).
    - "standard": mean of (A(i|j) + A(j|i)) / 2 over the pairs of classes that occur in y.
    - "wang2006": mean of A(i|j) over all declared i < j; a pair with an absent class counts 1/2 if
      the other one's P(c_i) are all tied or it is absent too, else 1 (Wang & Zhang 2006's tables).
    - "su2004": the same mean without the pairs that lack a class (Su & Zhang 2004's tables).
    The papers' two conventions rank by P(c_i) alone and depend on the order of the classes, which
    in Weka is the declared one (`pd.Categorical.from_codes(y.codes, range(C))` keeps it). They
    round scores to 10 decimals first, so that rounding breaks no tie. UndefinedMeasure if no pair
    is left.
    """
    choose("convention", convention, CONVENTIONS)
    codes, proba = class_scores(y, proba, classes)
    if convention == "standard":
        areas = _pairwise(codes, proba)  # both directions of each pair, hence the mean of all
    else:
        areas = _one_direction(codes, np.round(proba, DECIMALS), convention == "wang2006")
    areas = areas[~np.isnan(areas)]
    if not len(areas):
        raise UndefinedMeasure(
            f"Hand and Till's M is undefined: the {len(codes)} cases of y hold only one of "
            f"{proba.shape[1]} classes, but it compares pairs of them"
        )
    return float(areas.mean())


def _one_direction(codes, proba, count_absent):
    """Return A(i|j) for i < j, as in the papers; an absent class counts 1 or 1/2, or is nan."""
    C = proba.shape[1]
    low, high = np.full((C, C), np.inf), np.full((C, C), -np.inf)  # of P(c_i) in class j: [j, i]
    np.minimum.at(low, codes, proba)
    np.maximum.at(high, codes, proba)
    differ = high > low
    i, j = np.triu_indices(C, 1)
    areas = _pairwise(codes, proba)[i, j]
    unranked = np.where(differ[i, i] | differ[j, i], 1.0, 0.5)
    return np.where(np.isnan(areas) & count_absent, unranked, areas)
