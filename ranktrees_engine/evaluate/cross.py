"""Cross-validation of anything with fit and predict_proba, learning curves, the .632 bootstrap."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import (
    check_number,
    check_seed,
    choose,
    even,
)
from ranktrees_engine.basics.kinds import (
    Array,
    ArrayLike,
    Classes,
    Data,
    Folds,
    Groups,
    Measures,
    Model,
)
from ranktrees_engine.basics.warn import WarnOnce, progress_bar
from ranktrees_engine.evaluate.folds import bootstrap
from ranktrees_engine.evaluate.outside import (
    Divisions,
    check_partition,
    divide,
    find_measures,
    one_measure,
)
from ranktrees_engine.evaluate.task import Task, held_out, read_task
from ranktrees_engine.reading.folds import even_order

USUAL = ("accuracy", "auc", "brier", "log_loss")
STEPS = LEAST = 10  # of a learning curve: equal steps, least cases


def cross_validate(
    model: Model,
    data: Data,
    y: Classes = None,
    *,
    k: int = 10,
    runs: int = 1,
    seed: int = 1,
    folds: Folds = "stratified",
    groups: Groups = None,
    measures: Measures = USUAL,
    progress: bool | None = False,
) -> pd.DataFrame:
    """Measure a model on cases that it was not trained on: a row for each run and fold.

    `data`: a `Dataset` (identifiers are dropped), X with `y`, or a pair (X, y). `folds`:
    "stratified", "weka", "leave-one-out", fold numbers (n,), a splitter of scikit-learn's such as
    `StratifiedGroupKFold(5)`, or pairs of rows (train, test). Run r draws its folds with seed + r.
    `groups` (n,) are labels, or the name of their column, which then is not an attribute: cases of
    one group, such as one patient, are never in both training and test. `measures`: names of
    `MEASURES`, or {"name": function(y, proba, classes)} of your own, or both in a list; a function
    takes true labels (n,), probabilities (n, C) and the classes (C,), and a scorer of scikit-learn
    may stand in its place. `progress`: True shows a
    bar, False none; with None a bar appears after two seconds. Columns: run, fold, n_train, n_test,
    seconds (to fit and predict; the folds of a run share the time equally), then the measures, nan
    where a measure is undefined in a fold. Leave-one-out gives a single row, measured over all
    predictions together, since one case cannot be ranked. Raises ValueError for unknown measures or
    folds, and for k below 2 or above n. Warns if a class has fewer than k cases. Warnings that
    repeat in several folds are given once.
    """
    drawn = {"k": k, "runs": runs, "seed": seed, "folds": folds}
    return in_runs(partial(evaluate, model), (data, y, groups), measures, progress, **drawn)


def in_runs(
    one_run: Callable, given: tuple, measures, progress, k, runs, seed, folds
) -> pd.DataFrame:
    """Collect the rows of `one_run(task, divided, scores, seed)` of each run, its number first."""
    find_measures(measures)
    check_number("runs", runs, 1, whole=True)
    check_seed(seed)
    if runs > 1 and (not isinstance(folds, str) or folds == "leave-one-out"):
        raise ValueError(f"runs={runs} of the same folds would give the same numbers: use runs=1")
    task, rows = read_task(*given), []
    scores = find_measures(measures, task.classes)
    with WarnOnce(), progress_bar(runs, progress, "runs") as advance:
        for run in range(runs):
            parts = divide(task, k, seed + run, folds)
            for row in one_run(task, parts, scores, seed + run):
                rows.append({"run": run, **row})
            advance()
    return pd.DataFrame(rows)


def evaluate(model, task: Task, divided: Divisions, scores: dict, seed=None) -> Iterator[dict]:
    """Yield sizes, seconds and measures, a row per fold; for leave-one-out a single row."""
    splits, start = divided.splits, time.perf_counter()
    parts = held_out(model, task, splits)
    seconds = time.perf_counter() - start
    if divided.together:
        parts, rows = [_together(splits, parts)], np.arange(len(splits))
        splits = [(rows[1:], rows)]
    for number, ((train, test), proba) in enumerate(zip(splits, parts, strict=True)):
        row = {"fold": number, "n_train": len(train), "n_test": len(test)}
        row["seconds"] = seconds / len(splits)
        yield row | measured(scores, task.codes[test], proba)


def measured(scores: dict, codes: np.ndarray, proba: np.ndarray) -> dict[str, float]:
    """Apply each measure of {name: function} to class codes (n,) and probabilities (n, C)."""
    return {name: float(score(codes, proba)) for name, score in scores.items()}


def cross_val_proba(
    model: Model,
    data: Data,
    y: Classes = None,
    *,
    k: int = 10,
    seed: int = 1,
    folds: Folds = "stratified",
) -> Array:
    """Return probabilities (n, C) of each case, by the model that was not trained on it.

    Arguments as in `cross_validate`; there is a column for every declared class, in sorted order.
    """
    task = read_task(data, y)
    with WarnOnce():
        splits = divide(task, k, seed, folds).splits
        check_partition(splits, len(task.y))
        return _together(splits, held_out(model, task, splits))


def _together(splits, parts):
    """Return probabilities (n, C) of all cases from those of each test fold."""
    proba = np.concatenate(parts)
    rows = np.concatenate([test for _, test in splits])
    return proba[np.argsort(rows)]


# What more training cases are worth


def learning_curve(
    model: Model,
    data: Data,
    y: Classes = None,
    *,
    sizes: ArrayLike | str = "geometric",
    k: int = 10,
    runs: int = 1,
    seed: int = 1,
    folds: Folds = "stratified",
    measures: Measures = USUAL,
    progress: bool | None = False,
) -> pd.DataFrame:
    """Measure, on each test fold, models trained on more and more of the other cases.

    There is a row for every run, fold and size, with columns run, fold, size, n_test and the
    measures. A larger training set contains the smaller ones, and classes keep their shares.
    `sizes`: "arithmetic" (ten equal steps), "geometric" (from at least ten cases, doubled each
    time, up to all), or whole numbers of cases. Other arguments as in `cross_validate`. Raises
    ValueError for sizes above the number of training cases, or with a single class. Source:
    arithmetic and geometric sampling, Provost, Jensen & Oates 1999.
    """
    drawn = {"k": k, "runs": runs, "seed": seed, "folds": folds}
    return in_runs(partial(_grow, sizes, model), (data, y), measures, progress, **drawn)


def training_sizes(sizes: ArrayLike | str, n: int, least: int = LEAST) -> np.ndarray:
    """Return ascending numbers of training cases, at most n: by name, or checked.

    Raises ValueError for an unknown name, numbers that are not whole, or outside 2 to n.
    """
    check_number("n", n, 2, whole=True)
    check_number("least", least, 1, whole=True)
    if isinstance(sizes, str):
        choose("sizes", sizes, ("arithmetic", "geometric"))
        equal, doubled = n * np.arange(1, STEPS + 1) // STEPS, n >> np.arange(n.bit_length())
        numbers = equal if sizes == "arithmetic" else doubled
        return np.unique(numbers[numbers >= min(least, n)])
    numbers = np.unique(even("sizes", sizes))
    if not numbers.size or numbers.dtype.kind not in "iu" or numbers[0] < 2 or numbers[-1] > n:
        raise ValueError(f"sizes must be whole numbers of cases from 2 to {n}, not {sizes!r}")
    return numbers


def _grow(sizes, model, task: Task, divided: Divisions, scores, seed) -> Iterator[dict]:
    rng, folds = np.random.default_rng(seed), divided.splits
    orders = [train[even_order(task.y.codes[train], rng)] for train, _ in folds]
    codes = [task.codes[order] for order in orders]
    second = max((some != some[0]).argmax() for some in codes) + 1  # cases that hold two classes
    numbers = training_sizes(sizes, min(map(len, orders)), max(LEAST, second))
    if numbers[0] < second:
        raise ValueError(
            f"the first {numbers[0]} training cases hold a single class: begin at {second}"
        )
    heads = [{"fold": f, "size": size} for f in range(len(folds)) for size in numbers.tolist()]
    splits = [(orders[h["fold"]][: h["size"]], folds[h["fold"]][1]) for h in heads]
    parts = held_out(model, task, splits)
    for head, (_, test), proba in zip(heads, splits, parts, strict=True):
        yield {**head, "n_test": len(test), **measured(scores, task.codes[test], proba)}


# The .632 bootstrap


class Bootstrap632(NamedTuple):
    """.632 `estimate` of a measure, its parts, and the out-of-bag value (runs,) of each run."""

    estimate: float
    out_of_bag: float
    apparent: float
    runs: np.ndarray


def bootstrap_632(
    model: Model,
    data: Data,
    y: Classes = None,
    *,
    runs: int = 25,
    seed: int = 1,
    measure: Measures = "accuracy",
) -> Bootstrap632:
    """Estimate 0.632 x mean out-of-bag value + 0.368 x value on the training data.

    `data` and `y` as in `cross_validate`. Runs in which the measure is not defined, and those that
    drew a single class, are nan and left out of the mean; ValueError if no run remains. Source:
    Efron 1983; Kohavi 1995, section 2.3.
    """
    task = read_task(data, y)
    score = one_measure(measure, task.classes)[1]
    everything, splits = np.arange(len(task.y)), bootstrap(len(task.y), runs, seed)
    usable = [len(out) > 0 and len(set(task.codes[drawn])) > 1 for drawn, out in splits]
    splits = [(everything, everything), *(s for s, fit in zip(splits, usable, strict=True) if fit)]
    with WarnOnce():
        parts = zip(splits, held_out(model, task, splits), strict=True)
        apparent, *values = [float(score(task.codes[out], proba)) for (_, out), proba in parts]
    each = np.full(runs, np.nan)
    each[usable] = values
    if np.isnan(each).all():
        raise ValueError(f"{measure!r} is not defined on the out-of-bag cases of any run: add runs")
    out_of_bag = float(np.nanmean(each))
    return Bootstrap632(0.632 * out_of_bag + 0.368 * apparent, out_of_bag, apparent, each)
