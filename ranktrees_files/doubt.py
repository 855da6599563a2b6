"""A doubt about a table, and what the kinds of doubts share."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.reading.checks import about
from ranktrees_engine.reading.columns import Column

SAMPLE = 100  # distinct texts that show how a column is written
FEW, MANY = 10, 20  # distinct values: of codes at most, of a quantity at least
START = r"(EUR|USD|GBP|CHF)?[^a-zA-Z]*\d"
GAP = re.compile(
    r"\W*|n\W?a\W?n?|k\W*a\W*|null?|none|nil|unk(nown)?|missing|not available|#[\w/]+[!?]?", re.I
)


GROWING = ("drop", "na_values", "numbers")  # keywords to which doubts add


class Doubt(NamedTuple):
    """What may be wrong with `columns`, in a sentence, and keywords that would correct it.

    `kind` is "header", "comment", "class", "spelling", "numbers", "mixed", "code", "dates",
    "ordered", "identifier", "constant", "empty" or "rows".
    """

    kind: str
    columns: tuple[str, ...]
    sentence: str
    remedy: dict[str, Any]


class HowRead(NamedTuple):
    """How a table was read: from lines, with names in the first one, and commas between values.

    `decimal` is the mark of fractions in its numbers.
    """

    has_lines: bool = True
    has_names: bool = True
    has_commas: bool = True
    decimal: str = "."


AS_USUAL = HowRead()


class Values(NamedTuple):
    """The distinct values (V,) of a column, how often each occurs, and its cases, known and all.

    For a column of numbers `n_values` is 0, 1 or, for more, 2, and there are no `values`.
    """

    name: str
    values: Sequence | None
    counts: np.ndarray | None
    n_values: int
    n_known: int
    n: int
    declared: bool = False

    @classmethod
    def of(cls, column: Column) -> "Values":
        """The values that occur in a column."""
        x, n = column.values, len(column.values)
        if column.kind == "numeric":
            n_known = n - np.count_nonzero(np.isnan(x))
            n_values = (n_known > 0) + int(np.fmin.reduce(x) < np.fmax.reduce(x))
            return cls(column.name, None, None, n_values, n_known, n)
        counts = np.bincount(x[x >= 0], minlength=len(column.categories))
        values, counts = column.categories[counts > 0], counts[counts > 0]
        return cls(column.name, values, counts, len(values), counts.sum(), n, column.declared)

    @property
    def some(self) -> tuple[pd.Series, np.ndarray]:
        """Some of the distinct values (V,) as text, and how often each occurs."""
        step = slice(None, None, 1 + len(self.values) // SAMPLE)
        return texts(self.values[step]), self.counts[step]

    def share(self, is_so) -> float:
        """The share of the cases of which a function of some distinct texts (V,) is true."""
        some, counts = self.some
        return counts[is_so(some).to_numpy(bool)].sum() / counts.sum()


def texts(values: Sequence) -> pd.Series:
    """Values (V,) as a column of text, in which half a character, unknown to Arrow, is a ?."""
    try:
        return pd.Series(values, dtype="str")
    except UnicodeEncodeError:
        return pd.Series([v.encode("utf-8", "replace").decode() for v in values], dtype="str")


def together(kind: str, names: Sequence[str], predicate: str) -> list[Doubt]:
    """One doubt about all these columns, which can be left out; none about no column."""
    if not names:
        return []
    return [Doubt(kind, tuple(names), about(names, predicate), {"drop": [*names]})]


def in_words(how: dict) -> str:
    """Keywords as they are written in a call."""
    return ", ".join(f"{key}={value!r}" for key, value in how.items())


def joined(earlier: Any, value: Any) -> Any:
    """The value of a keyword after an earlier one: lists grow, other values take its place.

    Marks of one column, in a dict, are joined with those of all, whose key there is None.
    """
    if not earlier or not isinstance(value, list | dict):
        return value
    if isinstance(value, dict) or isinstance(earlier, dict):
        one, two = (v if isinstance(v, dict) else {None: v} for v in (earlier, value))
        return one | {name: joined(one.get(name), two[name]) for name in two}
    earlier = [earlier] if pd.api.types.is_scalar(earlier) else earlier
    return [*dict.fromkeys([*earlier, *value])]


def completed(found: Sequence[Doubt], options: dict) -> list[Doubt]:
    """The doubts with remedies that take the place of these options, and keep what they say."""
    return [_completed(doubt, options) for doubt in found]


def _completed(doubt, options):
    said, remedy = doubt.sentence, {}
    for name, value in doubt.remedy.items():
        earlier = options.get(name) if name in GROWING else None
        if isinstance(earlier, dict) and isinstance(value, list):  # the marks of these columns
            value = dict.fromkeys(doubt.columns, value)
        remedy[name] = joined(earlier, value)
        said = said.replace(in_words({name: doubt.remedy[name]}), in_words({name: remedy[name]}))
    return doubt._replace(sentence=said, remedy=remedy)
