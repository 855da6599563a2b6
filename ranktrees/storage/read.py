"""From JSON to a model: the building half, which checks all it is given."""

import math
from dataclasses import is_dataclass

import numpy as np
import pandas as pd

from ranktrees.storage.classes import CLASSES, INDEX, NUMBERS, check_attributes, load_class
from ranktrees.tree import Tree

NOT_FINITE = {"nan", "inf", "-inf"}


class Reader:
    """Builds what `Writer` wrote, and nothing else."""

    def __init__(self):
        self.shared = {}

    def decode(self, value, where: str):
        """The value that `value` stands for; ValueError names `where` if it stands for none."""
        if isinstance(value, list):
            return self._items(value, where)
        if not isinstance(value, dict):
            return value
        if "type" not in value:
            return {key: self.decode(part, f"{where}[{key!r}]") for key, part in value.items()}
        built = self._build(value, value["type"], where)
        if "id" in value and value["type"] != "same":
            self.shared[part_of(value, "id", int, where)] = built
        return built

    def _build(self, record, kind, where):
        if isinstance(kind, str) and kind in CLASSES:
            return self._object(record, kind, where)
        readers = {
            "float": self._float,
            "tuple": self._tuple,
            "set": self._set,
            "dict": self._dict,
            "scalar": self._scalar,
            "array": self._array,
            "index": self._index,
            "interval": self._interval,
            "same": self._same,
        }
        if not isinstance(kind, str) or kind not in readers:
            raise unknown(kind, where)
        return readers[kind](record, where)

    def _items(self, values, where):
        return [self.decode(value, f"{where}[{i}]") for i, value in enumerate(values)]

    def _float(self, record, where):
        return float(_one_of(record, "value", NOT_FINITE, where))

    def _tuple(self, record, where):
        return tuple(self._items(part_of(record, "items", list, where), where))

    def _set(self, record, where):
        return _made(frozenset, where, self._items(part_of(record, "items", list, where), where))

    def _dict(self, record, where):
        pairs = self._items(part_of(record, "items", list, where), where)
        return _made(dict, where, pairs)

    def _scalar(self, record, where):
        one = {"dtype": record.get("dtype"), "shape": [], "values": [record.get("value")]}
        return self._array(one, where)[()]

    def _array(self, record, where):
        dtype, values = part_of(record, "dtype", str, where), part_of(record, "values", list, where)
        shape = part_of(record, "shape", list, where)
        if not all(type(size) is int and size >= 0 for size in shape):
            raise ValueError(f"{where}: the shape of an array is whole numbers, not {shape}")
        if len(values) != math.prod(shape):
            raise ValueError(f"{where}: {len(values)} values do not fill the shape {shape}")
        if dtype == "object":
            array = np.empty(len(values), object)
            for i, value in enumerate(self._items(values, where)):
                array[i] = value
        else:
            array = _numbers(values, dtype, where)
        order = _one_of({"order": "C"} | record, "order", {"C", "F"}, where)
        return array.reshape(shape, order=order)

    def _index(self, record, where):
        dtype = part_of(record, "dtype", str, where)
        if not INDEX.fullmatch(dtype):
            raise ValueError(f"{where}: unknown type {dtype!r} of an index")
        values = self._items(part_of(record, "values", list, where), where)
        name = self.decode(record.get("name"), where)
        return _made(pd.Index, where, values, dtype=dtype, name=name)

    def _interval(self, record, where):
        left, right = (self.decode(record.get(end), where) for end in ("left", "right"))
        return _made(pd.Interval, where, left, right, part_of(record, "closed", str, where))

    def _same(self, record, where):
        number = part_of(record, "id", int, where)
        if number not in self.shared:
            raise ValueError(f"{where}: nothing before it has the id {number}")
        return self.shared[number]

    def _object(self, record, name, where):
        cls = load_class(name)
        attributes = part_of(record, "attributes", dict, where)
        check_attributes(cls, attributes, where)
        parts = {key: self.decode(part, f"{where}.{key}") for key, part in attributes.items()}
        if is_dataclass(cls):
            built = _made(cls, where, **parts)
            if isinstance(built, Tree):
                _check_tree(built, where)
            return built
        built = cls.__new__(cls)
        vars(built).update(parts)
        return built


def part_of(record: dict, key: str, kind: type, where: str):
    """record[key], which must be there and of this type."""
    if type(record.get(key)) is not kind:
        names = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}
        raise ValueError(f"{where}: {key!r} must be {names[kind]}, not {record.get(key)!r}")
    return record[key]


def unknown(kind, where: str) -> ValueError:
    """The error for a type that is none of the known classes."""
    return ValueError(f"{where}: unknown type {kind!r}; the models are {', '.join(CLASSES)}")


def _made(make, where, *args, **kwargs):
    """make(...), its errors as ValueError that names `where`."""
    try:
        return make(*args, **kwargs)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ValueError(f"{where}: {error}") from error


def _check_tree(tree, where):
    """Raise ValueError unless the arrays fit together, so that every way down ends at a leaf."""
    T, sizes = len(tree.parent), np.array([info.size for info in tree.schema], int)
    arrays = tree.parent, tree.attribute, tree.cut, tree.child, tree.offset
    fits = (
        all(array.ndim == 1 and array.dtype.kind == "i" for array in arrays)
        and T == len(tree.attribute) == len(tree.cut) == len(tree.offset) - 1 == len(tree.counts)
        and tree.attribute.max() < len(sizes)
        and tree.offset[0] == 0
        and tree.offset[-1] == len(tree.child)
        and (np.diff(tree.offset) == tree.n_outcomes()).all()
        and tree.child.max(initial=-1) < T
    )
    above, below = np.repeat(np.arange(T), np.diff(tree.offset)) if fits else None, tree.child
    if not fits or not ((below < 0) | ((below > above) & (tree.parent[below] == above))).all():
        raise ValueError(f"{where}: its arrays do not form a tree")
    if tree.tables is not None and not _counted(tree, sizes):
        raise ValueError(f"{where}: its tables are not counts of its nodes' cases by value")


def _counted(tree, sizes):
    """Whether the tables have a whole count for each value, and each attribute all of the cases."""
    tables = tree.tables
    shape = (len(tree.parent), int(sizes.sum()), tree.counts.shape[1])
    if not isinstance(tables, np.ndarray) or tables.dtype.kind not in "iu":
        return False
    if tables.shape != shape or (tables < 0).any():
        return False
    first = np.cumsum(sizes) - sizes
    cases = np.add.reduceat(tables, first, axis=1, dtype=np.int64)
    return bool((cases == tree.counts[:, None]).all())


def _one_of(record, key, known, where):
    value = part_of(record, key, str, where)
    if value not in known:
        raise ValueError(f"{where}: {key!r} must be one of {sorted(known)}, not {value!r}")
    return value


def _numbers(values, dtype, where):
    """An array of these values, none of which the type would change."""
    if not NUMBERS.fullmatch(dtype):
        raise ValueError(f"{where}: unknown type {dtype!r} of an array")
    kinds = {"b": {bool}, "i": {int}, "u": {int}, "f": {int, float}, "U": {str}}
    allowed = kinds[np.dtype(dtype).kind]
    for value in values:
        not_finite = float in allowed and type(value) is str and value in NOT_FINITE
        if type(value) not in allowed and not not_finite:
            raise ValueError(f"{where}: {value!r} is not a value of an array of {dtype}")
    array = _made(np.array, where, values, dtype)
    if allowed == {str} and array.tolist() != values:
        raise ValueError(f"{where}: a text is longer than {dtype} allows")
    return array
