"""Data larger than memory: trees from files, beside those that need all cases in memory.

Agrawal's function 5 with 5 % noise, 11 numbers and 9 nominal attributes. Each fit has a process
of its own: processor seconds, and the peak of its memory over what it had before.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import peak

DATA = {"function": 5, "noise": 0.05, "extra": 11}
ROWS = (1_000_000, 10_000_000)
FILES = {
    "files, depth 6": ("rf-read", "256MB", 6),
    "files, depth 6, rf-hybrid, 64 MB": ("rf-hybrid", "64MB", 6),
    "files, full C4.4, rf-hybrid, 64 MB": ("rf-hybrid", "64MB", None),
}
MEMORY = (
    "memory, depth 6",
    "scikit-learn, depth 6",
    "boosting, one iteration",
    "LightGBM, one tree",
)


def scale_table(sizes=ROWS) -> tuple[pd.DataFrame, list[str]]:
    """Measure each number of rows and way: seconds, megabytes of memory and read, and nodes."""
    rows, missing = [], []
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            rt.data.write_agrawal(folder, n, **DATA)
            for name in (*FILES, *MEMORY):
                call = [sys.executable, "-m", "benchmarks.scale", folder, name]
                done = subprocess.run(call, capture_output=True, text=True)
                if done.returncode:
                    why = (done.stderr.strip() or f"exit {done.returncode}").splitlines()[-1]
                    missing.append(f"{name}, {n:,} rows: {why}")
                    continue
                values = dict(zip(COLUMNS, map(float, done.stdout.split()), strict=True))
                rows.append({"rows": f"{n:,}", "": name, **values})
    return pd.DataFrame(rows).set_index("rows"), missing


COLUMNS = ("before growing, s", "growing, s", "peak MB", "MB read", "nodes")


def model_of(depth, n) -> rt.DecisionTree:
    """Return a tree of this depth, nodes of a thousandth of the cases; if None, a full C4.4."""
    return rt.C44() if depth is None else rt.DecisionTree(max_depth=depth, min_parent=n // 1000)


def from_files(folder, algorithm, budget, depth) -> tuple:
    """Measure seconds before growing and of it, peak megabytes, megabytes read, and nodes."""
    from ranktrees_files.scale import fit

    scan, log, base = rt.scan(folder, "group"), fit.Log(), peak()
    n = sum(len(frame) for _, frame in scan.frames(["group"]))
    start = time.process_time()
    marks = []
    fit.grow_part = mark(fit.grow_part, marks)
    model = fit.fit_tree(model_of(depth, n), scan, budget, algorithm=algorithm, log=log)
    growing = marks[0]
    total = time.process_time() - start
    read = sum(record["read"] for record in log.levels.values())
    return total - growing, growing, peak() - base, read / 1e6, len(model.tree_)


def mark(function, seconds):
    """Return the same function, which notes the processor seconds of its first call."""

    def timed(*arguments):
        start = time.process_time()
        result = function(*arguments)
        seconds.append(time.process_time() - start)
        return result

    return timed


def from_memory(folder, name) -> tuple:
    """Measure the same columns for a fit on cases in memory, as codes if the model takes them."""
    frame = pd.read_parquet(folder)
    y = frame.pop("group")
    base, start = peak(), time.process_time()
    codes = rt.Encoder().fit_transform(frame)
    before = time.process_time() - start
    X = codes if name.startswith("memory") else codes.values.astype(np.float32)
    model, start = rival(name, len(y)), time.process_time()
    model.fit(X, y.cat.codes if name == "LightGBM, one tree" else y)
    growing = time.process_time() - start
    nodes = len(model.tree_) if name.startswith("memory") else np.nan
    if name.startswith("scikit"):
        nodes = model.tree_.node_count
    return before, growing, peak() - base, np.nan, nodes


def rival(name, n):
    """Return a model that needs its cases in memory."""
    if name.startswith("memory"):
        return model_of(6, n)
    if name.startswith("scikit"):
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(max_depth=6, min_samples_split=n // 1000, random_state=1)
    if name.startswith("boosting"):
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(max_iter=1, max_leaf_nodes=64, random_state=1)
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=1, num_leaves=64, n_jobs=1, verbose=-1)


if __name__ == "__main__":
    folder, name = sys.argv[1:]
    here = Path(folder)
    print(*(from_files(here, *FILES[name]) if name in FILES else from_memory(here, name)))
