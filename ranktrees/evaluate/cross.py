"""Cross-validation of anything with fit and predict_proba."""

import time

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.evaluate.fitting import (
    Task,
    check_model,
    find_measures,
    fit_all,
    predict_all,
    read_task,
)
from ranktrees.evaluate.folds import fold_numbers, fold_rows
from ranktrees.evaluate.progress import bar
from ranktrees.warn import WarnOnce

STANDARD = ("accuracy", "auc", "brier", "log_loss")


def cross_validate(
    model,
    data,
    y=None,
    *,
    k=10,
    runs=1,
    seed=1,
    folds="stratified",
    measures=STANDARD,
    progress=False,
) -> pd.DataFrame:
    """Measures of a model on cases that it was not trained on: a row for each run and fold.

    `data`: a `Dataset` (identifiers are dropped), or X with `y`, or a pair (X, y). `folds`:
    "stratified", "weka", "leave-one-out" or fold numbers (n,). Run r draws its folds with seed + r.
    `progress`: True for a bar, False for none, None for one once the work has taken two seconds.
    Columns: run, fold, n_train, n_test, seconds (to fit and predict; the folds of a run share the
    time equally), then the measures, nan where a fold leaves one undefined. Leave-one-out gives
    a single row, measured over all predictions together, since one case has no ranking.
    Raises ValueError for unknown measures or folds, k below 2 or above n; warns where a class has
    fewer than k cases. Warnings that folds repeat are given once.
    """
    check_model(model)
    scores = find_measures(measures)
    check_runs(runs, seed, folds)
    task, rows = read_task(data, y), []
    with WarnOnce(), bar(runs, progress, "runs") as advance:
        for run in range(runs):
            fold = fold_numbers(task.y, k, seed + run, folds)
            rows += [{"run": run, **row} for row in evaluate(model, task, fold, scores)]
            advance()
    return pd.DataFrame(rows)


def cross_val_proba(model, data, y=None, *, k=10, seed=1, folds="stratified") -> np.ndarray:
    """Probabilities (n, C) of each case by the model whose training did not hold it.

    Arguments as in `cross_validate`; a column for every declared class.
    """
    check_model(model)
    task = read_task(data, y)
    with WarnOnce():
        fold = fold_numbers(task.y, k, seed, folds)
        return _out_of_fold(model, task, fold)[0]


def check_runs(runs: int, seed: int, folds) -> None:
    """Raise for runs below 1, a seed below 0, and for runs that would all be the same."""
    check_number("runs", runs, 1, whole=True)
    check_number("seed", seed, 0, whole=True)
    if runs > 1 and (not isinstance(folds, str) or folds == "leave-one-out"):
        raise ValueError(f"runs={runs} of the same folds would give the same numbers: use runs=1")


def evaluate(model, task: Task, fold: np.ndarray, scores: dict) -> list[dict]:
    """A row of sizes, seconds and measures for every fold; one for all where each tests one."""
    proba, seconds = _out_of_fold(model, task, fold)
    sizes = np.bincount(fold)
    n, k = len(fold), len(sizes)
    if k == n:
        return [_row(0, n - 1, n * seconds, task.codes, proba, scores)]
    tests = [test for _, test in fold_rows(fold)]
    return [
        _row(f, n - sizes[f], seconds, task.codes[test], proba[test], scores)
        for f, test in enumerate(tests)
    ]


def _row(fold, n_train, seconds, codes, proba, scores):
    row = {"fold": fold, "n_train": int(n_train), "n_test": len(codes), "seconds": seconds}
    return row | {name: float(score(codes, proba)) for name, score in scores.items()}


def _out_of_fold(model, task, fold):
    """Probabilities (n, C), each case's when it was tested, and the seconds that a fold took."""
    splits, start = fold_rows(fold), time.perf_counter()
    tests, proba = [test for _, test in splits], np.empty((len(fold), len(task.classes)))
    models = fit_all(model, task, [train for train, _ in splits])
    for test, found in zip(tests, predict_all(model, models, task, tests), strict=True):
        proba[test] = found
    return proba, (time.perf_counter() - start) / len(splits)
