"""The ways by which Newton trees are grown and used fast: each gives the same as the plain one."""

import literal_martinez2010 as literal
import numpy as np
import pandas as pd
import pytest
from newton_cases import different, mixed
from test_newton import assert_same

import ranktrees as rt
from ranktrees.models import DistanceTree, NewtonTree
from ranktrees.newton import propose, use
from ranktrees.newton.counted import Counted, with_lost
from ranktrees.newton.measured import Measured
from ranktrees.newton.prototypes import find_prototypes


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

    @pytest.mark.parametrize("name", ["breast-cancer", "soybean", "vote"])
    def test_as_by_cases(self, name, monkeypatch):
        data = rt.load(name)
        fast = NewtonTree().fit(data.X, data.y)
        monkeypatch.setattr(propose, "MOST", 0)
        slow = NewtonTree().fit(data.X, data.y)
        same(fast, slow, data.X, 1e-12)

    def test_many_values_are_compared_and_others_counted(self, monkeypatch):
        rng = np.random.default_rng(3)
        X, y = mixed(3, n=200, missing=0.1)
        X["many"] = [f"v{v}" for v in rng.integers(0, 45, 200)]
        fast = NewtonTree().fit(X, y)
        monkeypatch.setattr(propose, "MOST", 64)
        same(fast, NewtonTree().fit(X, y), X, 1e-12)

    @pytest.mark.parametrize("weighted", [False, True])
    def test_prototypes_of_one_level(self, weighted):
        X, y = nominal(1, n=90, classes=4)
        codes = [np.unique(X[name], return_inverse=True)[1] for name in X]
        columns = [rt.Attribute(sorted(set(X[name])), "zero-one", name) for name in X]
        none = (None,) * 4
        data = Measured(tuple(columns), np.array(codes), none, none, np.ones(4), none)
        node = np.arange(90) % 5
        rng = np.random.default_rng(1)
        weight = rng.random(90) if weighted else None
        counts = np.bincount(node * 4 + y, weight, minlength=20).reshape(5, 4)
        order = np.argsort(-counts, axis=1, kind="stable")
        rank = np.argsort(order, axis=1)[node, y]
        mass = np.take_along_axis(counts, order, axis=1)
        counted = Counted(data, np.arange(4))
        code, tables, _ = counted(np.arange(90), node, rank, mass, weight)
        slow = find_prototypes(data, data.code, node * 4 + rank, mass, weight)
        assert np.array_equal(code, slow.code)
        assert np.allclose(tables.sum(axis=-2), np.broadcast_to(mass, (4, 5, 4)))

    def test_lost_cases_are_divided_as_the_others(self):
        tables = np.array([[[[3.0, 1], [0, 0]], [[0, 0], [0, 0]]]])
        lost = np.array([[[[1.0, 2]], [[5, 0]]]])
        assert with_lost(tables, lost)[0, 0].tolist() == [[4, 3], [0, 0]]
        assert with_lost(tables, lost)[0, 1].sum() == 0  # no other case says where


class TestBlocks:
    @pytest.mark.parametrize("name", ["soybean", "glass"])
    def test_of_nodes(self, name, monkeypatch):
        data = rt.load(name)
        whole = NewtonTree().fit(data.X, data.y)
        monkeypatch.setattr(propose, "CELLS", 2000)
        monkeypatch.setattr(propose, "SMALL", 0)
        same(whole, NewtonTree().fit(data.X, data.y), data.X, 1e-12)

    def test_of_cases(self, monkeypatch):
        data = rt.load("credit-g")
        model = NewtonTree().fit(data.X, data.y)
        whole = model.predict_proba(data.X), model.apply(data.X)
        monkeypatch.setattr(use, "CELLS", 5000)
        assert np.abs(model.predict_proba(data.X) - whole[0]).max() <= 1e-14
        assert np.array_equal(model.apply(data.X), whole[1])


class TestLookingUp:
    @pytest.mark.parametrize("repeats", [1, 1 << 40], ids=["always", "never"])
    @pytest.mark.parametrize("kind", [NewtonTree, DistanceTree])
    @pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "missing"])
    def test_changes_no_share(self, missing, kind, repeats, monkeypatch):
        X, y = mixed(2, n=150, missing=missing)
        new, _ = mixed(12, n=150, missing=missing)
        options = {"eps": 0.01, "exponent": 3.0} if kind is NewtonTree else {}
        model = kind(**options).fit(X, y)
        usual = [model.attraction(new), model.reach(new), model.apply(new)]
        monkeypatch.setattr(use, "REPEATS", repeats)
        other = [model.attraction(new), model.reach(new), model.apply(new)]
        assert all(np.array_equal(one, two) for one, two in zip(usual, other, strict=True))

    def test_one_case_is_as_many(self):
        X, y = mixed(4, n=120, missing=0.1)
        model = NewtonTree().fit(X, y)
        single = [model.predict_proba(X[i : i + 1])[0] for i in range(len(X))]
        assert np.abs(model.predict_proba(X) - single).max() <= 1e-14

    def test_large_tables_are_not_made(self, monkeypatch):
        data = rt.load("diabetes")
        model = NewtonTree().fit(data.X, data.y)
        usual = model.predict_proba(data.X)
        monkeypatch.setattr(use, "TABLE", 0)
        monkeypatch.setattr(use._LookedUp, "__init__", None)  # would raise
        assert np.abs(model.predict_proba(data.X) - usual).max() <= 1e-14
