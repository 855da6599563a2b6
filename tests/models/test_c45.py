"""C4.5's own rules against the plain form of J48's split selection, and the two models."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference, quietly

import ranktrees as rt
from ranktrees.plain import c45


def check(X, y, C, min_child=2):
    """J48's tree before any pruning, on raw numbers, equals the plain one; returns it."""
    y = pd.Categorical.from_codes(y, [f"c{c}" for c in range(C)])
    names = X.select_dtypes("category")
    values = X.assign(**{name: names[name].cat.codes for name in names}).to_numpy(float)
    sizes = [len(X[name].cat.categories) if name in names else 0 for name in X]
    model = rt.C45(prune=False, collapse=False, numeric="thresholds", min_child=min_child)
    tree = quietly(model.fit, X, y).tree_
    assert difference(tree, c45.c44(values, y.codes, sizes, C, min_child)) is None
    return tree


def random_frame(rng, n, steps):
    """Numbers of few or many distinct values, and nominal columns, one of very many values."""
    many = max(2, int(0.4 * n))
    return pd.DataFrame(
        {
            "few": rng.integers(0, 4, n) * 1.0,
            "near": rng.choice(steps, n),
            "real": rng.normal(size=n),
            "tenths": rng.integers(0, 30, n) / 10,
            "nominal": pd.Categorical.from_codes(rng.integers(0, 3, n), list("pqr")),
            "many": pd.Categorical.from_codes(rng.integers(0, many, n), range(many)),
        }
    )


class TestSplitSelection:
    @settings(max_examples=40)
    @given(st.integers(0, 2**31), st.integers(2, 70), st.integers(2, 4), st.integers(1, 4))
    def test_equals_j48_on_random_data(self, seed, n, C, min_child):
        rng = np.random.default_rng(seed)
        steps = np.cumsum(rng.choice([0.43e-5, 0.99e-5, 1.01e-5, 3e-5, 1.0], 12))
        X = random_frame(rng, n, steps)
        signal = (X["few"] + X["nominal"].cat.codes + (X["real"] > 0.3)).to_numpy().astype(int)
        y = np.where(rng.random(n) < 0.25, rng.integers(0, C, n), signal % C)
        y[:2] = 0, 1
        check(X[rng.permutation(X.columns)], y, C, min_child)

    @pytest.mark.parametrize(("n", "C", "least"), [(60, 2, 3), (600, 2, 25), (40, 4, 2)])
    def test_the_smallest_side(self, n, C, least):
        """min(25, max(2, 0.1 n / C)) cases: a class of one fewer is not cut off."""
        X = pd.DataFrame({"x": np.arange(n) * 1.0})
        exact = check(X, np.where(np.arange(n) < least, 0, 1), C)
        assert exact.counts[1].sum() == least
        fewer = check(X, np.where(np.arange(n) < least - 1, 0, 1), C)
        assert all(fewer.counts[fewer.parent == 0].sum(axis=1) >= least)

    def test_the_price_of_many_cuts(self):
        """log2(17)/20 = .204 bits for 17 cuts, nothing for one, whatever little it gains."""
        alternate = np.arange(20) % 2
        many = pd.DataFrame({"x": np.arange(20.0)})
        assert len(check(many, alternate, 2)) == 1
        free = rt.DecisionTree("gain_ratio", numeric="thresholds", min_child=2, min_parent=4)
        assert len(free.fit(many, alternate).tree_) > 1
        one = pd.DataFrame({"x": np.repeat([0.0, 1.0], 10)})
        assert len(check(one, np.repeat([0, 1, 0, 1], [6, 4, 4, 6]), 2)) == 3

    def test_a_gain_within_a_millionth_is_no_better(self):
        """The second cut gains 4.4e-7 bits more than the first, which is too little."""
        y = np.repeat([0, 1] * 3, [27, 1, 31, 8, 11, 10])
        first, second = (
            rt.criteria.information_gain(np.array([np.bincount(y[:at]), np.bincount(y[at:])]))
            for at in (28, 67)
        )
        assert 0 < second - first < 1e-6
        tree = check(pd.DataFrame({"x": np.repeat([0.0, 1, 2], [28, 39, 21])}), y, 2)
        assert tree.cut[0] == 0


IRIS, WEATHER = rt.load("iris"), rt.load("weather.numeric")


class TestRules:
    def test_what_each_preset_does(self):
        """Sizes fall with pruning; wang2006 changes C4.4 alone, by leaving out the collapse."""
        data = rt.prepare(rt.load("breast-cancer"), "papers")
        c44, c44_wang, c44_whole, c45, c45_wang, bare = (
            len(model.fit(data.X, data.y).tree_)
            for model in (
                rt.C44(), rt.C44(rules="wang2006"), rt.C44(collapse=False),
                rt.C45(), rt.C45(rules="wang2006"), rt.C45(prune=False, collapse=False),
            )
        )  # fmt: skip
        assert c45 == c45_wang < c44 < c44_wang == c44_whole == bare

    def test_laplace_of_wang2006_counts_the_parents_classes(self):
        model = rt.C44(rules="wang2006").fit(IRIS.X, IRIS.y)
        assert model.estimate_params is None, "a parameter stays as it was given"
        parent = rt.estimate.laplace(model.tree_, classes="parent")
        assert np.array_equal(model.node_proba_, parent)
        assert not np.array_equal(model.node_proba_, rt.estimate.laplace(model.tree_))
        every = model.with_estimate("laplace", classes="all")
        assert np.array_equal(every.node_proba_, rt.estimate.laplace(model.tree_))
        again = model.with_estimate("frequency").with_estimate("laplace")
        assert np.array_equal(again.node_proba_, parent)

    @pytest.mark.parametrize(
        ("setting", "value"),
        [
            ("rules", "quinlan"), ("rules", None), ("prune", 1), ("raising", "no"),
            ("collapse", 0), ("confidence", 0), ("confidence", 0.6), ("confidence", np.nan),
            ("min_child", 0), ("min_child", 1.5),
        ],
    )  # fmt: skip
    def test_bad_settings_are_named(self, setting, value):
        for kind in (rt.C45, rt.C44):
            if setting in kind().get_params():
                with pytest.raises((ValueError, TypeError), match=setting):
                    kind(**{setting: value}).fit(IRIS.X, IRIS.y)
        with pytest.raises((ValueError, TypeError), match=setting):
            rt.C45(**{setting: value}).fit_folds(IRIS.X, IRIS.y, [np.arange(90)])


class TestPrediction:
    @pytest.mark.parametrize("numeric", ["bins", "thresholds"])
    def test_a_case_stops_at_an_unseen_value_and_gaps_are_filled(self, numeric):
        X = WEATHER.X
        fitted = rt.C44(rules="wang2006", numeric=numeric, n_bins=2).fit(X, WEATHER.y)
        new = X.iloc[[0, 2, 7]].reset_index(drop=True).astype({"outlook": object})
        new.loc[0, "outlook"], new.loc[1, "outlook"], new.loc[2, "humidity"] = "never", None, np.nan
        assert fitted.apply(new)[0] == 0
        assert (fitted.apply(new)[1:] > 0).all()
        filled = new.fillna({"outlook": X["outlook"].mode()[0], "humidity": X["humidity"].mean()})
        assert np.array_equal(fitted.apply(filled), fitted.apply(new))

    def test_an_empty_branch_has_its_nodes_estimate(self):
        X = pd.DataFrame({"a": pd.Categorical(list("xxxyyyy"), categories=list("xyz"))})
        y = pd.Categorical(list("nnnyyyn"), categories=["y", "n", "other"])
        for model, expected in (
            (rt.C44(), [5 / 10, 1 / 10, 4 / 10]),
            (rt.C44(rules="wang2006"), [1 / 2] * 3),  # 1/K, two classes at the node
            (rt.C45(), [4 / 7, 0, 3 / 7]),
        ):
            for value in ("z", "unseen"):
                proba = model.fit(X, y).predict_proba(pd.DataFrame({"a": [value]}))
                assert proba[0] == pytest.approx(expected)

    @pytest.mark.parametrize("max_codes", [None, 7])
    def test_missing_values_are_cut_off_from_the_last_bin(self, max_codes):
        """Above the largest number of training lie numbers still, and then the missing value."""
        x = np.random.default_rng(1).normal(size=400)
        x[::7] = np.nan
        y = np.isnan(x).astype(int)
        for kind in (rt.C45, rt.C44):
            model = kind(numeric="thresholds", missing="value", max_codes=max_codes)
            assert model.fit(x[:, None], y).score(x[:, None], y) == 1
            assert len(model.tree_) == 3
            assert model.predict([[1e9], [np.nan]]).tolist() == [0, 1]
