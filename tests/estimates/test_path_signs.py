"""Why path models take no `monotonic`: what goes against a sign, and what would not.

The numbers are those of the page for practitioners.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.isotonic import isotonic_regression

import ranktrees as rt

DATA = rt.load("diabetes")  # P(tested_positive) should rise with plas, the glucose in plasma
PAGE = (Path(__file__).parents[2] / "docs" / "for-practitioners.md").read_text(encoding="utf-8")


def against(proba, name):
    """Return the share of pairs of values where P falls, and by how much at most."""
    grid, rows = np.unique(DATA.X[name]), DATA.X.iloc[::20]
    grid = grid[:: max(1, len(grid) // 50)]
    p = np.stack([proba(rows.assign(**{name: value}))[:, 1] for value in grid])
    low, high = np.triu_indices(len(p), 1)
    fall = p[low] - p[high]
    return np.mean(fall > 1e-9), fall.max()


def isotone(model, name):
    """Return probabilities (n, 2) with the factor of an attribute made isotone on each path."""
    learnt, T, j = model.estimate_, len(model.tree_), list(DATA.X).index(name)
    values = np.flatnonzero(learnt.factors.counts.attribute == j)
    log_p = np.log(learnt.factors.of_values(values)[:-1].reshape(T, len(values), 2))
    odds = log_p[..., 1] - log_p[..., 0]
    cases = learnt.factors.counts.of_values(values).sum(axis=2) + 1.0
    pairs = zip(odds, cases, strict=True)
    fitted = np.array([isotonic_regression(row, sample_weight=n) for row, n in pairs])
    added = learnt.all_weights[1 + j] * (fitted - odds)

    def proba(X):
        codes, log_p = model.encode(X).values, np.log(model.predict_proba(X))
        z = log_p[:, 1] - log_p[:, 0] + added[model.tree_.apply(codes), codes[:, j]]
        return np.stack([1 / (1 + np.exp(z)), 1 / (1 + np.exp(-z))], axis=1)

    return proba


def untested(model, name):
    """Return the model with a tree that was grown without this attribute."""
    tree = rt.PathBayes().fit(DATA.X.drop(columns=name), DATA.y).tree_
    attribute = tree.attribute + (tree.attribute >= list(DATA.X).index(name))
    return model.with_tree(replace(tree, attribute=attribute, schema=model.tree_.schema))


def test_a_path_forest_goes_against_a_sign():
    share, most = against(rt.PathForest().fit(DATA.X, DATA.y).predict_proba, "age")
    assert f"in {share:.0%} of all pairs of ages, by up to {most:.2f}" in PAGE


def test_isotone_factors_are_not_enough_while_a_tree_tests_the_attribute():
    model = rt.PathBayes().fit(DATA.X, DATA.y)
    share, most = against(model.predict_proba, "plas")
    assert f"in {share:.0%} of all pairs of `plas`, by up to {most:.3f}" in PAGE
    assert against(isotone(model, "plas"), "plas") == pytest.approx((share, most), abs=1e-9)
    assert max(against(isotone(untested(model, name), name), name)[1] for name in DATA.X) < 1e-9


@pytest.mark.parametrize("kind", [rt.PathBayes, rt.PathForest, rt.C45, rt.C44, rt.NaiveBayes])
def test_models_that_keep_no_sign_say_which_one_does(kind):
    words = f"{kind.__name__} has no monotonic: DecisionTree has it; "
    for name in ("monotonic", "monotonic_cst", "monotone_constraints"):
        with pytest.raises(TypeError, match=f"{kind.__name__} has no {name}: .*DecisionTree"):
            kind(**{name: {"plas": 1}})
    with pytest.raises(TypeError, match=words):
        kind(monotonic={"plas": 1})
