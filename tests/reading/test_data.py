"""Data sets by name, the record that holds one, and the tables of facts about them."""

import os
import re

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
import ranktrees_lab.data.files as files
from ranktrees.basics.files import InMemory, nearest, normal
from ranktrees_lab.data import Dataset, catalog, datasets, load
from ranktrees_lab.data.files import read_facts

LISTED = datasets()
SHIPPED = files.read_facts("shipped.csv")
needs_registry = pytest.mark.skipif(
    not os.environ.get("RANKTREES_DATA"),
    reason="set RANKTREES_DATA to a folder with the registry's files to check them",
)


def small(**changes):
    parts = {"X": pd.DataFrame({"n": [1.0, 2.0]}), "y": pd.Categorical(["a", "b"]), **changes}
    return Dataset(**parts)


def test_a_data_set_describes_itself():
    X = pd.DataFrame({"n": [1.0, 2.0, 3.0], "s": pd.Categorical(["u", "v", "u"])})
    y = pd.Categorical(["no", "no", "yes"], categories=["yes", "no", "never"])
    data = Dataset(X, y, "toy", "made here", ids=["s"], target="buys")
    assert repr(data) == "<Dataset toy: 3 cases, 2 attributes (1 nominal, 1 numeric), 3 classes>"
    assert len(data) == 3
    assert data.ids == ("s",)
    assert data.frame.columns.tolist() == ["n", "s", "buys"]
    assert list(data.frame["buys"].cat.categories) == ["yes", "no", "never"]
    assert X.columns.tolist() == ["n", "s"]
    with pytest.raises(AttributeError):
        data.name = "other"


def test_the_frame_goes_by_position_whatever_the_index():
    data = small(X=pd.DataFrame({"n": [1.0, 2.0]}, index=[7, 3]))
    assert data.frame["class"].tolist() == ["a", "b"]


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
    with pytest.raises((TypeError, ValueError), match=message):
        small(**changes)


def test_a_long_list_of_missing_classes_is_cut():
    with pytest.raises(ValueError, match=r"missing in 9 of 9 rows \(0, 1, 2, 3, 4, \.\.\., count"):
        Dataset(pd.DataFrame({"n": np.arange(9.0)}), pd.Categorical([None] * 9))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("weather.nominal", "weather.nominal"),
        ("weather-nominal", "weather.nominal"),
        ("Weather_Nominal", "weather.nominal"),
        ("credit_g", "credit-g"),
        ("IRIS", "iris"),
        ("Tic.Tac.Toe", "tic-tac-toe"),
    ],
)
def test_names_as_people_type_them(typed, name):
    assert load(typed).name == name


def test_a_typo_gets_the_nearest_names():
    with pytest.raises(ValueError, match=r"no data set 'irsi'; nearest: iris.*rt\.datasets\(\)"):
        load("irsi")
    with pytest.raises(ValueError, match="nearest: monks-1"):
        load("monk-1")
    with pytest.raises(ValueError, match=r"'qqqq'; known: .*rt\.datasets\(\)"):
        load("qqqq")
    with pytest.raises(TypeError, match="is a text, not int"):
        load(3)


def test_nearest_says_what_is_known_when_nothing_is_near():
    assert nearest("Ag", ["age", "sex"]) == "nearest: age"
    assert nearest("zz", list("abcdefghij")) == "known: a, b, c, d, e, f, g, h, ..."
    assert normal(" A.b_C d") == "a-b-c-d"


def test_a_source_can_be_named():
    assert "Fisher" in load("iris").source
    assert "Fisher" in load("iris", source="shipped").source
    assert load("waveform", source="code").source.startswith("generated, seed 1")
    with pytest.raises(ValueError, match="'iris' has no source 'code', only shipped, uci"):
        load("iris", source="code")
    with pytest.raises(ValueError, match="'waveform' has no source 'uci', only code"):
        load("waveform", source="uci")
    with pytest.raises(ValueError, match="unknown source 'web': choose from shipped, code, uci"):
        load("iris", source="web")


def test_the_list_names_each_set_and_source_once():
    counts = ["cases", "attributes", "nominal", "numeric", "classes"]
    assert LISTED.columns.tolist() == ["name", "source", *counts, "origin", "licence"]
    assert not LISTED.duplicated(["name", "source"]).any()
    assert (LISTED["attributes"] == LISTED["nominal"] + LISTED["numeric"]).all()
    assert not LISTED.isna().any(axis=None)
    assert LISTED["source"].value_counts().to_dict() == {
        "uci": 52,
        "shipped": 13,
        "code": 8,
        "scikit-learn": 2,
    }
    assert len({normal(n) for n in LISTED["name"]}) == LISTED["name"].nunique()


def check_facts(name, source):
    data = load(name, source)
    row = LISTED[(LISTED["name"] == name) & (LISTED["source"] == source)].iloc[0]
    assert data.name == name
    assert data.facts == row[list(data.facts)].to_dict()
    for column in data.X:
        dtype = data.X[column].dtype
        assert dtype == "float64" or (isinstance(dtype, pd.CategoricalDtype) and not dtype.ordered)
    assert np.isfinite(data.X.select_dtypes("float64").fillna(0)).all(axis=None)
    assert "\n" not in data.source
    return data


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_set_has_the_listed_facts(name):
    check_facts(name, "shipped")


@pytest.mark.parametrize("name", LISTED.loc[LISTED["source"] == "code", "name"])
def test_a_generated_set_has_the_listed_facts(name):
    check_facts(name, "code")


def test_known_values_of_shipped_sets():
    assert load("iris").y.value_counts().tolist() == [50, 50, 50]
    assert load("vote").y.value_counts().to_dict() == {"democrat": 267, "republican": 168}
    play = load("weather.nominal")
    assert play.X["outlook"].cat.categories.tolist() == ["sunny", "overcast", "rainy"]
    assert list(play.y.categories) == ["yes", "no"]
    assert (play.y == "yes").sum() == 9
    assert load("breast-cancer").X.isna().sum().sum() == 9
    assert load("glass").y.value_counts()["vehic wind non-float"] == 0  # declared, never used
    assert load("segment").y.value_counts().tolist() == [330] * 7
    assert load("credit-g").y.value_counts().to_dict() == {"good": 700, "bad": 300}


def test_the_readme_and_the_table_state_each_file():
    text = (files.folder() / "README.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|", text))
    rows = {row["file"]: row for parts in SHIPPED.values() for row in parts}
    present = {path.name: files.sha256(path) for path in files.folder().glob("*.arff")}
    assert stated == present == {name: row["sha256"] for name, row in rows.items()}
    for name, row in rows.items():
        assert (files.folder() / name).stat().st_size == int(row["bytes"])
        assert f"| {row['name']} | `{name}` | {row['rows']} | {row['origin']} |" in text


def test_every_registry_address_is_pinned():
    for row in (row for rows in read_facts("registry.csv").values() for row in rows):
        assert re.search(r"^https://.*/[0-9a-f]{40}/", row["url"])
        assert re.fullmatch("[0-9a-f]{64}", row["sha256"])


def test_a_missing_data_folder_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "__file__", str(tmp_path / "site" / "ranktrees" / "data" / "x.py"))
    with pytest.raises(FileNotFoundError, match="install ranktrees again"):
        files.folder()


def test_the_packaged_folder_goes_before_the_checkout(tmp_path, monkeypatch):
    inside = tmp_path / "ranktrees" / "data" / "files"
    for folder in (tmp_path / "data", inside):
        folder.mkdir(parents=True)
        (folder / "shipped.csv").touch()
    monkeypatch.setattr(files, "__file__", str(inside.parent / "files.py"))
    assert files.folder() == inside.resolve()
    (inside / "shipped.csv").unlink()
    assert files.folder() == (tmp_path / "data").resolve()


@pytest.mark.parametrize("name", catalog.SKLEARN)
def test_a_set_of_scikit_learn_has_the_listed_facts(name):
    check_facts(name, "scikit-learn")


@needs_registry
@pytest.mark.parametrize("name", read_facts("registry.csv"))
def test_a_registry_set_has_the_listed_facts(name):
    check_facts(name, "uci")


@needs_registry
@pytest.mark.parametrize(
    "name",
    [
        "balance-scale", "tic-tac-toe", "breast-cancer", "credit-g", "diabetes", "glass",
        "ionosphere", "iris", "labor", "soybean", "vote",
    ],
)  # fmt: skip
def test_shipped_and_generated_sets_equal_the_registry_row_for_row(name):
    pd.testing.assert_frame_equal(load(name).frame, load(name, source="uci").frame)


@needs_registry
def test_segment_is_the_registry_in_another_order():
    def rows(data):
        numbers = data.X.round(3) + 0.0  # the registry's file writes -0 and fewer digits
        texts = numbers.astype(str).assign(y=data.y.astype(str))
        return sorted(texts.itertuples(index=False, name=None))

    assert rows(load("segment")) == rows(load("segment", source="uci"))


@needs_registry
def test_identifiers_are_marked():
    assert load("colic.ORIG").ids == ("Hospital Number",)
    assert load("splice").ids == ("Instance_name",)
    assert load("zoo").ids == ("animal",)
    assert load("letter").ids == ()


@needs_registry
def test_the_sets_that_are_not_plain_arff():
    assert load("wine").target == "class"
    assert load("wine").y.value_counts().tolist() == [59, 71, 48]
    assert load("adult").y.value_counts().to_dict() == {"<=50K": 37155, ">50K": 11687}
    assert load("adult").X.isna().sum().sum() == 2799 + 2809 + 857
    assert load("yeast").y.value_counts().to_dict() == {
        "CYT": 463, "ERL": 5, "EXC": 35, "ME1": 44, "ME2": 51,
        "ME3": 163, "MIT": 244, "NUC": 429, "POX": 20, "VAC": 30,
    }  # fmt: skip
    assert load("satimage").y.value_counts().tolist() == [1533, 703, 1358, 626, 707, 1508]
    assert load("abalone").y.value_counts().to_dict() == {"<=8": 1407, "9-10": 1323, ">=11": 1447}
    assert load("anneal").X["steel"].cat.categories[0] == "?"
    assert not load("anneal").X["steel"].isna().any()
    assert load("anneal.ORIG").X["steel"].isna().any()


def test_a_file_in_memory_is_read_as_one_on_disk(tmp_path):
    csv, arff = b"a;b\n1,5;x\n2;y\n", b"@relation r\n@attribute a {x,y}\n@data\nx\ny\n"
    for name, content, read, options in [
        ("t.csv", csv, rt.read_csv, {"sep": ";", "decimal": ","}),
        ("t.arff", arff, rt.read_arff, {}),
    ]:
        (tmp_path / name).write_bytes(content)
        there, here = (read(path, **options) for path in (InMemory(name, content), tmp_path / name))
        pd.testing.assert_frame_equal(there.frame, here.frame)
        assert (there.name, there.source) == (here.name, here.source)


def test_an_error_in_a_file_in_memory_names_it():
    with pytest.raises(rt.data.ArffError, match=r"t\.arff, line 1: expected @relation"):
        rt.read_arff(InMemory("t.arff", b"1,2\n"))
    with pytest.raises(ValueError, match=r"t\.csv is empty"):
        rt.read_csv(InMemory("t.csv", b""))
