"""Tests of significance on paired values, ranks, critical differences."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from ranktrees_engine import evaluate as ev
from ranktrees_engine.evaluate import corrected_t, paired_t, wilcoxon

A = [0.80, 0.84, 0.78, 0.90, 0.85]
B = [0.78, 0.80, 0.79, 0.85, 0.82]


@pytest.mark.parametrize("seed", range(3))
def test_paired_t_wilcoxon_and_rank_sums_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    a = rng.random(20)
    b = a + rng.normal(0.3, 1, 20)
    t, w = scipy.stats.ttest_rel(a, b), scipy.stats.wilcoxon(a, b)
    assert paired_t(a, b) == pytest.approx((np.mean(a - b), t.statistic, t.pvalue, 19))
    assert wilcoxon(a, b) == pytest.approx((np.mean(a - b), w.statistic, w.pvalue, None))
    more, less = ev.rank_sums(a, b)
    assert (more + less, min(more, less)) == (20 * 21 / 2, w.statistic)
    assert (more > less) == (scipy.stats.wilcoxon(a, b, alternative="greater").pvalue < 0.5)


def test_corrected_t_by_hand():
    """Differences .02 .04 -.01 .05 .03: mean .026, variance .00053, times 1/5 + 1/9."""
    found = corrected_t(A, B)
    statistic = 0.026 / np.sqrt(0.00053 * (1 / 5 + 1 / 9))
    assert found == pytest.approx((0.026, statistic, 2 * scipy.stats.t.sf(statistic, 4), 4))
    assert corrected_t(A, B, 0) == pytest.approx(paired_t(A, B)), "folds that do not overlap"


@pytest.mark.parametrize("test", [paired_t, corrected_t, wilcoxon])
def test_equal_constant_and_bad_pairs(test):
    assert test(A, A)[:3] == test(np.zeros(4), np.zeros(4))[:3] == (0, 0, 1)
    assert test(A, np.add(A, [1e-17, -2e-16, 1e-16, 0, 2e-16])).p == 1
    better, worse = test(np.add(A, 0.1), A), test(A, np.add(A, 0.1))
    assert (better.difference, worse.difference) == pytest.approx((0.1, -0.1))
    assert better.p < 0.1
    if test is paired_t:
        assert (better[1:3], worse[1:3]) == ((np.inf, 0), (-np.inf, 0))
    for a, b, match in [
        (A, B[:4], "equally long"),
        ([1.0], [2.0], "at least two pairs, not 1"),
        ([1.0, np.nan], [2.0, 1.0], "NaN"),
    ]:
        with pytest.raises(ValueError, match=match):
            test(a, b)


def test_wilcoxon_drops_pairs_without_a_difference():
    """Of 6 differences only one, the 4th in rank, is negative: 14 of 2^6 sign patterns as rare."""
    a, b = [0, 0, 1, 2.5, 3, -4, 5, 6], [0] * 8
    assert wilcoxon(a, b) == pytest.approx((np.mean(a), 4, 14 / 64, None))
    assert paired_t([95.1, 95.3, 90], [95, 95, 90]).difference == pytest.approx(0.4 / 3, abs=1e-14)


@given(st.integers(2, 8), st.integers(3, 6), st.integers(0, 1000))
def test_friedman_is_that_of_scipy_ties_included(n, k, seed):
    values = np.random.default_rng(seed).integers(0, 4, (n, k)) / 7
    found = ev.friedman(values)
    if (values == values[:, :1]).all():
        assert (*found[1:3], found.f, found.f_p) == (0, 1, 0, 1)
        return
    expected = scipy.stats.friedmanchisquare(*values.T)
    assert found[1:3] == pytest.approx((expected.statistic, expected.pvalue))
    assert found.df == k - 1


def test_friedman_by_hand():
    """Rank sums 4, 8, 12 of 4 sets: chi-squared 12/(4 3 4) (16 + 64 + 144) - 3 4 4 = 8."""
    values = np.tile([0.9, 0.8, 0.7], (4, 1))
    assert (ev.friedman(values).statistic, ev.friedman(values).f) == pytest.approx((8, np.inf))
    assert ev.friedman(values[:, ::-1], larger_is_better=False).ranks.tolist() == [3, 2, 1][::-1]
    found = ev.friedman(np.vstack([values[:3], [0.7, 0.8, 0.9]]))
    assert found.statistic == pytest.approx(12 / 48 * (36 + 64 + 100) - 48)
    assert found.f == pytest.approx(3 * found.statistic / (4 * 2 - found.statistic))
    assert found.f_df == (2, 6)
    same = ev.friedman(np.ones((4, 3)))
    assert (same.statistic, same.p, same.f, same.f_p) == (0, 1, 0, 1)
    with pytest.raises(ValueError, match="two sets and two methods, not 1 and 2"):
        ev.friedman([[1, 2]])


def test_ranks_average_ties():
    values = pd.DataFrame({"a": [0.9, 0.5], "b": [0.9 + 1e-16, 0.7], "c": [0.1, 0.6]})
    assert ev.rank_rows(values).tolist() == [[1.5, 1.5, 3], [3, 1, 2]]
    assert ev.average_ranks(values).to_dict() == {"a": 2.25, "b": 1.25, "c": 2.5}
    assert ev.rank_rows([[np.inf, 0.2, 0.3, np.inf]], False).tolist() == [[3.5, 1, 2, 3.5]]
    assert ev.rank_rows([[0.0, 0.0], [np.inf, np.inf]]).tolist() == [[1.5, 1.5]] * 2
    with pytest.raises(ValueError, match="row 1 holds NaN"):
        ev.rank_rows([[1, 2], [np.nan, 1]])


def test_critical_differences_are_those_of_demsar():
    """Table 5a of Demsar 2006, and his example: 1.25 at .05 and 1.12 at .10 for 4 on 14 sets."""
    for k, q05, q10 in [(2, 1.960, 1.645), (4, 2.569, 2.291), (10, 3.164, 2.920)]:
        scale = np.sqrt(k * (k + 1) / (6 * 7))
        assert ev.critical_difference(k, 7) / scale == pytest.approx(q05, abs=1e-3)
        assert ev.critical_difference(k, 7, 0.1) / scale == pytest.approx(q10, abs=1e-3)
    assert ev.critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert ev.critical_difference(4, 14, 0.1) == pytest.approx(1.12, abs=0.005)


def test_groups_are_the_longest_runs():
    assert ev.groups([1.0, 1.5, 2.0, 3.0], 1.2) == [(0, 2), (2, 3)]
    assert ev.groups([1.0, 1.5, 2.0], 5) == [(0, 2)]
    assert ev.groups([1.0, 2.0, 3.0], 0.5) == []


def test_holm_by_hand():
    """.01 times 4, .02 times 3, .03 times 2: no less than the .06 before it; .9 once."""
    p = pd.Series([0.03, 0.9, 0.01, 0.02], list("abcd"))
    assert ev.holm(p).to_dict() == pytest.approx({"a": 0.06, "b": 0.9, "c": 0.04, "d": 0.06})
    assert ev.holm([0.6, 0.7]).tolist() == [1, 1]
