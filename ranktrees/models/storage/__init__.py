"""Models as JSON: what was fitted, readable, and read without running anything in the file.

Numbers, texts and lists are JSON's own, all else is an object of one key, its kind. `SHAPES`
declares of each class what is stored and what it must be, so that a damaged file is a ValueError
that names the file and the field. What follows from the rest, as a tree's estimates do, is not
stored but made anew; nothing much larger than the text is made of it.
"""

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd

from ranktrees import __version__
from ranktrees.basics.arguments import as_path
from ranktrees.basics.files import replacing
from ranktrees.basics.kinds import AnyPath
from ranktrees.estimator.classifier import Classifier
from ranktrees.models.storage.shapes import CLASSES, SHAPES, is_array
from ranktrees.newton.attributes import ascending

__all__ = ["SHAPES", "load_model", "save"]

FORMAT, VERSION = "ranktrees model", 2
PLAIN = {type(None), bool, int, float, str}
DTYPE = r"object|str|string|bool(ean)?|[uU]?[iI]nt\d+|[fF]loat\d+|interval\[.*\]"
SINCE = {"class_weight": None}  # parameters that older files lack, and what these then are
DEEPEST = 60  # parts within parts: a bag of bags of trees has about 20
WRONG = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)


def save(model: object, path: AnyPath) -> None:
    """Write a model, fitted or not, to a JSON file, which is there when it is whole: `as_text`."""
    text = as_text(model)
    with replacing(as_path("path", path)) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def as_text(model) -> str:
    """The JSON text of a model, fitted or not, as `save` writes it.

    Raises TypeError, naming the field, for what cannot be stored, ValueError for what is not as it
    must be.
    """
    try:
        record = encode(model)
    except RecursionError as error:
        raise TypeError(
            f"{type(model).__name__} contains itself or is nested too deeply"
        ) from error
    decode(record)  # lest it could not be read again
    if type(model) not in SHAPES:
        what = f"{type(model).__name__} {model!s:.60}"
        raise TypeError(f"{what} is no model that can be stored; what can be: {', '.join(CLASSES)}")
    head = {"format": FORMAT, "version": VERSION, "ranktrees": __version__}
    return layout({**head, "model": record}) + "\n"


def load_model(path: AnyPath) -> Classifier:
    """The model of a file written by `save`; ValueError names the file and what is wrong in it."""
    try:
        text = as_path("path", path).read_text(encoding="utf-8")
        record = json.loads(text, object_pairs_hook=_distinct)
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise ValueError(f'not a model that ranktrees saved: no "format": "{FORMAT}"')
        if record.get("version") != VERSION:
            raise ValueError(
                f"format version {record.get('version')!r} was written by ranktrees "
                f"{record.get('ranktrees')}; this one, {__version__}, reads version {VERSION}: "
                "use that one, or fit the model anew with this one"
            )
        with np.errstate(all="ignore"):  # numbers that are none are refused by name
            model = attempt("model", decode, record.get("model"))
        if type(model) not in SHAPES:
            raise ValueError(f"it holds no model; this is nothing that is stored: {model!s:.60}")
        return model
    except RecursionError as error:
        raise ValueError(f"{path}: nested too deeply") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path}: no file that rt.save wrote, or a part of one: {error}"
        ) from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def attempt(where: str, make: Callable, *parts, error: type = ValueError):
    """make(*parts), where what goes wrong is an error that names `where`."""
    try:
        return make(*parts)
    except WRONG as wrong:
        colon = "" if str(wrong).startswith("[") else ": "  # a[0]['b']: what is wrong
        raise error(f"{where}{colon}{wrong}") from wrong


# From a value to JSON


def encode(value):
    """What stands for a value in JSON; TypeError, naming the field, for what cannot be stored."""
    if type(value) in PLAIN or (type(value) is list and {*map(type, value)} <= PLAIN):
        return value
    if type(value) is list:
        return [_encode_part(f"[{i}]", part) for i, part in enumerate(value)]
    if type(value) is dict:
        return {"dict": [[k, _encode_part(f"[{k!r}]", part)] for k, part in value.items()]}
    for kind, (cls, parts, _) in KINDS.items():
        if isinstance(value, cls):
            return {kind: encode(parts(value))}
    name, parts = type(value).__name__, parts_of(value)
    return {name: {k: _encode_part(f"{name}.{k}", part) for k, part in parts.items()}}


def _encode_part(where, part):
    return attempt(where, encode, part, error=TypeError)


def parts_of(value) -> dict:
    """What is stored of an object: parameters and fields; TypeError for one that cannot be."""
    cls = type(value)
    if cls not in SHAPES:
        what = f"a value of type {cls.__module__}.{cls.__qualname__}"
        if inspect.isroutine(value):
            what = f"a function ({cls.__name__} {value.__name__!r})"
        raise TypeError(f"{what} cannot be stored as JSON; what can be: {', '.join(CLASSES)}")
    names = [*_parameters(cls), *(field.rstrip("?") for field in SHAPES[cls])]
    return {name: vars(value)[name] for name in names if name in vars(value)}


def _parameters(cls: type) -> list[str]:
    """The names of a model's parameters; other objects have none besides their fields.

    How many processes fit says something of a machine, not of a model: it is not stored.
    """
    names = [] if is_dataclass(cls) else inspect.signature(cls).parameters
    return [name for name in names if name != "n_jobs"]


def layout(value, pad: str = "\n ") -> str:
    """JSON text with a line for each part of an object."""
    if not isinstance(value, dict):
        return json.dumps(value, allow_nan=False)
    lines = [f"{json.dumps(key)}: {layout(part, pad + ' ')}" for key, part in value.items()]
    return "{" + pad + f",{pad}".join(lines) + "}"


# From JSON to a value


def decode(record, depth: int = 0):
    """The value that stands in JSON.

    Raises an error of WRONG, within an object one that names the field, for what stands for none.
    """
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(record, list):
        plain = {*map(type, record)} <= PLAIN
        return record if plain else [decode(part, depth + 1) for part in record]
    if not isinstance(record, dict):
        return record
    kind, parts = next(iter(record.items())) if len(record) == 1 else ("", None)
    if not isinstance(parts, list if kind in KINDS else dict):
        raise ValueError(f"unknown type {kind!r} of {parts!s:.60}")
    if kind not in KINDS:
        named = {k: attempt(f"{kind}.{k}", decode, part, depth + 1) for k, part in parts.items()}
        return build(kind, named)
    _, parts_of_kind, make = KINDS[kind]
    parts = decode(parts, depth + 1)
    value = make(*parts)
    if parts_of_kind(value) != parts:  # a number that its type changes, a key or an item twice
        raise ValueError(f"no {kind} is made of {parts!s:.60}")
    return value


def build(kind: str, parts: dict):
    """An object of its parts; ValueError names the field that is not what it must be."""
    if kind not in CLASSES:
        raise ValueError(f"unknown type {kind!r}; known are {', '.join(CLASSES)}")
    cls = CLASSES[kind]
    params, fields = _parameters(cls), {f.rstrip("?"): fits for f, fits in SHAPES[cls].items()}
    parts = {name: default for name, default in SINCE.items() if name in params} | parts
    needed = {*params}
    if is_dataclass(cls) or not parts.keys() <= needed:  # not a model that is yet to be fitted
        needed |= SHAPES[cls].keys() & fields.keys()
    if lacking := sorted(needed - parts.keys()):
        raise ValueError(f"a {kind} lacks {', '.join(lacking)}")
    if beyond := sorted(parts.keys() - fields.keys() - {*params}):
        raise ValueError(f"a {kind} has no {', '.join(beyond)}")
    for field in [field for field in fields if field in parts]:
        if not attempt(f"{kind}.{field}", fields[field], SimpleNamespace(**parts)):
            raise ValueError(f"{kind}.{field} is not what it must be: {parts[field]!s:.80}")
    if is_dataclass(cls):
        return cls(**parts)
    model = cls(**{name: parts[name] for name in params})
    vars(model).update(parts)
    attempt(kind, complete, model)
    return model


def complete(model) -> None:
    """Check a model's parameters, and make anew what is not stored; ValueError if that fails."""
    getattr(model, "_check_parameters", list)()
    learnt, proba = vars(model), np.zeros(0)
    if "training_" in learnt:
        proba = model._set_tree(model.tree_).node_proba_
    elif "trees_" in learnt:
        proba = np.exp(np.concatenate([member.log_t for member in model.members_]))
    elif "attributes_" in learnt:
        proba = model._set_estimate().node_proba_
    elif "counts_" in learnt:
        proba = np.exp(model._set_tables().tables_)
    if not is_array(proba, "f", *proba.shape, low=0, high=1 + 1e-9):
        raise ValueError("its counts and parameters do not give probabilities")


def _distinct(pairs):
    if len(record := dict(pairs)) < len(pairs):
        raise ValueError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return record


def _dtype_of(array):
    return "str" if array.dtype.kind == "U" else array.dtype.name


def _own(dtype):  # pandas' own for pyarrow's, which is not everywhere
    return "object" if isinstance(dtype, pd.ArrowDtype) else str(dtype)


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
    "index": (pd.Index, lambda v: [_own(v.dtype), v.name, v.tolist()], _index),
    "array": (np.ndarray, lambda v: [_dtype_of(v), [*v.shape], v.ravel().tolist()], _array),
    "scalar": (np.generic, lambda v: [_dtype_of(v), v.item()], lambda t, v: _array(t, [1], [v])[0]),
}
