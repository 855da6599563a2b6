"""SQL of path Bayes and the path forest, and what else of them is read as a table."""

import sqlite3

import numpy as np
import pandas as pd
import pytest
from databases import in_duckdb, in_sqlite
from oracles import quietly

import ranktrees as rt

MODELS = {
    "path Bayes": rt.PathBayes(),
    "EM, gaps as values": rt.PathBayes(estimate="path-bayes-em", missing="value"),
    "equal weights": rt.PathForest(3, weights="equal"),
    "path forest": rt.PathForest(4),
}


def cases(name):
    """Columns as databases have them, and some values that training never saw."""
    data = rt.load(name)
    X = data.X.apply(lambda x: x if x.dtype.kind in "fi" else x.astype(object))
    new = X.iloc[::3].reset_index(drop=True)
    for a, column in enumerate(new):
        new.loc[a::7, column] = np.nan if new[column].dtype.kind in "fi" else "never seen"
        new.loc[a + 1 :: 7, column] = np.nan
    return X, data.y, pd.concat([X, new], ignore_index=True)


class TestTheQuery:
    @pytest.mark.parametrize("title", MODELS)
    @pytest.mark.parametrize("name", ["labor", "iris"])
    def test_says_what_the_model_says(self, name, title):
        X, y, new = cases(name)
        model = quietly(MODELS[title].fit, X, y)
        query, proba = model.to_sql("cases"), quietly(model.predict_proba, new)
        lists = model.to_sql("cases", dialect="duckdb")
        for run, asked in (in_sqlite, query), (in_duckdb, query), (in_duckdb, lists):
            assert np.abs(run(new, asked) - proba).max() < 1e-9

    def test_many_classes_have_a_row_per_factor(self):
        rng = np.random.default_rng(3)
        X = pd.DataFrame({f"x{a}": rng.integers(0, 9, 150).astype(str) for a in range(4)})
        X["n"] = rng.normal(size=150).round(2)
        y = X["x0"].astype(int) * 4 + rng.integers(0, 4, 150)
        new = X.assign(x0=X["x0"].where(X.index % 5 > 0, "new"), n=X["n"].where(X.index % 3 > 0))
        new["x1"] = new["x1"].where(X.index % 7 > 0, None)
        for model in (rt.PathBayes(), rt.PathForest(2)):
            proba = quietly(quietly(model.fit, X, y).predict_proba, new)
            query = model.to_sql("cases")
            assert "rt_value" in query
            for run in (in_sqlite, in_duckdb):
                assert np.abs(run(new, query) - proba).max() < 1e-9

    def test_deep_trees_and_more_of_them_than_a_join_has(self):
        rng = np.random.default_rng(0)
        X = pd.DataFrame({"x": rng.integers(0, 90, 3000), "z": rng.integers(0, 3, 3000)})
        model = rt.PathForest(33).fit(X.astype(float), X["x"] // 2 % 3)
        assert max(tree.depth for tree in model.trees_) > 16
        proba = model.predict_proba(X[:50].astype(float))
        for dialect, run in ("any", in_sqlite), ("duckdb", in_duckdb):
            found = run(X[:50], model.to_sql("cases", dialect=dialect))
            assert np.abs(found - proba).max() < 1e-9

    def test_more_attributes_than_a_union_has_parts(self):
        rng = np.random.default_rng(1)
        X = pd.DataFrame(rng.integers(0, 2, (30, 600)).astype(str)).add_prefix("x")
        model = quietly(rt.PathBayes(weights="equal").fit, X, X["x0"])
        found = in_sqlite(X, model.to_sql("cases"))
        assert np.abs(found - model.predict_proba(X)).max() < 1e-9

    def test_what_is_refused_is_null(self):
        X, y, _ = cases("iris")
        model = rt.PathForest(2, missing="error").fit(X, y)
        gap = X.assign(petalwidth=X["petalwidth"].where(X.index > 0))
        for dialect, run in ("any", in_sqlite), ("duckdb", in_duckdb):
            found = run(gap, model.to_sql("cases", dialect=dialect))
            assert np.isnan(found[0]).all()
            assert np.abs(found[1:] - model.predict_proba(X)[1:]).max() < 1e-9

    def test_its_size_is_bounded(self):
        X, y, _ = cases("iris")
        model = rt.PathForest(3).fit(X, y)
        with pytest.raises(ValueError, match=r"the query takes \d\d.* max_bytes=100 .*tables"):
            model.to_sql("cases", max_bytes=100)
        with pytest.raises(ValueError, match=r"dialect.*oracle"):
            model.to_sql("cases", dialect="oracle")

    def test_a_table_of_factors(self):
        X, y, new = cases("labor")
        model = quietly(rt.PathForest(3).fit, X, y)
        statements, query = model.to_sql("cases", tables=True)
        assert "VALUES" not in query
        with sqlite3.connect(":memory:") as connection:
            new.to_sql("cases", connection, index=False)
            connection.executescript(statements)
            found = np.array(connection.execute(query).fetchall(), float)
        assert np.abs(found - quietly(model.predict_proba, new)).max() < 1e-9


class TestProbaFrame:
    def test_columns_are_called_as_the_classes(self):
        """A Categorical's order is not that of the columns."""
        X, _, _ = cases("iris")
        y = pd.Categorical(rt.load("iris").y, sorted(set(rt.load("iris").y), reverse=True))
        model = rt.PathBayes().fit(X, y)
        frame = rt.proba_frame(model, X.iloc[5:9])
        expected = pd.DataFrame(model.predict_proba(X.iloc[5:9]), range(5, 9), model.classes_)
        pd.testing.assert_frame_equal(frame, expected, check_names=False)

    def test_what_it_cannot(self, tmp_path):
        X, y, _ = cases("iris")
        X.assign(y=y).to_csv(tmp_path / "iris.csv", index=False)
        scan = rt.scan(tmp_path / "iris.csv", "y")
        for model, words in ("model", "give a model, such as"), (rt.PathBayes(), "cases in memory"):
            with pytest.raises(TypeError, match=words):
                rt.proba_frame(model, scan)


class TestAttributes:
    def test_a_curve_is_the_mean_of_what_cases_would_get(self):
        """With the value in all training cases, but not in the trees' codes."""
        X, y, _ = cases("credit-g")
        for model in (rt.PathBayes(min_child=20), rt.PathForest(3)):
            model.fit(X, y)
            table = rt.explain.attribute_effect(model, [*X].index("housing"), 1)
            assert table.index.tolist() == sorted(X["housing"].unique())
            for row in range(0, 1000, 100):
                told = model.explain(X.iloc[[row]])
                adds = told.table.loc["housing", "log odds"]
                adds = adds if told.title.startswith("good") else -adds
                assert table["mean"][X["housing"].iloc[row]] == pytest.approx(adds, abs=0.2)
            assert (table["low"] <= table["mean"] + 1e-9).all()
            assert (table["high"] >= table["mean"] - 1e-9).all()

    def test_what_it_cannot(self):
        X, y, _ = cases("iris")
        model = rt.PathForest(2).fit(X, y)
        for asked, words in (
            ((model, "age"), "no attribute 'age'"),
            ((model, X.columns[0], "rose"), "no class 'rose'"),
            ((rt.C45(), "age"), "give a fitted PathBayes or PathForest"),
        ):
            with pytest.raises((ValueError, TypeError), match=words):
                rt.plot.attribute(*asked)
