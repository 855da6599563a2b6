"""Warnings of the package: to the caller, once for many folds, and in several threads at once."""

import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.basics.warn import WarnOnce, warn, warn_of_time

CONSTANT = pd.DataFrame({"same": ["v"] * 12, "a": list("xyxxyyxyxyyx")}), list("abaabbabbaab")


class Meeting:
    """A model at whose every fit four threads wait for each other, and which then warns."""

    barrier = Barrier(4)

    def fit(self, X, y):
        self.barrier.wait(10)
        self.classes_ = np.unique(np.asarray(y))
        warn(f"there are {len(X)} cases")
        return self

    def predict_proba(self, X):
        self.barrier.wait(10)
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def in_a_thread(n):
    """Evaluate a model on n cases, and hand back what its thread has kept meanwhile."""
    X, y = pd.DataFrame({"x": np.arange(n)}), np.arange(n) % 2
    with WarnOnce(f"thread of {n}") as outer:
        rt.cross_validate(Meeting(), X, y, k=2, measures="accuracy")
        Meeting.barrier.wait(10)
    return n, outer.kept


def in_four_threads(work, numbers):
    """What the work gives for each number, and the warnings; the process's filters stay."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(work, numbers))
        assert list(warnings.filters) == before
    return results, given


def test_four_threads_keep_their_own_warnings_and_the_processs_filters():
    """Their evaluations overlap: each is inside its `WarnOnce` while others come and go."""
    kept, given = in_four_threads(in_a_thread, (12, 18, 24, 30))
    for n, messages in kept:
        assert [text for text, _ in messages] == [f"there are {n // 2} cases"]
    assert len(given) == 4


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

    def test_it_is_said_at_once_among_folds(self, slow):
        data = rt.load("iris")
        with WarnOnce() as kept:
            with pytest.warns(UserWarning, match="may take about"):
                rt.CITree(max_depth=1).fit(data.X, data.y)
            assert not kept.kept

    def test_how_long(self):
        for seconds, words in ((91, "2 minutes"), (170, "3 minutes"), (90_000, "1,500 minutes")):
            with pytest.warns(UserWarning, match=f"may take about {words} on a laptop of 2024"):
                warn_of_time(seconds)
        warn_of_time(89)

    @pytest.mark.parametrize(
        ("model", "n", "A", "C", "minutes"),
        [
            (rt.CITree(), 10**6, 10, 500, (15, 150)),  # 170 ns a case, attribute and class
            (rt.CITree(max_depth=1), 10**6, 10, 500, (5, 50)),
            (rt.NBTree(), 10**6, 10, 500, (4, 40)),
            (rt.CITree(), 10**5, 20, 2, (0, 1)),
        ],
    )
    def test_citree_counts_what_was_measured(self, model, n, A, C, minutes, monkeypatch):
        """Root levels were timed: 10 s for 20,000 cases, 6 attributes and 500 classes with AUC."""
        said = []
        monkeypatch.setattr("ranktrees.models.citree.warn_of_time", said.append)
        monkeypatch.setattr("ranktrees.estimator.tree.GrownTree._grow", lambda *given: None)
        model.classes_ = np.arange(C)
        model._grow(SimpleNamespace(sizes=np.full((1, A), 3), y=np.broadcast_to(0, n)), [])
        assert minutes[0] <= said[0] / 60 <= minutes[1]

    def test_newton_counts_what_was_measured(self, monkeypatch):
        """21 s for 100,000 cases of 10 numbers in 500 classes, 1.3 s for 200,000 in two."""
        said = []
        monkeypatch.setattr("ranktrees.models.newton.warn_of_time", said.append)
        for C in (5, 2):
            X, y = np.random.default_rng(1).normal(size=(1000, 10)), np.arange(1000) % C
            rt.NewtonTree(max_depth=None).fit(X, y)
        several, two = said
        assert two * 200 == pytest.approx(1.3, rel=2)
        assert several / two == pytest.approx((1 + 5 / 6) / (1 + 2 / 6))

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
