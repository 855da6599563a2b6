"""Cross-validation of anything with fit and predict_proba."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.base import check_same_length, fit_each, line_up, take_rows
from ranktrees.columns import as_array
from ranktrees.encode import Codes
from ranktrees.evaluate.folds import fold_numbers, fold_rows
from ranktrees.evaluate.measures import find_measures
from ranktrees.labels import is_declared, read_classes
from ranktrees.warn import WarnOnce

STANDARD = ("accuracy", "auc", "brier", "log_loss")
PATIENCE = 2.0  # seconds before a progress bar appears by itself


class Task(NamedTuple):
    """Data to be learnt: X, y (n,) as declared, its class codes (n,) and the sorted classes."""

    X: object
    y: pd.Categorical
    codes: np.ndarray
    classes: pd.Index


def read_task(data, y=None) -> Task:
    """The task in a `Dataset`, without its identifiers, or in X and y, given apart or as a pair.

    Raises TypeError or ValueError, saying what to give, for anything else.
    """
    if hasattr(data, "X") and hasattr(data, "y"):
        if y is not None:
            raise TypeError(
                f"a Dataset holds its classes, so that y cannot be {y!r}: name settings, as in k=10"
            )
        X, y = data.X.drop(columns=list(data.ids)), data.y
    else:
        pair = y is None and isinstance(data, tuple) and len(data) == 2
        X, y = data if pair else (data, y)
    if y is None:
        raise TypeError("the classes are missing: give a Dataset, X and y, or a pair (X, y)")
    if not np.ndim(y):
        raise TypeError(f"y must hold a class for each case, not {y!r}: name settings, as in k=10")
    X = X if isinstance(X, pd.DataFrame | Codes) else as_array(X)
    codes, classes = read_classes(y, "Evaluation")
    check_same_length(len(X), len(codes))
    if not is_declared(y):
        y = pd.Categorical.from_codes(codes, pd.Index(classes))  # every fold has all of them
    return Task(X, pd.Categorical(y), codes, pd.Index(classes))


def check_model(model) -> None:
    """Raise TypeError unless the model can be fitted and asked for probabilities."""
    if isinstance(model, type):
        raise TypeError(f"{model.__name__} is a class, not a model: write {model.__name__}()")
    for name in ("fit", "predict_proba"):
        if not callable(getattr(model, name, None)):
            raise TypeError(f"a model needs fit and predict_proba, but {model!r} has no {name}")


def fit_all(model, task: Task, training: list[np.ndarray]) -> list:
    """A model fitted to each of these arrays of rows, all in one pass where the model can."""
    check_model(model)
    for number, rows in enumerate(training):
        counts = np.bincount(task.codes[rows])
        if np.count_nonzero(counts) < 2:
            raise ValueError(
                f"training set {number} holds class {task.classes[counts.argmax()]!r} alone, from "
                "which nothing is learnt: use stratified folds, or leave out classes of one case"
            )
    return fit_each(model, task.X, task.y, training)


def held_out(model, task: Task, splits: list[tuple]) -> list[np.ndarray]:
    """Probabilities (n_t, C) of the test rows of each split (train, test) by its own fitted copy.

    A column for every declared class; X is read once where the model can.
    """
    tests = [test for _, test in splits]
    models = fit_all(model, task, [train for train, _ in splits])
    if hasattr(model, "predict_folds"):
        parts = model.predict_folds(models, task.X, tests)
    else:
        pairs = zip(models, tests, strict=True)
        parts = [fitted.predict_proba(take_rows(task.X, test)) for fitted, test in pairs]
    return [line_up(m, part, task.classes) for m, part in zip(models, parts, strict=True)]


# Cross-validation


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
    fewer than k cases. The package's warnings that folds repeat are given once.
    """
    drawn = {"k": k, "runs": runs, "seed": seed, "folds": folds}
    return in_runs(evaluate, model, (data, y), measures, progress, **drawn)


def in_runs(
    one_run: Callable, model, given: tuple, measures, progress, k, runs, seed, folds
) -> pd.DataFrame:
    """The rows of `one_run(model, task, fold, scores, seed)` for each run, its number in front."""
    scores = find_measures(measures)
    check_runs(runs, seed, folds)
    task, rows = read_task(*given), []
    with WarnOnce(), progress_bar(runs, progress, "runs") as advance:
        for run in range(runs):
            fold = fold_numbers(task.y, k, seed + run, folds)
            for row in one_run(model, task, fold, scores, seed + run):
                rows.append({"run": run, **row})
            advance()
    return pd.DataFrame(rows)


def check_runs(runs: int, seed: int, folds) -> None:
    """Raise for runs below 1, a seed below 0, and for runs that would all be the same."""
    check_number("runs", runs, 1, whole=True)
    check_number("seed", seed, 0, whole=True)
    if runs > 1 and (not isinstance(folds, str) or folds == "leave-one-out"):
        raise ValueError(f"runs={runs} of the same folds would give the same numbers: use runs=1")


@contextmanager
def progress_bar(total: int, progress: bool | None, unit: str) -> Iterator[Callable[..., object]]:
    """Gives a function that advances a bar of `total` steps by one or more, on the standard error.

    `progress` False: no bar; True: at once; None: once the work has taken two seconds.
    """
    if progress is False:
        yield lambda steps=1: None
        return
    from tqdm import tqdm

    delay = PATIENCE if progress is None else 0
    with tqdm(total=total, unit=f" {unit}", delay=delay) as shown:
        yield shown.update


def evaluate(model, task: Task, fold: np.ndarray, scores: dict, seed=None) -> Iterator[dict]:
    """A row of sizes, seconds and measures for every fold; one for all where each tests one."""
    splits, start = fold_rows(fold), time.perf_counter()
    parts = held_out(model, task, splits)
    seconds = time.perf_counter() - start
    if len(splits) == len(fold):
        parts, splits = [_together(splits, parts)], [(fold[1:], np.arange(len(fold)))]
    for number, ((train, test), proba) in enumerate(zip(splits, parts, strict=True)):
        row = {"fold": number, "n_train": len(train), "n_test": len(test)}
        row["seconds"] = seconds / len(splits)
        yield row | measured(scores, task.codes[test], proba)


def measured(scores: dict, codes: np.ndarray, proba: np.ndarray) -> dict[str, float]:
    """Each of the measures {name: function} on class codes (n,) and probabilities (n, C)."""
    return {name: float(score(codes, proba)) for name, score in scores.items()}


def cross_val_proba(model, data, y=None, *, k=10, seed=1, folds="stratified") -> np.ndarray:
    """Probabilities (n, C) of each case by the model whose training did not hold it.

    Arguments as in `cross_validate`; a column for every declared class, in sorted order.
    """
    task = read_task(data, y)
    with WarnOnce():
        splits = fold_rows(fold_numbers(task.y, k, seed, folds))
        return _together(splits, held_out(model, task, splits))


def _together(splits, parts):
    """Probabilities (n, C) of all cases from those of each test fold."""
    proba = np.concatenate(parts)
    rows = np.concatenate([test for _, test in splits])
    return proba[np.argsort(rows)]
