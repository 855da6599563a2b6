"""Warnings of the package: to the caller, once for many folds, and in several threads at once."""

import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.basics.warn import WarnOnce, warn, warn_of_time

CONSTANT = pd.DataFrame({"same": ["v"] * 12, "a": list("xyxxyyxyxyyx")}), list("abaabbabbaab")


def in_four_threads(work, numbers):
    """What the work gives for each number, and the warnings; the process's filters stay."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(work, numbers))
        assert list(warnings.filters) == before
    return results, given


def thirty_cross_validations(n):
    """Cross-validate a tree thirty times on n cases, which are too few for some of their folds."""
    X, y = pd.DataFrame({"x": list("ab") * (n // 2)}), ["p"] * (n - 2) + ["q"] * 2
    return [rt.cross_validate(rt.DecisionTree(), X, y, k=n // 4) for _ in range(30)]


def test_thirty_cross_validations_in_each_of_four_threads():
    """Each warns of its own folds, once, however the threads come and go."""
    tables, given = in_four_threads(thirty_cross_validations, (12, 16, 20, 24))
    assert [len(table) for table in tables] == [30] * 4
    texts = Counter(str(w.message) for w in given if "smallest class" in str(w.message))
    assert sorted(texts.values()) == [30] * 4
    assert {w.filename for w in given} == {__file__}


@pytest.fixture
def slow(monkeypatch):
    """Everything takes long."""
    monkeypatch.setattr("ranktrees.basics.warn.LONG", 0.0)


GROWN = [rt.CITree(), rt.NBTree(), rt.NewtonTree(), rt.DistanceTree(), rt.CentreSplitting()]


class TestLongWork:
    """A fit that may take long says so before it begins, and how far it is."""

    @pytest.mark.parametrize("model", GROWN, ids=lambda model: type(model).__name__)
    def test_it_is_said_before_the_work(self, slow, model, monkeypatch):
        def never(*given, **more):
            raise AssertionError("the work has begun")

        data = rt.load("iris")
        for module in ("estimator.tree", "models.newton"):
            monkeypatch.setattr(f"ranktrees.{module}.grow", never)
        with (
            pytest.warns(UserWarning, match=r"may take about 0 minutes .* max_depth") as given,
            pytest.raises(AssertionError, match="has begun"),
        ):
            model.fit(data.X, data.y)
        assert {w.filename for w in given} == {__file__}

    def test_how_long(self):
        for seconds, words in ((91, "2 minutes"), (170, "3 minutes"), (90_000, "1,500 minutes")):
            with pytest.warns(UserWarning, match=f"may take about {words} on a laptop of 2024"):
                warn_of_time(seconds)
        warn_of_time(89)

    def test_how_long_was_measured(self, monkeypatch):
        """AUC took 10 s for 20,000 cases, 6 attributes, 500 classes; Newton 21 s for 1e6 values."""
        said = []
        for module in ("citree", "newton"):
            monkeypatch.setattr(f"ranktrees.models.{module}.warn_of_time", said.append)
        X, y = np.random.default_rng(1).normal(size=(100, 10)), np.arange(100) % 5
        for model in (rt.CITree(max_depth=1), rt.CITree(), rt.NBTree(max_depth=1), rt.NewtonTree()):
            model.fit(X, y)
        one_level, whole, accuracy, newton = np.array(said) / 1000
        assert one_level / 5 == pytest.approx(1.7e-7, rel=0.2)
        assert whole == pytest.approx(3 * one_level)
        assert accuracy / 5 == pytest.approx(4.7e-8, rel=0.2)
        assert newton / (1 + 5 / 6) == pytest.approx(21e-6 / (1 + 500 / 6), rel=1)

    @pytest.mark.parametrize("model", [*GROWN, rt.C45()], ids=lambda model: type(model).__name__)
    def test_each_level_is_shown(self, model, capsys):
        data = rt.load("iris")
        model.fit(data.X, data.y)
        assert capsys.readouterr().err == ""
        model.fit(data.X, data.y, progress=True)
        shown = capsys.readouterr().err.split("\r")[-1]
        assert int(shown.split(" levels")[0]) >= model.tree_.depth


def test_a_warning_is_given_to_the_line_outside_of_the_package():
    for fit in (rt.DecisionTree().fit, rt.NewtonTree().fit, rt.CITree(min_cases=2).fit):
        with pytest.warns(UserWarning, match="'same' has only one value") as given:
            fit(*CONSTANT)
        assert {w.filename for w in given} == {__file__}


def complain(times, error=None, **once):
    with WarnOnce(**once):
        for _ in range(times):
            warn("few")
            warn("column 'a' has only one value: it is never split on")
        if error:
            raise error


def test_equal_ones_are_given_once_and_some_not_at_all():
    with pytest.warns(UserWarning, match="^iris: few$") as given:
        complain(3, about="iris", without=("one value",))
    assert len(given) == 1


def test_they_are_given_even_when_the_work_fails():
    with pytest.warns(UserWarning, match="few"), pytest.raises(KeyError):
        complain(1, KeyError(), without=("one value",))
