"""Estimates at the nodes of a tree, and those that differ by case, by hand and in their limits."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from strategies import by_estimate, coded, schema_of

import ranktrees as rt
from ranktrees.basics.blocks import blocks
from ranktrees.estimates import ESTIMATES, by_case
from ranktrees.estimates import nodes as estimate
from ranktrees.growing.tree import Tree

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


def grown(seed):
    """A tree on noise, and its training cases."""
    codes, y = coded(seed, n=70, sizes=(3, 4, 6, 5), noise=0.4)
    return rt.DecisionTree("gini").fit(codes, y).tree_, codes.values, y


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
        tree = grown(1)[0]
        share = estimate.frequency(tree)
        assert np.array_equal(estimate.m_branch(tree, m=0), share)
        assert estimate.m_branch(tree, m=1e-9) == pytest.approx(share, abs=1e-6)
        assert estimate.m_branch(tree, m=1e12) == pytest.approx(1 / 3, abs=1e-8)


class TestCurtailment:
    def test_by_hand(self):
        """With v = 5 the leaves of 3 and 4 cases take their parents' shares."""
        found = estimate.curtailment(three_levels(), v=5)
        assert found[:, 0] == pytest.approx([0.6, 4 / 7, 0.6, 4 / 7, 4 / 7])
        assert estimate.curtailment(three_levels(), v=4)[3].tolist() == [1, 0], "at least v"


class TestShrinking:
    def test_by_hand(self):
        half = estimate.shrinking(three_levels(), theta=0.5)[:, 0]
        node = 0.5 * 4 / 7 + 0.5 * 0.6
        want = [0.6, node, 0.5 * 2 / 3 + 0.3, 0.5 + 0.5 * node, 0.5 * node]
        assert half == pytest.approx(want)
        quarter = estimate.shrinking(three_levels(), theta=0.25)[3, 0]
        assert quarter == pytest.approx(0.25 + 0.75 * (0.25 * 4 / 7 + 0.75 * 0.6))


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


class TestLingYan:
    def test_by_hand(self):
        """Case (0, 0): leaf 3 differs nowhere, the empty branch and leaf 4 once, leaf 2 once."""
        tree = three_levels()
        found = ling_yan(tree, np.array([[0, 0], [1, 1]]), s=0.5, leaf="frequency")
        votes = 1.0 * 1 + 0.5 * 4 / 7 + 0.5 * 0 + 0.5 * 2 / 3
        assert found[0, 0] == pytest.approx(votes / 2.5)
        votes = 1.0 * 2 / 3 + 0.25 * 1 + 0.5 * 4 / 7 + 0.25 * 0
        assert found[1, 0] == pytest.approx(votes / 2)

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


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "params"),
        [
            ("m", {"m": -1}), ("m", {"m": math.nan}), ("m-branch", {"m": -0.1}),
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
