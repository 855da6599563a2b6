"""What cannot be read from files, or not be learnt from them, is refused with advice."""

import errno
import os
import tempfile
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scale_cases import ALGORITHMS, FIT, assert_same_model, batches_of, mixed, quiet, write

import ranktrees as rt
from ranktrees.reading.bins import DISCRETIZERS

SAMPLE = r"scan\.sample\(100_000\)"


@pytest.fixture
def frame():
    return mixed(60)


@pytest.fixture
def scan(frame, tmp_path):
    return rt.scan(write(frame, tmp_path / "files", [20, 20]), "label")


@pytest.fixture
def work_folder(tmp_path, monkeypatch):
    """The folder of temporary files, which each fit must leave empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def parts(tmp_path, *frames):
    for k, part in enumerate(frames):
        part.to_parquet(tmp_path / f"{k}.parquet", index=False)
    return tmp_path


def test_files_that_are_not_there(tmp_path, frame):
    with pytest.raises(ValueError, match=r"no file matches '.*\*\.parquet': give a path"):
        rt.scan(tmp_path / "*.parquet", "label")
    with pytest.raises(ValueError, match=r"no file matches.*: give a path, a glob, a folder"):
        rt.scan(tmp_path, "label")
    with pytest.raises(ValueError, match=r"no file matches '\[\]'"):
        rt.scan([], "label")
    with pytest.raises(FileNotFoundError, match=r"there is no file '.*gone\.parquet'"):
        rt.scan([tmp_path / "gone.parquet"], "label")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileNotFoundError, match=r"there is no file '.*folder'"):
        rt.scan([tmp_path / "folder"], "label")
    with pytest.raises(TypeError, match=r"files must be a path, .*not 3"):
        rt.scan(3, "label")


def test_files_of_two_kinds_or_another(tmp_path, frame):
    write(frame, tmp_path)
    frame.to_csv(tmp_path / "b.csv", index=False)
    with pytest.raises(ValueError, match=r"all \.parquet or all \.csv, not \.csv, \.parquet"):
        rt.scan(tmp_path, "label")
    (tmp_path / "b.txt").write_text("x,y\n1,2\n")
    with pytest.raises(ValueError, match=r"all \.parquet or all \.csv, not \.txt"):
        rt.scan(tmp_path / "b.txt", "y")


def test_a_file_twice(tmp_path, frame):
    path = write(frame, tmp_path) / "000.parquet"
    with pytest.raises(ValueError, match=r"file '.*000\.parquet' is listed more than once"):
        rt.scan([path, path], "label")


def test_targets(scan, frame, tmp_path):
    with pytest.raises(ValueError, match=r"000\.parquet has no column 'group': it has number, "):
        rt.scan(scan.files, "group")
    with pytest.raises(ValueError, match="no column besides the class 'label'"):
        rt.scan(write(frame[["label"]], tmp_path / "alone"), "label")
    one = rt.scan(write(frame.assign(label="v"), tmp_path / "one"), "label")
    with pytest.raises(ValueError, match=r"class 'label' is 'v' in all rows.*two classes"):
        rt.DecisionTree().fit(one)
    gap = rt.scan(write(frame.assign(label=["v", None, "w"] * 20), tmp_path / "gap", [30]), "label")
    with pytest.raises(
        ValueError, match=r"000\.parquet, rows 0 to 29: .*lacks the class of 10.*row 1"
    ):
        rt.DecisionTree().fit(gap)
    with pytest.raises(ValueError, match="the class 'number' holds measurements such as"):
        rt.DecisionTree().fit(rt.scan(write(frame.dropna(), tmp_path / "d"), "number"))


def test_files_with_other_columns_or_types(frame, tmp_path):
    def refused(other, match):
        with pytest.raises(ValueError, match=match):
            rt.scan(parts(tmp_path, frame, other), "label")

    refused(frame.drop(columns="text"), r"1\.parquet lacks column 'text'.*same columns")
    refused(frame.assign(more=1), r"1\.parquet has a column 'more' more than 0\.parquet")
    refused(
        frame.assign(text=1.0),
        r"'text' is number in 1\.parquet, but text in 0\.parquet.*same types",
    )
    refused(frame.assign(flag=frame["flag"].astype(float)), "'flag' is number")
    refused(
        frame.assign(size=frame["size"].cat.as_unordered()),
        "'size' is categories of .*but ordered categories",
    )


def test_numbers_of_different_widths_are_numbers(frame, tmp_path):
    frame = frame.assign(nullable=frame["nullable"].fillna(3))
    narrow = frame.assign(
        nullable=frame["nullable"].astype("int8"), whole=frame["whole"].astype("f4")
    )
    other = rt.scan(parts(tmp_path, frame.iloc[:30], narrow.iloc[30:]), "label")
    y = frame.pop("label")
    assert_same_model(
        rt.DecisionTree().fit(other),
        rt.DecisionTree().fit(frame.assign(nullable=frame["nullable"].astype(float)), y),
    )


def test_orders_that_differ(frame, tmp_path):
    def in_order(*names):
        return frame.assign(size=pd.Categorical(["small"] * 60, names, ordered=True))

    one = in_order("small", "large")
    for names in (("small", "middle", "large"), ("large", "small")):
        other = rt.scan(parts(tmp_path, one, in_order(*names)), "label")
        with pytest.raises(ValueError, match=r"1\.parquet.*column 'size'.*order must be the same"):
            quiet(rt.DecisionTree().fit, other)


@pytest.mark.parametrize("anew", [False, True], ids=["written over", "replaced"])
def test_a_file_of_equal_size_and_time_is_noticed(anew, tmp_path, monkeypatch):
    path, learn = tmp_path / "a.csv", FIT.learn
    path.write_text("x,y\n" + "1,p\n2,q\n" * 30)
    scan, before = rt.scan(path, "y"), path.stat()

    def and_change(*args):
        learnt, text = learn(*args), path.read_text()
        if anew:
            path.rename(tmp_path / "old")
        path.write_text(text.replace("1,p\n2,q", "2,p\n1,q", 5))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        return learnt

    monkeypatch.setattr(FIT, "learn", and_change)
    with pytest.raises(ValueError, match=r"a\.csv has changed while it was read: fit again"):
        rt.DecisionTree().fit(scan)


@pytest.mark.parametrize(
    "change", [{"text": "new"}, {"label": "new"}, {"number": 0.5}, {"whole": "text"}, None], ids=str
)
def test_files_that_change_between_the_passes(change, scan, frame, monkeypatch, work_folder):
    path, learn = scan.files[0], FIT.learn

    def and_change(*args):
        learnt = learn(*args)
        path.unlink()
        if change is not None:
            frame.iloc[:20].assign(**change).to_parquet(path, index=False)
        return learnt

    monkeypatch.setattr(FIT, "learn", and_change)
    match = "has changed while it was read: fit again" if change else ""
    with pytest.raises((ValueError, FileNotFoundError), match=rf"000\.parquet.*{match}"):
        rt.DecisionTree().fit(scan)
    assert not list(work_folder.iterdir())


@pytest.mark.parametrize("name", ["codes", "raw", "list"])
def test_a_full_disk(name, scan, monkeypatch, work_folder):
    def full():
        raise OSError(errno.ENOSPC, "No space left on device")

    opened = Path.open

    def open_to_read(path, mode="r", *rest):
        return full() if "a" in mode and path.name.startswith(name) else opened(path, mode, *rest)

    monkeypatch.setattr(Path, "open", open_to_read)
    with pytest.raises(OSError, match=r"codes in .* cannot be written .*No space left.*TMPDIR"):
        FIT.fit_tree(rt.DecisionTree(), scan, algorithm="sprint")
    assert not list(work_folder.iterdir())


def test_a_disk_that_fills_up_while_bytes_are_written(scan):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    codefile = import_module("ranktrees_scale.codefile")
    with pytest.raises(OSError, match=r"codes in /dev/full cannot be written.*make room.*TMPDIR"):
        codefile.append_to(Path("/dev/full"), np.zeros((3, 100_000), np.uint8))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_interrupted_fit_leaves_nothing(algorithm, scan, monkeypatch, work_folder):
    def interrupt(*args):
        assert any(p.is_file() for p in work_folder.glob("*/*"))
        raise KeyboardInterrupt

    rows = import_module("ranktrees.growing.best").BestAttribute
    monkeypatch.setattr(rows, "_choose", interrupt)
    with batches_of(10), pytest.raises(KeyboardInterrupt):
        FIT.fit_tree(rt.DecisionTree(), scan, "100kB", algorithm=algorithm)
    assert not list(work_folder.iterdir())


def test_broken_parquet_files(scan, frame):
    path = scan.files[1]
    whole = path.read_bytes()
    for broken in (b"", b"no parquet", whole[: len(whole) // 2]):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=r"001\.parquet cannot be read"):
            rt.scan(scan.files, "label")
    damaged = bytearray(whole)
    damaged[4 : len(whole) // 3] = bytes(len(whole) // 3 - 4)
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match=r"001\.parquet cannot be read"):
        rt.DecisionTree().fit(rt.scan(scan.files, "label"))


def test_too_little_memory_is_no_broken_file(scan, frame, tmp_path, monkeypatch):
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")

    def full(*rest, **named):
        raise pyarrow.ArrowMemoryError("malloc of size 64 failed")

    def full_of_text(*rest, **named):
        raise pd.errors.ParserError("Error tokenizing data. C error: out of memory")

    frame.to_csv(tmp_path / "a.csv", index=False)
    monkeypatch.setattr(parquet, "ParquetFile", full)
    monkeypatch.setattr(pd, "read_csv", full_of_text)
    with pytest.raises(MemoryError, match=r"000\.parquet needs more memory than there is: malloc"):
        rt.DecisionTree().fit(scan)
    with pytest.raises(MemoryError, match=r"a\.csv needs more memory than there is: rt\.scan\(pa"):
        rt.read_csv(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("x,y\n1,a\n2,b,3\n", r"a\.csv is not a regular table: row 3 has 3 values, the header 2"),
        ("", r"a\.csv is empty"),
        ("x,y\n", "hold no rows"),
        (
            "x,y\n1,a\ninf,b\n",
            r"a\.csv, rows 0 to 1: column 'x' contains infinity \(inf\) in row 1",
        ),
        ("x,x,y\n1,2,a\n3,4,b\n", r"a\.csv: column 'x' stands twice in the header"),
        ("x,y\n1,a\n2,\n", r"lacks the class of 1 of its 2 cases, first in row 1"),
    ],
)
def test_csv_files_that_do_not_fit(text, match, tmp_path):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises((ValueError, TypeError), match=match):
        rt.DecisionTree().fit(rt.scan(tmp_path / "a.csv", "y"))


def test_a_text_far_down_in_a_column_of_numbers(tmp_path):
    lines = ["x,y", *(f"{k % 9},{'ab'[k % 2]}" for k in range(400_000)), "many,a"]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    match = (
        r"^a\.csv: column 'x' holds 'many' in data row 400001, and nothing but numbers above: "
        r"na_values=\['many'\] makes it missing, dtype="
    )
    with pytest.raises(ValueError, match=match):
        rt.DecisionTree().fit(rt.scan(tmp_path / "a.csv", "y"))


def test_a_text_in_the_second_file_of_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x,y\n1,a\nmany,b\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"column 'x' is text in b\.csv, but number in a\.csv"):
        rt.scan(tmp_path, "y")
    model = rt.DecisionTree().fit(rt.scan(tmp_path, "y", dtype={"x": "category"}))
    assert model.tree_.schema[0].values == ("1", "2", "many")


def test_weights_are_refused_by_name(frame, tmp_path):
    frame.assign(sample_weight=1.0).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="'sample_weight': every case of files counts once"):
        rt.scan(tmp_path, "label")


def test_no_rows_at_all(frame, tmp_path):
    empty = rt.scan(write(frame.iloc[:0], tmp_path, [0, 0]), "label")
    with pytest.raises(ValueError, match=r"the files of <Scan of 3 files.* hold no rows"):
        rt.DecisionTree().fit(empty)
    with pytest.raises(ValueError, match=r"the files of <Scan of 3 files.* hold no rows"):
        empty.sample(5)
    model = rt.DecisionTree().fit(frame.drop(columns="label"), frame["label"])
    assert list(model.predict_proba(empty)) == []


def test_infinities_and_dates(frame, tmp_path):
    infinite = frame.assign(whole=np.where(np.arange(60) == 43, np.inf, 0))
    other = rt.scan(write(infinite, tmp_path / "a", [30]), "label")
    with pytest.raises(ValueError, match=r"001\.parquet, rows 0 to 29: column 'whole'.*row 13"):
        rt.DecisionTree().fit(other)
    dates = frame.assign(whole=pd.Timestamp("2020-01-02"))
    with pytest.raises(TypeError, match=r"000\.parquet, rows 0 to 59: column 'whole' holds dates"):
        rt.DecisionTree().fit(rt.scan(write(dates, tmp_path / "b"), "label"))


@pytest.mark.parametrize("missing", ["impute", "value"])
def test_a_column_without_any_value(frame, missing, tmp_path):
    none = pd.Series([None] * 60, dtype="str")
    frame = frame.assign(whole=np.nan, text=none, colour=pd.Categorical([None] * 60, ["red"]))
    other = rt.scan(write(frame, tmp_path, [20]), "label")
    y = frame.pop("label")
    match = r"^column 'whole', like 'text', 'colour', has no value at all"
    with pytest.warns(UserWarning, match=match) as warned:
        model = rt.DecisionTree(missing=missing).fit(other)
    assert len(warned) == 1
    assert_same_model(model, quiet(rt.DecisionTree(missing=missing).fit, frame, y))


def test_an_identifier_has_no_more_values_than_occur(tmp_path):
    values = [f"case {i}" for i in range(1906)]
    for n_values, n in ((1000, 1000), (100, 1000)):
        id = pd.Categorical(values[:n_values] * (n // n_values), categories=values)
        cases = pd.DataFrame({"id": id, "label": ["a", "b"] * (n // 2)})
        other = rt.scan(write(cases, tmp_path / str(n_values)), "label")
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            rt.NaiveBayes().fit(other)
        said = ["'id' has 1000 different values in 1000 cases"] if n_values == n else []
        assert [str(w.message).partition(": ")[0].removeprefix("column ") for w in warned] == said


@pytest.mark.parametrize("missing", ["impute", "value"])
@pytest.mark.parametrize(
    "make",
    [
        *(lambda d=d, **how: rt.DecisionTree(discretize=d, **how) for d in DISCRETIZERS),
        lambda **how: rt.C45(numeric="thresholds", max_codes=50, raising=False, **how),
        lambda **how: rt.NaiveBayes(discretize="entropy-mdl", **how),
    ],
    ids=[*DISCRETIZERS, "C45", "NaiveBayes"],
)
def test_a_number_without_any_value_is_no_reason_to_refuse(make, missing, frame, tmp_path):
    frame = frame.assign(whole=np.nan)
    other = rt.scan(write(frame, tmp_path, [20]), "label")
    y = frame.pop("label")
    model = quiet(make(missing=missing).fit, other)
    memory = quiet(make(missing=missing).fit, frame, y)
    assert model.encoder_.schema_ == memory.encoder_.schema_
    assert np.array_equal(model.predict_proba(frame), memory.predict_proba(frame))


def test_more_values_than_a_byte_holds(tmp_path):
    n, rng = 2000, np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "name": pd.Categorical.from_codes(
                rng.integers(0, 300, n), [f"v{k}" for k in range(300)]
            ),
            "x": rng.random(n),
        }
    )
    y = pd.Categorical.from_codes(
        (rng.random(n) + X["name"].cat.codes / 300 > 1).astype(int), ["no", "yes"]
    )
    other = rt.scan(write(X.assign(label=y), tmp_path, [700]), "label")
    memory = rt.DecisionTree("gini", min_parent=30, split="binary").fit(X, y)
    for algorithm in ALGORITHMS:
        model = rt.DecisionTree("gini", min_parent=30, split="binary")
        with batches_of(400):
            assert_same_model(FIT.fit_tree(model, other, 30_000, algorithm=algorithm), memory)


def test_256_codes_need_two_bytes_no_more_and_no_fewer(tmp_path):
    for size in (255, 256, 257):
        names = pd.Categorical([f"v{k:03d}" for k in range(size)] * 2)
        X, y = pd.DataFrame({"name": names}), ["a", "b"] * size
        other = rt.scan(write(X.assign(label=y), tmp_path / str(size)), "label")
        assert_same_model(
            quiet(rt.DecisionTree("gini").fit, other), quiet(rt.DecisionTree("gini").fit, X, y)
        )


@pytest.mark.parametrize(
    ("model", "match"),
    [
        (rt.CITree(), rf"CITree needs its training cases in memory: .*{SAMPLE}"),
        (rt.NBTree(), rf"NBTree needs .*in memory.*{SAMPLE.replace('100_000', '.*')}"),
        (rt.NewtonTree(), "NewtonTree needs .*in memory.*sample"),
        (rt.Bagging(rt.DecisionTree()), "Bagging needs .*in memory.*sample"),
        (
            rt.C45(estimate="wpe"),
            rf"C45: .* 'wpe' .*'laplace', or 'path-bayes'.*{SAMPLE}",
        ),
        (
            rt.C45(raising=False, numeric="thresholds"),
            rf"C45: cuts between .*max_codes=255.*{SAMPLE}",
        ),
        (rt.DecisionTree(numeric="thresholds", max_codes=None), f"DecisionTree: cuts .*{SAMPLE}"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_models_that_need_their_cases(model, match, scan, frame):
    with pytest.raises((TypeError, ValueError), match=match):
        model.fit(scan)
    with pytest.raises((TypeError, ValueError)):
        model.fit(scan, frame["label"])


def test_what_else_takes_no_scan(scan, frame):
    with pytest.raises(TypeError, match=r"not a scan of files.*sample"):
        rt.cross_validate(rt.DecisionTree(), scan, frame["label"])
    with pytest.raises(TypeError, match=r"not a scan of files.*sample"):
        rt.Encoder().fit(scan)
    with pytest.raises(TypeError, match=r"not a scan of files.*sample"):
        rt.DecisionTree().fit_folds(scan, frame["label"], [np.arange(9)])
    with pytest.raises(ValueError, match=r"a scan has its classes.*y"):
        rt.DecisionTree().fit(scan, frame["label"])
    with pytest.raises(ValueError, match=r"algorithm.*'rf'"):
        rt.scale.grow(rt.DecisionTree(), scan, "rf")
    with pytest.raises(ValueError, match=r"engine.*'spark'"):
        rt.DecisionTree().fit(scan, engine="spark")


@pytest.mark.parametrize("given", [{"budget": "1MB"}, {"budget": 0}, {"engine": "numpy"}], ids=str)
def test_what_is_for_files_is_refused_of_cases_in_memory(given, frame):
    (name,) = given
    for make in (rt.DecisionTree, rt.C45, rt.PathBayes, rt.NaiveBayes, rt.AODE):
        if name == "engine" and issubclass(make, rt.NaiveBayes | rt.AODE):
            continue
        match = rf"{name} is for cases in files, fit\(rt\.scan\(.*{make.__name__} has these in memo"
        with pytest.raises(TypeError, match=match):
            make().fit(frame.drop(columns="label"), frame["label"], **given)


def test_no_budget_is_none(scan):
    for make in (rt.DecisionTree, rt.NaiveBayes):
        with pytest.raises(ValueError, match=r"budget must be a number of bytes .*, not 0"):
            make().fit(scan, budget=0)


def test_distinct_numbers_that_exceed_the_budget(tmp_path):
    frame = pd.DataFrame({"x": np.random.default_rng(1).random(500), "y": ["a", "b"] * 250})
    other = rt.scan(write(frame, tmp_path), "y")
    with (
        batches_of(50),
        pytest.raises(ValueError, match=r"'x' has 500 different numbers.*equal-frequency.*sample"),
    ):
        rt.DecisionTree(discretize="k-means").fit(other, budget=3000)


@pytest.mark.parametrize("module", ["pyarrow", "duckdb"])
def test_what_is_not_installed_is_named_with_its_command(module, scan, monkeypatch):
    optional = import_module("ranktrees.basics.optional")

    def absent(name):
        if name.partition(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {name!r}")
        return import_module(name)

    monkeypatch.setattr(optional, "import_module", absent)
    match = rf'data in files need {module}: pip install "ranktrees\[scale\]"'
    with pytest.raises(ImportError, match=match):
        rt.DecisionTree(discretize="equal-frequency").fit(scan)
    if module == "pyarrow":
        with pytest.raises(ImportError, match=match):
            rt.scan(scan.files, "label")


def test_a_model_of_files_is_a_model(scan, frame, tmp_path):
    import copy

    X = frame.drop(columns="label")
    model = rt.DecisionTree(max_depth=3).fit(scan)
    assert repr(model) == "DecisionTree(max_depth=3)"
    assert model.get_params()["max_depth"] == 3
    rt.save(model, tmp_path / "model.json")
    expected = model.predict_proba(X)
    for other in (rt.load_model(tmp_path / "model.json"), copy.deepcopy(model), copy.copy(model)):
        assert np.array_equal(other.predict_proba(X), expected)
        assert np.array_equal(np.concatenate(list(other.predict_proba(scan))), expected)
    assert model.score(X, frame["label"]) > 0.4
    assert model.feature_names_in_.tolist() == list(X)
    assert model.n_features_in_ == 7
    with pytest.raises(ValueError, match="sample"):
        rt.load_model(tmp_path / "model.json").with_estimate("wpe")
