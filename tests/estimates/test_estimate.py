"""Estimates at the nodes of a tree, and those that differ by case: by hand, and bad settings."""

import math
from dataclasses import replace

import numpy as np
import pytest
from strategies import by_estimate, schema_of

import ranktrees as rt
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.estimates import ESTIMATES, by_case
from ranktrees_engine.estimates import nodes as estimate
from ranktrees_engine.growing.tree import Tree


def three_levels(third=0):
    """Root 0 of height 3 with leaf 2 and node 1, whose branches are leaf 3, none, leaf 4."""
    counts = np.array([[6, 4], [4, 3], [2, 1], [4, 0], [0, 3]])
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


def ling_yan(tree, new, **params):
    """All leaves' vote on codes `new`: no training case is asked."""
    return by_estimate("ling-yan", tree, None, None, new, **params)


class TestByHand:
    def test_m_branch(self):
        """m_t = 4 (1 + (1 - 1/h) sqrt 10): 12.43 at the root, 10.32 below, 4 at leaves."""
        tree = three_levels()
        assert tree.heights.tolist() == [3, 2, 1, 1, 1]
        root = 4 * (1 + 2 / 3 * math.sqrt(10))
        node = 4 * (1 + 1 / 2 * math.sqrt(10))
        p = [(6 + root * 0.5) / (10 + root)]
        p.append((4 + node * p[0]) / (7 + node))
        p += [(2 + 4 * p[0]) / (3 + 4), (4 + 4 * p[1]) / (4 + 4), (0 + 4 * p[1]) / (3 + 4)]
        found = estimate.m_branch(tree)[:, 0]
        assert found == pytest.approx(p)
        assert found.round(3).tolist() == [0.545, 0.555, 0.597, 0.778, 0.317]

    def test_curtailment(self):
        """With v = 5 the leaves of 3 and 4 cases take their parents' shares."""
        found = estimate.curtailment(three_levels(), v=5)
        assert found[:, 0] == pytest.approx([0.6, 4 / 7, 0.6, 4 / 7, 4 / 7])
        assert estimate.curtailment(three_levels(), v=4)[3].tolist() == [1, 0], "at least v"

    def test_shrinking(self):
        found = estimate.shrinking(three_levels(), theta=0.25)[:, 0]
        node = 0.25 * 4 / 7 + 0.75 * 0.6
        want = [0.6, node, 0.25 * 2 / 3 + 0.75 * 0.6, 0.25 + 0.75 * node, 0.75 * node]
        assert found == pytest.approx(want)

    def test_hierarchical_shrinkage(self):
        """With lam = 3 a step from the root's 10 cases counts 10/13, one from node 1's 7 7/10."""
        found = estimate.hierarchical_shrinkage(three_levels(), lam=3)[:, 0]
        node = 0.6 + (4 / 7 - 0.6) * 10 / 13
        p = [node + (1 - 4 / 7) * 7 / 10, node + (0 - 4 / 7) * 7 / 10]
        assert found == pytest.approx([0.6, node, 0.6 + (2 / 3 - 0.6) * 10 / 13, *p], abs=1e-15)
        assert found.round(3).tolist() == [0.6, 0.578, 0.651, 0.878, 0.178]

    def test_laplace_of_the_classes_of_the_parent(self):
        """Two of three declared classes occur: K = 2 in the leaves, 1/2 where a case stops."""
        found = estimate.laplace(three_levels(third=1), classes="parent")
        want = [[1 / 2] * 3, [1 / 2] * 3, [3 / 5, 2 / 5, 1 / 5], [5 / 6, 1 / 6, 1 / 6]]
        assert found == pytest.approx(np.array([*want, [1 / 5, 4 / 5, 1 / 5]]))

    def test_the_classes_are_the_parents_not_the_leafs_nor_the_roots(self):
        tree = three_levels(third=2)
        counts = tree.counts.copy()
        counts[[0, 2], 2] = 5  # a third class, at the root and in its leaf alone
        found = estimate.laplace(replace(tree, counts=counts), classes="parent")
        assert found[2] == pytest.approx(np.array([3, 2, 6, 1]) / (8 + 3))
        assert found[3] == pytest.approx(np.array([5, 1, 1, 1]) / (4 + 2))
        assert found[0] == pytest.approx(1 / 3)


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
        tree, new = three_levels(), np.array([[0, 0], [1, 1], [0, 2], [-1, 1]])
        whole = ling_yan(tree, new)
        monkeypatch.setattr(by_case, "blocks", lambda n, cells: blocks(n, 1, 1))
        assert np.array_equal(ling_yan(tree, new), whole)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("m", {"m": -1}), ("m", {"m": math.nan}), ("m-branch", {"m": -0.1}),
        ("m-branch", {"m": math.inf}), ("curtailment", {"v": 0}), ("shrinking", {"theta": 1.1}),
        ("shrinking", {"theta": -0.1}), ("hierarchical-shrinkage", {"lam": -1}),
        ("hierarchical-shrinkage", {"lam": math.inf}), ("laplace", {"classes": "some"}),
        ("ling-yan", {"s": 1.1}), ("ling-yan", {"s": math.nan}), ("ling-yan", {"leaf": "ling-yan"}),
        ("shrinkage", {"reading": "literal"}), ("shrinkage+wpe", {"reading": None}),
        ("shrinkage", {"weights": "equal"}), ("shrinkage+naive-bayes", {"weights": [1, 2]}),
        ("shrinkage", {"iterations": 0}), ("shrinkage", {"iterations": 10**6}),
        ("shrinkage+wpe", {"iterations": 1.5}), ("shrinkage+naive-bayes", {"reading": None}),
        *((name, {"depth": 1}) for name in ESTIMATES),
    ],
)  # fmt: skip
def test_a_value_out_of_range_or_of_another_estimate_is_named(name, params):
    cases, fitted = ([["x"], ["y"]], [0, 1]), rt.DecisionTree().fit([["x"], ["y"]], [0, 1])
    with pytest.raises((TypeError, ValueError), match=next(iter(params))):
        rt.DecisionTree(estimate=name, estimate_params=params).fit(*cases)
    with pytest.raises((TypeError, ValueError), match=next(iter(params))):
        fitted.with_estimate(name, **params)
