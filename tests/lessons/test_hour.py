"""An hour of real work, as a practitioner does it: from a CSV file to predictions in a database."""

import sqlite3

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV

import ranktrees as rt

pl = pytest.importorskip("polars")


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit:UserWarning")
@pytest.mark.filterwarnings("ignore:column .* only one value:UserWarning")
def test_an_hours_work(tmp_path):
    shipped = rt.load("credit-g")
    table = shipped.X.assign(case=np.arange(len(shipped)), outcome=np.asarray(shipped.y))
    table.sample(frac=1, random_state=1).to_csv(tmp_path / "table.csv", index=False)
    frame = pl.read_csv(tmp_path / "table.csv")
    y = frame["outcome"]
    X = frame.drop("outcome", "case")
    train, test = rt.holdout(y.to_list(), test=1 / 3, seed=1)
    X_train, y_train, X_test, y_test = X[train], y[train], X[test], y[test]

    # fit and tune
    grid = {"min_child": [2, 40], "estimate": ["laplace", "m-branch"]}
    plain = X_train.to_pandas(), y_train.to_pandas()
    search = GridSearchCV(rt.C44(numeric="thresholds"), grid, scoring="roc_auc", cv=2).fit(*plain)
    model = rt.C44(numeric="thresholds", **search.best_params_).fit(X_train, y_train)
    proba = model.predict_proba(X_test)
    assert rt.auc(y_test, proba[:, 1]) > 0.65
    np.testing.assert_allclose(search.predict_proba(X_test.to_pandas()), proba, atol=1e-12)

    # compare, look and explain
    whole = frame.drop("case").to_pandas()
    data = rt.Dataset(whole.drop(columns="outcome"), pd.Categorical(whole["outcome"]))
    results = rt.compare({"C4.4": rt.C44(), "naive Bayes": rt.NaiveBayes()}, [data], k=2)
    assert "naive Bayes" in results._repr_html_()
    root = model.tree_.root.name
    assert root in rt.plot.tree(model.tree_, max_depth=2).alt
    assert root in repr(model.explain(X_test[:1]))
    assert model.feature_importances_.sum() == pytest.approx(1)

    # export, and predict in two databases
    new = X_test.with_columns(case=pl.int_range(len(X_test)))
    statement = model.to_sql("people", keep=("case",))
    duck = pytest.importorskip("duckdb").connect()
    duck.register("people", new.to_arrow())
    answers = {"duckdb": duck.sql(statement).fetchall()}
    with sqlite3.connect(tmp_path / "people.db") as lite:
        new.to_pandas().to_sql("people", lite, index=False)
        answers["sqlite"] = lite.execute(statement).fetchall()
    for rows in answers.values():
        rows = np.array(sorted(rows), float)
        np.testing.assert_allclose(rows[:, 1:], proba, atol=1e-12)

    # save, load, and go on
    rt.save(model, tmp_path / "model.json")
    again = rt.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(X_test), proba)
