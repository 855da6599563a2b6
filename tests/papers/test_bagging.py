"""Bagging: the mean over models of bootstrap samples, whatever the models are."""

import os

import joblib
import numpy as np
import pandas as pd
import pytest
from oracles import quietly
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression

import ranktrees as rt
from ranktrees_engine.models.bagging import bootstrap_samples

MODELS = [
    rt.C45(numeric="thresholds"),
    rt.DecisionTree("gini", "binary", estimate="ling-yan"),
    rt.NaiveBayes(),
    rt.Bagging(rt.C44(), n_models=2, seed=5),
]
EVERY_MODEL = pytest.mark.parametrize("model", MODELS, ids=repr)


def frame(n=60, seed=0):
    rng = np.random.default_rng(seed)
    a = pd.Categorical.from_codes(rng.integers(0, 3, n), list("xyz"))
    X = pd.DataFrame({"a": a, "b": rng.normal(size=n).round(1)})
    y = (a.codes + (X["b"] > 0)).to_numpy() % 3
    return X, pd.Categorical.from_codes(y, ["lo", "mid", "hi"])


def test_samples_are_drawn_with_replacement_until_they_have_two_classes():
    """One case in 20 is of class 1: a third of all samples would lack it."""
    y = np.arange(300) % 20 // 19
    samples = bootstrap_samples(y, 20, np.random.default_rng(0))
    assert [len(rows) for rows in samples] == [300] * 20
    distinct = np.mean([len(np.unique(rows)) for rows in samples])
    assert distinct / 300 == pytest.approx(1 - np.exp(-1), abs=0.02)
    samples = bootstrap_samples(y[:20], 50, np.random.default_rng(0))
    assert all(len(set(y[rows])) == 2 for rows in samples)


class TestTheMean:
    @EVERY_MODEL
    def test_of_single_fits_to_the_samples(self, model):
        X, y = frame()
        before = repr(model), list(vars(model))
        bag = quietly(rt.Bagging(model, n_models=4, seed=7).fit, X, y)
        assert (repr(model), list(vars(model))) == before
        samples = bootstrap_samples(y.codes, 4, np.random.default_rng(7))
        single = [quietly(clone(model).fit, X.iloc[rows], y[rows]) for rows in samples]
        mean = np.mean([one.predict_proba(X) for one in single], axis=0)
        assert bag.predict_proba(X) == pytest.approx(mean)
        assert [type(one) for one in bag.models_] == [type(model)] * 4

    @EVERY_MODEL
    def test_a_class_that_samples_lack_keeps_its_column(self, model):
        """One case of class `hi`: a third of the samples is without it."""
        X, y = frame(40)
        y = pd.Categorical(["lo", "mid"] * 19 + ["lo", "hi"], categories=["hi", "lo", "mid"])
        bag = quietly(rt.Bagging(model, n_models=12).fit, X, y)
        assert bag.predict_proba(X).shape == (40, 3)
        assert bag.predict_proba(X).sum(axis=1) == pytest.approx(1)
        assert all(one.classes_.tolist() == ["hi", "lo", "mid"] for one in (bag, *bag.models_))

    def test_models_of_others_may_lack_a_class(self):
        X, y = np.arange(16.0).reshape(8, 2), list("ppppqqqr")
        bag = rt.Bagging(LogisticRegression(), n_models=5).fit(X, y)
        assert any(len(model.classes_) == 2 for model in bag.models_)
        assert np.allclose(bag.predict_proba(X).sum(axis=1), 1)
        assert bag.each_proba(X).shape == (5, 8, 3)

    def test_the_gain_that_wang_and_zhang_print(self):
        """Table 4, C44 and C44-B on diabetes: one run of Weka's folds, samples of our own."""
        data = rt.prepare(rt.load("diabetes"), "papers")
        rules = {"k": 10, "seed": 1, "folds": "weka", "measures": ["auc-wang2006"]}
        model = rt.Bagging(rt.C44(rules="wang2006"))
        ours = quietly(rt.cross_validate, model, (data.X, data.y), **rules)["auc-wang2006"]
        assert 100 * ours.mean() == pytest.approx(78.78, abs=1.5)
        assert 100 * ours.mean() > 74.66 + 1


class TestProcesses:
    """The same models, whoever fits them, and what is said of them is said here."""

    @pytest.mark.parametrize("model", [rt.PathBayes(), rt.Bagging(rt.NaiveBayes(), 2)], ids=repr)
    def test_any_number_of_them_gives_the_same(self, model):
        X, y = frame(90)
        weight = np.tile([1.0, 2, 0.5], 30)
        alone = quietly(rt.Bagging(model, 5, seed=3).fit, X, y, weight)
        for n_jobs in (2, -1):
            bag = quietly(rt.Bagging(model, 5, seed=3, n_jobs=n_jobs).fit, X, y, weight)
            np.testing.assert_array_equal(bag.predict_proba(X), alone.predict_proba(X))
            np.testing.assert_array_equal(bag.each_proba(X), alone.each_proba(X))

    def test_processes_are_other_ones(self):
        X, y = np.arange(24.0).reshape(12, 2), list("ppqq") * 3
        here = rt.Bagging(Where(), 4).fit(X, y)
        assert {one.process_ for one in here.models_} == {os.getpid()}
        with joblib.parallel_config(n_jobs=2):
            there = rt.Bagging(Where(), 4).fit(X, y)
        for bag in (there, rt.Bagging(Where(), 4, n_jobs=2).fit(X, y)):
            assert os.getpid() not in {one.process_ for one in bag.models_}

    def test_a_warning_is_given_once_and_here_and_errors_as_they_are(self):
        X, y = frame()
        with pytest.warns(UserWarning, match="column 'none' has no value at all") as said:
            rt.Bagging(n_models=4, n_jobs=2).fit(X.assign(none=np.nan), y)
        assert [w.filename for w in said if "'none'" in str(w.message)] == [__file__]
        with pytest.raises(TypeError, match="measures values, not Codes"):
            rt.Bagging(rt.NewtonTree(), 2, n_jobs=2).fit(rt.Encoder().fit_transform(X), y)


class Where(ClassifierMixin, BaseEstimator):
    """A classifier that knows in which process it was fitted."""

    def fit(self, X, y):
        self.classes_, self.process_ = np.unique(y), os.getpid()
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


class TestSettings:
    @pytest.mark.parametrize(
        ("settings", "error", "what"),
        [
            ({"n_models": 0}, ValueError, "n_models"),
            ({"n_models": 2.5}, TypeError, "n_models"),
            ({"model": rt.C44}, TypeError, "C44"),
            ({"seed": -1}, ValueError, "seed"),
            ({"n_jobs": 0}, ValueError, "n_jobs must be"),
            ({"n_jobs": "all"}, TypeError, "n_jobs must be"),
        ],
    )
    def test_bad_settings_are_named(self, settings, error, what):
        with pytest.raises(error, match=what):
            rt.Bagging(**settings).fit(*frame())

    def test_parameters_of_the_model_too(self):
        bag = rt.Bagging(rt.C45(confidence=0.1), n_models=3)
        assert bag.get_params()["model__confidence"] == 0.1
        assert bag.set_params(model__confidence=0.2, seed=4) is bag
        assert (bag.model.confidence, bag.seed) == (0.2, 4)
        bag.set_params(model__min_child=5, model=rt.C44())
        twin = clone(quietly(bag.fit, *frame()))
        assert twin.model is not bag.model
        assert repr(twin) == repr(bag) == "Bagging(model=C44(min_child=5), n_models=3, seed=4)"
        for of, name, words in [
            (bag, "model__depth", r"'depth'.*C44"),
            (bag, "models", r"'models'.*Bagging"),
            (rt.Bagging(), "model__min_child", r"model__min_child.*Bagging\(C44\(\)\)"),
        ]:
            with pytest.raises(ValueError, match=words):
                of.set_params(**{name: 2})


def test_the_answer_of_most_models_is_named_first():
    X, y = frame()
    bag = quietly(rt.Bagging(n_models=9).fit, X, y)
    for row in range(5):
        (line,) = [x for x in bag.explain(X.iloc[[row]]).lines if x.startswith("Their own")]
        votes = [int(word) for word in line.replace(".", "").split() if word.isdigit()]
        assert votes == sorted(votes, reverse=True)
        assert sum(votes) == 9
