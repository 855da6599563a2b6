"""Trees and probabilities equal to those of Weka (golden/README.md), of scikit-learn, of before."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from golden.record_models import ALIKE, FILE, digests, sets
from oracles import loaded, prepared, quietly
from sklearn.tree import DecisionTreeClassifier
from strategies import schema_of

import ranktrees as rt

FOLDER = Path(__file__).parents[1] / "golden"
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
LEARNERS = {"NaiveBayes": rt.NaiveBayes, "AODE": rt.AODE, "J48 -U -A": rt.C44, "J48": rt.C45}
TREES = ("J48 -U -A", "J48")
TOLERANCE = 1e-6


@cache
def golden(kind, name):
    return json.loads((FOLDER / kind / f"{name}.json").read_text(encoding="utf-8"))


def names(kind):
    return sorted(path.stem for path in (FOLDER / kind).glob("*.json"))


CODED = [(n, weka) for n in names("probabilities") for weka in golden("probabilities", n)["coded"]]
RAW = [name for name in names("probabilities") if "raw" in golden("probabilities", name)]


def as_recorded(tree, t, classes, numeric):
    """A tree from node t on as Weka's are recorded, None where no case is."""
    if t < 0:
        return None
    node = type(tree.root)(tree, t)
    form = {"counts": node.counts.tolist()}
    if node.is_leaf:
        return form | {"class": classes[node.counts.argmax()]}
    values = range(node.test.size) if node.name in numeric else node.test.values
    each = zip(map(str, values), node.branches.tolist(), strict=True)
    below = {value: as_recorded(tree, child, classes, numeric) for value, child in each}
    return form | {"attribute": node.name, "children": below}


@pytest.mark.parametrize("name", names("id3"))
def test_the_tree_of_id3_is_wekas_node_by_node_and_its_cuts_bit_for_bit(name):
    """The estimator's own imputation and bins, learnt on all cases, are those of the papers."""
    weka, data = golden("id3", name), loaded(name)
    assert [str(c) for c in rt.load(name).y.categories] == weka["classes"]
    assert list(data.X.columns) == weka["attributes"]
    for cases in (prepared(name), data):
        model = rt.DecisionTree("information_gain", "multiway", tie=0, min_gain=1e-6)
        tree = quietly(model.fit, cases.X, cases.y).tree_
        assert as_recorded(tree, 0, weka["classes"], weka["cuts"]) == weka["tree"]
    numeric = data.X.select_dtypes("number")
    assert set(numeric) == set(weka["cuts"])
    for column in numeric:
        x = numeric[column].to_numpy(float)
        x = np.where(np.isnan(x), np.nanmean(x), x)
        assert rt.bins.equal_width(x).tolist() == weka["cuts"][column]


@pytest.mark.parametrize("size", [16, 80])
@pytest.mark.parametrize("seed", range(3))
def test_cuts_with_gini_are_the_tree_of_scikit_learn(size, seed):
    """Where nothing ties."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, size, (3000, 4))
    chance = 1 / (1 + np.exp(-(X - size / 2) @ [0.9, 0.5, 0.3, 0.1] * 4 / size))
    y = (rng.random(3000) < chance) + (rng.random(3000) < X[:, 1] / size / 2).astype(int)
    codes = rt.Codes(X, schema_of((size,) * 4))
    ours = rt.DecisionTree("gini", "threshold", max_depth=4).fit(codes, y)
    theirs = DecisionTreeClassifier(random_state=0, max_depth=4).fit(X, y)
    assert ours.predict_proba(codes) == pytest.approx(theirs.predict_proba(X))
    assert ours.tree_.n_leaves == theirs.get_n_leaves() == 16
    assert len(np.unique([ours.apply(codes), theirs.apply(X)], axis=1).T) == 16


def assert_equal(ours, record):
    """Every probability within the tolerance; the message names the worst case."""
    weka = np.array(record["rows"])[record["index"]]
    apart = np.abs(ours - weka).max(axis=1)
    case = int(apart.argmax())
    wrong = int((apart > TOLERANCE).sum())
    assert not wrong, f"{wrong} cases differ, case {case} most: {ours[case]}, Weka {weka[case]}"


def assert_all_cases(model, weka, data, record):
    """Trained on all cases: the probabilities, and a tree's size as J48 counts it."""
    quietly(model.fit, data.X, data.y)
    assert_equal(model.predict_proba(data.X), record["all"])
    if weka in TREES:  # J48 keeps branches without training cases
        tree = model.tree_
        nodes = 1 + len(tree.child)
        leaves = nodes - int((~tree.is_leaf).sum())
        assert (nodes, leaves) == (record["nodes"], record["leaves"])


@pytest.mark.parametrize(("name", "weka"), CODED)
def test_trained_on_all_cases_and_cross_validated(name, weka):
    data, recorded = prepared(name), golden("probabilities", name)
    assert [str(c) for c in rt.load(name).y.categories] == recorded["classes"]
    model, record = LEARNERS[weka](), recorded["coded"][weka]
    assert_all_cases(model, weka, data, record)
    fold = np.array(recorded["fold"])
    assert_equal(quietly(rt.cross_val_proba, model, data, folds=fold), record["cv"])


@pytest.mark.parametrize("weka", TREES)
@pytest.mark.parametrize("name", RAW)
def test_raw_numbers(name, weka):
    """Binary cuts between all adjacent values, whatever their number."""
    model = LEARNERS[weka](numeric="thresholds", max_codes=None)
    assert_all_cases(model, weka, loaded(name), golden("probabilities", name)["raw"][weka])


@pytest.mark.parametrize("name", sets())
def test_models_say_what_was_recorded(name):
    """No model says anything else than what was recorded: see golden/record_models.py."""
    now, before = digests(name), RECORDED[name]
    assert now.keys() == before.keys()
    assert {t: d[0] for t, d in now.items()} == {t: d[0] for t, d in before.items()}
    for title, (_, *sums) in now.items():
        assert sums == pytest.approx(before[title][1:], rel=0, abs=ALIKE), title
