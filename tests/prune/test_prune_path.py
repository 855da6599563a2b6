"""Cost-complexity pruning by hand, against scikit-learn and a plain loop."""

from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from prunable import hand_tree, same, stump
from sklearn.tree import DecisionTreeClassifier
from strategies import schema_of

import ranktrees as rt
from ranktrees import prune
from ranktrees.evaluate import stratified_folds


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
