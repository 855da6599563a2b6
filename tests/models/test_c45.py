"""C4.5's own rules against the plain form of J48's split selection, and the two models."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference

import ranktrees as rt
from ranktrees.plain import c45


def grown(X, y, **params):
    """J48 before any pruning, on raw numbers."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column .* has", UserWarning)
        return rt.C45(prune=False, collapse=False, numeric="thresholds", **params).fit(X, y)


def check(X, y, C, min_child=2):
    """The package's tree equals the plain one; returns it."""
    y = pd.Categorical.from_codes(y, [f"c{c}" for c in range(C)])
    nominal = [isinstance(X[name].dtype, pd.CategoricalDtype) for name in X]
    columns, sizes = [], []
    for name, is_nominal in zip(X, nominal, strict=True):
        columns.append(X[name].cat.codes if is_nominal else X[name])
        sizes.append(len(X[name].cat.categories) if is_nominal else 0)
    tree = grown(X, y, min_child=min_child).tree_
    values = np.column_stack(columns).astype(float)
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
    @settings(max_examples=60, deadline=None)
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
        assert not (fewer.counts[fewer.parent == 0].sum(axis=1) == least - 1).any()

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
        cases, ones = np.array([28, 39, 21]), np.array([1, 8, 10])
        y = np.concatenate(
            [np.repeat([0, 1], [n - k, k]) for n, k in zip(cases, ones, strict=True)]
        )
        first, second = (
            rt.criteria.information_gain(np.array([np.bincount(y[:at]), np.bincount(y[at:])]))
            for at in (28, 67)
        )
        assert 0 < second - first < 1e-6
        tree = check(pd.DataFrame({"x": np.repeat([0.0, 1, 2], cases)}), y, 2)
        assert tree.cut[0] == 0

    def test_a_missing_value_of_its_own_is_no_number(self):
        """Above the largest number of training lie numbers still, and then the missing value."""
        X = pd.DataFrame({"b": [1.0, 2, 3, 4] * 2 + [np.nan] * 8})
        new = pd.DataFrame({"b": [1, 4, 4.1, 1e9, np.nan]})
        for model in (rt.C45, rt.C44):
            fitted = model(numeric="thresholds", missing="value").fit(X, np.repeat([0, 1], 8))
            assert fitted.predict(new).tolist() == [0, 0, 0, 0, 1]


def frame(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes(rng.integers(0, 3, n), list("xyz")),
            "b": rng.normal(size=n).round(1),
            "c": pd.Categorical.from_codes(rng.integers(0, 4, n), list("pqrs")),
        }
    )
    y = (X["a"].cat.codes + (X["b"] > 0)).to_numpy() % 3
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), y)
    return X, pd.Categorical.from_codes(y, ["lo", "mid", "hi"])


class TestRules:
    def test_what_each_preset_does(self):
        """Sizes fall with pruning; wang2006 changes C4.4 alone, by leaving out the collapse."""
        data = rt.prepare(rt.load("breast-cancer"), "papers")
        size = {
            name: len(model.fit(data.X, data.y).tree_)
            for name, model in {
                "c44": rt.C44(), "c44 wang": rt.C44(rules="wang2006"),
                "c44 whole": rt.C44(collapse=False), "c45": rt.C45(),
                "c45 wang": rt.C45(rules="wang2006"), "bare": rt.C45(prune=False, collapse=False),
            }.items()
        }  # fmt: skip
        assert size["c45"] == size["c45 wang"] < size["c44"] < size["c44 wang"]
        assert size["c44 wang"] == size["c44 whole"] == size["bare"]

    def test_laplace_of_wang2006_counts_the_parents_classes(self):
        X, y = frame()
        model = rt.C44(rules="wang2006").fit(X, y)
        assert model.estimate_params is None, "a parameter stays as it was given"
        parent = rt.estimate.laplace(model.tree_, classes="parent")
        assert np.array_equal(model.node_proba_, parent)
        assert not np.array_equal(model.node_proba_, rt.estimate.laplace(model.tree_))
        for other in (
            rt.C44(rules="wang2006", estimate_params={"classes": "all"}).fit(X, y),
            model.with_estimate("laplace", classes="all"),
        ):
            assert np.array_equal(other.node_proba_, rt.estimate.laplace(model.tree_))
        again = model.with_estimate("frequency").with_estimate("laplace")
        assert np.array_equal(again.node_proba_, parent)

    def test_c44_is_c45_with_other_defaults(self):
        X, y = frame()
        for rules in ("weka", "wang2006"):
            c45 = rt.C45(prune=False, estimate="laplace", rules=rules).fit(X, y)
            c44 = rt.C44(rules=rules).fit(X, y)
            assert np.array_equal(c45.predict_proba(X), c44.predict_proba(X))
        assert not {"prune", "confidence", "raising"} & c44.get_params().keys()

    @pytest.mark.parametrize(
        ("setting", "value", "error"),
        [
            ("rules", "quinlan", ValueError), ("rules", None, ValueError),
            ("prune", 1, TypeError), ("raising", "no", TypeError), ("collapse", 0, TypeError),
            ("confidence", 0, ValueError), ("confidence", 0.6, ValueError),
            ("confidence", float("nan"), ValueError), ("min_child", 0, ValueError),
            ("min_child", 1.5, TypeError),
        ],
    )  # fmt: skip
    def test_bad_settings_are_named(self, setting, value, error):
        X, y = frame()
        for kind in (rt.C45, rt.C44):
            if setting not in kind().get_params():
                continue
            with pytest.raises(error, match=setting):
                kind(**{setting: value}).fit(X, y)
            with pytest.raises(error, match=setting):
                kind(**{setting: value}).fit_folds(X, y, [np.arange(60)])


class TestPrediction:
    @pytest.mark.parametrize("numeric", ["bins", "thresholds"])
    def test_a_case_stops_at_an_unseen_value_and_gaps_are_filled(self, numeric):
        X, y = frame()
        fitted = rt.C44(rules="wang2006", numeric=numeric).fit(X, y)
        new = X[:3].astype({"a": object, "c": object})
        new.loc[0, "a"], new.loc[1, "a"], new.loc[2, "b"] = "never", None, np.nan
        assert fitted.tree_.attribute[0] == 0
        assert fitted.apply(new)[0] == 0
        filled = new.assign(a=new["a"].fillna(X["a"].mode()[0]), b=new["b"].fillna(X["b"].mean()))
        assert np.array_equal(fitted.apply(filled), fitted.apply(new))

    def test_an_empty_branch_has_its_nodes_estimate(self):
        X = pd.DataFrame({"a": pd.Categorical(list("xxxyyyy"), categories=list("xyz"))})
        y = pd.Categorical(list("nnnyyyn"), categories=["y", "n", "other"])
        new = pd.DataFrame({"a": ["z", "unseen"]})
        laplace = rt.C44().fit(X, y).predict_proba(new)
        assert laplace == pytest.approx(np.array([[5, 1, 4], [5, 1, 4]]) / 10)
        old = rt.C44(rules="wang2006").fit(X, y).predict_proba(new)
        assert old == pytest.approx(np.full((2, 3), 1 / 2)), "1/K, two classes at the node"
        assert rt.C45().fit(X, y).predict_proba(new) == pytest.approx(
            np.array([[4, 0, 3], [4, 0, 3]]) / 7
        )

    @pytest.mark.parametrize("max_codes", [None, 7])
    def test_missing_values_are_cut_off_from_the_last_bin(self, max_codes):
        x = np.random.default_rng(1).normal(size=400)
        x[::7] = np.nan
        y = np.isnan(x).astype(int)
        model = rt.C45(numeric="thresholds", missing="value", max_codes=max_codes).fit(
            x[:, None], y
        )
        assert model.score(x[:, None], y) == 1
        assert len(model.tree_) == 3
