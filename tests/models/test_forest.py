"""Trees grown together equal those grown alone, array by array."""

import numpy as np
import pandas as pd
import pytest
from model_cases import table
from oracles import quietly
from prunable import assert_same_tree, check_sound
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees_engine.growing.forest import plant
from ranktrees_engine.growing.tree import Tree

MODELS = [
    rt.DecisionTree(),
    rt.DecisionTree("gini", "binary"),
    rt.DecisionTree("gini", numeric="thresholds", max_codes=None, min_parent=9),
    rt.DecisionTree("twoing", "binary", numeric="thresholds", max_codes=12),
    rt.DecisionTree("gini", significance=0.2),
    rt.DecisionTree(max_depth=3, estimate="m-branch"),
    rt.DecisionTree(child_rule="two", min_child=2, min_parent=4, tie=1e-6),
    rt.DecisionTree(missing="value", discretize="equal-frequency", n_bins=4),
    rt.DecisionTree(missing="value", numeric="thresholds", estimate="ling-yan"),
    rt.DecisionTree("information_gain", discretize="entropy-mdl", min_gain=0.02),
    rt.C45(),
    rt.C45(numeric="thresholds"),
    rt.C45(prune=False, collapse=False, min_child=1, missing="value"),
    rt.C44(rules="wang2006"),
    rt.C44(numeric="thresholds", max_codes=8),
]
EVERY_MODEL = pytest.mark.parametrize("model", MODELS, ids=repr)


def frame(seed=0):
    """Columns of every kind, three classes, and a rare value, so that folds differ in codes."""
    (X, y), rng = table(90, seed), np.random.default_rng(seed)
    X["rare"] = np.where(rng.random(90) < 0.05, "odd", rng.choice(list("xy"), 90))
    return X, pd.Categorical(np.where(rng.random(90) < 0.3, "maybe", y), ["no", "maybe", "yes"])


def folds_of(n, k):
    fold = np.random.default_rng(0).permutation(n) % k
    return [np.flatnonzero(fold != f) for f in range(k)]


def check_folds(model, X, y, training):
    """`fit_folds` against one fit a training set.

    y is a Categorical, so that no class is lost; and all values of a text column are declared.
    """
    together = quietly(model.fit_folds, X, y, training)
    if isinstance(X, pd.DataFrame):
        X = X.astype(dict.fromkeys(("word", "rare"), "category"))
    for fitted, rows in zip(together, training, strict=True):
        part = X.take(rows) if isinstance(X, rt.Codes) else X.iloc[rows]
        alone = quietly(type(model)(**model.get_params()).fit, part, y[rows])
        assert_same_tree(fitted.tree_, alone.tree_)
        check_sound(fitted.tree_)
        for mine, its in zip(fitted.training_, alone.training_, strict=True):
            assert np.array_equal(mine, its)
        assert np.array_equal(fitted.node_proba_, alone.node_proba_)
        assert fitted.classes_.tolist() == alone.classes_.tolist()
        assert np.array_equal(fitted.predict_proba(X), alone.predict_proba(X))
    return together


class TestFoldsEqualSingleFits:
    @EVERY_MODEL
    def test_folds_whose_encoders_differ(self, model):
        """A value, a class, a whole column's variety is seen in some training sets alone."""
        X, y = frame(4)
        usual = np.flatnonzero((X["rare"] != "odd") & (X["word"] == "q"))
        flat, classless = np.flatnonzero(X["whole"] == 2), np.flatnonzero(y != "maybe")
        two = np.array([np.argmax(y == "no"), np.argmax(y == "yes")])
        training = [usual, np.arange(90), flat, classless, usual[:9], two, *folds_of(90, 3)]
        fitted = check_folds(model, X, y, training)
        assert model.fit_folds(X, y, []) == []
        if model.discretize == "equal-width":
            assert len({one.tree_.schema for one in fitted}) > 2
        assert all(one.predict_proba(X).shape == (90, 3) for one in fitted)

    @EVERY_MODEL
    def test_samples_of_codes_in_batches(self, model, monkeypatch):
        """Memory is bounded: so many trees at a time as `TOGETHER` allows."""
        kinds = ["nominal", "ordinal", "numeric", "numeric"]
        codes, y = coded(2, n=120, sizes=(3, 4, 6, 40), kinds=kinds)
        monkeypatch.setattr("ranktrees_engine.growing.forest.TOGETHER", 2 * 120 * 4)
        samples = [*np.random.default_rng(0).integers(0, 120, (3, 120))]
        check_folds(model, codes, pd.Categorical.from_codes(y, list("abc")), samples)

    def test_warnings_come_once(self):
        X = pd.DataFrame({"none": [None] * 12, "a": list("xyxxyyxyxyyx")})
        with pytest.warns(UserWarning, match="'none' has no value at all") as caught:
            rt.C44().fit_folds(X, list("abaabbabbaab"), folds_of(12, 4))
        assert len(caught) == 1

    @pytest.mark.parametrize("as_codes", [False, True])
    def test_a_training_set_of_one_class_is_named(self, as_codes):
        X, y = frame()
        X = quietly(rt.Encoder().fit_transform, X) if as_codes else X
        with pytest.raises(ValueError, match="training set 1"):
            quietly(rt.DecisionTree().fit_folds, X, y, [np.arange(90), np.flatnonzero(y == "no")])


def test_more_trees_than_sixteen_bits_can_number():
    n = 33_000
    leaf, counts = np.full(n, -1), np.stack([np.arange(n), np.ones(n, int)], axis=1)
    none, offset = np.zeros(0, np.intp), np.zeros(n + 1, np.intp)
    forest = Tree(leaf, leaf.copy(), leaf.copy(), none, offset, counts, (), ("x", "y"))
    trees = plant(forest, [schema_of((2,))] * n)
    assert [int(tree.counts[0, 0]) for tree in trees] == list(range(n))
