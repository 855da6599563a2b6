"""What a user would write instead: scikit-learn's pipeline from a DataFrame; and a million rows.

Each million-row fit runs in a process of its own, whose peak memory is measured.
"""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import SETS, best_ms, each_set, peak, peer
from ranktrees_engine.reading.schema import AttributeInfo

ROWS, ATTRIBUTES, VALUES = 1_000_000, 20, 10


def pipeline_table(names=SETS, seconds: float = 1.0) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds to grow a tree of binary cuts from a DataFrame, a row per data set."""
    table, missing = each_set(names, lambda data: _one_set(data, seconds))
    table["ratio"] = table["ranktrees"] / table["pipeline"]
    numeric = table["numbers"] > 0
    for label, rows in {"median": table, "median with numbers": table[numeric]}.items():
        table.loc[label, "ratio"] = rows["ratio"].median()
    return table, missing


def _one_set(data, seconds):
    X, missing = data.X.drop(columns=list(data.ids)), []
    model = rt.DecisionTree(criterion="gini", numeric="thresholds")
    row = {"data set": data.name, "cases": len(data), "attributes": X.shape[1]}
    row["numbers"] = X.select_dtypes("number").shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        row["ranktrees"] = best_ms(lambda: model.fit(X, data.y), seconds)
        row["pipeline"], _ = peer(missing, _pipeline, X, data.y.codes, seconds)
    return row, missing


def _pipeline(X, y, seconds):
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    names = make_pipeline(SimpleImputer(strategy="most_frequent"), OrdinalEncoder())
    read = make_column_transformer(
        (SimpleImputer(), make_column_selector(dtype_include="number")),
        (names, make_column_selector(dtype_exclude="number")),
    )
    model = make_pipeline(read, DecisionTreeClassifier(random_state=1))
    return best_ms(lambda: model.fit(X, y), seconds), 0


def million_table() -> tuple[pd.DataFrame, list[str]]:
    """Measure seconds and megabytes to grow a full C4.4 on a million rows of twenty codes."""
    rows, missing = [], []
    for name in ("ranktrees", "scikit-learn"):
        call = [sys.executable, "-m", "benchmarks.large", name]
        done = subprocess.run(call, capture_output=True, text=True)
        if done.returncode:
            missing.append(f"{name}: {done.stderr.strip().splitlines()[-1]}")
            continue
        seconds, megabytes, nodes = map(float, done.stdout.split())
        rows.append({"": name, "seconds": seconds, "peak MB": megabytes, "nodes": nodes})
    return pd.DataFrame(rows).set_index(""), missing


def codes_and_classes() -> tuple[np.ndarray, np.ndarray]:
    """Draw a million cases of twenty attributes of ten codes; the class depends on five of them."""
    rng = np.random.default_rng(1)
    X = np.empty((ROWS, ATTRIBUTES), np.int8)
    for j in range(ATTRIBUTES):
        X[:, j] = rng.integers(0, VALUES, ROWS, np.int8)
    signal = (X[:, 0] > 4).astype(float)
    signal += X[:, 1] + X[:, 2] > 9
    signal += 0.7 * (X[:, 3] == X[:, 4])
    return X, (signal + 0.4 * rng.normal(size=ROWS) > 1.3).astype(int)


def grow_million(name: str) -> tuple[float, float, int]:
    """Measure processor seconds, peak megabytes above the data, and nodes of one fit."""
    import time

    X, y = codes_and_classes()
    if name == "ranktrees":
        values = tuple(range(VALUES))
        infos = (AttributeInfo(f"a{j}", "nominal", values) for j in range(ATTRIBUTES))
        model, given = rt.C44(), rt.Codes(X, tuple(infos))
    else:
        from sklearn.tree import DecisionTreeClassifier

        model = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=1)
        given = X.astype(np.float32)
    before = peak()
    start = time.process_time()
    model.fit(given, y)
    seconds = time.process_time() - start
    more, tree = peak() - before, model.tree_
    return seconds, more, len(tree) if name == "ranktrees" else tree.node_count


if __name__ == "__main__":
    print(*grow_million(sys.argv[1]))
