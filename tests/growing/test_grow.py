"""The level-wise driver: equal to a recursion, stopping rules, and the traps of prototypes."""

import tracemalloc

import numpy as np
import pytest
from strategies import (
    TWO_CLASSES,
    as_recursive,
    coded,
    first_difference,
    recursive_tree,
    schema_of,
)

import ranktrees as rt
from ranktrees_engine.growing.best import split_kind

SETTINGS = [
    ("information_gain", "multiway"), ("gini", "multiway"), ("gain_ratio", "multiway"),
    ("auc", "multiway"), ("gini", "binary"), ("twoing", "binary"), ("gain_ratio", "binary"),
    ("dkm", "binary"), ("kolmogorov_smirnov", "threshold"), ("gini", "threshold"),
    ("gain_ratio", "threshold"), ("auc", "threshold"),
]  # fmt: skip


def fit(codes, y, criterion="information_gain", split="multiway", **settings):
    return rt.DecisionTree(criterion, split, **settings).fit(codes, y)


def kinds_of(codes, split):
    return [split_kind(info, split) for info in codes.schema]


@pytest.mark.parametrize(("criterion", "split"), SETTINGS)
@pytest.mark.parametrize("seed", [1, 2])
def test_equals_the_recursion_node_by_node(criterion, split, seed):
    C = 2 if criterion in TWO_CLASSES else 4
    sizes = (2, 3, 5, 4) if seed < 2 else (7, 2, 40, 6)
    kinds = ["nominal", "ordinal", "numeric", "nominal"]
    codes, y = coded(seed, n=150, sizes=sizes, classes=C, kinds=kinds)
    min_child = 1 + seed % 2
    tree = fit(codes, y, criterion, split, min_child=min_child).tree_
    slow = recursive_tree(codes.values, y, sizes, kinds_of(codes, split), criterion, C, min_child)
    assert first_difference(as_recursive(tree.root, codes.values), slow) is None
    assert len(tree) > 20


class TestStopping:
    codes, y = coded(11, n=300, sizes=(3, 4, 6, 2))
    full = fit(codes, y).tree_

    def test_max_depth_and_min_parent(self):
        tree = fit(self.codes, self.y, max_depth=3).tree_
        shallow = self.full.counts[self.full.depths <= 3]
        assert np.array_equal(tree.counts, shallow), "the top of the full tree"
        tree = fit(self.codes, self.y, min_parent=40).tree_
        cases, pure = tree.counts.sum(axis=1), (tree.counts > 0).sum(axis=1) == 1
        assert cases[~tree.is_leaf].min() >= 40
        assert tree.is_leaf[pure].all()
        assert not (tree.is_leaf & (cases >= 40) & ~pure).any()

    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_min_child_of_every_branch(self, split):
        tree = fit(self.codes, self.y, "gini", split, min_child=9).tree_
        assert tree.counts.sum(axis=1).min() >= 9
        assert len(tree) > 3

    def test_min_child_of_two_branches(self):
        """Quinlan's rule lets a branch be small, if two others are not."""
        x = np.repeat([0, 1, 2], [20, 20, 3])[:, None]
        codes, y = rt.Codes(x, schema_of((3,))), (x[:, 0] > 0).astype(int)
        for least, rule, size in ((4, "every", 1), (3, "every", 4), (20, "two", 4), (21, "two", 1)):
            assert len(fit(codes, y, min_child=least, child_rule=rule).tree_) == size

    def test_min_gain_and_significance(self):
        def of_tests(tree, measure):
            inner = np.flatnonzero(~tree.is_leaf)
            return np.array([float(measure(tree.counts[tree.parent == t])) for t in inner])

        gains = of_tests(self.full, rt.criteria.information_gain)
        tree = fit(self.codes, self.y, min_gain=gains[0] * 0.99).tree_
        assert 1 < len(tree) < len(self.full)
        assert of_tests(tree, rt.criteria.information_gain).min() > gains[0] * 0.99
        tree = fit(self.codes, self.y, significance=0.01).tree_
        assert 1 < len(tree) < len(self.full)
        assert of_tests(tree, rt.criteria.p_value).max() <= 0.01


class TestTraps:
    @pytest.mark.parametrize("criterion", ["information_gain", "gini", "gain_ratio"])
    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_independent_attributes_are_not_split_on(self, criterion, split):
        """Every cell repeated: gains are 0 but for rounding."""
        X = np.array([[a, b] for a in range(3) for b in range(7) for _ in range(10)])
        y = np.tile([0] * 3 + [1] * 7, 21)
        assert len(fit(rt.Codes(X, schema_of((3, 7))), y, criterion, split).tree_) == 1

    def test_the_first_of_equals_wins(self):
        X = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]])
        codes, y = rt.Codes(X, schema_of((2, 2, 2))), np.array([0, 0, 1, 1])
        assert fit(codes, y).tree_.attribute[0] == 1
        assert fit(codes, y, tie=2.0).tree_.attribute[0] == 0

    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_a_wide_attribute_beside_narrow_ones_stays_small(self, split):
        """Thousands of open nodes times 3,000 values would be hundreds of megabytes."""
        rng, n = np.random.default_rng(1), 12_000
        X = np.column_stack([rng.integers(0, 2, (n, 14)), rng.integers(0, 3000, n)])
        y = rng.integers(0, 2, n)
        codes = rt.Codes(X, schema_of((2,) * 14 + (3000,)))
        depth = {"binary": 6}.get(split)
        tracemalloc.start()
        tree = fit(codes, y, "gain_ratio", split, max_depth=depth).tree_
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 150e6
        assert len(tree) > 60


def test_codes_are_as_good_as_the_frame_and_what_is_none_is_refused():
    data, codes = rt.load("credit-g"), rt.Codes(np.array([[0, 1], [1, 0]]), schema_of((2, 2)))
    of_codes = rt.DecisionTree().fit(rt.Encoder().fit_transform(data.X), data.y)
    assert np.array_equal(of_codes.tree_.counts, rt.DecisionTree().fit(data.X, data.y).tree_.counts)
    for bad in (-1, 2):
        with pytest.raises(ValueError, match="a0"):
            fit(rt.Codes(np.array([[0], [1], [bad], [1]]), schema_of((2,))), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="2 cases, but y has 3"):
        fit(codes, [0, 1, 1])
    with pytest.raises(ValueError, match="1"):
        fit(codes, [0, 1]).predict(rt.Codes(codes.values[:, :1], codes.schema[:1]))
