"""Cases in files are read, learnt and coded as those in memory are."""

import subprocess
import sys
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
    batches_of,
    mixed,
    quiet,
    write,
)

import ranktrees as rt
from ranktrees.basics.sums import ExactSum, exact_mean
from ranktrees_scale.codefile import code
from ranktrees_scale.learn import learn
from ranktrees_scale.log import Log

ROOT = Path(__file__).parents[2]
SETTINGS = [
    {"discretize": name, "missing": missing}
    for name in ("equal-width", "equal-frequency", "entropy-mdl", "k-means")
    for missing in ("impute", "value")
]
SETTINGS += [{"numeric": "thresholds", "max_codes": m, "missing": "value"} for m in (5, 20, 255)]
SETTINGS += [{"numeric": "thresholds", "max_codes": 20, "cut_at": "value"}]


def read_back(folder):
    """All files of a folder in memory, with the categories of all of them."""
    frames = [pd.read_parquet(path) for path in sorted(folder.glob("*.parquet"))]
    frames = [f for f in frames if len(f)]
    for name in ("colour", "label"):
        known = pd.api.types.union_categoricals([f[name] for f in frames]).categories
        frames = [f.assign(**{name: f[name].cat.set_categories(known)}) for f in frames]
    return pd.concat(frames, ignore_index=True)


@pytest.fixture(scope="module")
def mixed_files(tmp_path_factory):
    """Three hundred cases of all types in files of 100, 0, 7 and 193 rows: folder, X, y."""
    frame = mixed(300)
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
    part = np.concatenate([block for block, *_ in file.read(slice(1, 3))], axis=1)
    start = int(file.blocks[0].sum())
    assert np.array_equal(part, whole[:, start : start + part.shape[1]])


# where a hundredth of it is no subnormal number
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(lambda v: v * (abs(v) > 1e-290))


@given(st.lists(NUMBERS, min_size=1), st.integers(1, 9))
def test_means_are_exact_in_whatever_batches(numbers, size):
    x, total = np.array(numbers), ExactSum()
    for start in range(0, len(x), size):
        total.add(x[start : start + size])
    assert total.mean(len(x)) == exact_mean(x)


@given(
    st.integers(20, 150),
    st.lists(st.integers(0, 60), max_size=5),
    st.integers(5, 100),
    st.integers(0, 99),
    st.sampled_from(SETTINGS[:-1]),
    st.sampled_from(ALGORITHMS),
)
@settings(max_examples=15)
def test_any_files_and_batches_grow_the_tree_of_memory(
    tmp_path_factory, n, sizes, batch, seed, how, algorithm
):
    frame = mixed(n, seed)
    folder = write(frame, tmp_path_factory.mktemp("any"), sizes)
    with batches_of(batch):
        assert_all_alike(
            lambda: rt.DecisionTree("gini", **how),
            frame.drop(columns="label"),
            frame["label"],
            rt.scan(folder, "label"),
            max(48 * n, 30_000),  # k-means and MDL hold a column
            [algorithm],
        )


@given(
    st.integers(0, 99),
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.sampled_from(ALGORITHMS),
)
@settings(max_examples=10)
def test_categories_that_files_declare_differently(tmp_path_factory, seed, sizes, algorithm):
    frame = mixed(120, seed)
    folder = tmp_path_factory.mktemp("declared")
    rng, start = np.random.default_rng(seed), 0
    for k, size in enumerate([*sizes, 120]):
        part = frame.iloc[start : start + size].copy()
        for name in ("colour", "label"):
            part[name] = part[name].cat.remove_unused_categories()
            part[name] = part[name].cat.add_categories([f"new{k}"])
            part[name] = part[name].cat.reorder_categories(
                rng.permutation(part[name].cat.categories)
            )
        write(part, folder / str(k))
        (folder / str(k) / "000.parquet").rename(folder / f"{k}.parquet")
        start += size
    memory = read_back(folder)
    with batches_of(30):
        model = assert_all_alike(
            lambda: rt.DecisionTree("gini"),
            memory.drop(columns="label"),
            memory["label"],
            rt.scan(folder, "label"),
            algorithms=[algorithm],
        )
    assert "new0" in model.classes_
    assert "new0" in model.tree_.schema[5].values


def test_predictions_from_files(mixed_files, tmp_path):
    folder, X, y = mixed_files
    scan = rt.scan(str(folder / "*.parquet"), target="label")
    assert repr(scan) == "<Scan of 4 files: 7 attributes, class 'label'>"
    one = rt.scan(folder / "000.parquet", "label")
    assert repr(one) == "<Scan of 1 file: 7 attributes, class 'label'>"
    model = rt.DecisionTree(missing="value").fit(X, y)
    expected = model.predict_proba(X)
    with batches_of(64):
        parts = list(model.predict_proba(scan))
        path = scan.write_proba(model, tmp_path / "proba.parquet")
    assert max(map(len, parts)) <= 64
    assert np.array_equal(np.concatenate(parts), expected)
    assert np.concatenate(list(model.predict(scan))).tolist() == model.predict(X).tolist()
    written = pd.read_parquet(path)
    assert list(written) == list(model.classes_)
    assert np.array_equal(written, expected)
    with pytest.raises(ValueError, match=r"000\.parquet.*feature names"):
        list(rt.DecisionTree().fit(X.iloc[:, :2], y).predict_proba(scan))


def test_samples(mixed_files):
    folder, X, y = mixed_files
    X = X.assign(number=np.arange(300.0), label=y)
    scan = rt.scan(write(X, folder / "numbered", [100, 0, 7]), "label")
    one, same, other = scan.sample(50), scan.sample(50), scan.sample(50, seed=2)
    rows = one.X["number"].to_numpy().astype(int)
    assert (np.diff(rows) > 0).all(), "no row twice, in the order of the files"
    pd.testing.assert_frame_equal(one.X, same.X)
    assert not one.X["number"].equals(other.X["number"])
    assert one.y.tolist() == X["label"].iloc[rows].tolist()
    assert one.target == "label"
    assert len(scan.sample(10**6).X) == 300
    with pytest.raises(ValueError, match="n "):
        scan.sample(0)


def test_an_old_stream_of_numbers_does_not_say_which_rows_are_drawn(tmp_path):
    chosen = np.random.default_rng(1).choice(300, 50, replace=False)
    frame = pd.DataFrame({"row": np.arange(300.0), "y": np.arange(300) % 2})
    sample = rt.scan(write(frame, tmp_path), "y").sample(50, seed=1)
    assert set(sample.X["row"].astype(int)) != set(chosen.tolist())


def test_no_whole_file_is_in_memory(tmp_path):
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    n = 1 << 19
    x = np.random.default_rng(1).random((8, n))
    table = pa.table([*x, np.arange(n) % 2], names=[*"abcdefgh", "y"])
    for group in (n, 1 << 16):
        parquet.write_table(table, tmp_path / f"{group}.parquet", row_group_size=group)
    del table
    for group in (n, 1 << 16):
        before, most = pa.total_allocated_bytes(), []
        for _ in rt.scan(tmp_path / f"{group}.parquet", "y").frames():
            most.append(pa.total_allocated_bytes() - before)
        assert len(most) == 8
        assert max(most) < 1.5 * x.nbytes, "its bytes and its numbers would be twice as many"


def test_an_index_that_was_saved_is_no_attribute(tmp_path):
    data = rt.load("iris")
    frame = data.frame[data.frame.index % 3 > 0]
    frame.to_parquet(tmp_path / "kept.parquet")
    frame.set_index(frame.columns[0]).to_parquet(tmp_path / "named.parquet")
    scan = rt.scan(tmp_path / "kept.parquet", "class")
    assert scan.names == list(data.X.columns)
    memory = rt.C44().fit(frame.drop(columns="class"), frame["class"])
    assert np.array_equal(rt.C44().fit(scan).tree_.counts, memory.tree_.counts)
    assert rt.scan(tmp_path / "named.parquet", "class").names == list(data.X.columns[1:])


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_without_a_value_of_a_column_says_nothing_of_its_type(kind, tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "t": ["a", "b", "a", "b"], "y": list("nyny")})
    empty = pd.DataFrame({"x": [None], "t": [None], "y": ["n"]}, dtype=object)
    for number, part in enumerate([empty, frame, empty, frame.iloc[:0]]):
        path = tmp_path / f"{number}.{kind}"
        part.to_csv(path, index=False) if kind == "csv" else part.to_parquet(path)
    model = rt.DecisionTree().fit(rt.scan(tmp_path, "y"))
    whole = pd.concat([empty, frame, empty], ignore_index=True).astype({"x": float})
    memory = rt.DecisionTree().fit(whole[["x", "t"]], whole["y"])
    assert model.tree_.schema == memory.tree_.schema
    assert np.array_equal(model.tree_.counts, memory.tree_.counts)


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
        scans = read / (n * 21 / 1e6)  # a byte for each of 20 attributes and the class
        assert scans == pytest.approx(round(scans))
        assert scans <= 6
    assert peaks[0] < 250
    assert peaks[1] < 1.2 * peaks[0]
