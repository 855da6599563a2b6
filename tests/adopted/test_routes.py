"""An adopted tree sends every case where scikit-learn's tree sends it, to the last bit of a cut."""

import numpy as np
import pytest
from foreign_trees import FORESTS, TREES, apart, as_numbers, near, some_cases
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_files.adopted.routes import exact_cuts

DAILY = ["iris", "glass", "labor", "vote", "weather.numeric"]
MORE = ["credit-g", "diabetes", "ionosphere", "soybean", "breast-cancer", "contact-lenses"]
MORE += ["segment", "monks-1", "waveform"]
SETS = [*DAILY, *(pytest.param(name, marks=pytest.mark.long) for name in MORE)]
EDGES = [0.0, -0.0, 1e-45, -1e-45, 7e-46, 1.5, -1.5, 3.4028234663852886e38, 3.5e38, -3.4e38, 1e300]
LEAST = float(np.finfo(np.float32).max)  # no threshold lies below the numbers that are tested


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-LEAST, max_value=1e300))
@example(1.7e9 + 0.5)
def test_a_cut_is_the_largest_double_that_goes_left(threshold):
    check_cut(threshold)


@pytest.mark.parametrize("threshold", EDGES)
def test_a_cut_at_the_edges_of_single_precision(threshold):
    check_cut(threshold)


def check_cut(threshold):
    (threshold,) = asked = np.array([threshold])  # a double: Python's numbers take NumPy's width
    (cut,) = exact_cuts(asked)
    with np.errstate(over="ignore", under="ignore"):
        assert np.float32(cut) <= threshold
        after = float(np.float32(np.nextafter(cut, np.inf)))
    assert after > threshold or after == np.inf


def test_a_test_of_what_is_known_cuts_nothing():
    assert exact_cuts(np.array([np.inf])).tolist() == [np.inf]


@pytest.mark.parametrize("title", TREES)
class TestOneTree:
    @pytest.mark.parametrize("name", SETS)
    def test_no_case_goes_elsewhere(self, name, title):
        data = rt.load(name)
        X, y = as_numbers(data), np.asarray(data.y)
        fitted = clone(TREES[title]).fit(X, y)
        model = rt.adopt(fitted, X, y, estimate="frequency")
        assert apart(near(X), fitted, model) == 0
        assert np.allclose(model.feature_importances_, fitted.feature_importances_, atol=3e-15)
        assert np.array_equal(model.classes_, fitted.classes_)
        assert len(model.tree_) == fitted.tree_.node_count
        assert model.tree_.depth == fitted.get_depth()

    @pytest.mark.parametrize("seed", range(3))
    def test_nor_with_gaps_and_times(self, title, seed):
        X, y = some_cases(seed=seed)
        fitted = clone(TREES[title]).fit(X, y)
        model = rt.adopt(fitted, X, y)
        assert apart(near(X), fitted, model) == 0
        ends = np.sort(model.tree_.counts.sum(axis=1))
        assert ends.tolist() == np.sort(fitted.tree_.n_node_samples).tolist()

    def test_weights_are_counted(self, title):
        X, y = some_cases()
        whole = np.random.default_rng(0).integers(0, 4, len(y))
        for weight in (whole, whole * 1.37 + 0.25):
            fitted = clone(TREES[title]).fit(X, y, weight)
            ours = rt.adopt(fitted, X, y, weight, estimate="frequency").predict_proba(near(X))
            assert np.allclose(ours, fitted.predict_proba(near(X)), rtol=1e-12, atol=1e-12)


def test_plain_cuts_would_send_times_elsewhere():
    X, y = some_cases(2000)
    fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
    cut = fitted.tree_.threshold[fitted.tree_.feature == 4]
    times = near(X)["time"].dropna().to_numpy()
    left = times.astype(np.float32)[:, None] <= cut
    assert np.array_equal(left, times[:, None] <= exact_cuts(cut))
    assert (left != (times[:, None] <= cut)).any()


@pytest.mark.parametrize("title", FORESTS)
@pytest.mark.parametrize("name", ["iris", "labor", "times"])
def test_forests_go_the_same_ways(name, title):
    X, y = some_cases() if name == "times" else (as_numbers(rt.load(name)), rt.load(name).y)
    y = np.asarray(y)
    fitted = clone(FORESTS[title]).fit(X, y)
    model, new = rt.adopt(fitted, X, y, estimate="frequency"), near(X)
    codes = model.encode(new)[0]
    columns = getattr(fitted, "estimators_features_", [slice(None)] * len(model.trees_))
    for tree, theirs, some in zip(model.trees_, fitted.estimators_, columns, strict=True):
        ours, nodes = tree.apply(codes), theirs.apply(new.to_numpy()[:, some])
        pairs = {*zip(ours.tolist(), nodes.tolist(), strict=True)}
        assert len(pairs) == len({*ours.tolist()}) == len({*nodes.tolist()})
    if title == "extra trees":  # each has seen every case
        assert np.allclose(model.predict_proba(new), fitted.predict_proba(new), rtol=0, atol=1e-15)


def test_a_gap_in_a_column_without_any_stops():
    X, y = some_cases()
    fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
    model = rt.adopt(fitted, X, y, estimate="laplace")
    new = X.assign(b=np.nan)
    stopped = model.tree_.attribute[model.apply(new)]
    assert {*stopped.tolist()} <= {-1, 1}
    assert (stopped == 1).any()
