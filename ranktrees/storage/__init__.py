"""Models as JSON: what was fitted, readable, and read without running anything in the file.

`SHAPES` declares of each class what is stored and what it must be, so that a damaged file is a
ValueError that names the file and the field. What follows from the rest, as a tree's estimates do,
is not stored but made anew.
"""

import inspect
from dataclasses import is_dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from ranktrees import __version__
from ranktrees.storage.shapes import CLASSES, SHAPES, is_array
from ranktrees.storage.values import attempt, decode, encode, layout, parse

__all__ = ["SHAPES", "load_model", "save"]

FORMAT, VERSION = "ranktrees model", 2


def save(model, path) -> None:
    """Write a model, fitted or not, to a JSON file.

    Raises TypeError, naming the field, for what cannot be stored, ValueError for what is not as it
    must be.
    """
    try:
        record = encode(model, parts_of)
    except RecursionError as error:
        raise TypeError(
            f"{type(model).__name__} contains itself or is nested too deeply"
        ) from error
    decode(record, build)  # lest it could not be read again
    head = {"format": FORMAT, "version": VERSION, "ranktrees": __version__}
    text = layout({**head, "model": record}) + "\n"
    Path(path).write_text(text, encoding="utf-8", newline="\n")


def load_model(path):
    """The model of a file written by `save`; ValueError names the file and what is wrong in it."""
    try:
        record = parse(Path(path).read_text(encoding="utf-8"))
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise ValueError(f'not a model that ranktrees saved: no "format": "{FORMAT}"')
        if record.get("version") != VERSION:
            raise ValueError(
                f"format version {record.get('version')!r} was written by ranktrees "
                f"{record.get('ranktrees')}; this one, {__version__}, reads version {VERSION}: "
                "use that one, or fit the model anew with this one"
            )
        model = attempt("model", decode, record.get("model"), build)
        if type(model) not in SHAPES:
            raise ValueError(f"its model is nothing that is stored: {model!s:.60}")
        return model
    except RecursionError as error:
        raise ValueError(f"{path}: nested too deeply") from error
    except ValueError as error:  # among them text that is not UTF-8, or not JSON
        raise ValueError(f"{path}: {error}") from error


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
    """The names of a model's parameters; other objects have none besides their fields."""
    return [] if is_dataclass(cls) else list(inspect.signature(cls).parameters)


def build(kind: str, parts: dict):
    """An object of its parts; ValueError names the field that is not what it must be."""
    if kind not in CLASSES:
        raise ValueError(f"unknown type {kind!r}; known are {', '.join(CLASSES)}")
    cls = CLASSES[kind]
    params, fields = _parameters(cls), {f.rstrip("?"): fits for f, fits in SHAPES[cls].items()}
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
    elif "attributes_" in learnt:
        proba = model._set_estimate().node_proba_
    elif "counts_" in learnt:
        proba = np.exp(model._set_tables().tables_)
    if not is_array(proba, "f", *proba.shape, low=0, high=1 + 1e-9):
        raise ValueError("its counts and parameters do not give probabilities")
