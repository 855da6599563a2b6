"""Split criteria: the lectures' numbers, the shared contract, and outside oracles."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from strategies import TWO_BRANCHES, TWO_CLASSES, fits, tables

import ranktrees as rt
from ranktrees_engine.criteria import criteria as cr

EVERY = pytest.mark.parametrize("name", rt.CRITERIA)
# A table that shows nothing scores 0; the hypergeometric one is as surprising as it is improbable.
RELATIVE = pytest.mark.parametrize("name", sorted(set(rt.CRITERIA) - {"hypergeometric"}))
CAR = np.array([[1, 4], [2, 1], [1, 1]])  # Family, Sports, Luxury in Yang's slides


class TestTheLectures:
    def test_impurities_of_four_distributions(self):
        counts = np.array([[0, 6], [1, 5], [2, 4], [3, 3]])
        assert cr.gini(counts) == pytest.approx([0, 0.278, 0.444, 0.5], abs=5e-4)
        assert cr.entropy(counts) == pytest.approx([0, 0.65, 0.92, 1.0], abs=5e-3)
        assert cr.dkm_impurity(counts)[[0, 3]] == pytest.approx([0, 1])

    @pytest.mark.parametrize(
        ("split", "expected"),
        [
            (CAR, 0.393),
            ([CAR[1] + CAR[2], CAR[0]], 0.400),
            ([CAR[1], CAR[0] + CAR[2]], 0.419),
            ([[5, 2], [1, 4]], 0.371),  # the slide says 0.347
        ],
    )
    def test_gini_within_the_branches(self, split, expected):
        within = cr.gini(np.sum(split, axis=0)) - cr.gini_gain(np.array(split))
        assert within == pytest.approx(expected, abs=5e-4)

    def test_play_tennis(self):
        tennis = np.array([[2, 3], [4, 0], [3, 2]])  # outlook against play
        assert cr.information_gain(tennis) == pytest.approx(0.2467, abs=5e-5)
        assert cr.split_information(tennis) == pytest.approx(1.5774, abs=5e-5)
        assert cr.gain_ratio(tennis) == pytest.approx(0.1564, abs=5e-5)
        joint = -sum(k / 14 * np.log2(k / 14) for k in (2, 3, 4, 3, 2))
        assert cr.distance_measure(tennis) == pytest.approx(0.24675 / joint, abs=5e-5)

    def test_two_branches_by_hand(self):
        n = np.array([[6, 2], [2, 6]])
        assert cr.twoing(n) == pytest.approx(0.25 * 0.25 * (0.5 + 0.5) ** 2)
        assert cr.orthogonal(n) == pytest.approx(1 - 24 / 40)
        assert cr.kolmogorov_smirnov(n) == pytest.approx(6 / 8 - 2 / 8)
        assert cr.auc_split(n) == pytest.approx((36 + 0.5 * 12 + 0.5 * 12) / 64 - 0.5)
        assert cr.chi_squared(n) == pytest.approx(4)
        assert cr.dkm(n) == pytest.approx(1 - 2 * np.sqrt(0.75 * 0.25))


class TestContract:
    @EVERY
    def test_a_batch_equals_one_by_one(self, name):
        rng = np.random.default_rng(1)
        shape = fits(name, rows=(5, 5))
        V, C = shape["rows"][1], shape["classes"][1]
        batch = rng.integers(0, 9, (3, 7, V, C)) * (rng.random((3, 7, V, C)) < 0.7)
        batch[0, 0] = 0
        got = rt.CRITERIA[name](batch)
        assert got.shape == (3, 7)
        near = 0 if name == "information_gain" else 1e-12  # Id3 has a strict maximum
        for at in np.ndindex(3, 7):
            assert abs(got[at] - rt.CRITERIA[name](batch[at])) <= near

    @EVERY
    @settings(max_examples=15)
    @given(st.data())
    def test_what_is_empty_or_permuted_changes_nothing(self, name, data):
        n = data.draw(tables(**fits(name)))
        of, (V, C) = rt.CRITERIA[name], n.shape
        score = of(n)
        wider = np.insert(np.insert(n, [0, V], 0, axis=0), [0, 1, C], 0, axis=1)
        rows = data.draw(st.permutations(range(V)))
        columns = data.draw(st.permutations(range(C)))
        for same in (wider, n[rows], n[:, columns], n[n.any(axis=1)], n * 1.0):
            assert of(same) == pytest.approx(score, abs=1e-9)

    @RELATIVE
    def test_counts_beyond_the_table_agree(self, name):
        n = np.array([[150_001, 90_000], [20_000, 300_007]])
        small = rt.CRITERIA[name](n / 10_000)
        grows = {"likelihood_ratio", "chi_squared"}
        assert rt.CRITERIA[name](n) == pytest.approx(small * (10_000 if name in grows else 1))
        assert cr.log2(np.array([0, 1, (1 << 17) - 1, 1 << 17, 1 << 40])) == pytest.approx(
            [0, 0, np.log2((1 << 17) - 1), 17, 40], rel=1e-15
        )

    @RELATIVE
    @pytest.mark.parametrize("k", [1, 7, 99_991])
    def test_independence_scores_less_than_the_least_gain(self, name, k):
        """No tolerance: rounding noise above min_gain's default would be split on."""
        shape = fits(name, rows=(3, 3), classes=(3, 3))
        n = k * np.outer([1, 2, 3][: shape["rows"][1]], [3, 5, 7][: shape["classes"][1]])
        assert rt.CRITERIA[name](n) <= 1e-9


@pytest.mark.parametrize(
    ("names", "shape", "words"),
    [(TWO_CLASSES, (2, 3), r"two classes.* 3"), (TWO_BRANCHES, (3, 2), r"two branches.* 3")],
)
def test_criteria_for_two_refuse_three(names, shape, words):
    for name in names:
        with pytest.raises(ValueError, match=words):
            rt.CRITERIA[name](np.ones(shape, int))
    with pytest.raises(ValueError, match="two classes"):
        cr.dkm_impurity(np.array([1, 1, 1]))


class TestOracles:
    @settings(max_examples=30)
    @given(tables(rows=(2, 5)))
    def test_scipy(self, n):
        n = n[n.any(axis=1)][:, n.any(axis=0)]
        assume(min(n.shape, default=0) >= 2)
        expected = np.outer(n.sum(axis=1), n.sum(axis=0)) / n.sum()
        g2 = stats.power_divergence(n, expected, lambda_="log-likelihood", axis=None).statistic
        assert cr.likelihood_ratio(n) == pytest.approx(g2, abs=1e-9)
        pearson = stats.chi2_contingency(n, correction=False)
        assert cr.chi_squared(n) == pytest.approx(pearson.statistic, abs=1e-9)
        for table in (n, np.pad(n, ((1, 0), (0, 2))) * 1.0):
            assert cr.p_value(table) == pytest.approx(pearson.pvalue, rel=1e-6, abs=1e-14)
        assert cr.p_value(n[:1]) == 1

    @settings(max_examples=20)
    @given(tables(rows=(1, 4)))
    def test_hypergeometric_is_the_probability_of_the_table(self, n):
        assume(n.sum() > 0)
        log_p = stats.random_table(n.sum(axis=1), n.sum(axis=0)).logpmf(n)
        assert cr.hypergeometric(n) == pytest.approx(-log_p / np.log(2), abs=1e-9)


def test_a_criterion_of_ones_own_is_known_once_it_is_added(monkeypatch):
    data = rt.load("weather.nominal")
    with pytest.raises(ValueError, match="unknown criterion 'half_gini'"):
        rt.DecisionTree(criterion="half_gini").fit(data.X, data.y)
    monkeypatch.setitem(rt.CRITERIA, "half_gini", lambda n: rt.CRITERIA["gini"](n) / 2)
    ours, gini = (rt.DecisionTree(criterion=c).fit(data.X, data.y) for c in ("half_gini", "gini"))
    assert str(ours.tree_) == str(gini.tree_)
