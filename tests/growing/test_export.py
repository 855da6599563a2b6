"""What a tree gives away: SQL equal to its predictions, valid DOT, Mermaid and JSON."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from databases import duck, in_duckdb, in_sqlite
from prunable import chain

import ranktrees as rt
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.growing.tree import single_leaf
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import AttributeInfo

NAMES = [  # of attributes, each of which does something where it is not escaped
    *("<img src=x onerror=alert(1)>", 'say "yes"; DROP TABLE cases; --', "back\\slash\\"),
    *("two\nlines", "end", "#35; [a](b) {c} |d| %%", "$x_1$ {label}", "größe ✓"),
]
VALUES = ["it's", '"', "</li>", "a\nb", "𝒳", "NULL"]
BINARY = {"split": "binary", "numeric": "thresholds"}
KINDS = {
    "bins": rt.DecisionTree(estimate="m-branch"),
    "binary": rt.DecisionTree(**BINARY, missing="value"),
    "cuts": rt.C45(numeric="thresholds"),
    "papers": rt.C44(rules="wang2006", missing="value"),
}


def check(model, X):
    """The query of a model says what the model says of cases X, in both databases."""
    query, proba = model.to_sql("cases"), model.predict_proba(X)
    for run in (in_sqlite, in_duckdb):
        np.testing.assert_allclose(run(X, query), proba, rtol=0, atol=1e-12)


DATA = rt.load("weather.nominal")
WEATHER = rt.DecisionTree(criterion="information_gain").fit(DATA.X, DATA.y)


@pytest.fixture(scope="module")
def hostile():
    """A model whose attributes, values and classes have all the signs that mean something."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({name: rng.choice(VALUES, 200) for name in NAMES})
    y = rng.choice(["</details>", 'no "', "o'clock"], 200)
    return rt.DecisionTree(estimate="laplace", max_depth=3).fit(X, y), X


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["labor", "soybean"])
def test_databases_say_what_the_model_says(name, kind):
    data = rt.load(name)
    half = np.random.default_rng(0).permutation(len(data.X))[: len(data.X) // 2]
    check(KINDS[kind].fit(data.X.iloc[half], data.y[half]), data.X)


@pytest.mark.long
def test_databases_say_what_the_model_says_of_every_set_that_is_shipped():
    sets = rt.datasets()
    for name in sets.loc[sets["source"] == "shipped", "name"]:
        data = rt.load(name)
        for model in KINDS.values():
            check(model.fit(data.X, data.y), data.X)


@pytest.mark.parametrize("model", [rt.DecisionTree(), rt.DecisionTree(**BINARY), rt.C44()])
@pytest.mark.parametrize("missing", ["impute", "value"])
def test_every_kind_of_column_with_gaps_and_values_never_seen(model, missing):
    rng, n = np.random.default_rng(2), 400
    X = pd.DataFrame(
        {
            "text": rng.choice(["a", "b", "c", "d", "e", "f"], n),
            "truth": rng.random(n) < 0.5,
            "maybe": rng.choice(np.array([True, False, None], object), n),
            "size": pd.Categorical(rng.choice(list("SML"), n), ["S", "M", "L"], ordered=True),
            "number": pd.Categorical(rng.choice([1, 2, 30], n)),
            "half": pd.Categorical(rng.choice([0.1, 0.5, np.nan], n)),
            "count": rng.integers(-5, 5, n),
            "real": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "large": rng.integers(2**53, 2**53 + 50, n),
        }
    )
    y = (X["real"] > 0) ^ (X["text"] > "c") ^ (X["count"] > 1) ^ (rng.random(n) < 0.2)
    X.loc[::7, "text"], X.loc[::5, "size"] = None, None
    fitted = model.set_params(missing=missing).fit(X[:200], y[:200])
    new = X[200:].astype({"text": object, "size": object, "number": float, "half": float})
    new.loc[::3, "text"], new.loc[::4, "size"], new.loc[::6, "number"] = "never", "XL", 99.0
    new.loc[::11, "real"] = np.nan
    check(fitted, new)


def test_null_has_no_answer_where_missing_values_are_refused():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "unused": list("aabb")})
    model = rt.C44(numeric="thresholds", missing="error", min_child=1).fit(X, list("aaab"))
    X.loc[1, "x"], X.loc[3, "unused"] = np.nan, None
    for run in (in_sqlite, in_duckdb):
        no_answer = np.isnan(run(X, model.to_sql("cases")))
        assert no_answer.tolist() == [[False] * 2, [True] * 2] * 2


def test_a_tree_alone_gives_class_shares_and_imputes_nothing():
    X = DATA.X.astype(object)
    X.loc[0, "outlook"], X.loc[1, "outlook"], X.loc[2, "windy"] = None, "snow", None
    leaf = rt.to_sql(single_leaf(np.array([3, 1]), ("a", "b")), "cases")
    for run in (in_sqlite, in_duckdb):
        said = run(X, rt.to_sql(WEATHER.tree_, "cases"))
        np.testing.assert_allclose(said[:3], [[5 / 14, 9 / 14], [5 / 14, 9 / 14], [0, 1]])
        assert run(X[:2], leaf).tolist() == [[0.75, 0.25]] * 2


def test_kept_columns_come_first_and_rows_keep_their_order():
    X = DATA.X.assign(id=np.arange(14)[::-1])
    query = WEATHER.to_sql("cases", keep=["id", "outlook"])
    assert in_sqlite(X, f'SELECT "id" FROM ({query})').ravel().tolist() == X["id"].tolist()
    table = duck().register("cases", X).execute(query).df()
    assert table.columns.tolist() == ["id", "outlook", "no", "yes"]
    assert table["id"].tolist() == X["id"].tolist()


def test_names_with_quotes_and_commands_stay_names(hostile):
    model, X = hostile
    check(model, X)
    table = duck().register("cases", X).execute(model.to_sql("cases", keep=list(X)[1])).df()
    assert table.columns.tolist() == [list(X)[1], *model.classes_]


def test_a_chain_of_a_thousand_tests_is_a_query_that_cuts_to_the_last_digit():
    odd = [0.0, 5e-324, 0.1, 1 / 3, 75.0, 1e22, 1.7976931348623157e308]
    cuts = np.append(np.random.default_rng(0).normal(size=1020).round(6), odd)
    cuts = np.sort(np.unique(cuts))
    info = AttributeInfo("x", "numeric", (), tuple(cuts))
    tree = replace(chain(len(cuts)), schema=(info,))
    some = np.append(cuts[:-1:9], odd[:-1])
    X = pd.DataFrame({"x": [*some, *np.nextafter(some, np.inf), cuts[-1], np.nan]})
    codes = np.searchsorted(cuts, X["x"])[:, None]
    codes[-1] = -1
    proba = (tree.counts / tree.counts.sum(axis=1, keepdims=True))[tree.apply(codes)]
    for run in (in_sqlite, in_duckdb):
        assert run(X, rt.to_sql(tree, "cases")).tolist() == proba.tolist()
    assert len(json.loads(tree.to_json())["nodes"]) == len(tree) > 2000
    assert tree.to_dot().count("->") == tree.to_mermaid().count("-->") == len(tree) - 1
    assert len(tree._repr_html_()) < 200_000


def test_a_thousand_values_or_columns_are_no_deep_expressions():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": [f"v{i}" for i in range(1000)] * 2})
    with WarnOnce(without=("",)):  # of an identifier
        check(rt.DecisionTree(split="binary", max_depth=1).fit(X, rng.integers(0, 2, 2000)), X)
    X = pd.DataFrame(rng.normal(size=(9, 1010))).add_prefix("x")
    wide = rt.C44(missing="error", n_bins=2).fit(X, [0, 1, 1] * 3)
    assert np.allclose(in_sqlite(X, wide.to_sql("cases")), wide.predict_proba(X))


def test_weights_that_are_no_whole_numbers_and_what_is_loaded_and_pruned(tmp_path):
    data = rt.load("labor")
    weight = np.random.default_rng(0).random(len(data.y)) * 3
    model = rt.DecisionTree(estimate="m-branch").fit(data.X, data.y, sample_weight=weight)
    model = model.with_tree(rt.prune.pessimistic(model.tree_))
    check(model, data.X)
    check(rt.CITree(min_cases=2).fit(DATA.X, DATA.y).with_estimate("laplace"), DATA.X)
    assert json.loads(model.tree_.to_json())["nodes"][0]["counts"] == model.tree_.counts[0].tolist()
    rt.save(model, tmp_path / "model.json")
    assert rt.load_model(tmp_path / "model.json").to_sql("t", "id") == model.to_sql("t", ["id"])


def test_a_model_of_codes_or_of_an_array_and_names_that_are_numbers():
    query = rt.C44().fit(rt.Encoder().fit_transform(DATA.X), DATA.y).to_sql("cases")
    expected = rt.C44().fit(DATA.X, DATA.y).predict_proba(DATA.X)
    turned = DATA.X[DATA.X.columns[::-1]].assign(other=1)
    X = rt.load("iris").X.set_axis([f"x{j}" for j in range(4)], axis=1)
    model = rt.C44().fit(X.to_numpy(), rt.load("iris").y)
    ids = 2**53 + np.arange(200) % 5  # which doubles cannot tell apart
    of_ids = rt.DecisionTree().fit(pd.DataFrame({"id": pd.Categorical(ids)}), ids % 2)
    for run in (in_sqlite, in_duckdb):
        np.testing.assert_allclose(run(turned, query), expected, rtol=0, atol=1e-12)
        proba, said = model.predict_proba(X.to_numpy()), run(X, model.to_sql("cases"))
        np.testing.assert_allclose(said, proba, rtol=0, atol=1e-12)
        said = run(pd.DataFrame({"id": ids}), of_ids.to_sql("cases"))
        assert said.argmax(axis=1).tolist() == (ids % 2).tolist()


TWICE = Codes(np.array([[0, 0], [1, 1]] * 9), (AttributeInfo("x", "nominal", ("a", "b")),) * 2)


def fitted(model=None, classes=DATA.y, **names):
    """A model of the weather, some of whose columns have other names."""
    return (model or rt.C44()).fit(DATA.X.rename(columns=names), classes)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (lambda: fitted(rt.C44(estimate="shrinkage")), r'with_estimate\("laplace"\)'),
        (lambda: fitted(rt.CITree(min_cases=2)), "differs from case to case"),
        (lambda: rt.C44().fit(TWICE, [0, 1] * 9), "rename 'x'"),
        (lambda: fitted(outlook="WINDY"), "rename 'WINDY'"),
        (lambda: fitted(windy="rt_node"), "rename 'rt_node'"),
        (lambda: fitted(rt.C44(), ["No", "no"] * 7), "classes 'No' and 'no': SQL ignores capital"),
        (lambda: fitted(rt.C44(), ["a", "n\0o"] * 7), r"rename 'n\\x00o': SQL ends at a NUL"),
    ],
)
def test_models_that_no_query_can_say_are_refused(of, words):
    with pytest.raises((TypeError, ValueError), match=words):
        of().to_sql("days")


@pytest.mark.parametrize("model", [rt.NewtonTree(), rt.AODE(), rt.Bagging(rt.C45(), 2)])
def test_models_that_no_query_can_be_made_of_have_no_such_method(model):
    assert not hasattr(fitted(model), "to_sql")
    with pytest.raises(TypeError, match=r"prototypes|a Tree, such as model\.tree_"):
        rt.to_sql(getattr(model, "tree_", model), "days")


@pytest.mark.parametrize(
    ("table", "keep", "words"),
    [
        (DATA.X, (), "name of a table, not DataFrame"),
        ("days", None, "names of columns to keep, not NoneType"),
        ("days", ["id", "Yes"], "'yes' is a class, too"),
        ("days", ["id", "ID"], "columns to keep 'id' and 'ID': SQL ignores capital"),
        ("RT_cases", (), "rename 'RT_cases'"),
    ],
)
def test_names_that_cannot_be_in_a_query_are_refused(table, keep, words):
    with pytest.raises((TypeError, ValueError), match=words):
        WEATHER.to_sql(table, keep=keep)


def test_dot_and_mermaid():
    tree = WEATHER.tree_
    assert tree.to_dot(max_depth=1).splitlines()[2:6] == [
        r'  0 [label="outlook\nyes (14/5)"];',
        r'  1 [label="no (5/2)\n... 2 nodes below"];',
        '  0 -> 1 [label="= sunny"];',
        '  2 [label="yes (4)", style=rounded];',
    ]
    assert tree.to_mermaid().splitlines()[2:5] == [
        '  n1["humidity<br>no (5/2)"]',
        '  n0 -->|"= sunny"| n1',
        '  n2(["yes (4)"])',
    ]
    with pytest.raises(TypeError, match="max_depth must be a whole number"):
        tree.to_mermaid("all")


def test_signs_in_names_are_nothing_but_signs(hostile):
    tree = hostile[0].tree_
    node = r'  \d+ \[label="(?:[^"\\\n]|\\["\\n])*"(?:, style=rounded)?\];'
    edge = node.replace(r"  \d+", r"  \d+ -> \d+", 1)
    lines = tree.to_dot().splitlines()
    assert all(re.fullmatch(f"{node}|{edge}", line) for line in lines[2:-1])
    label = r"(?:[\w ,=()./-]|#\d+;|<br>)*"
    shape = rf'  n\d+(?:\["{label}"\]|\(\["{label}"\]\)|  n)|  n\d+ -->\|"{label}"\| n\d+'
    lines = tree.to_mermaid().splitlines()
    assert all(re.fullmatch(shape, line) for line in lines[1:])
    decoded = re.sub(r"#(\d+);", lambda code: chr(int(code[1])), tree.to_mermaid())
    used = {node.name for node in tree.nodes() if node.name}
    assert all(name.replace("\n", " ") in decoded for name in used)


def test_json():
    said = json.loads(WEATHER.tree_.to_json())
    assert said["classes"] == ["no", "yes"]
    root = {"id": 0, "parent": None, "condition": "", "test": "outlook", "counts": [5, 9]}
    root["attribute"] = 0
    leaf = {"id": 2, "parent": 0, "condition": "= overcast", "test": None, "counts": [0, 4]}
    leaf |= {"attribute": None, "values": ["overcast"]}
    assert said["nodes"][::2][:2] == [root, leaf]
