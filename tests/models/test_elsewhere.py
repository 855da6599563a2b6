"""What is called otherwise elsewhere: scikit-learn's parameters, attributes, a dict as a case."""

import copy
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from model_cases import MODELS, fitted, same
from oracles import quietly
from sklearn import ensemble, naive_bayes, tree

import ranktrees as rt
from ranktrees_engine import models
from ranktrees_engine.estimator.elsewhere import ATTRIBUTES, ELSEWHERE
from ranktrees_engine.estimator.params import parameter_names
from ranktrees_engine.evaluate.fitting import unfitted
from ranktrees_engine.growing import elsewhere as of_trees

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


@pytest.fixture(scope="module")
def both():
    """A tree of ours and one of scikit-learn, of the same cases."""
    data = rt.load("iris")
    ours = rt.DecisionTree("gini", split="binary", numeric="thresholds")
    theirs = tree.DecisionTreeClassifier(max_features=4, random_state=0)
    return ours.fit(data.X, data.y), theirs.fit(data.X, data.y)


class TestAttributes:
    def test_every_one_of_theirs_is_ours_or_has_a_sentence(self, both):
        ours, theirs = both
        asked = ours, theirs, {*ATTRIBUTES, *ELSEWHERE}
        for mine, other, said in (asked, (ours.tree_, theirs.tree_, of_trees.ELSEWHERE)):
            public = {name for name in dir(other) if not name.startswith("_")}
            assert not {name for name in public - {*said} if not hasattr(mine, name)}

    @EVERY
    def test_a_model_says_what_to_ask_instead(self, kind):
        model, X, _ = fitted(kind)
        for each in (model, unfitted(model)):
            for name in {*ATTRIBUTES} - {*dir(type(model)), *vars(model)}:
                words = f"^{type(model).__name__} has no {name}: {re.escape(ATTRIBUTES[name])}$"
                with pytest.raises(AttributeError, match=words):
                    getattr(each, name)
        with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
            model.nonsense  # noqa: B018
        twin = pickle.loads(pickle.dumps(copy.deepcopy(model)))
        assert same(quietly(twin.predict_proba, X), quietly(model.predict_proba, X))

    @pytest.mark.parametrize("name", of_trees.ELSEWHERE)
    def test_a_tree_says_what_to_ask_instead(self, both, name):
        grown = both[0].tree_
        for one in (grown, fitted("NewtonTree")[0].tree_):
            if hasattr(type(one), name):  # a prototype is a value
                continue
            with pytest.raises(AttributeError, match=f"^{type(one).__name__} has no {name}: "):
                getattr(one, name)
        sentence = of_trees.ELSEWHERE[name]
        assert all(hasattr(both[0], word) for word in re.findall(r"model\.(\w+)", sentence))
        assert all(hasattr(rt.criteria, word) for word in re.findall(r"criteria\.(\w+)", sentence))
        named = (
            r"\b(attribute|cut|counts|parent|depth|depths|schema|classes|to_frame|branches_of)\b"
        )
        assert all(hasattr(grown, word) for word in re.findall(named, sentence))

    def test_what_they_hold_is_where_the_sentence_says(self, both):
        (ours, theirs), first = both, 0
        grown, other = ours.tree_, theirs.tree_
        assert len(grown) == other.node_count
        assert (grown.depth, grown.n_leaves) == (other.max_depth, theirs.get_n_leaves())
        a = grown.attribute[first]
        assert grown.counts[first].sum() == other.n_node_samples[first]
        assert rt.criteria.gini(grown.counts)[first] == pytest.approx(other.impurity[first])
        assert grown.schema[a].cuts[grown.cut[first]] == pytest.approx(2.45)
        assert grown.to_frame()["condition"][1] == "<= 2.45"
        assert {*grown.branches_of(first)} == {1, 2}


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
