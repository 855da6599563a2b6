"""A data set: attributes, class, and where they come from; how it is read from a CSV file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ranktrees.basics.arguments import as_list, check_name, check_text, choose, even
from ranktrees.basics.files import located, nearest
from ranktrees.basics.kinds import AnyPath
from ranktrees.basics.warn import warn
from ranktrees.reading.columns import are_numbers
from ranktrees.reading.csv_files import read_whole, stem
from ranktrees.reading.csv_values import as_classes, declared, marks_of, numbers, overruled
from ranktrees.reading.frames import as_pandas, refuse_twice
from ranktrees.reading.labels import one_dimensional

MARKS = [("", "."), (",", "."), ("", ","), (".", ",")]  # of thousands and fractions in numbers


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
        object.__setattr__(self, "X", _as_numbers(self.X, self.ids))
        y = as_pandas(self.y)
        flat = y.ndim == 1 if hasattr(y, "ndim") else even("y", y).ndim == 1
        y = pd.Categorical(y if flat else one_dimensional(y))
        object.__setattr__(self, "y", y)
        check_text(name=self.name, source=self.source)
        check_name("target", self.target)
        object.__setattr__(self, "ids", tuple(as_list("ids", self.ids)))
        _check(self.X, y, self.ids, self.target)

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
        return {
            "cases": len(self.X),
            "attributes": self.X.shape[1],
            "nominal": self.X.shape[1] - numeric,
            "numeric": numeric,
            "classes": len(self.y.categories),
        }

    @property
    def frame(self) -> pd.DataFrame:
        """A copy of X with the class as its last column (m x A + 1)."""
        return self.X.assign(**{self.target: self.y})


def _as_numbers(X, ids):
    """X with numbers that are objects, such as Decimals, as pandas has numbers."""
    frame = X
    for j, (name, x) in enumerate(X.items()):
        if x.dtype == object and name not in ids and are_numbers(x):
            frame = X.copy(deep=False) if frame is X else frame
            frame.isetitem(j, x.to_numpy(float, na_value=np.nan))
    return frame


def _check(X, y, ids, target):
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows, but the class {target!r} has {len(y)} values")
    if len(rows := np.flatnonzero(y.codes < 0)):
        shown = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
        raise ValueError(
            f"the class {target!r} is missing in {len(rows)} of {len(y)} rows ({shown}, "
            "counted from 0): drop these rows or fill in their class"
        )
    refuse_twice(X.columns)
    if target in X.columns:
        raise ValueError(f"X still holds the class column {target!r}: drop it from X")
    if unknown := [name for name in ids if name not in list(X.columns)]:
        raise ValueError(f"ids names columns that X does not have: {unknown}")


def drop_unknown(X, y: pd.Series, path: Path, missing_class: str):
    """X and y, for missing_class="drop" without the rows that have no class, with a warning."""
    choose("missing_class", missing_class, ("error", "drop"))
    known = y.notna().to_numpy()
    if missing_class == "error" or known.all() or not known.any():
        return X, y
    warn(f"{path.name}: {(~known).sum()} of {len(y)} rows, which have no class, are left out")
    return X[known].reset_index(drop=True), y[known].reset_index(drop=True)


# CSV


def read_csv(
    path: AnyPath, target: str | None = None, missing_class: str = "error", **options: Any
) -> Dataset:
    """The data set in a CSV file; its class is the last column unless target names it.

    Text columns become nominal with sorted values, numbers float64; an empty field, ?, NA and
    NaN are missing. missing_class="drop" leaves rows without a class out. The options, as sep=";",
    decimal="," and na_values=["n/a"], go to pandas.read_csv and overrule this. Warns of text that
    is almost numbers. Raises ValueError for an empty file, another separator, a wrong name or row,
    an infinite number, an unknown target, a class that is missing somewhere or is a measurement.
    """
    path, options = located(path), overruled(options)
    frame = read_whole(path, options)
    names = frame.columns.tolist()
    target = names[-1] if target is None else target
    if target not in names:
        raise ValueError(f"{path.name} has no column {target!r:.60}; {nearest(target, names)}")
    for name, column in frame.items():
        if pd.api.types.infer_dtype(column) == "string" and not declared(options, str(name)):
            _look_for_numbers(column, path, options)
    X, y = drop_unknown(frame, frame.pop(target), path, missing_class)
    if not declared(options, str(target)):
        y = as_classes(y)
    X, y = X.apply(_column, file=path.name), _classes(y, path)
    return Dataset(X, y, name=stem(path), source=path.name, target=target)


def read_csv_frame(path, **options) -> pd.DataFrame:
    """All columns of a CSV file, of a file whose class is yet to be chosen."""
    return read_whole(located(path), overruled(options))


def _look_for_numbers(column, path, options):
    """Warn of a text column that would be numbers, but for decimal commas or a few texts."""
    counts = column.value_counts()
    texts, marks = counts.index.to_series(), marks_of(options, str(column.name))
    number = plain = numbers(texts, options.get("thousands") or "", options.get("decimal", "."))
    odd = texts[~plain]
    advice = f"na_values={[*marks, *odd[:3]]!s:.200} makes it missing"
    for thousands, decimal in MARKS:
        other = numbers(texts, thousands, decimal)
        if counts[other].sum() > counts[number].sum():
            odd, number = texts[other & ~plain], other
            said = f'thousands="{thousands}", ' if thousands else ""
            advice = f'{said}decimal="{decimal}" makes it a number'
    if number is plain and number.sum() < 10 and odd.str.contains(r"\d").any():
        return  # codes as 1, 2, 3, 4+
    if len(odd) and counts[number].sum() >= 0.9 * counts.sum():
        row, where = column.isin(odd).argmax(), f"{path.name}: column {column.name!r:.60}"
        warn(
            f"{where} is text by {column.iloc[row]!r:.60} in data row {row + 1}, and else numbers: "
            f'{advice}, dtype={{{column.name!r:.60}: "category"}} keeps all as names'
        )


def _column(column, file):
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        infinite = column.isin([np.inf, -np.inf])
        if infinite.any():
            row = infinite.argmax() + 1
            raise ValueError(f"{file}: column {column.name!r:.60} is infinite in data row {row}")
        return column.astype("float64")
    return column.astype("category").cat.rename_categories(str)


def _classes(column, path):
    if len(missing := np.flatnonzero(column.isna())):
        raise ValueError(
            f"{path.name}: the class {column.name!r:.60} is missing in {len(missing)} of "
            f"{len(column)} rows, first in data row {missing[0] + 1} "
            '(missing_class="drop" leaves them out)'
        )
    if pd.api.types.is_float_dtype(column) and (column % 1 != 0).any():
        raise ValueError(
            f"{path.name}: the column {column.name!r:.60} holds measurements, not classes: "
            "name another target, or cut it into classes first"
        )
    return pd.Categorical(column.infer_objects())
