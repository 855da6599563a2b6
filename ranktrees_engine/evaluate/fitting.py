"""A model fitted to several training sets, which are rows of the same cases."""

import copy

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import shown
from ranktrees_engine.reading.columns import as_array
from ranktrees_engine.reading.frames import as_pandas


def take_rows(values, rows: np.ndarray):
    """Return these rows of a frame, Series, Categorical, list, array or `Codes`."""
    values = as_pandas(values)
    if isinstance(values, pd.DataFrame | pd.Series):
        return values.iloc[rows]
    if isinstance(values, pd.Categorical) or hasattr(values, "schema"):
        return values.take(rows)
    return as_array(values)[rows]


def check_model(model) -> None:
    """Raise TypeError unless the model has `fit` and `predict_proba`."""
    if isinstance(model, type):
        raise TypeError(f"{model.__name__} is a class, not a model: write {model.__name__}()")
    for name in ("fit", "predict_proba"):
        if not callable(getattr(model, name, None)):
            raise TypeError(f"a model needs fit and predict_proba, but {model!r} has no {name}")


def unfitted(model):
    """Return a new model with the same settings, so that the user's model does not change."""
    if not hasattr(model, "get_params"):
        return copy.deepcopy(model)
    return type(model)(**copy.deepcopy(model.get_params(deep=False)))


def fit_each(model, X, y, training) -> list:
    """Fit a model to each of these arrays of rows, in one pass if the model can do that."""
    if hasattr(model, "fit_folds"):
        return unfitted(model).fit_folds(X, y, training)
    if hasattr(model, "_read_training"):  # of all cases first, so that errors name their rows
        unfitted(model)._read_training(X, y)
    return [unfitted(model).fit(take_rows(X, rows), take_rows(y, rows)) for rows in training]


def line_up(model, learnt: np.ndarray, classes: pd.Index) -> np.ndarray:
    """Return a model's probabilities, with a column for every class (n, C), 0 for new classes."""
    if len(model.classes_) == len(classes) and (np.asarray(model.classes_) == classes).all():
        return learnt
    place = classes.get_indexer(pd.Index(model.classes_))
    if (place < 0).any():
        strange = model.classes_[place.argmin()]
        raise ValueError(f"{type(model).__name__} predicts {shown(strange)}, which y does not have")
    proba = np.zeros((len(learnt), len(classes)))
    proba[:, place] = learnt
    return proba
