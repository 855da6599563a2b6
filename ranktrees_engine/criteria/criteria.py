"""Split criteria: each one a short pure function of a count table `value x class`.

Contract, the same for all: the table `n` has shape (..., V, C); leading axes are batch axes and
stay; larger is better; rows and columns without a case change nothing; 0 log 0 = 0; a table with a
single occupied row scores 0, since nothing is split. Sources: Rokach & Maimon, Data Mining and
Knowledge Discovery Handbook, section 9.3 (R&M below), and the papers they name.
"""

from collections.abc import Callable

import numpy as np

from ranktrees_engine.basics.arguments import even
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log2, xlog2x


def _share(part, whole):
    """Return part / whole, and 0 where the whole is 0."""
    return np.where(whole > 0, part / np.maximum(whole, 1e-300), 0.0)


def _counts(counts, what="counts", axes=1) -> np.ndarray:
    """Return the counts as numbers with at least `axes` axes; ValueError for anything else.

    Whole ones are int64, so that products of two of them do not wrap around on 32 bits either.
    """
    counts = even(what, counts)
    if counts.ndim < axes or counts.dtype.kind not in "biuf":
        axes = ("a class", "value x class")[axes - 1]
        raise ValueError(f"{what} must be counts, {axes}, not {counts.dtype}{counts.shape}")
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64, copy=False)


# Impurity of a class distribution: counts (..., C) -> (...)


def entropy(counts: np.ndarray) -> np.ndarray:
    """Return the entropy in bits of class counts (..., C): 0 if pure, at most log2 C (R&M 9.3.3).

    >>> np.round(entropy(np.array([[0, 6], [1, 5], [2, 4], [3, 3]])), 2).tolist()
    [0.0, 0.65, 0.92, 1.0]
    """
    counts = _counts(counts)
    pure = (counts > 0).sum(axis=-1) <= 1  # exactly 0, whatever the logarithms' last digits
    return np.where(pure, 0.0, np.maximum(_entropy(counts), 0))


def _entropy(counts):
    total = counts.sum(axis=-1)
    return log2(total) - _share(xlog2x(counts).sum(axis=-1), total)


def gini(counts: np.ndarray) -> np.ndarray:
    """Return the Gini index 1 - sum p^2 of class counts (..., C) (R&M 9.3.4; Breiman et al. 1984).

    >>> np.round(gini(np.array([[0, 6], [1, 5], [2, 4], [3, 3]])), 3).tolist()
    [0.0, 0.278, 0.444, 0.5]
    """
    counts = _counts(counts)
    total = counts.sum(axis=-1)
    return np.where(total > 0, 1 - (_share(counts, total[..., None]) ** 2).sum(axis=-1), 0.0)


def dkm_impurity(counts: np.ndarray) -> np.ndarray:
    """Return 2 sqrt(p1 p2) of counts (..., 2), two classes (R&M 9.3.6; Kearns & Mansour 1999)."""
    counts = _at_most_two(_counts(counts), "dkm", "classes")
    share = _share(counts, counts.sum(axis=-1, keepdims=True))
    return 2 * np.sqrt(share[..., 0] * share[..., 1])


IMPURITIES: dict[str, Callable] = {"entropy": entropy, "gini": gini, "dkm": dkm_impurity}


def impurity_gain(n: np.ndarray, impurity: Callable) -> np.ndarray:
    """Return the node's impurity minus its branches' weighted impurity (R&M 9.3.2): (...,)."""
    n = _counts(n, "n", 2)
    rows = n.sum(axis=-1)
    weight = _share(rows, rows.sum(axis=-1, keepdims=True))
    return impurity(n.sum(axis=-2)) - (weight * impurity(n)).sum(axis=-1)


# Criteria: tables (..., V, C) -> (...)


def information_gain(n: np.ndarray) -> np.ndarray:
    """Return the class's entropy minus the branches' weighted entropy, in bits (R&M 9.3.3).

    Summed in the order of Weka's Id3, so that trees agree even where two gains tie exactly.
    """
    n = _counts(n, "n", 2)
    rows = n.sum(axis=-1)
    within = _share(rows, rows.sum(axis=-1, keepdims=True)) * _entropy(n)
    before = _entropy(n.sum(axis=-2))[..., None]
    return np.subtract.reduce(np.concatenate([before, within], axis=-1), axis=-1)


def gain_and_information(
    n: Array, rows: Array | None = None, classes: Array | None = None
) -> tuple[Array, Array]:
    """Return information gain and split information, which share their sums: two arrays (...,).

    `rows` (..., V) and `classes` (..., C): the tables' margins, where they are known already.
    """
    n = _counts(n, "n", 2)
    by_value = n.sum(axis=-1) if rows is None else rows
    by_class = n.sum(axis=-2) if classes is None else classes
    total = by_class.sum(axis=-1)
    all_cases, total = xlog2x(total), np.maximum(total, 1e-300)
    between = (all_cases - xlog2x(by_value).sum(axis=-1)) / total
    cells = xlog2x(n).sum(axis=-1).sum(axis=-1)
    within = (xlog2x(by_class).sum(axis=-1) - cells) / total
    return between - within, between


def gini_gain(n: np.ndarray) -> np.ndarray:
    """Return the Gini index of the node minus that of its branches (R&M 9.3.4).

    That is (sum of n_vc^2 / n_v - sum of n_c^2 / N) / N: sums of squares after and before.
    """
    n = _counts(n, "n", 2)
    rows, classes = n.sum(axis=-1), n.sum(axis=-2)
    total = rows.sum(axis=-1)
    after = _share((n * n).sum(axis=-1), rows).sum(axis=-1)
    before = _share((classes * classes).sum(axis=-1), total)
    return _share(after - before, total)


def dkm(n: np.ndarray) -> np.ndarray:
    """Return the DKM impurity of the node minus that of its branches; two classes (R&M 9.3.6)."""
    n = _counts(n, "n", 2)
    two = _at_most_two(n.swapaxes(-1, -2), "dkm", "classes", axis=-2).swapaxes(-1, -2)
    return impurity_gain(two, dkm_impurity)


def likelihood_ratio(n: np.ndarray) -> np.ndarray:
    """Return G^2 = 2 ln 2 N gain, chi-squared under independence (R&M 9.3.5; Attneave 1959)."""
    gain = information_gain(n)
    gain = np.where(gain > 1e-13, gain, 0)  # N would blow up what is rounding alone
    return 2 * np.log(2) * np.sum(n, axis=(-2, -1)) * gain


def chi_squared(n: np.ndarray) -> np.ndarray:
    """Return Pearson's chi-squared statistic: sum of (observed - expected)^2 / expected."""
    n = _counts(n, "n", 2)
    rows, classes = n.sum(axis=-1, keepdims=True), n.sum(axis=-2, keepdims=True)
    expected = _share(rows * classes, n.sum(axis=(-2, -1), keepdims=True))
    return _share((n - expected) ** 2, expected).sum(axis=(-2, -1))


def hypergeometric(n: np.ndarray) -> np.ndarray:
    """Return -log2 P of the table given its margins, if value and class are independent.

    The exact counterpart of chi-squared for small tables (Martin 1997, named in R&M 9.3.15). It is
    0 only if nothing is split, so stop the tree by `significance` or a least score.
    """
    from scipy.special import gammaln

    n = _counts(n, "n", 2)
    rows, classes = n.sum(axis=-1), n.sum(axis=-2)
    margins = gammaln(rows + 1).sum(axis=-1) + gammaln(classes + 1).sum(axis=-1)
    cells = gammaln(n + 1).sum(axis=-1).sum(axis=-1) + gammaln(rows.sum(axis=-1) + 1)
    return (cells - margins) / np.log(2)


def p_value(n: np.ndarray) -> np.ndarray:
    """Return the p-value (...,) of Pearson's chi-squared with (V - 1)(C - 1) degrees of freedom."""
    from scipy.special import chdtrc

    n = _counts(n, "n", 2)
    occupied, present = n.any(axis=-1).sum(axis=-1), n.any(axis=-2).sum(axis=-1)
    freedom = (occupied - 1) * (present - 1)
    return np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), chi_squared(n)), 1.0)


def split_information(n: np.ndarray) -> np.ndarray:
    """Return the entropy in bits of the branch sizes, whatever the class (Quinlan 1993)."""
    return entropy(_counts(n, "n", 2).sum(axis=-1))


def gain_ratio(n: np.ndarray) -> np.ndarray:
    """Return information gain / split information; 0 where that is 0 (R&M 9.3.8; Quinlan 1993).

    A tree uses it in two stages: only attributes of at least average gain compete.
    """
    return _share(*gain_and_information(n))


def distance_measure(n: np.ndarray) -> np.ndarray:
    """Return gain / joint entropy of value and class (R&M 9.3.9; Lopez de Mantaras 1991)."""
    n = _counts(n, "n", 2)
    cells = n.reshape(*n.shape[:-2], n.shape[-2] * n.shape[-1])
    return _share(information_gain(n), entropy(cells))


def twoing(n: np.ndarray) -> np.ndarray:
    """Return P1 P2 / 4 (sum |p1c - p2c|)^2 of a two-branch table (R&M 9.3.11; Breiman 1984)."""
    n = _two_rows(n, "twoing")
    rows = n.sum(axis=-1, keepdims=True)
    part = _share(rows, rows.sum(axis=-2, keepdims=True))[..., 0]
    apart = np.abs(np.diff(_share(n, rows), axis=-2)).sum(axis=(-2, -1))
    return 0.25 * part.prod(axis=-1) * apart**2


def orthogonal(n: np.ndarray) -> np.ndarray:
    """Return 1 - cos of the angle between two branches' class vectors: ORT (R&M 9.3.12)."""
    n = _two_rows(n, "orthogonal").astype(float)
    length = np.sqrt((n**2).sum(axis=-1)).prod(axis=-1)
    return np.where(length > 0, 1 - _share(n.prod(axis=-2).sum(axis=-1), length), 0.0)


def kolmogorov_smirnov(n: np.ndarray) -> np.ndarray:
    """Return the largest |P(branch 1 | i) - P(branch 1 | j)| over pairs of classes i, j present.

    Two classes: Friedman 1977, R&M 9.3.13. More classes: the pair that is furthest apart, in the
    spirit of Utgoff & Clouse 1996.
    """
    n = _two_rows(n, "kolmogorov_smirnov")
    classes = n.sum(axis=-2)
    first = _share(n[..., 0, :], classes)
    low, high = np.where(classes > 0, first, 1), np.where(classes > 0, first, 0)
    return np.maximum(high.max(axis=-1) - low.min(axis=-1), 0)


def auc_split(n: np.ndarray) -> np.ndarray:
    """Return the area between the split's ROC hull and the diagonal, AUC - 1/2; two classes.

    Branches are ranked by their share of class 1, which makes the curve convex (R&M 9.3.14;
    Ferri, Flach & Hernandez-Orallo 2002). A perfect split scores 1/2, a useless one 0.
    """
    n = _counts(n, "n", 2)
    n = _at_most_two(n.swapaxes(-1, -2), "auc", "classes", axis=-2).swapaxes(-1, -2)
    order = np.argsort(-_share(n[..., 1], n.sum(axis=-1)), axis=-1, kind="stable")
    neg, pos = np.moveaxis(np.take_along_axis(n, order[..., None], axis=-2), -1, 0)
    below = (neg * (np.cumsum(pos, axis=-1) - pos / 2)).sum(axis=-1)
    pairs = neg.sum(axis=-1) * pos.sum(axis=-1)
    return np.where(pairs > 0, _share(below, pairs) - 0.5, 0.0)


def _two_rows(n, name):
    return _at_most_two(_counts(n, "n", 2), name, "branches", axis=-2)


def _at_most_two(n, name, what, axis=-1):
    """Drop what is empty along `axis`, which must leave at most two (padded with zeros)."""
    occupied = n.any(axis=-1) if axis == -2 else n > 0
    most = int(occupied.sum(axis=-1).max(initial=0))
    if most > 2:
        advice = 'grow with split="binary"' if what == "branches" else "use another criterion"
        raise ValueError(f"{name} compares two {what}, but a table has {most}: {advice}")
    if n.shape[axis] == 2:
        return n
    if n.shape[axis] < 2:
        pad = [(0, 0)] * n.ndim
        pad[axis] = (0, 2 - n.shape[axis])
        return np.pad(n, pad)
    first = np.argsort(~occupied, axis=-1, kind="stable")[..., :2]
    return np.take_along_axis(n, first[..., None] if axis == -2 else first, axis=axis)


CRITERIA: dict[str, Callable] = {
    "information_gain": information_gain,
    "gini": gini_gain,
    "gain_ratio": gain_ratio,
    "distance": distance_measure,
    "likelihood_ratio": likelihood_ratio,
    "chi_squared": chi_squared,
    "hypergeometric": hypergeometric,
    "dkm": dkm,
    "twoing": twoing,
    "orthogonal": orthogonal,
    "kolmogorov_smirnov": kolmogorov_smirnov,
    "auc": auc_split,
}
SYNONYMS = dict.fromkeys(("entropy", "log_loss"), "information_gain")  # scikit-learn's words
