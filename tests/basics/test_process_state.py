"""Warnings of the package, and what else a process shares: seterr and random numbers."""

import random
import sys
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.basics.warn import WarnOnce, warn, warn_of_time


@pytest.mark.parametrize(
    ("name", "model"),  # in which something is too small for a double
    [
        ("credit-g", rt.PathBayes()),
        ("glass", rt.NaiveBayes(numeric="gaussian")),
        ("glass", rt.NewtonTree(exponent=300, max_depth=2)),
    ],
)
def test_models_are_the_same_whatever_seterr_says(name, model):
    data, said = rt.load(name), []
    for how in ({}, {"all": "raise"}):
        with np.errstate(**how):
            fitted = model.fit(data.X, data.y)
            said.append((fitted.predict_proba(data.X), str(fitted.explain(data.X[:1]))))
    np.testing.assert_array_equal(said[0][0], said[1][0])
    assert said[0][1] == said[1][1]


def test_fits_leave_filters_and_random_numbers_as_they_are():
    filters, state = [*warnings.filters], random.getstate()
    numbers, said = np.random.get_state()[1].copy(), np.geterr()  # noqa: NPY002
    data = rt.load("labor")
    for model in (rt.PathForest(n_models=2), rt.Bagging(n_models=2), rt.NewtonTree()):
        model.fit(data.X, data.y).predict_proba(data.X)
    with pytest.warns(UserWarning, match="no value at all"):
        rt.cross_validate(rt.C44(), pd.DataFrame({"none": np.nan, "n": range(57)}), data.y, k=3)
    assert warnings.filters == filters
    assert random.getstate() == state
    assert (np.random.get_state()[1] == numbers).all()  # noqa: NPY002
    assert np.geterr() == said


def cross_validations(n):
    """Cross-validate a tree ten times on n cases, which are too few for some of their folds."""
    X, y = pd.DataFrame({"x": list("ab") * (n // 2)}), ["p"] * (n - 2) + ["q"] * 2
    return [rt.cross_validate(rt.DecisionTree(), X, y, k=n // 4) for _ in range(10)]


@pytest.mark.skipif(sys.platform == "emscripten", reason="a browser starts no thread")
def test_cross_validations_in_four_threads_warn_each_of_its_own_folds_once():
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(cross_validations, (12, 16, 20, 24)))
        assert list(warnings.filters) == before
    texts = Counter(str(w.message) for w in given if "smallest class" in str(w.message))
    assert [*texts.values()] == [10] * 4
    assert {w.filename for w in given} == {__file__}


@pytest.mark.parametrize("model", [rt.CITree(), rt.NewtonTree()], ids=str)
def test_long_work_is_announced_before_it_begins(model, monkeypatch):
    monkeypatch.setattr("ranktrees_engine.basics.warn.LONG", 0.0)
    for module in ("estimator.tree", "models.prototypes"):
        monkeypatch.delattr(f"ranktrees_engine.{module}.grow")  # the work
    data = rt.load("iris")
    with (
        pytest.warns(UserWarning, match=r"may take about 0 minutes .* max_depth") as given,
        pytest.raises(NameError, match="grow"),
    ):
        model.fit(data.X, data.y)
    assert {w.filename for w in given} == {__file__}


def test_how_long_is_said_in_minutes():
    for seconds, words in ((91, "2 minutes"), (170, "3 minutes"), (90_000, "1,500 minutes")):
        with pytest.warns(UserWarning, match=f"may take about {words} on a laptop of 2024"):
            warn_of_time(seconds)
    warn_of_time(89)


def test_how_long_was_measured(monkeypatch):
    """AUC took 10 s for 20,000 cases, 6 attributes, 500 classes; Newton 21 s for 1e6 values."""
    said = []
    for module in ("bayes_tree", "prototypes"):
        monkeypatch.setattr(f"ranktrees_engine.models.{module}.warn_of_time", said.append)
    X, y = np.random.default_rng(1).normal(size=(100, 10)), np.arange(100) % 5
    for model in (rt.CITree(max_depth=1), rt.CITree(), rt.NBTree(max_depth=1), rt.NewtonTree()):
        model.fit(X, y)
    per_case = np.array(said) / 1000 / [5, 5, 5, 1 + 5 / 6]
    assert per_case[:3] == pytest.approx([1.7e-7, 3 * 1.7e-7, 4.7e-8], rel=0.2)
    assert per_case[3] == pytest.approx(21e-6 / (1 + 500 / 6), rel=1)


@pytest.mark.parametrize("model", [rt.CITree(), rt.NewtonTree(), rt.C45()], ids=str)
def test_each_level_of_long_work_is_shown(model, capsys):
    data = rt.load("iris")
    model.fit(data.X, data.y, progress=True)
    shown = capsys.readouterr().err.split("\r")[-1]
    assert int(shown.split(" levels")[0]) >= model.tree_.depth


def complain():
    with WarnOnce(about="iris", without=("one value",)):
        for text in ("few", "column 'a' has only one value", "few"):
            warn(text)
        raise KeyError


def test_equal_warnings_are_given_once_and_some_not_at_all_even_when_the_work_fails():
    with pytest.warns(UserWarning, match="^iris: few$") as given, pytest.raises(KeyError):
        complain()
    assert len(given) == 1
