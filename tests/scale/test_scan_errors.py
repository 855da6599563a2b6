"""What cannot be read from files, or not be learnt from them, is refused with advice."""

from functools import partial
from importlib import import_module
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from scale_cases import (
    ALGORITHMS,
    assert_all_alike,
    assert_same_model,
    batches_of,
    mixed,
    quiet,
    write,
)

import ranktrees as rt
from ranktrees_engine.reading.bins import DISCRETIZERS

SAMPLE = r"scan\.sample\(100_000\)"


@pytest.fixture
def frame():
    return mixed(60)


@pytest.fixture
def scan(frame, tmp_path):
    return rt.scan(write(frame, tmp_path / "files", [20, 20]), "label")


def test_files_that_are_not_there_or_not_of_one_kind(tmp_path, frame):
    path = write(frame, tmp_path / "one") / "000.parquet"
    frame.to_csv(write(frame, tmp_path / "two") / "b.csv", index=False)
    (tmp_path / "b.txt").touch()
    for files, match in [
        (tmp_path / "*.parquet", r"no file matches '.*\*\.parquet': give a path, a glob, a folder"),
        ([], r"no file matches '\[\]'"),
        ([tmp_path / "gone.parquet"], r"there is no file '.*gone\.parquet'"),
        (3, r"files must be a path, .*not 3"),
        ([path, path], r"file '.*000\.parquet' is listed more than once"),
        (tmp_path / "two", r"all \.parquet or all \.csv, not \.csv, \.parquet"),
        (tmp_path / "b.txt", r"all \.parquet or all \.csv, not \.txt"),
    ]:
        with pytest.raises((ValueError, TypeError, FileNotFoundError), match=match):
            rt.scan(files, "label")
    with pytest.raises(TypeError, match="sep is an option of CSV files, but these are Parquet"):
        rt.scan(path, "label", sep=";")


ALL = mixed(60)
SIZE, INFINITE = ALL["size"].cat, np.where(np.arange(60) == 43, np.inf, 0)
HALF = ALL.assign(label=["v", None, "w"] * 20)


def two(**columns):
    """Two files, of which the second has these columns."""
    return [ALL, ALL.assign(**columns)]


@pytest.mark.parametrize(
    ("parts", "target", "match"),
    [
        ([ALL], "group", r"000\.parquet has no column 'group': it has number, "),
        ([ALL[["label"]]], "label", "no column besides the class 'label'"),
        ([ALL.assign(label="v")], "label", "class 'label' is 'v' in all rows.*two classes"),
        ([HALF], "label", r"000\.parquet, rows 0 to 59: .*lacks the class of 20.*row 1"),
        ([ALL.dropna()], "number", "the class 'number' holds measurements such as"),
        ([ALL, ALL.drop(columns="text")], "label", r"001\.parquet lacks column 'text'"),
        (two(more=1), "label", r"001\.parquet has a column 'more' more than 000\.parquet"),
        (two(text=1.0), "label", r"'text' is number in 001\.parquet, but text in 000\.parquet"),
        (two(size=SIZE.as_unordered()), "label", "'size' is categories of .*but ordered categ"),
        (two(size=SIZE.set_categories(["large", "small"])), "label", "'size'.*order must be the"),
        ([ALL.assign(sample_weight=1.0)], "label", "'sample_weight': every case of files c"),
        (two(whole=INFINITE), "label", r"001\.parquet, rows 0 to 59: column 'whole'.*row 43"),
        (two(whole=pd.Timestamp("2020-01-02"))[1:], "label", r"column 'whole' holds dates"),
        ([ALL[:0]], "label", r"the files of <Scan of 1 file.* hold no rows"),
    ],
    ids=range(14),
)
def test_files_that_cannot_be_learnt_from(parts, target, match, tmp_path):
    for k, part in enumerate(parts):
        part.to_parquet(tmp_path / f"{k:03d}.parquet", index=False)
    with pytest.raises((ValueError, TypeError), match=match):
        quiet(rt.DecisionTree().fit, rt.scan(tmp_path, target))


@pytest.mark.parametrize(
    ("text", "options", "match"),
    [
        ("x,y\n1,a\n2,b,3\n", {}, r"a\.csv is not a regular.*row 3 has 3 values, the header 2"),
        ("", {}, r"a\.csv is empty"),
        ("x,y\n1,a\ninf,b\n", {}, r"^a\.csv: column 'x' is infinite in data row 2: na_values="),
        ("x,y\nmany,a\n", {}, r"column 'x' is number in b\.csv, but text in a\.csv"),
        ("x;y\n1;a\n2;b\n", {}, 'give its separator, sep=";"'),
        ("x,y\n1,a\n", {"skipfooter": 1}, "a scan has no option 'skipfooter': it takes sep, enc"),
        ("x,y\n1,a\n", {"dtype": {"z": "category"}}, r"a\.csv has no column 'z'; known: x, y"),
        ("x,y\n1,a\n", {"target": 1}, "target names the column of the class, a text, not 1"),
    ],
)
def test_csv_files_that_do_not_fit(text, options, match, tmp_path):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    (tmp_path / "b.csv").write_text("x,y\n1,a\n2,b\n", encoding="utf-8")
    with pytest.raises((ValueError, TypeError), match=match):
        rt.DecisionTree().fit(rt.scan(tmp_path, **({"target": "y"} | options)))


def test_broken_parquet_files(scan):
    path = scan.files[1]
    whole = path.read_bytes()
    for broken in (b"", b"no parquet", whole[: len(whole) // 2]):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=r"001\.parquet cannot be read"):
            rt.scan(scan.files, "label")
    path.write_bytes(whole[:4] + bytes(len(whole) // 3 - 4) + whole[len(whole) // 3 :])
    with pytest.raises(ValueError, match=r"001\.parquet cannot be read"):
        rt.DecisionTree().fit(rt.scan(scan.files, "label"))


def test_too_little_memory_is_no_broken_file(scan, frame, tmp_path, monkeypatch):
    full = import_module("pyarrow").ArrowMemoryError("malloc of size 64 failed")
    monkeypatch.setattr("pyarrow.parquet.ParquetFile", Mock(side_effect=full))
    with pytest.raises(MemoryError, match=r"000\.parquet needs more memory than there is: malloc"):
        rt.DecisionTree().fit(scan)
    frame.to_csv(tmp_path / "a.csv", index=False)
    full = pd.errors.ParserError("Error tokenizing data. C error: out of memory")
    monkeypatch.setattr("pandas.read_csv", Mock(side_effect=full))
    with pytest.raises(MemoryError, match=r"a\.csv needs more memory than there is: rt\.scan\(pa"):
        rt.read_csv(tmp_path / "a.csv")


@pytest.mark.parametrize(
    "make",
    [
        *(partial(rt.DecisionTree, discretize=name) for name in DISCRETIZERS),
        partial(rt.C45, numeric="thresholds", max_codes=50, raising=False),
    ],
    ids=[*DISCRETIZERS, "C45"],
)
def test_columns_without_any_value_are_doubted_not_refused(make, frame, tmp_path):
    none = pd.Series([None] * 60, dtype="str")
    frame = frame.assign(whole=np.nan, text=none, colour=pd.Categorical([None] * 60, ["red"]))
    other, y = rt.scan(write(frame, tmp_path, [20]), "label"), frame.pop("label")
    match = r"^column 'whole', like 'text', 'colour', has no value at all"
    for missing in ("impute", "value"):
        with pytest.warns(UserWarning, match=match) as warned:
            model = make(missing=missing).fit(other)
        assert len(warned) == 1
        assert_same_model(model, quiet(make(missing=missing).fit, frame, y))


@pytest.mark.parametrize("size", [256, 257])
def test_more_values_than_a_byte_holds(size, tmp_path):
    n, rng = 1500, np.random.default_rng(1)
    codes = np.r_[:size, rng.integers(0, size, n - size)]
    name = pd.Categorical.from_codes(codes, [f"v{k:03d}" for k in range(size)])
    X = pd.DataFrame({"name": name, "x": rng.random(n)})
    y = np.where(rng.random(n) + codes / size > 1, "yes", "no")
    other = rt.scan(write(X.assign(label=y), tmp_path, [700]), "label")
    make = partial(rt.DecisionTree, "gini", min_parent=30, split="binary")
    algorithms = ALGORITHMS if size > 256 else ALGORITHMS[:1]
    with batches_of(400):
        assert_all_alike(make, X, y, other, algorithms=algorithms)


NO_SCAN = r"not a scan of files.*sample"


@pytest.mark.parametrize(
    ("use", "match"),
    [
        (rt.CITree().fit, rf"CITree needs its training cases in memory: .*{SAMPLE}"),
        (rt.NewtonTree().fit, "NewtonTree needs .*in memory.*sample"),
        (rt.Bagging(rt.DecisionTree()).fit, "Bagging needs .*in memory.*sample"),
        (rt.C45(estimate="wpe").fit, rf"C45: .* 'wpe' .*'laplace', or 'path-bayes'.*{SAMPLE}"),
        (rt.C45(raising=False, numeric="thresholds").fit, rf"C45: cuts .*max_codes=255.*{SAMPLE}"),
        (lambda scan: rt.cross_validate(rt.C45(), scan, scan), NO_SCAN),
        (rt.Encoder().fit, NO_SCAN),
        (lambda scan: rt.C45().fit_folds(scan, [0, 1] * 30, [np.arange(9)]), NO_SCAN),
        (lambda scan: rt.C45().fit(scan, [0, 1] * 30), r"a scan has its classes.*y"),
        (lambda scan: rt.scale.grow(rt.DecisionTree(), scan, "rf"), r"algorithm.*'rf'"),
        (lambda scan: rt.DecisionTree().fit(scan, engine="spark"), r"engine.*'spark'"),
        (lambda scan: rt.NaiveBayes().fit(scan, budget=0), "budget must be a number of bytes"),
    ],
)
def test_what_takes_no_scan_or_no_such_setting(use, match, scan):
    with pytest.raises((TypeError, ValueError), match=match):
        use(scan)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (rt.DecisionTree, "budget"),
        (rt.DecisionTree, "engine"),
        (rt.NaiveBayes, "budget"),
    ],
)
def test_what_is_for_files_is_refused_of_cases_in_memory(make, name, frame):
    match = rf"{name} is for cases in files, fit\(rt\.scan\(.*{make.__name__} has these in memo"
    with pytest.raises(TypeError, match=match):
        make().fit(frame.drop(columns="label"), frame["label"], **{name: "numpy"})


def test_distinct_numbers_that_exceed_the_budget(tmp_path):
    frame = pd.DataFrame({"x": np.random.default_rng(1).random(500), "y": ["a", "b"] * 250})
    other, match = rt.scan(write(frame, tmp_path), "y"), r"'x' has 500 different numbers.*sample"
    with batches_of(50), pytest.raises(ValueError, match=match):
        rt.DecisionTree(discretize="k-means").fit(other, budget=3000)


@pytest.mark.parametrize("module", ["pyarrow", "duckdb"])
def test_what_is_not_installed_is_named_with_its_command(module, scan, monkeypatch):
    def absent(name):
        if name.partition(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {name!r}")
        return import_module(name)

    monkeypatch.setattr("ranktrees_engine.basics.optional.import_module", absent)
    match = rf'data in files need {module}: pip install "ranktrees\[scale\]"'
    with pytest.raises(ImportError, match=match):
        rt.DecisionTree(discretize="equal-frequency").fit(scan)


def test_numbers_that_count_the_cases_of_files_are_doubted_when_they_are_read(tmp_path):
    frame = pd.DataFrame({"label": ["a", "b"] * 30, "x": np.arange(60) * 7 % 31, "n": range(1, 61)})
    frame["sorted"] = np.arange(60) // 2
    path = write(frame, tmp_path / "cases", [20, 10])
    with batches_of(8), pytest.warns(UserWarning, match="^column 'n' counts") as said:
        rt.DecisionTree().fit(rt.scan(path, "label"))
    assert len(said) == 1
