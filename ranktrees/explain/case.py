"""Reading the single case that is to be explained."""

from collections.abc import Mapping
from numbers import Real

import numpy as np
import pandas as pd

from ranktrees.base import not_fitted
from ranktrees.columns import as_array
from ranktrees.encode import Codes


def one_case(model, case):
    """A single case as the model reads it: a DataFrame or array of one row, or `Codes`.

    `case` is one of these, a Series, a dict {attribute: value} (None where missing) or a list of
    values in the order of the attributes. For a model of `Codes` the values are codes. Raises
    ValueError for several rows and, by name, for attributes that lack or are unknown.
    """
    if not hasattr(model, "classes_"):
        raise not_fitted(model)
    if isinstance(case, pd.DataFrame | Codes):
        _check_one(len(case))
        return case
    names, schema = _names(model)
    if isinstance(case, pd.Series) and getattr(model, "_names", None) is None:
        case = case.to_numpy()  # the model knows its attributes by their places only
    values = _in_order(case, names) if isinstance(case, Mapping | pd.Series) else _row(case, names)
    if schema is not None:
        return _as_codes(values, schema)
    if model._names is None:
        row = np.empty((1, len(values)), object)
        row[0] = values
        return row
    return pd.DataFrame({name: _cell(value) for name, value in zip(names, values, strict=True)})


def _cell(value):
    """A column of one value; what is neither number nor text, as an interval, is a category."""
    missing = pd.api.types.is_scalar(value) and pd.isna(value)
    if missing or isinstance(value, str | Real | np.bool_):
        return [value]
    return pd.Categorical.from_codes([0], pd.Index([value], tupleize_cols=False))


def _names(model):
    """The attributes' names, and their schema if the model was fitted on codes."""
    schema = model.tree_.schema if hasattr(model, "tree_") else model.schema_
    return [info.name for info in schema], None if hasattr(model, "encoder_") else schema


def _check_one(rows):
    if rows != 1:
        raise ValueError(f"one case can be explained, but there are {rows}: pick one, X.iloc[[0]]")


def _in_order(case, names):
    given = {str(name): value for name, value in case.items()}
    if lacking := [name for name in names if name not in given]:
        raise ValueError(
            f"the case lacks {', '.join(map(repr, lacking))}: give every attribute, None if missing"
        )
    if unknown := [name for name in given if name not in names]:
        raise ValueError(
            f"the case has {', '.join(map(repr, unknown))}, unknown to the model; its attributes "
            f"are {', '.join(names)}"
        )
    return [given[name] for name in names]


def _row(case, names):
    if isinstance(case, str) or not np.iterable(case):
        raise TypeError(f"a case is a row of a table, a dict or a list of values, not {case!r}")
    row = as_array(case)
    if row.ndim == 2:
        _check_one(len(row))
        row = row[0]
    if row.shape != (len(names),):
        raise ValueError(
            f"the case has {row.size} values, but there are {len(names)} attributes: "
            f"{', '.join(names)}"
        )
    return row.tolist()


def _as_codes(values, schema):
    for value, info in zip(values, schema, strict=True):
        if not isinstance(value, Real) or not float(value).is_integer():
            raise TypeError(
                f"attribute {info.name!r}: the model was fitted on Codes, so the case's values are "
                f"codes, 0 to {info.size - 1}, not {value!r}"
            )
    return Codes(np.array([values], np.intp), schema)
