"""AUC of more than two classes: Hand and Till's M, in as many sorts as there are classes."""

import numpy as np

from ranktrees.arguments import choose
from ranktrees.evaluate.inputs import UndefinedMeasure, class_scores

CONVENTIONS = ("standard", "wang2006", "su2004")
DECIMALS = 10  # what the papers' tables count as equal scores


def pairwise_auc(y, proba, classes=None) -> np.ndarray:
    """A(i|j) (C, C): the chance that a case of class i has a higher P(c_i) than one of class j.

    `y` (n,), `proba` (n, C), `classes` as in `hand_till`; ties count half. NaN on the diagonal and
    where one of the two classes has no case (Hand & Till 2001).
    """
    return _pairwise(*class_scores(y, proba, classes))


def _pairwise(codes, proba):
    C = proba.shape[1]
    size = np.bincount(codes, minlength=C)
    lost = np.array([_lost(codes, score, c, C) for c, score in enumerate(proba.T)])
    pairs = np.outer(size, size).astype(float)
    pairs[(pairs == 0) | np.eye(C, dtype=bool)] = np.nan
    return 1 - lost / pairs


def _lost(codes, score, c, C):
    """(C,) pairs of a case of class c and one of class j that has the higher score, a tie half."""
    order = score.argsort()
    codes, score = codes[order], score[order]
    own = np.append(0, np.cumsum(codes == c))  # cases of class c before each place
    edges = np.flatnonzero(score[1:] != score[:-1]) + 1
    start, end = np.append(0, edges), np.append(edges, len(score))  # of each block of ties
    twice = np.repeat(own[start] + own[end], end - start)  # c's cases below, and those not above
    return np.bincount(codes, twice, minlength=C) / 2


def hand_till(y, proba, classes=None, convention: str = "standard") -> float:
    """Hand and Till's M, the AUC of several classes: a mean over pairs of classes.

    `y` (n,) labels, a Categorical or codes; `proba` (n, C) scores that need not sum to 1; `classes`
    (C,) names its columns (default: the sorted classes, all that a Categorical declares).
    - "standard": mean of (A(i|j) + A(j|i)) / 2 over the pairs of classes that occur in y.
    - "wang2006": mean of A(i|j) over all declared i < j; a pair with an absent class counts 1/2 if
      the other one's P(c_i) are all tied or it is absent too, else 1 (Wang & Zhang 2006's tables).
    - "su2004": the same mean without the pairs that lack a class (Su & Zhang 2004's tables).
    The papers' two, which rank by P(c_i) alone, hang on the order of the classes, which in Weka is
    the declared one (`pd.Categorical.from_codes(y.codes, range(C))` keeps it). They round scores to
    10 decimals first, so that rounding breaks no tie. UndefinedMeasure where no pair is left.
    """
    choose("convention", convention, CONVENTIONS)
    codes, proba = class_scores(y, proba, classes)
    if convention == "standard":
        found = _pairwise(codes, proba)  # both directions of each pair, hence the mean of all
    else:
        found = _one_direction(codes, np.round(proba, DECIMALS), convention == "wang2006")
    defined = found[~np.isnan(found)]
    if not len(defined):
        raise UndefinedMeasure(
            f"Hand and Till's M is undefined: the {len(codes)} cases of y hold only one of "
            f"{proba.shape[1]} classes, but it compares pairs of them"
        )
    return float(defined.mean())


def _one_direction(codes, proba, count_absent):
    """A(i|j) for i < j, as the papers have it: one row of pairs."""
    i, j = np.triu_indices(proba.shape[1], 1)
    found = _pairwise(codes, proba)[i, j]
    absent = np.isnan(found)
    if count_absent and absent.any():
        spread = _spread(codes, proba)
        i, j = i[absent], j[absent]
        found[absent] = np.where(spread[i, i] | spread[j, i], 1.0, 0.5)
    return found


def _spread(codes, proba):
    """(C, C) whether P(c_i) differs among the cases of class j, at [j, i]; absent ones do not."""
    low, high = np.full((2, proba.shape[1], proba.shape[1]), np.inf)
    high = -low
    np.minimum.at(low, codes, proba)
    np.maximum.at(high, codes, proba)
    return high > low
