"""What is evaluated: data to learn from, and a model fitted to each of several parts of them."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import choose, is_dataset, shown
from ranktrees_engine.basics.fitted import check_same_length
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.evaluate.fitting import check_model, fit_each, line_up, take_rows
from ranktrees_engine.reading.columns import NEVER_SEEN, as_array, refuse_scan
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.labels import is_declared, read_classes


class Task(NamedTuple):
    """Data to learn from: X, y (n,) as declared, class codes (n,), sorted classes, and groups."""

    X: object
    y: pd.Categorical
    codes: np.ndarray
    classes: pd.Index
    groups: ArrayLike | None = None


def read_task(data, y=None, groups=None) -> Task:
    """Read the task from a `Dataset`, without its identifiers, or X and y, apart or as a pair.

    `groups` (n,) are labels, or the name of their column, which then is not an attribute. Raises
    TypeError or ValueError, saying what to give, for anything else.
    """
    if is_dataset(data):
        if y is not None:
            raise TypeError(
                f"a Dataset holds its classes, so that y cannot be {y!r}: name settings, as in k=10"
            )
        X, y, ids = data.X, data.y, list(data.ids)
    else:
        pair = y is None and isinstance(data, tuple) and len(data) == 2
        X, y, ids = *(data if pair else (data, y)), []
    refuse_scan(X, "Evaluation")
    if y is None:
        raise TypeError("the classes are missing: give a Dataset, X and y, or a pair (X, y)")
    if not np.ndim(y):
        raise TypeError(f"y must hold a class for each case, not {y!r}: name settings, as in k=10")
    X, y = as_pandas(X), as_pandas(y)
    X = X if isinstance(X, pd.DataFrame | Codes) else as_array(X)
    if isinstance(groups, str):
        choose("column of groups", groups, list(X) if isinstance(X, pd.DataFrame) else ())
        ids, groups = {*ids, groups}, X[groups]
    X = X.drop(columns=list(ids)) if ids else X
    codes, classes = read_classes(y, "Evaluation")
    check_same_length(len(X), len(codes))
    if not is_declared(y):
        y = pd.Categorical.from_codes(codes, pd.Index(classes))  # every fold has all of them
    return Task(X, pd.Categorical(y), codes, pd.Index(classes), groups)


def fit_all(model, task: Task, training: list[np.ndarray]) -> list:
    """Fit a model to each of these arrays of rows, in one pass if the model can do that."""
    check_model(model)
    for number, rows in enumerate(training):
        counts = np.bincount(task.codes[rows])
        if np.count_nonzero(counts) < 2:
            only = shown(task.classes[counts.argmax()])
            raise ValueError(
                f"training set {number} holds class {only} alone, from "
                "which nothing is learnt: use stratified folds, or leave out classes of one case"
            )
    return fit_each(model, task.X, task.y, training)


def held_out(model, task: Task, splits: list[tuple]) -> list[np.ndarray]:
    """Return probabilities (n_t, C) of the test rows of each split (train, test), by its own copy.

    There is a column for every declared class; X is read once if the model can do that.
    """
    tests = [test for _, test in splits]
    models = fit_all(model, task, [train for train, _ in splits])
    with WarnOnce(without=(NEVER_SEEN,)):  # all cases are of one table: no value is miswritten
        if hasattr(model, "predict_folds"):
            parts = model.predict_folds(models, task.X, tests)
        else:
            pairs = zip(models, tests, strict=True)
            parts = [fitted.predict_proba(take_rows(task.X, test)) for fitted, test in pairs]
    return [line_up(m, part, task.classes) for m, part in zip(models, parts, strict=True)]
