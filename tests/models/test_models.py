"""`DecisionTree`: its answers and its errors, and what a reader adds to it from outside."""

import inspect
import re
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from model_cases import MODELS

import ranktrees as rt
from ranktrees_engine.criteria import CRITERIA
from ranktrees_engine.growing.grow import Stop

DATA = rt.load("breast-cancer")
X2 = pd.DataFrame({"a": list("xxyyxy"), "b": [1.0, 2, 3, 4, 5, 6]})
Y2 = ["no", "no", "yes", "yes", "no", "yes"]


class TestPrediction:
    def test_another_estimate_leaves_the_tree_alone(self):
        model = rt.DecisionTree(min_child=4).fit(DATA.X, DATA.y)
        proba, other = model.predict_proba(DATA.X), model.with_estimate("m", m=5)
        assert other.tree_ is model.tree_
        assert (model.estimate, other.estimate_params) == ("frequency", {"m": 5})
        assert np.array_equal(model.predict_proba(DATA.X), proba)
        anew = rt.DecisionTree(min_child=4, estimate="m", estimate_params={"m": 5})
        proba = anew.fit(DATA.X, DATA.y).predict_proba(DATA.X)
        assert np.array_equal(proba, other.predict_proba(DATA.X))

    def test_unseen_and_missing_values(self):
        new = pd.DataFrame({"a": ["x", "never", None, "y"]})
        for missing, of_none in ("impute", [1, 0]), ("value", [0.5, 0.5]):  # it was never seen
            model = rt.DecisionTree(missing=missing).fit(X2[["a"]], Y2)
            assert model.predict_proba(new).tolist() == [[1, 0], [0.5, 0.5], of_none, [0, 1]]

    def test_missing_as_a_value_of_its_own(self):
        X = pd.DataFrame({"a": ["x", None, "y", None, "x", "y"], "b": [1, np.nan] * 3})
        for split in ("multiway", "binary", "threshold"):
            for name, y in {"a": [0, 1, 0, 1, 0, 0], "b": [0, 1] * 3}.items():
                model = rt.DecisionTree("gini", split, missing="value").fit(X[[name]], y)
                assert model.score(X[[name]], y) == 1

    def test_integer_column_names_are_checked_too(self):
        X = pd.DataFrame({0: [1.0, 2, 3, 4], 1: [4.0, 4, 2, 1]})
        model = rt.DecisionTree().fit(X, list("abab"))
        with pytest.raises(ValueError, match="same order"):
            model.predict(X[[1, 0]])
        with pytest.raises(ValueError, match="unseen at fit time"):
            model.predict(X.rename(columns={0: 5}))

    def test_classes_that_are_missing_or_new_in_a_score(self):
        X, y = np.arange(4).reshape(-1, 1), list("aabb")
        model = rt.DecisionTree().fit(X, y)
        assert model.score(X, list("aabc")) == 0.75, "an error of the model"
        with pytest.raises(ValueError, match="missing in 1 rows of y, first 2"):
            model.score(X, pd.Series(["a", "a", None, "b"]))


class TestErrors:
    @pytest.mark.parametrize(
        ("setting", "value", "message"),
        [
            ("criterion", "nope", "'nope'.*'information_gain'"),
            ("split", "nope", "'nope'.*'multiway'"), ("estimate", "nope", "'nope'.*'laplace'"),
            ("child_rule", "nope", "'nope'.*'every'"), ("missing", "nope", "'nope'.*'impute'"),
            ("numeric", "nope", "'nope'.*'thresholds'"),
            ("discretize", "nope", "'nope'.*'equal-width'"),
            ("max_depth", 0, "0"), ("min_parent", 1, "1"), ("min_child", 0, "0"),
            ("min_gain", -1, "-1"), ("tie", -1, "-1"), ("min_gain", np.nan, "nan"),
            ("significance", 0, "0"), ("significance", 2, "2"), ("n_bins", 1, "at least 2"),
            ("max_codes", 1, "1"), ("n_bins", 2.5, ""), ("max_depth", "3", ""), ("tie", None, ""),
            ("estimate_params", 5, "must be a dict"),
        ],
    )  # fmt: skip
    def test_settings_are_named(self, setting, value, message):
        """Before any case is seen: a column of names needs no bins."""
        with pytest.raises((ValueError, TypeError), match=rf"{setting}.*{message}"):
            rt.DecisionTree(**{setting: value}).fit(X2[["a"]], Y2)

    def test_criteria_for_two(self):
        data = rt.load("iris")
        with pytest.raises(ValueError, match=r"dkm.*two classes.*3"):
            rt.DecisionTree("dkm").fit(data.X, data.y)
        with pytest.raises(ValueError, match=r'twoing.*two branches.*split="binary"'):
            rt.DecisionTree("twoing").fit(data.X, data.y)


class TestWhatAReaderAdds:
    def test_an_estimate(self, monkeypatch):
        class Power(rt.estimate.Estimate):
            power: float = 2.0

            def of_nodes(self, tree):
                n = tree.counts**self.power
                return n / n.sum(axis=1, keepdims=True)

        monkeypatch.setitem(rt.estimate.ESTIMATES, "power", Power)
        model = rt.C45(estimate="power", estimate_params={"power": 3}).fit(DATA.X, DATA.y)
        n = model.tree_.counts[model.apply(DATA.X)] ** 3.0
        assert model.predict_proba(DATA.X) == pytest.approx(n / n.sum(axis=1, keepdims=True))
        assert 'Estimate "power"' in str(model.explain(DATA.X.iloc[[0]]))
        assert "rt_p1" in model.to_sql("cases")
        with pytest.raises(ValueError, match="no parameter 'm': only 'power'"):
            model.with_estimate("power", m=2)

    def test_an_estimate_that_differs_by_case(self, monkeypatch):
        class Nearest(rt.estimate.Estimate):
            """The class of the most similar training case, 0.9 to 0.1."""

            needs = "cases"

            def of_nodes(self, tree):
                return rt.estimate.laplace(tree)

            def proba(self, X, gaps=None):
                nearest = (X[:, None] == self.cases.X).sum(axis=2).argmax(axis=1)
                return np.where(self.cases.y[nearest, None] == np.arange(2), 0.9, 0.1)

        monkeypatch.setitem(rt.estimate.ESTIMATES, "nearest", Nearest)
        model = rt.DecisionTree(estimate="nearest").fit(DATA.X, DATA.y)
        assert model.score(DATA.X, DATA.y) > 0.95
        with pytest.raises(ValueError, match="differs from case to case"):
            model.to_sql("cases")

    def test_a_criterion_and_a_stopping_rule(self, monkeypatch):
        def purest_branch(n):
            """The largest share of a class in a branch, of tables (..., V, C)."""
            return (n.max(axis=-1) / np.maximum(n.sum(axis=-1), 1)).max(axis=-1)

        class AtMost(Stop):
            """No level of more than four nodes is opened."""

            def may_split(self, counts, depth):
                return super().may_split(counts, depth) & (len(counts) <= 4)

        class Narrow(rt.DecisionTree):
            def make_rules(self):
                return replace(super().make_rules(), stop=AtMost())

        monkeypatch.setitem(CRITERIA, "purest branch", purest_branch)
        branches = rt.DecisionTree("purest branch", max_depth=1).fit(DATA.X, DATA.y).tree_.counts
        assert (branches.max(axis=1) / branches.sum(axis=1))[1:].max() == 1
        levels = Narrow("gini", "binary").fit(DATA.X, DATA.y).tree_.levels
        assert [level.stop - level.start for level in levels][:3] == [1, 2, 4]
        assert max(level.stop - level.start for level in levels) <= 8


@pytest.mark.parametrize("kind", {type(m): 0 for m in MODELS.values()}, ids=lambda k: k.__name__)
def test_parameters_are_fields_that_the_docstring_names(kind):
    signature = inspect.signature(kind).parameters
    assert [*signature] == [each.name for each in fields(kind)] == [*kind().get_params(False)]
    assert {name: p.default for name, p in signature.items()} == kind().get_params(deep=False)
    elsewhere = {"NBTree", "C44", "DistanceTree", "CentreSplitting"}  # "as of", in a sentence
    assert {*signature} <= {*re.findall(r"\w+", kind.__doc__)} or kind.__name__ in elsewhere
    for each in re.findall(r"^    (\w+(?:, \w+)*) :", kind.__doc__, re.MULTILINE):
        assert {*each.split(", ")} <= {*signature}
