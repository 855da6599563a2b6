"""Reading the columns of a DataFrame or an array: which are numeric, which are nominal.

A numeric column becomes a float array with NaN for missing values; any other column becomes integer
codes of its categories, -1 for missing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import is_dataset, shown
from ranktrees_engine.basics.kinds import Scan
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.frames import as_pandas, from_arrow, refuse_twice
from ranktrees_engine.reading.meaning import (
    EXACT,
    is_number,
    is_truth,
    look_up,
    number_of,
    spellings,
)
from ranktrees_engine.reading.texts import factorize_texts

MANY = 20  # known values of a batch, most of which should have been seen in training
NEVER_SEEN = "were never seen in training"
SAMPLE = "fit it on a sample: data = scan.sample(100_000), fit(data.X, data.y)"


@dataclass(frozen=True)
class Column:
    """One column: `kind` "numeric" with float `values`, or "nominal" or "ordinal" with codes.

    `declared`: its categories were declared, and do not merely occur.
    """

    name: str
    kind: str
    values: np.ndarray  # (n,) float, or codes with -1 for missing
    categories: pd.Index | None = None
    declared: bool = False

    @cached_property
    def missing(self) -> np.ndarray:
        """Mask (n,) of missing values."""
        return np.isnan(self.values) if self.kind == "numeric" else self.values < 0

    @cached_property
    def has_gaps(self) -> bool:
        """True if a value is missing."""
        return bool(self.missing.any())

    def take(self, rows: np.ndarray) -> "Column":
        """Return the column in these rows."""
        return replace(self, values=self.values[rows])

    def numbers(self, truth: bool = False) -> np.ndarray:
        """Return the numbers (n,), NaN where missing; with `truth`, 1 and 0 for True and False.

        Categories that are numbers become these; ValueError if there are others.
        """
        if self.kind == "numeric":
            return self.values
        numbers = np.full(len(self.categories) + 1, np.nan)  # the last is for gaps
        categories = self.categories.tolist()
        for v in np.unique(self.values[~self.missing]).tolist():
            value = categories[v]
            if not is_number(value) and not (truth and is_truth(value)):
                raise ValueError(
                    f"column {self.name!r} was numeric in training but now holds values such as "
                    f"{shown(value)}: convert it to numbers"
                )
            numbers[v] = value
        return numbers[self.values]

    def codes_in(self, known: pd.Index, table: dict | None = None) -> np.ndarray:
        """Return the position (n,) of each value among known categories, -1 if missing or unknown.

        They are looked up in the `table` of their `spellings`; if None, it is made. Warns of many
        new values. Raises ValueError as `look_up` does.
        """
        given, code = self.categories, self.values
        if self.kind == "numeric":
            given, code = names_of(self.name, known, self.values)
        if given is known or given.equals(known):
            return code
        occurs = np.bincount(code[code >= 0], minlength=len(given)) > 0
        position = np.full(len(given) + 1, -1)  # the last is for gaps
        names = known.tolist()
        table = spellings(self.name, names) if table is None else table
        position[:-1][occurs] = look_up(self.name, names, table, given[occurs].tolist())
        if (new := occurs & (position[:-1] < 0)).any() and len(known):
            warn_of_new(self.name, given, new, code)
        return position[code]


def names_of(name: str, known: Iterable, x: np.ndarray) -> tuple[pd.Index, np.ndarray]:
    """Return the distinct numbers of x (n,), to look up among names, and codes (n,), -1 for NaN.

    Raises ValueError if the known names are numbers that doubles cannot distinguish.
    """
    code, numbers = pd.factorize(x)
    if len(numbers) and np.abs(numbers).max() >= EXACT:
        large = [v for v in known if not isinstance(v, float) and abs(number_of(v) or 0) >= EXACT]
        if large:
            raise ValueError(
                f"column {name!r} held names such as {large[0]!r} in training but now holds "
                "numbers, which cannot tell whole ones of 2**53 and more: convert it to categories"
            )
    return pd.Index(numbers), code


def warn_of_new(name: str, given: pd.Index, new: np.ndarray, code: np.ndarray) -> None:
    """Warn if most of many values, given[code (n,)], -1 for none, are `new` (V,)."""
    n, n_new = np.count_nonzero(code >= 0), np.count_nonzero(np.append(new, False)[code])
    if n >= MANY and n_new > n / 2:
        some = ", ".join(map(repr, given[new][:3].tolist()))
        warn(
            f"column {name!r}: {n_new / n:.0%} of its values {NEVER_SEEN}, such as {some:.200}: "
            "see whether they are written otherwise now",
            same=f"{name} {NEVER_SEEN}",
        )


def read_columns(X, owner: str = "This model") -> list[Column]:
    """Read and check the columns of `X`: a DataFrame, a frame for `as_pandas`, or an array (n, A).

    Raises ValueError or TypeError, naming the column, for anything else, for an empty X, and for
    infinite numbers, dates, complex numbers and columns that mix numbers with text.
    """
    refuse_scan(X, owner)
    X = as_pandas(X)
    if not isinstance(X, pd.DataFrame):
        X = _as_matrix(X, owner)
    n, m = X.shape
    if n == 0 or m == 0:
        what = "0 sample(s)" if n == 0 else "0 feature(s)"
        raise ValueError(
            f"Found array with {what} (shape={(n, m)}) while a minimum of 1 is required: "
            "X is empty, give it at least one case and one attribute"
        )
    if isinstance(X, pd.DataFrame):
        refuse_twice(X.columns)
        return [_series_column(str(name), x) for name, x in X.items()]
    names = [f"x{j}" for j in range(m)]
    if X.dtype.kind in "fiu":
        values = X.astype(float)
        _check_finite(values, names)
        return [Column(name, "numeric", x) for name, x in zip(names, values.T, strict=True)]
    return [_series_column(name, pd.Series(X[:, j]), True) for j, name in enumerate(names)]


def is_scan(X) -> bool:
    """Return whether X is an `rt.scan`, or has its methods: cases in files."""
    return issubclass(type(X), Scan)  # not isinstance, which finds columns of a frame as well


def refuse_scan(X, owner: str) -> None:
    """Raise TypeError for an `rt.scan`, which the owner does not accept."""
    if is_scan(X):
        raise TypeError(f"{owner} needs the cases in memory, not a scan of files: {SAMPLE}")


def _as_matrix(X, owner):
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError(
            f"{owner}: sparse input is not supported, it is a sparse matrix; use X.toarray()"
        )
    X = _from_lists(X) if isinstance(X, list | tuple) else as_array(X)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead: X needs one row per case and one "
            "column per attribute. Reshape your data: X.reshape(-1, 1) for a single attribute, "
            "X.reshape(1, -1) for a single case"
        )
    return X


def _from_lists(X):
    """Return an array of rows that are lists; True among numbers is kept, as in a frame."""
    array = as_array(X)
    rows = X if array.ndim == 2 and array.dtype.kind in "fiu" else ()
    rows = (row for row in rows if isinstance(row, list | tuple))
    return np.array(X, object) if any(is_truth(v) for row in rows for v in row) else array


_DATES = "column {!r} holds dates or times: turn them into numbers or categories"


def as_array(values) -> np.ndarray:
    """Call `np.asarray`, but keep numbers in a list that mixes them with text.

    Raises TypeError for a Dataset, ValueError for a list of rows of unequal length.
    """
    if isinstance(values, np.ndarray):
        return values
    if is_dataset(values):
        raise TypeError("a Dataset was given as X or y: give data.X and data.y")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"give rows that are equally long, not {values!r:.60}") from error
    return np.asarray(values, object) if array.dtype.kind in "US" else array


def _check_finite(values, names):
    if np.isinf(values).any():
        row, column = np.argwhere(np.isinf(values))[0]
        raise ValueError(
            f"column {names[column]!r} contains infinity (inf) in row {row}: "
            "replace it by a number, or by NaN for a missing value"
        )


def _series_column(name: str, x: pd.Series, from_array: bool = False) -> Column:
    if "interval[pyarrow]" in str(x.dtype):  # pandas cannot even say that these are not numbers
        raise TypeError(_DATES.format(name))
    if isinstance(x.dtype, pd.CategoricalDtype):
        kind = "ordinal" if x.dtype.ordered else "nominal"
        return Column(name, kind, x.array.codes, x.dtype.categories, declared=True)
    if x.dtype.kind == "f" and isinstance(x.dtype, np.dtype):
        return _number_column(name, x)
    is_word = pd.api.types.is_bool_dtype(x.dtype) or pd.api.types.is_string_dtype(x.dtype)
    if is_word or x.dtype.kind == "c" or x.dtype == object:
        return _text_or_object(name, x, from_array)
    if pd.api.types.is_numeric_dtype(x.dtype):
        return _number_column(name, x)
    if isinstance(x.dtype, pd.ArrowDtype):  # a dictionary or a list, say: pandas' own types, then
        return _series_column(name, from_arrow(x), from_array)
    raise TypeError(_DATES.format(name))


def _number_column(name, x):
    values = x.to_numpy(float, na_value=np.nan)
    _check_finite(values[:, None], [name])
    return Column(name, "numeric", values)


def are_numbers(x: pd.Series, inferred: str | None = None) -> bool:
    """Return whether objects, whose type pandas infers as `inferred`, are numbers of any types."""
    inferred = inferred or pd.api.types.infer_dtype(x, skipna=True)
    if inferred in ("floating", "integer", "mixed-integer-float", "decimal"):
        return True
    return inferred in ("mixed", "mixed-integer") and all(map(is_number, x.dropna()))


def _text_or_object(name, x, from_array):
    inferred = pd.api.types.infer_dtype(x, skipna=True)
    if are_numbers(x, inferred) or (from_array and inferred == "empty"):
        return _number_column(name, x)
    if inferred == "complex":
        raise ValueError(f"Complex data not supported: split column {name!r} into real numbers")
    if inferred not in {"string", "boolean", "empty"}:
        if inferred.startswith(("date", "time", "period", "interval")):
            raise TypeError(_DATES.format(name))
        kinds = sorted({type(v).__name__ for v in x.dropna()})
        raise TypeError(
            f"column {name!r} holds values of type {', '.join(kinds)}; each argument must be a "
            "string or a number, and a column all text or all numbers"
        )
    codes, categories = factorize_texts(x) if inferred == "string" else pd.factorize(x, sort=True)
    return Column(name, "nominal", codes, categories)


def refuse_missing(columns: list[Column], instead: str) -> None:
    """Raise ValueError for a missing value, naming column and row, and what to do `instead`."""
    for column in columns:
        if column.has_gaps:
            raise ValueError(
                f"column {column.name!r} contains NaN (missing) in row {column.missing.argmax()}: "
                f"fill it, or use {instead}"
            )


def check_same_names(fitted: list[str], given: list[str]) -> None:
    """Raise ValueError unless both have the same column names in the same order."""
    if fitted == given:
        return
    lines = ["The feature names should match those that were passed during fit."]
    new, absent = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    if new:
        lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in new)]
    if absent:
        lines += ["Feature names seen at fit time, yet now missing:", *(f"- {n}" for n in absent)]
    if not new and not absent:
        lines.append("Feature names must be in the same order as they were in fit.")
    raise ValueError("\n".join(lines) + "\n")


def take_cases(cases, rows: np.ndarray):
    """Return these rows of a list of columns, of codes or of rows."""
    if isinstance(cases, list):
        return [column.take(rows) for column in cases]
    return cases.take(rows)
