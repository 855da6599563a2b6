"""The columns of a training set as Newton trees use them: value codes and distances."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import pandas as pd
from pandas.api.types import is_object_dtype, is_scalar

from ranktrees_engine.basics.arguments import is_case, shown
from ranktrees_engine.newton.attributes import Attribute, ascending, default_distance, hashable
from ranktrees_engine.reading.columns import Column, names_of, warn_of_new
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.meaning import look_up, spellings


@dataclass(frozen=True)
class Measured:
    """A set of n cases in A attributes: `code` (A, n), -1 where missing, into their `values`.

    For an attribute on a line `line[a]` (V,) has the numbers or ranks of its values; for others,
    except nominal ones, `table[a]` (V, V) has the distances. Otherwise both are None. `span` (A,)
    is the largest distance, and `fill[a]` the value that replaces a missing one, None if none does.
    """

    attributes: tuple[Attribute, ...]
    code: np.ndarray
    line: tuple[np.ndarray | None, ...]
    table: tuple[np.ndarray | None, ...]
    span: np.ndarray
    fill: tuple = ()

    @classmethod
    def of(cls, columns: Sequence[Column], distances: Mapping | None) -> "Measured":
        """Learn the attributes of columns: with named `distances`, or defaults for the others."""
        named = _named(distances, [column.name for column in columns])
        pairs = [_attribute(column, named.get(column.name)) for column in columns]
        attributes, code = zip(*pairs, strict=True)
        line = [a.numbers(a.values) if a.is_line else None for a in attributes]
        table = [None if a.is_line or a.kind == "nominal" else a.matrix() for a in attributes]
        span = np.ones(len(attributes))
        for a, (numbers, distances) in enumerate(zip(line, table, strict=True)):
            if numbers is not None:
                span[a] = np.ptp(numbers) if len(numbers) else 0
            elif distances is not None:
                span[a] = distances.max(initial=0)
        code, fill = np.array(code, np.int32), (None,) * len(attributes)
        return cls(attributes, code, tuple(line), tuple(table), span, fill)

    def filled(self, fill: np.ndarray) -> "Measured":
        """Return the same cases with missing values replaced by these value codes (A,)."""
        values = (
            None if v < 0 else attribute.values[v]
            for attribute, v in zip(self.attributes, fill.tolist(), strict=True)
        )
        code = np.where(self.code < 0, fill[:, None].astype(np.int32), self.code)
        return replace(self, code=code, fill=tuple(values))

    @property
    def sizes(self) -> np.ndarray:
        """Number of distinct values of each attribute (A,), at least 1."""
        return np.array([max(len(attribute), 1) for attribute in self.attributes])


def _named(distances, names):
    """Return the distances by column; TypeError or ValueError for an invalid one."""
    given = {} if distances is None else distances
    if not isinstance(given, Mapping):
        raise TypeError(f'distances must be a dict such as {{"basket": "jaccard"}}, not {given!r}')
    given = {str(name): distance for name, distance in given.items()}
    for name, distance in given.items():
        if name not in names:
            raise ValueError(
                f"distances names the column {name!r}, but the columns are {', '.join(names)}"
            )
        if isinstance(distance, list | np.ndarray | pd.DataFrame):
            raise TypeError(
                f"column {name!r}: name the values of the matrix: rt.Attribute(values, matrix)"
            )
    return given


def _attribute(column, named):
    """Return a column's attribute, with the named or default distance, and its codes (n,)."""
    if column.kind == "numeric" and named is None:
        numbers, code = _distinct_numbers(column)
        return Attribute(numbers, name=column.name), code
    present, code = distinct_values(column)
    values, distance = present, named
    if isinstance(named, Attribute):  # its values, or else its distance alone
        values, distance = named.values if named.is_declared else present, named.distance
    elif column.kind != "numeric" and (named or column.kind) == "ordinal":
        values, distance = column.categories, "ordinal"
    elif named is None and default_distance(present) == "absolute":
        distance = "zero-one"  # numbers that were declared to be names
    attribute = Attribute(values, distance, column.name)
    if not (attribute.is_declared or attribute.kind == "numeric"):
        attribute.values = tuple(map(hashable, present))  # in declared order
    if attribute.kind != "numeric":
        spellings(column.name, attribute.values)  # refuses two values of one spelling
    return attribute, np.append(attribute.places(present), -1)[code]


def distinct_values(column: Column) -> tuple[list, np.ndarray]:
    """Return the distinct values, declared ones in their order; codes (n,), -1 if missing."""
    if column.kind == "numeric":
        numbers, code = _distinct_numbers(column)
        return numbers.tolist(), code
    present = np.bincount(column.values + 1, minlength=len(column.categories) + 1)[1:] > 0
    number = np.append(np.cumsum(present) - 1, -1)
    return list(compress(column.categories, present.tolist())), number[column.values]


def _distinct_numbers(column):
    known, code = ~column.missing, np.full(len(column.values), -1)
    numbers, code[known] = np.unique(column.values[known], return_inverse=True)
    return numbers, code


def line_numbers(attribute: Attribute, column: Column) -> np.ndarray:
    """Return a column as numbers (n,), NaN where missing; ValueError if a value is not a number."""
    if attribute.kind == column.kind == "numeric":
        return attribute.numbers(column.values)
    values, code = distinct_values(column)
    try:
        return np.append(attribute.numbers(values), np.nan)[code]
    except TypeError as error:
        raise ValueError(
            f"column {column.name!r} was numeric in training but now holds values such as "
            f"{shown(values[0])}: convert it to numbers"
        ) from error


def as_known(column: Column, attribute: Attribute, known: Sequence, fill) -> Column:
    """Spell a new column's values as those of training (or `known`) that they mean.

    Raises ValueError, as `look_up` does, for a type that cannot have such values.
    """
    if attribute.kind == "numeric":
        if column.kind == "numeric":
            return column
        binary = {*known, fill} <= {0, 1, None}
        return Column(column.name, "numeric", column.numbers(truth=binary))
    known = dict.fromkeys(attribute.values if len(attribute) else (*known, fill))
    given, code = column.categories, column.values
    if column.kind != "numeric" and given.inferred_type == "string":
        new = [v for v, text in enumerate(given.tolist()) if text not in known]
        if not new or not np.isin(code, new).any():
            return column  # as nearly always
    known = [v for v in known if v is not None]
    if column.kind == "numeric":
        given, code = names_of(column.name, known, code)
    values, there = list(given), np.flatnonzero(np.bincount(code + 1)[1:])
    asked = [values[v] for v in there.tolist()]
    place = look_up(column.name, known, spellings(column.name, known), asked)
    for v, p in zip(there.tolist(), place.tolist(), strict=True):
        values[v] = values[v] if p < 0 else known[p]
    if attribute.kind == "nominal" and len(attribute):
        warn_of_new(column.name, given, np.isin(np.arange(len(given)), there[place < 0]), code)
    return replace(column, kind="nominal", values=code, categories=values)


def unseen(column: Column, attribute: Attribute) -> np.ndarray:
    """Return which values (n,) of a column of names were never seen."""
    if attribute.kind != "nominal" or not len(attribute):
        return np.zeros(len(column.values), bool)
    known = pd.Index(attribute.values, dtype=object, tupleize_cols=False)
    return (column.codes_in(known) < 0) & ~column.missing


def filled(column: Column, fill) -> Column:
    """Return a column with `fill` in place of missing values; unchanged if `fill` is None."""
    gap = column.missing
    if fill is None or not gap.any():
        return column
    if column.kind == "numeric":
        return Column(column.name, "numeric", np.where(gap, fill, column.values))
    categories = [*column.categories, fill]
    values = np.where(gap, len(column.categories), column.values)
    return Column(column.name, column.kind, values, categories)


def as_categories(X):
    """Return X in pandas; a column of values such as sets or lists becomes a Categorical.

    A dict, which is one case, stays one. Raises TypeError, naming the column, if such values are
    mixed with others.
    """
    if is_case(X):
        return {name: v if is_scalar(v) else hashable(v) for name, v in X.items()}
    X = as_pandas(X)
    if not isinstance(X, pd.DataFrame):
        for value in X.flat if getattr(X, "dtype", None) is np.dtype(object) else ():
            if not is_scalar(value):
                kind = type(value).__name__
                raise TypeError(
                    f"X holds {shown(value)} of type {kind}: give a DataFrame; in an array each "
                    "argument must be a string or a number"
                )
        return X
    frame = X
    for j in [j for j, dtype in enumerate(X.dtypes) if is_object_dtype(dtype)]:
        values = X.iloc[:, j].tolist()
        if not all(map(is_scalar, values)):
            frame = X.copy(deep=False) if frame is X else frame
            frame.isetitem(j, _categorical(str(X.columns[j]), values))
    return frame


def _categorical(name, values):
    """Return one column's values, which are no scalars, as a Categorical; None, NaN are missing."""
    gap = np.array([is_scalar(v) and pd.isna(v) for v in values])
    known = [v for v, is_gap in zip(values, gap, strict=True) if not is_gap]
    sets = [isinstance(v, set | frozenset) for v in known]
    if any(sets) != all(sets) or any(map(is_scalar, known)):
        kinds = sorted({type(v).__name__ for v in known})
        raise TypeError(
            f"column {name!r} holds values of type {', '.join(kinds)}: a column has sets, or "
            "tuples and lists, or none of them"
        )
    known = list(map(hashable, known))
    try:
        distinct = ascending(set(known))
    except TypeError as error:
        raise TypeError(
            f"column {name!r} holds values that cannot be compared: {error}; use tuples"
        ) from None
    code, place = np.full(len(values), -1), {value: v for v, value in enumerate(distinct)}
    code[~gap] = [place[value] for value in known]
    return pd.Categorical.from_codes(code, pd.Index(distinct, dtype=object, tupleize_cols=False))
