"""A fit is whole or not at all: a model whose fit was interrupted is as it was before."""

import inspect
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from model_cases import MODELS
from oracles import quietly
from sklearn.linear_model import LogisticRegression

import ranktrees as rt
from ranktrees.evaluate.fitting import unfitted

PACKAGES = tuple(str(Path(rt.__file__).parents[1] / name) for name in ("ranktrees", "ranktrees_s"))


class Interruption:
    """Within it the n-th call into the package raises KeyboardInterrupt."""

    def __init__(self, n):
        self.n, self.calls = n, 0

    def __enter__(self):
        sys.setprofile(self.at_call)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)

    def at_call(self, frame, event, _):
        code = frame.f_code  # Python ignores what is raised while it closes a generator
        generates = code.co_flags & inspect.CO_GENERATOR
        if event == "call" and not generates and code.co_filename.startswith(PACKAGES):
            self.calls += 1
            if self.calls == self.n:
                raise KeyboardInterrupt


ROWS = pd.DataFrame({"sky": [*"sosrrrossrsoor"], "heat": [85, 80, 83, 70, 68, 65, 64] * 2})
PLAY, OTHER = np.array([*"nnyyynynyyyyyn"]), np.array([*"bbaabbaabbaabb"])


@pytest.mark.parametrize("step", [37, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", MODELS)
def test_at_every_so_many_calls_a_model_is_as_before(kind, step):
    model = quietly(unfitted(MODELS[kind]).fit, ROWS, PLAY)
    before, proba = dict(vars(model)), model.predict_proba(ROWS)
    for n in range(1, 10**6, step):
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


@pytest.mark.parametrize("kind", ["C45", "PathBayes", "NaiveBayes", "AODE"])
def test_of_files_a_fit_is_whole_too(kind, tmp_path):
    ROWS.assign(play=OTHER).to_parquet(tmp_path / "a.parquet")
    scan = rt.scan(tmp_path, target="play")
    model = unfitted(MODELS[kind]).fit(ROWS, PLAY)
    before = dict(vars(model))
    for n in (10, 30, 60):
        for fit in (model.fit, lambda scan: scan.fit(model)):
            with pytest.raises(KeyboardInterrupt), Interruption(n):
                fit(scan)
            assert vars(model) == before
    assert [*scan.fit(model).classes_] == ["a", "b"]
    with pytest.raises(TypeError, match="LogisticRegression needs its training cases in memory"):
        scan.fit(LogisticRegression())
