"""Shrinkage, WPE and their combination: against the paper's own steps, in limits, under changes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prunable import ARRAYS, SEEDS, same
from strategies import as_plain, by_estimate, coded, schema_of

import ranktrees as rt
from ranktrees.plain import shrinkage as plain
from ranktrees.plain.bayes import leaf_naive_bayes, learn, posterior
from ranktrees.plain.tree import Cases
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.estimates import path_counts
from ranktrees_engine.estimates import shrinkage as casewise
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.estimates.shrinkage import (
    READINGS,
    along_path,
    class_share,
    diw_weights,
    mix,
    similarity,
)
from ranktrees_engine.growing.tree import single_leaf

SIZES, KINDS = (3, 4, 2, 5), ["nominal", "ordinal", "nominal", "numeric"]
GROW = {
    "multiway": lambda: rt.DecisionTree("gini"),
    "binary": lambda: rt.DecisionTree("gini", "binary"),
    "threshold": lambda: rt.DecisionTree("gini", "threshold"),
    "one leaf": lambda: rt.DecisionTree(min_parent=10**6),
    "pruned": lambda: rt.C45(confidence=0.5),
    "emptied": lambda: rt.DecisionTree("gini"),
}
# every estimate with every reading that it has
RULES = [
    ("wpe", {}),
    ("naive-bayes", {}),
    ("leaf-naive-bayes", {}),
    *[(name, {"reading": r}) for name in ("shrinkage", "shrinkage+wpe") for r in READINGS],
    ("shrinkage+naive-bayes", {}),
]


def case_study(seed, kind="multiway", classes=3, n=30, absent=False):
    """A tree, its training cases, and new cases, some of values never seen."""
    codes, y = coded(seed, n=n, sizes=SIZES, classes=classes, kinds=KINDS, noise=0.4)
    declared = range(classes + absent)
    model = GROW[kind]().fit(codes, pd.Categorical.from_codes(y, declared))
    tree = emptied(model.tree_) if kind == "emptied" and len(model.tree_) > 1 else model.tree_
    new = np.random.default_rng(seed).integers(-1, SIZES, (9, 4))
    return tree, codes.values, y, np.vstack([new, codes.values[::2]])


def emptied(tree):
    """The tree without its last leaf: training cases stop at an inner node, as after raising."""
    rest = {name: getattr(tree, name)[:-1] for name in ARRAYS if name != "child"}
    return replace(tree, **rest, child=np.where(tree.child == len(tree) - 1, -1, tree.child))


def of_naive_bayes(D, e, label=None):
    """P(c | e) of a naive Bayes that learnt from the cases D of a node."""
    return posterior(learn(*D), e)


PLAIN = {
    "shrinkage": plain.class_share,
    "wpe": plain.wpe,
    "shrinkage+wpe": plain.wpe,
    "naive-bayes": of_naive_bayes,
    "shrinkage+naive-bayes": of_naive_bayes,
}


def plainly(tree, X, y, new, name, reading="as_written", iterations=1):
    """Class probabilities of the plain form, one case after the other."""
    sizes, C = [info.size for info in tree.schema], tree.counts.shape[1]
    root, train = as_plain(tree), Cases(X, y, sizes, C)
    if name == "leaf-naive-bayes":
        return leaf_naive_bayes(root, train, new)
    if "shrinkage" not in name:
        return plain.last_node(root, train, new, PLAIN[name])
    how = plain.READINGS.get((name, reading), {"local": PLAIN[name]})
    return plain.shrinkage(root, train, new, **how, iterations=iterations)


@pytest.mark.parametrize(("name", "params"), RULES)
class TestEveryRule:
    @settings(max_examples=8, deadline=None)
    @given(SEEDS, st.sampled_from(list(GROW)), st.integers(2, 4), st.booleans(), st.integers(0, 2))
    def test_equals_them(self, name, params, seed, kind, classes, absent, iterations):
        tree, X, y, new = case_study(seed, kind, classes, absent=absent)
        how = {"iterations": iterations} if name.startswith("shrinkage") else {}
        want = plainly(tree, X, y, new, name, **params, **how)
        if how == {"iterations": 0}:
            how = {"weights": "uniform"}
        found = by_estimate(name, tree, X, y, new, **params, **how)
        assert np.abs(found - want).max() < 1e-12

    def test_the_tree_stays_bit_for_bit(self, name, params):
        data = rt.load("vote")
        other = rt.C45().fit(data.X, data.y).with_estimate(name, **params)
        proba = other.predict_proba(data.X)
        grown = rt.C45(estimate=name, estimate_params=params or None).fit(data.X, data.y)
        assert same(grown.tree_, other.tree_)
        assert np.array_equal(grown.predict_proba(data.X), proba)

    def test_blocks_make_no_difference(self, name, params, monkeypatch):
        tree, X, y, new = case_study(5, n=100)
        whole = by_estimate(name, tree, X, y, new, **params)
        assert by_estimate(name, tree, X, y, new[:0], **params).shape == (0, 3)
        monkeypatch.setattr(path_counts, "ROOM", 1)  # what has no room is counted node by node
        for module in (path_counts, casewise):
            monkeypatch.setattr(module, "blocks", lambda n, cells, limit=0: blocks(n, cells, 50))
        assert np.abs(by_estimate(name, tree, X, y, new, **params) - whole).max() < 1e-14

    def test_one_leaf_of_one_case(self, name, params):
        """Leave-one-out leaves nothing: every class is as likely, and weights are still found."""
        tree = replace(single_leaf(np.array([1, 0])), schema=schema_of((2,)))
        X, y = np.array([[0]]), np.array([0])
        new = np.array([[0], [1], [-1]])
        found = by_estimate(name, tree, X, y, new, **params)
        assert np.abs(found - plainly(tree, X, y, new, name, **params)).max() < 1e-12


class TestWeights:
    @pytest.mark.parametrize("local", [class_share, similarity])
    def test_iterations_climb_and_settle(self, local):
        """Iterated DIW is an EM algorithm: the cases' mixed probability never falls."""
        tree, X, y, _ = case_study(8, n=60)
        counts, end = PathCounts(tree, X, y), np.array([1])
        rows = counts.below(end)[1]
        proba = along_path(counts, local, np.ones(len(rows), int), X[rows], y[rows])
        weights = [diw_weights(counts, local, end, t)[0] for t in (1, 2, 3, 10, 100, 3000, 6000)]
        height = [np.log((w * proba).sum(axis=1)).sum(axis=0) for w in weights]
        assert (np.diff(height, axis=0) > -1e-12).all()
        assert np.abs(weights[1] - weights[0]).max() > 1e-3
        assert np.abs(weights[-1] - weights[-2]).max() < 1e-3

    def test_weights_of_a_reader(self):
        proba = np.array([[[0.1, 0.1], [0.6, 0.4]]])
        assert mix(proba, np.array([[0.5, 0.25], [0.5, 0.75]])).round(3).tolist() == [[0.35, 0.325]]
        for wrong in ([[0.5, 0.5], [0.5, 0.6]], [[0.5, 0.5], [0.5, np.nan]]):
            with pytest.raises(ValueError, match="must sum to 1 for every class, not to"):
                mix(proba, np.array(wrong))


class TestTrainingCases:
    def test_those_of_another_tree_are_refused(self):
        (tree, X, y, new), other = case_study(1), case_study(2)[1]
        for cases, classes in ((other, y), (X[:-1], y[:-1]), (X, (y + 1) % 3)):
            with pytest.raises(ValueError, match="need the cases that the tree was grown on"):
                by_estimate("shrinkage", tree, cases, classes, new)

    def test_another_tree_and_another_fit_count_anew(self):
        vote, iris = rt.load("vote"), rt.load("iris")
        model = rt.C44(estimate="wpe").fit(vote.X, vote.y)
        assert model.with_estimate("shrinkage").cases_.counts is model.cases_.counts
        stump = single_leaf(model.tree_.counts[0], model.tree_.classes)
        small = model.with_tree(replace(stump, schema=model.tree_.schema))
        codes = model.encode(vote.X).values
        expected = by_estimate("wpe", small.tree_, *model.training_, codes)
        assert np.abs(small.predict_proba(vote.X) - expected).max() < 1e-12
        model.fit(iris.X, iris.y)
        fresh = rt.C44(estimate="wpe").fit(iris.X, iris.y)
        assert np.array_equal(model.predict_proba(iris.X), fresh.predict_proba(iris.X))
