"""The level-wise driver: equal to a recursion, stopping rules, and the traps of prototypes."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    TWO_CLASSES,
    as_recursive,
    child_of,
    coded,
    first_difference,
    fits,
    recursive_tree,
    schema_of,
)

import ranktrees as rt
from ranktrees.growing.best import split_kind

SETTINGS = [
    ("information_gain", "multiway"), ("gini", "multiway"), ("gain_ratio", "multiway"),
    ("distance", "multiway"), ("chi_squared", "multiway"), ("likelihood_ratio", "multiway"),
    ("gini", "binary"), ("twoing", "binary"), ("orthogonal", "binary"), ("gain_ratio", "binary"),
    ("information_gain", "threshold"), ("kolmogorov_smirnov", "threshold"), ("gini", "threshold"),
    ("gain_ratio", "threshold"), ("dkm", "binary"), ("auc", "threshold"), ("auc", "multiway"),
]  # fmt: skip


def fit(codes, y, criterion="information_gain", split="multiway", **settings):
    return rt.DecisionTree(criterion, split, **settings).fit(codes, y)


def kinds_of(codes, split):
    return [split_kind(info, split) for info in codes.schema]


class TestEqualsTheRecursion:
    @pytest.mark.parametrize(("criterion", "split"), SETTINGS)
    @pytest.mark.parametrize("seed", range(4))
    def test_node_by_node(self, criterion, split, seed):
        C = 2 if criterion in TWO_CLASSES else 4
        sizes = (2, 3, 5, 4) if seed < 2 else (7, 2, 40, 6)
        kinds = ["nominal", "ordinal", "numeric", "nominal"]
        codes, y = coded(seed, n=150, sizes=sizes, classes=C, kinds=kinds)
        min_child = 1 + seed % 2
        tree = fit(codes, y, criterion, split, min_child=min_child).tree_
        slow = recursive_tree(
            codes.values, y, sizes, kinds_of(codes, split), criterion, C, min_child
        )
        assert first_difference(as_recursive(tree.root, codes.values), slow) is None
        assert len(tree) > 20

    @settings(max_examples=25)
    @given(st.integers(0, 10**6), st.sampled_from(["gini", "information_gain", "gain_ratio"]))
    def test_multiway_on_random_data(self, seed, criterion):
        rng = np.random.default_rng(seed)
        sizes = tuple(rng.integers(1, 6, rng.integers(1, 5)).tolist())
        codes, y = coded(seed, n=int(rng.integers(2, 80)), sizes=sizes, classes=3)
        y[:2] = 0, 1
        tree = fit(codes, y, criterion).tree_
        C = int(y.max()) + 1
        present = np.unique(y)
        y = np.searchsorted(present, y)
        slow = recursive_tree(
            codes.values, y, sizes, kinds_of(codes, "multiway"), criterion, min(C, len(present))
        )
        assert first_difference(as_recursive(tree.root, codes.values), slow) is None


def gains_of(tree):
    """Information gain of every inner node, from the counts of its children."""
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    return {t: float(rt.criteria.information_gain(tree.counts[tree.parent == t])) for t in inner}


class TestStopping:
    codes, y = coded(11, n=300, sizes=(3, 4, 6, 2))

    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_max_depth(self, depth):
        tree = fit(self.codes, self.y, max_depth=depth).tree_
        full = fit(self.codes, self.y).tree_
        assert tree.depth == depth < full.depth
        shallow = full.counts[full.depths <= depth]
        assert np.array_equal(tree.counts, shallow), "the top of the full tree"

    def test_min_parent(self):
        tree = fit(self.codes, self.y, min_parent=40).tree_
        cases = tree.counts.sum(axis=1)
        assert cases[~tree.is_leaf].min() >= 40
        assert ((cases >= 40) & tree.is_leaf & ((tree.counts > 0).sum(axis=1) > 1)).sum() == 0

    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_min_child_of_every_branch(self, split):
        tree = fit(self.codes, self.y, "gini", split, min_child=9).tree_
        assert tree.counts.sum(axis=1).min() >= 9
        assert len(tree) > 3

    def test_min_child_of_two_branches(self):
        """Quinlan's rule lets a branch be small, if two others are not."""
        x = np.repeat([0, 1, 2], [20, 20, 3])[:, None]
        codes, y = rt.Codes(x, schema_of((3,))), (x[:, 0] > 0).astype(int)
        assert len(fit(codes, y, min_child=4).tree_) == 1
        assert len(fit(codes, y, min_child=3).tree_) == 4
        two = fit(codes, y, min_child=20, child_rule="two").tree_
        assert two.counts.tolist() == [[20, 23], [20, 0], [0, 20], [0, 3]]
        assert len(fit(codes, y, min_child=21, child_rule="two").tree_) == 1

    def test_min_gain(self):
        full = fit(self.codes, self.y).tree_
        gains = gains_of(full)
        for least in np.quantile(list(gains.values()), [0.1, 0.5]):
            tree = fit(self.codes, self.y, min_gain=least).tree_
            assert len(tree) < len(full)
            assert all(gain > least for gain in gains_of(tree).values())
        assert len(fit(self.codes, self.y, min_gain=gains[0] * 0.99).tree_) > 1
        assert len(fit(self.codes, self.y, min_gain=gains[0] * 1.01).tree_) == 1

    def test_significance(self):
        tree = fit(self.codes, self.y, significance=0.01).tree_
        full = fit(self.codes, self.y).tree_
        assert 1 < len(tree) < len(full)
        p = [
            rt.criteria.p_value(tree.counts[tree.parent == t])
            for t in np.flatnonzero(~tree.is_leaf)
        ]
        assert max(p) <= 0.01
        noise, y = coded(1, n=200, noise=1.0)
        assert len(fit(noise, y, significance=1e-6).tree_) == 1

    def test_pure_nodes_are_leaves(self):
        tree = fit(self.codes, self.y).tree_
        assert tree.is_leaf[(tree.counts > 0).sum(axis=1) == 1].all()


class TestTraps:
    @pytest.mark.parametrize("criterion", ["information_gain", "gini", "gain_ratio", "chi_squared"])
    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_independent_attributes_are_not_split_on(self, criterion, split):
        """Every cell repeated: gains are 0 but for rounding."""
        X = np.array([[a, b] for a in range(3) for b in range(7) for _ in range(10)])
        y = np.tile([0] * 3 + [1] * 7, 21)
        assert len(fit(rt.Codes(X, schema_of((3, 7))), y, criterion, split).tree_) == 1

    def test_parity_is_not_seen(self):
        data = rt.load("parity")
        assert len(rt.DecisionTree(criterion="gini").fit(data.X, data.y).tree_) == 1

    def test_the_first_of_equals_wins(self):
        X = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]])
        codes, y = rt.Codes(X, schema_of((2, 2, 2))), np.array([0, 0, 1, 1])
        assert fit(codes, y).tree_.attribute[0] == 1
        assert fit(codes, y, tie=2.0).tree_.attribute[0] == 0

    @pytest.mark.parametrize(("criterion", "split"), SETTINGS)
    def test_permuted_classes_permute_columns_only(self, criterion, split):
        C = 2 if criterion in TWO_CLASSES else 3
        codes, y = coded(
            5,
            n=200,
            sizes=(3, 4, 5, 40),
            classes=C,
            kinds=["nominal", "nominal", "ordinal", "numeric"],
        )
        order = np.arange(C)[::-1]
        tree, other = (fit(codes, c, criterion, split).tree_ for c in (y, order[y]))
        assert np.array_equal(tree.attribute, other.attribute)
        assert np.array_equal(tree.child, other.child)
        assert np.array_equal(tree.counts, other.counts[:, order])

    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_wider_declarations_change_no_tree(self, split):
        """An attribute's best subset must not depend on how wide its neighbours are."""
        rng = np.random.default_rng(0)
        for _ in range(8):
            P = rng.dirichlet([0.4] * 5, 7)
            a = rng.integers(0, 7, 150)
            y = np.array([rng.choice(5, p=P[v]) for v in a])
            wide = rng.integers(0, 2, 150)
            X = np.stack([a, wide], axis=1)
            narrow = fit(rt.Codes(X, schema_of((7, 2))), y, "gini", split).tree_
            padded = fit(rt.Codes(X, schema_of((7, 50))), y, "gini", split).tree_
            assert np.array_equal(narrow.attribute, padded.attribute)
            assert np.array_equal(narrow.counts, padded.counts)

    @pytest.mark.parametrize("split", ["multiway", "binary"])
    def test_a_planted_tree_is_recovered(self, split):
        rng = np.random.default_rng(4)
        X = rng.integers(0, 3, (3000, 6))
        y = np.where(X[:, 3] == 0, 0, np.where(X[:, 3] == 1, 1 + (X[:, 1] == 2), 3 + (X[:, 5] > 0)))
        tree = fit(rt.Codes(X, schema_of((3,) * 6)), y, "information_gain", split).tree_
        ends = tree.apply(X)
        assert (tree.counts[ends].argmax(axis=1) == y).all()
        used = set(tree.attribute[~tree.is_leaf].tolist())
        assert used == {1, 3, 5}
        if split == "multiway":
            assert tree.attribute[0] == 3
            assert [int(tree.attribute[child_of(tree, 0, v)]) for v in range(3)] == [-1, 1, 5]

    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_a_wide_attribute_beside_narrow_ones_stays_small(self, split):
        """Thousands of open nodes times 3,000 values would be hundreds of megabytes."""
        rng = np.random.default_rng(1)
        n = 12_000
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

    def test_exact_thresholds_stay_small(self):
        rng = np.random.default_rng(2)
        X, y = rng.normal(size=(3000, 5)), rng.integers(0, 2, 3000)
        model = rt.DecisionTree(criterion="gini", numeric="thresholds", max_codes=None)
        tracemalloc.start()
        model.fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 60e6
        assert model.score(X, y) == 1


@pytest.mark.parametrize("criterion", rt.CRITERIA)
def test_every_criterion_grows_a_tree(criterion):
    shape = fits(criterion)
    data = rt.load("vote")
    split = "binary" if shape["rows"][1] == 2 else "multiway"
    model = rt.DecisionTree(criterion, split, missing="value", max_depth=4).fit(data.X, data.y)
    assert model.score(data.X, data.y) > 0.9
    assert len(model.tree_) > 3


class TestCodes:
    """Data already coded may be given instead of a frame."""

    def test_the_same_tree_as_from_the_frame(self):
        data = rt.load("credit-g")
        codes = rt.Encoder().fit_transform(data.X)
        coded_fit = rt.DecisionTree().fit(codes, data.y)
        frame_fit = rt.DecisionTree().fit(data.X, data.y)
        assert np.array_equal(coded_fit.tree_.counts, frame_fit.tree_.counts)
        assert np.array_equal(coded_fit.predict_proba(codes), frame_fit.predict_proba(data.X))

    @pytest.mark.parametrize("bad", [-1, 2])
    def test_codes_outside_their_attribute(self, bad):
        codes = rt.Codes(np.array([[0], [1], [bad], [1]]), schema_of((2,)))
        with pytest.raises(ValueError, match="a0"):
            rt.DecisionTree().fit(codes, [0, 1, 0, 1])

    def test_lengths_that_differ(self):
        codes = rt.Codes(np.array([[0], [1]]), schema_of((2,)))
        with pytest.raises(ValueError, match="2 cases, but y has 3"):
            rt.DecisionTree().fit(codes, [0, 1, 1])

    def test_a_frame_after_codes_is_refused_clearly(self):
        codes = rt.Codes(np.array([[0], [1]]), schema_of((2,)))
        model = rt.DecisionTree().fit(codes, [0, 1])
        assert model.predict(codes).tolist() == [0, 1]
        with pytest.raises((ValueError, TypeError), match="Codes"):
            model.predict(pd.DataFrame({"a0": ["v0"]}))
        X2 = pd.DataFrame({"a": ["x", "y"]})
        again = rt.DecisionTree().fit(X2, [0, 1]).fit(codes, [0, 1])
        with pytest.raises((ValueError, TypeError), match="Codes"):
            again.predict(X2)

    def test_codes_of_another_width(self):
        codes = rt.Codes(np.array([[0, 1], [1, 0]]), schema_of((2, 2)))
        model = rt.DecisionTree().fit(codes, [0, 1])
        with pytest.raises(ValueError, match="1"):
            model.predict(rt.Codes(codes.values[:, :1], codes.schema[:1]))
