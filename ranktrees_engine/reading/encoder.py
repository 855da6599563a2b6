"""From a DataFrame or array to codes: imputation and bins, learnt on training data only."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, choose
from ranktrees_engine.basics.fitted import check_fitted, check_same_length
from ranktrees_engine.basics.kinds import Array, ArrayLike, Classes, Frame
from ranktrees_engine.basics.places import places
from ranktrees_engine.basics.sums import exact_mean
from ranktrees_engine.reading.bins import (
    DISCRETIZERS,
    check_bins,
    codes,
    equal_frequency,
    every_value,
    exact,
    value_table,
)
from ranktrees_engine.reading.checks import warn_of_columns
from ranktrees_engine.reading.columns import Column, check_same_names, read_columns, refuse_missing
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.labels import read_classes
from ranktrees_engine.reading.schema import AttributeInfo


@dataclass(frozen=True)
class Codes:
    """A coded data set: `values` (n, A) whole numbers, -1 where unseen, and what they mean.

    `gaps` (n, A) says which values were missing and are filled in; None if no value was.
    """

    values: np.ndarray
    schema: tuple[AttributeInfo, ...]
    gaps: np.ndarray | None = None

    def __post_init__(self):
        # Codes wider than an address, as pandas gives them on 32 bits, are no places for `take`.
        x, most = self.values, np.iinfo(np.intp).max
        if (
            not isinstance(x, np.ndarray)
            or x.dtype.kind not in "iu"
            or np.can_cast(x.dtype, np.intp)
        ):
            return
        if x.min(initial=0) >= -most and x.max(initial=0) <= most:  # `check` refuses others
            object.__setattr__(self, "values", places(x))

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of codes of each attribute (A,)."""
        return np.array([info.size for info in self.schema])

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: np.ndarray) -> "Codes":
        """Return the codes of these cases."""
        gaps = None if self.gaps is None else self.gaps[rows]
        part = Codes(self.values[rows], self.schema, gaps)
        vars(part)["sizes"] = self.sizes  # known already: a schema's sizes take a while to count
        return part

    def check(self, schema: tuple[AttributeInfo, ...], unseen: bool = False) -> None:
        """Raise unless all codes are within the attributes of `schema`; -1 only if `unseen`."""
        values, gaps = self.values, self.gaps
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "iu":
            raise TypeError("codes must be a NumPy array of whole numbers")
        if values.ndim != 2 or values.shape[1] != len(schema) or not len(values):
            raise ValueError(
                f"codes have shape {values.shape}, but {len(schema)} attributes and at least one "
                "case are expected"
            )
        if gaps is not None and (np.shape(gaps), getattr(gaps, "dtype", None)) != (
            values.shape,
            bool,
        ):
            raise ValueError(
                f"gaps must be an array of True and False of the codes' shape {values.shape}, not "
                f"{getattr(gaps, 'dtype', type(gaps).__name__)} of shape {np.shape(gaps)}"
            )
        sizes = self.sizes if schema is self.schema else np.array([i.size for i in schema])
        limit = min(np.iinfo(values.dtype).max, np.iinfo(np.int64).max)
        most = np.minimum(sizes.astype(np.int64) - 1, limit).astype(values.dtype)
        beyond = values > most
        if values.dtype.kind == "i":
            beyond |= values < (-1 if unseen else 0)
        if beyond.any():
            info = schema[beyond.any(axis=0).argmax()]
            raise ValueError(
                f"attribute {info.name!r} has codes outside its values, 0 to {info.size - 1}"
            )


class Encoder:
    """An encoder, which learns how to turn columns into codes and then does so.

    Nominal columns keep all their categories, also those that are only declared; ordered ones keep
    their order. Numbers become bins (numeric="bins": `discretize` names the method, `n_bins` how
    many) or the codes of possible cuts (numeric="thresholds": exact up to `max_codes` distinct
    values, if given, beyond that quantiles). Cuts lie half-way between two values or, with
    cut_at="value", at each value, as in C4.5. `missing`: "impute" inserts the training mean or the
    most frequent value, "value" makes it a value of its own (above all others if there is an
    order), "error" refuses. A category never seen in training becomes -1.
    """

    def __init__(
        self,
        numeric: str = "bins",
        discretize: str = "equal-width",
        n_bins: int = 10,
        max_codes: int | None = 255,
        missing: str = "impute",
        cut_at: str = "middle",
    ):
        choose("cut_at", cut_at, ("middle", "value"))
        choose("numeric", numeric, ("bins", "thresholds"))
        choose("discretize", discretize, DISCRETIZERS)
        choose("missing", missing, ("impute", "value", "error"))
        check_bins(n_bins)
        check_number("max_codes", max_codes, 2, whole=True, none=True)
        self.numeric, self.discretize, self.n_bins = numeric, discretize, n_bins
        self.max_codes, self.missing, self.cut_at = max_codes, missing, cut_at

    def fit(self, X: Frame, y: Classes = None) -> "Encoder":
        """Learn categories, cuts and imputed values; `y` (n,) only for "entropy-mdl"."""
        columns = read_columns(X)
        warn_of_columns(X, columns)
        codes = None if y is None else read_classes(y, "Encoder")[0]
        if codes is not None:
            check_same_length(len(columns[0].values), len(codes))
        self.learn(columns, codes)
        return self

    def transform(self, X: Frame) -> Codes:
        """Return the codes of `X`, whose columns must be those of `fit`, in their order."""
        check_fitted(self, "schema_")
        X = as_pandas(X)
        if isinstance(X, pd.DataFrame):
            check_same_names([info.name for info in self.schema_], [str(name) for name in X])
        return self.apply(read_columns(X))

    def fit_transform(self, X: Frame, y: Classes = None) -> Codes:
        """Call `fit`, then `transform`, on the same data."""
        return self.fit(X, y).transform(X)

    def learn(
        self, columns: list[Column], y: Array | None = None, weight: Array | None = None
    ) -> None:
        """Learn, as `fit` does, from read columns, class codes (n,) and weights (n,), if any."""
        self.categories_ = [column.categories for column in columns]
        self.fill_ = [self.fill_value(column, weight) for column in columns]
        self.schema_ = tuple(
            self._info(column, fill, y, weight)
            for column, fill in zip(columns, self.fill_, strict=True)
        )

    def apply(self, columns: list[Column]) -> Codes:
        """Encode columns already read, as `transform` does."""
        if len(columns) != len(self.schema_):
            raise ValueError(f"X has {len(columns)} columns, but {len(self.schema_)} were fitted")
        largest = max(info.size for info in self.schema_)
        dtype = np.min_scalar_type(-largest)
        values = np.empty((len(columns[0].values), len(columns)), dtype)
        for j, column in enumerate(columns):
            values[:, j] = self.encode(j, column)
        is_filled = self.missing == "impute" and any(column.has_gaps for column in columns)
        filled = np.stack([column.missing for column in columns], axis=1) if is_filled else None
        return Codes(values, self.schema_, filled)

    def fill_value(self, column: Column, weight: np.ndarray | None = None) -> float:
        """Return what replaces a gap: the mean, or the code of the most frequent value; else 0."""
        known = column.values
        if column.has_gaps:
            known = known[~column.missing]
            weight = weight if weight is None else weight[~column.missing]
        if not len(known):
            return 0
        if column.kind == "numeric":
            low, high = known.min(), known.max()
            mean = exact_mean(known, math.fsum if column.has_gaps else np.sum, weight)
            return min(max(mean, low), high)
        return int(np.bincount(known, weight).argmax())

    def _info(self, column, fill, y, weight):
        cuts = ()
        if self.missing == "error":
            refuse_missing([column], 'missing="impute" or missing="value"')
        if column.kind == "numeric":
            x = column.values
            if self.missing == "impute" and column.has_gaps:
                x = np.where(column.missing, fill, x)
            cuts = self.cuts(*self._values(x, y, weight))
        return self.info(column.name, column.kind, column.categories, cuts, column.has_gaps)

    def info(
        self, name: str, kind: str, categories: Iterable | None, cuts: ArrayLike, has_gap: bool
    ) -> AttributeInfo:
        """Return what the codes of a column mean; ValueError if two values share a spelling."""
        extra = bool(self.missing == "value" and has_gap)
        values = () if kind == "numeric" else tuple(categories)
        info = AttributeInfo(name, kind, values, tuple(np.asarray(cuts).tolist()), extra)
        _ = info.spellings  # made now, so that it is `fit` that refuses
        return info

    def _values(self, x, y, weight):
        """Return the distinct values (V,) of x (n,) and their counts, as far as cuts need them."""
        how = self.discretize if self.numeric == "bins" else ""
        if how == "equal-width":  # the range is enough, and numbers need no sorting
            low, high = np.fmin.reduce(x), np.fmax.reduce(x)
            ends = np.array([low, high])[[low <= high, low < high]]  # none if all are NaN
            return ends, np.ones((len(ends), 1), np.intp)
        return value_table(x, y if weight is not None or how == "entropy-mdl" else None, weight)

    def cuts(self, values: Array, counts: Array) -> Array:
        """Cut numbers with distinct values (V,) and their counts (V, C), see `bins`."""
        if self.numeric == "bins":
            return DISCRETIZERS[self.discretize].of_counts(values, counts, self.n_bins)
        if self.max_codes is not None and len(values) > self.max_codes:
            return equal_frequency.of_counts(values, counts, self.max_codes)
        return (exact if self.cut_at == "middle" else every_value).of_counts(values, counts)

    def encode(self, j: int, column: Column) -> np.ndarray:
        """Return the codes (n,) of the j-th column, -1 for values never seen."""
        info = self.schema_[j]
        if self.missing == "error" and column.has_gaps:
            row = column.missing.argmax()
            raise ValueError(f"column {info.name!r} contains NaN (missing) in row {row}")
        fill, cuts = self.fill_[j], np.array(info.cuts)
        if info.kind == "numeric":
            code = codes(column.numbers(self._in_zero_one(info, column)), cuts)
        else:
            code = column.codes_in(self.categories_[j], info.spellings)
        if not column.has_gaps:
            return code
        if self.missing == "value":
            fill = info.size - 1 if info.missing else -1
        elif info.kind == "numeric":
            fill = codes(fill, cuts)
        return np.where(column.missing, fill, code)

    def unseen(self, columns: list[Column]) -> np.ndarray:
        """Return which values (n, A) of columns were never seen; numbers are never new."""
        new = np.zeros((len(columns[0].values), len(columns)), bool)
        for j, (column, known) in enumerate(zip(columns, self.categories_, strict=True)):
            if known is not None:
                code = column.codes_in(known, self.schema_[j].spellings)
                new[:, j] = (code < 0) & ~column.missing
        return new

    def _in_zero_one(self, info, column):
        """Return whether a column, now nominal, was one of 0 and 1 in training."""
        if column.kind == "numeric":
            return False
        ends = self.cut_at == "value"
        return all(0 < cut < 1 or (ends and cut in (0, 1)) for cut in info.cuts)
