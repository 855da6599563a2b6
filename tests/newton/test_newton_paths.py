"""The ways by which Newton trees are grown and used fast: each gives the same as the plain one."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import assert_same, mixed

import ranktrees as rt
from ranktrees.models import CentreSplitting, DistanceTree, NewtonTree
from ranktrees.newton import attraction
from ranktrees.plain import newton
from ranktrees.plain.newton_values import difference, unequal

NAMES = list("hgfedcba")  # declared in an order that is not that of the text


def nominal(seed, n=70, classes=3, values=4, missing=0.0, declared=False):
    """Cases with four nominal attributes, of `values` and ever more, that hang on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = pd.DataFrame()
    for a in range(4):
        code = (rng.integers(0, values, n) + y * rng.integers(2)) % (values + a)
        X[f"a{a}"] = pd.Series(np.array(list("abcdefgh"))[code], dtype=object)
    X = X.mask(rng.random(X.shape) < missing) if missing else X
    return (X.astype(pd.CategoricalDtype(NAMES)) if declared else X), y


def plain_column(x):
    """Values, declared ones by their number, None where missing; and their distance."""
    values = x.cat.codes.where(x.notna()) if isinstance(x.dtype, pd.CategoricalDtype) else x
    numeric = pd.api.types.is_numeric_dtype(x)
    return [None if pd.isna(v) else v for v in values], difference if numeric else unequal


def cases_of(X):
    return list(zip(*(plain_column(X[name])[0] for name in X), strict=True))


def compared_with_plain(X, y, new, reading):
    model = NewtonTree(reading=reading).fit(X, y)
    distances = [plain_column(X[name])[1] for name in X]
    root = newton.newton_tree(cases_of(X), y, len(model.classes_), distances, reading=reading)
    declared = [name for name in X if isinstance(X[name].dtype, pd.CategoricalDtype)]
    assert_same(model.tree_.root, root, list(X), dict.fromkeys(declared, NAMES.index))
    expected = [newton.probabilities(root, case, distances) for case in cases_of(new)]
    assert np.abs(model.predict_proba(new) - expected).max() <= 1e-12


def same(one, two, X, digits=0.0):
    """Two fitted models have the same tree, and the same to say of X."""
    for part in ("parent", "attribute", "prototype"):
        assert np.array_equal(getattr(one.tree_, part), getattr(two.tree_, part))
    assert np.allclose(one.tree_.counts, two.tree_.counts, rtol=0, atol=1e-9)
    for what in ("predict_proba", "attraction", "reach", "apply"):
        assert np.abs(getattr(one, what)(X) - getattr(two, what)(X)).max() <= digits


class TestNames:
    @pytest.mark.parametrize("declared", [False, True], ids=["text", "declared"])
    @pytest.mark.parametrize("missing", [0.0, 0.2], ids=["complete", "missing"])
    @pytest.mark.parametrize("reading", ["nearest", "talk"])
    @pytest.mark.parametrize("seed", range(6))
    def test_as_in_plain(self, seed, reading, missing, declared):
        settings = {"values": 2 + seed % 3, "missing": missing, "declared": declared}
        X, y = nominal(seed, classes=2 + seed, **settings)
        new, _ = nominal(seed + 50, n=30, **settings)
        compared_with_plain(X, y, new, reading)

    def test_of_values_as_frequent_the_first_declared_is_the_prototype(self):
        x, y = ["low", "high", "low", "high", "mid"], list("aaaab")
        for order in (["low", "high", "mid"], ["high", "mid", "low"]):
            X = pd.DataFrame({"x": pd.Categorical(x, categories=order)})
            tree = NewtonTree(max_depth=1).fit(X, y).tree_
            assert tree.value(1) == order[0]
        text = NewtonTree(max_depth=1).fit(pd.DataFrame({"x": x}), y).tree_
        assert text.value(1) == "high"  # text has no other order than its own

    @pytest.mark.parametrize("missing", [0.0, 0.2], ids=["complete", "missing"])
    @pytest.mark.parametrize("seed", range(3))
    def test_are_as_a_table_of_zeros_and_ones(self, seed, missing):
        X, y = nominal(seed, n=150, classes=4, values=5, missing=missing)
        X["many"] = [f"v{v}" for v in np.random.default_rng(seed).integers(0, 45, 150)]
        table = NewtonTree(distances=dict.fromkeys(X, unequal)).fit(X, y)
        same(NewtonTree().fit(X, y), table, X, 1e-12)

    def test_collisions_by_hand(self):
        # a takes p; b, whose mode is p too, has q left; c has p alone and merges with a
        X = pd.DataFrame({"x": list("pppppq") + list("ppq") + list("pp")})
        y = np.array(list("aaaaaabbbcc"))
        tree = NewtonTree(max_depth=1).fit(X, y).tree_
        assert tree.root.counts.tolist() == [6, 3, 2]
        assert [tree.value(t) for t in (1, 2)] == ["p", "q"]
        assert tree.counts[1:].tolist() == [[5, 2, 2], [1, 1, 0]]


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

    @pytest.mark.parametrize("reading", ["nearest", "talk"])
    @pytest.mark.parametrize("seed", range(4))
    def test_as_in_plain(self, seed, reading):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 3, 80)
        steps = rng.integers(0, 9, (80, 3)) + y[:, None]
        X = pd.DataFrame(steps * 0.05 + 0.585, columns=list("abc"))
        compared_with_plain(X, y, X + 0.0125, reading=reading)
        plain = NewtonTree(reading=reading).fit(steps, y).tree_
        assert np.array_equal(NewtonTree(reading=reading).fit(X, y).tree_.counts, plain.counts)


class TestBlocks:
    @pytest.mark.parametrize("name", ["soybean", "glass"])
    def test_of_nodes(self, name, monkeypatch):
        data = rt.load(name)
        whole = NewtonTree().fit(data.X, data.y)
        monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", 2000)
        same(whole, NewtonTree().fit(data.X, data.y), data.X, 1e-12)

    def test_of_cases(self, monkeypatch):
        data = rt.load("credit-g")
        model = NewtonTree().fit(data.X, data.y)
        whole = model.predict_proba(data.X), model.apply(data.X)
        monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", 5000)
        assert np.abs(model.predict_proba(data.X) - whole[0]).max() <= 1e-14
        assert np.array_equal(model.apply(data.X), whole[1])


class TestUse:
    def test_one_case_is_as_many(self):
        X, y = mixed(4, n=120, missing=0.1)
        model = NewtonTree().fit(X, y)
        single = [model.predict_proba(X[i : i + 1])[0] for i in range(len(X))]
        assert np.abs(model.predict_proba(X) - single).max() <= 1e-14

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

    def test_a_large_tree_is_the_sum_over_all_its_leaves(self):
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(3000, 6)), rng.integers(0, 2, 3000)
        model = NewtonTree().fit(X, y)
        tree, p = model.tree_, model.attraction(X[:200])
        assert len(tree) > attraction.SMALL
        for t in range(1, len(tree)):
            p[:, t] *= p[:, tree.parent[t]]
        dense = (p[:, tree.is_leaf, None] * model.node_proba_[tree.is_leaf]).sum(axis=1)
        assert np.abs(model.predict_proba(X[:200]) - dense).max() <= 1e-12

    def test_crisp_use_does_not_follow_all_cases_everywhere(self):
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(5000, 6)), rng.integers(0, 2, 5000)
        model, visits = DistanceTree().fit(X, y), 0
        for node, cases, _ in model._reaches(model._columns(X), model._share):
            visits += len(node) * len(np.arange(5000)[cases])
        assert visits < len(X) * len(model.tree_) / 5
        assert np.array_equal(model.predict_proba(X), model.node_proba_[model.apply(X)])

    @pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "missing"])
    @pytest.mark.parametrize("options", [{}, {"exponent": 3.0}])
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
