"""Trees equal to those of Weka's Id3 (see golden/README.md) and of scikit-learn."""

import json
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from oracles import loaded, prepared
from sklearn.tree import DecisionTreeClassifier
from strategies import schema_of

import ranktrees as rt

FOLDER = Path(__file__).parents[1] / "golden" / "id3"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
EVERY = pytest.mark.parametrize("name", NAMES)


@cache
def golden(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@cache
def fitted(name):
    return fit(prepared(name))


def fit(data):
    """The tree of Id3; ionosphere and segment have a constant column, which warns."""
    model = rt.DecisionTree("information_gain", "multiway", tie=0, min_gain=1e-6)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column .* has only one value", UserWarning)
        return model.fit(data.X, data.y)


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


@EVERY
def test_the_tree_is_wekas_node_by_node(name):
    weka, data = golden(name), rt.load(name)
    assert len(data) == weka["cases"]
    assert [str(c) for c in data.y.categories] == weka["classes"]
    assert list(data.X.columns) == weka["attributes"]
    tree = fitted(name).tree_
    assert as_recorded(tree, 0, weka["classes"], weka["cuts"]) == weka["tree"]


@EVERY
def test_the_cuts_are_wekas_bit_for_bit(name):
    data = loaded(name)
    numeric = data.X.select_dtypes("number")
    assert set(numeric) == set(golden(name)["cuts"])
    for column in numeric:
        x = numeric[column].to_numpy(float)
        x = np.where(np.isnan(x), np.nanmean(x), x)
        assert rt.bins.equal_width(x).tolist() == golden(name)["cuts"][column]


@EVERY
def test_the_estimator_alone_grows_the_same_tree(name):
    """Its own imputation and bins, learnt on the same cases, are those of the papers."""
    alone, tree = fit(loaded(name)).tree_, fitted(name).tree_
    assert np.array_equal(alone.counts, tree.counts)
    assert np.array_equal(alone.child, tree.child)


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
