"""Holdout, random subsampling and the bootstrap."""

from typing import NamedTuple

import numpy as np

from ranktrees.base import take_rows
from ranktrees.folds import by_class, class_codes
from ranktrees.preprocess import check_number
from ranktrees.validate.fitting import (
    class_proba,
    find_measures,
    fit_all,
    read_task,
)
from ranktrees.warn import WarnOnce

Split = tuple[np.ndarray, np.ndarray]


def holdout(y, test: float = 1 / 3, seed: int = 1, stratify: bool = True) -> Split:
    """Rows (train, test), each ascending, of a single random division.

    `test` is the share of cases held out, below 1, or their number. With `stratify` every class has
    its share of the test cases, to within one case. Raises ValueError where a part would be empty.
    """
    rng, n = np.random.default_rng(seed), len(y)
    held = _number_held(n, test)
    order = by_class(class_codes(y), rng) if stratify else rng.permutation(n)
    # goes up by one at every case held out; the random start gives every case the same chance
    steps = (np.arange(n + 1) * held + rng.integers(n)) // n
    out = np.zeros(n, bool)
    out[order] = np.diff(steps) > 0
    return np.flatnonzero(~out), np.flatnonzero(out)


def _number_held(n, test):
    check_number("test", test, 0)
    held = round(test * n) if test < 1 else int(test)
    if held != test and test >= 1:
        raise ValueError(f"test must be a share below 1 or a whole number of cases, not {test!r}")
    if not 0 < held < n:
        raise ValueError(
            f"test={test!r} of {n} cases leaves {n - held} for training and {held} for testing: "
            "both need at least one"
        )
    return held


def random_subsampling(y, runs: int = 10, test: float = 1 / 3, seed: int = 1) -> list[Split]:
    """`runs` stratified holdouts (train, test), run r with seed + r: a case may be tested again."""
    check_number("runs", runs, 1, whole=True)
    return [holdout(y, test, seed + r) for r in range(runs)]


def bootstrap(n: int, runs: int = 10, seed: int = 1) -> list[Split]:
    """For each run n rows drawn with replacement, and the rows not drawn (out of bag).

    A case is drawn with probability 1 - (1 - 1/n)^n, which tends to 1 - 1/e = 63.2 %.
    """
    check_number("n", n, 2, whole=True)
    check_number("runs", runs, 1, whole=True)
    rng = np.random.default_rng(seed)
    drawn = [np.sort(rng.integers(0, n, n)) for _ in range(runs)]
    return [(rows, np.setdiff1d(np.arange(n), rows)) for rows in drawn]


class Bootstrap632(NamedTuple):
    """.632 `estimate` of a measure, its parts, and the out-of-bag value (runs,) of each run."""

    estimate: float
    out_of_bag: float
    apparent: float
    runs: np.ndarray


def bootstrap_632(model, X, y=None, runs: int = 25, seed: int = 1, measure="accuracy"):
    """.632 bootstrap: 0.632 x mean out-of-bag value + 0.368 x value on the training data.

    `X` and `y` as in `cross_validate`; returns a `Bootstrap632`. Runs in which the measure is not
    defined are left out of the mean. Source: Efron 1983; Kohavi 1995, section 2.3.
    """
    task = read_task(X, y)
    score = find_measures([measure])[measure]
    splits = bootstrap(len(task.y), runs, seed)
    everything = np.arange(len(task.y))
    with WarnOnce():
        training = [everything, *(drawn for drawn, _ in splits)]
        models = fit_all(model, task, training)
        tests = [everything, *(out for _, out in splits)]
        values = np.array(
            [_value(m, task, rows, score) for m, rows in zip(models, tests, strict=True)]
        )
    apparent, each = float(values[0]), values[1:]
    if np.isnan(each).all():
        raise ValueError(f"{measure!r} is not defined on the out-of-bag cases of any run: add runs")
    out_of_bag = float(np.nanmean(each))
    return Bootstrap632(0.632 * out_of_bag + 0.368 * apparent, out_of_bag, apparent, each)


def _value(model, task, rows, score):
    if not len(rows):  # every case was drawn, which happens where there are few
        return np.nan
    return score(task.codes[rows], class_proba(model, take_rows(task.X, rows), task.classes))
