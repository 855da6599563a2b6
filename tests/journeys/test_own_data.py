"""Data of one's own: a CSV file to a model and a query; files larger than memory, a killed fit."""

import json
import os
import subprocess
import sys
import time

import duckdb
import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

AGAIN = """
import json
import ranktrees as rt
X = rt.read_csv("loans.csv", target="paid").X.drop(columns="opened")
print(json.dumps(rt.load_model("model.json").predict_proba(X).tolist()))
"""


def test_from_a_csv_file_to_a_query_and_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    credit = rt.load("credit-g")
    frame = credit.X.iloc[:240, :3].mask(np.random.default_rng(5).random((240, 3)) < 0.1)
    frame = frame.set_axis(["$p <b>", "months", "history"], axis=1).assign(paid=credit.y[:240])
    opened = pd.date_range("2026-01-01", periods=240).astype(str)
    frame.assign(opened=opened).to_csv("loans.csv", index=False)
    with pytest.warns(UserWarning, match="column 'opened' holds dates as text: .* or drop it"):
        data = rt.read_csv("loans.csv", target="paid")
    data = rt.read_csv("loans.csv", target="paid", **data.doubts[0].remedy)
    assert list(data.X) == ["$p <b>", "months", "history"]
    results = rt.compare({"path": rt.PathBayes(), "C4.4": rt.C44()}, [data], progress=False)
    assert results.table("auc").to_numpy().min() > 0.6
    assert "$p <b>" in str(rt.PathBayes().fit(data.X, data.y).explain(data.X.iloc[3]))

    tree = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
    proba = tree.predict_proba(data.X)
    loans = data.X.assign(id=range(len(data.X)))
    with duckdb.connect() as database:
        database.register("loans", loans)
        rows = database.sql(f"SELECT * FROM ({tree.to_sql('loans', keep='id')}) ORDER BY id").df()
    np.testing.assert_allclose(rows.iloc[:, -2:].to_numpy(float), proba, atol=1e-12)

    rt.save(tree, "model.json")
    command = [sys.executable, "-c", AGAIN]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert np.array_equal(json.loads(done.stdout), proba)


ROWS, ROOM = 200_000, 600_000_000  # bytes over what the libraries map into memory
FIT = f"""
import resource
import duckdb, pandas, pyarrow.parquet
import ranktrees as rt
model = rt.DecisionTree(max_depth=6)
with open("/proc/self/statm") as pages:
    mapped = int(pages.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (mapped + {ROOM},) * 2)
loans = rt.scan("loans/*.parquet", target="group")
model.fit(loans, budget="16MB")
print("fitted", flush=True)
loans.write_proba(model, "proba.parquet")
"""


def python(folder, *arguments):
    """A process in the folder, and so are its temporary files."""
    environment = os.environ | {"TMPDIR": str(folder / "temporary")}
    return subprocess.Popen([sys.executable, *arguments], cwd=folder, env=environment)


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_killed_in_mid_scan_and_begun_again(tmp_path):
    (tmp_path / "temporary").mkdir()
    make = "-m ranktrees generate agrawal --out loans --function 5 --rows"
    assert python(tmp_path, *make.split(), str(ROWS)).wait() == 0

    fit = python(tmp_path, "-c", FIT)
    while fit.poll() is None and not any((tmp_path / "temporary").iterdir()):
        time.sleep(0.01)
    fit.kill()
    assert fit.wait() != 0
    assert not (tmp_path / "proba.parquet").exists()
    left = list((tmp_path / "temporary").iterdir())
    assert left, "a process that is killed cannot tidy up"
    for folder in left:  # as if it had lain there since the day before yesterday
        os.utime(folder, (time.time() - 2 * 86_400,) * 2)

    assert python(tmp_path, "-c", FIT).wait() == 0
    assert list((tmp_path / "temporary").iterdir()) == []
    frame = pd.concat(map(pd.read_parquet, sorted((tmp_path / "loans").glob("*.parquet"))))
    memory = rt.DecisionTree(max_depth=6).fit(frame.drop(columns="group"), frame["group"])
    written = pd.read_parquet(tmp_path / "proba.parquet").to_numpy()
    assert np.array_equal(written, memory.predict_proba(frame.drop(columns="group")))
