"""Path Bayes and subtree raising on files: the models that memory gives."""

from functools import partial
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from databases import in_sqlite
from prunable import assert_same_tree
from scale_cases import FIT, assert_close_tree, batches_of, both, mixed, quiet, scanned

import ranktrees as rt

N = 400
WEIGHTS = {
    "none": None,
    "whole": np.random.default_rng(3).integers(0, 4, N),
    "parts": np.random.default_rng(4).random(N) + 0.5,
}
CASES = [
    (rt.PathBayes, {}, "none"),
    (rt.PathBayes, {"discretize": "equal-width", "estimate": "path-bayes-em"}, "whole"),
    (
        rt.PathBayes,
        {"discretize": "equal-frequency", "missing": "value", "class_weight": "balanced"},
        "parts",
    ),
    (rt.C45, {"numeric": "thresholds", "max_codes": 40, "min_child": 1}, "none"),
    (rt.C45, {"discretize": "equal-frequency", "confidence": 0.4, "min_child": 1}, "parts"),
]


def assert_alike(model, memory, X):
    """The same tree, and the same answers for cases."""
    assert_close_tree(model.tree_, memory.tree_)
    found, expected = quiet(model.predict_proba, X), quiet(memory.predict_proba, X)
    assert np.abs(found - expected).max() < 1e-12


def new_cases():
    """Cases with more gaps, and with values that were never seen."""
    X = mixed(200, seed=9, gaps=0.3).drop(columns="label")
    return X.assign(text=X["text"].where(X["text"] != "a", "never"))


@pytest.mark.parametrize(("kind", "how", "name"), CASES, ids=str)
def test_models_whose_branches_rise_are_those_of_memory(kind, how, name, tmp_path):
    model, memory = both(partial(kind, **how), mixed(N), tmp_path, WEIGHTS[name])
    assert_alike(model, memory, new_cases())
    importances = [each.feature_importances_ for each in (model, memory)]
    np.testing.assert_allclose(*importances, rtol=1e-9, atol=1e-12)
    if kind is rt.C45:
        X, y = mixed(N).drop(columns="label"), mixed(N)["label"]
        unraised = quiet(rt.C45(**how, raising=False).fit, X, y, WEIGHTS[name])
        assert str(memory.tree_) != str(unraised.tree_)


def test_on_any_tree_with_a_branch_per_value(tmp_path):
    frame, new = mixed(N).drop(columns="size"), new_cases().drop(columns="size")
    model, memory = both(lambda: rt.DecisionTree("gini", estimate="path-bayes"), frame, tmp_path)
    assert_same_tree(model.tree_, memory.tree_)
    laplace = model.with_estimate("laplace")
    assert np.array_equal(laplace.node_proba_, memory.with_estimate("laplace").node_proba_)
    em = "path-bayes-em"
    assert_alike(model.with_estimate(em), memory.with_estimate(em), new)
    assert_alike(laplace.with_estimate("path-bayes"), memory, new)
    with pytest.raises(ValueError, match=r"'wpe' needs the cases: .*laplace.*sample"):
        model.with_estimate("wpe")
    with pytest.raises(ValueError, match=r"'path-bayes' needs .*: fit the files with it, .*sample"):
        model.with_tree(rt.prune.collapse(model.tree_))
    with pytest.raises(ValueError, match="path Bayes needs a branch per value"):
        rt.DecisionTree(estimate="path-bayes").fit(scanned(mixed(N), tmp_path / "cut"))


def test_csv_files_an_explanation_and_sql(tmp_path):
    frame = mixed(N)[["whole", "colour", "label"]].astype({"label": "str"})
    frame["colour"] = frame["colour"].astype(object)
    X = frame.drop(columns="label")
    memory = rt.PathBayes().fit(X, frame["label"])
    model = rt.PathBayes().fit(scanned(frame, tmp_path, kind="csv"))
    assert_alike(model, memory, X)
    assert str(model.explain(X.iloc[3])) == str(memory.explain(X.iloc[3]))
    new = new_cases()[["whole", "colour"]]
    found = in_sqlite(new, model.to_sql("cases"))
    assert np.abs(found - quiet(model.predict_proba, new)).max() < 1e-9


def test_it_is_saved_with_its_counts_and_predicts_files(tmp_path):
    scan = scanned(mixed(N), tmp_path, WEIGHTS["parts"])
    model, X = quiet(rt.PathBayes().fit, scan), mixed(N).drop(columns="label")
    rt.save(model, tmp_path / "model.json")
    with batches_of(64):
        parts = [*rt.load_model(tmp_path / "model.json").predict_proba(scan)]
    assert np.array_equal(np.concatenate(parts), model.predict_proba(X))


def test_the_budget_bounds_the_tables(tmp_path, monkeypatch):
    """Attributes are counted in groups that fit, one reading each; the largest one must fit."""
    scan, passes = scanned(mixed(N), tmp_path), Mock(wraps=FIT.code_batches)
    monkeypatch.setattr(FIT, "code_batches", passes)
    how = {"discretize": "equal-width", "min_child": 1, "weights": "equal"}
    memory = quiet(rt.PathBayes(**how).fit, scan)
    (T, _, C), infos = memory.ended_.shape, memory.tree_.schema
    assert passes.call_count == 1
    assert memory.ended_.dtype == np.uint16
    largest = max(infos, key=lambda info: info.size)
    least = 16 * T * largest.size * C
    with batches_of(64):
        model = quiet(rt.PathBayes(**how).fit, scan, budget=least)
        assert 2 < passes.call_count < 1 + len(infos)
        assert np.array_equal(model.ended_, memory.ended_)
        passes.reset_mock()
        match = rf"{largest.size} values of column '{largest.name}' and {C} classes at {T} nodes, "
        with pytest.raises(ValueError, match=match + rf".* {least:,} bytes.*min_child"):
            quiet(rt.PathBayes(**how).fit, scan, budget=least - 1)
        assert not passes.called


def test_files_that_change_while_the_tree_grows_are_named(tmp_path, monkeypatch):
    scan, grown = scanned(mixed(N), tmp_path), FIT.grown

    def changing(*given):
        mixed(N, seed=2).to_parquet(scan.files[-1])
        return grown(*given)

    monkeypatch.setattr(FIT, "grown", changing)
    with pytest.raises(ValueError, match=f"{scan.files[-1].name} has changed while it was read"):
        quiet(rt.PathBayes().fit, scan)


def test_branches_of_six_attributes_are_raised_as_in_memory(tmp_path):
    """The class is a product of two of them, and noise: branches rise with all three weights."""
    rng = np.random.default_rng(29)
    codes = rng.integers(0, 3, (6, 600))
    y = (codes[0] * codes[1] + (codes[2] > 0) + (rng.random(600) < 0.3)) % 2
    X, y = pd.DataFrame(np.array([*"abc"])[codes.T]).add_prefix("x"), np.where(y, "p", "q")
    make = partial(rt.C45, confidence=0.4, min_child=1)
    for weight in (None, rng.integers(0, 3, 600), rng.random(600) + 0.5):
        model, memory = both(make, X.assign(label=y), tmp_path, weight)
        assert_alike(model, memory, X)
        assert str(memory.tree_) != str(make(raising=False).fit(X, y, weight).tree_)
