"""What docs/beside-other-tools.md says: a finding for each line, and what ranktrees does beside it.

What the tests for marks write is tested in tests/tools/test_marks.py.
"""

import re
import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pytest
from fresh import ROOT
from gift import read_gift
from sklearn.metrics import roc_auc_score

import ranktrees as rt
from ranktrees_lab.ask.questions import Choice, Question
from tools import quizzes

PAGE = (ROOT / "docs" / "beside-other-tools.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\| ([^|]+) ([\d.]+) \| ([^|]+) \| `([\w-]+)` \|$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def golf():
    return rt.load("weather.nominal")


@pytest.fixture(scope="module")
def cases():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": rng.choice(list("pqrs"), 300), "n": rng.normal(size=300)})
    flip = rng.uniform(size=300) < 0.1
    return X, np.where((X["c"].isin(["p", "r"]) & (X["n"] > 0)) | flip, "yes", "no")


def proba(X, y, **how):
    return rt.C45().fit(X, y, **how).predict_proba(X)


def test_each_line_names_a_finding_with_its_release_and_no_finding_is_left_out():
    scripts = {path.stem: path.read_text("utf-8") for path in (ROOT / "findings").glob("*.sh")}
    assert len(LINES) == PAGE.count("\n| ") - PAGE.count("\n| tool |")
    assert sorted(name for *_, name in LINES) == sorted(scripts)
    for tool, version, _, name in LINES:
        assert f"{tool} {version}".lower() in scripts[name].split("set -")[0].lower(), name


def test_the_golf_days_give_the_tree_of_c45_and_an_unknown_outlook_gets_the_roots_estimate(golf):
    model = rt.C45().fit(golf.X, golf.y)
    text = model.tree_.to_text()
    assert text.startswith("outlook = ")
    assert text.count("(") == 5
    seen = model.predict_proba(golf.X.assign(outlook="fog"))
    assert np.allclose(seen, [5 / 14, 9 / 14])


def test_weights_that_sum_to_1_give_the_tree_of_no_weights(cases):
    X, y = cases
    assert (proba(X, y, sample_weight=np.full(300, 1 / 300)) == proba(X, y)).all()


def test_text_gives_the_same_tree_whatever_its_type_and_an_enum_is_cut_in_its_order(cases):
    X, y = cases
    for kind in ("object", "str", "category"):
        assert (proba(X.astype({"c": kind}), y) == proba(X, y)).all()
    order = list("pqrs")
    ordered = X.assign(c=pd.Categorical(X["c"], order, ordered=True))
    enum = pl.DataFrame({"c": pl.Series(X["c"].tolist(), dtype=pl.Enum(order)), "n": X["n"]})
    assert (proba(enum, y) == proba(ordered, y)).all()
    assert (proba(enum, y) != proba(X, y)).any()


def test_the_cost_of_the_best_threshold_is_that_of_the_cases_at_it(cases):
    X, y = cases
    score = X["n"].to_numpy()
    cost = np.array([[0, 1], [5, 0]])
    best = rt.best_threshold(y, score, cost)
    said = (score >= best.threshold).astype(int)
    assert best.cost == pytest.approx(cost[(y == "yes").astype(int), said].mean())


@pytest.mark.parametrize("model", [rt.C45(), rt.PathBayes(), rt.PathForest(n_models=2)])
def test_a_column_of_gaps_only_is_taken_with_a_warning(model, cases):
    X, y = cases
    more = X.assign(empty=np.nan)
    with pytest.warns(UserWarning, match="'empty' has no value at all"):
        model.fit(more, y)
    assert (model.predict(more) == y).mean() > 0.8
    if isinstance(model, rt.C45):
        assert (model.predict_proba(more) == proba(X, y)).all()


def test_text_with_a_lone_surrogate_is_a_value():
    X = pd.DataFrame({"c": pd.Series(["caf\udce9", "cafe"] * 20, dtype=object)})
    y = ["a", "b"] * 20
    assert (rt.C45().fit(X, y).predict(X) == y).all()


def test_a_cut_in_39_cases_is_found_and_integers_are_numbers():
    few = pd.DataFrame({"n": [i / 38 - 0.5 for i in range(39)]})
    sides = np.where(few["n"] > 0, "b", "a")
    model = rt.C45(numeric="thresholds").fit(few, sides)
    assert (model.predict(few) == sides).all()
    assert (rt.C44(numeric="thresholds").fit(few, sides).predict_proba(few).max(axis=1) > 0.9).all()
    k = pd.DataFrame({"k": [i % 6 for i in range(300)]})
    model = rt.C45().fit(k, np.where(k["k"] >= 3, "yes", "no"))
    assert (model.predict(pd.DataFrame({"k": [3, 4, 5, 6, 100]})) == "yes").all()


@pytest.mark.parametrize("model", [rt.C45(), rt.PathBayes(), rt.PathForest(n_models=2)])
def test_text_classes_give_the_probabilities_of_0_and_1(model, cases):
    X, y = cases
    text = model.fit(X, y).predict_proba(X)
    assert (model.fit(X, (y == "yes").astype(int)).predict_proba(X) == text).all()


def test_a_query_and_a_stored_model_predict_gaps_and_unknown_values_alike(cases, tmp_path):
    X, y = cases
    model = rt.C45(numeric="thresholds").fit(X, y)
    asked = pd.DataFrame({"id": range(3), "c": ["p", None, "fog"], "n": [None, 1.0, 1.0]})
    right = model.predict_proba(asked[["c", "n"]])
    with sqlite3.connect(":memory:") as connection:
        asked.to_sql("asked", connection, index=False)
        seen = pd.read_sql(model.to_sql("asked", keep="id"), connection).sort_values("id")
    assert np.allclose(seen.iloc[:, -2:], right)
    rt.save(model, tmp_path / "model.json")
    assert (rt.load_model(tmp_path / "model.json").predict_proba(asked[["c", "n"]]) == right).all()


def test_areas_and_losses():
    assert rt.auc(["no", "no", "yes", "yes"], [0.01, 0.03, 0.06, 0.08]) == 1
    iris = rt.load("iris")
    model = rt.C44().fit(iris.X, iris.y)
    proba = model.predict_proba(iris.X)
    theirs = roc_auc_score(iris.y, proba, multi_class="ovo")
    assert rt.hand_till(iris.y, proba) == pytest.approx(theirs)
    assert rt.log_loss(["a", "b"], np.array([[1.0, 0.0], [1.0, 0.0]])) == np.inf


ATTRIBUTES = "@attribute a integer\n@attribute b {u,'?'}\n@attribute c {x,y}\n@data\n"


def read(folder, *rows):
    file = folder / "cases.arff"
    file.write_text("@relation r\n" + ATTRIBUTES + "\n".join(rows), encoding="utf-8")
    return rt.read_arff(file)


def test_an_arff_file_is_read_as_weka_reads_it(tmp_path):
    data = read(tmp_path, "2.7 , '?' , x, {5}", "-0.9,?,y", "1,u,y")
    assert data.X["a"].tolist() == [2.7, -0.9, 1]
    assert data.X["b"].isna().tolist() == [False, True, False]
    assert data.X["b"].iloc[0] == "?"
    assert data.weight.tolist() == [5, 1, 1]
    for row, said in (("1,u,x,99", "line 6: 4 values for 3"), ("1,z,x", "does not declare 'z'")):
        with pytest.raises(ValueError, match=said):
            read(tmp_path, row, "2,u,y")


def test_a_column_that_became_text_fits_the_model_of_the_one_before():
    y = ["a", "b"] * 20
    model = rt.C45().fit(pd.DataFrame({"c": [True, False] * 20}), y)
    for column in (["True", "False"] * 20, ["true", "false"] * 20):
        assert (model.predict(pd.DataFrame({"c": column})) == y).all()


def test_naive_bayes_smooths_the_share_of_a_value_given_the_class():
    X = pd.DataFrame({"x": pd.Categorical(list("uuuvuvvvvv"), categories=list("uvw"))})
    seen = rt.NaiveBayes().fit(X, list("aaaabbbbbb")).predict_proba(X[:1])[0]
    given = np.array([4 / 7 * 5 / 12, 2 / 9 * 7 / 12])  # a: 3 of 4 cases, b: 1 of 6
    assert np.allclose(seen, given / given.sum())
    assert round(seen[0], 3) == 0.647


def test_a_query_reads_numbers_that_are_stored_as_text():
    ages = [1.0, 5.0, 9.0, 20.0, 50.0, 100.0]
    X = pd.DataFrame({"age": ages * 10})
    model = rt.C45(numeric="thresholds").fit(X, np.where(X["age"] > 35, "old", "young"))
    asked = pd.DataFrame({"id": range(6), "age": [f"{age:g}" for age in ages]})
    with sqlite3.connect(":memory:") as connection:
        asked.to_sql("asked", connection, index=False, dtype={"age": "TEXT"})
        text = pd.read_sql('SELECT id FROM asked WHERE "age" <= 20', connection)
        seen = pd.read_sql(model.to_sql("asked", keep="id"), connection).sort_values("id")
    assert text["id"].tolist() == [0, 3, 5], "as text 5 and 9 are larger, and 100 is smaller"
    assert np.allclose(seen[["old", "young"]], model.predict_proba(X[:6]))


def test_an_arrow_in_a_choice_is_written_as_html(monkeypatch):
    right, wrong = Choice("left -> right", True, "Yes."), Choice("right", False, "No.")
    asked = [Question("Which way?", (right, wrong))]
    monkeypatch.setattr(quizzes, "read_questions", lambda lesson, part: asked)
    text = quizzes.gift("05", "AUC")
    assert "->" not in text
    assert read_gift(text)[1][0].choices[0][1] == "left -&gt; right"
