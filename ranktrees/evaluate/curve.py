"""What more training cases are worth (learning curves), and the .632 bootstrap."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.evaluate.cross import (
    STANDARD,
    Task,
    held_out,
    in_runs,
    measured,
    read_task,
)
from ranktrees.evaluate.folds import bootstrap, fold_rows
from ranktrees.evaluate.measures import find_measures
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
    one_run, drawn = partial(_grow, sizes), {"k": k, "runs": runs, "seed": seed, "folds": folds}
    return in_runs(one_run, model, (data, y), measures, progress, **drawn)


def training_sizes(sizes, n: int, least: int = LEAST) -> np.ndarray:
    """Ascending numbers of training cases, at most n: by name, or checked.

    Raises ValueError for an unknown name, numbers that are not whole, or beyond 2 to n.
    """
    if isinstance(sizes, str):
        choose("sizes", sizes, ("arithmetic", "geometric"))
        equal, doubled = n * np.arange(1, STEPS + 1) // STEPS, n >> np.arange(n.bit_length())
        numbers = equal if sizes == "arithmetic" else doubled
        return np.unique(numbers[numbers >= min(least, n)])
    numbers = np.unique(np.asarray(sizes))
    if not numbers.size or numbers.dtype.kind not in "iu" or numbers[0] < 2 or numbers[-1] > n:
        raise ValueError(f"sizes must be whole numbers of cases from 2 to {n}, not {sizes!r}")
    return numbers


def _grow(sizes, model, task: Task, fold, scores, seed) -> Iterator[dict]:
    rng, folds = np.random.default_rng(seed), fold_rows(fold)
    orders = [train[_even_order(task.y.codes[train], rng)] for train, _ in folds]
    second = max(_second_class(task.codes[order]) for order in orders)
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


def _even_order(codes, rng):
    """A random order in which every beginning has the classes in about their shares."""
    rows = by_class(codes, rng)
    counts = np.bincount(codes)
    rank = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows[np.argsort((rank + 0.5) / counts[codes[rows]], kind="stable")]


def _second_class(codes):
    """How many first cases it takes to meet two classes."""
    return int((codes != codes[0]).argmax()) + 1


class Bootstrap632(NamedTuple):
    """.632 `estimate` of a measure, its parts, and the out-of-bag value (runs,) of each run."""

    estimate: float
    out_of_bag: float
    apparent: float
    runs: np.ndarray


def bootstrap_632(
    model, data, y=None, *, runs: int = 25, seed: int = 1, measure: str = "accuracy"
) -> Bootstrap632:
    """.632 bootstrap: 0.632 x mean out-of-bag value + 0.368 x value on the training data.

    `data` and `y` as in `cross_validate`. Runs in which the measure is not defined, and those that
    drew cases of one class alone, are nan and left out of the mean; ValueError where none remains.
    Source: Efron 1983; Kohavi 1995, section 2.3.
    """
    task, (score,) = read_task(data, y), find_measures([measure]).values()
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
