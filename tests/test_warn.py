"""Warnings of the package: to the caller, once for many folds, and in several threads at once."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.warn import WarnOnce, warn

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


def test_four_threads_keep_their_own_warnings_and_the_processs_filters():
    """Their evaluations overlap: each is inside its `WarnOnce` while others come and go."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(4) as threads:
            kept = dict(threads.map(in_a_thread, (12, 18, 24, 30)))
        assert list(warnings.filters) == before
    for n, messages in kept.items():
        assert [text for text, _ in messages] == [f"there are {n // 2} cases"]
    assert len(given) == 4


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
