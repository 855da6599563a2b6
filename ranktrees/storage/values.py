"""Values as JSON: numbers, texts and lists are JSON's own, all else an object of one key, its kind.

Nothing in a text is run, and nothing much larger than the text is made of it.
"""

import json
import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from ranktrees.newton.attributes import ascending

PLAIN = {type(None), bool, int, float, str}
DTYPE = r"object|str|string|bool(ean)?|[uU]?[iI]nt\d+|[fF]loat\d+|interval\[.*\]"
DEEPEST = 60  # parts within parts: a bag of bags of trees has about 20


def encode(value, parts_of: Callable):
    """What stands for a value in JSON; `parts_of` an object gives its parts by name.

    Raises TypeError, naming the field, where `parts_of` raises an error.
    """
    if type(value) in PLAIN or (type(value) is list and {*map(type, value)} <= PLAIN):
        return value
    if type(value) is list:
        return [_encode_part(f"[{i}]", part, parts_of) for i, part in enumerate(value)]
    if type(value) is dict:
        pairs = [[k, _encode_part(f"[{k!r}]", part, parts_of)] for k, part in value.items()]
        return {"dict": pairs}
    for kind, (cls, parts, _) in KINDS.items():
        if isinstance(value, cls):
            return {kind: encode(parts(value), parts_of)}
    name, parts = type(value).__name__, parts_of(value)
    return {name: {k: _encode_part(f"{name}.{k}", v, parts_of) for k, v in parts.items()}}


def _encode_part(where, part, parts_of):
    return attempt(where, encode, part, parts_of, error=TypeError)


def decode(record, build: Callable, depth: int = 0):
    """The value that stands in JSON; `build(kind, parts)` makes an object of its parts by name.

    Raises an error of WRONG, within an object one that names the field, for what stands for none.
    """
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(record, list):
        plain = {*map(type, record)} <= PLAIN
        return record if plain else [decode(part, build, depth + 1) for part in record]
    if not isinstance(record, dict):
        return record
    kind, parts = next(iter(record.items())) if len(record) == 1 else ("", None)
    if not isinstance(parts, list if kind in KINDS else dict):
        raise ValueError(f"unknown type {kind!r} of {parts!s:.60}")
    if kind not in KINDS:
        parts = {
            field: attempt(f"{kind}.{field}", decode, part, build, depth + 1)
            for field, part in parts.items()
        }
        return build(kind, parts)
    _, parts_of, make = KINDS[kind]
    parts = decode(parts, build, depth + 1)
    value = make(*parts)
    if parts_of(value) != parts:  # a number that its type changes, a key or an item twice
        raise ValueError(f"no {kind} is made of {parts!s:.60}")
    return value


WRONG = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)


def attempt(where: str, make: Callable, *parts, error: type = ValueError):
    """make(*parts), where what goes wrong is an error that names `where`."""
    try:
        return make(*parts)
    except WRONG as wrong:
        colon = "" if str(wrong).startswith("[") else ": "  # a[0]['b']: what is wrong
        raise error(f"{where}{colon}{wrong}") from wrong


def _dtype_of(array):
    return "str" if array.dtype.kind == "U" else array.dtype.name


def _known(dtype):
    if not re.fullmatch(DTYPE, dtype):
        raise ValueError(f"unknown type {dtype!r} of an array")
    return dtype


def _array(dtype, shape, values):
    return np.fromiter(values, object, len(values)).astype(_known(dtype)).reshape(shape)


def _index(dtype, name, values):
    return pd.Index(values, dtype=_known(dtype), name=name, tupleize_cols=False)


KINDS = {  # the class, what a value is made of, and how it is made of that
    "tuple": (tuple, list, lambda *parts: parts),
    "set": (frozenset, ascending, lambda *parts: frozenset(parts)),
    "dict": (dict, lambda v: [list(pair) for pair in v.items()], lambda *pairs: dict(pairs)),
    "interval": (pd.Interval, lambda v: [v.left, v.right, v.closed], pd.Interval),
    "index": (pd.Index, lambda v: [str(v.dtype), v.name, v.tolist()], _index),
    "array": (np.ndarray, lambda v: [_dtype_of(v), [*v.shape], v.ravel().tolist()], _array),
    "scalar": (np.generic, lambda v: [_dtype_of(v), v.item()], lambda t, v: _array(t, [1], [v])[0]),
}


def layout(value, pad: str = "\n ") -> str:
    """JSON text with a line for each part of an object."""
    if not isinstance(value, dict):
        return json.dumps(value, allow_nan=False)
    lines = [f"{json.dumps(key)}: {layout(part, pad + ' ')}" for key, part in value.items()]
    return "{" + pad + f",{pad}".join(lines) + "}"


def parse(text: str):
    """What stands in a JSON text; ValueError for an object that has a key twice."""
    return json.loads(text, object_pairs_hook=_distinct)


def _distinct(pairs):
    if len(record := dict(pairs)) < len(pairs):
        raise ValueError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return record
