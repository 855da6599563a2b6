"""The queries in PostgreSQL, where its programs are installed and may run."""

import io
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles import quietly

import ranktrees as rt

TYPEOF = (Path(__file__).parents[2] / "docs/for-practitioners.md").read_text("utf-8")
TYPEOF = TYPEOF.split('typeof = """')[1].split('"""')[0]
MODELS = {
    "C4.4": rt.C44(),
    "cuts": rt.C44(numeric="thresholds", missing="value"),
    "naive Bayes": rt.NaiveBayes(),
    "path Bayes": rt.PathBayes(),
    "path forest": rt.PathForest(2),
}


@pytest.fixture(scope="module")
def ask():
    """A function that runs SQL in a cluster of its own and returns what it says."""
    if not all(map(shutil.which, ("initdb", "pg_ctl", "psql"))):
        pytest.skip("PostgreSQL is not installed")
    user = "postgres" if os.getuid() == 0 else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        if user:
            shutil.chown(place, user)
        how = {"check": True, "cwd": place, "user": user}
        said = {**how, "capture_output": True, "text": True}
        subprocess.run(["initdb", "-D", f"{place}/data", "-A", "trust", "-U", "me"], **said)
        control = ["pg_ctl", "-D", f"{place}/data", "-w", "-l", f"{place}/log"]
        subprocess.run([*control, "-o", f"-k {place} -c listen_addresses=", "start"], **how)

        def run(sql):
            command = ["psql", "-h", place, "-U", "me", "-d", "postgres", "-X", "-q", "--csv"]
            return subprocess.run([*command, "-v", "ON_ERROR_STOP=1"], input=sql, **said).stdout

        try:
            run(TYPEOF)
            yield run
        finally:
            subprocess.run([*control, "stop"], **how)


def filled(X):
    """SQL that makes a table of these cases, each with its number."""
    columns = [f'"{name}" {"float8" if X[name].dtype.kind in "fi" else "text"}' for name in X]
    made = f"DROP TABLE IF EXISTS cases; CREATE TABLE cases ({', '.join(columns)}, id int);"
    rows = X.assign(id=range(len(X))).to_csv(index=False, header=False)
    return f"{made}\nCOPY cases FROM STDIN WITH (FORMAT csv);\n{rows}\\.\n"


@pytest.mark.parametrize("name", ["labor", "iris", "monks-1"])
@pytest.mark.parametrize("title", MODELS)
def test_a_query_says_what_the_model_says(ask, name, title):
    data = rt.load(name)
    X = data.X.apply(lambda x: x if x.dtype.kind in "fi" else x.astype(object))
    model, made = quietly(MODELS[title].fit, X, data.y), ""
    if title.startswith("path"):
        made, query = model.to_sql("cases", "id", tables=True)
        made = f"DROP TABLE IF EXISTS cases_factors; {made}"
    else:
        query = model.to_sql("cases", "id")
    found = pd.read_csv(io.StringIO(ask(f"{filled(X)}{made}\n{query};"))).sort_values("id")
    assert np.abs(found.iloc[:, 1:].to_numpy(float) - model.predict_proba(X)).max() < 1e-9
