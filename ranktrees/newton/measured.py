"""The columns of a training set as Newton trees take them: value codes and distances."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from ranktrees.columns import Column
from ranktrees.newton.attributes import Attribute, ascending, default_distance, hashable
from ranktrees.warn import warn

STRUCTURED = (set, frozenset, list, tuple, np.ndarray)


@dataclass(frozen=True)
class Measured:
    """n cases in A attributes: `code` (A, n), -1 where missing, into the values of `attributes`.

    `line[a]` (V,) has the numbers or ranks of the values, `table[a]` (V, V) the distances of all
    others but nominal ones; where not, they are None. `span` (A,) is the largest distance, and
    `fill[a]` the value that stands for a missing one, None where none does.
    """

    attributes: tuple[Attribute, ...]
    code: np.ndarray
    line: tuple[np.ndarray | None, ...]
    table: tuple[np.ndarray | None, ...]
    span: np.ndarray
    fill: tuple = ()

    @classmethod
    def of(cls, columns: Sequence[Column], distances: Mapping) -> "Measured":
        """Learn the attributes of columns, by the distances that are named; others by default."""
        pairs = [_attribute(column, distances.get(column.name)) for column in columns]
        attributes, code = zip(*pairs, strict=True)
        for attribute, row in zip(attributes, code, strict=True):
            _warn_constant(attribute.name, row)
        line = [a.numbers(a.values) if a.is_line else None for a in attributes]
        table = [None if a.is_line or a.is_nominal else a.matrix() for a in attributes]
        span = np.array([_span(*parts) for parts in zip(line, table, strict=True)])
        fill = (None,) * len(attributes)
        return cls(attributes, np.stack(code), tuple(line), tuple(table), span, fill)

    def filled(self, fill: np.ndarray) -> "Measured":
        """The same with these value codes (A,) where a value is missing."""
        code = np.where(self.code < 0, fill[:, None], self.code)
        values = (
            None if v < 0 else attribute.values[v]
            for attribute, v in zip(self.attributes, fill.tolist(), strict=True)
        )
        return replace(self, code=code, fill=tuple(values))

    def only(self, at: np.ndarray) -> "Measured":
        """The same with no attributes but these."""
        parts = {name: getattr(self, name) for name in ("attributes", "line", "table", "fill")}
        parts = {name: tuple(part[a] for a in at) for name, part in parts.items()}
        return Measured(code=self.code[at], span=self.span[at], **parts)

    @cached_property
    def sizes(self) -> np.ndarray:
        """(A,) number of distinct values of each attribute."""
        return np.array([max(len(attribute), 1) for attribute in self.attributes])

    @cached_property
    def all_lines(self) -> np.ndarray:
        """The numbers of all lines, end to end, and a 0 lest there be none."""
        return np.concatenate([*(line for line in self.line if line is not None), np.zeros(1)])

    @cached_property
    def line_start(self) -> np.ndarray:
        """(A,) where each attribute's numbers begin there."""
        sizes = [0 if line is None else len(line) for line in self.line]
        return np.cumsum([0, *sizes[:-1]])

    @cached_property
    def on_line(self) -> np.ndarray:
        """(A,) which attributes lie on a line."""
        return np.array([line is not None for line in self.line])

    def numbers(self, attribute: np.ndarray, code: np.ndarray) -> np.ndarray:
        """What value codes are on the lines of their attributes (broadcast), NaN for code -1."""
        number = self.all_lines.take(self.line_start[attribute] + code, mode="clip")
        return np.where(code < 0, np.nan, number) if (code < 0).any() else number

    @cached_property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return bool((self.code < 0).any())


def as_categories(X):
    """A DataFrame whose columns of sets, tuples and lists are Categoricals of their values.

    Raises TypeError, naming the column, where such values stand among others.
    """
    if not isinstance(X, pd.DataFrame):
        _refuse_structured(X)
        return X
    found = {}
    for place in [j for j, dtype in enumerate(X.dtypes) if pd.api.types.is_object_dtype(dtype)]:
        values = X.iloc[:, place].tolist()
        if any(isinstance(v, STRUCTURED) for v in values):
            found[place] = _categorical(str(X.columns[place]), values)
    if not found:
        return X
    columns = [found.get(place, X.iloc[:, place].array) for place in range(X.shape[1])]
    frame = pd.DataFrame(dict(enumerate(columns)), index=X.index)
    frame.columns = X.columns
    return frame


def _refuse_structured(X):
    if getattr(X, "dtype", None) is not np.dtype(object):
        return
    for value in X.flat:
        if isinstance(value, STRUCTURED):
            kind = type(value).__name__
            raise TypeError(f"X holds {value!r} of type {kind}: give a DataFrame, not an array")


def _categorical(name, values):
    """Values of one column that are sets, or tuples and lists; None and NaN are missing."""
    gap = [
        not isinstance(v, STRUCTURED) and pd.api.types.is_scalar(v) and pd.isna(v) for v in values
    ]
    known = [v for v, lost in zip(values, gap, strict=True) if not lost]
    sets = [isinstance(v, set | frozenset) for v in known]
    if any(sets) != all(sets) or not all(isinstance(v, STRUCTURED) for v in known):
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
            f"column {name!r} holds values that cannot be told apart: {error}"
        ) from None
    code, place = np.full(len(values), -1), {value: v for v, value in enumerate(distinct)}
    code[~np.array(gap, bool)] = [place[value] for value in known]
    return pd.Categorical.from_codes(code, pd.Index(distinct, dtype=object, tupleize_cols=False))


def _attribute(column, named):
    """The attribute of a column and the codes (n,) of its values."""
    if isinstance(named, Attribute):
        return _declared(column, named)
    if column.kind == "numeric":
        return _number_attribute(column, named)
    categories, code = list(column.categories), np.asarray(column.values, np.intp)
    if column.kind == "ordinal" and named is None:
        return Attribute(categories, "ordinal", column.name), code
    if named == "ordinal":
        return Attribute(categories, named, column.name), code
    present = np.unique(code[code >= 0]).tolist()
    values = [categories[v] for v in present]
    if named is None and default_distance(values) == "absolute":
        named = "zero-one"  # numbers that were declared to be names
    attribute = Attribute(values, named, column.name)
    place = {value: v for v, value in enumerate(attribute.values)}
    to = np.full(len(categories) + 1, -1)
    to[present] = [place[hashable(categories[v])] for v in present]
    return attribute, to[code]


def _number_attribute(column, named):
    known = ~column.missing
    values, at = np.unique(column.values[known], return_inverse=True)
    attribute = Attribute(values if named is None else values.tolist(), named, column.name)
    code = np.full(len(known), -1)
    code[known] = at if attribute.is_numeric else attribute.ranks(values.tolist())[at]
    return attribute, code


def _declared(column, named):
    """A column whose values an `Attribute` has declared, or that only takes over its distance."""
    if not named.is_declared:
        return _attribute(column, named.distance)
    known = ~column.missing
    attribute = Attribute(named.values, named.distance, column.name)
    values, at = np.unique(column.values[known], return_inverse=True)
    values = values.tolist()
    if column.kind != "numeric":
        values = [column.categories[v] for v in values]
    code = np.full(len(known), -1)
    code[known] = attribute.ranks(values)[at]
    return attribute, code


def _span(line, table):
    if line is not None:
        return float(np.ptp(line)) if len(line) else 0.0
    return 1.0 if table is None else float(table.max(initial=0))


def _warn_constant(name, code):
    most = code.max()
    if most > code.min() >= 0 or ((code >= 0) & (code < most)).any():
        return
    why = "no value at all" if most < 0 else "only one value"
    warn(f"column {name!r} has {why}: it is never split on")
