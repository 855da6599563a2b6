"""Measures and divisions that come from outside: functions of one's own, scikit-learn's objects."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from numbers import Real
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_list, choose, even, shown
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.evaluate.folds import fold_numbers, fold_rows
from ranktrees_engine.evaluate.inputs import UndefinedMeasure
from ranktrees_engine.evaluate.measures import MEASURES

FORM = '"auc", a list of names, or {"name": function(y, proba, classes)}'


def find_measures(given, classes: pd.Index | None = None) -> dict[str, Callable]:
    """Return {name: function(class codes (n,), proba (n, C)) -> float} of measures as given.

    `given`: a name, or a list of names and of dicts {name: function or scorer of scikit-learn}, or
    such a dict, in which a built-in measure's name stands for itself. Functions take the true
    labels (n,) of `classes` (C,), probabilities (n, C) and classes. TypeError or ValueError for
    none, unknown names, a name twice, and a built-in one for a function.
    """
    found: dict[str, Callable] = {}
    for name, measure in _pairs(given):
        if name in found:
            raise ValueError(f"measures names {name!r} more than once")
        if isinstance(measure, str):
            choose("measure", measure, MEASURES)
            found[name] = MEASURES[measure]
        else:
            found[name] = _own(name, measure, classes)
    if not found:
        raise ValueError(f"name at least one measure: {', '.join(map(repr, MEASURES))}")
    return found


def one_measure(given, classes: pd.Index) -> tuple[str, Callable]:
    """Return the name and the function of a single measure; ValueError for several."""
    found = find_measures([given], classes)
    if len(found) > 1:
        raise ValueError(f"measure must be a single one, not {', '.join(found)}")
    return next(iter(found.items()))


def _pairs(given):
    """Yield (name, measure) of measures as given."""
    if isinstance(given, str):
        given = [given]
    for one in [given] if isinstance(given, Mapping) else as_list("measures", given):
        if not isinstance(one, Mapping):
            choose("measure", one, MEASURES)
        yield from one.items() if isinstance(one, Mapping) else [(one, one)]


def _own(name, measure, classes):
    if not isinstance(name, str) or not name:
        raise TypeError(f"a measure's name must be text, not {name!r:.80}")
    if not callable(measure):
        raise TypeError(f"measures takes {FORM}: {name!r} is {measure!r:.80}")
    if name in (*MEASURES, "seconds"):
        raise ValueError(
            f"measures has its own {name!r}, whose direction results know: give yours another name"
        )
    score = _scored(measure) if hasattr(measure, "_score_func") else measure

    def measured(codes, proba):
        try:
            value = score(np.asarray(classes)[codes], proba, classes)
        except UndefinedMeasure:
            return np.nan
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"the measure {name!r} must give a number, not {shown(value):.80}")
        return float(value)

    return measured


def _scored(scorer):
    """Return a scorer of scikit-learn, which asks a model, as a function of probabilities."""

    def score(y, proba, classes):
        return scorer(_Answers(proba, np.asarray(classes)), np.zeros((len(y), 1)), y)

    return score


class _Answers:
    """What a model said about the cases of a fold, as scikit-learn's scorers ask for it."""

    _estimator_type = "classifier"

    def __init__(self, proba, classes):
        self.proba, self.classes_ = proba, classes

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return self.proba

    def predict(self, X):
        return self.classes_[first_best(self.proba)]

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        known = {"classifier_tags": ClassifierTags(), "target_tags": TargetTags(required=True)}
        return Tags(estimator_type="classifier", **known)


# Divisions


class Divisions(NamedTuple):
    """Rows (train, test) of each part, and whether they are tested together, as single cases."""

    splits: list[tuple[np.ndarray, np.ndarray]]
    together: bool


def divide(task, k: int, seed: int, folds) -> Divisions:
    """Divide the cases of a task by a scheme's name, fold numbers, a splitter or pairs of rows.

    A splitter has scikit-learn's `split(X, y, groups)`, and its own number of folds and seed; pairs
    are (train, test), rows as whole numbers. Raises TypeError or ValueError for rows that there are
    not, no rows, and a case that is trained and tested on at once.
    """
    n = len(task.codes)
    if is_splitter(folds):
        y = np.asarray(task.classes)[task.codes]
        splits = checked_pairs(folds.split(np.zeros((n, 1)), y, task.groups), n)
    elif (pairs := _as_pairs(folds)) is not None:
        if task.groups is not None:
            raise ValueError('groups are dealt with folds="stratified" or a splitter, not by pairs')
        splits = checked_pairs(pairs, n)
    else:
        splits = fold_rows(fold_numbers(task.y, k, seed, folds, task.groups))
    together = len(splits) == n and all(len(test) == 1 for _, test in splits)
    return Divisions(splits, together)


def is_splitter(folds) -> bool:
    """Return whether folds are an object of scikit-learn's kind, such as `StratifiedKFold()`."""
    return not isinstance(folds, str | type) and callable(getattr(folds, "get_n_splits", None))


def _as_pairs(folds) -> Iterable | None:
    """Return folds that are pairs of rows; None for names and numbers."""
    if isinstance(folds, str | np.ndarray) or not hasattr(folds, "__iter__"):
        return None
    some = iter(folds)
    head = [one for _, one in zip(range(1), some, strict=False)]
    if not head or not isinstance(head[0], tuple | list) or len(head[0]) != 2:
        return None
    return chain(head, some) if some is folds else folds


def checked_pairs(pairs: Iterable, n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return pairs (train, test) of rows of n cases as arrays, checked."""
    splits = []
    for number, pair in enumerate(pairs):
        train, test = (_rows(number, what, rows, n) for what, rows in _parts(number, pair))
        if (both := np.intersect1d(train, test)).size:
            raise ValueError(f"folds: case {both[0]} is in both parts, training and test, {number}")
        splits.append((train, test))
    if not splits:
        raise ValueError("folds holds no pair (train, test)")
    return splits


def _parts(number, pair):
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"folds: part {number} must be a pair (train, test) of rows")
    return zip(("training", "test"), pair, strict=True)


def _rows(number, what, rows, n):
    rows = even("folds", rows)
    if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
        raise ValueError(f"folds: the {what} rows of part {number} must be whole numbers, some")
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"folds: the {what} rows of part {number} are not all from 0 to {n - 1}")
    return rows.astype(np.intp)


def check_partition(splits: list, n: int) -> None:
    """Raise ValueError, naming the case, unless each of n cases is tested exactly once."""
    times = np.bincount(np.concatenate([test for _, test in splits]), minlength=n)
    if (wrong := times != 1).any():
        case = int(wrong.argmax())
        raise ValueError(
            f"folds tests case {case} {times[case]} times, but a single prediction is kept of each "
            "case: use cross_validate, or folds that part the cases"
        )
