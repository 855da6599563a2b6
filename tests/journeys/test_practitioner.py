"""The practitioner: a table of one's own as CSV, to a model in a file and a query in a database."""

import json
import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

ROWS = 240
AGAIN = """
import json
import ranktrees as rt
X = rt.read_csv("loans.csv", target="paid").X.drop(columns="opened")
print(json.dumps(rt.load_model("model.json").predict_proba(X).tolist()))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with loans.csv: numbers, text, gaps, a date, a name with letters of HTML and TeX."""
    rng = np.random.default_rng(5)
    income, region = rng.normal(30, 9, ROWS).round(2), rng.choice(["north", "south", "a, b"], ROWS)
    paid = np.where(income + 6 * (region == "north") + rng.normal(0, 6, ROWS) > 31, "yes", "no")
    frame = pd.DataFrame(
        {
            "opened": pd.date_range("2026-01-01", periods=ROWS).astype(str),
            "$p <b>": np.where(rng.random(ROWS) < 0.1, np.nan, income),
            "region": np.where(rng.random(ROWS) < 0.1, None, region),
            "member": rng.random(ROWS) < 0.5,
            "paid": paid,
        }
    )
    frame.to_csv(tmp_path / "loans.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_a_csv_file_to_a_query_and_a_file(folder):
    with pytest.warns(UserWarning, match="column 'opened' holds dates as text: .* or drop it"):
        data = rt.read_csv("loans.csv", target="paid")
    data = rt.read_csv("loans.csv", target="paid", **data.doubts[0].remedy)
    assert list(data.X) == ["$p <b>", "region", "member"]
    results = rt.compare({"path": rt.PathBayes(), "C4.4": rt.C44()}, [data], progress=False)
    assert results.table("auc").to_numpy().min() > 0.6
    assert "$p <b>" in str(rt.PathBayes().fit(data.X, data.y).explain(data.X.iloc[3]))

    tree = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
    proba = tree.predict_proba(data.X)
    loans = data.X.assign(id=range(ROWS))
    with duckdb.connect() as database:
        database.register("loans", loans)
        rows = database.sql(f"SELECT * FROM ({tree.to_sql('loans', keep='id')}) ORDER BY id").df()
    assert rows["id"].tolist() == loans["id"].tolist()
    np.testing.assert_allclose(rows.iloc[:, -2:].to_numpy(float), proba, atol=1e-12)

    rt.save(tree, "model.json")
    command = [sys.executable, "-c", AGAIN]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert np.array_equal(json.loads(done.stdout), proba)
