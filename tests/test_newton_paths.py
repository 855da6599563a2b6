"""The ways by which Newton trees are grown and used fast: each gives the same as the plain one."""

import literal_martinez2010 as literal
import numpy as np
import pandas as pd
import pytest
from newton_cases import different, mixed
from test_newton import assert_same

import ranktrees as rt
from ranktrees.models import NewtonTree


def nominal(seed, n=70, classes=3, values=4, missing=0.0):
    """Cases with four nominal attributes, of `values` and ever more, that hang on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = pd.DataFrame()
    for a in range(4):
        code = (rng.integers(0, values, n) + y * rng.integers(2)) % (values + a)
        X[f"a{a}"] = pd.Series(np.array(list("abcdefgh"))[code], dtype=object)
    return (X.mask(rng.random(X.shape) < missing) if missing else X), y


def literal_columns(X):
    return [([None if pd.isna(v) else v for v in X[name]], different) for name in X]


def compared_with_literal(X, y, new, **options):
    model = NewtonTree(**options).fit(X, y)
    columns = literal_columns(X)
    class_mass = options.get("reading") == "as_slides"
    slow = literal.grow(columns, y.tolist(), len(model.classes_), class_mass=class_mass)
    assert_same(model.tree_.root, slow, list(X))
    cases = zip(*(values for values, _ in literal_columns(new)), strict=True)
    expected = [literal.probabilities(slow, columns, case) for case in cases]
    assert np.abs(model.predict_proba(new) - expected).max() <= 1e-12


def same(one, two, X, digits=0.0):
    """Two fitted models have the same tree, and the same to say of X."""
    for part in ("parent", "attribute", "prototype"):
        assert np.array_equal(getattr(one.tree_, part), getattr(two.tree_, part))
    assert np.allclose(one.tree_.counts, two.tree_.counts, rtol=0, atol=1e-9)
    for what in ("predict_proba", "attraction", "reach", "apply"):
        assert np.abs(getattr(one, what)(X) - getattr(two, what)(X)).max() <= digits


class TestCounts:
    @pytest.mark.parametrize("missing", [0.0, 0.2], ids=["complete", "missing"])
    @pytest.mark.parametrize("reading", ["standard", "as_slides"])
    @pytest.mark.parametrize("seed", range(6))
    def test_as_transcribed(self, seed, reading, missing):
        X, y = nominal(seed, classes=2 + seed, values=2 + seed % 3, missing=missing)
        new, _ = nominal(seed + 50, n=30, values=2 + seed % 3, missing=missing)
        compared_with_literal(X, y, new, reading=reading)

    def test_collisions_by_hand(self):
        # a takes p; b, whose mode is p too, has q left; c has p alone and merges with a
        X = pd.DataFrame({"x": list("pppppq") + list("ppq") + list("pp")})
        y = np.array(list("aaaaaabbbcc"))
        tree = NewtonTree(max_depth=1).fit(X, y).tree_
        assert tree.root.counts.tolist() == [6, 3, 2]
        assert [tree.value(t) for t in (1, 2)] == ["p", "q"]
        assert tree.counts[1:].tolist() == [[5, 2, 2], [1, 1, 0]]


class TestBlocks:
    @pytest.mark.parametrize("name", ["soybean", "glass"])
    def test_of_nodes(self, name, monkeypatch):
        data = rt.load(name)
        whole = NewtonTree().fit(data.X, data.y)
        monkeypatch.setattr("ranktrees.blocks.LIMIT", 2000)
        same(whole, NewtonTree().fit(data.X, data.y), data.X, 1e-12)

    def test_of_cases(self, monkeypatch):
        data = rt.load("credit-g")
        model = NewtonTree().fit(data.X, data.y)
        whole = model.predict_proba(data.X), model.apply(data.X)
        monkeypatch.setattr("ranktrees.blocks.LIMIT", 5000)
        assert np.abs(model.predict_proba(data.X) - whole[0]).max() <= 1e-14
        assert np.array_equal(model.apply(data.X), whole[1])


class TestUse:
    def test_one_case_is_as_many(self):
        X, y = mixed(4, n=120, missing=0.1)
        model = NewtonTree().fit(X, y)
        single = [model.predict_proba(X[i : i + 1])[0] for i in range(len(X))]
        assert np.abs(model.predict_proba(X) - single).max() <= 1e-14

    @pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "missing"])
    @pytest.mark.parametrize("options", [{}, {"eps": 0.01, "exponent": 3.0}])
    def test_following_the_likely_ways_is_the_whole_sum(self, missing, options):
        """Every node's reach is the product of all shares above it; the leaves' sum is exact."""
        X, y = mixed(2, n=150, missing=missing)
        new, _ = mixed(12, n=150, missing=missing)
        model = NewtonTree(**options).fit(X, y)
        share, tree = model.attraction(new), model.tree_
        reach = np.ones(share.shape)
        for t in range(1, len(tree)):
            reach[:, t] = share[:, t] * reach[:, tree.parent[t]]
        assert np.abs(model.reach(new) - reach).max() <= 1e-14
        dense = reach[:, tree.is_leaf] @ model.node_proba_[tree.is_leaf]
        assert np.abs(model.predict_proba(new) - dense).max() <= 1e-12
