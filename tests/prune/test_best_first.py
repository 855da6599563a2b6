"""Limits on leaves and prices of leaves: scikit-learn's trees, growth one node after the other."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prunable import SEEDS, check_sound, grown, nested
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_engine import prune
from ranktrees_engine.criteria.criteria import entropy, gini


def numbers(seed, n=1500):
    """Cases whose best tests do not tie: in nodes of a few cases different tests are as good."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = (X @ [1, 0.6, 0.3, 0, 0] + rng.normal(size=n) > 0).astype(int) + (X[:, 3] > 1)
    return X, y


def leaves_of(tree, codes):
    """The class counts at the leaf of each case."""
    return tree.counts[tree.apply(codes)]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", [3, 8])
def test_max_leaf_nodes_gives_scikit_learns_tree(seed, criterion):
    X, y = numbers(seed)
    for most in (2, 3, 7, 15, 30):
        theirs = DecisionTreeClassifier(
            criterion=criterion, max_leaf_nodes=most, min_samples_leaf=25, random_state=0
        ).fit(X, y)
        ours = rt.DecisionTree(
            criterion, "binary", numeric="thresholds", max_codes=None, min_child=25,
            max_leaf_nodes=most,
        ).fit(X, y)  # fmt: skip
        assert ours.tree_.n_leaves == theirs.get_n_leaves()
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(["multiway", "binary"]), st.integers(1, 12))
def test_it_is_the_tree_that_grows_node_by_node(seed, split, most):
    """By hand: the open leaf of the largest gain is split, if its branches have room."""
    tree, codes, _ = grown(seed, split)
    small = prune.best_first(tree, most, gini)
    check_sound(small)
    weight = gini(tree.counts) * tree.counts.sum(axis=1)
    children = {t: np.flatnonzero(tree.parent == t) for t in range(len(tree))}
    gain = {t: weight[t] - weight[below].sum() for t, below in children.items() if len(below)}
    is_open, leaves = [t for t in (0,) if t in gain], 1
    kept = set()
    while is_open:
        best = max(gain[t] for t in is_open)
        t = next(t for t in sorted(is_open) if gain[t] > best - 1e-9)
        is_open.remove(t)
        if leaves + len(children[t]) - 1 <= most:
            leaves += len(children[t]) - 1
            kept.add(t)
            is_open += [c for c in children[t] if c in gain]
    leaf = np.array([t not in kept for t in range(len(tree))])
    assert np.array_equal(leaves_of(small, codes), leaves_of(prune.cut_back(tree, leaf), codes))
    assert small.n_leaves == leaves <= most
    assert nested(small, tree)


@pytest.mark.parametrize(
    "model",
    [
        rt.DecisionTree("gini", max_leaf_nodes=9),
        rt.DecisionTree("gini", ccp_alpha=0.004),
        rt.C44(max_leaf_nodes=12),
        rt.C45(max_leaf_nodes=12),
    ],
)
def test_files_and_folds_give_the_tree_of_memory(model, tmp_path):
    data = rt.load("breast-cancer")
    data.frame.to_csv(tmp_path / "cases.csv", index=False)
    read, scan = rt.read_csv(tmp_path / "cases.csv"), rt.scan(tmp_path / "cases.csv", "Class")
    here = type(model)(**model.get_params()).fit(read.X, read.y)
    there = type(model)(**model.get_params()).fit(scan)
    assert np.array_equal(here.tree_.counts, there.tree_.counts)
    assert here.tree_.n_leaves <= (getattr(model, "max_leaf_nodes", None) or 99)
    rows = np.arange(0, 286, 2)
    together = model.fit_folds(data.X, data.y, [rows, rows + 1])
    alone = type(model)(**model.get_params()).fit(data.X.iloc[rows + 1], data.y[rows + 1])
    assert np.array_equal(together[1].tree_.counts, alone.tree_.counts)


def test_weights_are_repeats_under_both_limits():
    X, y = numbers(5, 150)
    weight = np.arange(150) % 3 + 1
    rows = np.repeat(np.arange(150), weight)
    for limit in ({"max_leaf_nodes": 6}, {"ccp_alpha": 0.01}):
        model = partial(rt.DecisionTree, "gini", "binary", min_child=3, **limit)
        codes = rt.Encoder().fit_transform(X)
        one = model().fit(codes, y, weight).tree_
        other = model().fit(codes.take(rows), y[rows]).tree_
        assert np.array_equal(one.counts, other.counts)


class TestPrices:
    @pytest.mark.parametrize("criterion", ["gini", "entropy"])
    def test_the_path_and_its_trees_are_scikit_learns(self, criterion):
        X, y = numbers(8)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, min_samples_leaf=25)
        steps = theirs.cost_complexity_pruning_path(X, y)
        ours = rt.DecisionTree(criterion, "binary", numeric="thresholds", max_codes=None)
        ours.set_params(min_child=25)
        table = prune.path(ours.fit(X, y))
        np.testing.assert_allclose(table["ccp_alpha"], steps.ccp_alphas, atol=1e-12)
        np.testing.assert_allclose(table["impurity"], steps.impurities, atol=1e-12)
        alphas = table["ccp_alpha"].to_numpy()
        between = (alphas[1:-1] + alphas[2:]) / 2
        for alpha, row in zip(between, table.iloc[1:-1].itertuples(), strict=True):
            cut = theirs.set_params(ccp_alpha=alpha).fit(X, y)
            mine = ours.set_params(ccp_alpha=alpha).fit(X, y)
            assert row.leaves == cut.get_n_leaves() == mine.tree_.n_leaves
            np.testing.assert_allclose(mine.predict_proba(X), cut.predict_proba(X), atol=1e-12)
            assert row.error == pytest.approx((mine.predict(X) != y).mean())

    @settings(max_examples=25, deadline=None)
    @given(SEEDS, st.sampled_from(["error", "impurity", "entropy"]))
    def test_the_table_is_that_of_the_sequence(self, seed, risk):
        tree = grown(seed)[0]
        table, path = prune.path(tree, risk), prune.cost_complexity(tree, risk)
        assert table["ccp_alpha"].tolist() == path.alphas.tolist()
        assert table["leaves"].tolist() == [t.n_leaves for t in path.trees]
        n, of = tree.counts[0].sum(), {"impurity": gini, "entropy": entropy}
        errors = [prune.training_errors(t)[t.is_leaf].sum() / n for t in path.trees]
        np.testing.assert_allclose(table["error"] * n, np.array(errors) * n, atol=1e-9)
        if risk in of:
            each = [
                (of[risk](t.counts) * t.counts.sum(axis=1))[t.is_leaf].sum() for t in path.trees
            ]
            np.testing.assert_allclose(table["impurity"] * n, np.array(each), atol=1e-9)

    def test_strengths_are_chosen_by_a_grid(self):
        data = rt.load("breast-cancer")
        tree = rt.DecisionTree("gini").fit(data.X, data.y)
        alphas = rt.prune.path(tree)["ccp_alpha"].tolist()[::4]
        search = GridSearchCV(rt.DecisionTree("gini"), {"ccp_alpha": alphas}, cv=3).fit(
            data.X, data.y
        )
        assert search.best_params_["ccp_alpha"] > 0
        assert search.best_estimator_.tree_.n_leaves < tree.tree_.n_leaves
        data, grid = rt.load("diabetes"), {"confidence": [0.05, 0.25, 0.45]}
        search = GridSearchCV(rt.C45(), grid, cv=3).fit(data.X, data.y)
        best = search.best_params_["confidence"]
        small, chosen, large = (
            rt.C45(confidence=c).fit(data.X, data.y).tree_.n_leaves for c in (0.05, best, 0.45)
        )
        assert small < search.best_estimator_.tree_.n_leaves == chosen < large

    def test_zero_leaves_the_full_tree_and_the_table_says_what_gains_nothing(self):
        tree = grown(3)[0]
        assert prune.path(tree, "error")["ccp_alpha"].tolist()[:2] == [0, 0]
        data = rt.load("breast-cancer")
        full = rt.DecisionTree("gini").fit(data.X, data.y)
        last = prune.path(full)["ccp_alpha"].iloc[-1]
        assert len(rt.DecisionTree("gini", ccp_alpha=last).fit(data.X, data.y).tree_) == 1
        assert prune.path(full)["leaves"][0] == full.tree_.n_leaves


@pytest.mark.parametrize(
    ("params", "error", "words"),
    [
        ({"max_leaf_nodes": 1}, ValueError, "max_leaf_nodes must be at least 2"),
        ({"max_leaf_nodes": 2.5}, TypeError, "max_leaf_nodes must be a whole number"),
        ({"ccp_alpha": -1}, ValueError, "ccp_alpha must be at least 0"),
        ({"ccp_alpha": None}, TypeError, "ccp_alpha must be a number"),
    ],
)
def test_bad_limits_are_named(params, error, words):
    data = rt.load("weather.nominal")
    with pytest.raises(error, match=words):
        rt.DecisionTree(**params).fit(data.X, data.y)


def test_a_limit_without_room_for_the_first_test_is_said():
    iris = rt.load("iris")  # ten bins of each number
    with pytest.warns(UserWarning, match="max_leaf_nodes=3 has no room for the 10 branches"):
        tree = rt.DecisionTree(max_leaf_nodes=3).fit(iris.X, iris.y).tree_
    assert len(tree) == 1
    small = rt.DecisionTree(max_leaf_nodes=3, numeric="thresholds").fit(iris.X, iris.y).tree_
    assert small.n_leaves == 3


def test_a_path_needs_one_tree():
    data = rt.load("weather.nominal")
    for model in (rt.DecisionTree(), rt.PathForest(2).fit(data.X, data.y), rt.DecisionTree, "tree"):
        with pytest.raises(TypeError, match="a fitted model with a single tree"):
            prune.path(model)
