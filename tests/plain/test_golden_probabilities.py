"""Class probabilities of every case equal to those of Weka's learners (golden/README)."""

import json
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from oracles import loaded, prepared

import ranktrees as rt

FOLDER = Path(__file__).parents[1] / "golden" / "probabilities"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
TREES = {"J48 -U -A": "C44", "J48": "C45"}
LEARNERS = {"NaiveBayes": "NaiveBayes", "AODE": "AODE", **TREES}
EVERY = pytest.mark.parametrize("name", NAMES)
TOLERANCE = 1e-6


@cache
def golden(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


RAW = [name for name in NAMES if "raw" in golden(name)]
CODED = [(name, weka) for name in NAMES for weka in golden(name)["coded"]]
OURS = pytest.mark.parametrize(("name", "weka"), CODED)


def probabilities(record):
    """(n, C) as recorded: the distinct rows, put back at their places."""
    return np.array(record["rows"])[record["index"]]


def untrained(weka, **params):
    """Our counterpart of a learner of Weka's."""
    name = LEARNERS[weka]
    home = "ranktrees.models"
    return getattr(import_module(home), name)(**params)


def fit(model, X, y):
    """The fitted model; a column that is constant in the training cases warns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column .* has only one value", UserWarning)
        return model.fit(X, y)


def by_folds(model, data, fold):
    """(n, C) probabilities of each case by the model that did not see its fold."""
    proba = np.empty((len(data), len(data.y.categories)))
    for f in range(fold.max() + 1):
        seen = fold != f
        fit(model, data.X[seen], data.y[seen])
        proba[~seen] = model.predict_proba(data.X[~seen])
    return proba


def assert_equal(ours, weka):
    """Every probability within the tolerance; the message names the worst case."""
    apart = np.abs(ours - weka).max(axis=1)
    case = int(apart.argmax())
    wrong = int((apart > TOLERANCE).sum())
    assert not wrong, f"{wrong} cases differ, case {case} most: {ours[case]}, Weka {weka[case]}"


def weka_size(tree):
    """Leaves and nodes as J48 counts them, which keeps branches without training cases."""
    nodes, inner = 1 + len(tree.child), int((~tree.is_leaf).sum())
    return {"leaves": nodes - inner, "nodes": nodes}


def test_fourteen_sets_are_recorded():
    assert len(NAMES) == 14
    assert len(RAW) == 8
    assert len(CODED) == 14 * 3 + 7


@EVERY
def test_the_data_are_the_same(name):
    weka, data = golden(name), rt.load(name)
    assert [str(c) for c in data.y.categories] == weka["classes"]
    for learner in weka["coded"].values():
        for what in ("all", "cv"):
            proba = probabilities(learner[what])
            assert proba.shape == (len(data), len(weka["classes"]))
            assert np.abs(proba.sum(axis=1) - 1).max() < 1e-7


@EVERY
def test_wekas_folds_are_stratified(name):
    """Ten of nearly equal size, each class spread over them as evenly as its place allows."""
    fold, data = np.array(golden(name)["fold"]), rt.load(name)
    sizes = np.bincount(fold, minlength=10)
    assert (np.sort(sizes)[::-1] == sizes).all()
    assert sizes.max() - sizes.min() <= 1
    per_class = rt.tally((len(data.y.categories), 10), data.y.codes, fold)
    assert (per_class.max(axis=1) - per_class.min(axis=1)).max() <= 2


@OURS
def test_trained_on_all_cases(name, weka):
    data = prepared(name)
    ours = fit(untrained(weka), data.X, data.y).predict_proba(data.X)
    assert_equal(ours, probabilities(golden(name)["coded"][weka]["all"]))


@OURS
def test_cross_validated(name, weka):
    recorded = golden(name)
    ours = by_folds(untrained(weka), prepared(name), np.array(recorded["fold"]))
    assert_equal(ours, probabilities(recorded["coded"][weka]["cv"]))


@pytest.mark.parametrize("weka", TREES)
@EVERY
def test_the_trees_have_wekas_size(name, weka):
    data, recorded = prepared(name), golden(name)["coded"][weka]
    found = weka_size(fit(untrained(weka), data.X, data.y).tree_)
    assert found == {what: recorded[what] for what in found}


@pytest.mark.parametrize("weka", TREES)
@pytest.mark.parametrize("name", RAW)
def test_raw_numbers(name, weka):
    """Binary cuts between all adjacent values, whatever their number."""
    data, recorded = loaded(name), golden(name)["raw"][weka]
    model = fit(untrained(weka, numeric="thresholds", max_codes=None), data.X, data.y)
    found = weka_size(model.tree_)
    assert found == {what: recorded[what] for what in found}
    assert_equal(model.predict_proba(data.X), probabilities(recorded["all"]))


@EVERY
def test_the_plain_tree_collapsed_is_j48_unpruned(name):
    """C4.5's rules in `DecisionTree`, Laplace, and Weka's collapse from the definition."""
    data, recorded = prepared(name), golden(name)
    rules = {"criterion": "gain_ratio", "min_parent": 4, "min_child": 2, "child_rule": "two"}
    model = fit(rt.DecisionTree(**rules, tie=1e-6, estimate="laplace"), data.X, data.y)
    codes = model.encoder_.transform(data.X).values
    ours = model.node_proba_[collapsed_nodes(model.tree_, codes)]
    assert_equal(ours, probabilities(recorded["coded"]["J48 -U -A"]["all"]))


def collapsed_nodes(tree, codes):
    """Node (n,) of each case, its path cut at the first subtree that saves no training error."""
    as_leaf = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    below = as_leaf * tree.is_leaf
    for t in range(len(tree) - 1, 0, -1):
        below[tree.parent[t]] += below[t]
    stops = below >= as_leaf - 1e-3
    paths = tree.paths()[tree.apply(codes)]
    return paths[np.arange(len(paths)), stops[paths].argmax(axis=1)]


def test_the_comparison_finds_a_difference():
    weka = probabilities(golden("iris")["coded"]["J48"]["all"])
    ours = weka.copy()
    ours[3, 0] += 1e-5
    assert_equal(weka, weka)
    with pytest.raises(AssertionError, match="1 cases differ, case 3"):
        assert_equal(ours, weka)
