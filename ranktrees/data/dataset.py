"""A data set: attributes, class, and where they come from; how it is read from a CSV file."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.columns import as_pandas

from .files import nearest

# pandas would also take "None" and "null" for missing, which are values in real tables.
DEFAULTS = {
    "keep_default_na": False,
    "na_values": ["", "?", "NA", "NaN", "nan"],
    "skipinitialspace": True,
    "low_memory": False,
    "index_col": False,
}


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Cases with a class: X (m x A attributes), y (m classes), and their provenance.

    The categories of y are all declared classes in declared order; ids names the columns of X
    that merely identify a case.
    Raises TypeError or ValueError when the parts do not fit together.
    """

    X: pd.DataFrame
    y: pd.Categorical
    name: str = "data"
    source: str = ""
    ids: tuple[str, ...] = ()
    target: str = "class"

    def __post_init__(self):
        object.__setattr__(self, "X", as_pandas(self.X))
        if not isinstance(self.X, pd.DataFrame):
            raise TypeError(f"X must be a pandas DataFrame, not {type(self.X).__name__}")
        y = self.y if isinstance(self.y, pd.Categorical) else pd.Categorical(as_pandas(self.y))
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "ids", tuple(self.ids))
        _check_rows(self.X, y, self.target)
        _check_names(self.X, self.ids, self.target)

    def __len__(self):
        return len(self.X)

    def __repr__(self):
        f = self.facts
        return (
            f"<Dataset {self.name}: {f['cases']} cases, {f['attributes']} attributes "
            f"({f['nominal']} nominal, {f['numeric']} numeric), {f['classes']} classes>"
        )

    @property
    def facts(self) -> dict[str, int]:
        """Counts of cases, attributes, nominal and numeric attributes, declared classes."""
        numeric = sum(map(pd.api.types.is_numeric_dtype, self.X.dtypes))
        attributes = self.X.shape[1]
        return {
            "cases": len(self.X),
            "attributes": attributes,
            "nominal": attributes - numeric,
            "numeric": numeric,
            "classes": len(self.y.categories),
        }

    @property
    def frame(self) -> pd.DataFrame:
        """A copy of X with the class as its last column (m x A + 1)."""
        return self.X.assign(**{self.target: self.y})


def _check_rows(X, y, target):
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows, but the class {target!r} has {len(y)} values")
    rows = np.flatnonzero(y.codes < 0)
    if len(rows):
        shown = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
        raise ValueError(
            f"the class {target!r} is missing in {len(rows)} of {len(y)} rows ({shown}, "
            "counted from 0): drop these rows or fill in their class"
        )


def _check_names(X, ids, target):
    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()].tolist()
        raise ValueError(f"column names must differ, but X has more than one of {twice}")
    if target in X.columns:
        raise ValueError(f"X still holds the class column {target!r}: drop it from X")
    unknown = [name for name in ids if name not in X.columns]
    if unknown:
        raise ValueError(f"ids names columns that X does not have: {unknown}")


# CSV


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
