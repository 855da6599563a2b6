"""An explanation, readable as text and in a notebook, and the case that it explains."""

from collections.abc import Hashable
from dataclasses import dataclass
from html import escape
from numbers import Real

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import is_case
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.html import page, wide
from ranktrees_engine.basics.kinds import Array, Case, Model
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.frames import as_pandas


@dataclass(eq=False)
class Explanation:
    """Reasons for one case's probabilities: answer, steps in words, a table, P of each class."""

    title: str
    lines: list[str]
    table: pd.DataFrame
    proba: dict

    @classmethod
    def of(
        cls, classes: Array, proba: Array, lines: list[str], table: pd.DataFrame
    ) -> "Explanation":
        """Make the explanation of probabilities (C,) of classes (C,), titled with the largest."""
        best = int(first_best(proba))
        title = f"{classes[best]} with probability {proba[best]:.3f}"
        shares = dict(zip(classes.tolist(), proba.tolist(), strict=True))
        return cls(title, lines, table, shares)

    def __str__(self) -> str:
        lines = [f"{i}. {line}" for i, line in enumerate(self.lines, 1)]
        table = self.table.to_string(line_width=100, float_format="{:.3f}".format)
        return "\n".join([self.title, *lines, "", table])

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(line)}</li>" for line in self.lines)
        table = wide(self.table, float_format="{:.3f}".format)
        return page(self.title, f"<ol>{items}</ol>{table}")


def one_case(model: Model, case: Case) -> pd.DataFrame | np.ndarray | Codes:
    """Read a single case as the model does: a DataFrame or array of one row, or `Codes`.

    `case` is one of these, a Series, a dict {attribute: value} (None if missing) or a list of
    values in the order of the attributes. For a model fitted on `Codes` the values are codes.
    Raises ValueError for several rows, and for attributes that are missing or unknown, which it
    names.
    """
    check_fitted(model, "classes_")
    frame = case if is_case(case) else as_pandas(case)
    if isinstance(frame, pd.DataFrame | Codes):
        _check_one(len(frame))
        return frame
    summary = model.summary()
    any_type = summary.reads == "values"  # a list or a set may be a value there
    names, by_name = [info.name for info in summary.attributes], summary.names is not None
    if is_case(case) or (isinstance(case, pd.Series) and by_name):
        values = _in_order(case, names)
    else:
        values = _row(case, names, any_type)
    if summary.reads == "codes":
        return _as_codes(values, summary.attributes)
    if by_name:
        cells = [_cell(v) if not any_type or isinstance(v, Hashable) else [v] for v in values]
        return pd.DataFrame(dict(zip(names, cells, strict=True)))
    row = np.empty((1, len(values)), object)
    row[0] = values
    return row


def _cell(value):
    """Make a column of one value, a category unless it is a number or text: an interval is."""
    missing = pd.api.types.is_scalar(value) and pd.isna(value)
    if missing or isinstance(value, str | Real | np.bool_):
        return [value]
    return pd.Categorical.from_codes([0], pd.Index([value], tupleize_cols=False))


def _check_one(rows):
    if rows != 1:
        raise ValueError(f"one case can be explained, but there are {rows}: pick one, X.iloc[[0]]")


def _in_order(case, names):
    """Return the values of a case by name, in the order of the attributes."""
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


def _row(case, names, any_type):
    """Return the values of a list, or of an array of one dimension, or two with a single row."""
    if isinstance(case, str) or not np.iterable(case):
        raise TypeError(f"a case is a row, Series, dict or list of its values, not {case!r}")
    if isinstance(case, pd.Series):
        case = case.to_numpy()  # the model knows its attributes by their places only
    if not any_type and not isinstance(case, np.ndarray):
        case = list(case)  # no array of all: True stays True, and a number is not spelt
        if case and all(isinstance(row, list | tuple | np.ndarray) for row in case):
            _check_one(len(case))
            case = case[0]
    if isinstance(case, np.ndarray):
        if case.ndim == 2:
            _check_one(len(case))
            case = case[0]
        case = case.tolist()
    if len(case) != len(names):
        raise ValueError(
            f"the case has {len(case)} values, but there are {len(names)} attributes: "
            f"{', '.join(names)}"
        )
    return list(case)


def _as_codes(values, schema):
    for value, info in zip(values, schema, strict=True):
        if not isinstance(value, Real) or not float(value).is_integer():
            raise TypeError(
                f"attribute {info.name!r}: the model was fitted on Codes, so the case's values are "
                f"codes, 0 to {info.size - 1}, not {value!r}"
            )
    return Codes(np.array([values], np.intp), schema)
