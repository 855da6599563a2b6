"""Fit time of DecisionTree against Weka's J48 and scikit-learn's tree, on the same codes.

All three grow without pruning, with two cases a branch and four a node at least. J48 and
DecisionTree choose by gain ratio and branch on every value; scikit-learn's tree chooses by entropy
and cuts the codes in two, the nearest it offers. J48 runs in process on a warm Java machine.
"""

import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.weka import PeerMissing, time_j48
from ranktrees_lab.data import FetchError

SETS = (
    "vehicle",
    "vowel",
    "kr-vs-kp",
    "segment",
    "waveform-5000",
    "mushroom",
    "nursery",
    "letter",
    "pendigits",
    "breast-cancer",
    "credit-g",
    "soybean",
    "audiology",
    "iris",
)
RULES = {"min_parent": 4, "min_child": 2, "child_rule": "two", "tie": 1e-6}


def fit_table(names=SETS, seconds: float = 1.0) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds per fit, a row per data set; list what was missing."""
    return each_set(names, lambda data: _one_set(data, seconds))


def each_set(names, measure) -> tuple[pd.DataFrame, list[str]]:
    """Collect a row from `measure(data) -> row, missing` per data set, and all that was missing."""
    rows, missing = [], []
    for name in names:
        try:
            data = rt.load(name)
        except FetchError as error:
            missing.append(f"data set {name}: {error}")
            continue
        row, absent = measure(data)
        rows.append(row)
        missing += [line for line in absent if line not in missing]
    return pd.DataFrame(rows).set_index("data set"), missing


def _one_set(data, seconds):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        X = data.X.drop(columns=list(data.ids))
        codes = rt.Encoder().fit_transform(X)
        model, missing = rt.DecisionTree(criterion="gain_ratio", **RULES), []
        row = {"data set": data.name, "cases": len(data), "attributes": X.shape[1]}
        row |= {"classes": len(data.y.categories)}
        row["J48"], row["J48 nodes"] = peer(missing, _j48, codes, data.y)
        row["codes"] = best_ms(lambda: model.fit(codes, data.y), seconds)
        row["nodes"] = len(model.tree_)
        row["scikit-learn"], row["s-l nodes"] = peer(missing, _sklearn, codes, data.y, seconds)
        row["DataFrame"] = best_ms(lambda: model.fit(X, data.y), seconds)
    return row, missing


def peer(missing, run, *arguments):
    try:
        return run(*arguments)
    except (PeerMissing, ModuleNotFoundError) as error:
        missing.append(f"peer: {error}")
        return np.nan, 0


def _j48(codes, y):
    found = time_j48(codes.values, codes.sizes, y.codes, len(y.categories))
    return found["best_ms"], found["nodes"]


def _sklearn(codes, y, seconds):
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(
        criterion="entropy", min_samples_split=4, min_samples_leaf=2, random_state=1
    )
    X, target = codes.values.astype(np.float32), y.codes
    return best_ms(lambda: tree.fit(X, target), seconds), tree.tree_.node_count


def peak() -> float:
    """Return the most memory that this process has had, in megabytes.

    On Linux ru_maxrss begins with what the process that started this one held; VmHWM does not.
    """
    import resource

    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1]) / 1024
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / (2**20 if sys.platform == "darwin" else 1024)


def best_ms(run, seconds, least=5):
    """Return the best of as many runs as fit into `seconds`, after one to warm up."""
    run()
    times, end = [], time.perf_counter() + seconds
    while len(times) < least or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def with_ratios(table: pd.DataFrame) -> pd.DataFrame:
    """Add to the table the ratios to both peers, from codes and from a DataFrame, and medians."""
    table = table.copy()
    for peer in ("J48", "scikit-learn"):
        for start in ("codes", "DataFrame"):
            table[f"{start} / {peer}"] = table[start] / table[peer]
    ratios = table.filter(like=" / ")
    table.loc["median"] = ratios.median()
    return table
