"""Folders called column=value are columns of a scan, as Hive, Spark and pyarrow write them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import ranktrees as rt


def table(n=60):
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.normal(size=n).round(2), "t": rng.choice([*"abc"], n)})
    X["n"], X["c"] = np.arange(n) % 3 - 1, ["a b", "ä/=", None] * (n // 3)
    return X.assign(y=np.where(X["x"] + X["n"] > 0, "p", "q"))


def partitioned(frame, folder, by, ending="parquet"):
    """The frame in files of folders as pyarrow writes them, or in the same ones as CSV."""
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    ds.write_dataset(arrow, folder, format="parquet", partitioning=by, partitioning_flavor="hive")
    for path in [*folder.rglob("*.parquet")] if ending == "csv" else ():
        pd.read_parquet(path, partitioning=None).to_csv(path.with_suffix(".csv"), index=False)
        path.unlink()
    return folder


def in_order(frame):
    return frame.sort_values([*frame], ignore_index=True).fillna("none")


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("by", [["n"], ["c", "n"], ["y"]], ids=str)
def test_a_scan_of_partitions_is_the_table(by, ending, tmp_path):
    frame = table().dropna(axis=1) if ending == "csv" and "c" not in by else table()
    folder = partitioned(frame, tmp_path / "d", by, ending)
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / f"half.{ending}").write_text("x")
    names = [name for name in frame if name not in by] + by
    for files in (folder, f"{folder}/{'*=*/' * len(by)}*.{ending}"):
        scan = rt.scan(files, "y")
        assert scan.names == [name for name in names if name != "y"]
        found = pd.concat([part for _, part in scan.frames(names)])
        pd.testing.assert_frame_equal(in_order(found), in_order(frame[names]), check_dtype=False)
        assert sum(len(part) for _, part in scan.frames(by)) == len(frame)
    model = rt.DecisionTree().fit(scan)
    data = scan.sample(100)
    again = rt.DecisionTree().fit(data.X, data.y)
    assert str(model.tree_) == str(again.tree_)
    assert (np.concatenate([*model.predict_proba(scan)]) == again.predict_proba(data.X)).all()


def test_a_column_of_folders_that_is_no_column_is_refused(tmp_path):
    folder = partitioned(table(), tmp_path / "d", ["n"])
    (path,) = (folder / "n=1").iterdir()
    table().to_parquet(path)
    with pytest.raises(ValueError, match="has a column 'n', and so has the folder"):
        rt.scan(folder, "y")
    path.unlink()
    (folder / "n=1").rename(folder / "m=1")
    table().drop(columns="n").to_parquet(folder / "m=1" / "a.parquet")
    with pytest.raises(ValueError, match="lacks column 'm'"):
        rt.scan(folder, "y")


def test_a_folder_whose_own_files_are_meant_has_no_other(tmp_path):
    (tmp_path / "old").mkdir()
    for path in ("old/b.parquet", "a.parquet"):
        table().to_parquet(tmp_path / path)
        assert rt.scan(tmp_path, "y").files == [tmp_path / path]
