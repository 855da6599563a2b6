"""Path Bayes and subtree raising on files: the models that memory gives."""

import numpy as np
import pandas as pd
import pytest
from databases import in_sqlite
from prunable import assert_same_tree
from scale_cases import FIT, batches_of, mixed, quiet, write

import ranktrees as rt

N = 400
WEIGHTS = {
    "none": None,
    "whole": np.random.default_rng(3).integers(0, 4, N),
    "parts": np.random.default_rng(4).random(N) + 0.5,
}
SETTINGS = [
    {},
    {"discretize": "equal-width", "estimate": "path-bayes-em"},
    {"discretize": "equal-frequency", "missing": "value", "min_child": 1},
    {"discretize": "equal-width", "min_child": 1, "class_weight": "balanced"},
]


def scanned(frame, folder, weight=None, kind="parquet"):
    """A scan of some files with these cases, and a column of weights where there are any."""
    frame = frame if weight is None else frame.assign(w=weight)
    folder = write(frame, folder, [100, 0, 37], kind)
    return rt.scan(folder, "label", weight=None if weight is None else "w")


def both(make, frame, folder, weight=None, **how):
    """The model of files and that of memory."""
    memory = quiet(make().fit, frame.drop(columns="label"), frame["label"], weight)
    with batches_of(64):
        return quiet(make().fit, scanned(frame, folder, weight), **how), memory


def assert_alike(model, memory, *parts):
    """The same tree, and the same answers for cases."""
    for name in ("parent", "attribute", "cut", "child", "offset"):
        assert np.array_equal(getattr(model.tree_, name), getattr(memory.tree_, name)), name
    np.testing.assert_allclose(model.tree_.counts, memory.tree_.counts, rtol=1e-12)
    for X in parts:
        found, expected = quiet(model.predict_proba, X), quiet(memory.predict_proba, X)
        assert np.abs(found - expected).max() < 1e-12


def new_cases():
    """Cases with more gaps, and with values that were never seen."""
    X = mixed(200, seed=9, gaps=0.3).drop(columns="label")
    return X.assign(text=X["text"].where(X["text"] != "a", "never"))


@pytest.mark.parametrize("how", SETTINGS, ids=str)
@pytest.mark.parametrize("name", WEIGHTS)
def test_path_bayes_is_that_of_memory(name, how, tmp_path):
    frame = mixed(N)
    model, memory = both(lambda: rt.PathBayes(**how), frame, tmp_path, WEIGHTS[name])
    assert len(memory.tree_) > 1
    assert_alike(model, memory, frame.drop(columns="label"), new_cases())
    np.testing.assert_allclose(
        model.feature_importances_, memory.feature_importances_, rtol=1e-9, atol=1e-12
    )


def test_on_any_tree_with_a_branch_per_value(tmp_path):
    frame = mixed(N).drop(columns="size")
    model, memory = both(lambda: rt.DecisionTree("gini", estimate="path-bayes"), frame, tmp_path)
    assert_same_tree(model.tree_, memory.tree_)
    assert_alike(model, memory, new_cases().drop(columns="size"))
    laplace, again = model.with_estimate("laplace"), model.with_estimate("path-bayes-em")
    assert np.array_equal(laplace.node_proba_, memory.with_estimate("laplace").node_proba_)
    assert_alike(again, memory.with_estimate("path-bayes-em"), new_cases().drop(columns="size"))
    assert_alike(laplace.with_estimate("path-bayes"), memory, new_cases().drop(columns="size"))
    with pytest.raises(ValueError, match=r"'wpe' needs the cases: .*laplace.*sample"):
        model.with_estimate("wpe")
    with pytest.raises(ValueError, match=r"'path-bayes' needs .*: fit the files with it, .*sample"):
        model.with_tree(rt.prune.collapse(model.tree_))
    with pytest.raises(ValueError, match="path Bayes needs a branch per value"):
        rt.DecisionTree(estimate="path-bayes").fit(scanned(mixed(N), tmp_path / "cut"))


def test_csv_files_an_explanation_and_sql(tmp_path):
    frame = mixed(N)[["whole", "colour", "label"]].astype({"label": "str"})
    frame["colour"] = frame["colour"].astype(object)
    memory = rt.PathBayes().fit(frame.drop(columns="label"), frame["label"])
    model = rt.PathBayes().fit(scanned(frame, tmp_path, kind="csv"))
    case = frame.drop(columns="label").iloc[3]
    assert_alike(model, memory, frame.drop(columns="label"))
    assert str(model.explain(case)) == str(memory.explain(case))
    for X, fitted in ((frame, model), (new_cases(), model), (frame, memory)):
        X = X[["whole", "colour"]]
        found = in_sqlite(X, fitted.to_sql("cases"))
        assert np.abs(found - quiet(fitted.predict_proba, X)).max() < 1e-9


def test_it_is_saved_with_its_counts(tmp_path):
    frame = mixed(N)
    scan = scanned(frame, tmp_path / "files", WEIGHTS["parts"])
    model, X = quiet(rt.PathBayes().fit, scan), new_cases()
    rt.save(model, tmp_path / "model.json")
    again = rt.load_model(tmp_path / "model.json")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    with batches_of(64):
        batches = list(again.predict_proba(scan))
        path = scan.write_proba(again, tmp_path / "proba.parquet")
    whole = model.predict_proba(frame.drop(columns="label"))
    assert [len(batch) for batch in batches] == [64, 36, 37, 64, 64, 64, 64, 7]
    assert np.array_equal(np.concatenate(batches), whole)
    assert np.array_equal(pd.read_parquet(path).to_numpy(), whole)


def test_the_budget_bounds_the_table(tmp_path):
    scan = scanned(mixed(N), tmp_path)
    how = {"discretize": "equal-width", "min_child": 1}
    T, M, C = quiet(rt.PathBayes(**how).fit, scan).ended_.shape
    with batches_of(64):
        quiet(rt.PathBayes(**how).fit, scan, budget=16 * T * M * C)
        match = rf"{M} values and {C} classes at {T} nodes, .* {16 * T * M * C:,} bytes.*min_child"
        with pytest.raises(ValueError, match=match):
            quiet(rt.PathBayes(**how).fit, scan, budget=16 * T * M * C - 1)


def test_files_that_change_while_the_tree_grows_are_named(tmp_path, monkeypatch):
    scan = scanned(mixed(N), tmp_path)

    def changing(*given):
        mixed(N, seed=2).to_parquet(scan.files[-1])
        return grown(*given)

    grown = FIT.grown
    monkeypatch.setattr(FIT, "grown", changing)
    with pytest.raises(ValueError, match=f"{scan.files[-1].name} has changed while it was read"):
        quiet(rt.PathBayes().fit, scan)


def products(seed):
    """Cases whose class is a product of two attributes, noisy: trees of which branches rise."""
    rng = np.random.default_rng(seed)
    n, sizes = int(rng.integers(80, 900)), rng.integers(2, 5, int(rng.integers(3, 7)))
    codes = [rng.integers(0, size, n) for size in sizes]
    y = (codes[0] * codes[1] + (codes[2] > 0) + (rng.random(n) < 0.3)) % 2
    frame = {
        f"a{j}": pd.Categorical.from_codes(x, [f"v{k}" for k in range(size)])
        for j, (x, size) in enumerate(zip(codes, sizes, strict=True))
    }
    weight = [None, rng.integers(0, 3, n), rng.random(n) + 0.5][seed % 3]
    return pd.DataFrame(frame).assign(label=np.where(y, "p", "q")), weight


def test_branches_are_raised_as_in_memory(tmp_path):
    raised, how = 0, {"confidence": 0.4, "min_child": 1}
    for seed in range(24):
        frame, weight = products(seed)
        X = frame.drop(columns="label")
        for make in (lambda: rt.C45(**how), lambda: rt.PathBayes(1)):
            model, memory = both(make, frame, tmp_path / f"{seed}", weight)
            assert_alike(model, memory, X)
        c45, unraised = (
            rt.C45(**how, raising=r).fit(X, frame["label"], weight).tree_ for r in (True, False)
        )
        raised += str(c45) != str(unraised)
    assert raised > 3


@pytest.mark.parametrize(
    "how", [{"numeric": "thresholds", "max_codes": 40}, {"discretize": "equal-frequency"}], ids=str
)
def test_branches_of_cuts_are_raised_as_in_memory(tmp_path, how):
    frame = pd.concat([mixed(900, seed=seed) for seed in (3, 4)], ignore_index=True)
    model, memory = both(lambda: rt.C45(min_child=1, **how), frame, tmp_path)
    assert_alike(model, memory, new_cases())
