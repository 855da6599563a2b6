"""Bins: Weka's rule, equal frequency, Fayyad & Irani's recursion, k-means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktrees as rt
from ranktrees.plain import bins as plain_bins
from ranktrees_engine.reading.bins import (
    DISCRETIZERS,
    codes,
    entropy_mdl,
    equal_frequency,
    equal_width,
    exact,
    k_means,
)

EVERY = pytest.mark.parametrize("name", DISCRETIZERS)


def cut(name, x, n_bins=10):
    x = np.asarray(x, float)
    return DISCRETIZERS[name](x, n_bins, np.arange(len(x)) % 2)


QUARTERS = st.integers(-40, 40).map(lambda v: v / 4)


@settings(max_examples=60)
@given(st.lists(QUARTERS | st.floats(-1e6, 1e6), min_size=1, max_size=40), st.integers(2, 12))
def test_cuts_are_those_of_the_plain_rules_bit_for_bit(x, n_bins):
    x = np.array(x)
    y = np.where(np.arange(len(x)) % 7 == 3, 0, np.digitize(x, [-5, 0, 5]))
    gaps = [*x, np.nan]
    assert equal_width(gaps, n_bins).tolist() == plain_bins.equal_width(x, n_bins)
    assert equal_frequency(gaps, n_bins).tolist() == plain_bins.equal_frequency(x, n_bins)
    assert entropy_mdl(gaps, None, [*y, 1]).tolist() == plain_bins.entropy_mdl(x, y, 4)


def test_a_value_on_a_cut_belongs_to_the_lower_bin():
    x = np.arange(11.0)
    assert codes(x, equal_width(x)).tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]


@EVERY
@pytest.mark.parametrize("x", [[3.0, 3.0], [np.nan, 7.0, np.nan], [np.nan]])
def test_one_value_or_none_has_no_cut(name, x):
    assert cut(name, x).tolist() == []


def test_a_range_beyond_the_largest_double():
    x = np.array([-1e308, 1e308, 0.0])
    with np.errstate(over="raise"):
        cuts = equal_width(x)
    assert cuts == pytest.approx(np.linspace(-1e308 / 5 * 4, 1e308 / 5 * 4, 9))
    x = np.linspace(-1, 1, 50)
    with np.errstate(all="raise"):
        cuts = k_means(x * 1.7e308, 5)
    assert len(cuts) == 4
    assert np.allclose(cuts / 1.7e308, k_means(x, 5))


def test_entropy_mdl_of_iris_as_published_and_of_noise():
    data = rt.load("iris")
    for name, cuts in {"petallength": [2.45, 4.75], "petalwidth": [0.8, 1.75]}.items():
        assert entropy_mdl(data.X[name], None, data.y.codes) == pytest.approx(cuts)
    rng = np.random.default_rng(5)
    assert len(entropy_mdl(rng.normal(size=300), None, rng.integers(0, 2, 300))) == 0
    with pytest.raises(ValueError, match="needs the classes"):
        entropy_mdl(np.arange(4.0))


def test_k_means_of_three_clumps_and_of_as_many_bins_as_values():
    x = np.concatenate([np.linspace(0, 1, 50), np.linspace(10, 11, 5), np.linspace(90, 91, 20)])
    assert k_means(x, 3).tolist() == pytest.approx([(0.5 + 10.5) / 2, (10.5 + 90.5) / 2])
    assert k_means(np.array([1, 5, 5, 9.0]), 3).tolist() == [3, 7]


@pytest.mark.parametrize("unit", [1, 2, 0.25, 2.0**900, 2.0**-900, 10, 0.1, 1e6, 1e-6, 3, 7])
def test_a_value_half_way_between_two_means_is_in_the_lower_bin_in_every_unit(unit):
    x = np.array([0, 4.5, -4.75, -8.25, -10, -10])  # first means -113/12 and -1/12, half-way -4.75
    for y in x * unit, x / (1 / unit):
        assert k_means(y, 2) == pytest.approx([-3 * unit], rel=1e-12)
        assert k_means(y + 7 * unit, 2) == pytest.approx([4 * unit], rel=1e-12)
    low = np.array([0, 1.0, 2, 3, 4])  # 2 is half-way between the means at last, too
    cuts = k_means(low * unit, 2, np.arange(5))
    assert codes(low * unit, cuts).tolist() == [0, 0, 0, 1, 1]


@settings(max_examples=100)
@given(st.lists(QUARTERS, min_size=1, max_size=40), st.integers(2, 8), st.integers(-9, 9))
def test_k_means_does_not_depend_on_the_unit(x, n_bins, power):
    x = np.array(x)
    cuts = k_means(x, n_bins)
    assert np.array_equal(k_means(x * 2.0**power, n_bins), cuts * 2.0**power)
    for unit, tenth in ((x * 10.0**power, 10.0**power), (x / 10.0**power, 10.0**-power)):
        scaled = k_means(unit, n_bins)
        assert scaled == pytest.approx(cuts * tenth, rel=1e-9, abs=1e-9 * tenth)
        assert codes(unit, scaled).tolist() == codes(x, cuts).tolist()


@EVERY
@settings(max_examples=25)
@given(st.lists(QUARTERS, min_size=1, max_size=40), st.integers(2, 8))
def test_cuts_part_the_values_into_bins_none_of_which_is_empty(name, x, n_bins):
    x = np.array(x)
    cuts = cut(name, x, n_bins)
    assert (np.diff(cuts) > 0).all()
    assert ((cuts >= min(x)) & (cuts < max(x))).all()
    assert name == "entropy-mdl" or len(cuts) < n_bins
    if name != "equal-width":
        means = np.array([x[codes(x, cuts) == bin].mean() for bin in range(len(cuts) + 1)])
        assert not np.isnan(means).any()
        if name == "k-means" and len(np.unique(x)) > n_bins:
            assert cuts == pytest.approx((means[1:] + means[:-1]) / 2), "a fixed point"


@settings(max_examples=30)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_every_value_keeps_an_exact_code_of_its_own(x):
    values = np.unique(np.array(x))
    assert codes(values, exact(np.array(x))).tolist() == list(range(len(values)))


@EVERY
def test_cuts_come_from_training_data_alone(name):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 1)), np.repeat([0, 1], 40)
    X[40:] += 3
    cuts = DISCRETIZERS[name](X[:, 0], 4, y)
    holes, classes = np.insert(X[:, 0], [0, 30], np.nan), np.insert(y, [0, 30], 1)
    assert np.array_equal(DISCRETIZERS[name](holes, 4, classes), cuts)
    encoder = rt.Encoder(discretize=name, n_bins=4).fit(X, y)
    assert encoder.schema_[0].cuts == tuple(cuts)
    far = encoder.transform(np.array([[-1e9], [1e9], [np.nan]])).values[:, 0]
    assert far.tolist() == [0, len(cuts), int(np.searchsorted(cuts, X.mean()))]


@pytest.mark.parametrize("name", ["equal-width", "equal-frequency", "k-means"])
def test_fewer_than_two_bins_or_more_than_a_table_could_have_are_refused(name):
    many = r"n_bins must be at most 65,536, but it is 1,000,000,000: numeric=\"thresholds\" cuts"
    for n_bins, words in ((1, "n_bins must be at least 2.*1"), (10**9, many)):
        with pytest.raises(ValueError, match=words):
            rt.NaiveBayes(discretize=name, n_bins=n_bins).fit([[0.0], [1.0], [2.0]], [*"aba"])
        with pytest.raises(ValueError, match=words):
            cut(name, [1, 2], n_bins)
