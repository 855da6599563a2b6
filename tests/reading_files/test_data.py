"""Data sets by name, the record that holds one, and the tables of facts about them."""

import os
import re

import numpy as np
import pandas as pd
import pytest

import ranktrees_lab.data.files as files
from ranktrees_engine.basics.typos import nearest, normal
from ranktrees_lab.data import Dataset, datasets, load

LISTED = datasets()
needs_registry = pytest.mark.skipif(
    not os.environ.get("RANKTREES_DATA"),
    reason="set RANKTREES_DATA to a folder with the registry's files to check them",
)


def test_a_data_set_describes_itself():
    X = pd.DataFrame({"n": [1.0, 2.0, 3.0], "s": pd.Categorical(["u", "v", "u"])}, [7, 3, 5])
    y = pd.Categorical(["no", "no", "yes"], categories=["yes", "no", "never"])
    data = Dataset(X, y, "toy", "made here", ids=["s"], target="buys")
    assert repr(data) == "<Dataset toy: 3 cases, 2 attributes (1 nominal, 1 numeric), 3 classes>"
    assert (len(data), data.ids) == (3, ("s",))
    assert data.frame["buys"].tolist() == ["no", "no", "yes"], "by position, whatever the index"
    assert list(data.frame["buys"].cat.categories) == ["yes", "no", "never"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": [[1], [2]]}, "X must be a pandas DataFrame, not list"),
        ({"y": pd.Categorical(["a"])}, "X has 2 rows, but the class 'class' has 1 values"),
        ({"y": pd.Categorical(["a", None])}, r"missing in 1 of 2 rows \(1, counted from 0\)"),
        ({"target": "n"}, "X still holds the class column 'n'"),
        ({"ids": ("m",)}, r"columns that X does not have: \['m'\]"),
        ({"X": pd.DataFrame([[1, 2]] * 2, columns=["n", "n"])}, "column 'n' occurs more than once"),
    ],
)
def test_parts_that_do_not_fit_together(changes, message):
    parts = {"X": pd.DataFrame({"n": [1.0, 2.0]}), "y": pd.Categorical(["a", "b"]), **changes}
    with pytest.raises((TypeError, ValueError), match=message):
        Dataset(**parts)


def test_names_as_people_type_them_and_nearest_ones():
    for typed, name in {"Weather_Nominal": "weather.nominal", "Tic.Tac.Toe": "tic-tac-toe"}.items():
        assert load(typed).name == name
    assert nearest("Ag", ["age", "sex"]) == "nearest: age"
    assert nearest("zz", list("abcdefghij")) == "known: a, b, c, d, e, f, g, h, ..."


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["irsi"], r"no data set 'irsi'; nearest: iris.*rt\.datasets\(\)"),
        (["qqqq"], r"'qqqq'; known: .*rt\.datasets\(\)"),
        ([3], "is a text, not int"),
        (["iris", "code"], "'iris' has no source 'code', only shipped, uci"),
        (["iris", "web"], "unknown source 'web': choose from shipped, code, uci"),
    ],
)
def test_a_set_or_source_that_is_not_there(asked, words):
    with pytest.raises((ValueError, TypeError), match=words):
        load(*asked)


def test_the_list_names_each_set_and_source_once():
    counts = ["cases", "attributes", "nominal", "numeric", "classes"]
    assert LISTED.columns.tolist() == ["name", "source", *counts, "origin", "licence"]
    assert not LISTED.duplicated(["name", "source"]).any()
    assert not LISTED.isna().any(axis=None)
    held = {"uci": 52, "shipped": 13, "code": 8, "scikit-learn": 2}
    assert LISTED["source"].value_counts().to_dict() == held
    assert len({normal(n) for n in LISTED["name"]}) == LISTED["name"].nunique()


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=needs_registry if row.source == "uci" else ())
        for row in LISTED.itertuples()
    ],
    ids=lambda row: f"{row.name} {row.source}",
)
def test_a_set_has_the_listed_facts(row):
    data = load(row.name, row.source)
    assert data.name == row.name
    assert data.facts == {name: getattr(row, name) for name in data.facts}
    for column in data.X:
        dtype = data.X[column].dtype
        assert dtype == "float64" or (isinstance(dtype, pd.CategoricalDtype) and not dtype.ordered)
    assert np.isfinite(data.X.select_dtypes("float64").fillna(0)).all(axis=None)
    assert "\n" not in data.source


def test_the_readme_and_the_table_state_each_file():
    text = (files.folder() / "README.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|", text))
    shipped = files.read_facts("shipped.csv").values()
    rows = {row["file"]: row for parts in shipped for row in parts}
    present = {path.name: files.sha256(path) for path in files.folder().glob("*.arff")}
    assert stated == present == {name: row["sha256"] for name, row in rows.items()}
    for name, row in rows.items():
        assert (files.folder() / name).stat().st_size == int(row["bytes"])
        assert f"| {row['name']} | `{name}` | {row['rows']} | {row['origin']} |" in text
    for row in (row for rows in files.read_facts("registry.csv").values() for row in rows):
        assert re.search(r"^https://.*/[0-9a-f]{40}/", row["url"])
        assert re.fullmatch("[0-9a-f]{64}", row["sha256"])


def test_a_folder_of_data_that_is_gone_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "__file__", str(tmp_path / "ranktrees" / "data" / "files.py"))
    with pytest.raises(FileNotFoundError, match="install ranktrees again"):
        files.folder()


@needs_registry
def test_sets_of_the_registry_are_the_shipped_ones_and_what_papers_say():
    for name in ("balance-scale", "tic-tac-toe", "credit-g", "soybean", "vote"):
        pd.testing.assert_frame_equal(load(name).frame, load(name, source="uci").frame)
    assert load("colic.ORIG").ids == ("Hospital Number",)
    for name, counts in {
        "wine": [48, 59, 71],
        "yeast": [5, 20, 30, 35, 44, 51, 163, 244, 429, 463],
        "adult": [11687, 37155],
        "abalone": [1323, 1407, 1447],
    }.items():
        assert sorted(load(name).y.value_counts()) == counts
    assert load("adult").X.isna().sum().sum() == 2799 + 2809 + 857
    assert not load("anneal").X["steel"].isna().any(), "a question mark is a value there"
    assert load("anneal.ORIG").X["steel"].isna().any()
