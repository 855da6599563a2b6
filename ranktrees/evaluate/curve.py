"""Learning curves: what more training cases are worth."""

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.evaluate.cross import STANDARD, check_runs
from ranktrees.evaluate.fitting import (
    check_model,
    find_measures,
    fit_all,
    predict_all,
    read_task,
)
from ranktrees.evaluate.folds import fold_numbers, fold_rows
from ranktrees.evaluate.progress import bar
from ranktrees.folds import by_class
from ranktrees.warn import WarnOnce

STEPS = 10
LEAST = 10


def learning_curve(
    model,
    data,
    y=None,
    *,
    sizes="geometric",
    k=10,
    runs=1,
    seed=1,
    folds="stratified",
    measures=STANDARD,
    progress=False,
) -> pd.DataFrame:
    """Measures on each test fold of models trained on more and more of the other cases.

    A row for every run, fold and size, with columns run, fold, size, n_test and the measures. The
    cases of a smaller training set are among those of a larger one, and classes keep their shares.
    `sizes`: "arithmetic" (ten equal steps), "geometric" (from at least ten cases, doubled each
    time, up to all), or whole numbers of cases. Other arguments as in `cross_validate`.
    Raises ValueError for sizes beyond the training cases or with a single class among them.
    Source: arithmetic and geometric sampling, Provost, Jensen & Oates 1999.
    """
    check_model(model)
    scores = find_measures(measures)
    check_runs(runs, seed, folds)
    task, rows = read_task(data, y), []
    with WarnOnce(), bar(runs, progress, "runs") as advance:
        for run in range(runs):
            splits = fold_rows(fold_numbers(task.y, k, seed + run, folds))
            for row in _one_run(model, task, splits, sizes, seed + run, scores):
                rows.append({"run": run, **row})
            advance()
    return pd.DataFrame(rows)


def training_sizes(sizes, n: int, least: int = LEAST) -> np.ndarray:
    """Ascending numbers of training cases, at most n: by name, or checked.

    Raises ValueError for an unknown name, numbers that are not whole, or beyond 2 to n.
    """
    if isinstance(sizes, str):
        choose("sizes", sizes, ("arithmetic", "geometric"))
        if sizes == "arithmetic":
            found = n * np.arange(1, STEPS + 1) // STEPS
        else:
            found = n >> np.arange(n.bit_length())
        return np.unique(found[found >= min(least, n)])
    found = np.unique(np.asarray(sizes))
    if not found.size or found.dtype.kind not in "iu" or found[0] < 2 or found[-1] > n:
        raise ValueError(f"sizes must be whole numbers of cases from 2 to {n}, not {sizes!r}")
    return found


def _one_run(model, task, splits, sizes, seed, scores):
    rng = np.random.default_rng(seed)
    orders = [train[_even_order(task.y.codes[train], rng)] for train, _ in splits]
    second = max(_second_class(task.codes[order]) for order in orders)
    numbers = training_sizes(sizes, min(map(len, orders)), max(LEAST, second))
    if numbers[0] < second:
        raise ValueError(
            f"the first {numbers[0]} training cases hold a single class: begin at {second}"
        )
    pairs = [(f, size) for f in range(len(splits)) for size in numbers.tolist()]
    models = fit_all(model, task, [orders[f][:size] for f, size in pairs])
    tests = [splits[f][1] for f, _ in pairs]
    found = predict_all(model, models, task, tests)
    for (f, size), test, proba in zip(pairs, tests, found, strict=True):
        row = {"fold": f, "size": size, "n_test": len(test)}
        yield row | {name: float(score(task.codes[test], proba)) for name, score in scores.items()}


def _even_order(codes, rng):
    """A random order in which every beginning has the classes in about their shares."""
    rows = by_class(codes, rng)
    counts = np.bincount(codes)
    rank = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows[np.argsort((rank + 0.5) / counts[codes[rows]], kind="stable")]


def _second_class(codes):
    """How many first cases it takes to meet two classes."""
    return int((codes != codes[0]).argmax()) + 1
