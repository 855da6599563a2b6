"""Estimates at the nodes of a tree, and those that differ by case, by hand and in their limits."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import by_estimate, coded, node_estimate, schema_of

import ranktrees as rt
from ranktrees.basics.blocks import blocks
from ranktrees.estimates import ESTIMATES, by_case, estimate_names
from ranktrees.estimates import nodes as estimate
from ranktrees.growing.tree import Tree, single_leaf

SEEDS = st.integers(0, 2**31)
PARTS = ("parent", "attribute", "cut", "child", "offset")


def three_levels(third=0):
    """Root 0 of height 3 with leaf 2 and node 1, whose branches are leaf 3, none, leaf 4."""
    counts = np.array([[6, 4], [4, 3], [2, 1], [4, 0], [0, 3]])
    if third:
        counts = np.pad(counts, ((0, 0), (0, third)))
    return Tree(
        parent=np.array([-1, 0, 0, 1, 1]),
        attribute=np.array([0, 1, -1, -1, -1]),
        cut=np.full(5, -1),
        child=np.array([1, 2, 3, -1, 4]),
        offset=np.array([0, 2, 5, 5, 5, 5]),
        counts=counts,
        schema=schema_of((2, 3)),
        classes=tuple("abcd"[: counts.shape[1]]),
    )


def grown(seed, split="multiway", classes=3, **params):
    """A tree on noise, and its training cases."""
    kinds = ["nominal", "ordinal", "nominal", "numeric"]
    codes, y = coded(seed, n=70, sizes=(3, 4, 6, 5), classes=classes, kinds=kinds, noise=0.4)
    y = pd.Categorical.from_codes(y, range(classes))
    model = rt.DecisionTree("gini", split, **params).fit(codes, y)
    return model.tree_, codes.values, y.codes


EVERY = pytest.mark.parametrize("name", estimate_names("counts"))


class TestEveryEstimate:
    @EVERY
    @settings(max_examples=15, deadline=None)
    @given(SEEDS, st.sampled_from(["multiway", "binary", "threshold"]))
    def test_rows_are_distributions_and_the_tree_stays(self, name, seed, split):
        tree = grown(seed, split)[0]
        before = tree.counts.copy()
        proba = node_estimate(name, tree)
        assert proba.shape == tree.counts.shape
        assert proba.sum(axis=1) == pytest.approx(1)
        assert proba.min() >= 0
        assert np.array_equal(tree.counts, before)

    @EVERY
    def test_permuted_classes_permute_columns(self, name):
        tree = grown(3)[0]
        order = np.array([2, 0, 1])
        other = Tree(*(getattr(tree, part) for part in PARTS), tree.counts[:, order])
        assert np.allclose(node_estimate(name, other), node_estimate(name, tree)[:, order])

    @EVERY
    def test_one_leaf(self, name):
        proba = node_estimate(name, single_leaf(np.array([3, 1])))
        assert proba.shape == (1, 2)
        assert 0.5 < proba[0, 0] <= 0.8

    @EVERY
    def test_an_estimator_uses_it(self, name):
        data = rt.load("breast-cancer")
        model = rt.C44(estimate=name).fit(data.X, data.y)
        want = node_estimate(name, model.tree_)[model.apply(data.X)]
        assert np.array_equal(model.predict_proba(data.X), want)


def ling_yan(tree, new, **params):
    """All leaves' vote on codes `new`: no training case is asked."""
    return by_estimate("ling-yan", tree, None, None, new, **params)


class TestMBranch:
    def test_by_hand(self):
        """m_t = 4 (1 + (1 - 1/h) sqrt 10): 12.43 at the root, 10.32 below, 4 at leaves."""
        tree = three_levels()
        assert tree.heights.tolist() == [3, 2, 1, 1, 1]
        root = 4 * (1 + 2 / 3 * math.sqrt(10))
        node = 4 * (1 + 1 / 2 * math.sqrt(10))
        p = [0.0] * 5
        p[0] = (6 + root * 0.5) / (10 + root)
        p[1] = (4 + node * p[0]) / (7 + node)
        p[2] = (2 + 4 * p[0]) / (3 + 4)
        p[3] = (4 + 4 * p[1]) / (4 + 4)
        p[4] = (0 + 4 * p[1]) / (3 + 4)
        found = estimate.m_branch(tree)
        assert found[:, 0] == pytest.approx(p)
        assert found[:, 0].round(3).tolist() == [0.545, 0.555, 0.597, 0.778, 0.317]

    def test_limits_of_m(self):
        for seed in range(4):
            tree = grown(seed)[0]
            assert np.array_equal(estimate.m_branch(tree, m=0), estimate.frequency(tree))
            assert estimate.m_branch(tree, m=1e-9) == pytest.approx(
                estimate.frequency(tree), abs=1e-6
            )
            assert estimate.m_branch(tree, m=1e12) == pytest.approx(1 / 3, abs=1e-8)

    def test_the_height_is_the_longest_way_down(self):
        """A root above a leaf and a chain is smoothed by the chain's height."""
        flat = estimate.m_branch(single_leaf(np.array([6, 4])))[0, 0]
        assert flat == pytest.approx((6 + 4 * 0.5) / 14)
        assert estimate.m_branch(three_levels())[0, 0] < flat


class TestCurtailment:
    def test_by_hand(self):
        """With v = 5 the leaves of 3 and 4 cases take their parents' shares."""
        found = estimate.curtailment(three_levels(), v=5)
        assert found[:, 0] == pytest.approx([0.6, 4 / 7, 0.6, 4 / 7, 4 / 7])
        assert estimate.curtailment(three_levels(), v=4)[3].tolist() == [1, 0], "at least v"

    def test_limits_of_v(self):
        tree = grown(1)[0]
        root = tree.counts[0] / tree.counts[0].sum()
        assert np.array_equal(estimate.curtailment(tree, v=1), estimate.frequency(tree))
        for v in (tree.counts[0].sum(), 10**9):
            assert estimate.curtailment(tree, v=v) == pytest.approx(
                np.broadcast_to(root, tree.counts.shape)
            )

    def test_over_two_levels(self):
        assert estimate.curtailment(three_levels(), v=8)[3] == pytest.approx([0.6, 0.4])


class TestShrinking:
    def test_by_hand(self):
        half = estimate.shrinking(three_levels(), theta=0.5)[:, 0]
        node = 0.5 * 4 / 7 + 0.5 * 0.6
        want = [0.6, node, 0.5 * 2 / 3 + 0.3, 0.5 + 0.5 * node, 0.5 * node]
        assert half == pytest.approx(want)
        quarter = estimate.shrinking(three_levels(), theta=0.25)[3, 0]
        assert quarter == pytest.approx(0.25 + 0.75 * (0.25 * 4 / 7 + 0.75 * 0.6))

    def test_limits_of_theta(self):
        tree = grown(2)[0]
        assert np.allclose(estimate.shrinking(tree, theta=1), estimate.frequency(tree))
        root = tree.counts[0] / tree.counts[0].sum()
        assert np.allclose(estimate.shrinking(tree, theta=0), root)


class TestLaplace:
    def test_the_classes_of_the_parent_by_hand(self):
        """Two of three declared classes occur: K = 2 in the leaves, 1/2 where a case stops."""
        found = estimate.laplace(three_levels(third=1), classes="parent")
        want = [[1 / 2] * 3, [1 / 2] * 3, [3 / 5, 2 / 5, 1 / 5], [5 / 6, 1 / 6, 1 / 6]]
        assert found == pytest.approx(np.array([*want, [1 / 5, 4 / 5, 1 / 5]]))

    def test_the_classes_are_the_parents_not_the_leafs_nor_the_roots(self):
        tree = three_levels(third=2)
        counts = tree.counts.copy()
        counts[[0, 2], 2] = 5  # a third class, at the root and in its leaf alone
        tree = Tree(*(getattr(tree, part) for part in PARTS), counts)
        found = estimate.laplace(tree, classes="parent")
        assert found[2] == pytest.approx(np.array([3, 2, 6, 1]) / (8 + 3))
        assert found[3] == pytest.approx(np.array([5, 1, 1, 1]) / (4 + 2))
        assert found[0] == pytest.approx(1 / 3)

    def test_a_root_that_is_a_leaf_is_its_own_parent(self):
        found = estimate.laplace(single_leaf(np.array([3, 1, 0])), classes="parent")
        assert found[0] == pytest.approx([4 / 6, 2 / 6, 1 / 6])

    def test_both_agree_where_every_class_occurs(self):
        tree = grown(1, classes=2, max_depth=1)[0]
        leaf = tree.is_leaf
        assert np.array_equal(
            estimate.laplace(tree, classes="parent")[leaf], estimate.laplace(tree)[leaf]
        )


def telescoped(tree, t, lam):
    """The paper's sum over the path of node t, root first: E_0 + sum (E_l - E_l-1) / (1 + ...)."""
    path = [t]
    while path[0]:
        path.insert(0, tree.parent[path[0]])
    share = [tree.counts[s] / tree.counts[s].sum() for s in path]
    total = share[0]
    for above, parent, own in zip(path, share, share[1:], strict=False):
        total = total + (own - parent) / (1 + lam / tree.counts[above].sum())
    return total


class TestHierarchicalShrinkage:
    def test_by_hand(self):
        """With lam = 3 a step from the root's 10 cases counts 10/13, one from node 1's 7 7/10."""
        found = estimate.hierarchical_shrinkage(three_levels(), lam=3)
        p = [6 / 10, 0, 0, 0, 0]
        p[1] = p[0] + (4 / 7 - 6 / 10) * 10 / 13
        p[2] = p[0] + (2 / 3 - 6 / 10) * 10 / 13
        p[3] = p[1] + (1 - 4 / 7) * 7 / 10
        p[4] = p[1] + (0 - 4 / 7) * 7 / 10
        assert found[:, 0] == pytest.approx(p, abs=1e-15)
        assert found[:, 0].round(3).tolist() == [0.6, 0.578, 0.651, 0.878, 0.178]

    @settings(max_examples=25, deadline=None)
    @given(SEEDS, st.sampled_from(["multiway", "binary", "threshold"]), st.floats(0, 1e4))
    def test_equals_the_papers_sum_over_the_path(self, seed, split, lam):
        tree = grown(seed, split)[0]
        found = estimate.hierarchical_shrinkage(tree, lam)
        assert found == pytest.approx(
            np.array([telescoped(tree, t, lam) for t in range(len(tree))]), abs=1e-12
        )
        assert found.min() >= 0

    def test_limits_of_lam(self):
        for seed in range(4):
            tree = grown(seed)[0]
            share = estimate.frequency(tree)
            none, all_ = (estimate.hierarchical_shrinkage(tree, lam) for lam in (0, 1e12))
            assert none == pytest.approx(share, abs=1e-15)
            assert all_ == pytest.approx(np.tile(share[0], (len(tree), 1)), abs=1e-8)

    def test_weights_that_are_not_whole(self):
        """Of cases of twice the weight it is what half the lam makes of cases of once."""
        data = rt.load("breast-cancer")
        weight = np.random.default_rng(1).uniform(0.01, 1, len(data))
        model = rt.DecisionTree().fit(data.X, data.y, weight)
        tree = model.tree_
        twice = Tree(*(getattr(tree, part) for part in PARTS), 2 * tree.counts)
        found = model.with_estimate("hierarchical-shrinkage", lam=1.5).predict_proba(data.X)
        want = estimate.hierarchical_shrinkage(twice, lam=3)[model.apply(data.X)]
        assert found == pytest.approx(want, abs=1e-12)
        assert not np.allclose(found, model.predict_proba(data.X))


def leaf_votes(tree, case, proba, s, t=0, weight=1.0):
    """(weight, row of proba) of every leaf and empty branch, by walking down all of them."""
    if tree.attribute[t] < 0:
        return [(weight, proba[t])]
    branches = tree.child[tree.offset[t] : tree.offset[t + 1]].tolist()
    code = int(case[tree.attribute[t]])
    own = None if code < 0 else int(code > tree.cut[t]) if tree.cut[t] >= 0 else code
    found = []
    for child in sorted({c for c in branches if c >= 0}):
        here = own is not None and branches[own] == child
        found += leaf_votes(tree, case, proba, s, child, weight * (1 if here else s))
    for outcome, child in enumerate(branches):
        if child < 0:
            found.append((weight * (1 if own == outcome else s), proba[t]))
    return found


class TestLingYan:
    @settings(max_examples=40, deadline=None)
    @given(
        SEEDS,
        st.sampled_from(["multiway", "binary", "threshold"]),
        st.floats(0.01, 1),
        st.sampled_from(["laplace", "frequency", "m-branch"]),
    )
    def test_equals_a_walk_over_all_leaves(self, seed, split, s, leaf):
        tree, X, y = grown(seed, split)
        rng = np.random.default_rng(seed)
        new = rng.integers(-1, (3, 4, 6, 5), (12, 4))
        found = by_estimate("ling-yan", tree, X, y, new, s=s, leaf=leaf)
        assert found.sum(axis=1) == pytest.approx(1)
        proba = node_estimate(leaf, tree)
        for case, row in zip(new, found, strict=True):
            votes = leaf_votes(tree, case, proba, s)
            total = sum(weight * p for weight, p in votes)
            assert row == pytest.approx(total / total.sum())

    def test_by_hand(self):
        """Case (0, 0): leaf 3 differs nowhere, the empty branch and leaf 4 once, leaf 2 once."""
        tree = three_levels()
        found = by_estimate(
            "ling-yan", tree, None, None, np.array([[0, 0]]), s=0.5, leaf="frequency"
        )
        votes = 1.0 * 1 + 0.5 * 4 / 7 + 0.5 * 0 + 0.5 * 2 / 3
        assert found[0, 0] == pytest.approx(votes / 2.5)
        twice = by_estimate(
            "ling-yan", tree, None, None, np.array([[1, 1]]), s=0.5, leaf="frequency"
        )
        votes = 1.0 * 2 / 3 + 0.25 * 1 + 0.5 * 4 / 7 + 0.25 * 0
        assert twice[0, 0] == pytest.approx(votes / 2)

    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_no_vote_of_others_is_the_own_leaf(self, split):
        tree, X, y = grown(1, split)
        own = node_estimate("laplace", tree)[tree.apply(X)]
        assert by_estimate("ling-yan", tree, X, y, X, s=0) == pytest.approx(own)
        assert by_estimate("ling-yan", tree, X, y, X, s=1e-12) == pytest.approx(own)

    def test_equal_votes_are_the_mean_of_all_leaves(self):
        tree, X, y = grown(2)
        proba = node_estimate("laplace", tree)
        empty = np.repeat(np.arange(len(tree)), np.diff(tree.offset))[tree.child < 0]
        assert len(empty) > 0
        mean = np.concatenate([proba[tree.is_leaf], proba[empty]]).mean(axis=0)
        found = by_estimate("ling-yan", tree, X, y, np.vstack([X, [[-1] * 4]]), s=1)
        assert found == pytest.approx(np.broadcast_to(mean, found.shape))

    def test_an_unseen_value_agrees_with_no_branch(self):
        tree = three_levels()
        found = by_estimate(
            "ling-yan", tree, None, None, np.array([[-1, 0]]), s=0.5, leaf="frequency"
        )
        votes = 0.5 * (1.0 + 0.5 * 4 / 7 + 0.5 * 0) + 0.5 * 2 / 3
        assert found[0, 0] == pytest.approx(votes / (0.5 * 2 + 0.5))

    @pytest.mark.parametrize("s", [0, 1e-300])
    def test_an_unseen_value_and_no_vote_of_others_stops_at_its_node(self, s):
        tree = three_levels()
        new = np.array([[-1, 0], [0, -1], [-1, -1]])
        found = ling_yan(tree, new, s=s, leaf="frequency")
        assert np.isfinite(found).all()
        assert found.sum(axis=1) == pytest.approx(1)
        if s == 0:
            assert found == pytest.approx(estimate.frequency(tree)[[0, 1, 0]])

    def test_blocks_of_cases_make_no_difference(self, monkeypatch):
        tree, X, y = grown(3)
        whole = by_estimate("ling-yan", tree, X, y, X)
        for cases in (1, 5):
            monkeypatch.setattr(by_case, "blocks", lambda n, cells, few=cases: blocks(n, 1, few))
            assert np.array_equal(by_estimate("ling-yan", tree, X, y, X), whole)

    def test_one_leaf_and_no_case(self):
        leaf = single_leaf(np.array([3, 1]))
        found = ling_yan(leaf, np.zeros((2, 0), int), leaf="frequency")
        assert found.tolist() == [[0.75, 0.25]] * 2
        assert ling_yan(three_levels(), np.zeros((0, 2), int)).shape == (
            0,
            2,
        )

    def test_an_estimator_uses_it(self):
        data = rt.load("vote")
        params = {"s": 0.3, "leaf": "m-branch"}
        model = rt.C44(estimate="ling-yan", estimate_params=params).fit(data.X, data.y)
        codes = model.encode(data.X).values
        want = by_estimate("ling-yan", model.tree_, *model.training_, codes, **params)
        assert np.array_equal(model.predict_proba(data.X), want)


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "params"),
        [
            ("m", {"m": -1}), ("m-branch", {"m": -0.1}), ("m-branch", {"m": math.nan}),
            ("m", {"m": math.inf}), ("m-branch", {"m": math.inf}), ("curtailment", {"v": 0}),
            ("curtailment", {"v": math.nan}), ("shrinking", {"theta": 1.1}),
            ("shrinking", {"theta": -0.1}), ("shrinking", {"theta": math.nan}),
            ("hierarchical-shrinkage", {"lam": -1}), ("hierarchical-shrinkage", {"lam": math.inf}),
            ("hierarchical-shrinkage", {"lam": math.nan}), ("laplace", {"classes": "some"}),
            ("ling-yan", {"s": 1.1}), ("ling-yan", {"s": -1}), ("ling-yan", {"s": math.nan}),
            ("ling-yan", {"leaf": "ling-yan"}),
        ],
    )  # fmt: skip
    def test_a_value_out_of_range_is_named(self, name, params):
        X, y = pd.DataFrame({"a": list("xxyy")}), [0, 0, 1, 1]
        with pytest.raises(ValueError, match=next(iter(params))):
            rt.DecisionTree(estimate=name, estimate_params=params).fit(X, y)
        with pytest.raises(ValueError, match=next(iter(params))):
            rt.DecisionTree().fit(X, y).with_estimate(name, **params)

    @pytest.mark.parametrize("name", [*ESTIMATES])
    def test_a_parameter_of_another_estimate_or_type(self, name):
        X, y = pd.DataFrame({"a": list("xxyy")}), [0, 0, 1, 1]
        with pytest.raises(ValueError, match="'depth'"):
            rt.DecisionTree(estimate=name, estimate_params={"depth": 1}).fit(X, y)

    @pytest.mark.parametrize("name", ["m", "m-branch"])
    def test_a_number_as_text(self, name):
        X, y = pd.DataFrame({"a": list("xxyy")}), [0, 0, 1, 1]
        with pytest.raises(TypeError, match="m must be a number"):
            rt.DecisionTree(estimate=name, estimate_params={"m": "2"}).fit(X, y)
