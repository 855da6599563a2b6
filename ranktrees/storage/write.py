"""From a model to what JSON has: the storing half."""

import math

import numpy as np
import pandas as pd

from ranktrees.newton.attributes import ascending
from ranktrees.storage.classes import INDEX, NUMBERS, PLAIN, attributes_of, class_of


class Writer:
    """Turns values into what JSON has, remembering the objects that were met before."""

    def __init__(self):
        self.stored, self.repeated = {}, 0

    def encode(self, value, where: str):
        """What stands for `value` in JSON; TypeError names `where` if nothing does."""
        kind = type(value)
        if kind in PLAIN:
            finite = kind is not float or math.isfinite(value)
            return value if finite else {"type": "float", "value": str(value)}
        if kind is list:
            return self._items(value, where)
        if kind is dict:
            return self._dict(value, where)
        if isinstance(value, np.generic):
            return self._scalar(value, where)
        if kind is pd.Interval:
            names = ("left", "right", "closed")
            return {"type": "interval"} | {
                name: self.encode(getattr(value, name), where) for name in names
            }
        if kind is tuple and not value:  # Python has one empty tuple, which nothing shares
            return {"type": "tuple", "items": []}
        return self._once(value, where)

    def _once(self, value, where):
        if id(value) in self.stored:
            record = self.stored[id(value)][1]
            if "id" not in record:
                self.repeated += 1
                record["id"] = self.repeated
            return {"type": "same", "id": record["id"]}
        record = self._record(value, where)
        self.stored[id(value)] = value, record  # holding the value, its id stays its own
        return record

    def _record(self, value, where):
        if type(value) is tuple:
            return {"type": "tuple", "items": self._items(value, where)}
        if type(value) is np.ndarray:
            return self._array(value, where)
        if isinstance(value, pd.Index):
            return self._index(value, where)
        if type(value) is frozenset:
            return {"type": "set", "items": self._items(ascending(value), where)}
        if callable(value) and not isinstance(value, type):
            kind, name = type(value).__name__, getattr(value, "__name__", repr(value))
            raise TypeError(
                f"{where}: a function ({kind} {name!r}) cannot be stored as JSON: use what the "
                "package has by name, or keep the code that makes the model"
            )
        cls = class_of(value, where)
        parts = attributes_of(value).items()
        attributes = {name: self.encode(part, f"{where}.{name}") for name, part in parts}
        return {"type": cls.__name__, "attributes": attributes}

    def _items(self, values, where):
        return [self.encode(value, f"{where}[{i}]") for i, value in enumerate(values)]

    def _dict(self, value, where):
        if all(type(key) is str for key in value) and "type" not in value:
            return {key: self.encode(part, f"{where}[{key!r}]") for key, part in value.items()}
        pairs = [
            [self.encode(key, f"{where} key {key!r}"), self.encode(part, f"{where}[{key!r}]")]
            for key, part in value.items()
        ]
        return {"type": "dict", "items": pairs}

    def _scalar(self, value, where):
        array = self._array(np.asarray(value), where)
        return {"type": "scalar", "dtype": array["dtype"], "value": array["values"][0]}

    def _array(self, array, where):
        dtype = array.dtype.str if array.dtype.kind == "U" else array.dtype.name
        by_column = array.flags.f_contiguous and not array.flags.c_contiguous
        values = array.ravel(order="F" if by_column else "C").tolist()
        if dtype == "object":
            values = self._items(values, where)
        elif not NUMBERS.fullmatch(dtype):
            raise TypeError(f"{where}: an array of {dtype} cannot be stored as JSON")
        elif array.dtype.kind == "f" and not np.isfinite(array).all():
            values = [v if math.isfinite(v) else str(v) for v in values]
        order = {"order": "F"} if by_column else {}
        shape = list(array.shape)
        return {"type": "array", "dtype": dtype, "shape": shape, **order, "values": values}

    def _index(self, index, where):
        dtype = str(index.dtype)
        if isinstance(index, pd.MultiIndex) or not INDEX.fullmatch(dtype):
            raise TypeError(f"{where}: an index of {dtype} cannot be stored as JSON")
        name, values = self.encode(index.name, where), self._items(index.tolist(), where)
        return {"type": "index", "dtype": dtype, "name": name, "values": values}
