"""Pruning by errors, bits and cost complexity: by hand, and against oracles."""

from itertools import pairwise
from math import comb, log2, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from prunable import SEEDS, errors_of, grown, hand_tree, prunings, same, stump
from sklearn.tree import DecisionTreeClassifier
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees_engine import prune
from ranktrees_engine.evaluate import stratified_folds
from ranktrees_engine.growing.tree import Tree, single_leaf
from ranktrees_engine.prune import Costs


class TestErrors:
    def test_collapse_by_hand(self):
        """Below the first branch 1 + 2 errors are 3 as a leaf; the root's 7 are more than 4."""
        assert prune.training_errors(hand_tree()).tolist() == [7, 3, 1, 1, 2]
        assert len(prune.collapse(hand_tree())) == 3

    @settings(max_examples=20, deadline=None)
    @given(SEEDS)
    def test_reduced_error_is_the_smallest_of_the_best_on_its_set(self, seed):
        tree = grown(seed, n=40, sizes=(2, 3, 2), max_depth=3)[0]
        codes, y = coded(seed + 1, n=30, sizes=(2, 3, 2), noise=0.4)
        found = []
        for frontier in prunings(tree):
            leaf = np.zeros(len(tree), bool)
            leaf[list(frontier)] = True
            t = prune.cut_back(tree, leaf)
            found.append((int(errors_of(t, codes.values, y)), len(t)))
        small = prune.reduced_error(tree, codes.values, y)
        assert (errors_of(small, codes.values, y), len(small)) == min(found)
        assert same(small, prune.reduced_error(tree, codes, y)), "a Codes is as good"

    def test_minimum_error_by_hand(self):
        """l = 2, p = 9/16, 7/16: leaf 3 has 7 (1 - 7.125/9), node 1 11 (1 - 9.125/13)."""
        costs = prune.minimum_error_costs(hand_tree()).leaf
        expected = [
            16 * (1 - 10.125 / 18),
            11 * (1 - 9.125 / 13),
            5 * (1 - 4.875 / 7),
            7 * (1 - 7.125 / 9),
            4 * (1 - 3.125 / 6),
        ]
        assert costs == pytest.approx(expected)
        assert len(prune.minimum_error(hand_tree())) == 3
        assert same(prune.minimum_error(hand_tree(), 0), prune.collapse(hand_tree()))

    def test_yangs_slide(self):
        """30 leaves, 10 errors, 1000 cases: 2.5 % instead of 1 %."""
        counts = np.array([[0, 0], *([[32, 1]] * 10), *([[0, 33]] * 10), *([[34, 0]] * 10)])
        counts[0] = counts.sum(axis=0)
        T = np.arange(31)
        tree = Tree(
            np.where(T, 0, -1), np.where(T, -1, 0), np.full(31, -1), T[1:],
            np.where(np.arange(32), 30, 0), counts, schema_of((30,)), (0, 1),
        )  # fmt: skip
        assert prune.pessimistic_rate(tree, 0) == pytest.approx(0.010)
        assert prune.pessimistic_rate(tree) == pytest.approx(0.025)

    def test_from_the_top_more_goes_than_from_the_bottom(self):
        """Two errors a leaf: 9 <= 4 + 6 at the top, but 9 > 5 + 3 once node 1 is a leaf."""
        assert len(prune.pessimistic(hand_tree(), "rokach", 2)) == 1
        assert len(prune.pessimistic(hand_tree(), "yang", 2)) == 3

    def test_a_standard_error_is_allowed(self):
        """5.5 as a leaf; 4 with the tree, and sqrt(4 * 12 / 16) = 1.73 more."""
        tree = stump([8, 0], [3, 5])
        assert len(prune.pessimistic(tree, "rokach")) == 3
        assert len(prune.pessimistic(tree, "standard-error")) == 1


class TestMdl:
    def test_bits_by_hand(self):
        costs = prune.mdl_costs(hand_tree())

        def leaf(n, e):
            return 1 + log2(2) + log2(n + 1) + log2(comb(n, e))

        expected = [leaf(16, 7), leaf(11, 3), leaf(5, 1), leaf(7, 1), leaf(4, 2)]
        assert costs.leaf == pytest.approx(expected)
        assert costs.test[:2] == pytest.approx([2, 2]), "1 bit and log2 of two attributes"
        whole = 4 + expected[2] + expected[3] + expected[4]
        assert prune.description_length(hand_tree()) == pytest.approx(whole)
        assert len(prune.mdl(hand_tree())) == 1, "node 1 goes, and then the root"

    def test_more_classes_cost_more(self):
        tree = single_leaf([5, 2, 1])
        bits = 1 + log2(3) + log2(9) + log2(comb(8, 3)) + 3
        assert prune.description_length(tree) == pytest.approx(bits)


PATH = prune.cost_complexity(hand_tree())
CASES = np.zeros((3, 2), int)
LABELS = np.array([0, 0, 1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: prune.pessimistic(t, "quinlan"), "unknown rule 'quinlan'"),
        (lambda t: prune.pessimistic(t, penalty=-1), "penalty must be at least 0"),
        (lambda t: prune.minimum_error(t, "2"), "weight must be a number"),
        (lambda t: prune.bottom_up(t, Costs(1), -1), "slack"),
        (lambda t: prune.bottom_up(t, Costs(np.ones(3))), "5 nodes"),
        (lambda t: prune.cut_back(t, np.zeros(4, bool)), "5 booleans"),
        (lambda t: prune.c45(t), "give their codes and y"),
        (lambda t: prune.c45(t, CASES, LABELS), "not the cases on which the tree was grown"),
        (lambda t: prune.c45(t, raising=False, slack=-1), "slack"),
        (lambda t: prune.c45(t, raising=False, confidence="low"), "confidence must be a number"),
        (lambda t: prune.c45(t, raising=False, confidence=0), "confidence"),
        (lambda t: prune.added_errors(5, 1, float("nan")), "confidence"),
        (lambda t: prune.cost_complexity(t, "gini"), "unknown risk"),
        (lambda t: PATH.at(-1), "alpha"),
        (lambda t: prune.cost_complexity_best(PATH, CASES, LABELS, "two-se"), "unknown rule"),
        (lambda t: prune.cost_complexity_best(PATH, CASES[:0], LABELS[:0]), "at least one case"),
        (lambda t: prune.cost_complexity_cv(rt.DecisionTree(), CASES, LABELS, k=1), "k must be"),
        (lambda t: prune.cost_complexity_cv(rt.criteria, CASES, LABELS), "one tree to prune"),
    ],
)
def test_bad_settings(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(hand_tree())


@pytest.mark.parametrize("method", [prune.reduced_error, prune.c45])
@pytest.mark.parametrize(
    ("codes", "y", "message"),
    [
        (CASES[:0], LABELS[:0], "at least one case"),
        (np.zeros((3, 3), int), LABELS, "2 attributes"),
        (CASES, LABELS[:2], "3 cases, but y has shape"),
        (CASES, LABELS * 2, "0 to 2, but classes are 0 to 1"),
        (CASES, -LABELS, "-1 to 0"),
        (CASES, ["no", "no", "yes"], "class codes"),
        (CASES / 2, LABELS, "whole numbers"),
        (CASES + 2, LABELS, "'a0' has codes outside"),
    ],
)
def test_bad_cases(method, codes, y, message):
    with pytest.raises((TypeError, ValueError), match=message):
        method(hand_tree(), codes, y)


class TestCostComplexity:
    def test_by_hand(self):
        """Node 1 gains nothing; then the root: (7 - 4) / 16 errors for one leaf."""
        path = prune.cost_complexity(hand_tree())
        assert path.alphas.tolist() == [0, 0, 3 / 16]
        assert [len(t) for t in path.trees] == [5, 3, 1]
        assert [len(path.at(alpha)) for alpha in (0, 0.1, 0.2)] == [3, 3, 1]

    def test_impurity_by_hand(self):
        """Gini times cases: stump 10 * .48, leaves 0 and 6 * 4/9; 10 is the root's weight."""
        path = prune.cost_complexity(stump([4, 0], [2, 4]), "impurity")
        assert path.alphas == pytest.approx([0, 0.48 - 0.6 * 4 / 9])

    @pytest.mark.parametrize("seed", range(2))
    def test_scikit_learns_path(self, seed):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 40, (600, 4))
        chance = 1 / (1 + np.exp(-(X - 20) @ [0.9, 0.5, 0.3, 0.1] / 10))
        y = (rng.random(600) < chance) + (rng.random(600) < X[:, 1] / 80).astype(int)
        codes, limits = rt.Codes(X, schema_of((40,) * 4)), {"max_depth": 5}
        ours = rt.DecisionTree("gini", "threshold", **limits).fit(codes, y).tree_
        path = prune.cost_complexity(ours, "impurity")
        theirs = DecisionTreeClassifier(random_state=0, **limits)
        alphas = theirs.cost_complexity_pruning_path(X, y).ccp_alphas
        alphas = alphas[np.append(True, np.diff(alphas) > 1e-12)]
        assert np.unique(path.alphas) == pytest.approx(alphas, abs=1e-12)
        for alpha in (alphas[:-1] + alphas[1:]) / 2:
            cut = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha, **limits).fit(X, y)
            tree = path.at(alpha)
            assert cut.get_n_leaves() == tree.n_leaves
            shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
            assert shares[tree.apply(X)] == pytest.approx(cut.predict_proba(X))


@pytest.mark.parametrize(("rule", "seed"), [("best", 1), ("one-se", 3)])
def test_cross_validation_equals_the_plain_loop(rule, seed):
    """With these folds the arithmetic mean of neighbouring alphas would choose other trees."""
    data = rt.prepare(rt.load("breast-cancer"), "papers")
    model = rt.DecisionTree("gini")
    fitted = prune.cost_complexity_cv(model, data.X, data.y, k=5, seed=seed, rule=rule)
    path = prune.cost_complexity(rt.DecisionTree("gini").fit(data.X, data.y).tree_)
    fold, errors = stratified_folds(data.y, 5, seed), np.zeros(len(path.trees))
    for i in range(5):
        m = rt.DecisionTree("gini").fit(data.X[fold != i], data.y[fold != i])
        below = prune.cost_complexity(m.tree_)
        for j, (a, b) in enumerate(pairwise([*path.alphas, np.inf])):
            pruned = m.with_tree(below.at(sqrt(a * b) if a else 0.0))
            errors[j] += (pruned.predict(data.X[fold == i]) != data.y[fold == i]).sum()
    rate = errors / len(data)
    allowed = rate.min()
    if rule == "one-se":
        allowed += sqrt(rate.min() * (1 - rate.min()) / len(data))
    chosen = np.flatnonzero(rate <= allowed + 1e-12)[-1]
    assert same(fitted.tree_, path.trees[chosen])
    assert not hasattr(model, "tree_"), "the model given stays as it is"
