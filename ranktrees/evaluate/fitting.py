"""What every evaluation does: read the data, fit copies, line up the classes, warn once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.base import check_same_length, fit_each, line_up, take_rows
from ranktrees.columns import as_array
from ranktrees.encode import Codes
from ranktrees.labels import is_declared, read_classes


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
    elif y is None and isinstance(data, tuple) and len(data) == 2:
        X, y = data
    else:
        X = data
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


def fit_all(model, task: Task, training: list[np.ndarray]) -> list:
    """A model fitted to each of these arrays of rows, all in one pass where the model can."""
    check_model(model)
    _check_two_classes(task, training)
    return fit_each(model, task.X, task.y, training)


def _check_two_classes(task, training):
    for number, rows in enumerate(training):
        counts = np.bincount(task.codes[rows])
        if np.count_nonzero(counts) < 2:
            raise ValueError(
                f"training set {number} holds class {task.classes[counts.argmax()]!r} alone, from "
                "which nothing is learnt: use stratified folds, or leave out classes of one case"
            )


def check_model(model) -> None:
    """Raise TypeError unless the model can be fitted and asked for probabilities."""
    if isinstance(model, type):
        raise TypeError(f"{model.__name__} is a class, not a model: write {model.__name__}()")
    for name in ("fit", "predict_proba"):
        if not callable(getattr(model, name, None)):
            raise TypeError(f"a model needs fit and predict_proba, but {model!r} has no {name}")


def predict_all(model, models: list, task: Task, tests: list[np.ndarray]) -> list[np.ndarray]:
    """Probabilities (n_t, C) of each array of test rows by its one of `models`, fitted as `model`.

    A column for every declared class; X is read once where the model can.
    """
    if hasattr(model, "predict_folds"):
        found = model.predict_folds(models, task.X, tests)
    else:
        pairs = zip(models, tests, strict=True)
        found = [fitted.predict_proba(take_rows(task.X, rows)) for fitted, rows in pairs]
    return [line_up(m, learnt, task.classes) for m, learnt in zip(models, found, strict=True)]


def find_measures(names) -> dict[str, Callable]:
    """The named measures, functions of class codes (n,) and probabilities (n, C)."""
    from ranktrees.evaluate import MEASURES

    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise ValueError(f"name at least one measure: {', '.join(map(repr, MEASURES))}")
    for name in names:
        choose("measure", name, MEASURES)
    return {name: MEASURES[name] for name in names}
