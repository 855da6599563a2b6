"""What a reader adds from outside, in a few lines: an estimate, a criterion, a stopping rule."""

import inspect
import re
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

import ranktrees as rt
from ranktrees.criteria import CRITERIA
from ranktrees.growing.grow import Stop

DATA = rt.load("breast-cancer")
MODELS = [
    getattr(rt, name)
    for name in rt.__all__
    if is_dataclass(getattr(rt, name)) and hasattr(getattr(rt, name), "predict_proba")
]


def test_an_estimate(monkeypatch):
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


def test_an_estimate_that_differs_by_case(monkeypatch):
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


def test_a_criterion(monkeypatch):
    def purest_branch(n):
        """The largest share of a class in a branch, of tables (..., V, C)."""
        return (n.max(axis=-1) / np.maximum(n.sum(axis=-1), 1)).max(axis=-1)

    monkeypatch.setitem(CRITERIA, "purest branch", purest_branch)
    model = rt.DecisionTree("purest branch", max_depth=1).fit(DATA.X, DATA.y)
    branches = model.tree_.counts[1:]
    assert (branches.max(axis=1) / branches.sum(axis=1)).max() == 1


def test_a_stopping_rule():
    class AtMost(Stop):
        """No level of more than four nodes is opened."""

        def may_split(self, counts, depth):
            return super().may_split(counts, depth) & (len(counts) <= 4)

    class Narrow(rt.DecisionTree):
        def stopping_rule(self):
            return AtMost()

    levels = Narrow("gini", "binary").fit(DATA.X, DATA.y).tree_.levels
    assert [level.stop - level.start for level in levels][:3] == [1, 2, 4]
    assert max(level.stop - level.start for level in levels) <= 8


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_parameters_are_fields_that_the_docstring_names(kind):
    signature = inspect.signature(kind).parameters
    assert [*signature] == [each.name for each in fields(kind)] == [*kind().get_params(False)]
    assert {name: p.default for name, p in signature.items()} == kind().get_params(deep=False)
    written = set(re.findall(r"\w+", kind.__doc__))
    elsewhere = {"NBTree", "C44", "DistanceTree", "CentreSplitting"}  # "as of", in a sentence
    assert {*signature} <= written or kind.__name__ in elsewhere
    for each in re.findall(r"^    (\w+(?:, \w+)*) :", kind.__doc__, re.MULTILINE):
        assert {*each.split(", ")} <= {*signature}


def test_the_order_of_arguments():
    """By position they are what they were: the first ones are given so."""
    first = {kind.__name__: fields(kind)[0].name for kind in MODELS}
    assert first["DecisionTree"] == "criterion"
    assert first["C45"] == "prune"
    assert first["C44"] == "collapse"
    assert first["PathBayes"] == "min_child"
    assert first["CITree"] == first["NBTree"] == "scoring"
    assert first["NewtonTree"] == "distances"
    assert first["PathForest"] == "n_models"
    assert first["Bagging"] == "model"
