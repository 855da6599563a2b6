"""What is called otherwise elsewhere: scikit-learn's parameters, a dict as a case."""

import re

import numpy as np
import pandas as pd
import pytest
from model_cases import MODELS, fitted, same
from oracles import quietly
from sklearn import ensemble, naive_bayes, tree

import ranktrees as rt
from ranktrees_engine import models
from ranktrees_engine.estimator.elsewhere import ELSEWHERE
from ranktrees_engine.estimator.params import parameter_names
from ranktrees_engine.evaluate.fitting import unfitted

EVERY = pytest.mark.parametrize("kind", MODELS)
THEIRS = {
    tree.DecisionTreeClassifier: (),
    ensemble.RandomForestClassifier: (),
    ensemble.BaggingClassifier: ("bootstrap_features",),
    naive_bayes.CategoricalNB: ("force_alpha", "min_categories"),
    naive_bayes.GaussianNB: (),
}


@EVERY
def test_names_of_scikit_learn_get_a_sentence_with_ours(kind):
    made = type(MODELS[kind])
    for name, sentence in ELSEWHERE.items():
        if name in parameter_names(made):
            continue
        with pytest.raises(TypeError, match=f"^{made.__name__} has no {name}: ") as error:
            made(**{name: 1})
        assert str(error.value).endswith(sentence)
        with pytest.raises(ValueError, match=f"parameter {name!r} for {made.__name__}: .*"):
            made().set_params(**{name: 1})


@pytest.mark.parametrize("kind", THEIRS, ids=lambda kind: kind.__name__)
def test_every_parameter_of_theirs_has_a_sentence(kind):
    ours = {name for model in models.__all__ for name in parameter_names(getattr(rt, model))}
    assert {*kind().get_params()} <= {*ELSEWHERE, *ours, *THEIRS[kind]}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_a_sentence_names_is_there(name):
    sentence = ELSEWHERE[name]
    if called := re.match(r"it is called (\w+), in (.*)", sentence):
        for model in re.findall(r"[A-Z]\w+", called[2]):
            assert called[1] in parameter_names(getattr(rt, model)), model
    if having := re.match(r"(.*) have it", sentence):
        for model in re.findall(r"[A-Z]\w+", having[1]):
            assert name in parameter_names(getattr(rt, model)), model
    for path in re.findall(r"rt\.([\w.]+)", sentence):
        there = rt
        for part in path.split("."):
            there = getattr(there, part)
    words = set(re.findall(r"\b(?:max|min)_\w+", sentence)) - {name}
    assert words <= {*parameter_names(rt.DecisionTree)}


def test_criteria_of_scikit_learn():
    data = rt.load("weather.nominal")
    ours = rt.DecisionTree("information_gain").fit(data.X, data.y).tree_.to_text()
    for criterion in ("entropy", "log_loss"):
        assert rt.DecisionTree(criterion).fit(data.X, data.y).tree_.to_text() == ours


@EVERY
def test_a_dict_is_one_case(kind):
    model, X, y = fitted(kind)
    for row in (3, 11, 17):
        case = {name: X[name].iloc[row] for name in X.columns[::-1]}  # by name, in any order
        one = X.iloc[[row]]
        assert same(quietly(model.predict_proba, case), quietly(model.predict_proba, one))
        assert quietly(model.predict, case).tolist() == quietly(model.predict, one).tolist()
        assert str(model.explain(case)) == str(model.explain(one))
    gap = {**case, "word": None, "real": np.nan}
    assert model.predict_proba(gap).sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="the case lacks 'size': give every attribute, None if m"):
        model.predict_proba({name: case[name] for name in X if name != "size"})
    with pytest.raises(ValueError, match="the case has 'new', unknown to the model; its attribute"):
        model.predict_proba({**case, "new": 1})
    array = quietly(unfitted(MODELS[kind]).fit, X[["real", "whole"]].to_numpy(), y)
    assert (
        array.predict_proba({"x1": 2, "x0": 0.5}).tolist()
        == array.predict_proba(np.array([[0.5, 2]])).tolist()
    )


def test_a_dict_may_hold_a_set_or_a_list():
    sets = [{"a"}, {"a", "b"}, {"c"}, {"c", "d"}] * 5
    lists = [[1, 2], [1, 3], [8, 9], [8, 8]] * 5
    X = pd.DataFrame({"tags": sets, "place": lists})
    model = rt.NewtonTree().fit(X, [0, 0, 1, 1] * 5)
    for tags, place in ((sets[0], lists[0]), (frozenset("cd"), (8, 8))):
        case = {"place": place, "tags": tags}
        one = pd.DataFrame({"tags": [tags], "place": [place]})
        assert model.predict_proba(case).tolist() == model.predict_proba(one).tolist()
        assert str(model.explain(case)) == str(model.explain(one))
