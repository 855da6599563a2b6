"""Ten-fold cross-validation of C4.4: ten fits on nine tenths each, and predictions of the rest.

Weka's `J48 -U -A` does the same, on the same codes and folds, in process on a warm Java machine;
its sets are cut before the clock runs. The folds' trees grow together (`fit_folds`); beside that
stand ten single fits.
"""

import warnings

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import SETS, best_ms, each_set, peer
from benchmarks.weka import time_j48
from ranktrees_engine.evaluate import stratified_folds
from ranktrees_engine.evaluate.fitting import take_rows


def cross_table(names=SETS, seconds: float = 1.0) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds per cross-validation, a row per data set; list what was missing."""
    table, missing = each_set(names, lambda data: _one_set(data, seconds))
    for start in ("codes", "single fits", "DataFrame"):
        table[f"{start} / J48"] = table[start] / table["J48"]
    table.loc["median"] = table.filter(like=" / ").median()
    return table, missing


def _one_set(data, seconds):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        data = rt.prepare(data, "papers")
        codes, missing = rt.Encoder().fit_transform(data.X), []
        fold = stratified_folds(data.y, 10, seed=1)
        row = {"data set": data.name, "cases": len(data)}
        row["J48"], _ = peer(missing, _j48, codes, data.y, fold)
        inside = [np.flatnonzero(fold == f) for f in range(10)]
        outside = [np.flatnonzero(fold != f) for f in range(10)]
        row["codes"] = best_ms(lambda: together(codes, data.y, outside, inside), seconds)
        row["single fits"] = best_ms(lambda: one_by_one(codes, data.y, outside, inside), seconds)
        row["DataFrame"] = best_ms(lambda: together(data.X, data.y, outside, inside), seconds)
    return row, missing


def together(X, y, outside, inside) -> list:
    """Return probabilities (n_f, C) of each fold from models that grew together."""
    model = rt.C44()
    return model.predict_folds(model.fit_folds(X, y, outside), X, inside)


def one_by_one(X, y, outside, inside) -> list:
    """Return the same from single fits."""
    return [
        rt.C44().fit(take_rows(X, train), y[train]).predict_proba(take_rows(X, test))
        for train, test in zip(outside, inside, strict=True)
    ]


def _j48(codes, y, fold):
    options = {"options": ("-U", "-A"), "folds": fold, "repeats": 15}
    found = time_j48(codes.values, codes.sizes, y.codes, len(y.categories), **options)
    return found["best_ms"], found["nodes"]
