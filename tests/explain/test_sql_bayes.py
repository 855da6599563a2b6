"""SQL of naive Bayes, asked of two databases."""

import numpy as np
import pandas as pd
import pytest
from databases import in_duckdb, in_sqlite
from oracles import quietly
from test_sql_paths import cases

import ranktrees as rt

MODELS = {
    "skip": rt.NaiveBayes(),
    "impute": rt.NaiveBayes(missing="impute", discretize="equal-frequency"),
    "value": rt.NaiveBayes(missing="value", smoothing="m", m=3),
    "learnt cuts": rt.NaiveBayes(discretize="entropy-mdl", class_weight="balanced"),
}


@pytest.mark.parametrize("title", MODELS)
@pytest.mark.parametrize("name", ["labor", "iris", "soybean"])
def test_the_query_says_what_the_model_says(name, title):
    X, y, new = cases(name)
    model = quietly(MODELS[title].fit, X, y)
    query, proba = model.to_sql("cases"), quietly(model.predict_proba, new)
    for run in (in_sqlite, in_duckdb):
        assert np.abs(run(new, query) - proba).max() < 1e-9


def test_columns_are_kept_and_many_attributes_are_summed():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 2, (30, 600)).astype(str)).add_prefix("x")
    model = quietly(rt.NaiveBayes().fit, X, X["x0"])
    found = in_sqlite(X.assign(id=range(30)), model.to_sql("cases", keep="id"))
    assert found[:, 0].tolist() == list(range(30))
    assert np.abs(found[:, 1:] - model.predict_proba(X)).max() < 1e-9


def test_what_is_refused_is_null():
    X, y, _ = cases("iris")
    model = rt.NaiveBayes(missing="error").fit(X, y)
    gap = X.assign(petalwidth=X["petalwidth"].where(X.index > 0))
    found = in_sqlite(gap, model.to_sql("cases"))
    assert np.isnan(found[0]).all()
    assert np.abs(found[1:] - model.predict_proba(X)[1:]).max() < 1e-9


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (rt.NaiveBayes(numeric="gaussian"), "no densities here: take NaiveBayes"),
        (rt.NaiveBayes(smoothing="none"), "a probability is 0"),
    ],
)
def test_what_has_no_query_is_named(model, words):
    X, y, _ = cases("iris")
    with pytest.raises(ValueError, match=words):
        model.fit(X, y).to_sql("cases")


def test_names_that_sql_cannot_tell_apart_are_named():
    X = pd.DataFrame({"a": [0, 1, 0, 1], "A": [1, 1, 0, 0]})
    with pytest.raises(ValueError, match="rename 'a'"):
        rt.NaiveBayes().fit(X, [0, 1, 0, 1]).to_sql("cases")
