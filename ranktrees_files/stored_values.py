"""Values that JSON does not have: what each is made of, and how it is made again.

What is made may come from a file that somebody wrote by hand. So an array holds only values of its
type, and nothing is allocated before its size is known to be what the file itself holds or, for
zeros that are left out and for the width of texts, within `MOST_CELLS`.
"""

import json
import math
from collections.abc import Callable
from functools import lru_cache
from numbers import Real
from typing import NamedTuple, NoReturn

import numpy as np
import pandas as pd

from ranktrees_engine.newton.attributes import ascending

__all__ = [
    "KINDS",
    "MOST_CELLS",
    "PLAIN",
    "cells_of",
    "check_room",
    "layout",
    "refuse_constant",
    "zeros_left_out",
]

SMALL = 100  # numbers of an array that is always stored as a whole
MOST_CELLS = 1 << 28  # of arrays with zeros left out, and letters of arrays of text, in all
PLAIN = {type(None), bool, int, float, str}  # what JSON has
ITEMS = {"b": {bool}, "i": {int}, "u": {int}, "f": {int, float}, "U": {str}}  # O: any


class Kind(NamedTuple):
    """A class, the parts of its values, and the function of these parts that makes a value."""

    cls: type | tuple
    parts: Callable
    make: Callable


def layout(value: object, pad: str = "\n ") -> str:
    """Return JSON text with a line for each part of an object."""
    if not isinstance(value, dict):
        return json.dumps(value, allow_nan=False)
    lines = [f"{json.dumps(key)}: {layout(part, pad + ' ')}" for key, part in value.items()]
    return "{" + pad + f",{pad}".join(lines) + "}"


def zeros_left_out(array: np.ndarray) -> list | None:
    """Return the parts of "sparse" for a large array of numbers that are mostly 0, else None."""
    if array.size <= SMALL or array.dtype.kind not in "iuf":
        return None
    filled = np.flatnonzero((array != 0) | np.signbit(array))  # -0.0 is not 0
    if 3 * len(filled) >= array.size:
        return None
    return [filled, array.ravel()[filled], [*array.shape]]


def cells_of(kind: str, parts: list) -> int:
    """Return the cells that a value takes beyond those that its text lists.

    Raises ValueError unless these parts say how many.
    """
    if kind == "sparse":
        return math.prod(_shape(parts[-1]))
    if kind in ("array", "scalar", "index") and str(parts[0]).startswith("U"):
        return _type(parts[0]).itemsize // 4 * (1 if kind == "scalar" else len(parts[-1]))
    return 0


def refuse_constant(name: str) -> NoReturn:
    """Raise ValueError for NaN and infinity, which JSON does not have but Python reads."""
    raise ValueError(f"{name} is not a number that is stored")


def check_room(record: object) -> None:
    """Raise TypeError if a file of this record would need more cells than loading allows."""
    if (cells := _all_cells(record)) > MOST_CELLS:
        raise TypeError(
            f"it cannot be stored: its arrays have {cells:,} cells, more than the {MOST_CELLS:,} "
            "that are loaded; fit it on fewer cases or values"
        )


def _all_cells(record):
    parts = [*record.values()] if type(record) is dict else record
    own = sum(cells_of(*pair) for pair in record.items()) if type(record) is dict else 0
    return own + sum(_all_cells(part) for part in parts if type(part) in (dict, list))


def type_name(dtype: np.dtype) -> str:
    """Return the name of a type in files; TypeError for a type that cannot be stored."""
    if dtype.kind not in "biufUO":
        raise TypeError(f"values of type {dtype} cannot be stored as JSON")
    return dtype.str[1:] if dtype.kind == "U" else dtype.name


@lru_cache
def _type(name):
    """The type of this name; TypeError or ValueError if it is not the name of a type in files."""
    dtype = np.dtype(name)
    if type_name(dtype) != name:
        raise ValueError(f"{name!r:.40} is not the name of a type that is stored")
    return dtype


def _shape(shape):
    """A shape; ValueError unless it is a list of whole numbers of 0 or more."""
    if type(shape) is not list or not {*map(type, shape)} <= {int} or min(shape, default=0) < 0:
        raise ValueError(f"the shape of an array must be whole numbers of 0 or more, not {shape}")
    return shape


def _array(name, shape, values):
    dtype, items = _type(name), {*map(type, values)}
    if type(values) is not list or not items <= ITEMS.get(dtype.kind, items):
        raise ValueError(f"an array of type {name} must list values of that type")
    if math.prod(_shape(shape)) != len(values):
        raise ValueError(f"cannot reshape {len(values)} values to the shape {shape}")
    return _of_type(dtype, values).reshape(shape)


def _of_type(dtype, values):
    """Values as an array; ValueError for one that the type cannot hold as it is."""
    with np.errstate(over="ignore"):  # of a narrow type, which has infinity then
        array = np.fromiter(values, object, len(values)).astype(dtype)
    if dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"a number in an array of type {dtype} is not finite")
    if dtype.kind == "U" and max(map(len, values), default=0) > dtype.itemsize // 4:
        raise ValueError(f"a text is longer than the {dtype.itemsize // 4} letters of its array")
    return array


def _sparse(filled, values, shape):
    size = math.prod(_shape(shape))
    for part, kinds in ((filled, "iu"), (values, "iuf")):
        if not isinstance(part, np.ndarray) or part.dtype.kind not in kinds or part.ndim != 1:
            raise ValueError("an array with zeros left out must list places and their numbers")
    if len(filled) != len(values) or (filled < 0).any() or (filled >= size).any():
        raise ValueError(f"an array of shape {shape} does not have the places that are filled")
    array = np.zeros(size, values.dtype)
    array[filled] = values
    return array.reshape(shape)


def _index_type(index):
    """The type of an index as all versions of pandas know it: of numbers NumPy's, else "object"."""
    if isinstance(index, pd.IntervalIndex):
        return "interval"
    dtype = getattr(index.dtype, "numpy_dtype", index.dtype)  # of pandas' and pyarrow's numbers
    return dtype.name if dtype.kind in "biuf" else "object"


def _index(name, title, values):
    if name == "interval":
        return pd.IntervalIndex(values, name=title)
    values = _array(name, [len(values)], values)
    return pd.Index(values, dtype=values.dtype, name=title, tupleize_cols=False)


def _interval(left, right, closed):
    if not all(isinstance(end, Real) and math.isfinite(end) for end in (left, right)):
        raise ValueError(f"an interval lies between two numbers, not {left!s:.40}, {right!s:.40}")
    return pd.Interval(left, right, closed)


def _scalar(name, item):
    return _array(name, [], [item])[()]


KINDS = {
    "tuple": Kind(tuple, list, lambda *parts: parts),
    "set": Kind(frozenset, ascending, lambda *parts: frozenset(parts)),
    "dict": Kind(dict, lambda v: [list(pair) for pair in v.items()], lambda *pairs: dict(pairs)),
    "interval": Kind(pd.Interval, lambda v: [v.left, v.right, v.closed], _interval),
    "index": Kind(pd.Index, lambda v: [_index_type(v), v.name, v.tolist()], _index),
    "array": Kind(
        np.ndarray, lambda v: [type_name(v.dtype), [*v.shape], v.ravel().tolist()], _array
    ),
    "sparse": Kind((), lambda v: None, _sparse),  # see `zeros_left_out`
    "scalar": Kind(np.generic, lambda v: [type_name(v.dtype), v.item()], _scalar),
}
