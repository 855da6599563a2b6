"""Trees grown together equal those grown alone, array by array."""

import warnings

import numpy as np
import pandas as pd
import pytest
from prunable import assert_same_tree, check_sound
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees.growing import forest as forest_module
from ranktrees.growing.forest import plant
from ranktrees.growing.tree import Tree

SETTINGS = [
    {},
    {"criterion": "gini", "split": "binary"},
    {"criterion": "gini", "numeric": "thresholds", "max_codes": None, "min_parent": 9},
    {"criterion": "twoing", "split": "binary", "numeric": "thresholds", "max_codes": 12},
    {"criterion": "gini", "significance": 0.2},
    {"max_depth": 3, "estimate": "m-branch"},
    {"child_rule": "two", "min_child": 2, "min_parent": 4, "tie": 1e-6},
    {"missing": "value", "discretize": "equal-frequency", "n_bins": 4},
    {"missing": "value", "numeric": "thresholds", "estimate": "ling-yan"},
    {"criterion": "information_gain", "discretize": "entropy-mdl", "min_gain": 0.02},
]
MODELS = [
    *(rt.DecisionTree(**setting) for setting in SETTINGS),
    rt.C45(),
    rt.C45(numeric="thresholds"),
    rt.C45(prune=False, collapse=False, min_child=1, missing="value"),
    rt.C44(rules="wang2006"),
    rt.C44(numeric="thresholds", max_codes=8),
]
EVERY_MODEL = pytest.mark.parametrize("model", MODELS, ids=repr)


def frame(seed=0, n=90):
    """Every kind of column, with gaps; rare values, so that folds learn different codes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "text": rng.choice(list("pqr"), n),
            "rare": np.where(rng.random(n) < 0.05, "odd", rng.choice(list("xy"), n)),
            "kind": pd.Categorical(rng.choice(list("abc"), n), categories=list("abcd")),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True),
            "whole": rng.integers(0, 6, n),
            "real": rng.normal(size=n).round(2),
        }
    )
    y = (X["whole"] + (X["text"] == "p") + (X["real"] > 0)).to_numpy() % 3
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), y)
    X.loc[rng.random(n) < 0.1, "real"] = np.nan
    X.loc[rng.random(n) < 0.1, "text"] = None
    return X, pd.Categorical.from_codes(y, ["no", "maybe", "yes"])


def folds_of(n, k, seed=0):
    fold = np.random.default_rng(seed).permutation(n) % k
    return [np.flatnonzero(fold != f) for f in range(k)]


def samples_of(n, k, seed=0):
    return list(np.random.default_rng(seed).integers(0, n, (k, n)))


def quietly(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return function(*args, **kwargs)


def assert_same(model, alone, X):
    assert_same_tree(model.tree_, alone.tree_)
    check_sound(model.tree_)
    for mine, its in zip(model.training_, alone.training_, strict=True):
        assert np.array_equal(mine, its)
    assert np.array_equal(model.node_proba_, alone.node_proba_)
    assert model.classes_.tolist() == alone.classes_.tolist()
    assert model.n_features_in_ == alone.n_features_in_
    assert model.get_params() == alone.get_params()
    assert np.array_equal(model.predict_proba(X), alone.predict_proba(X))


def check_folds(model, X, y, training):
    """`fit_folds` against one fit a training set.

    y is a Categorical, so that no class is lost; and all values of a text column are declared.
    """
    together = quietly(model.fit_folds, X, y, training)
    assert len(together) == len(training)
    if isinstance(X, pd.DataFrame):
        X = X.astype(dict.fromkeys(("text", "rare"), "category"))
    for fitted, rows in zip(together, training, strict=True):
        part = X.take(rows) if isinstance(X, rt.Codes) else X.iloc[rows]
        alone = type(model)(**model.get_params())
        assert_same(fitted, quietly(alone.fit, part, y[rows]), X)
    return together


class TestFoldsEqualSingleFits:
    @EVERY_MODEL
    def test_ten_folds_of_a_frame(self, model):
        X, y = frame()
        fitted = check_folds(model, X, y, folds_of(len(X), 10))
        assert len({len(one.tree_) for one in fitted}) > 1 or model.get_params().get("max_depth")
        assert not [name for name in vars(model) if name.endswith("_")], "the model is untouched"

    @EVERY_MODEL
    @pytest.mark.parametrize("draw", [folds_of, samples_of])
    def test_codes(self, model, draw):
        kinds = ["nominal", "ordinal", "numeric", "numeric"]
        codes, y = coded(2, n=120, sizes=(3, 4, 6, 40), kinds=kinds)
        check_folds(model, codes, pd.Categorical.from_codes(y, list("abc")), draw(120, 6))

    @EVERY_MODEL
    def test_folds_whose_encoders_differ(self, model):
        """A value, a class, a whole column's variety is seen in some training sets alone."""
        X, y = frame(4)
        usual = np.flatnonzero((X["rare"] != "odd") & (X["text"] == "q"))
        flat = np.flatnonzero(X["whole"] == 2)
        classless = np.flatnonzero(y != "maybe")
        fitted = check_folds(model, X, y, [usual, np.arange(90), flat, classless, usual[:9]])
        if model.discretize == "equal-width":
            assert len({one.tree_.schema for one in fitted}) > 2
        assert all(one.predict_proba(X).shape == (90, 3) for one in fitted)

    @pytest.mark.parametrize("setting", SETTINGS, ids=repr)
    def test_batches_of_trees(self, setting, monkeypatch):
        """Memory is bounded: so many trees at a time as `TOGETHER` allows."""
        X, y = frame(5)
        monkeypatch.setattr(forest_module, "TOGETHER", 3 * 80 * 6)
        check_folds(rt.DecisionTree(**setting), X, y, folds_of(90, 8))

    def test_no_training_set_two_and_very_different_ones(self):
        X, y = frame(3)
        assert rt.C45().fit_folds(X, y, []) == []
        rng = np.random.default_rng(0)
        pairs = np.flatnonzero(y == "no")[:1], np.flatnonzero(y == "yes")[:1]
        check_folds(rt.C45(), X, y, [np.concatenate(pairs), rng.integers(0, 90, 400)])

    def test_warnings_come_once(self):
        X = pd.DataFrame({"same": ["v"] * 12, "a": list("xyxxyyxyxyyx")})
        with pytest.warns(UserWarning, match="'same' has only one value") as caught:
            rt.C44().fit_folds(X, list("abaabbabbaab"), folds_of(12, 4))
        assert len(caught) == 1

    @pytest.mark.parametrize("as_codes", [False, True])
    def test_a_training_set_of_one_class_is_named(self, as_codes):
        X, y = frame()
        bad = [np.arange(90), np.flatnonzero(y == "no")]
        X = quietly(rt.Encoder().fit_transform, X) if as_codes else X
        with pytest.raises(ValueError, match="training set 1"):
            quietly(rt.DecisionTree().fit_folds, X, y, bad)


class TestPlant:
    """Two trees of three and five nodes that grew as one: root, root, then their levels."""

    def planted(self):
        forest = Tree(
            parent=np.array([-1, -1, 0, 0, 1, 1, 4, 4]),
            attribute=np.array([0, 0, -1, -1, 0, -1, -1, -1]),
            cut=np.array([-1, -1, -1, -1, 0, -1, -1, -1]),
            child=np.array([2, 3, 4, -1, 5, 6, 7]),
            offset=np.array([0, 2, 5, 5, 5, 7, 7, 7, 7]),
            counts=np.array([[2, 2], [3, 3], [2, 0], [0, 2], [2, 1], [1, 2], [2, 0], [0, 1]]),
            classes=("x", "y"),
        )
        return plant(forest, [schema_of((2,)), schema_of((3,))])

    def test_by_hand(self):
        small, large = self.planted()
        assert small.parent.tolist() == [-1, 0, 0]
        assert small.child.tolist() == [1, 2]
        assert small.offset.tolist() == [0, 2, 2, 2]
        assert small.counts.tolist() == [[2, 2], [2, 0], [0, 2]]
        assert large.parent.tolist() == [-1, 0, 0, 1, 1]
        assert large.child.tolist() == [1, -1, 2, 3, 4]
        assert large.offset.tolist() == [0, 3, 5, 5, 5, 5]
        assert large.cut.tolist() == [-1, 0, -1, -1, -1]
        assert large.attribute.tolist() == [0, 0, -1, -1, -1]
        assert [t.schema[0].size for t in (small, large)] == [2, 3]
        for tree in (small, large):
            check_sound(tree)
            assert tree.classes == ("x", "y")

    def test_more_trees_than_sixteen_bits_can_number(self):
        n = 40_000
        leaf, counts = np.full(n, -1), np.stack([np.arange(n), np.ones(n, int)], axis=1)
        none, offset = np.zeros(0, np.intp), np.zeros(n + 1, np.intp)
        forest = Tree(leaf, leaf.copy(), leaf.copy(), none, offset, counts, (), ("x", "y"))
        trees = plant(forest, [schema_of((2,))] * n)
        assert [len(tree) for tree in trees] == [1] * n
        assert [int(tree.counts[0, 0]) for tree in trees] == list(range(n))
