"""C4.5's pruning against Weka's numbers and a plain recursion, node by node."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import prepared
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees import prune
from ranktrees.growing.tree import Tree
from ranktrees.prune import added_errors

SEEDS = st.integers(0, 2**31)

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


def plain_added(N, e, confidence):
    """Weka's formula, one number at a time."""
    if e < 1:
        base = N * (1 - confidence ** (1 / N))
        return base if e == 0 else base + e * (plain_added(N, 1, confidence) - base)
    if e + 0.5 >= N:
        return max(N - e, 0)
    z, f = NormalDist().inv_cdf(1 - confidence), (e + 0.5) / N
    root = math.sqrt(f / N - f * f / N + z * z / (4 * N * N))
    return (f + z * z / (2 * N) + z * root) / (1 + z * z / N) * N - e


class TestAddedErrors:
    def test_quinlans_book(self):
        """U25%(6, 0) = .206, U25%(9, 0) = .143, U25%(1, 0) = .75, at no error exactly binomial."""
        share = added_errors([6, 9, 1], 0) / [6, 9, 1]
        assert share.round(3).tolist() == [0.206, 0.143, 0.75]

    @given(st.integers(1, 300), st.floats(0, 1), st.floats(0.01, 0.5))
    def test_equals_the_plain_formula(self, N, share, confidence):
        for e in (share * N, float(round(share * N)), 0.0, min(share, 0.99)):
            expected = plain_added(N, e, confidence)
            assert added_errors(N, e, confidence) == pytest.approx(expected, abs=1e-9)

    def test_a_batch_and_no_case(self):
        N, e = np.array([[0, 5, 20], [3, 1, 8]]), np.array([[0, 2, 3], [3, 0, 1]])
        batch = added_errors(N, e)
        assert batch.shape == (2, 3)
        for at in np.ndindex(2, 3):
            assert batch[at] == added_errors(N[at], e[at])
        assert batch[0, 0] == 0
        assert batch[1, 0] == 0, "all are errors: no more can be added"

    def test_less_confidence_adds_more(self):
        added = [float(added_errors(20, 3, c)) for c in (0.5, 0.25, 0.05)]
        assert added == sorted(added)

    @pytest.mark.parametrize("confidence", [0, -0.1, 0.51, 1, float("nan")])
    def test_a_confidence_outside_is_refused(self, confidence):
        with pytest.raises(ValueError, match="confidence"):
            added_errors(5, 1, confidence)
        with pytest.raises(ValueError, match="confidence"):
            prune.c45(two_levels()[0], raising=False, confidence=confidence)


class Plain:
    """A node that prunes itself as J48 is described to: cases, test, one son a value."""

    def __init__(self, tree, t, codes, y, cases):
        self.codes, self.y, self.C = codes, y, tree.counts.shape[1]
        self.cases, self.sons, self.test = cases, None, None
        if t >= 0 and tree.attribute[t] >= 0:
            self.test = int(tree.attribute[t]), int(tree.cut[t])
            start, stop = tree.offset[t : t + 2]
            ids = tree.child[start:stop]
            parts = zip(ids, self.split(cases, len(ids)), strict=True)
            self.sons = [Plain(tree, int(s), codes, y, part) for s, part in parts]

    def split(self, cases, width):
        a, cut = self.test
        outcome = self.codes[cases, a]
        outcome = (outcome > cut).astype(int) if cut >= 0 else outcome
        return [cases[outcome == v] for v in range(width)]

    def counts(self, cases):
        return np.bincount(self.y[cases], minlength=self.C)

    def estimate(self, cases, confidence):
        if not len(cases):
            return 0.0
        wrong = len(cases) - int(self.counts(cases).max())
        return wrong + plain_added(len(cases), wrong, confidence)

    def errors(self, confidence):
        if self.sons is None:
            return self.estimate(self.cases, confidence)
        return sum(son.errors(confidence) for son in self.sons)

    def errors_with(self, cases, confidence):
        if self.sons is None:
            return self.estimate(cases, confidence)
        parts = zip(self.sons, self.split(cases, len(self.sons)), strict=True)
        return sum(son.errors_with(part, confidence) for son, part in parts)

    def give(self, cases):
        self.cases = cases
        for son, part in zip(self.sons or (), self.split_or_none(), strict=True):
            son.give(part)

    def split_or_none(self):
        return self.split(self.cases, len(self.sons)) if self.sons else ()

    def prune(self, confidence, raising, slack):
        if self.sons is None:
            return
        for son in self.sons:
            son.prune(confidence, raising, slack)
        sizes = [len(son.cases) for son in self.sons]
        largest = self.sons[max(range(len(sizes)), key=lambda v: (sizes[v], v))]
        as_leaf, as_tree = self.estimate(self.cases, confidence), self.errors(confidence)
        as_son = largest.errors_with(self.cases, confidence) if raising else math.inf
        if as_leaf - as_tree - slack < 1e-6 and as_leaf - as_son - slack < 1e-6:
            self.sons = None
        elif as_son - as_tree - slack < 1e-6:
            self.sons, self.test = largest.sons, largest.test
            self.give(self.cases)
            self.prune(confidence, raising, slack)

    def form(self):
        """(counts, test, sons); None for an empty branch."""
        if not len(self.cases):
            return None
        if self.sons is None:
            return self.counts(self.cases).tolist(), None, []
        return self.counts(self.cases).tolist(), self.test, [son.form() for son in self.sons]


def form(tree, t=0):
    """A tree in the form of `Plain.form`."""
    if t < 0:
        return None
    counts, test = tree.counts[t].tolist(), (int(tree.attribute[t]), int(tree.cut[t]))
    below = tree.child[tree.offset[t] : tree.offset[t + 1]]
    return counts, None if tree.is_leaf[t] else test, [form(tree, int(s)) for s in below]


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
        assert small.parent.tolist() == [-1, 0, 0, 0]
        assert small.child.tolist() == [1, 2, 3]

    def test_not_without_raising(self):
        tree, _, _ = two_levels()
        assert len(prune.c45(tree, raising=False)) == len(tree)

    def test_the_tree_given_stays_as_it_is(self):
        tree, codes, y = two_levels()
        before = form(tree)
        prune.c45(tree, codes, y)
        assert form(tree) == before

    @pytest.mark.parametrize("split", ["multiway", "threshold"])
    @pytest.mark.parametrize("raising", [True, False])
    @settings(max_examples=40, deadline=None)
    @given(SEEDS, st.sampled_from([0.02, 0.1, 0.25, 0.5]), st.sampled_from([0.1, 0.0, 1.5]))
    def test_equals_the_plain_recursion(self, split, raising, seed, confidence, slack):
        codes, y = coded(seed, n=100, sizes=(3, 4, 2, 6, 5), noise=0.35)
        tree = rt.DecisionTree("gini", split).fit(codes, y).tree_
        plain = Plain(tree, 0, codes.values, y, np.arange(len(y)))
        assert plain.form() == form(tree)
        plain.prune(confidence, raising, slack)
        given = (codes, y) if raising else (None, None)
        small = prune.c45(tree, *given, confidence, raising, slack)
        assert plain.form() == form(small)

    def test_the_recursion_does_raise(self):
        """Otherwise the comparison above would say nothing about raising."""
        raised = 0
        for seed in range(20):
            codes, y = coded(seed, n=100, sizes=(3, 4, 2, 6, 5), noise=0.35)
            tree = rt.DecisionTree("gini").fit(codes, y).tree_
            raised += form(prune.c45(tree, codes, y)) != form(prune.c45(tree, raising=False))
        assert raised > 5

    def test_bad_input(self):
        tree, codes, y = two_levels()
        with pytest.raises(ValueError, match="give their codes and y"):
            prune.c45(tree)
        with pytest.raises(ValueError, match="not the cases on which the tree was grown"):
            prune.c45(tree, codes[1:], y[1:])
        with pytest.raises(ValueError, match="slack"):
            prune.c45(tree, codes, y, slack=-1)
        with pytest.raises(TypeError, match="confidence"):
            prune.c45(tree, codes, y, confidence="low")


@pytest.mark.filterwarnings("ignore:column .* has only one value:UserWarning")
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
