"""Factors whose tables are too large to be made at once: some values of an attribute at a time."""

from unittest.mock import Mock

import numpy as np
import pytest
from scale_cases import mixed, quiet

import ranktrees as rt
from ranktrees_engine.estimates import path_factors

N = 300
X = mixed(N, gaps=0.1)
Y = X.pop("label").astype(str)
NEW = mixed(60, seed=7, gaps=0.3).drop(columns="label")
WEIGHTS = {"none": None, "parts": np.random.default_rng(2).random(N) + 0.5}


@pytest.fixture
def tiny(monkeypatch):
    """Let hardly a value fit, and keep no table."""
    for name in ("ROOM", "AT_ONCE"):
        monkeypatch.setattr(path_factors, name, 20)
    whole, in_blocks = path_factors.PathFactors.__init__, Mock(wraps=path_factors.stops_in_blocks)
    monkeypatch.setattr(path_factors, "stops_in_blocks", in_blocks)
    monkeypatch.setattr(
        path_factors.PathFactors, "__init__", lambda self, *how: whole(self, *how[:2], 0)
    )
    return in_blocks


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("make", [rt.PathForest, rt.PathBayes, lambda: rt.PathForest(2)])
def test_values_in_blocks_say_what_whole_tables_say(make, weight, request):
    whole = quiet(make().fit, X, Y, WEIGHTS[weight])
    expected = quiet(whole.predict_proba, NEW)
    in_blocks = request.getfixturevalue("tiny")
    model = quiet(make().fit, X, Y, WEIGHTS[weight])
    assert in_blocks.called
    for cases in (NEW, NEW.iloc[:1]):
        assert np.abs(quiet(model.predict_proba, cases) - expected[: len(cases)]).max() < 1e-12
    assert np.abs(model.pool_weights_ - whole.pool_weights_).max() < 1e-10
    again, first = (str(quiet(each.explain, NEW.iloc[0])) for each in (model, whole))
    assert again == first


def test_only_attributes_with_gaps_keep_counts_of_their_own():
    model = quiet(rt.PathForest(2).fit, X.assign(number=X["number"].fillna(0)), Y)
    quiet(model.predict_proba, NEW)
    gaps = [name for name in X if X[name].isna().any() and name != "number"]
    for member in model.joined_:
        known = member.factors._known
        assert [X.columns[j] for j in sorted(known.less)] == gaps
        assert known.of(np.arange(2), range(X.shape[1])).shape == (2, X.shape[1], Y.nunique())
