"""The plain form of adopted trees says what the fast one says."""

import math

import numpy as np
import pytest
from foreign_trees import near, some_cases
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees.plain import adopted as plain
from ranktrees.plain.tree import predict
from ranktrees_files.adopted.routes import exact_cuts

CLASSES = ["high", "low", "middle"]


def nodes_of(tree):
    """scikit-learn's nodes, one by one."""
    parts = tree.children_left, tree.children_right, tree.feature, tree.threshold
    return [*map(plain.Test, *(part.tolist() for part in (*parts, tree.missing_go_to_left)))]


def small(**how):
    """A fitted tree and its plain form, with the cases as numbers."""
    X, y = some_cases(60)
    fitted, codes = DecisionTreeClassifier(random_state=0, **how).fit(X, y), np.array(CLASSES)
    y = np.searchsorted(codes, y)
    cases, gaps = X.to_numpy(), X.isna().any().to_numpy()
    return X, y, fitted, plain.foreign_tree(nodes_of(fitted.tree_), cases, y, 3, gaps)


@given(st.floats(-1e38, 1e38))
def test_cuts(threshold):
    assert plain.exact_cut(threshold) == exact_cuts(np.array([threshold]))[0]


@pytest.mark.parametrize("how", [{}, {"min_samples_leaf": 5}])
def test_one_tree(how):
    X, y, fitted, root = small(**how)
    new = near(X).iloc[::9]
    assert np.array_equal(predict(root, new.to_numpy()), fitted.predict_proba(new))
    model = rt.adopt(fitted, X, np.array(CLASSES)[y])
    few = new.iloc[::12].assign(b=np.nan)  # where training had no gap
    found = plain.path(root, X.to_numpy(), y, 3, few.to_numpy())
    np.testing.assert_allclose(model.predict_proba(few), found, rtol=0, atol=1e-12)
    stop = plain.priced_stops(root, plain.class_tables(root), 1 / 10)
    T = [plain.mixed(root.path(x), stop, plain.class_tables(root))[0] for x in few.to_numpy()]
    end = model.apply(few)
    np.testing.assert_allclose(model.node_proba_[end], T, rtol=0, atol=1e-12)


def test_temperature_out_of_bag():
    X, y = some_cases(80)
    fitted = RandomForestClassifier(6, random_state=0).fit(X, y)
    model = rt.adopt(fitted, X, y, estimate="temperature")
    codes, cases = np.searchsorted(CLASSES, y), X.to_numpy()
    gaps, samples = X.isna().any().to_numpy(), fitted.estimators_samples_
    trees = [
        plain.foreign_tree(nodes_of(tree.tree_), cases[rows], codes[rows], 3, gaps)
        for tree, rows in zip(fitted.estimators_, samples, strict=True)
    ]
    found = plain.temperature(trees, cases, codes, samples, 3)
    assert math.log(found) == pytest.approx(math.log(model.temperature_), abs=1e-4)
