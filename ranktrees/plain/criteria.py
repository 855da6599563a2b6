"""Split criteria: functions of a table n (V, C), cases by value and class; larger is better.

Numbers in brackets are sections of Rokach & Maimon, Data Mining and Knowledge Discovery Handbook.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ranktrees.plain.tree import Array, Vector

Criterion = Callable[[Array], float]
TIE = 1e-9  # scores so close are equal, and a gain so small counts as none, in spite of rounding


def first_best(scores: Sequence[float], tie: float = TIE) -> int:
    """Return the position of the first score within `tie` of the best."""
    best = max(scores)
    return next(i for i, score in enumerate(scores) if score >= best - tie)


def share(part: Any, whole: float) -> Any:
    """Return part / whole; 0 if the whole is 0 but for rounding."""
    return part / whole if whole > 1e-12 else 0.0


def log2(x: float) -> float:
    """Compute log2(x) as Weka does, so that sums which tie there tie here."""
    return math.log(x) / math.log(2)


def entropy(counts: Vector) -> float:
    """Return - sum p_c log2 p_c, bits of a class distribution; with p_c = n_c / N (9.3.3)."""
    N = sum(counts)
    return log2(N) - sum(n_c * log2(n_c) for n_c in counts if n_c > 0) / N if N > 0 else 0.0


def gini(counts: Vector) -> float:
    """Return 1 - sum p_c^2: how often two cases drawn with replacement differ in class (9.3.4)."""
    N = sum(counts)
    return 1 - sum((n_c / N) ** 2 for n_c in counts) if N > 0 else 0.0


def dkm_impurity(counts: Vector) -> float:
    """Return 2 sqrt(p_1 p_2) of two classes (9.3.6)."""
    N = sum(counts)
    return 2 * math.sqrt(counts[0] / N * counts[1] / N) if N > 0 else 0.0


def impurity_gain(n: Array, impurity: Callable[[Vector], float]) -> float:
    """Return the node's impurity minus that of its branches, weighted by their cases (9.3.2)."""
    gain = impurity(n.sum(axis=0))
    for branch in n:
        gain -= share(branch.sum(), n.sum()) * impurity(branch)
    return gain


information_gain = partial(impurity_gain, impurity=entropy)  # the bits that a test saves (9.3.3)
gini_gain = partial(impurity_gain, impurity=gini)  # the Gini index that it saves (9.3.4)
dkm = partial(impurity_gain, impurity=dkm_impurity)  # (9.3.6)


def likelihood_ratio(n: Array) -> float:
    """Return G^2 = 2 ln 2 N gain (9.3.5)."""
    return 2 * math.log(2) * n.sum() * information_gain(n)


def chi_squared(n: Array) -> float:
    """Return sum (observed - expected)^2 / expected, expected for independent value and class."""
    expected = np.outer(n.sum(axis=1, dtype=float), n.sum(axis=0)) / max(n.sum(), 1)
    return sum(share((o - e) ** 2, e) for o, e in zip(n.flat, expected.flat, strict=True))


def hypergeometric(n: Array) -> float:
    """Return - log2 P, P = prod n_v! prod n_c! / (N! prod n_vc!), given the margins (9.3.15)."""

    def ln_factorials(counts: Iterable[int]) -> float:
        return sum(math.lgamma(count + 1) for count in counts)

    margins = ln_factorials(n.sum(axis=1)) + ln_factorials(n.sum(axis=0))
    return (ln_factorials(n.flat) + ln_factorials([n.sum()]) - margins) / math.log(2)


def gain_ratio(n: Array) -> float:
    """Return gain / entropy of the branches' sizes (9.3.8; Quinlan 1993)."""
    return share(information_gain(n), entropy(n.sum(axis=1)))


def distance(n: Array) -> float:
    """Return gain / joint entropy of value and class (9.3.9; Lopez de Mantaras 1991)."""
    return share(information_gain(n), entropy(n.ravel()))


def twoing(n: Array) -> float:
    """Return P_1 P_2 / 4 (sum_c |p_1c - p_2c|)^2 of two branches (9.3.11; Breiman et al. 1984)."""
    one, two = n
    apart = np.abs(share(one, one.sum()) - share(two, two.sum())).sum()
    return share(one.sum(), n.sum()) * share(two.sum(), n.sum()) / 4 * apart**2


def orthogonal(n: Array) -> float:
    """Return 1 - cos of the angle between the class vectors of two branches (9.3.12)."""
    one, two = n.astype(float)
    length = math.hypot(*one) * math.hypot(*two)
    return 1 - (one * two).sum() / length if length > 0 else 0.0


def kolmogorov_smirnov(n: Array) -> float:
    """Return |P(branch 1 | i) - P(branch 1 | j)| of the classes i, j furthest apart (9.3.13)."""
    shares = [n_1 / (n_1 + n_2) for n_1, n_2 in n.T if n_1 + n_2 > 0]
    return max(shares) - min(shares) if shares else 0.0


def auc(n: Array) -> float:
    """Return the area under the ROC curve of the branches, in order of p_1, minus 1/2 (9.3.14)."""
    area = positives = 0.0
    for neg, pos in sorted(n[n.any(axis=1)].tolist(), key=lambda row: -row[1] / sum(row)):
        area += neg * (positives + pos / 2)
        positives += pos
    pairs = n[:, 0].sum() * float(n[:, 1].sum())
    return area / pairs - 0.5 if pairs > 0 else 0.0


if __name__ == "__main__":
    n = np.array([[0, 3], [4, 3]])
    print("gain", round(information_gain(n), 3), "Gini", round(gini_gain(n), 3))
    # gain 0.281 Gini 0.137
