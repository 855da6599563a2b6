"""Cases in files are read, learnt and coded as those in memory are."""

import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scale_cases import (
    ALGORITHMS,
    assert_all_alike,
    assert_same_encoder,
    assert_same_model,
    batches_of,
    mixed,
    quiet,
    write,
)

import ranktrees as rt
from ranktrees_engine.basics.sums import ExactSum, exact_mean
from ranktrees_files.scale.codefile import code
from ranktrees_files.scale.learn import learn
from ranktrees_files.scale.log import Log

ROOT = Path(__file__).parents[2]
SETTINGS = [
    {"discretize": "equal-width", "missing": "impute"},
    {"discretize": "equal-frequency", "missing": "value"},
    {"discretize": "entropy-mdl", "missing": "impute"},
    {"discretize": "k-means", "missing": "value"},
    {"numeric": "thresholds", "max_codes": 5, "missing": "value"},
    {"numeric": "thresholds", "max_codes": 255, "missing": "value"},
    {"numeric": "thresholds", "max_codes": 20, "cut_at": "value"},
]


@pytest.fixture(scope="module")
def mixed_files(tmp_path_factory):
    """Cases of all types in files of 100, 0, 7 and 193 rows, and their number: folder, X, y."""
    frame = mixed(300).assign(case=np.arange(300.0))
    folder = write(frame, tmp_path_factory.mktemp("mixed"), [100, 0, 7])
    return folder, frame.drop(columns="label"), frame["label"]


@pytest.mark.parametrize("how", SETTINGS, ids=str)
def test_a_scan_teaches_the_encoder_what_memory_does(mixed_files, how, tmp_path):
    folder, X, y = mixed_files
    memory, encoder = rt.Encoder(**how), rt.Encoder(**how)
    codes = quiet(memory.fit_transform, X, y)
    scan = rt.scan(folder, "label")
    with batches_of(64):
        classes, counts = quiet(learn, scan, encoder, 1 << 20, Log())
        file = code(scan, encoder, classes, tmp_path, Log())
    assert_same_encoder(encoder, memory, exact=True)
    assert classes.tolist() == sorted(y.cat.categories)
    assert counts.tolist() == file.counts[0].tolist() == y.value_counts().sort_index().tolist()
    whole = np.concatenate([block for block, *_ in file.read()], axis=1)
    assert np.array_equal(whole[:-1].T, codes.values)
    assert np.array_equal(whole[-1], y.cat.codes)
    assert file.path.stat().st_size == file.log.traffic["written"] == file.log.traffic["read"]


# where a hundredth of it is no subnormal number
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(lambda v: v * (abs(v) > 1e-290))


@given(st.lists(NUMBERS, min_size=1), st.integers(1, 9))
def test_means_are_exact_in_whatever_batches(numbers, size):
    x, total = np.array(numbers), ExactSum()
    for start in range(0, len(x), size):
        total.add(x[start : start + size])
    assert total.mean(len(x)) == exact_mean(x)


@given(
    st.integers(20, 120),
    st.lists(st.integers(0, 60), max_size=5),
    st.integers(10, 100),
    st.sampled_from(SETTINGS[:-1]),
    st.sampled_from(ALGORITHMS),
)
@settings(max_examples=10)
def test_any_files_and_batches_grow_the_tree_of_memory(
    tmp_path_factory, n, sizes, batch, how, algorithm
):
    frame, room = mixed(n, n), max(48 * n, 30_000)  # k-means and MDL hold a column
    scan = rt.scan(write(frame, tmp_path_factory.mktemp("any"), sizes), "label")
    y = frame.pop("label")
    with batches_of(batch):
        assert_all_alike(partial(rt.DecisionTree, "gini", **how), frame, y, scan, room, [algorithm])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_categories_that_files_declare_differently(tmp_path, algorithm):
    frame, rng = mixed(120), np.random.default_rng(1)
    parts = [frame[:7].copy(), frame[7:50].copy(), frame[50:].copy()]
    for name in ("colour", "label"):
        for k, part in enumerate(parts):
            known = part[name].cat.remove_unused_categories().cat.categories
            part[name] = part[name].cat.set_categories(rng.permutation([f"new{k}", *known]))
        frame[name] = pd.api.types.union_categoricals([part[name] for part in parts])
    for k, part in enumerate(parts):
        part.to_parquet(tmp_path / f"{k}.parquet", index=False)
    y, make = frame.pop("label"), partial(rt.DecisionTree, "gini")
    with batches_of(30):
        scan = rt.scan(tmp_path, "label")
        memory = assert_all_alike(make, frame, y, scan, algorithms=[algorithm])
    assert "new0" in memory.classes_
    assert "new0" in memory.tree_.schema[5].values


def test_predictions_from_files(mixed_files, tmp_path):
    folder, X, y = mixed_files
    scan = rt.scan(str(folder / "*.parquet"), target="label")
    assert repr(scan) == "<Scan of 4 files: 8 attributes, class 'label'>"
    model = rt.DecisionTree(missing="value").fit(X, y)
    expected = model.predict_proba(X)
    with batches_of(64):
        parts = list(model.predict_proba(scan))
        written = pd.read_parquet(scan.write_proba(model, tmp_path / "proba.parquet"))
    assert max(map(len, parts)) <= 64
    assert np.array_equal(np.concatenate(parts), expected)
    assert np.concatenate(list(model.predict(scan))).tolist() == model.predict(X).tolist()
    assert list(written) == list(model.classes_)
    assert np.array_equal(written, expected)
    with pytest.raises(ValueError, match=r"000\.parquet.*feature names"):
        list(rt.DecisionTree().fit(X.iloc[:, :2], y).predict_proba(scan))


def test_samples(mixed_files):
    folder, _, y = mixed_files
    scan = rt.scan(folder, "label")
    one, same, other = scan.sample(50), scan.sample(50), scan.sample(50, seed=2)
    rows = one.X["case"].to_numpy().astype(int)
    assert (np.diff(rows) > 0).all(), "no row twice, in the order of the files"
    pd.testing.assert_frame_equal(one.X, same.X)
    assert not one.X["case"].equals(other.X["case"])
    assert one.y.tolist() == y.iloc[rows].tolist()
    old_stream = np.random.default_rng(1).choice(300, 50, replace=False)
    assert {*rows} != {*old_stream}, "numbers drawn before do not say which rows these are"
    with pytest.raises(ValueError, match="n "):
        scan.sample(0)


def test_no_whole_file_is_in_memory(tmp_path):
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    n, path, most = 1 << 19, tmp_path / "a.parquet", []
    x = np.random.default_rng(1).random((8, n))
    table = pa.table([*x, np.arange(n) % 2], names=[*"abcdefgh", "y"])
    parquet.write_table(table, path, row_group_size=n)
    del table
    before = pa.total_allocated_bytes()
    for _ in rt.scan(path, "y").frames():
        most.append(pa.total_allocated_bytes() - before)
    assert len(most) == 8
    assert max(most) < 1.5 * x.nbytes, "its bytes and its numbers would be twice as many"


def test_an_index_that_was_saved_is_no_attribute(tmp_path):
    frame = rt.load("iris").frame
    frame[frame.index % 3 > 0].to_parquet(tmp_path / "kept.parquet")
    assert rt.scan(tmp_path / "kept.parquet", "class").names == list(frame.columns[:-1])
    frame.set_index(frame.columns[0]).to_parquet(tmp_path / "named.parquet")
    assert rt.scan(tmp_path / "named.parquet", "class").names == list(frame.columns[1:-1])


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_without_a_value_of_a_column_says_nothing_of_its_type(kind, tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "t": ["a", "b", "a", "b"], "y": list("nyny")})
    empty = pd.DataFrame({"x": [None], "t": [None], "y": ["n"]}, dtype=object)
    for number, part in enumerate([empty, frame, empty, frame.iloc[:0]]):
        path = tmp_path / f"{number}.{kind}"
        part.to_csv(path, index=False) if kind == "csv" else part.to_parquet(path)
    whole = pd.concat([empty, frame, empty], ignore_index=True).astype({"x": float})
    memory = rt.DecisionTree().fit(whole[["x", "t"]], whole["y"])
    assert_same_model(rt.DecisionTree().fit(rt.scan(tmp_path, "y")), memory)


@pytest.mark.long
def test_memory_stays_as_it_is_with_four_times_the_rows(tmp_path):
    peaks = []
    for n in (1_000_000, 4_000_000):
        folder = tmp_path / str(n)
        rt.data.write_agrawal(folder, n, function=5, noise=0.05, extra=11)
        call = [sys.executable, "-m", "benchmarks.scale", str(folder), "files, depth 6"]
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
        _, _, peak, read, _ = map(float, done.stdout.split())
        peaks.append(peak)
        assert read / n < 6.1 * 21 / 1e6, "six scans of a byte for each attribute and the class"
    assert peaks[0] < 250
    assert peaks[1] < 1.5 * peaks[0]
