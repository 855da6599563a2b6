"""Read a CSV file as a data set."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from .dataset import Dataset
from .files import nearest

# pandas would also take "None" and "null" for missing, which are values in real tables.
DEFAULTS = {
    "keep_default_na": False,
    "na_values": ["", "?", "NA", "NaN", "nan"],
    "skipinitialspace": True,
    "low_memory": False,
    "index_col": False,
}


def read_csv(path, target: str | None = None, **options) -> Dataset:
    """The data set in a CSV file; its class is the last column unless target names it.

    Text columns become nominal with sorted values, numbers float64; an empty field, ?, NA and
    NaN are missing. The options go to pandas.read_csv and overrule this.
    Raises ValueError for an empty file, a row that is too long, an infinite number, an unknown
    target, a class that is missing somewhere or is a measurement.
    """
    path = Path(path)
    frame = _read(path, {**DEFAULTS, **options})
    if frame.empty:
        raise ValueError(f"{path.name} has no cases")
    names = frame.columns.tolist()
    target = names[-1] if target is None else target
    if target not in names:
        raise ValueError(f"{path.name} has no column {target!r}; {nearest(target, names)}")
    y = _classes(frame.pop(target), path)
    X = frame.apply(_column)
    return Dataset(X, y, name=path.stem, source=path.name, target=target)


def _read(path, options):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # it warns of cut-off values
            return pd.read_csv(path, **options)
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path.name} is empty") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8: name its encoding ({error})") from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise ValueError(f"{path.name} is not a regular table: {error}") from error


def _column(column):
    if pd.api.types.is_bool_dtype(column):
        column = column.astype("str")
    if pd.api.types.is_numeric_dtype(column):
        if len(rows := np.flatnonzero(np.isinf(column))):
            raise ValueError(f"column {column.name!r} is infinite in data row {rows[0] + 1}")
        return column.astype("float64")
    return column.astype("category")


def _classes(column, path):
    missing = np.flatnonzero(column.isna())
    if len(missing):
        raise ValueError(
            f"{path.name}: the class {column.name!r} is missing in {len(missing)} of "
            f"{len(column)} rows, first in data row {missing[0] + 1}"
        )
    if pd.api.types.is_float_dtype(column) and (column % 1 != 0).any():
        raise ValueError(
            f"{path.name}: the column {column.name!r} holds measurements, not classes: name "
            "another target, or cut it into classes first"
        )
    return pd.Categorical(column)
