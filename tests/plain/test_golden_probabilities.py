"""Class probabilities of every case equal to those of Weka's learners (golden/README)."""

import json
import warnings
from functools import cache
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
    return getattr(rt, LEARNERS[weka])(**params)


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


@OURS
def test_trained_on_all_cases_and_cross_validated(name, weka):
    data, recorded = prepared(name), golden(name)
    assert [str(c) for c in rt.load(name).y.categories] == recorded["classes"]
    ours = fit(untrained(weka), data.X, data.y).predict_proba(data.X)
    assert_equal(ours, probabilities(recorded["coded"][weka]["all"]))
    ours = by_folds(untrained(weka), data, np.array(recorded["fold"]))
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
