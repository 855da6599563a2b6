"""C4.5's pruning against Weka's numbers and the plain recursion, node by node."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference, prepared
from prunable import SEEDS
from strategies import as_plain, coded, schema_of

import ranktrees as rt
from ranktrees.plain import pruning_c45
from ranktrees_engine import prune
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.prune import added_errors

# Weka 3.6.14, J48 with its defaults on the data prepared as in the papers: leaves and nodes, those
# of empty branches included, with raising and (-S) without.
J48 = {
    "vote": [(6, 11), (6, 11)],
    "breast-cancer": [(4, 6), (4, 6)],
    "credit-g": [(90, 109), (92, 112)],
    "soybean": [(55, 85), (58, 91)],
    "labor": [(4, 6), (4, 6)],
    "glass": [(73, 81), (82, 91)],
    "diabetes": [(64, 71), (64, 71)],
    "iris": [(10, 11), (10, 11)],
    "ionosphere": [(46, 51), (46, 51)],
}


class TestAddedErrors:
    def test_quinlans_book(self):
        """U25%(6, 0) = .206, U25%(9, 0) = .143, U25%(1, 0) = .75, at no error exactly binomial."""
        share = added_errors([6, 9, 1], 0) / [6, 9, 1]
        assert share.round(3).tolist() == [0.206, 0.143, 0.75]

    @settings(max_examples=50)
    @given(st.integers(1, 300), st.floats(0, 1), st.floats(0.01, 0.5))
    def test_equals_the_plain_formula(self, N, share, confidence):
        e = np.array([share * N, round(share * N), 0.0, min(share, 0.99), N])
        expected = [pruning_c45.added_errors(N, float(errors), confidence) for errors in e]
        assert added_errors(N, e, confidence) == pytest.approx(np.array(expected), abs=1e-9)
        assert added_errors(0, 0) == 0


def two_levels():
    """a0 with a small second branch that a1, tested below the first, could serve as well."""
    codes = np.array([[0, 0]] * 8 + [[0, 1]] * 8 + [[1, 0]] + [[1, 2]])
    y = np.array([0] * 8 + [1] * 8 + [0] + [1])
    tree = Tree(
        parent=np.array([-1, 0, 0, 1, 1]),
        attribute=np.array([0, 1, -1, -1, -1]),
        cut=np.full(5, -1),
        child=np.array([1, 2, 3, 4, -1]),
        offset=np.array([0, 2, 5, 5, 5, 5]),
        counts=np.array([[9, 9], [8, 8], [1, 1], [8, 0], [0, 8]]),
        schema=schema_of((2, 3)),
        classes=("no", "yes"),
    )
    return tree, codes, y


class TestRaising:
    def test_by_hand(self):
        """The first branch takes the root's place; its empty third branch gets a case."""
        tree, codes, y = two_levels()
        small = prune.c45(tree, codes, y)
        assert small.to_text().splitlines() == [
            "a1 = v0: no (9)",
            "a1 = v1: yes (8)",
            "a1 = v2: yes (1)",
        ]
        assert len(prune.c45(tree, raising=False)) == len(tree)

    @pytest.mark.parametrize("split", ["multiway", "threshold"])
    @pytest.mark.parametrize("raising", [True, False])
    @settings(max_examples=25, deadline=None)
    @given(SEEDS, st.sampled_from([0.02, 0.1, 0.25, 0.5]), st.sampled_from([0.1, 0.0, 1.5]))
    def test_equals_the_plain_recursion(self, split, raising, seed, confidence, slack):
        codes, y = coded(seed, n=100, sizes=(3, 4, 2, 6, 5), noise=0.35)
        tree = rt.DecisionTree("gini", split).fit(codes, y).tree_
        plain = as_plain(tree)
        with mock.patch.object(pruning_c45, "WORSE", slack + 1e-6):
            pruning_c45.prune(plain, codes.values, y, confidence, raising)
        given = (codes, y) if raising else (None, None)
        assert difference(prune.c45(tree, *given, confidence, raising, slack), plain) is None


@pytest.mark.parametrize("name", J48)
def test_wekas_numbers_of_leaves_and_nodes(name):
    data = prepared(name)
    limits = {"min_parent": 4, "min_child": 2, "child_rule": "two", "tie": 1e-6}
    model = rt.DecisionTree("gain_ratio", **limits).fit(data.X, data.y)
    tree, codes = prune.collapse(model.tree_), model.encode(data.X)
    for raising, expected in zip((True, False), J48[name], strict=True):
        small = prune.c45(tree, codes, data.y.codes, raising=raising)
        empty = int((small.child < 0).sum())
        assert (small.n_leaves + empty, len(small) + empty) == expected
