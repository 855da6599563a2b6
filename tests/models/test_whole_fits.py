"""A fit is whole or not at all: a model after a fit that failed or was interrupted is as before."""

import inspect
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import ranktrees as rt
from ranktrees import models
from ranktrees.evaluate.fitting import unfitted

PACKAGES = tuple(str(Path(rt.__file__).parents[1] / name) for name in ("ranktrees", "ranktrees_s"))
ROWS = pd.DataFrame(
    {"sky": [*"sosrrrossrsoor"], "heat": [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]}
)
PLAY = np.array([*"nnyyynynyyyyyn"])
OTHER = np.array([*"bbaabbaabbaabb"])  # other classes, and another tree
ESTIMATORS = {
    "DecisionTree": rt.DecisionTree(),
    "C45": rt.C45(),
    "C44": rt.C44(),
    "PathBayes": rt.PathBayes(),
    "CITree": rt.CITree(min_cases=2, inner_folds=2),
    "NBTree": rt.NBTree(min_parent=4, inner_folds=2),
    "NewtonTree": rt.NewtonTree(max_depth=2),
    "DistanceTree": rt.DistanceTree(max_depth=2),
    "CentreSplitting": rt.CentreSplitting(max_depth=2),
    "PathForest": rt.PathForest(n_models=1),
    "Bagging": rt.Bagging(rt.DecisionTree(max_depth=1), n_models=2),
    "NaiveBayes": rt.NaiveBayes(),
    "AODE": rt.AODE(),
}
EVERY_ESTIMATOR = pytest.mark.parametrize("name", ESTIMATORS)


class Interruption:
    """Within it the n-th call into the package raises KeyboardInterrupt."""

    def __init__(self, n):
        self.n, self.calls = n, 0

    def __enter__(self):
        sys.setprofile(self._at_call)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)

    def _at_call(self, frame, event, _):
        code = frame.f_code  # Python ignores what is raised while it closes a generator
        generates = code.co_flags & inspect.CO_GENERATOR
        if event == "call" and not generates and code.co_filename.startswith(PACKAGES):
            self.calls += 1
            if self.calls == self.n:
                raise KeyboardInterrupt


def test_every_estimator_is_tried():
    assert ESTIMATORS.keys() == {*models.__all__}


@EVERY_ESTIMATOR
def test_interrupted_at_every_tenth_call_a_model_is_as_before(name):
    model = unfitted(ESTIMATORS[name]).fit(ROWS, PLAY)
    before, proba = dict(vars(model)), model.predict_proba(ROWS)
    for n in range(1, 10**6, 10):
        try:
            with Interruption(n) as tried:
                model.fit(ROWS, OTHER)
        except KeyboardInterrupt:
            assert vars(model).keys() == before.keys()
            assert all(vars(model)[key] is value for key, value in before.items())
            np.testing.assert_array_equal(model.predict_proba(ROWS), proba)
        else:
            break
    assert 30 < tried.calls < n  # so the fit was interrupted at each of them
    assert [*model.classes_] == ["a", "b"]
    fresh = unfitted(model).fit(ROWS, OTHER)
    np.testing.assert_array_equal(model.predict_proba(ROWS), fresh.predict_proba(ROWS))


@EVERY_ESTIMATOR
def test_after_a_fit_that_fails_a_model_is_as_before(name):
    model = unfitted(ESTIMATORS[name]).fit(ROWS, PLAY)
    before, proba = dict(vars(model)), model.predict_proba(ROWS)
    for X, y in [(ROWS, [*"ab" * 6]), (ROWS.assign(heat=np.inf), OTHER), (ROWS, ["a"] * 14)]:
        with pytest.raises(ValueError, match=r"."):
            model.fit(X, y)
        assert vars(model) == before
    with pytest.raises((ValueError, TypeError), match="weight"):
        model.fit(ROWS, OTHER, sample_weight=-1)
    np.testing.assert_array_equal(model.predict_proba(ROWS), proba)
    assert [*model.classes_] == ["n", "y"]


@EVERY_ESTIMATOR
def test_a_refit_leaves_nothing_of_what_was_learnt_before(name):
    model = unfitted(ESTIMATORS[name]).fit(ROWS, PLAY)
    assert "feature_names_in_" in vars(model)
    model.note = "of mine"
    model.fit(ROWS.to_numpy(object), OTHER)
    fresh = unfitted(ESTIMATORS[name]).fit(ROWS.to_numpy(object), OTHER)
    assert vars(model).keys() == vars(fresh).keys() | {"note"}


@pytest.mark.parametrize("name", ["C45", "PathBayes", "NaiveBayes", "AODE"])
def test_of_files_a_fit_is_whole_too(name, tmp_path):
    ROWS.assign(play=OTHER).to_parquet(tmp_path / "a.parquet")
    scan = rt.scan(tmp_path, target="play")
    model = unfitted(ESTIMATORS[name]).fit(ROWS, PLAY)
    before, proba = dict(vars(model)), model.predict_proba(ROWS)
    for n in (10, 30, 60):
        for fit in (model.fit, lambda scan: scan.fit(model)):
            with pytest.raises(KeyboardInterrupt), Interruption(n):
                fit(scan)
            assert vars(model) == before
    np.testing.assert_array_equal(model.predict_proba(ROWS), proba)
    assert [*scan.fit(model).classes_] == ["a", "b"]


def test_signatures_of_fit_stay_readable():
    names = [*inspect.signature(rt.C45.fit).parameters]
    assert names[:4] == ["self", "X", "y", "sample_weight"]
    assert rt.C45.fit.__doc__.startswith("Grow the tree")


def test_files_refuse_models_of_others(tmp_path):
    ROWS.assign(play=OTHER).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(TypeError, match="LogisticRegression needs its training cases in memory"):
        rt.scan(tmp_path, target="play").fit(LogisticRegression())
