"""A fit is whole or not at all: a model whose fit was interrupted is as it was before."""

import inspect
import sys
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from model_cases import MODELS
from oracles import quietly
from sklearn.linear_model import LogisticRegression

import ranktrees as rt
from ranktrees_engine.evaluate.fitting import unfitted

PACKAGES = tuple(
    str(Path(rt.__file__).parents[1] / name) for name in ("ranktrees_engine", "ranktrees_files")
)


@contextmanager
def interruption(n):
    """Within it the n-th call into the package raises KeyboardInterrupt."""
    calls = count(1)

    def at_call(frame, event, _):
        code = frame.f_code  # Python ignores what is raised while it closes a generator
        generates = code.co_flags & inspect.CO_GENERATOR
        ours = event == "call" and not generates and code.co_filename.startswith(PACKAGES)
        if ours and next(calls) == n:
            raise KeyboardInterrupt

    sys.setprofile(at_call)
    try:
        yield
    finally:
        sys.setprofile(None)


ROWS = pd.DataFrame({"sky": [*"sosrrrossrsoor"], "heat": [85, 80, 83, 70, 68, 65, 64] * 2})
PLAY, OTHER = np.array([*"nnyyynynyyyyyn"]), np.array([*"bbaabbaabbaabb"])


@pytest.mark.parametrize("step", [37, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", MODELS)
def test_at_every_so_many_calls_a_model_is_as_before(kind, step):
    model = quietly(unfitted(MODELS[kind]).fit, ROWS, PLAY)
    before, proba = dict(vars(model)), model.predict_proba(ROWS)
    for n in range(1, 10**6, step):
        try:
            with interruption(n):
                model.fit(ROWS, OTHER)
        except KeyboardInterrupt:
            assert vars(model).keys() == before.keys()
            assert all(vars(model)[key] is value for key, value in before.items())
            np.testing.assert_array_equal(model.predict_proba(ROWS), proba)
        else:
            break
    assert n > step + 1  # so the fit was interrupted, more than once
    assert [*model.classes_] == ["a", "b"]


@pytest.mark.parametrize("kind", ["C45", "PathBayes", "NaiveBayes", "AODE"])
def test_of_files_a_fit_is_whole_too(kind, tmp_path):
    ROWS.assign(play=OTHER).to_parquet(tmp_path / "a.parquet")
    scan = rt.scan(tmp_path, target="play")
    model = unfitted(MODELS[kind]).fit(ROWS, PLAY)
    before = dict(vars(model))
    for n in (10, 30, 60):
        for fit in (model.fit, lambda scan: scan.fit(model)):
            with pytest.raises(KeyboardInterrupt), interruption(n):
                fit(scan)
            assert vars(model) == before
    assert [*scan.fit(model).classes_] == ["a", "b"]
    with pytest.raises(TypeError, match="LogisticRegression needs its training cases in memory"):
        scan.fit(LogisticRegression())
