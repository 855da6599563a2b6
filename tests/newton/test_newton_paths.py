"""The ways by which Newton trees are grown and used fast: each gives the same as the plain one."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees.models import CentreSplitting, DistanceTree, NewtonTree
from ranktrees.newton import attraction
from ranktrees.plain.newton_values import unequal


def nominal(seed, n=150, classes=4, values=5, missing=0.0):
    """Cases with four nominal attributes, of `values` and ever more, that hang on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = pd.DataFrame()
    for a in range(4):
        code = (rng.integers(0, values, n) + y * rng.integers(2)) % (values + a)
        X[f"a{a}"] = pd.Series(np.array(list("abcdefgh"))[code], dtype=object)
    return X.mask(rng.random(X.shape) < missing), y


def same(one, two, X, digits=0.0):
    """Two fitted models have the same tree, and the same to say of X."""
    for part in ("parent", "attribute", "prototype"):
        assert np.array_equal(getattr(one.tree_, part), getattr(two.tree_, part))
    assert np.allclose(one.tree_.counts, two.tree_.counts, rtol=0, atol=1e-9)
    for what in ("predict_proba", "attraction", "reach", "apply"):
        assert np.abs(getattr(one, what)(X) - getattr(two, what)(X)).max() <= digits


class TestNames:
    def test_of_values_as_frequent_the_first_declared_is_the_prototype(self):
        x, y = ["low", "high", "low", "high", "mid"], list("aaaab")
        for order in (["low", "high", "mid"], ["high", "mid", "low"]):
            X = pd.DataFrame({"x": pd.Categorical(x, categories=order)})
            tree = NewtonTree(max_depth=1).fit(X, y).tree_
            assert tree.value(1) == order[0]
        text = NewtonTree(max_depth=1).fit(pd.DataFrame({"x": x}), y).tree_
        assert text.value(1) == "high"  # text has no other order than its own

    @pytest.mark.parametrize("missing", [0.0, 0.2], ids=["complete", "missing"])
    @pytest.mark.parametrize("seed", [0, 1])
    def test_are_as_a_table_of_zeros_and_ones(self, seed, missing):
        X, y = nominal(seed, missing=missing)
        X["many"] = [f"v{v}" for v in np.random.default_rng(seed).integers(0, 45, 150)]
        table = NewtonTree(distances=dict.fromkeys(X, unequal)).fit(X, y)
        same(NewtonTree().fit(X, y), table, X, 1e-12)


class TestUnits:
    X, y = np.array([0.785] * 6 + [0.735] * 2 + [0.685] * 4)[:, None], [0] * 7 + [1] * 5

    @pytest.mark.parametrize("reading", ["nearest", "talk"])
    def test_metres_and_millimetres_give_one_tree(self, reading):
        one = NewtonTree(reading=reading).fit(self.X, self.y)
        two = NewtonTree(reading=reading).fit((self.X * 1000).round(), self.y)
        assert np.array_equal(one.tree_.counts, two.tree_.counts)
        assert np.array_equal(one.apply(self.X), two.apply((self.X * 1000).round()))

    def test_a_tie_goes_to_the_heavier(self):
        tree = NewtonTree(max_depth=1).fit(self.X, self.y).tree_
        assert tree.counts[1:].tolist() == [[7, 1], [0, 4]]  # .735 lies between .785 and .685


class TestUse:
    @pytest.mark.parametrize("name", ["vote", "glass"])
    def test_blocks_of_nodes(self, name, monkeypatch):
        data = rt.load(name)
        whole = NewtonTree().fit(data.X, data.y)
        monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", 2000)
        same(whole, NewtonTree().fit(data.X, data.y), data.X, 1e-12)

    @pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "missing"])
    @pytest.mark.parametrize("kind", [NewtonTree, DistanceTree, CentreSplitting])
    def test_a_tree_in_parts_says_what_it_says_as_a_whole(self, kind, missing, monkeypatch):
        X, y = mixed(2, n=150, classes=4, missing=missing)
        new, _ = mixed(12, n=150, missing=missing)
        options = {"exponent": 3.0} if kind is NewtonTree else {}
        model = kind(**options).fit(X, y)
        monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", 5000)
        whole = [model.predict_proba(new), model.reach(new), model.apply(new)]
        monkeypatch.setattr(attraction, "SMALL", 0)
        parts = [model.predict_proba(new), model.reach(new), model.apply(new)]
        assert max(np.abs(a - b).max() for a, b in zip(whole, parts, strict=True)) <= 1e-14
