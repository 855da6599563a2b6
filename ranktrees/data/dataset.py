"""A data set: attributes, class, and where they come from."""

from dataclasses import dataclass

import numpy as np
import pandas as pd


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
        if not isinstance(self.X, pd.DataFrame):
            raise TypeError(f"X must be a pandas DataFrame, not {type(self.X).__name__}")
        y = self.y if isinstance(self.y, pd.Categorical) else pd.Categorical(self.y)
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
