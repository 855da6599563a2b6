"""What a model's class says: its fields in order, what it learns, and how a new one is written."""

import inspect
import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from model_cases import MODELS, fitted, table

import ranktrees as rt
from ranktrees_engine.criteria.split import multiway
from ranktrees_engine.estimator.params import learnt_names, param, parameter_names
from ranktrees_engine.estimator.rules import Rules, best_attribute
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.grow import Stop
from ranktrees_engine.models.parameters import (
    class_weight_field,
    estimate_field,
    estimate_params_field,
    missing_field,
)
from ranktrees_engine.reading.encoder import Encoder

SIGNATURES = Path(__file__).parents[1] / "golden" / "signatures.json"
CLASSES = json.loads(SIGNATURES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CLASSES)
def test_arguments_their_order_and_their_defaults_are_those_of_0_3_0(name):
    """New ones stand behind them, so that calls by place mean what they did."""
    now, then = str(inspect.signature(getattr(rt, name))), CLASSES[name]
    assert now.startswith(then.removesuffix(") -> None"))


def test_every_model_is_one_class_with_one_base():
    for name in CLASSES:
        assert len(getattr(rt, name).__bases__) == 1, name
    assert len(rt.C44.__mro__) <= 6


@pytest.mark.parametrize("kind", MODELS)
def test_what_fit_sets_is_listed(kind):
    model, X, _ = fitted(kind)
    model.predict_proba(X)
    assert vars(model).keys() <= {*parameter_names(type(model)), *learnt_names(type(model))}
    assert not {*parameter_names(type(model))} & learnt_names(type(model))


class Stump(GrownTree):
    """One test of a nominal attribute or of bins, and the values of it as leaves."""

    criterion: str = param(default="gini")
    estimate: str = estimate_field("laplace")
    estimate_params: dict | None = estimate_params_field()
    missing: str = missing_field()
    class_weight: dict | str | None = class_weight_field()

    def make_rules(self):
        """Return the rules: a branch per value of the best attribute, and no more."""
        propose = partial(best_attribute, kind=lambda info: multiway, criterion=self.criterion)
        return Rules(Encoder(missing=self.missing), propose, Stop(max_depth=1))


class TestAWholeNewModel:
    def test_fits_predicts_explains_and_is_evaluated(self):
        X, y = table()
        X = X.drop(columns="size")  # which a DecisionTree cuts in its order
        model, same = Stump().fit(X, y), rt.DecisionTree("gini", max_depth=1, estimate="laplace")
        assert model.tree_.depth == 1
        assert np.array_equal(model.predict_proba(X), same.fit(X, y).predict_proba(X))
        assert 'Estimate "laplace"' in str(model.explain(X.iloc[[0]]))
        assert rt.explain_table(model, X).shape == (60, 1 + X.shape[1])
        assert rt.cross_validate(model, X, y, k=3)["auc"].notna().all()
        assert "WITH RECURSIVE" in model.to_sql("cases")
        assert repr(Stump("entropy")) == "Stump(criterion='entropy')"

    def test_weighs_and_bags_and_learns_from_files(self, tmp_path):
        X, y = table()
        weights = np.where(y == "yes", 3, 1)
        model = Stump(class_weight={"yes": 3, "no": 1}).fit(X, y)
        assert np.array_equal(model.tree_.counts, Stump().fit(X, y, weights).tree_.counts)
        assert rt.Bagging(Stump(), 3).fit(X, y).predict_proba(X).shape == (60, 2)
        X.assign(y=y).to_csv(tmp_path / "table.csv", index=False)
        data, scan = rt.read_csv(tmp_path / "table.csv"), rt.scan(tmp_path / "table.csv", "y")
        here, there = Stump().fit(data.X, data.y), Stump().fit(scan)
        assert np.array_equal(here.tree_.counts, there.tree_.counts)
