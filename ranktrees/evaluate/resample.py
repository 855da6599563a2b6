"""Holdout, random subsampling and the bootstrap."""

from numbers import Integral
from typing import NamedTuple

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.evaluate.fitting import (
    check_model,
    find_measures,
    fit_all,
    predict_all,
    read_task,
)
from ranktrees.folds import by_class, generator
from ranktrees.labels import declared_codes
from ranktrees.warn import WarnOnce

Split = tuple[np.ndarray, np.ndarray]


def holdout(y, test: float = 1 / 3, seed: int = 1, stratify: bool = True) -> Split:
    """Rows (train, test), each ascending, of a single random division.

    `y` (n,) classes. `test` is the share of cases held out, below 1, or their whole number. With
    `stratify` every class has its share of the test cases, to within one case. Raises ValueError
    where a part would be empty.
    """
    rng, n = generator(seed), len(y)
    held = _number_held(n, test)
    order = by_class(declared_codes(y, "Stratifying"), rng) if stratify else rng.permutation(n)
    # goes up by one at every case held out; the random start gives every case the same chance
    steps = (np.arange(n + 1) * held + rng.integers(n)) // n
    out = np.zeros(n, bool)
    out[order] = np.diff(steps) > 0
    return np.flatnonzero(~out), np.flatnonzero(out)


def _number_held(n, test):
    check_number("test", test, 0)
    if test >= 1 and not isinstance(test, Integral):
        raise ValueError(f"test must be a share below 1 or a whole number of cases, not {test!r}")
    held = round(test * n) if test < 1 else int(test)
    if not 0 < held < n:
        raise ValueError(
            f"test={test!r} of {n} cases leaves {n - held} for training and {held} for testing: "
            "both need at least one"
        )
    return held


def random_subsampling(y, runs: int = 10, test: float = 1 / 3, seed: int = 1) -> list[Split]:
    """`runs` stratified holdouts (train, test), run r with seed + r: a case may be tested again."""
    check_number("runs", runs, 1, whole=True)
    check_number("seed", seed, 0, whole=True)
    return [holdout(y, test, seed + r) for r in range(runs)]


def bootstrap(n: int, runs: int = 10, seed: int = 1) -> list[Split]:
    """For each of `runs`: n rows drawn with replacement from n cases, and those not drawn.

    A case is drawn with probability 1 - (1 - 1/n)^n, which tends to 1 - 1/e = 63.2 %; the others
    are out of bag.
    """
    check_number("n", n, 2, whole=True)
    check_number("runs", runs, 1, whole=True)
    rng = generator(seed)
    drawn = [np.sort(rng.integers(0, n, n)) for _ in range(runs)]
    return [(rows, np.setdiff1d(np.arange(n), rows)) for rows in drawn]


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
    check_model(model)
    task = read_task(data, y)
    score = find_measures([measure])[measure]
    everything, splits = np.arange(len(task.y)), bootstrap(len(task.y), runs, seed)
    usable = np.array([len(out) > 0 and _has_two(task.codes[drawn]) for drawn, out in splits])
    splits = [(everything, everything), *(s for s, fit in zip(splits, usable, strict=True) if fit)]
    with WarnOnce():
        models = fit_all(model, task, [drawn for drawn, _ in splits])
        tests = [out for _, out in splits]
        found = predict_all(model, models, task, tests)
        values = [score(task.codes[out], p) for out, p in zip(tests, found, strict=True)]
    apparent, each = float(values[0]), np.full(runs, np.nan)
    each[usable] = values[1:]
    if np.isnan(each).all():
        raise ValueError(f"{measure!r} is not defined on the out-of-bag cases of any run: add runs")
    out_of_bag = float(np.nanmean(each))
    return Bootstrap632(0.632 * out_of_bag + 0.368 * apparent, out_of_bag, apparent, each)


def _has_two(codes):
    return (codes != codes[0]).any()
