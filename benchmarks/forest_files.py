"""A path forest that learns from files, beside itself and LightGBM with all cases in memory.

Agrawal's function 5 with 5 % noise; 20 columns, or 47 of which 38 are numbers. Each fit has a
process of its own: processor seconds with reading, the peak of the whole process, and the forest's
nodes and megabytes.

    python -m benchmarks.forest_files 1e6 --columns 20 47
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import peak
from ranktrees_files.scale.memory import array_bytes

BUDGET = "256MB"
MODELS = "path forest, files", "path forest, memory", "LightGBM, memory"
NUMBERS = ("seconds", "peak MB", "forest MB", "nodes")
APART = 1e-12  # at most, of probabilities


def files_table(rows, columns=(20, 47), models=MODELS) -> tuple[pd.DataFrame, list[str]]:
    """Measure processor seconds, megabytes and nodes by rows, columns and model."""
    measured, missing = [], []
    for n in rows:
        for width in columns:
            with tempfile.TemporaryDirectory() as folder:
                rt.data.write_agrawal(folder, n, 5, 0.05, extra=width - 9)
                for name in models:
                    call = [sys.executable, "-m", "benchmarks.forest_files", name, folder]
                    done = subprocess.run(call, capture_output=True, text=True)
                    if done.returncode:
                        missing.append(f"{name}: {done.stderr.strip().splitlines()[-1]}")
                        continue
                    found = dict(zip(NUMBERS, map(float, done.stdout.split()), strict=True))
                    measured.append({"rows": f"{n:,}", "columns": width, "": name, **found})
    return pd.DataFrame(measured).set_index("rows"), missing


def measure(name: str, folder: Path) -> tuple[float, float, float, float]:
    """Fit the model of this name to files of a folder: the `NUMBERS`."""
    start, held = time.process_time(), np.nan
    if name == MODELS[0]:
        model = rt.PathForest().fit(rt.scan(folder, "group"), budget=BUDGET)
        held = sum(map(array_bytes, (*model.trees_, *model.ended_))) / 2**20
    else:
        X = pd.read_parquet(folder)
        y = X.pop("group")
        model = (rt.PathForest() if name == MODELS[1] else _boosted()).fit(X, y)
    nodes = sum(map(len, model.trees_)) if hasattr(model, "trees_") else np.nan
    return time.process_time() - start, peak(), held, nodes


def _boosted():
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=1, verbose=-1)


def traffic_table(folder: Path, budget: str = BUDGET) -> pd.DataFrame:
    """Count what each level of the trees that grow together reads, and the bytes of its tables."""
    from ranktrees_files.scale.forest_fit import fit_forest
    from ranktrees_files.scale.log import Log

    log = Log()
    fit_forest(rt.PathForest(weights="equal"), rt.scan(folder, "group"), budget, log=log)
    return log.table()


def compare(n: int, width: int) -> float:
    """Return how far apart the forests of files and of memory are; all trees must be the same."""
    with tempfile.TemporaryDirectory() as folder:
        rt.data.write_agrawal(folder, n, 5, 0.05, extra=width - 9)
        frame = pd.read_parquet(folder)
        y = frame.pop("group")
        model = rt.PathForest().fit(rt.scan(folder, "group"), budget=BUDGET)
        memory = rt.PathForest().fit(frame, y)
    for one, other in zip(model.trees_, memory.trees_, strict=True):
        for part in ("parent", "attribute", "cut", "child", "offset", "counts"):
            if not np.array_equal(getattr(one, part), getattr(other, part)):
                raise AssertionError(f"{one!r} and {other!r} differ in {part}")
    new = rt.agrawal(2000, 5, 0.05, seed=2, extra=width - 9).X
    return float(np.abs(model.predict_proba(new) - memory.predict_proba(new)).max())


def main() -> None:
    """Measure and print a table, or the numbers of one fit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forest_files")
    parser.add_argument("what", nargs="+", help="rows, or the name of a model and its folder")
    parser.add_argument("--columns", type=int, nargs="+", default=[20, 47])
    parser.add_argument("--compare", action="store_true", help="with the forest of memory")
    options = parser.parse_args()
    if options.what[0] in MODELS:
        print(*measure(options.what[0], Path(options.what[1])))
        return
    rows = [int(float(n)) for n in options.what]
    if options.compare:
        for n in rows:
            for width in options.columns:
                apart = compare(n, width)
                print(f"{n:,} rows, {width} columns: the same trees, {apart:.1e} apart")
                if apart > APART:
                    raise AssertionError(f"probabilities differ by more than {APART}")
        return
    table, missing = files_table(rows, options.columns)
    print(table.round(0).to_markdown(), *missing, sep="\n")


if __name__ == "__main__":
    main()
