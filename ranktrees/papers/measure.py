"""One unit of work: all methods of a paper in one run of folds on one data set."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees.base import fit_each, take_rows
from ranktrees.data import Dataset, load
from ranktrees.encode import Codes, Encoder, prepare
from ranktrees.evaluate import MEASURES
from ranktrees.evaluate.folds import fold_numbers, fold_rows
from ranktrees.evaluate.weka import weka_splits
from ranktrees.labels import in_declared_order
from ranktrees.papers.paper import SIZES, Method, Paper
from ranktrees.warn import WarnOnce

# What a paper's protocol brings about by itself: rare classes, and constants once a fold is left.
EXPECTED = (
    "the smallest class has",
    "column .* has only one value",
    "column .* has no value at all",
    "column .* looks like an identifier",
)


@dataclass(frozen=True)
class Prepared:
    """A data set as a paper used it: X (codes or a DataFrame), y (n,), and its fingerprint.

    Classes are the numbers 0 to C - 1 in declared order, which Weka's ties hang on: so it is their
    sorted order, too, and all C are declared.
    """

    X: Codes | pd.DataFrame
    y: pd.Categorical
    fingerprint: str

    @property
    def size(self) -> int:
        """Cases times attributes."""
        return len(self.y) * (self.X.values.shape[1])


def prepared(name: str, source: str | None, preparation: str) -> Prepared:
    """Load a data set and prepare it as `Protocol.preparation` says."""
    data = load(name, source)
    with WarnOnce(without=EXPECTED):
        if preparation == "papers":
            X, y = Encoder().fit_transform(prepare(data, "papers").X), data.y
        else:
            X, y = complete_rows(data)
    return Prepared(X, in_declared_order(y), fingerprint(data))


def complete_rows(data: Dataset) -> tuple[pd.DataFrame, pd.Categorical]:
    """X without identifiers and y, for the cases in which no value is missing."""
    X = data.X.drop(columns=list(data.ids))
    whole = np.flatnonzero(X.notna().all(axis=1))
    if not len(whole):
        raise ValueError(f"no case of {data.name!r} is complete: it cannot be used this way")
    return X.iloc[whole].reset_index(drop=True), data.y.take(whole)


def fingerprint(data: Dataset) -> str:
    """16 digits that tell the content of a data set: names, declared values, cases."""
    declared = {
        name: list(map(str, column.cat.categories)) if hasattr(column, "cat") else column.dtype.kind
        for name, column in data.frame.items()
    }
    cases = data.frame.to_csv(index=False, lineterminator="\n")
    return hashlib.sha256(f"{declared}\n{cases}".encode()).hexdigest()[:16]


def measure(
    data: Prepared, paper: Paper, methods: Sequence[Method], run: int, seed: int
) -> list[tuple]:
    """Rows (method, reading, fold, measure, value) of a unit, methods in their order.

    The folds of a run are drawn with seed + run; all methods see the same ones, and methods of one
    model read the very same fitted models.
    """
    rows = []
    with WarnOnce(without=EXPECTED):
        splits = _splits(data.y, paper.protocol, seed + run)
        tests = [(take_rows(data.X, test), data.y.codes[test]) for _, test in splits]
        for name in dict.fromkeys(method.model for method in methods):
            models = fit_each(paper.models[name](), data.X, data.y, [train for train, _ in splits])
            for method in methods:
                if method.model == name:
                    rows += _values(method, models, tests, paper.protocol.measures)
    names = [method.name for method in methods]
    return sorted(rows, key=lambda row: names.index(row[0]))


def _splits(y, protocol, seed):
    """Rows (train, test) of each fold; Weka's training rows in its order, on which bags depend."""
    if protocol.folds == "weka":
        return [(train, np.sort(test)) for train, test in weka_splits(y, protocol.k, seed)]
    return fold_rows(fold_numbers(y, protocol.k, seed, protocol.folds))


def _values(method, models, tests, measures) -> Iterator[tuple]:
    """The rows of a method, whose fitted models each have their test cases (X, class codes)."""
    for reading, scores in method.readings.items():
        for fold, (model, (X, y)) in enumerate(zip(models, tests, strict=True)):
            proba = scores(model, X, y)
            for name in measures:
                yield method.name, reading, fold, name, float(MEASURES[name](y, proba))
            for name in SIZES if method.sizes else ():
                yield method.name, reading, fold, name, float(SIZES[name](model.tree_))
