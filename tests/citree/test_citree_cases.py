"""CITree and NBTree as models: odd data, bad settings, views of the leaves, the paper's figures."""

import os
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from oracles import loaded, prepared, quietly

import ranktrees as rt
from ranktrees_engine import prune
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.models import NaiveBayes

BOTH = pytest.mark.parametrize("kind", [rt.CITree, rt.NBTree])
X12 = pd.DataFrame({"a": list("xxyyxyxyxyxy"), "b": [1.0, 2, 3, 4, 5, 6] * 2})
Y12 = list("nnyynynynyny")
SPLITTING = {"min_cases": 1, "scoring": "accuracy"}


def grown(kind, name="tic-tac-toe", **how):
    data = loaded(name)
    return data, quietly(kind(**how).fit, data.X, data.y)


def assert_probabilities(model, X):
    """One finite probability of each class, adding up to 1."""
    proba = model.predict_proba(X)
    assert (proba > 0).all(), "Laplace gives every class its share"
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)
    return proba


@BOTH
class TestOddData:
    @pytest.mark.parametrize("how", [{}, {"inner_folds": 100}, {"folds": "leaf"}])
    def test_few_cases(self, kind, how):
        """Fewer of a class than folds, and than two of any class."""
        how = SPLITTING | how
        assert_probabilities(kind(**how).fit(X12, ["rare", "n", *Y12[2:]]), X12)
        assert_probabilities(kind(**how).fit(X12[:5], list("pqrsp")), X12)
        for X in (X12[1:3], X12[:2][["a"]]):
            assert_probabilities(quietly(kind(**how).fit, X, ["p", "q"]), X12[list(X)])
        gap = X12.assign(b=X12["b"].where(X12["b"] > 1))
        assert_probabilities(kind(missing="value", **how).fit(gap, Y12), gap)

    def test_one_attribute_leaves_the_prior_to_the_leaves(self, kind):
        X, y = X12[["a"]].iloc[np.arange(48) % 12], np.array(Y12)[np.arange(48) % 12]
        model = kind(scoring="accuracy", min_cases=2).fit(X, y)
        assert model.tree_.is_leaf[0]  # a naive Bayes of one attribute is as good: no split
        split = model.with_tree(rt.DecisionTree().fit(X, y).tree_)
        expected = (split.tree_.counts[1:] + 1) / (split.tree_.counts[1:].sum(axis=1) + 2)[:, None]
        proba = split.predict_proba(pd.DataFrame({"a": ["x", "y"]}))
        np.testing.assert_allclose(proba, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("C", "how"), [(2, {"min_cases": 1}), (5, {"folds": "leaf", "prune": "subtree", "lazy": False})]
)
def test_memory_of_an_attribute_of_3000_values(how, C):
    """Together, five folds of 3,000 leaves' tables of 3,018 values are 90 million counts x C."""
    rng = np.random.default_rng(0)
    narrow = rng.integers(0, 3, (6000, 6))
    frame = pd.DataFrame(narrow, columns=list("bcdefg")).astype(str)
    frame["id"] = [f"v{v}" for v in rng.permutation(6000) % 3000]
    codes = rt.Encoder().fit_transform(frame)
    y = ((narrow[:, 0] > 0) ^ (narrow[:, 1] > 0)) + (C - 2) * (rng.random(6000) < 0.3)
    y[:C] = np.arange(C)
    tracemalloc.start()
    model = rt.CITree(**how).fit(codes, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not model.tree_.is_leaf[0]
    assert peak < 100e6 + model.tree_.tables.nbytes


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (rt.CITree(prune="subtree"), 'prune="subtree".*lazy=False'),
        (rt.CITree(scoring="gini"), "scoring 'gini'.*'log_loss'"),
        (rt.CITree(folds="own"), "folds 'own'.*'global', 'leaf'"),
        (rt.CITree(prune="all"), "prune 'all'.*'children', 'subtree'"),
        (rt.CITree(lazy=1), "lazy must be True or False, not 1"),
        (rt.CITree(estimate="nope"), "estimate 'nope'.*'leaf-naive-bayes'"),
        (rt.CITree(estimate_params={"m": 2}), "'leaf-naive-bayes'.*'m'"),
        (rt.CITree(inner_folds=1), "inner_folds must be at least 2"),
        (rt.NBTree(min_cases=0), "min_cases must be at least 1"),
        (rt.CITree(seed=-1), "seed must be at least 0"),
        (rt.NBTree(min_parent=1), "min_parent must be at least 2"),
        (rt.NBTree(min_reduction=2), "min_reduction.*at most 1"),
    ],
)
def test_wrong_parameters_are_named(model, words):
    with pytest.raises((TypeError, ValueError), match=words):
        model.fit(X12, Y12)


@BOTH
class TestViews:
    @pytest.mark.parametrize("name", ["vote", "glass"])
    def test_the_model_of_a_node_is_naive_bayes_of_its_cases(self, kind, name):
        """Fitted anew to the codes of the node's cases, of the columns not on its path."""
        data, model = grown(kind, name, scoring="accuracy")
        tree, codes = model.tree_, model.encode(data.X)
        end, proba = model.apply(data.X), model.predict_proba(data.X)
        for node in tree.nodes():
            above, cases = [], (tree.paths()[end] == node.id).any(axis=1)
            up = node.parent
            while up is not None:
                above.append(int(tree.attribute[up.id]))
                up = up.parent
            rest = [a for a in range(len(tree.schema)) if a not in above]
            part = rt.Codes(codes.values[:, rest], tuple(tree.schema[a] for a in rest))
            if (node.counts > 0).sum() < 2 or not rest:
                continue
            anew = NaiveBayes().fit(part.take(np.flatnonzero(cases)), data.y[cases])
            assert np.array_equal(anew.counts_, node.model.counts_)
            expected = anew.predict_proba(part)
            np.testing.assert_allclose(node.model.predict_proba(part), expected, rtol=1e-12)
            np.testing.assert_allclose(proba[end == node.id], expected[end == node.id], rtol=1e-9)

    def test_other_estimates_and_trees(self, kind):
        data, model = grown(kind)
        for name in ESTIMATES:
            other = model.with_estimate(name)
            assert other.predict_proba(data.X).sum(axis=1) == pytest.approx(1)
        back = other.with_estimate("leaf-naive-bayes").predict_proba(data.X)
        assert np.array_equal(back, model.predict_proba(data.X))
        leaf = model.tree_.is_leaf | (model.tree_.depths == 1)
        cut = model.with_tree(prune.cut_back(model.tree_, leaf))
        assert np.array_equal(cut.tree_.tables, model.tree_.tables[: len(cut.tree_)])
        stump = kind(**{**model.get_params(), "max_depth": 1}).fit(data.X, data.y)
        assert np.array_equal(cut.predict_proba(data.X), stump.predict_proba(data.X))

    def test_the_seed_deals_the_folds(self, kind):
        model = grown(kind)[1]
        texts = [grown(kind, seed=seed)[1].tree_.to_text() for seed in (1, 1, 2, 3)]
        assert texts[0] == texts[1] == model.tree_.to_text()
        assert len({*texts}) > 1


def test_too_many_tables_are_not_kept(monkeypatch):
    data = rt.load("vote")
    whole = rt.CITree().fit(data.X, data.y)
    monkeypatch.setattr("ranktrees_engine.models.bayes_tree.MOST_KEPT", 100)
    model = rt.CITree().fit(data.X, data.y)
    assert whole.tree_.tables is not None
    assert model.tree_.tables is None
    assert np.abs(model.predict_proba(data.X) - whole.predict_proba(data.X)).max() < 1e-12
    for without in (model, rt.DecisionTree().fit(X12, Y12)):
        with pytest.raises(AttributeError, match="CITree or NBTree of moderate size has"):
            _ = without.tree_.root.model


def test_tables_are_not_stored_but_counted_anew(tmp_path):
    data = rt.load("weather.nominal")
    model = rt.CITree(min_cases=2).fit(data.X, data.y)
    rt.save(model, tmp_path / "model.json")
    assert "tables" not in (tmp_path / "model.json").read_text()
    tables = rt.load_model(tmp_path / "model.json").tree_.tables
    assert np.array_equal(tables, model.tree_.tables)


def test_an_attribute_cut_in_two_still_speaks_in_the_leaf():
    data = rt.load("iris")
    model = rt.DecisionTree("gini", "binary", "leaf-naive-bayes", numeric="thresholds", max_depth=1)
    tree = model.fit(data.X, data.y).tree_
    assert not tree.settled.any()
    bins = rt.DecisionTree(max_depth=1).fit(data.X, data.y).tree_
    assert (bins.settled[1:].sum(axis=1) == 1).all()
    assert not bins.settled[0].any()


def test_nbtree_splits_by_the_log_loss_itself():
    data = rt.load("tic-tac-toe")
    sizes = [
        len(rt.NBTree(scoring="log_loss", min_reduction=r).fit(data.X, data.y).tree_)
        for r in (0.0, 0.05, 1.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2] == 1


# AUC x 100 of CITree and NB, with the ± of CITree, in Su & Zhang's (2004) Table 1, and the figure
# of the prototype that METHODS was written from.
PAPER = {
    "balance-scale": (84.46, 4.1, 84.46, 84.54),
    "credit-g": (78.25, 5.27, 79.27, 78.12),
    "diabetes": (82.31, 5.17, 82.31, 82.33),
    "ionosphere": (96.33, 2.7, 93.61, 95.38),
    "iris": (98.58, 2.67, 98.58, 98.47),
    "tic-tac-toe": (90.33, 1.31, 73.91, 91.67),
    "vote": (98.64, 1.15, 96.56, 98.38),
    "car": (98.41, 1.47, 92.06, 99.10),
    "kr-vs-kp": (99.8, 0.16, 95.17, 99.86),
    "vowel": (99.29, 0.5, 95.81, 99.35),
}
FETCHED = ("car", "kr-vs-kp", "vowel")
GAIN = {"tic-tac-toe": 10, "car": 3, "kr-vs-kp": 3, "vowel": 3}


def tenfold(model, name):
    """AUC x 100, prepared and folded as the papers' other cells are: not picked for CITree."""
    data = prepared(name)
    settings = {"k": 10, "runs": 1, "seed": 1, "folds": "weka", "measures": ["auc-su2004"]}
    frame = quietly(rt.cross_validate, model, (data.X, data.y), **settings)
    return 100 * frame["auc-su2004"].mean()


@pytest.mark.parametrize("name", PAPER)
def test_a_row_of_su_and_zhang(name):
    if name in FETCHED and not os.environ.get("RANKTREES_DATA"):
        pytest.skip("set RANKTREES_DATA to a folder with the registry's files")
    citree, deviation, bayes, prototype = PAPER[name]
    tree, plain = tenfold(rt.CITree(), name), tenfold(rt.NaiveBayes(), name)
    assert tree == pytest.approx(prototype, abs=1.5)
    assert tree == pytest.approx(citree, abs=2 * deviation)
    assert plain == pytest.approx(bayes, abs=1)
    assert tree - plain >= GAIN.get(name, -2)
