"""Tests whether one method is better than another, on one data set and over many."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_flag, check_number, floats, number_row, shown
from ranktrees_engine.basics.kinds import ArrayLike

DIGITS = 12  # differences below 1e-12 of the largest value are rounding, not evidence


class Significance(NamedTuple):
    """Mean `difference` a - b, test `statistic`, two-tailed `p`, degrees of freedom (or None)."""

    difference: float
    statistic: float
    p: float
    df: int | None


class Friedman(NamedTuple):
    """Average `ranks` (methods,), chi-squared `statistic`, `p`, `df`; Iman and Davenport's F."""

    ranks: np.ndarray
    statistic: float
    p: float
    df: int
    f: float
    f_p: float
    f_df: tuple[int, int]


def paired_t(a: ArrayLike, b: ArrayLike) -> Significance:
    """Apply Student's paired t-test to a (J,) and b (J,), measured on the same J folds.

    It assumes independent folds, but their training sets overlap: with repeated cross-validation it
    calls too many differences significant (Dietterich 1998). Equal inputs give p = 1. Raises
    ValueError for unequal lengths, NaN or fewer than two values.
    """
    return corrected_t(a, b, test_to_train=0)


def corrected_t(a: ArrayLike, b: ArrayLike, test_to_train: float = 1 / 9) -> Significance:
    """Apply the corrected resampled t-test: the variance is multiplied by 1/J + n_test/n_train.

    `test_to_train` is n_test/n_train, 1/9 in ten folds. Weka's Experimenter uses it. Otherwise as
    `paired_t`. Source: Nadeau & Bengio 2003, section 5.
    """
    from scipy.special import stdtr

    check_number("test_to_train", test_to_train, 0)
    d = _differences(a, b)
    n, mean = len(d), float(d.mean())
    if not d.any():
        return Significance(0.0, 0.0, 1.0, n - 1)
    if (d == d[0]).all():  # always better by the same amount
        return Significance(mean, float(np.copysign(np.inf, mean)), 0.0, n - 1)
    statistic = mean / float(np.sqrt(d.var(ddof=1) * (1 / n + test_to_train)))
    return Significance(mean, statistic, float(2 * stdtr(n - 1, -abs(statistic))), n - 1)


def wilcoxon(a: ArrayLike, b: ArrayLike) -> Significance:
    """Apply Wilcoxon's signed-rank test to a (J,) and b (J,); pairs without difference are dropped.

    The statistic is the smaller of the `rank_sums`, which also say which side is better: the mean
    difference may have the other sign. p is exact for up to 50 distinct differences, else from the
    normal distribution. Equal inputs give p = 1. Errors as in `paired_t`. Source: Wilcoxon 1945;
    Demsar 2006, section 3.1.3.
    """
    from scipy.stats import wilcoxon

    d = _differences(a, b)
    if not d.any():
        return Significance(0.0, 0.0, 1.0, None)
    statistic, p = wilcoxon(d[d != 0])
    return Significance(float(d.mean()), float(statistic), float(p), None)


def rank_sums(a: ArrayLike, b: ArrayLike) -> tuple[float, float]:
    """Sum ranks of |a - b| where a is larger, and where b is; ties share ranks, zeros are dropped.

    >>> rank_sums([3, 2, 5, 4], [1, 2, 6, 1])
    (5.0, 1.0)
    """
    from scipy.stats import rankdata

    d = _differences(a, b)
    d = d[d != 0]
    ranks = rankdata(np.abs(d))
    return float(ranks[d > 0].sum()), float(ranks[d < 0].sum())


def holm(p: ArrayLike) -> np.ndarray | pd.Series:
    """Correct the p-values (n,) of n tests made at once by Holm's step-down method, in their order.

    The smallest is multiplied by n, the next by n - 1, and so on; none falls below the one before.
    A Series keeps its index. ValueError for no p or values outside 0 to 1. Source: Holm 1979.

    >>> holm([0.03, 0.01, 0.04]).round(2)
    array([0.06, 0.03, 0.06])
    """
    values = number_row("p", p)
    if not len(values) or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"p must be probabilities of 0 to 1, at least one, not {p!r}")
    order, times = np.argsort(values, kind="stable"), np.arange(len(values), 0, -1)
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * times), 1)
    return pd.Series(corrected, p.index) if isinstance(p, pd.Series) else corrected


def _differences(a, b):
    """Return a - b (J,), 0 where only rounding differs."""
    a, b = floats("a", a), floats("b", b)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"paired values must be two equally long rows, not {a.shape}, {b.shape}")
    if len(a) < 2:
        raise ValueError(f"a paired test needs at least two pairs, not {len(a)}: use more folds")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("paired values hold NaN or infinity: leave these pairs out")
    scale = _scale(np.append(a, b))
    return np.round((a - b) / scale, DIGITS) * scale


def _scale(values):
    """Return the power of two above the largest finite value: dividing by it changes no digit."""
    return np.ldexp(1.0, np.frexp(np.abs(values[np.isfinite(values)]).max(initial=0))[1])


TESTS = {"corrected": corrected_t, "paired": paired_t, "wilcoxon": wilcoxon}


def rank_rows(values: ArrayLike, larger_is_better: bool = True) -> np.ndarray:
    """Rank values (sets, methods) within each row: 1 is best, ties averaged.

    Values that agree to 12 digits are ties, and so are infinite ones. Raises ValueError for NaN.
    """
    from scipy.stats import rankdata

    check_flag("larger_is_better", larger_is_better)
    values = floats("values", values)
    if values.ndim != 2 or not values.size:
        raise ValueError(f"values must be data sets x methods, not of shape {values.shape}")
    if np.isnan(values).any():
        row = int(np.isnan(values).any(axis=1).argmax())
        raise ValueError(f"row {row} holds NaN, which has no rank: leave this data set out")
    rounded = np.round(values / _scale(values), DIGITS)
    return rankdata(-rounded if larger_is_better else rounded, axis=1)


def average_ranks(values: ArrayLike, larger_is_better: bool = True) -> np.ndarray | pd.Series:
    """Average ranks of values (sets, methods) over data sets: (methods,), 1 is best.

    Ties share the mean of their ranks.

    A DataFrame gives a Series by its columns. Source: Demsar 2006, section 3.2.2.
    """
    ranks = rank_rows(values, larger_is_better).mean(axis=0)
    return pd.Series(ranks, values.columns) if isinstance(values, pd.DataFrame) else ranks


def friedman(values: ArrayLike, larger_is_better: bool = True) -> Friedman:
    """Apply Friedman's test that methods rank alike to values (sets, methods), corrected for ties.

    Iman and Davenport's F is the less conservative form. If nothing differs, p = 1. Raises
    ValueError for fewer than two sets or methods. Source: Friedman 1937; Demsar 2006, 3.2.2.
    """
    from scipy.stats import chi2
    from scipy.stats import f as f_distribution

    ranks = rank_rows(values, larger_is_better)
    n, k = ranks.shape
    if n < 2 or k < 2:
        raise ValueError(f"Friedman's test needs two sets and two methods, not {n} and {k}")
    mean, df, f_df = (k + 1) / 2, k - 1, (k - 1, (k - 1) * (n - 1))
    spread = float(((ranks - mean) ** 2).sum())
    if spread == 0:
        return Friedman(ranks.mean(axis=0), 0.0, 1.0, df, 0.0, 1.0, f_df)
    statistic = float(df * n**2 * ((ranks.mean(axis=0) - mean) ** 2).sum() / spread)
    rest = n * df - statistic
    f = (n - 1) * statistic / rest if rest > 1e-9 else np.inf
    p, f_p = float(chi2.sf(statistic, df)), float(f_distribution.sf(f, *f_df))
    return Friedman(ranks.mean(axis=0), statistic, p, df, f, f_p, f_df)


def critical_difference(k_methods: int, n_sets: int, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks: q sqrt(k (k + 1) / (6 N)).

    q is the studentized range's quantile for k methods / sqrt 2. Source: Demsar 2006, 3.2.2.
    """
    from scipy.stats import studentized_range

    check_number("k_methods", k_methods, 2, whole=True)
    check_number("n_sets", n_sets, 1, whole=True)
    check_alpha(alpha)
    q = studentized_range.ppf(1 - alpha, k_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(k_methods * (k_methods + 1) / (6 * n_sets)))


def check_alpha(alpha: float) -> None:
    """Raise unless `alpha` lies between 0 and 1."""
    check_number("alpha", alpha, 0)
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, as in 0.05, not {shown(alpha)}")


def groups(ranks: Sequence[float], cd: float) -> list[tuple[int, int]]:
    """Return (first, last) of the longest runs of ascending `ranks` that span less than `cd`.

    A critical-difference diagram joins these. Runs of one and those inside others are left out.
    """
    ranks, runs = number_row("ranks", ranks), []
    if not (np.diff(ranks) >= 0).all():
        raise ValueError("ranks must be a row of ascending numbers")
    check_number("cd", cd, 0)
    for first in range(len(ranks)):
        last = int(np.flatnonzero(ranks - ranks[first] < cd)[-1])
        if last > first and (not runs or last > runs[-1][1]):
            runs.append((first, last))
    return runs
